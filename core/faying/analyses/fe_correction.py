"""Corrections of reduced frames on the FE model, for what a basis represents poorly: stresses and pressures."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from pydantic import field_validator

from faying.analyses import BodyAnalysis, BodyModel, analyses, needed
from faying.analyses.recording.curve_source import BodyState
from faying.analyses.recording.recorded_bodies import recorded_fe_body
from faying.analyses.recording.recorder import OfferedCurves, Recorder
from faying.analyses.statics.corrected_body import CorrectedBody, CorrectedFrame, held_analysis
from faying.analyses.statics.step_loads import acting_temperatures
from faying.errors import ModelError
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.carried import Acting
from faying.results.interrupted import interrupted_run
from faying.results.results import PartResults, Results

CHANGE = "correction"
"""Name of the curve with the share of a frame's first correction in the energy norm: the reduced frame's error."""
LAST_CHANGE = "last correction"
"""Name of the curve with what is left: the same share of the last correction, or of pair forces out of balance."""

PRESSURE_CHANGE = "pressure change by correction"
"""Name of the curve with the root mean square, over the area of all joints, of the pressures' change."""

_MANY = 4  # frames, from which on a factor and the compliances of pairs for all of them cost less than each by itself


@analyses.register("fe_correction")
class FeCorrection(BodyAnalysis):
    """Newton corrections with the contact and friction of a frame, from its reduced displacement.

    A basis of joint modes gives motion and gaps long before it gives the pressure from pair to pair, and stresses at
    the joint. Corrections give them, of many frames condensed to the pairs that differ from the first one. In motion
    the inertia and damping forces of the reduced frame act as loads: the mode acceleration method (Williams 1945) on
    a body with contact.
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
        (-1,), title="Frames",
        meaning="Numbers of its frames, from 0; −1 for the last one, none for all. From four on they share one factor "
        "and cost some dozens of milliseconds each for fifty thousand unknowns.",
    )  # fmt: skip
    accuracy: float = parameter(
        1e-3, title="Accuracy", gt=0.0, lt=1.0,
        meaning="A frame is right once a correction changes it by less than this share, in the energy norm. Where many "
        "frames share a factor, less than a thousandth of it is out of balance of the forces of all pairs.",
    )  # fmt: skip
    most_corrections: int = parameter(
        10, title="Most corrections", ge=1, le=100,
        meaning="After so many corrections of a frame it stays as it is. The first one costs a factorisation, each "
        "other one ten to twenty solutions with it. The curve “last correction” says how much the last one changed.",
    )  # fmt: skip

    @field_validator("frames")
    @classmethod
    def _counted(cls, frames: tuple[int, ...]) -> tuple[int, ...]:
        if min(frames, default=0) < -1:
            raise ValueError("frames are counted from 0, or −1 for the last one")
        return frames

    def predecessors(self) -> tuple[str, ...]:
        """Return the name of the analysis that is corrected."""
        return (self.corrects,)

    @classmethod
    def first_parameters(cls, followed: Sequence[str]) -> dict[str, Any] | None:
        """Return the last of these analyses as the one to correct."""
        return {"corrects": followed[-1]} if followed else None

    def corrected_body(self, body: BodyModel) -> CorrectedBody:
        """Return the unreduced body, held and loaded as in the corrected frames."""
        start = needed(body.start)
        return CorrectedBody(body, start, held_analysis(start), self.most_corrections, self.accuracy)

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Correct frame after frame, in the order of their numbers; continue an interrupted run."""
        held = self.corrected_body(body)
        start = held.start
        numbers = self._numbers(start)
        with interrupted_run(target) as earlier, ExitStack() as stack:
            changes: list[tuple[float, ...]] = []
            pressures: list[tuple[float, float]] = []
            if earlier is not None:
                changes, pressures = (list(earlier.memory[name]) for name in ("changes", "pressures"))
                held.restore(earlier.memory["held"])
            offered = OfferedCurves(recorded_fe_body(
                body, [joint.friction_law for joint in body.joints], held.settings.support,
                loads=held.settings.path_loads.names, run=(CHANGE, LAST_CHANGE, PRESSURE_CHANGE),
            ))  # fmt: skip
            recorder = stack.enter_context(Recorder(
                target, offered, earlier.frames if earlier else None, len(changes), axis=start.axis.kind,
                body=body.name, frame=held.settings.support, settings=self.model_dump(mode="json"),
                constants=acting_temperatures(held.settings.path_loads.names, body.loads),
            ))  # fmt: skip
            left = numbers[len(changes) :]
            for frame, found in self._corrected(held, left, progress):
                changes.append(found.changes)
                pressures.append((found.pressure, found.pressure_change))
                value = float(start.values[frame])
                shown = BodyState(
                    found.x, found.responses, Acting(held.settings.load_amounts(value)),
                    run={
                        CHANGE: found.changes[0], LAST_CHANGE: found.changes[-1],
                        PRESSURE_CHANGE: found.pressure_change,
                    },
                )  # fmt: skip
                recorder.frame(value, (shown,), held.fe.frame_data(found.x, found.responses, found.offsets))
                if frame != numbers[-1]:  # some frame is left to go on with
                    known = {
                        "changes": list(changes), "pressures": list(pressures), "held": held.checkpoint(),
                    }  # fmt: skip
                    recorder.remember(partial(dict, known))
            summary = {
                "largest_correction": max(change[0] for change in changes),
                "largest_last_correction": max(_last_changes(changes, pressures)),
                "corrections": [len(change) for change in changes],
                "corrected_frames": numbers,
                "pressure_errors": _relative(pressures),
                "factorisations": held.factorisations,
                "solutions": held.solutions,
                **held.summary(),
                "start_warnings": [warning.sentence for warning in start.warnings],
            }
            recorder.close(summary)
        progress.report(1.0, "correction on the FE model")
        return summary

    def _corrected(
        self, held: CorrectedBody, frames: Sequence[int], progress: Progress
    ) -> Iterator[tuple[int, CorrectedFrame]]:
        """Yield number and correction of each frame; many share a factor of one of them."""
        single = frames if len(frames) < _MANY else [frame for frame in frames if held.is_mounted(frame)]
        for i, frame in enumerate(single):
            part = PartialProgress(progress, i / len(frames), (i + 1) / len(frames), f"frame {frame}")
            yield frame, held.corrected(frame, part)
        rest = frames[len(single) :]
        part = PartialProgress(progress, len(single) / max(len(frames), 1), 1.0)
        yield from zip(rest, held.in_order(rest, part), strict=True)

    def _numbers(self, start: Results | PartResults) -> list[int]:
        """Return the frames to correct, ascending, each once."""
        count = start.n_frames
        for frame in self.frames:
            if frame >= count:
                raise ModelError(
                    f"There is no frame {frame} of {self.corrects!r} to correct: it has {count} frames.",
                    f"Choose numbers from 0 to {count - 1}, or −1 for the last one.",
                )
        return sorted({frame % count for frame in self.frames or range(count)})


def _last_changes(
    changes: Sequence[tuple[float, ...]], pressures: Sequence[tuple[float, float]]
) -> Iterator[float]:
    """Yield the last change of each frame; of many frames as part of the largest pressures, as their errors are.

    A body that hardly touches may stay a percent out of balance by laws whose friction jumps as pairs open.
    """
    largest = max(pressure for pressure, _ in pressures)
    weighted = len(changes) >= _MANY and largest > 0.0
    for change, (pressure, _) in zip(changes, pressures, strict=True):
        yield change[-1] * (pressure / largest if weighted else 1.0)


def _relative(pressures: Sequence[tuple[float, float]]) -> list[float]:
    """Return each frame's change of the pressures over the largest pressure of all frames, as root mean squares."""
    largest = max(pressure for pressure, _ in pressures)
    return [change / largest if largest else 0.0 for _, change in pressures]
