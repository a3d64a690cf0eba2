"""Pushes of a contact law at slave nodes over a step, with the damping of impacts."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from faying.joints.step_mean import ElasticLaw, PairsBefore, SuddenMeans, sudden_means


class Pushes(NamedTuple):
    """Pressures at slave nodes, all (m,).

    Attributes:
        ends, slopes: at the end of the step, and their derivatives by the gaps there.
        elastic: what the law alone gives there.
        means: of nodes that come and go; None for forces at one place alone.
    """

    ends: np.ndarray
    slopes: np.ndarray
    elastic: np.ndarray
    means: SuddenMeans | None

    def of(self, chosen: np.ndarray) -> "Pushes":
        """Return those of some nodes."""
        means = None if self.means is None else SuddenMeans(*(value[chosen] for value in self.means))
        return Pushes(self.ends[chosen], self.slopes[chosen], self.elastic[chosen], means)


@dataclass(frozen=True, eq=False)
class ImpactDamping:
    """Factors 1 + D δ̇ of elastic pushes within a step, never negative (`faying.joints.contact_damping`).

    The rate δ̇ of the penetration over a step from gap g₀ to g₁ is on average (g₀ − g₁)/h, and at its end twice that
    less the rate at its start. The elastic mean force times 1 + D times the average rate takes the energy that the
    relation asks for, whatever the length of the step.

    Attributes:
        damping: (m,) D of each node.
        gaps: (m,) at the start of the step; infinite where they are not known.
        rates: (m,) δ̇ there; NaN where they are not known.
        time_step: h; zero for forces at the start itself.
    """

    damping: np.ndarray
    gaps: np.ndarray
    rates: np.ndarray
    time_step: float

    def at_start(self) -> np.ndarray:
        """Return (m,) factors at the start."""
        return np.maximum(1.0 + self.damping * np.where(np.isfinite(self.rates), self.rates, 0.0), 0.0)

    def over_step(self, gaps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (m,) factors of mean forces, and their derivatives by the gaps (m,) at the end."""
        if self.time_step <= 0.0:
            return self.at_start(), np.zeros(len(gaps))
        return self._factors(np.where(np.isfinite(self.gaps), self.gaps - gaps, 0.0) / self.time_step, 1.0)

    def at_end(self, gaps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (m,) factors at the end, and their derivatives by the gaps (m,) there."""
        if self.time_step <= 0.0:
            return self.at_start(), np.zeros(len(gaps))
        mean = np.where(np.isfinite(self.gaps), self.gaps - gaps, 0.0) / self.time_step
        known = np.isfinite(self.rates)
        return self._factors(
            np.where(known, 2.0 * mean - np.where(known, self.rates, 0.0), mean), np.where(known, 2.0, 1.0)
        )

    def _factors(self, rates: np.ndarray, share: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        factors = 1.0 + self.damping * rates
        acts = (factors > 0.0) & np.isfinite(self.gaps)
        return np.maximum(factors, 0.0), np.where(acts, -share * self.damping / self.time_step, 0.0)


def find_pushes(
    law: ElasticLaw, gaps: np.ndarray, before: PairsBefore | None, damping: ImpactDamping | None = None
) -> Pushes:
    """Return the pushes at the end of a step.

    Args:
        law: pressure over gap.
        gaps: (m,) at the end.
        before: the nodes at the start of the step; None for forces at one place alone.
        damping: of impacts; None for elastic ones.
    """
    elastic, slopes = law.pressure(gaps)
    means = None if before is None else sudden_means(law, before, gaps, elastic, slopes)
    if damping is None:
        return Pushes(elastic, slopes, elastic, means)
    factors, d_factors = damping.at_end(gaps)
    ends, slopes = factors * elastic, factors * slopes + d_factors * elastic
    if means is None or before is None:
        return Pushes(ends, slopes, elastic, None)
    # Half of the initial force of some nodes acts along the step, with the damping of the start.
    half = np.zeros(len(gaps))
    halved = np.flatnonzero(before.halved)
    half[halved] = 0.5 * law.pressure(before.gaps[halved])[0]
    factors, d_factors = damping.over_step(gaps)
    mean = means.pressures + half
    whole, d_whole = factors * mean, factors * means.slopes + d_factors * mean
    closes = (before.gaps >= law.closing_gap()) & np.isfinite(before.gaps) & (ends > 0.0)
    safe = np.where(closes, ends, 1.0)
    share = np.where(closes, whole / safe, np.where(before.halved, 0.5, 1.0))
    d_share = np.where(closes, (d_whole - share * slopes) / safe, 0.0)
    return Pushes(
        ends, slopes, elastic, SuddenMeans(whole - damping.at_start() * half, d_whole, share, d_share)
    )  # fmt: skip
