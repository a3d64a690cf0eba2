"""Frequency and damping of a free vibration over its amplitude: common to nonlinear modes of bodies and systems."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from faying.analyses.harmonics.amplitude_range import AmplitudeRange
from faying.analyses.harmonics.forced_curve import FrameOf
from faying.analyses.harmonics.mode_point import AmplitudePoint, OfMode
from faying.analyses.harmonics.periodic_analysis import FRICTION, OPENING, SLIPPING, PeriodicAnalysis
from faying.analyses.harmonics.periodic_structure import PeriodicStructure
from faying.errors import SolveError
from faying.progress import Progress
from faying.results.curve_key import CurveKey
from faying.results.interrupted import interrupted_run
from faying.results.writer import ResultsWriter
from faying.solvers.harmonic import Damping
from faying.solvers.harmonic_balance import PeriodicMotion, nonlinear_mode

FREQUENCY = CurveKey("natural frequency", "frequency")
DAMPING, OF_STRUCTURE = CurveKey("damping ratio"), CurveKey("damping ratio of the body alone")
SIZE = CurveKey("modal amplitude")
KEYS = (FREQUENCY, DAMPING, OF_STRUCTURE, FRICTION, SIZE, SLIPPING, OPENING)


class NonlinearModeAnalysis(AmplitudeRange, PeriodicAnalysis, OfMode):
    """An analysis of the free vibration in one mode over its amplitude, with contact and friction."""

    @property
    def asked_points(self) -> int:
        """Number of amplitudes."""
        return len(self.amplitudes)

    def follow(
        self,
        found: PeriodicStructure,
        number: int,
        point: AmplitudePoint,
        frame_of: FrameOf,
        damping: Damping,
        target: Path,
        progress: Progress,
        more: Mapping[str, Any] | None = None,
        **words: Any,
    ) -> dict[str, Any]:
        """Follow the mode to all amplitudes, a frame for each; returns the report. An interrupted run is resumed.

        Args:
            found: what vibrates.
            number: of the mode among its motions.
            point: whose amplitude is given, over the modes.
            frame_of: what is written of each motion.
            damping: in addition to the structure's own.
            target: the file.
            progress: reports and cancels.
            more: further entries of the report.
            words: arguments of `ResultsWriter`.

        Raises:
            SolveError: when no motion is found at the first amplitude.
        """
        summary = {
            "mode": self.mode, "stuck_frequency": float(found.frequencies[number]), "amplitude_of": point.name,
            **(more or {}),
        }  # fmt: skip
        with interrupted_run(target) as earlier:
            done = _ModeSoFar() if earlier is None else _ModeSoFar.of(earlier.memory)
            with ResultsWriter(
                target, axis="amplitude", curves=KEYS, flush_every=1, settings=self.model_dump(mode="json"),
                after=None if earlier is None else earlier.frames, keep=len(done.rows), **words,
            ) as writer:  # fmt: skip
                summary |= self._follow(found, number, point, frame_of, damping, done, writer, progress)
                writer.close(summary)
        progress.report(1.0, self.title)
        return summary

    def _follow(
        self,
        found: PeriodicStructure,
        number: int,
        point: AmplitudePoint,
        frame_of: FrameOf,
        damping: Damping,
        done: "_ModeSoFar",
        writer: ResultsWriter,
        progress: Progress,
    ) -> dict[str, Any]:
        """Write a frame for each amplitude that is not done; returns entries of the report."""
        later = found.frequencies[number + 1 :]
        basis = self.first_basis(later[0] / found.frequencies[number] if len(later) else 1.0)
        problem = found.problem(damping, basis)
        amplitudes = self.amplitudes
        growth = self.growth(found, point.row[None], np.zeros(problem.r))
        if done.growth:
            growth.restore(done.growth)
        motions = nonlinear_mode(
            problem, amplitudes[len(done.rows) :].tolist(), point.sign * np.eye(problem.r)[number],
            2.0 * np.pi * float(found.frequencies[number]), found.rest, measure=np.outer(point.row, point.row),
            enough=growth, after=done.motion,
        )  # fmt: skip
        progress.report(0.0, self.point_cost(found.n_pairs).sentence)
        trouble: dict[str, Any] = {}
        try:
            for motion in motions:
                basis = problem.of_motion(motion).basis
                told = found.responses(motion.coefficients, basis, motion.frequency)
                amplitude = float(amplitudes[len(done.rows)])
                values = _numbers(motion, problem.damping)
                values[FRICTION] = float(sum(each.work.sum() for each in told))
                values[SLIPPING] = float(sum(each.slipping for each in told))
                values[OPENING] = float(sum(each.opening for each in told))
                # The state at θ = 0, when the first harmonic is largest.
                frame = found.frame_of(motion.coefficients, basis, motion.frequency, told)
                frame = replace(frame, coefficients=growth.padded(motion.coefficients))
                writer.append(amplitude, frame_of(frame), curves=values)
                done.closure = max([done.closure, *(each.closure for each in told if each.slipping)])
                for name, each in zip(found.names, told, strict=True):
                    if each.slides:
                        done.notable.setdefault("slides_as_a_whole", {}).setdefault(name, amplitude)
                if motion.damping < 0.0:
                    done.notable.setdefault("grows_from", amplitude)
                done.rows.append({"amplitude": amplitude, **{key.quantity: values[key] for key in KEYS}})
                done.motion, done.growth = motion, growth.checkpoint()
                writer.remember(done.words)
                progress.report(
                    len(done.rows) / len(amplitudes), f"{len(done.rows)} of {len(amplitudes)}",
                    points=len(done.rows),
                )  # fmt: skip
        except SolveError as error:
            hint = found.changing_pairs + error.hint
            if not done.rows:
                raise SolveError(error.message, hint) from error
            trouble["trouble"] = [f"The mode ends after {len(done.rows)} amplitudes. {error.message} {hint}"]
        return {
            "backbone": done.rows, "largest_closure": done.closure, **done.notable, **growth.report,
            **found.notes, **trouble,
        }  # fmt: skip


@dataclass(eq=False)
class _ModeSoFar:
    """What is known of the amplitudes so far.

    Attributes:
        rows: of the report's table.
        closure: the largest of any cycle.
        notable: entries of the report.
        growth: of the check of the harmonics, see `HarmonicGrowth.checkpoint`.
        motion: the last one.
    """

    rows: list[dict[str, float]] = field(default_factory=list)
    closure: float = 0.0
    notable: dict[str, Any] = field(default_factory=dict)
    growth: dict[str, float] = field(default_factory=dict)
    motion: PeriodicMotion | None = None

    def words(self) -> dict[str, Any]:
        """Return it as numbers, texts and arrays."""
        found = {name: getattr(self, name) for name in ("rows", "closure", "notable", "growth")}
        if (last := self.motion) is not None:
            found["motion"] = [last.coefficients, last.frequency, last.level, last.damping]
        return found

    @classmethod
    def of(cls, words: Mapping[str, Any]) -> "_ModeSoFar":
        """Return it from such words."""
        return cls(
            [dict(row) for row in words["rows"]], words["closure"], dict(words["notable"]), dict(words["growth"]),
            PeriodicMotion(*words["motion"]),
        )  # fmt: skip


def _numbers(motion: PeriodicMotion, damping: np.ndarray) -> dict[CurveKey, float]:
    """Return frequency, damping ratios and modal amplitude of a motion over mass-normalised modes."""
    first = motion.fundamental
    size = float(np.linalg.norm(first))
    of_structure = float((first.conj() @ damping @ first).real) / (2.0 * motion.frequency * size**2)
    return {
        FREQUENCY: motion.frequency / (2.0 * np.pi), DAMPING: motion.damping, OF_STRUCTURE: of_structure, SIZE: size,
    }  # fmt: skip
