"""Periodic answers of a body with contact and friction to harmonic loads: curves over frequency that may turn back."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import field_validator

from faying.analyses import BodyModel, analyses
from faying.analyses.frequency_response import operating_shape
from faying.analyses.harmonics.harmonic import FrequencyRangeAnalysis
from faying.analyses.harmonics.loaded_body import LoadedBodyAnalysis
from faying.analyses.harmonics.periodic_analysis import FRICTION, OPENING, SLIPPING, WORK, PeriodicAnalysis
from faying.analyses.harmonics.periodic_body import PeriodicBody, periodic_body
from faying.analyses.harmonics.response_points import PointRows, load_columns, reduced_points
from faying.errors import ModelError, SolveError
from faying.joints.cycle import CycleResponse
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.results.curve_key import CurveKey
from faying.results.names import path_of
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying.solvers.arc_length import StepLengths
from faying.solvers.dropped_harmonics import HarmonicGrowth
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
STABLE = CurveKey("stable")
NUMBERS = (LEVEL, INPUT, FRICTION, DAMPING, SLIPPING, OPENING, RESIDUAL, CORRECTIONS, STABLE)

_NEXT_LEVEL = 1.05  # ratio of the levels of points of a backbone that are reported
_UNDAMPED = 1e-9  # of the frequency: real parts of exponents that are round-off of zero
# What a curve that continues another one may choose itself; all else decides which curve it is.
_MAY_CHANGE = frozenset({
    "name", "levels", "lowest_frequency", "highest_frequency", "harmonics", "most_harmonics", "samples", "most_points",
    "backbone", "stability", "more_points", "finer", "start_from", "start_frame", "way",
})  # fmt: skip
_FRICTION_RATIO = 0.02  # damping that friction may add, for the size of the motion


@analyses.register("harmonic_balance")
class HarmonicBalance(FrequencyRangeAnalysis, LoadedBodyAnalysis, PeriodicAnalysis):
    """Periodic answers of a body to harmonic loads, with contact and friction in its joints, by harmonic balance.

    The motion is a sum of harmonics, contact and friction follow their laws over each period, and all harmonics are in
    balance. The curve is followed by its arc length, so that it passes turning points, where the answer jumps when the
    frequency is swept. Frames are shapes of the first harmonic at the instant of a period when they are largest. The
    motion of a free body as a whole is left out.

    Levels follow one another, each back over the range of the one before. With `start_from` one curve continues at a
    point of another analysis: past the end of its range, the other way, or in finer steps.
    """

    title: ClassVar[str] = "Harmonic balance"
    follows: ClassVar[tuple[str, ...]] = (*LoadedBodyAnalysis.follows, "harmonic_balance")

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
    start_from: str = parameter(
        "", title="Start from", choices="analysis",
        meaning="Another harmonic balance of the same body under the same loads, one of whose points this curve begins "
        "at, with the load level of that point. Empty for curves that begin at an end of the range.",
    )  # fmt: skip
    start_frame: int = parameter(
        -1, title="Point of it", ge=-1, meaning="Number of that point, from 0; −1 for the last one."
    )
    way: Literal["on", "back"] = parameter(
        "on", title="Way",
        meaning="On: the curve goes on from that point in the order of the other analysis. Back: against it.",
    )  # fmt: skip

    @field_validator("levels")
    @classmethod
    def _positive(cls, levels: tuple[float, ...]) -> tuple[float, ...]:
        if min(levels, default=0.0) <= 0.0:
            raise ValueError("there is at least one level, and all are above zero")
        return levels

    def predecessors(self) -> tuple[str, ...]:
        """Return the static analysis about which the body vibrates, and the continued one, if there are any."""
        return (*super().predecessors(), *((self.start_from,) if self.start_from else ()))

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Follow the curve of each level, or the continued one; each point is a frame."""
        for problem in self.problems(body):
            raise problem
        continued: Results | None = None
        if self.start_from:
            *before, continued = body.starts
            body = replace(body, starts=tuple(before))
        part = PartialProgress(progress, 0.0, 0.05, "equilibrium")
        found = periodic_body(body, self.support, self.preloads, self.equilibrium_frame, part)
        places = reduced_points(self.more_points, body, found.held)
        load = found.shapes.T @ self._load(found, places)
        shown = tuple(self.moving_places(places))
        above = found.frequencies[found.frequencies > self.highest_frequency]
        basis = self.first_basis(above[0] / self.highest_frequency if len(above) else 1.0)
        seen = np.vstack([*(place.rows[:3] @ found.shapes for place in shown), np.zeros((0, len(load)))])
        growth = self.growth(found, seen, load)
        equations, by_exponents = found.problem(self.damping, basis), self.stability == "hill"
        usual = StepLengths()
        steps = replace(usual, first=usual.first / self.finer, most=usual.most / self.finer)
        curve = _FollowedCurve(found, equations, load, shown, growth, by_exponents, steps)
        r, size = found.held.n_coordinates, 2 * self.highest_harmonic + 1
        joints: dict[str, dict[str, tuple[int, ...]]]
        joints = {name: {WORK: (len(h),)} for name, h in zip(found.names, found.histories, strict=True)}
        settings = self.model_dump(mode="json")
        with ResultsWriter(
            target, axis="vibration", body=body.name, frame=self.support, curves=curve.keys, settings=settings,
            sizes={"coordinates": r, "quadrature": r, "coefficients": (size, r)}, joints=joints, flush_every=1,
        ) as writer:  # fmt: skip
            branches = self._branches(curve, continued)
            summary = self._follow(curve, branches, writer, PartialProgress(progress, 0.05, 1.0))
            writer.close(summary)
        progress.report(1.0, self.title)
        return summary

    def problems(self, body: BodyModel) -> Iterator[ModelError]:
        """Yield the errors in support, loads, range and samples that prevent a run."""
        yield from self.problems_of_state(body.interface_nodes)
        yield from self.problems_of_loads(body.interface_nodes, [joint.name for joint in body.joints])
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
        if self.backbone and self.start_from:
            yield ModelError(
                f"The curve of {self.name!r} continues that of {self.start_from!r} at one level, and a backbone needs "
                "two.",
                "Leave out the backbone, or start from no other analysis.",
            )
        kinds = ("static",) * bool(self.equilibrium) + (self.kind,) * bool(self.start_from)
        for start, name, kind in zip(body.starts, self.predecessors(), kinds, strict=False):
            if start.settings["kind"] != kind:
                yield ModelError(
                    f"Analysis {self.name!r} takes {name!r} for a {analyses[kind].title.lower()}, which it is not.",
                    "Vibrate about a static analysis, and start from a harmonic balance.",
                )
            elif kind == self.kind:
                yield from self._problems_of_start(start)

    def _problems_of_start(self, start: Results) -> Iterator[ModelError]:
        """Yield the errors that the continued analysis has no such point or is of another motion."""
        if not -1 <= self.start_frame < start.n_frames:
            yield ModelError(
                f"There is no point {self.start_frame} to start from: {self.start_from!r} has {start.n_frames} points.",
                f"Choose a number from 0 to {start.n_frames - 1}, or −1 for the last one.",
            )
        mine = self.model_dump(mode="json")
        changed = [key for key in mine if key not in _MAY_CHANGE and mine[key] != start.settings.get(key)]
        if changed:
            titles = ", ".join(f"“{type(self).model_fields[key].title}”" for key in changed)
            yield ModelError(
                f"Analysis {self.name!r} continues the curve of {self.start_from!r}, and differs from it in {titles}.",
                "Take the same values; range, steps, harmonics and samples may differ.",
            )

    def _load(self, found: PeriodicBody, places: tuple[PointRows, ...]) -> np.ndarray:
        """Return (r,) complex amplitude of all loads at level 1, over the coordinates of the body."""
        acting = self.acting_body_loads
        columns = load_columns(self.moving_loads, places)
        of_body = found.held.load_columns([each.load for each in acting])
        together = columns.sum(axis=1) if columns.size else np.zeros(found.held.n_coordinates, complex)
        return np.asarray(together + of_body @ np.array([each.amplitude for each in acting], complex))

    def _branches(self, curve: "_FollowedCurve", continued: Results | None) -> list["_Branch"]:
        """Return the curves that are followed: one of each level, or the continued one.

        Raises:
            ModelError: when the level of the continued curve has one point alone.
        """
        low, high = 2.0 * np.pi * self.lowest_frequency, 2.0 * np.pi * self.highest_frequency
        ways = [(low, high), (high, low)]
        if continued is None:
            each = [(level, ways[number % 2]) for number, level in enumerate(self.levels)]
            return [_Branch(level, way[0], curve.forced(level, way)) for level, way in each]
        levels, at = continued.curve(LEVEL), self.start_frame % continued.n_frames
        beside = [k for k in (at - 1, at + 1) if 0 <= k < len(levels) and levels[k] == levels[at]]
        if not beside:
            raise ModelError(
                f"Point {at} of {self.start_from!r} is the only one of its level, so that the curve has no direction.",
                "Start from another point.",
            )
        start, other = (_stored_motion(curve.body, continued, k) for k in (at, beside[0]))
        onwards = (beside[0] < at) == (self.way == "on")
        stable = bool(continued.curve(STABLE)[at])
        motions = curve.continued(start, other, onwards=onwards, stable=stable, frequencies=(low, high))
        return [_Branch(start.level, start.frequency, motions)]

    def _follow(
        self, curve: "_FollowedCurve", branches: list["_Branch"], writer: ResultsWriter, progress: Progress
    ) -> dict[str, Any]:
        """Follow all curves, and the backbone; returns the report."""
        low, high = 2.0 * np.pi * self.lowest_frequency, 2.0 * np.pi * self.highest_frequency
        summary: dict[str, Any] = {"stuck_frequencies": curve.body.frequencies[:20].tolist()}
        natural = curve.body.frequencies
        if not ((natural > self.lowest_frequency) & (natural < self.highest_frequency)).any():
            distance = np.abs(natural - np.clip(natural, self.lowest_frequency, self.highest_frequency))
            summary["nearest_resonance"] = float(natural[np.argmin(distance)])
        trouble: list[str] = []
        turns: list[dict[str, float]] = []
        largest: PeriodicMotion | None = None
        points: list[int] = []
        for number, branch in enumerate(branches):
            level, begin = branch.level, branch.begin
            share = PartialProgress(
                progress, number / len(branches), (number + 1) / len(branches), f"level {level:g}"
            )
            motions: list[PeriodicMotion] = []
            try:
                for motion in branch.motions:
                    curve.append(writer, motion)
                    motions.append(motion)
                    done = min(abs(motion.frequency - begin) / (high - low), 1.0)
                    share.report(done, f"{motion.frequency / (2.0 * np.pi):.5g}", points=len(motions))
                    if len(motions) >= self.most_points:
                        trouble.append(
                            f"The curve of level {level:g} ends after {self.most_points} points, at "
                            f"{motion.frequency / (2.0 * np.pi):.5g}."
                        )
                        break
            except SolveError as error:
                at = (motions[-1].frequency if motions else begin) / (2.0 * np.pi)
                if not motions and not number:
                    raise SolveError(
                        f"At the frequency {at:.5g}, where the curve begins, no periodic answer was found at the level "
                        f"{level:g}.",
                        f"{curve.body.changing_pairs}Begin further away from a resonance, or take more samples.",
                    ) from error
                trouble.append(
                    f"Level {level:g} ends at the frequency {at:.5g}: {error.message} {curve.body.changing_pairs}"
                    f"{error.hint}"
                )
            points.append(len(motions))
            turns += [
                {"level": level, "frequency": b.frequency / (2.0 * np.pi)}
                for a, b in pairwise(motions)
                if a.turning * b.turning < 0.0
            ]
            if level == min(self.levels) and motions:
                largest = max(motions, key=curve.power)
        summary |= {"points": points, "turning_points": turns}
        if self.backbone and largest is not None:
            summary["backbone"] = curve.backbone(largest, max(self.levels), high - low, trouble)
        summary |= curve.judged()
        if trouble:
            summary["trouble"] = trouble
        return summary


