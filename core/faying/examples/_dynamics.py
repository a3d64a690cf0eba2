"""What the thesis says about joint modes on the swinging friction bar, put to the test (section 4.1.1, dynamics).

The thesis speaks of figures; the limits of what counts as "about" are ours and stand in each row.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from faying.examples._convergence import DERIVATIVES, TITLES
from faying.examples.error_curves import percent
from faying.examples.measured import largest_difference
from faying.examples.tables import Table

TVDS = ("weighted_pod", "pod")


@dataclass(frozen=True, eq=False)
class BarMotion:
    """A run: time (n,), deflection z_L of the loaded end (n,), ‖g_N‖₂ (n,)."""

    time: np.ndarray
    tip: np.ndarray
    gaps: np.ndarray

    def tip_error(self, reference: "BarMotion") -> float:
        """Return the largest difference of z_L, as a share of its largest value in the reference."""
        return largest_difference(self.tip, reference.tip)

    def gap_error(self, reference: "BarMotion") -> float:
        """Return the largest difference of ‖g_N‖₂, likewise."""
        return largest_difference(self.gaps, reference.gaps)

    def swing_error(self, reference: "BarMotion") -> float:
        """Return the difference of the largest z_L, whenever it is reached: of the amplitude alone."""
        return abs(float(self.tip.max() / reference.tip.max()) - 1.0)

    def period(self) -> float:
        """Return the mean time between peaks of z_L; not a number where fewer than two are within the run."""
        from scipy.signal import argrelmax  # late: it takes a second to import

        peaks = self.time[argrelmax(self.tip, order=3)[0]]
        return float((peaks[-1] - peaks[0]) / (len(peaks) - 1)) if len(peaks) > 1 else float("nan")


Motions = Mapping[tuple[str, int], BarMotion]
"""By method and number of joint modes."""


def error_table(motions: Motions, reference: BarMotion) -> Table:
    """Return all errors in percent: a row for each method and criterion."""
    counts = sorted({count for _, count in motions})
    criteria = {
        "z_L over time": BarMotion.tip_error,
        "largest z_L": BarMotion.swing_error,
        "‖g_N‖ over time": BarMotion.gap_error,
    }
    rows: list[tuple[str | int | float, ...]] = [
        (
            method,
            name,
            *(round(100.0 * error(motions[method, count], reference), 3) for count in counts),
        )
        for method in dict.fromkeys(method for method, _ in motions)
        for name, error in criteria.items()
    ]
    return Table(("method", "error in % of the largest", *(f"g = {g}" for g in counts)), tuple(rows))


def statement_table(motions: Motions, reference: BarMotion) -> Table:
    """Return each statement of section 4.1.1 on motion, what was found here, and whether that agrees."""
    rows = [(said, found, "yes" if holds else "NO") for said, found, holds in _statements(motions, reference)]
    return Table(("statement of the thesis", "on this bar", "reproduces"), tuple(rows))


def _statements(motions: Motions, reference: BarMotion) -> Iterator[tuple[str, str, bool]]:
    tip = {key: motion.tip_error(reference) for key, motion in motions.items()}
    gaps = {key: motion.gap_error(reference) for key, motion in motions.items()}

    def told(errors: Mapping[tuple[str, int], float], count: int, methods: tuple[str, ...]) -> str:
        return ", ".join(f"{TITLES[m]} {percent(errors[m, count])}" for m in methods)

    none = motions[DERIVATIVES[0], 0]
    periods = none.period() / reference.period() - 1.0
    yield (
        "without joint modes amplitude and frequency differ (here: by more than 2 % each)",
        f"amplitude {percent(none.swing_error(reference))}, period {percent(abs(periods))}",
        none.swing_error(reference) > 0.02 and abs(periods) > 0.02,
    )
    for name, errors in (("z_L", tip), ("‖g_N‖", gaps)):
        yield (
            f"{name}: both POD of TVDs have about 5 % with g = 5 (here: 2.5 to 10 %)",
            told(errors, 5, TVDS),
            all(0.025 < errors[m, 5] < 0.1 for m in TVDS),
        )
        yield (
            f"{name}: both are below 1 % with g = 20",
            told(errors, 20, TVDS),
            all(errors[m, 20] < 0.01 for m in TVDS),
        )
    forces, most = "pod_of_forces", max(count for _, count in motions)
    yield "z_L: POD of forces has more than 30 % with g = 5", percent(tip[forces, 5]), tip[forces, 5] > 0.3
    fewest = [count for method, count in sorted(tip) if method == forces and tip[method, count] < 0.05]
    yield (
        "z_L: POD of forces is below 5 % first with g = 50",
        f"first with g = {fewest[0]}" if fewest else f"not with g = {most} either",
        bool(fewest) and fewest[0] == 50,
    )
    yield "‖g_N‖: POD of forces has up to 30 % with g = 5", percent(gaps[forces, 5]), gaps[forces, 5] > 0.15
    yield "‖g_N‖: POD of forces is below 1 % with g = 50", percent(gaps[forces, 50]), gaps[forces, 50] < 0.01
    order = sorted(DERIVATIVES, key=lambda m: tip[m, 5] + gaps[m, 5])
    yield (
        "both POD of TVDs converge faster than POD of forces (here: by both errors with g = 5)",
        ", ".join(f"{TITLES[m]} {percent(0.5 * (tip[m, 5] + gaps[m, 5]))}" for m in order),
        order[-1] == forces,
    )
