"""Forces of contact pairs over a time step: the work of their pressure is the change of the stored energy.

Over a step in which the gap of a pair goes from g₀ to g₁ its pressure is

    p̄ = ∫ p dg / (g₁ − g₀),    from g₀ to g₁,

the discrete gradient of the potential of the contact law (Gonzalez 1996; Laursen and Chawla 1997), whether the pair
stays closed, closes or opens. Steps of any length take from the motion the energy that the law stores, and return it.
"""

import itertools
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from faying.joints.pointwise import ClosedPairs
from faying.records import record

Gauss = tuple[np.ndarray, np.ndarray]  # points and weights (k,)


class ElasticLaw(Protocol):
    """A push that is a function of the gap: a contact law, or its sum over the patch of a ball."""

    def pressure(self, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the push (m,) and its derivative by the gap (m,)."""

    def closing_gap(self) -> float:
        """Return the gap below which it begins."""

    def corners(self) -> tuple[float, ...]:
        """Return the gaps between its smooth parts."""


def gauss(count: int) -> Gauss:
    """Return points and weights of an integral from 0 to 1."""
    points, weights = np.polynomial.legendre.leggauss(count)
    return 0.5 * (1.0 + points), 0.5 * weights


_COARSE, _FINE = gauss(4), gauss(8)  # a step is shorter than all of the penetration


@record("pairs before a step")
class PairsBefore:
    """The pairs of a joint, or of a contact between parts, at the start of a step.

    Attributes:
        gaps: (n,) there; infinite for pairs that had none, or whose gap is not on the path of the step.
        lasting: (n,) pairs that act like smooth forces, with their force at the end; all others act with their mean.
        halved: (n,) other closed pairs: half of their initial force acts along the step, in its initial direction, and
            the rest of the mean at the end.
        factor: factor of lasting pairs in derivatives.
    """

    gaps: np.ndarray
    lasting: np.ndarray
    halved: np.ndarray
    factor: float = 1.0

    @property
    def factors(self) -> np.ndarray:
        """(n,) factors of all pairs in derivatives."""
        return np.where(self.lasting, self.factor, 1.0)

    def closed_only(self, closed: np.ndarray) -> "PairsBefore":
        """Return the same without forces of pairs that are not closed (n,) in the end."""
        return replace(self, lasting=self.lasting & closed, halved=self.halved & closed)

    def of(self, chosen: np.ndarray) -> "PairsBefore":
        """Return those of some pairs, by numbers or by a mask."""
        return PairsBefore(self.gaps[chosen], self.lasting[chosen], self.halved[chosen], self.factor)


def mean_pressures(law: ElasticLaw, before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (m,) mean pressures p̄ over a step, and their derivatives by the gaps at its end.

    Args:
        law: pressure over gap.
        before: (m,) gaps at the start; on a pair that had none the pressure at the end acts.
        after: (m,) gaps at the end.
    """
    closing, known = law.closing_gap(), np.isfinite(before)
    start = np.where(known, before, after)
    change = after - start
    # The part of the path with pressure.
    first, last = np.minimum(start, closing), np.minimum(after, closing)
    pressures, slopes = _along(law, first, last, _COARSE)
    points, weights = _COARSE
    mean, slope = pressures @ weights, slopes @ (weights * points)
    moves, still = (after < closing).astype(float), change == 0.0
    over = np.where(still, 1.0, change)
    share = np.where(still, moves, (last - first) / over)
    slope = np.where(still, share * slope, share * moves * slope + (moves - share) / over * mean)
    # A pair without a gap before acts with its pressure at the end.
    slope = np.where(known, slope, slopes @ weights)
    mean = share * mean
    corners = sorted(law.corners())
    across = np.flatnonzero(np.searchsorted(corners, first) != np.searchsorted(corners, last))
    if len(across):
        mean[across] = _integral_across(law, first[across], last[across], _COARSE) / change[across]
        slope[across] = (law.pressure(after[across])[0] - mean[across]) / change[across]
    return mean, slope


def _along(
    law: ElasticLaw, first: np.ndarray, last: np.ndarray, rule: Gauss
) -> tuple[np.ndarray, np.ndarray]:
    """Return (m, k) pressures and their slopes at the points of a rule on the ways between gaps (m,)."""
    gaps = first[:, None] + np.outer(last - first, rule[0])
    pressures, slopes = law.pressure(gaps.ravel())
    return pressures.reshape(gaps.shape), slopes.reshape(gaps.shape)


def _integral_across(law: ElasticLaw, first: np.ndarray, last: np.ndarray, rule: Gauss) -> np.ndarray:
    """Return (m,) integrals of the pressure on the ways between gaps (m,), from corner to corner of the law."""
    edges, found = [np.inf, *sorted(law.corners(), reverse=True), -np.inf], np.zeros(len(first))
    for upper, lower in itertools.pairwise(edges):
        one, other = np.clip(first, lower, upper), np.clip(last, lower, upper)
        found += (other - one) * (_along(law, one, other, rule)[0] @ rule[1])
    return found


def over_step(law: ElasticLaw, closed: ClosedPairs, gaps: np.ndarray, before: PairsBefore) -> ClosedPairs:
    """Return the forces of pairs closed at either end of a step: pressures of lasting ones, else their means.

    Args:
        law: pressure over gap.
        closed: results of the laws at the closed pairs.
        gaps: (n,) of all pairs at the end.
        before: all pairs at the start.
    """
    acting = before.gaps < law.closing_gap()
    acting[closed.pairs] = True
    pairs = np.flatnonzero(acting)
    at = np.searchsorted(pairs, closed.pairs)

    def spread(values: np.ndarray) -> np.ndarray:
        if len(pairs) == len(values):
            return values
        found = np.zeros((len(pairs), *values.shape[1:]))
        found[at] = values
        return found

    pressure, slope = spread(closed.pressure), spread(closed.d_pressure)
    stress, d_slip, d_gap = (
        None if values is None else spread(values) for values in (closed.stress, closed.d_slip, closed.d_gap)
    )
    sudden = np.flatnonzero(~before.lasting[pairs])
    if len(sudden):
        which = pairs[sudden]
        means = sudden_means(law, before.of(which), gaps[which], pressure[sudden], slope[sudden])

        def put(values: np.ndarray, own: np.ndarray) -> np.ndarray:
            changed = values.copy()
            changed[sudden] = own
            return changed

        pressure, slope = put(pressure, means.pressures), put(slope, means.slopes)
        shares = means.friction[:, None]
        if stress is not None and d_slip is not None and d_gap is not None:
            d_slip = put(d_slip, shares[:, None] * d_slip[sudden])
            d_gap = put(d_gap, shares * d_gap[sudden] + means.d_friction[:, None] * stress[sudden])
        if stress is not None:
            stress = put(stress, shares * stress[sudden])
    return replace(
        closed, pairs=pairs, pressure=pressure, d_pressure=slope, stress=stress, d_slip=d_slip, d_gap=d_gap
    )  # fmt: skip


class SuddenMeans(NamedTuple):
    """Forces at the end of a step of pairs that open or close, all (m,).

    Attributes:
        pressures, slopes: the rest of the mean pressures, and its derivatives by the gaps at the end.
        friction, d_friction: shares of the friction at the end, and their derivatives.
    """

    pressures: np.ndarray
    slopes: np.ndarray
    friction: np.ndarray
    d_friction: np.ndarray


def sudden_means(
    law: ElasticLaw, before: PairsBefore, after: np.ndarray, ends: np.ndarray, end_slopes: np.ndarray
) -> SuddenMeans:
    """Return the forces of pairs that do not last.

    A pair that closes has friction in proportion to its pressure, so that its mean also fulfils the law of friction.
    Those of lasting pairs are zero, and their share of the friction is one.

    Args:
        law: pressure over gap.
        before: the m pairs at the start.
        after: (m,) gaps at the end; `ends`, `end_slopes` the pressures there, and their derivatives.
    """
    closing, n = law.closing_gap(), len(after)
    # Lasting pairs, and those that are open all along, have no sudden force.
    acting = np.flatnonzero(~before.lasting & ((before.gaps < closing) | (after < closing)))
    if not len(acting):
        return SuddenMeans(np.zeros(n), np.zeros(n), np.ones(n), np.zeros(n))
    if len(acting) < n:
        found = sudden_means(law, before.of(acting), after[acting], ends[acting], end_slopes[acting])
        means = SuddenMeans(np.zeros(n), np.zeros(n), np.ones(n), np.zeros(n))
        for whole, own in zip(means, found, strict=True):
            whole[acting] = own
        return means
    mean, slope = mean_pressures(law, before.gaps, after)
    closes = (before.gaps >= closing) & np.isfinite(before.gaps) & (ends > 0.0)
    safe = np.where(closes, ends, 1.0)
    share = np.where(closes, mean / safe, np.where(before.halved, 0.5, 1.0))
    d_share = np.where(closes, (slope - share * end_slopes) / safe, 0.0)
    halved = np.flatnonzero(before.halved)
    mean[halved] -= 0.5 * law.pressure(before.gaps[halved])[0]
    return SuddenMeans(mean, slope, share, d_share)


def stored_energies(law: ElasticLaw, gaps: np.ndarray) -> np.ndarray:
    """Return (m,) the stored energy per area at gaps (m,): the integral of pressure over penetration."""
    closing = np.full(len(gaps), law.closing_gap())
    return -_integral_across(law, closing, np.minimum(gaps, closing), _FINE)
