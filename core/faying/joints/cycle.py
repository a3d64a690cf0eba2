"""The force of a joint over a period of motion: Fourier coefficients from those of the coordinates, and back.

With the coordinates q(θ) = Σ_a X_a b_a(θ) over a Fourier basis b, gap and slip of a pair are such sums, too. The laws
give pressure and friction stress at the samples of a period, and the coefficients of the generalised force are

    Q̂ = Gnᵀ(w p̂) − Gtᵀ(w τ̂),    ∂Q̂/∂X = Σ w Aᵀ G A,

with a pair's three rows A and the derivative G of its forces (`faying.joints.cycle_laws`).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from faying.joints.contact_laws import ContactLaw
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.cycle_kernels import coulomb_over_cycle
from faying.joints.cycle_laws import CLOSED, OPENED, SLIPPED, PairCycles, laws_over_cycle
from faying.joints.fourier import FourierBasis
from faying.joints.friction_laws import FrictionLaw
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import DenseJointRows, JointForce

_STEP = 1e-6  # change of the frequency over itself, for the derivative by it
_NUMBERS_AT_A_TIME = 4_000_000  # of an intermediate product over pairs that open, close or slip
_FEW = 8  # pairs, among which springs are not looked for


@dataclass(frozen=True, eq=False)
class CycleResponse:
    """A joint over a period of motion.

    Attributes:
        force: (size, r) coefficients of the generalised force.
        jacobian: (size · r, size · r) their derivative by the coefficients of the coordinates; None if not requested.
        by_frequency: (size, r) their derivative by the angular frequency; zero for laws that do not depend on time.
        pairs: pressures, stresses and what the pairs did.
        weights: (n,) of the pairs.
        slips: (size, 2 n) coefficients of the pairs' slips.
        basis: of the coefficients.
    """

    force: np.ndarray
    jacobian: np.ndarray | None
    by_frequency: np.ndarray
    pairs: PairCycles
    weights: np.ndarray
    slips: np.ndarray
    basis: FourierBasis

    @cached_property
    def work(self) -> np.ndarray:
        """(n,) work of friction at each pair over the period, an energy.

        By the exact derivative of the slip, so that this work is that of the coefficients.
        """
        rates = self.basis.values @ self.basis.derivative(self.slips)
        stress = self.pairs.stress
        sums = np.einsum("knj,knj->n", stress, rates.reshape(stress.shape))
        return np.asarray(2.0 * np.pi / self.basis.samples * self.weights * sums)

    @property
    def slipping(self) -> int:
        """Number of pairs that slip in the period."""
        return int(np.count_nonzero(self.pairs.did & SLIPPED))

    @property
    def opening(self) -> int:
        """Number of pairs that open and close in the period."""
        both = OPENED | CLOSED
        return int(np.count_nonzero((self.pairs.did & both) == both))

    @property
    def slides(self) -> bool:
        """Whether all pairs that touch in the period slip in it."""
        touching = self.pairs.did[(self.pairs.did & CLOSED) != 0]
        return bool(len(touching) and (touching & SLIPPED).all())

    @property
    def closure(self) -> float:
        """How far the stresses are from being periodic; see `PairCycles`."""
        return float(self.pairs.closure.max(initial=0.0))


def over_cycle(
    joint: JointForce,
    coefficients: np.ndarray,
    basis: FourierBasis,
    frequency: float,
    history: np.ndarray,
    *,
    jacobian: bool,
) -> CycleResponse:
    """Return the force of a joint over a period; a pure function.

    Args:
        joint: its rows, laws and sticking limits.
        coefficients: (size, r) of the coordinates.
        basis: of the coefficients.
        frequency: angular frequency ω of the period; counts for laws that depend on time.
        history: (n, h) of the equilibrium about which the joint vibrates: the pairs' state before the first period.
        jacobian: whether to compute the derivatives.
    """
    own = (joint.rows.normal, joint.rows.tangential, joint.rows.weights, joint.rows.initial_gaps)
    rows = DenseJointRows(*map(np.ascontiguousarray, own))
    contact_law, friction_law = joint.contact_law, joint.friction_law
    n, _, r = rows.tangential.shape
    gaps = np.ascontiguousarray(basis.values @ (coefficients @ rows.normal.T) + rows.initial_gaps)
    of_slips = coefficients @ rows.tangential.reshape(2 * n, r).T
    slips = np.ascontiguousarray((basis.values @ of_slips).reshape(-1, n, 2))
    if joint.initial_slips is not None:
        slips += joint.initial_slips

    def at(omega: float, derivatives: bool) -> PairCycles:
        time_step = 2.0 * np.pi / (omega * basis.samples) if omega else 0.0
        return _pairs(
            contact_law, friction_law, gaps, slips, history, basis, time_step, derivatives, joint.limits
        )

    pairs = at(frequency, jacobian)
    force = rows.forces(basis.projection @ pairs.pressure, _projected(basis, pairs.stress))
    by_frequency = np.zeros_like(force)
    if jacobian and friction_law is not None and not friction_law.rate_independent:
        more = at(frequency * (1.0 + _STEP), False)
        change = _projected(basis, more.stress - pairs.stress)
        by_frequency = rows.forces(np.zeros(change.shape[:2]), change) / (_STEP * frequency)
    matrix = _jacobian(rows, pairs, basis.size) if jacobian else None
    return CycleResponse(force, matrix, by_frequency, pairs, rows.weights, of_slips, basis)


def _pairs(
    contact_law: ContactLaw,
    friction_law: FrictionLaw | None,
    gaps: np.ndarray,
    slips: np.ndarray,
    history: np.ndarray,
    basis: FourierBasis,
    time_step: float,
    derivatives: bool,
    limits: np.ndarray | None,
) -> PairCycles:
    """Return the laws over the period, by the kernel if there is one for them."""
    if limits is None and isinstance(contact_law, LinearPenalty) and type(friction_law) is Coulomb:
        pressure, stress, did, after, closure, derivative, springs = coulomb_over_cycle(
            gaps, slips, np.ascontiguousarray(history), contact_law.stiffness, friction_law.slider_stiffness,
            friction_law.sliding_stiffness, friction_law.friction_coefficient, basis.values, basis.projection,
            derivatives,
        )  # fmt: skip
        known = (derivative, springs) if derivatives else (None, None)
        return PairCycles(pressure, stress, did, after, closure, *known)
    return laws_over_cycle(
        contact_law,
        friction_law,
        gaps,
        slips,
        history,
        basis,
        time_step,
        derivatives=derivatives,
        limits=limits,
    )


def _projected(basis: FourierBasis, stress: np.ndarray) -> np.ndarray:
    """Return (size, n, 2) coefficients of stresses (samples, n, 2)."""
    return np.asarray((basis.projection @ stress.reshape(len(stress), -1)).reshape(-1, *stress.shape[1:]))


def _jacobian(rows: DenseJointRows, pairs: PairCycles, size: int) -> np.ndarray:
    """Return (size · r, size · r) ∂Q̂/∂X."""
    assert pairs.derivative is not None and pairs.springs is not None
    r = rows.normal.shape[1]
    closed = np.flatnonzero(pairs.did & CLOSED)
    found = np.zeros((r, size, size, r))
    pressed = stuck = np.zeros(len(closed), bool)
    if len(closed) > _FEW:
        pressed, stuck = pairs.springs[closed].T
        stuck = stuck & pressed
        three = _three_rows(rows, closed)
        stiffness = (
            pairs.derivative[closed, :, :, 0, 0].diagonal(axis1=1, axis2=2) * rows.weights[closed, None]
        )
        of_springs = np.column_stack([pressed, stuck, stuck])
        matrix = (three[of_springs].T * stiffness[of_springs]) @ three[of_springs]
        each = np.arange(size)
        found[:, each, each] = matrix[:, None]
    at_a_time = max(1, _NUMBERS_AT_A_TIME // (3 * size * size * r))
    # All forces of pairs that open, and the stresses of others that move.
    for first, those in ((0, closed[~pressed]), (1, closed[pressed & ~stuck])):
        for begin in range(0, len(those), at_a_time):
            which = those[begin : begin + at_a_time]
            three = _three_rows(rows, which)
            weighted = (three[:, first:] * rows.weights[which, None, None]).reshape(-1, r)
            blocks = pairs.derivative[which, first:].transpose(0, 1, 3, 4, 2).reshape(len(which), -1, 3)
            turned = (blocks @ three).reshape(len(weighted), -1)
            found += (weighted.T @ turned).reshape(found.shape)
    return found.transpose(1, 0, 2, 3).reshape(size * r, size * r)


def _three_rows(rows: DenseJointRows, which: np.ndarray) -> np.ndarray:
    """Return (m, 3, r) rows of gap and slips of some pairs."""
    return np.concatenate([rows.normal[which][:, None], rows.tangential[which]], axis=1)
