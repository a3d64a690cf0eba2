"""Where the energy of a vibration of a system is, and what damps it: shares of parts, joints, forces and contacts.

With the complex shape φ of a mode, its eigenvalue λ and x̄ᵀ A x = φ̄ᵀ A φ, a system with symmetric matrices obeys

    φ̄ᵀ K φ = |λ|² φ̄ᵀ M φ    and    φ̄ᵀ D φ = 2 ζ |λ| φ̄ᵀ M φ,

so the stiffness of each spring, over the right-hand side, is its share of the potential energy, and the damping of each
damper, over 2 |λ| φ̄ᵀ M φ, its contribution to the damping ratio ζ (Ungar and Kerwin 1962, Loss factors of viscoelastic
systems in terms of energy concepts, J. Acoust. Soc. Am. 34). Where parts turn, or friction slips, gyroscopic and
unsymmetric terms have no energy, and the shares need not add up to one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from faying.multibody.history import History
from faying.multibody.linearized import Vibrations, joint_stiffnesses, tangent_at
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem


@dataclass(frozen=True, eq=False)
class Share:
    """The share that one owner has in each of k modes.

    Attributes:
        quantity: "kinetic energy", "potential energy", "potential energy of weight and reactions" or "damping ratio".
        kind: kind of the owner: "part", "joint", "force", "contact"; "" for weight and reactions together.
        owner: its name.
        part: the part that has the joint; "" for other owners.
        values: (k,) share of the energy, or contribution to the damping ratio.
    """

    quantity: str
    kind: str
    owner: str
    part: str
    values: np.ndarray


def mode_shares(
    system: MultibodySystem,
    q: np.ndarray,
    v: np.ndarray,
    multipliers: np.ndarray,
    history: History,
    found: Vibrations,
    time: float = 0.0,
    joint_springs: Sequence[np.ndarray] | None = None,
) -> Iterator[Share]:
    """Yield the shares of all parts, joints, forces and contacts in vibrations about a state.

    Args:
        system, q, v, multipliers, history, time, joint_springs: as of `faying.multibody.linearized.linearized`.
        found: vibrations about the state, none of them with the eigenvalue zero.
    """
    x, size = found.shapes, np.abs(found.eigenvalues)
    mass = system.mass(q)
    whole = _forms(mass, x)
    stored, damped = size**2 * whole, 2.0 * size * whole
    parts = [(part, at) for part, at in zip(system.parts, system.ranges, strict=True) if at.stop > at.start]
    for part, at in parts:
        yield Share("kinetic energy", "part", part.name, "", _forms(mass[at, at], x[at]) / whole)
    left = _forms(tangent_at(system, time, q, v, multipliers, history)[0], x) / stored
    of_joints = joint_stiffnesses(system, q, history)
    for (k, joint), tangent, own in zip(
        system.numbered_joints, of_joints, joint_springs or of_joints, strict=True
    ):
        flexible = x[system.ranges[k].start + RIGID : system.ranges[k].stop]
        left -= _forms(tangent, flexible) / stored
        name = getattr(joint.rows, "name", "")
        yield Share("potential energy", "joint", name, system.parts[k].name, _forms(own, flexible) / stored)
    for part, at in parts:
        if at.stop - at.start > RIGID:
            strain = _sums(part.strain_energy, x[at]) * 2.0 / stored
            left -= strain
            yield Share("potential energy", "part", part.name, "", strain)
            taken = _sums(part.dissipation, x[at]) / damped
            if taken.any():
                yield Share("damping ratio", "part", part.name, "", taken)
    for force, stiffness, damping in system.force_tangents(time, q, v, history):
        share, taken = _forms(stiffness, x) / stored, _forms(damping, x) / damped
        left -= share
        if share.any():
            yield Share("potential energy", "force", force.name, "", share)
        if taken.any():
            yield Share("damping ratio", "force", force.name, "", taken)
    for name, stiffness in system.contact_stiffnesses(q, history):
        share = _forms(stiffness, x) / stored
        left -= share
        yield Share("potential energy", "contact", name, "", share)
    yield Share("potential energy of weight and reactions", "", "", "", left)


def _forms(matrix: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return (k,) the real parts of x̄ᵀ A x for the columns of x (n, k)."""
    return np.asarray(np.einsum("ik,ik->k", x.conj(), matrix @ x).real)


def _sums(form: Callable[[np.ndarray], float], x: np.ndarray) -> np.ndarray:
    """Return (k,) a quadratic form of the real and of the imaginary part of each column of x, added up."""
    return np.array([form(column.real) + form(column.imag) for column in x.T])
