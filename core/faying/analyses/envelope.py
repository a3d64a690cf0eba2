"""Envelopes: all frames of several analyses of a body, over which extremes of any field are taken."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyAnalysis, BodyModel, analyses
from faying.analyses.recording.gathered_cases import (
    case_context,
    displacement_of,
    joint_shapes,
    joints_at,
    start_warnings,
    temperatures_of,
)
from faying.params import parameter
from faying.progress import Progress
from faying.results.curve_key import CurveKey
from faying.results.names import path_of
from faying.results.results import Results
from faying.results.writer import ResultsWriter

_BETWEEN = " · "


@analyses.register("envelope")
class Envelope(BodyAnalysis):
    """The frames of load cases one after the other: the extremes over its run are those over all cases and steps.

    It asks for nothing linear: contact and friction are as each case found them. Cases may be held at different nodes
    and preloaded differently, reduced or not; displacements are those that each support sees.
    """

    title: ClassVar[str] = "Envelope of load cases"
    follows: ClassVar[tuple[str, ...]] = (
        "static", "transient", "steps", "unreduced_static", "unreduced_steps", "fe_correction", "combination",
    )  # fmt: skip

    cases: tuple[str, ...] = parameter(
        title="Load cases", choices="analysis", min_length=1,
        meaning="Analyses of the same body. All their frames are gathered, so that the largest, smallest and mean "
        "values over the run, of any field, are those over all cases and steps; “case of maximum” is the number of "
        "the case in this order, from 1. Each combination counts as a case of its own.",
    )  # fmt: skip

    def predecessors(self) -> tuple[str, ...]:
        """Return the names of the cases."""
        return self.cases

    @classmethod
    def first_parameters(cls, followed: Sequence[str]) -> dict[str, Any] | None:
        """Return all these analyses as its cases."""
        return {"cases": tuple(followed)} if followed else None

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Gather frame after frame, case after case."""
        cases = body.starts
        contexts, shapes = [case_context(body, case) for case in cases], joint_shapes(body, cases)
        temperatures, counted = temperatures_of(cases), _counted(self.cases, cases)
        # Curves that all cases have; a temperature that does not act in a case has the factor zero there.
        factors = [CurveKey("factor", kind="load", owner=name) for name in temperatures]
        curves = [key for key in cases[0].curve_keys if all(key in case.curve_texts for case in cases)]
        supports = {case.frame_of_reference for case in cases}
        with ResultsWriter(
            target, axis="case", body=body.name, frame=supports.pop() if len(supports) == 1 else "",
            sizes={"displacement": body.n_displacements}, joints=shapes,
            curves=dict.fromkeys((*curves, *factors)),
            constants={path_of("temperatures", name): values for name, values in temperatures.items()},
            settings=self.model_dump(mode="json"),
            labels=tuple(label for labels, _ in counted for label in labels),
        ) as writer:  # fmt: skip
            for case, context, (labels, values) in zip(cases, contexts, counted, strict=True):
                known = {key: case.curve(key) for key in (*curves, *factors) if key in case.curve_texts}
                for frame, value in enumerate(values):
                    progress.report(writer.n_frames / sum(len(v) for _, v in counted), labels[frame])
                    values_here = {key: float(curve[frame]) for key, curve in known.items()}
                    named = joints_at(context, frame, shapes)
                    named["displacement"] = displacement_of(context, frame)
                    writer.append(float(value), named, curves=dict.fromkeys(factors, 0.0) | values_here)
            summary = {
                "frames": writer.n_frames,
                "cases": _names(counted),
                "start_warnings": start_warnings(cases),
            }
            writer.close(summary)
        progress.report(1.0, "envelope")
        return summary


def _counted(names: Sequence[str], cases: Sequence[Results]) -> list[tuple[list[str], np.ndarray]]:
    """Return labels and axis values of the frames of each case: its number, and the share of its frames before."""
    found, before = [], 0
    for name, case in zip(names, cases, strict=True):
        n = case.n_frames
        shares = np.arange(n) / n
        values = before + (case.values if case.axis.several_cases else 1.0 + shares)
        labels = [f"{name}{_BETWEEN}{case.label(i)}" if n > 1 else name for i in range(n)]
        found.append((labels, values))
        before = int(np.floor(values[-1]))
    return found


def _names(counted: Sequence[tuple[list[str], np.ndarray]]) -> dict[str, str]:
    """Return {number of a case: its label}, that of its last frame."""
    return {
        str(int(value)): label
        for labels, values in counted
        for label, value in zip(labels, values, strict=True)
    }
