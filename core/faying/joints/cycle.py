"""The force of a joint over a period of motion: Fourier coefficients from those of the coordinates, and back.

With the coordinates q(θ) = Σ_a X_a b_a(θ) over a Fourier basis b, gap and slip of a pair are such sums, too. The laws
give pressure and friction stress at the samples of a period, and the coefficients of the generalised force are

    Q̂ = Gnᵀ(w p̂) − Gtᵀ(w τ̂),    ∂Q̂/∂X = Σ w Aᵀ G A,

with a pair's three rows A and the derivative G of its forces (`faying.joints.cycle_laws`).
"""

from dataclasses import dataclass

import numpy as np

from faying.joints.contact_laws import ContactLaw
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.cycle_kernels import coulomb_over_cycle
from faying.joints.cycle_laws import CLOSED, OPENED, SLIPPED, PairCycles, laws_over_cycle
from faying.joints.fourier import FourierBasis
from faying.joints.friction_laws import FrictionLaw
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce

_STEP = 1e-6  # change of the frequency over itself, for the derivative by it
_AT_A_TIME = 1000  # pairs that change between open, sticking and slipping, in one product


@dataclass(frozen=True, eq=False)
class CycleRows:
    """Rows of a joint over r coordinates, contiguous.

    Attributes:
        normal, tangential: (n, r) and (n, 2, r).
        weights, initial_gaps: (n,).
    """

    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray

    def forces(self, pressure: np.ndarray, stress: np.ndarray) -> np.ndarray:
        """Return (…, r) generalised forces of pressures (…, n) and friction stresses (…, n, 2)."""
        n, _, r = self.tangential.shape
        pushed = (pressure * self.weights) @ self.normal
        sheared = (stress * self.weights[:, None]).reshape(*pressure.shape[:-1], 2 * n)
        return np.asarray(pushed - sheared @ self.tangential.reshape(2 * n, r))


@dataclass(frozen=True, eq=False)
class CycleResponse:
    """A joint over a period of motion.

    Attributes:
        force: (size, r) coefficients of the generalised force.
        jacobian: (size · r, size · r) their derivative by the coefficients of the coordinates; None if not requested.
        by_frequency: (size, r) their derivative by the angular frequency; zero for laws that do not depend on time.
        work: (n,) work of friction at each pair over the period, an energy.
        pairs: pressures, stresses and what the pairs did.
    """

    force: np.ndarray
    jacobian: np.ndarray | None
    by_frequency: np.ndarray
    work: np.ndarray
    pairs: PairCycles

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
    rows = CycleRows(*map(np.ascontiguousarray, own))
    contact_law, friction_law = joint.contact_law, joint.friction_law
    n, _, r = rows.tangential.shape
    gaps = np.ascontiguousarray(basis.values @ (coefficients @ rows.normal.T) + rows.initial_gaps)
    of_slips = coefficients @ rows.tangential.reshape(2 * n, r).T
    slips = np.ascontiguousarray((basis.values @ of_slips).reshape(-1, n, 2))

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
    # By the exact derivative of the slip, so that this work is that of the coefficients.
    rates = (basis.values @ basis.derivative(of_slips)).reshape(-1, n, 2)
    work = 2.0 * np.pi / basis.samples * rows.weights * np.einsum("knj,knj->n", pairs.stress, rates)
    matrix = _jacobian(rows, pairs, basis.size) if jacobian else None
    return CycleResponse(force, matrix, by_frequency, work, pairs)


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
        pressure, stress, did, after, closure, derivative = coulomb_over_cycle(
            gaps, slips, np.ascontiguousarray(history), contact_law.stiffness, friction_law.slider_stiffness,
            friction_law.sliding_stiffness, friction_law.friction_coefficient, basis.values, basis.projection,
            derivatives,
        )  # fmt: skip
        return PairCycles(pressure, stress, did, after, closure, derivative if derivatives else None)
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


def _jacobian(rows: CycleRows, pairs: PairCycles, size: int) -> np.ndarray:
    """Return (size · r, size · r) ∂Q̂/∂X."""
    assert pairs.derivative is not None
    r = rows.normal.shape[1]
    found = np.zeros((size, r, size, r))
    closed = np.flatnonzero(pairs.did & CLOSED)
    of_closed = pairs.derivative[closed]
    # Pairs that stick, or slide without friction, through the whole period are springs, the same in all harmonics.
    diagonal = np.diagonal(of_closed[:, :, :, 0, 0], axis1=1, axis2=2)
    springs = np.zeros_like(of_closed)
    for j in range(3):
        springs[:, j, j] = diagonal[:, j, None, None] * np.eye(size)
    steady = (of_closed == springs).all(axis=(1, 2, 3, 4))
    if steady.any():
        which = closed[steady]
        three = _three_rows(rows, which)
        stiffness = diagonal[steady] * rows.weights[which][:, None]
        matrix = three.reshape(-1, r).T @ (stiffness.reshape(-1, 1) * three.reshape(-1, r))
        for a in range(size):
            found[a, :, a] = matrix
    moving, of_moving = closed[~steady], of_closed[~steady]
    for first in range(0, len(moving), _AT_A_TIME):
        which = moving[first : first + _AT_A_TIME]
        three = _three_rows(rows, which)
        weighted = (three * rows.weights[which][:, None, None]).reshape(-1, r)
        blocks = of_moving[first : first + _AT_A_TIME].transpose(3, 0, 1, 4, 2)
        for a in range(size):
            turned = blocks[a].reshape(len(which), 3 * size, 3) @ three
            found[a] += (weighted.T @ turned.reshape(3 * len(which), size * r)).reshape(r, size, r)
    return found.reshape(size * r, size * r)


def _three_rows(rows: CycleRows, which: np.ndarray) -> np.ndarray:
    """Return (m, 3, r) rows of gap and slips of some pairs."""
    return np.concatenate([rows.normal[which][:, None], rows.tangential[which]], axis=1)