class _Branch(NamedTuple):
    """A curve that is followed: level, angular frequency at which it begins, its motions."""

    level: float
    begin: float
    motions: Iterator[PeriodicMotion]


def _stored_motion(body: PeriodicBody, results: Results, frame: int) -> PeriodicMotion:
    """Return a stored point of a curve over the modes of the body, without the harmonics that it does not have."""
    coefficients = np.linalg.solve(body.shapes, results.named("coefficients", frame).T).T
    moving = np.flatnonzero(np.abs(coefficients).max(axis=1))
    size = 2 * max(1, (int(moving.max(initial=0)) + 1) // 2) + 1
    omega = 2.0 * np.pi * float(results.values[frame])
    return PeriodicMotion(coefficients[:size], omega, float(results.curve(LEVEL)[frame]))


@dataclass(eq=False)
class _FollowedCurve:
    """Points of the curves, and what is recorded of them.

    Attributes:
        body, problem: that vibrates.
        load: (r,) complex amplitude at level 1, over the modes.
        places: whose motion is recorded.
        growth: the check of the harmonics.
        by_exponents: whether stability is judged by Floquet exponents, not by turning points.
        steps: arc lengths.
    """

    body: PeriodicBody
    problem: PeriodicProblem
    load: np.ndarray
    places: tuple[PointRows, ...]
    growth: HarmonicGrowth
    by_exponents: bool
    steps: StepLengths

    def __post_init__(self) -> None:
        """Begin the list of what is worst."""
        self._worst = {"largest_imbalance": 0.0, "largest_closure": 0.0}
        self._slipped, self._unstable, self._stable_sign, self._begins_stable = 0, 0, 0.0, True
        self._rows = np.vstack([place.rows @ self.body.shapes for place in self.places])
        self._outputs = [key for place in self.places for key in place.keys("displacement")]

    @property
    def keys(self) -> list[CurveKey]:
        """Keys of all curves."""
        return [*self._outputs, *(key.phase for key in self._outputs), *NUMBERS]

    def forced(self, level: float, frequencies: tuple[float, float]) -> Iterator[PeriodicMotion]:
        """Yield the motions of a level from one angular frequency to another."""
        begin = frequencies[0]
        self._stable_sign, self._begins_stable = 0.0, True
        start = np.zeros((self.problem.basis.size, self.problem.r))
        start[0] = self.body.rest
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
        natural = 2.0 * np.pi * self.body.frequencies
        inside = natural[(natural > min(frequencies)) & (natural < max(frequencies))]
        peaks = [self._linear(omega, level, _FRICTION_RATIO) for omega in (*frequencies, *inside)]
        return float(np.abs(peaks).max())

    def _linear(self, omega: float, level: float, more: float) -> np.ndarray:
        """Return (r,) complex amplitudes of the modes with stuck joints; with a damping ratio in addition."""
        natural = 2.0 * np.pi * self.body.frequencies
        stuck = replace(self.problem, stiffness=np.diag(natural**2))
        dynamic = stuck.in_harmonic(1, omega, np.diag(2.0 * more * natural))
        return np.asarray(np.linalg.solve(dynamic, level * self.load))

    def power(self, motion: PeriodicMotion) -> float:
        """Return the work of the loads per cycle times the frequency, over the level squared."""
        work = input_work(self.problem, motion, self.load)
        return work * motion.frequency / motion.level**2

    def append(self, writer: ResultsWriter, motion: PeriodicMotion) -> None:
        """Write a point of a curve."""
        told = self._responses(motion)
        amplitudes = self._rows @ motion.fundamental
        values = [*np.abs(amplitudes), *np.angle(amplitudes), *self._numbers(motion, told)]
        now, later = operating_shape(self.body.coordinates(motion.fundamental))
        works = {
            path_of("joints", name, WORK): each.work / rows.weights
            for name, each, rows in zip(
                self.body.names, told, (joint.rows for joint in self.body.joints), strict=True
            )
        }
        writer.append(
            motion.frequency / (2.0 * np.pi), works, curves=dict(zip(self.keys, values, strict=True)),
            coordinates=now, quadrature=later,
            coefficients=self.body.coordinates(self.growth.padded(motion.coefficients)),
        )  # fmt: skip

    def _responses(self, motion: PeriodicMotion) -> list[CycleResponse]:
        """Return each joint over a period."""
        return self.body.responses(
            motion.coefficients, self.problem.of_motion(motion).basis, motion.frequency
        )

    def _numbers(self, motion: PeriodicMotion, told: list[CycleResponse]) -> list[float]:
        """Return the values of `NUMBERS`, and note what is worst."""
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
        return [
            motion.level, given, rubbed, damped, float(slipping), float(opening), motion.residual,
            float(motion.corrections), float(self._is_stable(motion)),
        ]  # fmt: skip

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
                amplitudes = np.abs(self._rows @ motion.fundamental)
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
                f"The backbone ends after {len(found)} points: {error.message} {self.body.changing_pairs}{error.hint}"
            )
        return found

    def judged(self) -> dict[str, Any]:
        """Return what is worst, for the report."""
        return {
            **self._worst,
            **self.growth.report,
            "most_slipping_pairs": self._slipped,
            "unstable_points": self._unstable,
            "closed_pairs": self.body.sticking,
        }
