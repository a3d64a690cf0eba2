"""What the thesis says about the convergence of joint modes on the friction bar, put to the test (section 4.1.1).

The thesis speaks of figures; the limits of what counts as "alike" or "slower" are ours and stand in each row.
Statements on motion over time are those of another study.
"""

from collections.abc import Iterator

import numpy as np

from faying.examples.error_curves import ErrorCurve, ErrorCurves, percent
from faying.examples.tables import Table

DERIVATIVES = ("weighted_pod", "pod", "pod_of_forces")
LOADS = ("+100 N", "-100 N", "+20 Nm", "-20 Nm")
TITLES = {"weighted_pod": "weighted POD", "pod": "POD of TVDs", "pod_of_forces": "POD of forces"}
_Statement = tuple[str, str, bool]


def statement_table(curves: ErrorCurves, shapes: tuple[int, int, int]) -> Table:
    """Return each statement of section 4.1.1 on statics, what was found here, and whether that agrees.

    Args:
        curves: under the four loads, for all methods.
        shapes: numbers of trial vectors that bend, twist, and do neither.
    """
    bending, torsion = (
        {method: curves[method, load] for method in (*DERIVATIVES, "vibration_modes")}
        for load in (LOADS[0], LOADS[2])
    )
    statements = (
        *_on_bending(bending),
        *_on_torsion(bending, torsion, shapes),
        *_on_ratios(bending, torsion),
    )
    rows = [(said, found, "yes" if holds else "NO") for said, found, holds in statements]
    return Table(("statement of the thesis", "on this bar", "reproduces"), tuple(rows))


def _on_bending(bending: dict[str, ErrorCurve]) -> Iterator[_Statement]:
    most = int(bending["pod"].counts[-1])
    worst = max(bending[m].worst_at(most) for m in DERIVATIVES)
    yield (
        "bending: all joint-mode methods reach one solution, within 1 %",
        f"with g = {most} they are {percent(worst)} from the unreduced one or nearer",
        worst < 0.01,
    )
    vibration = bending["vibration_modes"].worst_at(most)
    yield (
        "bending: as many additional vibration modes do not reach it",
        f"with g = {most} they are {percent(vibration)} off",
        vibration > 0.01,
    )
    left = {m: [_left(curve.counts, e) for e in (curve.motion, curve.gaps)] for m, curve in bending.items()}
    yield (
        "bending: |z_L| and ‖g_N‖ converge at nearly the same rate (here: what is left of the errors without joint "
        "modes is alike within a factor of two)",
        ", ".join(f"{TITLES[m]} {percent(left[m][0])} and {percent(left[m][1])}" for m in DERIVATIVES),
        all(max(left[m]) < 2.0 * min(left[m]) for m in DERIVATIVES),
    )
    order = sorted(DERIVATIVES, key=lambda m: bending[m].mean())
    yield (
        "bending: POD of TVDs converges fastest, then weighted POD, then POD of forces",
        ", ".join(f"{TITLES[m]} {percent(bending[m].mean())}" for m in order) + " on average",
        order == ["pod", "weighted_pod", "pod_of_forces"],
    )


def _on_torsion(
    bending: dict[str, ErrorCurve], torsion: dict[str, ErrorCurve], shapes: tuple[int, int, int]
) -> Iterator[_Statement]:
    twist = {m: float(torsion[m].motion[torsion[m].counts > 0].mean()) for m in torsion}
    alike = [twist[m] for m in DERIVATIVES]
    yield (
        "torsion: the twist converges alike with all three (here: within a factor of two)",
        ", ".join(f"{TITLES[m]} {percent(twist[m])}" for m in DERIVATIVES) + " on average",
        max(alike) < 2.0 * min(alike),
    )
    yield (
        "torsion: additional vibration modes converge much slower (here: twice the error of the worst)",
        f"{percent(twist['vibration_modes'])} on average",
        twist["vibration_modes"] > 2.0 * max(alike),
    )
    steps = {m: _steps_up(torsion[m].counts, torsion[m].gaps) for m in DERIVATIVES}
    yield (
        "torsion: ‖g_N‖ converges smoothly but for POD of TVDs",
        ", ".join(f"{TITLES[m]} grows {steps[m]} times" for m in DERIVATIVES),
        steps["pod"] > max(steps["weighted_pod"], steps["pod_of_forces"]),
    )
    both = bending["weighted_pod"].mean(), torsion["weighted_pod"].mean()
    yield (
        "torsion converges slightly slower than bending",
        f"weighted POD: {percent(both[1])} against {percent(both[0])} on average",
        both[1] > both[0],
    )
    yield (
        "of 16 trial vectors nine bend the bar about y, four twist it about x, three do neither clearly",
        "{} bend, {} twist, {} neither".format(*shapes),
        shapes == (9, 4, 3),
    )


def _on_ratios(bending: dict[str, ErrorCurve], torsion: dict[str, ErrorCurve]) -> Iterator[_Statement]:
    def average(method: str, count: int) -> float:
        return 0.5 * (bending[method].at(count) + torsion[method].at(count))

    def ratio(method: str, count: int) -> float:
        return bending[method].ratio_at(count)

    yield (
        "w(10) is about 98 % for weighted POD",
        percent(ratio("weighted_pod", 10)),
        abs(ratio("weighted_pod", 10) - 0.98) < 0.011,
    )
    yield (
        "ten modes of weighted POD leave about 5 % on average (here: 2.5 to 10 %)",
        percent(average("weighted_pod", 10)),
        0.025 < average("weighted_pod", 10) < 0.1,
    )
    yield "w(4) is above 98 % for POD of TVDs", percent(ratio("pod", 4)), ratio("pod", 4) > 0.98
    yield (
        "four modes of POD of TVDs leave about 8 % on average (here: 4 to 16 %)",
        percent(average("pod", 4)),
        0.04 < average("pod", 4) < 0.16,
    )
    counts = bending["pod"].counts
    before, third = int(counts[np.flatnonzero(counts == 3)[0] - 1]), average("pod", 3)
    yield (
        "the third mode of POD of TVDs makes the average error larger",
        f"{percent(average('pod', before))} with g = {before}, {percent(third)} with g = 3",
        third > average("pod", before),
    )
    ups = {m: _steps_up(counts, np.array([average(m, int(g)) for g in counts])) for m in DERIVATIVES}
    yield (
        "the average error falls smoothly for weighted POD, and not for POD of forces",
        ", ".join(f"{TITLES[m]} grows {ups[m]} times" for m in DERIVATIVES),
        ups["weighted_pod"] == 0 < ups["pod_of_forces"],
    )
    by_ratio = sorted(DERIVATIVES, key=lambda m: -ratio(m, 10))
    by_error = sorted(DERIVATIVES, key=lambda m: bending[m].mean() + torsion[m].mean())
    yield (
        "the sequence of convergence is that of the ratio w: POD of TVDs, weighted POD, POD of forces",
        f"by w(10): {', '.join(TITLES[m] for m in by_ratio)}; by error: {', '.join(TITLES[m] for m in by_error)}",
        by_ratio == by_error == ["pod", "weighted_pod", "pod_of_forces"],
    )


def _left(counts: np.ndarray, errors: np.ndarray) -> float:
    """Return the average error over all numbers of modes but zero, as a share of that without joint modes."""
    return float(errors[counts > 0].mean() / errors[counts == 0][0])


def _steps_up(counts: np.ndarray, errors: np.ndarray) -> int:
    """Return how often more modes make an error larger."""
    return int((np.diff(errors[counts > 0]) > 0.0).sum())
