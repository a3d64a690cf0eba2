"""Contact and friction laws at the pairs of a joint over a period of motion, with exact derivatives, by arrays.

A period is walked sample by sample, again and again, until the stress at its first sample is that of the period before:
the stress there and the slip are all that the laws remember. A pair that never slips is periodic at once, a slider from
the second period on; laws that forget slowly need more.

A pair that closes between two samples begins to slip where its gap crosses zero, which is taken to be linear there:
from the sample after it, stresses would jump whenever that instant passes a sample, and there may be no balance.

The derivative follows the history forward: a pair's gap and slips are sums over the basis with coefficients
(ĝ, ŝ₁, ŝ₂), and its history at each sample has a derivative with respect to these. Between events (closing, opening,
start of slip) this is exact (Cameron and Griffin 1989, J. Appl. Mech. 56, 149-154, for the alternation between time
and frequency).
"""

from dataclasses import dataclass

import numpy as np

from faying.joints.contact_laws import ContactLaw
from faying.joints.fourier import FourierBasis
from faying.joints.friction_laws import FrictionLaw
from faying.joints.pointwise import CLOSURE_SIZE

MOST_PASSES = 8
PERIODIC = 1e-10  # of a pair's largest stress, between the first samples of two periods

OPENED, CLOSED, SLIPPED = 1, 2, 4
"""Bits of what a pair does in a period."""

_ROUND_OFF = 1e-13  # of a pair's largest derivative
_CHUNK = 16e6  # bytes of derivatives at a time


@dataclass(frozen=True, eq=False)
class PairCycles:
    """Result of the laws at n pairs over the last period that was walked.

    Attributes:
        pressure: (samples, n).
        stress: (samples, n, 2) friction stress.
        did: (n,) bits of what each pair does: `OPENED`, `CLOSED`, `SLIPPED`.
        history: (n, h) at the end of the period, as `faying.joints.pointwise` lays it out.
        closure: (n,) by how much the stress of the next period would differ at its first sample, over the largest one.
        derivative: (n, 3, 3, size, size) of the coefficients of (p, −τ₁, −τ₂) by those of (gap, slip 1, slip 2), first
            those of the forces; None when not requested.
        springs: (n, 2) whether the derivative of the pressure, and that of the stress, is that of springs: the same in
            all harmonics, and along each direction alone; None when not requested.
    """

    pressure: np.ndarray
    stress: np.ndarray
    did: np.ndarray
    history: np.ndarray
    closure: np.ndarray
    derivative: np.ndarray | None
    springs: np.ndarray | None


def laws_over_cycle(
    contact_law: ContactLaw,
    friction_law: FrictionLaw | None,
    gaps: np.ndarray,
    slips: np.ndarray,
    history: np.ndarray,
    basis: FourierBasis,
    time_step: float,
    *,
    derivatives: bool,
    limits: np.ndarray | None = None,
) -> PairCycles:
    """Return pressures and friction stresses of pairs over a period.

    Args:
        contact_law, friction_law: of the joint; friction may be absent.
        gaps: (samples, n) gaps, positive when open.
        slips: (samples, n, 2) tangential displacements since the undeformed state.
        history: (n, h) before the first period, that of the equilibrium about which the joint vibrates.
        basis: of the coefficients by which derivatives are taken; `gaps` and `slips` are sums over it.
        time_step: between samples.
        derivatives: whether to compute `derivative`.
        limits: (n,) sticking limits in place of those of the pressures, see `faying.joints.pointwise.pointwise`.
    """
    n = gaps.shape[1]
    size = basis.size
    pressure, d_pressure = contact_law.pressure(gaps)
    closes = gaps < contact_law.closing_gap()
    did = np.where(closes.any(axis=0), CLOSED, 0) | np.where(closes.all(axis=0), 0, OPENED)
    derivative = np.zeros((n, 3, 3, size, size)) if derivatives else None
    if derivative is not None:
        pairs_of_functions = np.einsum("ak,kb->abk", basis.projection, basis.values)
        derivative[:, 0, 0] = np.moveaxis(pairs_of_functions @ d_pressure, -1, 0)
    stress, after, closure = np.zeros((*gaps.shape, 2)), np.zeros_like(history), np.zeros(n)
    if friction_law is None:
        return PairCycles(pressure, stress, did, after, closure, derivative, _springs(derivative))
    acts = closes if limits is None else closes | (limits >= 0.0)
    # Few pairs at a time where derivatives take memory.
    per_pair = 8 * len(gaps) * 6 * size if derivatives else 8
    step = max(1, int(_CHUNK / per_pair))
    touched = np.flatnonzero(acts.any(axis=0))
    for first in range(0, len(touched), step):
        of = touched[first : first + step]
        walk = _Walk(
            friction_law, pressure[:, of], d_pressure[:, of], slips[:, of], acts[:, of], basis, time_step,
            gaps[:, of] - contact_law.closing_gap(), None if limits is None else np.maximum(limits[of], 0.0),
        )  # fmt: skip
        of_stress, of_history, slipped, missed, gamma = walk.periodic(history[of], derivatives)
        if limits is not None:
            of_stress[:, limits[of] < 0.0] = 0.0
        stress[:, of], after[of], closure[of] = of_stress, of_history, missed
        did[of] |= np.where(slipped, SLIPPED, 0)
        if derivative is not None and gamma is not None:
            # (size, samples) of the projection times (samples, m · 2 · 3 · size) of stresses by coefficients.
            found = basis.projection @ gamma.reshape(len(gaps), -1)
            found = found.reshape(size, len(of), 2, 3, size)
            if limits is not None:
                found[:, limits[of] < 0.0] = 0.0
            derivative[of, 1:] -= found.transpose(1, 2, 3, 0, 4)
    return PairCycles(pressure, stress, did, after, closure, derivative, _springs(derivative))


