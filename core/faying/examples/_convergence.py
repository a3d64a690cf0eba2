"""What the thesis says about the convergence of joint modes on the friction bar, put to the test (section 4.1.1).

The thesis speaks of figures; the limits of what counts as "alike" or "slower" are ours and stand in each row.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from faying.analyses.convergence_study import COLUMNS
from faying.examples.tables import Table

DERIVATIVES = ("weighted_pod", "pod", "pod_of_forces")
_TITLES = {"weighted_pod": "weighted POD", "pod": "POD of TVDs", "pod_of_forces": "POD of forces"}


@dataclass(frozen=True)
class Course:
    """Errors of one method under one load over the number of joint modes, as shares.

    Attributes:
        counts: (k,) numbers of modes, ascending.
        motion: (k,) errors of the motion of the loaded node along its load.
        gaps: (k,) errors of ‖g_N‖₂.
    """

    counts: np.ndarray
    motion: np.ndarray
    gaps: np.ndarray

    def at(self, count: int) -> float:
        """Return the average of both errors with so many modes."""
        k = int(np.flatnonzero(self.counts == count)[0])
        return float(0.5 * (self.motion[k] + self.gaps[k]))

    def motion_at(self, count: int) -> float:
        """Return the error of the motion with so many modes."""
        return float(self.motion[np.flatnonzero(self.counts == count)[0]])

    def mean(self) -> float:
        """Return the average of both errors over all numbers of modes but zero."""
        some = self.counts > 0
        return float(0.5 * (self.motion[some] + self.gaps[some]).mean())


Courses = dict[tuple[str, str], Course]


def courses_of(
    table: np.ndarray, methods: tuple[str, ...], references: Mapping[str, tuple[float, float]]
) -> Courses:
    """Return the course of each (method, load).

    Args:
        table: of a convergence study whose first loads are those of the references.
        methods: kinds of its methods, in order.
        references: motion and ‖g_N‖₂ of the unreduced model by name of the load.
    """
    at = {name: i for i, name in enumerate(COLUMNS)}
    found: Courses = {}
    for m, method in enumerate(methods):
        for i, (load, (motion, gaps)) in enumerate(references.items()):
            rows = table[(table[:, at["method"]] == m) & (table[:, at["load"]] == i)]
            found[method, load] = Course(
                rows[:, at["joint modes"]].astype(int),
                np.abs(rows[:, at["motion"]] / motion - 1.0),
                np.abs(rows[:, at["gap norm"]] / gaps - 1.0),
            )
    return found


def error_table(courses: Courses) -> Table:
    """Return all errors in percent: a row for each method, load and criterion, a column for each number of modes."""
    counts = next(iter(courses.values())).counts
    rows: list[tuple[str | int | float, ...]] = [
        (method, load, name, *(round(100.0 * float(error), 3) for error in errors))
        for (method, load), course in courses.items()
        for name, errors in (("motion", course.motion), ("gap norm", course.gaps))
    ]
    return Table(("method", "load", "error in % of", *(f"g = {g}" for g in counts)), tuple(rows))


def statement_table(courses: Courses, ratios: Mapping[str, np.ndarray]) -> Table:
    """Return each statement of section 4.1.1, what was found here, and whether that agrees.

    Args:
        courses: of the loads "force" and "moment", for all methods.
        ratios: (n,) w(1), w(2), … of each method.
    """
    rows = [(said, found, "yes" if holds else "NO") for said, found, holds in _statements(courses, ratios)]
    return Table(("statement of the thesis", "on this bar", "reproduces"), tuple(rows))


def _statements(courses: Courses, ratios: Mapping[str, np.ndarray]) -> Iterator[tuple[str, str, bool]]:
    bending = {method: courses[method, "force"] for method in (*DERIVATIVES, "vibration_modes")}
    torsion = {method: courses[method, "moment"] for method in (*DERIVATIVES, "vibration_modes")}
    most = int(bending["pod"].counts[-1])

    worst = max(max(bending[m].motion[-1], bending[m].gaps[-1]) for m in DERIVATIVES)
    yield (
        "all joint-mode methods reach one solution, within 1 %",
        f"with g = {most} they are {percent(worst)} from the unreduced one or nearer",
        worst < 0.01,
    )
    vibration = max(bending["vibration_modes"].motion[-1], bending["vibration_modes"].gaps[-1])
    yield (
        "as many additional vibration modes do not reach it",
        f"with g = {most} they are {percent(vibration)} off",
        vibration > 0.01,
    )
    order = sorted(DERIVATIVES, key=lambda m: bending[m].mean())
    yield (
        "bending: POD of TVDs converges fastest, then weighted POD, then POD of forces",
        ", ".join(f"{_TITLES[m]} {percent(bending[m].mean())}" for m in order) + " on average",
        order == ["pod", "weighted_pod", "pod_of_forces"],
    )
    twist = {m: float(torsion[m].motion[1:].mean()) for m in torsion}
    alike = [twist[m] for m in DERIVATIVES]
    yield (
        "torsion: the twist converges alike with all three (here: within a factor of two)",
        ", ".join(f"{_TITLES[m]} {percent(twist[m])}" for m in DERIVATIVES) + " on average",
        max(alike) < 2.0 * min(alike),
    )
    yield (
        "torsion: additional vibration modes converge much slower (here: twice the error of the worst)",
        f"{percent(twist['vibration_modes'])} on average",
        twist["vibration_modes"] > 2.0 * max(alike),
    )
    steps = {m: int((np.diff(torsion[m].gaps[1:]) > 0.0).sum()) for m in DERIVATIVES}
    yield (
        "torsion: ‖g_N‖ converges smoothly but for POD of TVDs",
        ", ".join(f"{_TITLES[m]} grows {steps[m]} times" for m in DERIVATIVES),
        steps["pod"] > max(steps["weighted_pod"], steps["pod_of_forces"]),
    )
    both = bending["weighted_pod"].mean(), torsion["weighted_pod"].mean()
    yield (
        "torsion converges slightly slower than bending",
        f"weighted POD: {percent(both[1])} against {percent(both[0])} on average",
        both[1] > both[0],
    )
    yield (
        "w(10) is about 98 % for weighted POD",
        f"{100 * ratios['weighted_pod'][9]:.2f} %",
        abs(ratios["weighted_pod"][9] - 0.98) < 0.011,
    )
    yield "w(4) is above 98 % for POD of TVDs", f"{100 * ratios['pod'][3]:.2f} %", ratios["pod"][3] > 0.98
    average = 0.5 * (bending["weighted_pod"].at(10) + torsion["weighted_pod"].at(10))
    yield (
        "ten modes of weighted POD leave about 5 % on average (here: 2.5 to 10 %)",
        percent(average),
        0.025 < average < 0.1,
    )
    by_ratio = sorted(DERIVATIVES, key=lambda m: -ratios[m][9])
    by_error = sorted(DERIVATIVES, key=lambda m: bending[m].mean() + torsion[m].mean())
    yield (
        "the sequence of convergence is that of the ratio w",
        f"by w(10): {', '.join(_TITLES[m] for m in by_ratio)}; by error: {', '.join(_TITLES[m] for m in by_error)}",
        by_ratio == by_error,
    )


def percent(share: float) -> str:
    """Return a share in percent, with three digits."""
    return f"{100.0 * share:.3g} %"
