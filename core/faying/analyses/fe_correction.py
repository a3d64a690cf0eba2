"""Corrections of reduced frames on the FE model, for what a basis represents poorly: stresses and pressures."""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from pydantic import field_validator

from faying.analyses import BodyAnalysis, BodyModel, analyses
from faying.analyses.corrected_body import CorrectedBody
from faying.analyses.curve_source import BodyState
from faying.analyses.recorded_bodies import recorded_fe_body
from faying.analyses.recorder import OfferedCurves, Recorder
from faying.analyses.unreduced_frames import frame_data
from faying.errors import ModelError
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.carried import Acting
from faying.results.interrupted import interrupted_run
from faying.results.results import Results

CHANGE = "correction"
"""Name of the curve with the share of a frame's first correction in the energy norm: the reduced frame's error."""
LAST_CHANGE = "last correction"
"""Name of the same curve for the last correction: more than what is left, mostly."""


@analyses.register("fe_correction")
class FeCorrection(BodyAnalysis):
    """Newton corrections with the contact and friction of a frame, from its reduced displacement.

    A basis of joint modes gives motion and gaps long before it gives the pressure from pair to pair, and stresses at
    the joint. Corrections give them. In motion the inertia and damping forces of the reduced frame act as loads: the
    mode acceleration method (Williams 1945) on a body with contact.
    """

    title: ClassVar[str] = "Correction on the FE model"
    needs_matrices: ClassVar[bool] = True
    needs_basis: ClassVar[bool] = True
    follows: ClassVar[tuple[str, ...]] = ("static", "transient")

    corrects: str = parameter(
        title="Corrects", choices="analysis", min_length=1,
        meaning="The static or transient analysis of the same body whose frames are corrected.",
    )  # fmt: skip
    frames: tuple[int, ...] = parameter(
        (-1,), title="Frames", min_length=1,
        meaning="Numbers of its frames, from 0; −1 for the last one. Each takes about a factorisation.",
    )  # fmt: skip
    accuracy: float = parameter(
        1e-3, title="Accuracy", gt=0.0, lt=1.0,
        meaning="A frame is right once a correction changes it by less than this share, in the energy norm.",
    )  # fmt: skip
    most_corrections: int = parameter(
        10, title="Most corrections", ge=1, le=100,
        meaning="After so many corrections of a frame it stays as it is. The first one costs a factorisation, each "
        "other one ten to twenty solutions with it. The curve “last correction” says how much the last one changed.",
    )  # fmt: skip

    @field_validator("frames")
    @classmethod
    def _counted(cls, frames: tuple[int, ...]) -> tuple[int, ...]:
        if min(frames) < -1:
            raise ValueError("frames are counted from 0, or −1 for the last one")
        return frames

    def predecessors(self) -> tuple[str, ...]:
        """Return the name of the analysis that is corrected."""
        return (self.corrects,)

    @classmethod
    def first_parameters(cls, followed: Sequence[str]) -> dict[str, Any] | None:
        """Return the last of these analyses as the one to correct."""
        return {"corrects": followed[-1]} if followed else None

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Correct frame after frame, in the order of their numbers; continue an interrupted run."""
        if body.start is None:
            raise ValueError("a correction needs the results that it corrects")
        start, numbers = body.start, self._numbers(body.start)
        held = CorrectedBody(body, start)
        with interrupted_run(target) as earlier, ExitStack() as stack:
            changes: list[tuple[float, ...]] = []
            if earlier is not None:
                changes = list(earlier.memory["changes"])
                held.recall(earlier.memory["held"])
            offered = OfferedCurves(recorded_fe_body(
                body, [joint.friction_law for joint in body.joints], held.settings.support,
                loads=held.settings.acting_loads, run=(CHANGE, LAST_CHANGE),
            ))  # fmt: skip
            recorder = stack.enter_context(Recorder(
                target, offered, earlier.frames if earlier else None, len(changes), axis=start.axis.kind,
                body=body.name, frame=held.settings.support, settings=self.model_dump(mode="json"),
                constants=held.settings.acting_temperatures(body.loads),
            ))  # fmt: skip
            for i, frame in list(enumerate(numbers))[len(changes) :]:
                part = PartialProgress(progress, i / len(numbers), (i + 1) / len(numbers), start.label(frame))
                most, accuracy = self.most_corrections, self.accuracy
                solution, change = held.corrected(frame, part, most=most, accuracy=accuracy)
                changes.append(change)
                value = float(start.values[frame])
                shown = BodyState(
                    solution.dofs, solution.responses, Acting(held.settings.load_amounts(value)),
                    run={CHANGE: change[0], LAST_CHANGE: change[-1]},
                )  # fmt: skip
                recorder.frame(value, (shown,), frame_data(body, solution))
                recorder.flush()
                if frame != numbers[-1]:  # some frame is left to go on with
                    known = {"changes": list(changes), "held": held.memory()}
                    recorder.remember(partial(dict, known))
            summary = {
                "largest_correction": max(change[0] for change in changes),
                "largest_last_correction": max(change[-1] for change in changes),
                "corrections": [len(change) for change in changes],
                "factorisations": held.tangent.factorisations,
                "solutions": held.tangent.solutions,
                "start_doubts": [doubt.sentence for doubt in start.doubts],
            }
            recorder.close(summary)
        progress.report(1.0, "correction on the FE model")
        return summary

    def _numbers(self, start: Results) -> list[int]:
        """Return the frames to correct, ascending, each once."""
        count = start.n_frames
        for frame in self.frames:
            if frame >= count:
                raise ModelError(
                    f"There is no frame {frame} of {self.corrects!r} to correct: it has {count} frames.",
                    f"Choose numbers from 0 to {count - 1}, or −1 for the last one.",
                )
        return sorted({frame % count for frame in self.frames})
