"""Curves of periodic answers to harmonic loads over frequency: common to harmonic balances of bodies and systems."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import field_validator

from faying.analyses.harmonics.harmonic import FrequencyRangeAnalysis
from faying.analyses.harmonics.periodic_analysis import FRICTION, OPENING, SLIPPING, PeriodicAnalysis
from faying.analyses.harmonics.periodic_structure import PeriodicFrame, PeriodicStructure
from faying.errors import ModelError, SolveError
from faying.joints.cycle import CycleResponse
from faying.joints.fourier import turned_by
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.results.curve_key import CurveKey
from faying.results.curves import STABLE
from faying.results.interrupted import interrupted_run
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying.solvers.arc_length import StepLengths
from faying.solvers.dropped_harmonics import HarmonicGrowth
from faying.solvers.harmonic import Damping
from faying.solvers.harmonic_balance import (
    PeriodicMotion,
    PeriodicProblem,
    continued_response,
    damping_work,
    forced_response,
    input_work,
    resonances,
)
from faying.solvers.hill import floquet_exponents

LEVEL = CurveKey("load level")
INPUT = CurveKey("work of the loads per cycle", "energy")
DAMPING = CurveKey("work of damping per cycle", "energy")
RESIDUAL, CORRECTIONS = CurveKey("residual"), CurveKey("corrections")
INSTANT = CurveKey("phase of the loads in the frame", "angle")
NUMBERS = (LEVEL, INPUT, FRICTION, DAMPING, SLIPPING, OPENING, RESIDUAL, CORRECTIONS, STABLE, INSTANT)

_NEXT_LEVEL = 1.05  # ratio of the levels of points of a backbone that are reported
_UNDAMPED = 1e-9  # of the frequency: real parts of exponents that are round-off of zero
# What a curve that continues another one may choose itself; all else decides which curve it is.
_MAY_CHANGE = frozenset({
    "name", "levels", "lowest_frequency", "highest_frequency", "harmonics", "most_harmonics", "samples", "most_points",
    "backbone", "stability", "more_points", "finer",
})  # fmt: skip
_FRICTION_RATIO = 0.02  # damping that friction may add, for the size of the motion


Way = Literal["on", "back"]


def way_parameter() -> Any:
    """Return the parameter that chooses along which way another curve is continued."""
    return parameter(
        "on", title="Way",
        meaning="On: the curve goes on from that point in the order of the other analysis. Back: against it.",
    )  # fmt: skip


class ForcedCurveAnalysis(FrequencyRangeAnalysis, PeriodicAnalysis):
    """An analysis of periodic answers to harmonic loads over frequency."""

    continued_by: ClassVar[tuple[str, str, str]]
    """Names of the parameters that choose another analysis whose curve this one continues, its point, and the way."""

    levels: tuple[float, ...] = parameter(
        (1.0,), title="Levels", meaning="Factors of all loads; each has a curve of its own."
    )
    backbone: bool = parameter(
        False, title="Backbone",
        meaning="Whether to follow the resonance in the range over the load as well, from the smallest level to the "
        "largest: the motion along the loads lags behind them by a quarter of a period.",
    )  # fmt: skip
    stability: Literal["turns", "hill"] = parameter(
        "turns", title="Stability",
        meaning="How the curve is judged. Turns: a curve begins stable, and loses or regains stability where it turns "
        "back or another curve branches off. Hill: by the Floquet exponents of each point, which also find motions "
        "that become unsteady in between; takes the eigenvalues of a matrix per point.",
    )  # fmt: skip
    most_points: int = parameter(
        1000, title="Most points", ge=2, le=100000,
        meaning="Largest number of points of a curve; longer ones end there.",
    )  # fmt: skip
    finer: float = parameter(
        1.0, title="Finer", ge=1.0, le=10000.0,
        meaning="By how much the first and the longest step along a curve are shorter than usual, for more points.",
    )  # fmt: skip

    @field_validator("levels")
    @classmethod
    def _positive(cls, levels: tuple[float, ...]) -> tuple[float, ...]:
        if min(levels, default=0.0) <= 0.0:
            raise ValueError("there is at least one level, and all are above zero")
        return levels

    @property
    def continued(self) -> tuple[str, int]:
        """Name of the analysis whose curve this one continues, "" for none, and the number of the point."""
        name, point, _ = self.continued_by
        return getattr(self, name), getattr(self, point)

    @property
    def goes_on(self) -> bool:
        """Whether a continued curve goes on in the order of the other analysis, not against it."""
        return bool(getattr(self, self.continued_by[2]) == "on")

    def curve_of(
        self,
        found: PeriodicStructure,
        load: np.ndarray,
        outputs: "Outputs",
        frame: "FrameOf",
        damping: Damping,
    ) -> "FollowedCurve":
        """Return the curve to be followed.

        Args:
            found: what vibrates.
            load: (r,) complex amplitude of all loads at level 1, over the modes.
            outputs: whose amplitudes are curves.
            frame: what is written of each point.
            damping: in addition to the structure's own.
        """
        above = found.frequencies[found.frequencies > self.highest_frequency]
        basis = self.first_basis(above[0] / self.highest_frequency if len(above) else 1.0)
        growth = self.growth(found, outputs.rows[outputs.are_displacements], load)
        usual = StepLengths()
        steps = replace(usual, first=usual.first / self.finer, most=usual.most / self.finer)
        problem, by_exponents = found.problem(damping, basis), self.stability == "hill"
        return FollowedCurve(found, problem, load, outputs, frame, growth, by_exponents, steps)

    def follow(
        self,
        curve: "FollowedCurve",
        continued: Results | None,
        target: Path,
        progress: Progress,
        more: dict[str, Any] | None = None,
        **words: Any,
    ) -> dict[str, Any]:
        """Write the points of all curves to a file; returns the report. An interrupted run is resumed.

        Args:
            curve: to be followed.
            continued: results of the analysis that is continued, if there is one.
            target: the file.
            progress: reports and cancels.
            more: further entries of the report.
            words: arguments of `ResultsWriter`.

        Raises:
            ModelError: when the level of the continued curve has one point alone.
            SolveError: when no periodic answer is found where the curve begins.
        """
        with interrupted_run(target) as earlier:
            branches, done, frames = self._branches(curve, continued), _Done(), None
            if earlier is not None:
                done, frames = _Done.of(earlier.memory["done"]), earlier.frames
                curve.restore(earlier.memory["sums"])
                if len(done.points) < len(branches):
                    at = len(done.points)
                    branches[at] = self._resumed(curve, branches[at], frames, done)
            with ResultsWriter(
                target, axis="vibration", curves=curve.keys, settings=self.model_dump(mode="json"), flush_every=1,
                after=frames, keep=sum(done.points) + done.count, **words,
            ) as writer:  # fmt: skip
                report = self._follow(curve, branches, done, writer, progress) | (more or {})
                writer.close(report)
        progress.report(1.0, self.title)
        return report

    def _resumed(
        self, curve: "FollowedCurve", branch: "_Branch", frames: Results, done: "_Done"
    ) -> "_Branch":
        """Return the rest of a curve that was interrupted; itself where it has no two points yet."""
        first = sum(done.points)
        if done.count < 2:  # no direction
            done.count = 0
            return branch
        before, last = (_stored_motion(curve.structure, frames, first + done.count - k) for k in (2, 1))
        low, high = 2.0 * np.pi * self.lowest_frequency, 2.0 * np.pi * self.highest_frequency
        stable = bool(frames.curve(STABLE)[first + done.count - 1])
        rest = curve.continued(last, before, onwards=True, stable=stable, frequencies=(low, high))
        return branch._replace(motions=rest, goes_on=True)

    def problems_of_curves(self) -> Iterator[ModelError]:
        """Yield the errors in range, samples, levels and backbone."""
        yield from self.problems_of_samples()
        if not self.lowest_frequency:
            yield ModelError(
                f"The range of {self.name!r} begins at zero, where nothing vibrates.", "Begin above zero."
            )
        if self.backbone and len(set(self.levels)) < 2:
            yield ModelError(
                f"The backbone of {self.name!r} leads from its smallest level to its largest, and there is one level.",
                "Add a level, or leave out the backbone.",
            )
        name, _ = self.continued
        if self.backbone and name:
            yield ModelError(
                f"The curve of {self.name!r} continues that of {name!r} at one level, and a backbone needs two.",
                "Leave out the backbone, or start from no other analysis.",
            )

    def problems_of_continued(self, start: Results) -> Iterator[ModelError]:
        """Yield the errors that the continued analysis has no such point or is of another motion."""
        name, point = self.continued
        if not -1 <= point < start.n_frames:
            yield ModelError(
                f"There is no point {point} to start from: {name!r} has {start.n_frames} points.",
                f"Choose a number from 0 to {start.n_frames - 1}, or −1 for the last one.",
            )
        mine, may = self.model_dump(mode="json"), {*_MAY_CHANGE, *self.continued_by}
        changed = [key for key in mine if key not in may and mine[key] != start.settings.get(key)]
        if changed:
            titles = ", ".join(f"“{type(self).model_fields[key].title}”" for key in changed)
            yield ModelError(
                f"Analysis {self.name!r} continues the curve of {name!r}, and differs from it in {titles}.",
                "Take the same values; range, steps, harmonics and samples may differ.",
            )

    def _branches(self, curve: "FollowedCurve", continued: Results | None) -> list["_Branch"]:
        """Return the curves that are followed: one of each level, or the continued one.

        Raises:
            ModelError: when the level of the continued curve has one point alone.
        """
        low, high = 2.0 * np.pi * self.lowest_frequency, 2.0 * np.pi * self.highest_frequency
        ways = [(low, high), (high, low)]
        if continued is None:
            each = [(level, ways[number % 2]) for number, level in enumerate(self.levels)]
            return [_Branch(level, way[0], curve.forced(level, way)) for level, way in each]
        levels, at = continued.curve(LEVEL), self.continued[1] % continued.n_frames
        beside = [k for k in (at - 1, at + 1) if 0 <= k < len(levels) and levels[k] == levels[at]]
        if not beside:
            raise ModelError(
                f"Point {at} of {self.continued[0]!r} is the only one of its level, so that the curve has no "
                "direction.",
                "Start from another point.",
            )
        start, other = (_stored_motion(curve.structure, continued, k) for k in (at, beside[0]))
        onwards = (beside[0] < at) == self.goes_on
        stable = bool(continued.curve(STABLE)[at])
        motions = curve.continued(start, other, onwards=onwards, stable=stable, frequencies=(low, high))
        return [_Branch(start.level, start.frequency, motions)]

    def _follow(
        self,
        curve: "FollowedCurve",
        branches: list["_Branch"],
        done: "_Done",
        writer: ResultsWriter,
        progress: Progress,
    ) -> dict[str, Any]:
        """Follow all curves that are not done, and the backbone; returns the report."""
        progress.report(0.0, self.point_cost(curve.structure.n_pairs).sentence)
        low, high = 2.0 * np.pi * self.lowest_frequency, 2.0 * np.pi * self.highest_frequency
        summary: dict[str, Any] = {"stuck_frequencies": curve.structure.frequencies[:20].tolist()}
        natural = curve.structure.frequencies
        if not ((natural > self.lowest_frequency) & (natural < self.highest_frequency)).any():
            distance = np.abs(natural - np.clip(natural, self.lowest_frequency, self.highest_frequency))
            summary["nearest_resonance"] = float(natural[np.argmin(distance)])
        for number, branch in enumerate(branches):
            share = PartialProgress(
                progress, number / len(branches), (number + 1) / len(branches), f"level {branch.level:g}"
            )
            if number >= len(done.points):
                self._follow_branch(curve, branch, done, writer, share)
        summary |= {"points": done.points, "turning_points": done.turns}
        if self.backbone and done.largest is not None:
            summary["backbone"] = curve.backbone(done.largest, max(self.levels), high - low, done.trouble)
        summary |= curve.judged()
        if done.trouble:
            summary["trouble"] = done.trouble
        return summary

    def _follow_branch(
        self,
        curve: "FollowedCurve",
        branch: "_Branch",
        done: "_Done",
        writer: ResultsWriter,
        progress: Progress,
    ) -> None:
        """Write the points of a curve, or of what is left of it."""
        level, last = branch.level, None
        span = 2.0 * np.pi * (self.highest_frequency - self.lowest_frequency)
        try:
            for motion in branch.motions:
                if branch.goes_on and last is None:  # it is written already
                    curve.begin_at(motion)
                    last = motion
                    continue
                curve.append(writer, motion)
                done.see(motion, last, curve.power(motion) if level == min(self.levels) else 0.0)
                last = motion
                writer.remember(lambda: {"done": done.words(), "sums": curve.sums()})
                share = min(abs(motion.frequency - branch.begin) / span, 1.0)
                progress.report(share, f"{motion.frequency / (2.0 * np.pi):.5g}", points=done.count)
                if done.count >= self.most_points:
                    done.trouble.append(
                        f"The curve of level {level:g} ends after {self.most_points} points, at "
                        f"{motion.frequency / (2.0 * np.pi):.5g}."
                    )
                    break
        except SolveError as error:
            at = (branch.begin if last is None else last.frequency) / (2.0 * np.pi)
            pairs = curve.structure.changing_pairs
            if not done.count and not done.points:
                raise SolveError(
                    f"At the frequency {at:.5g}, where the curve begins, no periodic answer was found at the level "
                    f"{level:g}.",
                    f"{pairs}Begin further away from a resonance, or take more samples.",
                ) from error
            done.trouble.append(
                f"Level {level:g} ends at the frequency {at:.5g}: {error.message} {pairs}{error.hint}"
            )
        done.points.append(done.count)
        done.count = 0


class _Branch(NamedTuple):
    """A curve that is followed: level, angular frequency at which it begins, its motions.

    With `goes_on` the first of the motions is written already.
    """

    level: float
    begin: float
    motions: Iterator[PeriodicMotion]
    goes_on: bool = False


@dataclass(eq=False)
class _Done:
    """What is known of the curves so far.

    Attributes:
        points: number of points of each finished curve.
        count: of points of the curve that is followed.
        turns: level and frequency of turning points.
        trouble: sentences.
        largest: the motion with the most power of the smallest level, in words, and that power.
    """

    points: list[int] = field(default_factory=list)
    count: int = 0
    turns: list[dict[str, float]] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    largest: PeriodicMotion | None = None
    power: float = 0.0

    def see(self, motion: PeriodicMotion, last: PeriodicMotion | None, power: float) -> None:
        """Count a motion after the last one of its curve; the power counts where it is not zero."""
        self.count += 1
        if last is not None and last.turning * motion.turning < 0.0:
            self.turns.append({"level": motion.level, "frequency": motion.frequency / (2.0 * np.pi)})
        if power > self.power:
            self.largest, self.power = motion, power

    def words(self) -> dict[str, Any]:
        """Return it as numbers, texts and arrays."""
        found = {name: getattr(self, name) for name in ("points", "count", "turns", "trouble", "power")}
        if (most := self.largest) is not None:
            found["largest"] = [most.coefficients, most.frequency, most.level]
        return found

    @classmethod
    def of(cls, words: Mapping[str, Any]) -> "_Done":
        """Return it from such words."""
        lists = {name: list(words[name]) for name in ("points", "turns", "trouble")}
        largest = PeriodicMotion(*words["largest"]) if "largest" in words else None
        return cls(count=words["count"], power=words["power"], largest=largest, **lists)


def _stored_motion(structure: PeriodicStructure, results: Results, frame: int) -> PeriodicMotion:
    """Return a stored point of a curve over the modes of a structure, without the harmonics that it does not have."""
    turned = structure.amplitudes(results.named("coefficients", frame))
    coefficients = turned_by(-float(results.curve(INSTANT)[frame]), turned)
    moving = np.flatnonzero(np.abs(coefficients).max(axis=1))
    size = 2 * max(1, (int(moving.max(initial=0)) + 1) // 2) + 1
    omega = 2.0 * np.pi * float(results.values[frame])
    return PeriodicMotion(coefficients[:size], omega, float(results.curve(LEVEL)[frame]))


@dataclass(frozen=True, eq=False)
class Outputs:
    """Displacements and rotations whose amplitudes are curves.

    Attributes:
        keys: of each.
        rows: (m, r) over the modes.
        are_displacements: (m,) which are no rotations; by these the harmonics are judged.
    """

    keys: tuple[CurveKey, ...]
    rows: np.ndarray
    are_displacements: np.ndarray


FrameOf = Callable[[PeriodicFrame], dict[str, np.ndarray]]
"""What is written of a periodic motion, by path."""


@dataclass(eq=False)
class FollowedCurve:
    """Points of the curves, and what is recorded of them.

    Attributes:
        structure, problem: that vibrates.
        load: (r,) complex amplitude at level 1, over the modes.
        outputs: whose amplitudes are recorded.
        frame: what is written of each motion.
        growth: the check of the harmonics.
        by_exponents: whether stability is judged by Floquet exponents, not by turning points.
        steps: arc lengths.
    """

    structure: PeriodicStructure
    problem: PeriodicProblem
    load: np.ndarray
    outputs: Outputs
    frame: FrameOf
    growth: HarmonicGrowth
    by_exponents: bool
    steps: StepLengths

    def __post_init__(self) -> None:
        """Begin the list of what is worst."""
        self._worst = {"largest_imbalance": 0.0, "largest_closure": 0.0}
        self._slipped, self._unstable, self._stable_sign, self._begins_stable = 0, 0, 0.0, True
        self._lost: dict[str, float] = {}

    @property
    def keys(self) -> list[CurveKey]:
        """Keys of all curves."""
        return [*self.outputs.keys, *(key.phase for key in self.outputs.keys), *NUMBERS]

    def forced(self, level: float, frequencies: tuple[float, float]) -> Iterator[PeriodicMotion]:
        """Yield the motions of a level from one angular frequency to another."""
        begin = frequencies[0]
        self._stable_sign, self._begins_stable = 0.0, True
        start = np.zeros((self.problem.basis.size, self.problem.r))
        start[0] = self.structure.rest
        linear = self._linear(begin, level, 0.0)
        start[1], start[2] = linear.real, -linear.imag
        yield from forced_response(
            self.problem, self.load, level, frequencies, start, size=self._size(level, frequencies),
            steps=self.steps, enough=self.growth,
        )  # fmt: skip

    def continued(
        self,
        start: PeriodicMotion,
        other: PeriodicMotion,
        *,
        onwards: bool,
        stable: bool,
        frequencies: tuple[float, float],
    ) -> Iterator[PeriodicMotion]:
        """Yield the motions from a point of a curve on, within a range of angular frequencies.

        Args:
            start: the point, whose stability is given by `stable`.
            other: the point next to it.
            onwards: whether the curve goes from the other point to the first one and on; else from the other one back.
            frequencies: the range.
        """
        self._stable_sign, self._begins_stable = 0.0, stable
        most = max(self.problem.basis.harmonics, start.harmonics, other.harmonics)
        problem = self.problem.with_harmonics(min(most, self.growth.most))
        if not onwards:  # the image of the other point on the far side of the start
            here, there = (problem.basis.padded(each.coefficients) for each in (start, other))
            image = 2.0 * start.frequency - other.frequency
            other = replace(other, coefficients=2.0 * here - there, frequency=image)
        size = max(self._size(start.level, frequencies), float(np.abs(start.coefficients[1:]).max()))
        yield from continued_response(
            problem, self.load, start, other, frequencies, size=size, steps=self.steps, enough=self.growth
        )

    def _size(self, level: float, frequencies: tuple[float, float]) -> float:
        """Return the largest amplitude of a mode in a range, with some damping by friction."""
        natural = 2.0 * np.pi * self.structure.frequencies
        inside = natural[(natural > min(frequencies)) & (natural < max(frequencies))]
        peaks = [self._linear(omega, level, _FRICTION_RATIO) for omega in (*frequencies, *inside)]
        return float(np.abs(peaks).max())

    def _linear(self, omega: float, level: float, more: float) -> np.ndarray:
        """Return (r,) complex amplitudes of the modes with stuck joints; with a damping ratio in addition."""
        natural = 2.0 * np.pi * self.structure.frequencies
        stuck = replace(self.problem, stiffness=self.structure.stuck)
        dynamic = stuck.in_harmonic(1, omega, np.diag(2.0 * more * natural))
        return np.asarray(np.linalg.solve(dynamic, level * self.load))

    def power(self, motion: PeriodicMotion) -> float:
        """Return the work of the loads per cycle times the frequency, over the level squared."""
        work = input_work(self.problem, motion, self.load)
        return work * motion.frequency / motion.level**2

    def append(self, writer: ResultsWriter, motion: PeriodicMotion) -> None:
        """Write a point of a curve."""
        told = self._responses(motion)
        amplitudes = self.outputs.rows @ motion.fundamental
        values = [*np.abs(amplitudes), *np.angle(amplitudes), *self._numbers(motion, told)]
        instant = _largest_at(self.structure.coordinates(motion.fundamental))
        values.append(instant)
        turned = turned_by(instant, motion.coefficients)
        basis = self.problem.of_motion(motion).basis
        frame = self.structure.frame_of(turned, basis, motion.frequency, told)
        frame = replace(frame, coefficients=self.growth.padded(turned))
        curves = dict(zip(self.keys, values, strict=True))
        writer.append(motion.frequency / (2.0 * np.pi), self.frame(frame), curves=curves)

    def _responses(self, motion: PeriodicMotion) -> list[CycleResponse]:
        """Return each joint over a period."""
        return self.structure.responses(
            motion.coefficients, self.problem.of_motion(motion).basis, motion.frequency
        )

    def _numbers(self, motion: PeriodicMotion, told: list[CycleResponse]) -> list[float]:
        """Return the values of `NUMBERS` but the last, and note what is worst."""
        given = input_work(self.problem, motion, self.load)
        damped = damping_work(self.problem, motion)
        rubbed = float(sum(each.work.sum() for each in told))
        slipping, opening = sum(each.slipping for each in told), sum(each.opening for each in told)
        worst = self._worst
        size = max(abs(given), abs(damped) + abs(rubbed), float(np.finfo(float).tiny))
        worst["largest_imbalance"] = max(worst["largest_imbalance"], abs(given - damped - rubbed) / size)
        worst["largest_closure"] = max(
            [worst["largest_closure"], *(each.closure for each in told if each.slipping)]
        )
        self._slipped = max(self._slipped, slipping)
        if opening and (lost := self.structure.losing_pressure(told)):
            if not self._lost:
                at = motion.frequency / (2.0 * np.pi)
                self._lost = {"pairs": 0, "level": motion.level, "frequency": at}
            self._lost["pairs"] = max(self._lost["pairs"], lost)
        return [
            motion.level, given, rubbed, damped, float(slipping), float(opening), motion.residual,
            float(motion.corrections), float(self._is_stable(motion)),
        ]  # fmt: skip

    def begin_at(self, motion: PeriodicMotion) -> None:
        """Take a motion that is written already for the first one of a curve."""
        unstable = self._unstable
        self._is_stable(motion)
        self._unstable = unstable

    def sums(self) -> dict[str, Any]:
        """Return what is counted over all points, as numbers."""
        return {
            "worst": self._worst, "slipped": self._slipped, "unstable": self._unstable,
            "lost": self._lost, "growth": self.growth.checkpoint(),
        }  # fmt: skip

    def restore(self, sums: Mapping[str, Any]) -> None:
        """Restore it."""
        self._worst, self._slipped, self._unstable = dict(sums["worst"]), sums["slipped"], sums["unstable"]
        self._lost = dict(sums.get("lost", {}))
        self.growth.restore(sums["growth"])

    def _is_stable(self, motion: PeriodicMotion) -> bool:
        """Return whether a point of a curve is stable, and count it if not."""
        if self.by_exponents:
            largest = float(floquet_exponents(self.problem, motion)[0].real)
            stable = largest <= _UNDAMPED * motion.frequency
        else:
            first = motion.turning if self._begins_stable else -motion.turning
            self._stable_sign = self._stable_sign or first
            stable = motion.turning == self._stable_sign
        self._unstable += not stable
        return stable

    def backbone(
        self, largest: PeriodicMotion, level: float, frequency_range: float, trouble: list[str]
    ) -> list[dict[str, float]]:
        """Return frequency, level, amplitudes and works of motions in phase resonance, from a peak on."""
        found: list[dict[str, float]] = []
        size = float(np.abs(largest.coefficients[1:]).max())
        try:
            for motion in resonances(
                self.problem.of_motion(largest), self.load, (largest.level, level), largest, size=size,
                frequency_range=frequency_range, steps=StepLengths(most=0.5), enough=self.growth,
            ):  # fmt: skip
                if found and motion.level < _NEXT_LEVEL * found[-1]["level"]:
                    continue
                told = self._responses(motion)
                amplitudes = np.abs(self.outputs.rows @ motion.fundamental)
                found.append(
                    {
                        "frequency": motion.frequency / (2.0 * np.pi), "level": motion.level,
                        "largest_amplitude": float(amplitudes.max()),
                        "work_per_cycle": input_work(self.problem, motion, self.load),
                        "slipping_pairs": float(sum(each.slipping for each in told)),
                    }
                )  # fmt: skip
        except SolveError as error:
            trouble.append(
                f"The backbone ends after {len(found)} points: {error.message} {self.structure.changing_pairs}"
                f"{error.hint}"
            )
        return found

    def judged(self) -> dict[str, Any]:
        """Return what is worst, for the report."""
        return {
            **self._worst,
            **self.growth.report,
            "most_slipping_pairs": self._slipped,
            "unstable_points": self._unstable,
            "closed_pairs": self.structure.sticking,
            **self.structure.notes,
            **({"lost_pressure": self._lost} if self._lost else {}),
        }


def _largest_at(amplitudes: np.ndarray) -> float:
    """Return a phase θ, from −π/2 to π/2, at which Re(q e^{iθ}) of complex amplitudes (n,) has its largest norm."""
    return float(-0.5 * np.angle(np.sum(amplitudes**2)))
