"""Combinations of linear load cases: sums of frames of other analyses, each with a factor."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyAnalysis, BodyModel, analyses
from faying.analyses.curve_sources import curve_sources
from faying.analyses.recording.gathered_cases import (
    case_context,
    displacement_of,
    start_warnings,
    temperatures_of,
)
from faying.errors import ModelError
from faying.params import Spec, parameter
from faying.progress import Progress
from faying.results.names import path_of
from faying.results.results import Results
from faying.results.writer import ResultsWriter

FACTOR = "factor"


class CombinedCase(Spec):
    """One load case of a combination."""

    analysis: str = parameter(
        title="Load case", choices="analysis", min_length=1, meaning="A linear analysis of the same body."
    )
    factor: float = parameter(
        1.0, title="Factor", meaning="What its displacements, stresses and bolt forces are multiplied by."
    )
    frame: int = parameter(
        -1, title="Frame", ge=-1, meaning="Number of its frame, from 0; −1 for the last one."
    )


class CombinationSpec(Spec):
    """A sum of load cases."""

    name: str = parameter(title="Name", min_length=1, meaning="What the combination is called.")
    cases: tuple[CombinedCase, ...] = parameter(
        title="Load cases", min_length=1,
        meaning="What is added up. A preload case that acts in several of them counts in each, times its factor.",
    )  # fmt: skip


@analyses.register("combination")
class Combination(BodyAnalysis):
    """Sums of load cases, a frame for each combination: superposition, which holds for a linear body alone.

    So all joints of the body have to be tied, and all cases held at the same node.
    """

    title: ClassVar[str] = "Combination of load cases"
    follows: ClassVar[tuple[str, ...]] = ("static", "transient", "unreduced_static")

    combinations: tuple[CombinationSpec, ...] = parameter(
        title="Combinations", min_length=1,
        meaning="Each is a frame: the sum of load cases times their factors. Bodies with contact or friction are "
        "refused, since their answers do not add up; envelopes take those too.",
    )  # fmt: skip

    def predecessors(self) -> tuple[str, ...]:
        """Return the names of all load cases, each once."""
        return tuple(dict.fromkeys(case.analysis for each in self.combinations for case in each.cases))

    @classmethod
    def first_parameters(cls, followed: Sequence[str]) -> dict[str, Any] | None:
        """Return one combination: the sum of all these analyses."""
        cases = [{"analysis": name} for name in followed]
        return {"combinations": ({"name": "sum", "cases": cases},)} if cases else None

    def refusal(self, joints: Sequence[str], supports: Sequence[str]) -> ModelError | None:
        """Return the error that its load cases cannot be superposed; None if they can.

        Args:
            joints: names of the body's joints with contact.
            supports: interface node that holds each of the `predecessors`.
        """
        if joints:
            return ModelError(
                f"{self.name!r} cannot add load cases: contact in joint {joints[0]!r} of {self.body!r} makes the "
                "answers nonlinear, so that they do not add up.",
                "Tie all joints of the body, or compute an analysis with all loads at once; an envelope takes the "
                "cases as they are.",
            )
        others = [i for i, support in enumerate(supports) if support != supports[0]]
        if others:
            names = self.predecessors()
            held = [f"{names[i]!r} {_held(supports[i])}" for i in (0, others[0])]
            return ModelError(
                f"{self.name!r} cannot add load cases that are held differently: {' and '.join(held)}.",
                "Hold all of them at the same interface node.",
            )
        return None

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Add up combination after combination."""
        cases = dict(zip(self.predecessors(), body.starts, strict=True))
        supports = [case.frame_of_reference for case in cases.values()]
        if (error := self.refusal([joint.name for joint in body.joints], supports)) is not None:
            raise error
        contexts = {name: case_context(body, case) for name, case in cases.items()}
        terms = [
            [(case.analysis, case.factor, _frame_of(case, cases[case.analysis])) for case in each.cases]
            for each in self.combinations
        ]
        temperatures = temperatures_of(cases.values())
        linear = {q.name for _, source in curve_sources.items() for q in source.quantities if q.linear}
        shared = set.intersection(*(set(case.curve_keys) for case in cases.values()))
        # A load that does not act in a case has the factor zero there.
        factors = {key for case in cases.values() for key in case.curve_keys if key.quantity == FACTOR}
        curves = [key for case in cases.values() for key in case.curve_keys if key in shared | factors]
        curves = [key for key in dict.fromkeys(curves) if key.quantity in linear]
        known = {
            name: {key: case.curve(key) for key in curves if key in case.curve_texts}
            for name, case in cases.items()
        }
        with ResultsWriter(
            target, axis="case", body=body.name, frame=supports[0],
            sizes={"displacement": body.n_displacements}, joints={}, curves=curves,
            constants={path_of("temperatures", name): values for name, values in temperatures.items()},
            settings=self.model_dump(mode="json"), labels=tuple(each.name for each in self.combinations),
        ) as writer:  # fmt: skip
            for i, each in enumerate(terms):
                progress.report(i / len(terms), self.combinations[i].name)
                total, values = np.zeros(body.n_displacements), dict.fromkeys(curves, 0.0)
                for name, factor, frame in each:
                    total += factor * displacement_of(contexts[name], frame)
                    for curve, numbers in known[name].items():
                        values[curve] += factor * float(numbers[frame])
                writer.append(i + 1.0, curves=values, displacement=total)
            summary = {"frames": writer.n_frames, "start_warnings": start_warnings(cases.values())}
            writer.close(summary)
        progress.report(1.0, "combination")
        return summary


def _held(support: str) -> str:
    return f"at {support!r}" if support else "nowhere"


def _frame_of(case: CombinedCase, results: Results) -> int:
    """Return the number of a case's frame, from 0.

    Raises:
        ModelError: when there is no such frame.
    """
    count = results.n_frames
    if case.frame >= count:
        raise ModelError(
            f"There is no frame {case.frame} of {case.analysis!r} to combine: it has {count} frames.",
            f"Choose a number from 0 to {count - 1}, or −1 for the last one.",
        )
    return case.frame % count
