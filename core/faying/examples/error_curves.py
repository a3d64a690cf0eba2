"""Errors of joint-mode methods over the number of modes, taken from the table of a convergence study."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from faying.analyses.convergence_study import COLUMNS
from faying.examples.tables import Table


@dataclass(frozen=True)
class ErrorCurve:
    """One method under one load over the number of joint modes; errors and changes as shares, without sign.

    Attributes:
        counts: (k,) numbers of modes, ascending.
        motion: (k,) errors of the motion of the loaded node along its load (|z_L|, θ_x), against the unreduced model.
        gaps: (k,) errors of ‖g_N‖₂; those of the root mean square gap are the same.
        motion_changes, gaps_changes: (k,) e(g) of thesis eq. 4.1, against the most modes of the same method.
        ratios: (k,) w(g), not a number for methods without it.
    """

    counts: np.ndarray
    motion: np.ndarray
    gaps: np.ndarray
    motion_changes: np.ndarray
    gaps_changes: np.ndarray
    ratios: np.ndarray

    def at(self, count: int) -> float:
        """Return the average of both errors with so many modes."""
        return 0.5 * (self.motion_at(count) + self.gaps_at(count))

    def worst_at(self, count: int) -> float:
        """Return the larger of both errors with so many modes."""
        return max(self.motion_at(count), self.gaps_at(count))

    def motion_at(self, count: int) -> float:
        """Return the error of the motion with so many modes."""
        return float(self.motion[self._place(count)])

    def gaps_at(self, count: int) -> float:
        """Return the error of ‖g_N‖₂ with so many modes."""
        return float(self.gaps[self._place(count)])

    def ratio_at(self, count: int) -> float:
        """Return w(g)."""
        return float(self.ratios[self._place(count)])

    def mean(self) -> float:
        """Return the average of both errors over all numbers of modes but zero."""
        some = self.counts > 0
        return float(0.5 * (self.motion[some] + self.gaps[some]).mean())

    def mean_motion(self) -> float:
        """Return the average error of the motion over all numbers of modes but zero."""
        return float(self.motion[self.counts > 0].mean())

    def _place(self, count: int) -> int:
        return int(np.flatnonzero(self.counts == count)[0])


ErrorCurves = dict[tuple[str, str], ErrorCurve]


def error_curves(
    table: np.ndarray, methods: tuple[str, ...], references: Mapping[str, tuple[float, float]]
) -> ErrorCurves:
    """Return the errors of each (method, load).

    Args:
        table: of a convergence study whose first loads are those of the references.
        methods: names of its methods, in order.
        references: motion and ‖g_N‖₂ of the unreduced model by name of the load.
    """
    at = {name: i for i, name in enumerate(COLUMNS)}
    found: ErrorCurves = {}
    for m, method in enumerate(methods):
        for i, (load, (motion, gaps)) in enumerate(references.items()):
            rows = table[(table[:, at["method"]] == m) & (table[:, at["load"]] == i)]
            found[method, load] = ErrorCurve(
                rows[:, at["joint modes"]].astype(int),
                np.abs(rows[:, at["motion"]] / motion - 1.0),
                np.abs(rows[:, at["gap norm"]] / gaps - 1.0),
                np.abs(rows[:, at["motion change"]]),
                np.abs(rows[:, at["gap norm change"]]),
                rows[:, at["ratio"]],
            )
    return found


def error_table(curves: ErrorCurves, changes: bool = False) -> Table:
    """Return all errors, or changes of eq. 4.1, in percent: a row for each method, load and criterion."""
    counts = next(iter(curves.values())).counts
    rows: list[tuple[str | int | float, ...]] = [
        (method, load, name, *(round(100.0 * float(error), 3) for error in errors))
        for (method, load), curve in curves.items()
        for name, errors in (
            ("motion", curve.motion_changes if changes else curve.motion),
            ("‖g_N‖, rms gap", curve.gaps_changes if changes else curve.gaps),
        )
    ]
    what = "change to most modes, % of" if changes else "error to unreduced, % of"
    return Table(("method", "load", what, *(f"g = {g}" for g in counts)), tuple(rows))


def ratio_table(curves: ErrorCurves) -> Table:
    """Return w(g) in percent of every method that has it."""
    first = {method: curve for (method, _), curve in reversed(curves.items())}
    counts = next(iter(curves.values())).counts
    rows: list[tuple[str | int | float, ...]] = [
        (method, *(round(100.0 * float(w), 3) for w in curve.ratios[counts > 0]))
        for method, curve in reversed(first.items())
        if np.isfinite(curve.ratios[counts > 0]).all()
    ]
    return Table(("w(g) in %", *(f"g = {g}" for g in counts[counts > 0])), tuple(rows))


def percent(share: float, digits: int = 3) -> str:
    """Return a share in percent, with so many digits."""
    return f"{100.0 * share:.{digits}g} %"