def _springs(derivative: np.ndarray | None) -> np.ndarray | None:
    """Return `PairCycles.springs` of a derivative."""
    if derivative is None:
        return None
    stiffness = derivative[..., 0, 0] * np.eye(3)
    other = np.abs(derivative - stiffness[..., None, None] * np.eye(derivative.shape[-1])).max(axis=(2, 3, 4))
    same = other <= _ROUND_OFF * np.abs(derivative).max(axis=(1, 2, 3, 4))[:, None]
    return np.column_stack([same[:, 0], same[:, 1:].all(axis=1)])


class _Walk:
    """Friction of some pairs along periods: a history, and its derivative, that go from sample to sample."""

    def __init__(
        self,
        law: FrictionLaw,
        pressure: np.ndarray,
        d_pressure: np.ndarray,
        slips: np.ndarray,
        acts: np.ndarray,
        basis: FourierBasis,
        time_step: float,
        openings: np.ndarray,
        limits: np.ndarray | None,
    ) -> None:
        self._law, self._slips, self._acts, self._openings = law, slips, acts, openings
        self._basis, self._time_step = basis, time_step
        if limits is None:
            self._limits, by_pressure = law.sticking_limit(pressure)
            self._limit_slopes = by_pressure * d_pressure
        else:
            self._limits = np.broadcast_to(limits, pressure.shape)
            self._limit_slopes = np.zeros_like(pressure)

    def periodic(
        self, history: np.ndarray, derivatives: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
        """Return stress (samples, m, 2), history, slipped (m,), closure (m,), and ∂stress (samples, m, 2, 3, size)."""
        m = len(history)
        stress, end = np.zeros_like(self._slips), np.zeros_like(history)
        slipped, closure, passes = np.zeros(m, bool), np.zeros(m), np.zeros(m, np.intp)
        going, start = np.arange(m), history
        for count in range(1, MOST_PASSES + 1):
            of_stress, of_end, of_slipped = self._period(going, start)
            stress[:, going], end[going], slipped[going], passes[going] = of_stress, of_end, of_slipped, count
            again = self._period(going, of_end, samples=1)[0][0]
            largest = np.abs(of_stress).max(axis=(0, 2), initial=0.0)
            closure[going] = np.abs(again - of_stress[0]).max(axis=1) / np.where(largest > 0.0, largest, 1.0)
            open_ended = closure[going] > PERIODIC
            going, start = going[open_ended], of_end[open_ended]
            if not len(going):
                break
        gamma = None
        if derivatives:
            gamma = np.zeros((*self._slips.shape, 3, self._basis.size))
            for count in np.unique(passes):
                alike = np.flatnonzero(passes == count)
                gamma[:, alike] = self._derivative(alike, history[alike], int(count))
        return stress, end, slipped, closure, gamma

    def _period(
        self, pairs: np.ndarray, history: np.ndarray, samples: int | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return stress (samples, m, 2), history at the end, and which pairs slipped; of all samples unless told."""
        stress = np.zeros((samples or len(self._slips), len(pairs), 2))
        slipped = np.zeros(len(pairs), bool)
        for k in range(len(stress)):
            at, start, memory = self._before(k, pairs, history)
            slip, limit = self._slips[k, pairs[at]] - start, self._limits[k, pairs[at]]
            answer = self._law.traction(slip, limit, memory, self._time_step, derivatives=False)
            stress[k, at] = answer.stress
            slipped[at] |= answer.slipping
            history = _committed(history, at, start, answer.history)
        return stress, history, slipped

    def _before(
        self, k: int, pairs: np.ndarray, history: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return which of the pairs are closed at a sample, their slip at closure and memory; some close there."""
        at = np.flatnonzero(self._acts[k, pairs])
        old, total = history[at], self._slips[k, pairs[at]]
        share, _ = self._closes_after(k, pairs[at])
        before = self._slips[k - 1, pairs[at]]
        closed = before + share[:, None] * (total - before)
        start = np.where((old[:, 0] == 0.0)[:, None], closed, old[:, 1:CLOSURE_SIZE])
        return at, start, old[:, CLOSURE_SIZE:]

    def _closes_after(self, k: int, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return after which part of the time since the last sample pairs close (m,), and its derivative (m, size).

        That is one with no derivative for pairs that were not open there, as in the first period of those that are
        open at rest.
        """
        before, now = self._openings[k - 1, pairs], self._openings[k, pairs]
        opened = (before >= 0.0) & (now < 0.0)
        closing = np.where(opened, before - now, 1.0)
        share = np.where(opened, before / closing, 1.0)
        return share, np.where(opened[:, None], self._between(k, share) / closing[:, None], 0.0)

    def _between(self, k: int, share: np.ndarray) -> np.ndarray:
        """Return (m, size) the functions after parts (m,) of the time since the last sample, linear in it."""
        before, now = self._basis.values[k - 1], self._basis.values[k]
        return np.asarray(before + share[:, None] * (now - before))

    def _derivative(self, pairs: np.ndarray, history: np.ndarray, passes: int) -> np.ndarray:
        """Return (samples, m, 2, 3, size) of the stress by the coefficients, walking all periods again."""
        m, size, of_law = len(pairs), self._basis.size, self._law.history_size
        gamma = np.zeros((len(self._slips), m, 2, 3, size))
        by_start, by_memory = np.zeros((m, 2, 3, size)), np.zeros((m, of_law, 3, size))
        for k in np.tile(np.arange(len(gamma)), passes):
            functions = self._basis.values[k]
            at, start, memory = self._before(k, pairs, history)
            limit = self._limits[k, pairs[at]]
            step = self._law.linearized_step(
                self._slips[k, pairs[at]] - start, limit, memory, self._time_step
            )
            # How slip and limit of this sample follow the coefficients; slip begins when a pair closes.
            total = np.zeros((len(at), 2, 3, size))
            total[:, 0, 1] = total[:, 1, 2] = functions
            closing = history[at, 0] == 0.0
            share, by_gap = self._closes_after(k, pairs[at])
            at_closure = np.zeros_like(total)
            at_closure[:, 0, 1] = at_closure[:, 1, 2] = self._between(k, share)
            moved = self._slips[k, pairs[at]] - self._slips[k - 1, pairs[at]]
            at_closure[:, :, 0] = moved[:, :, None] * by_gap[:, None]
            at_closure = np.where(closing[:, None, None, None], at_closure, by_start[at])
            limited = np.zeros((len(at), 3, size))
            limited[:, 0] = self._limit_slopes[k, pairs[at]][:, None] * functions
            changes = total - at_closure, limited, by_memory[at]
            answer = step.answer
            assert answer.d_slip is not None and answer.d_limit is not None
            gamma[k] = 0.0
            gamma[k, at] = _chained(answer.d_slip, answer.d_limit, step.d_history, *changes)
            by_start, by_memory = np.zeros_like(by_start), np.zeros_like(by_memory)
            by_start[at] = at_closure
            by_memory[at] = _chained(
                step.history_by_slip, step.history_by_limit, step.history_by_history, *changes
            )
            history = _committed(history, at, start, answer.history)
        return gamma


def _committed(history: np.ndarray, at: np.ndarray, start: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Return the history after a sample: that of the closed pairs; open ones forget theirs."""
    after = np.zeros_like(history)
    after[at] = np.column_stack([np.ones(len(at)), start, memory])
    return after


def _chained(
    by_slip: np.ndarray,
    by_limit: np.ndarray,
    by_history: np.ndarray,
    moved: np.ndarray,
    limited: np.ndarray,
    before: np.ndarray,
) -> np.ndarray:
    """Return (m, i, 3, size): derivatives by slip, limit and history times how these follow the coefficients."""
    m, count, size = len(moved), by_slip.shape[1], 3 * moved.shape[3]
    found = by_slip @ moved.reshape(m, 2, size) + by_history @ before.reshape(m, before.shape[1], size)
    found += by_limit[:, :, None] * limited.reshape(m, 1, size)
    return np.asarray(found.reshape(m, count, 3, moved.shape[3]))
