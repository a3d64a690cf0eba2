"""Linear states of a jointed body: closed pairs as springs in all directions (stuck), or along the normal (sliding).

A joint under preload moves in small vibrations between these two: pairs that stick are springs of the friction law's
first stiffness, pairs that slide have none sideways. The component modes of both states hold what a joint that carries
load by friction needs: with the trial vectors of the free parts alone a stuck joint shears too stiffly (friction bar of
2 821 pairs: first frequency 9 % too high, third 71 %).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import JointResponse, SparseJointForce
from faying.joints.kinematics import SparseRows
from faying.joints.linearized import PairSprings, Sticking, pair_springs, touching_springs
from faying.progress import PartialProgress, Progress
from faying.reduction.fixed_interface_modes import fixed_interface_modes
from faying.reduction.free_modes import free_free_modes
from faying.reduction.interior import InteriorProblem

LEAST = 1e-3  # of the largest stiffness sideways, that a pair has which slides
STATES: tuple[Sticking, ...] = ("stuck", "sliding")

Laws = tuple[ContactLaw, FrictionLaw | None]


@dataclass(frozen=True, eq=False)
class LinearState:
    """The body with its closed pairs as springs.

    Attributes:
        sticking: whether closed pairs hold each other sideways.
        springs: of each joint.
        interior: the body with these springs, held at its interface nodes.
    """

    sticking: Sticking
    springs: tuple[PairSprings, ...]
    interior: InteriorProblem


def with_springs(
    interior: InteriorProblem, rows: Sequence[SparseRows], springs: Sequence[PairSprings]
) -> InteriorProblem:
    """Return the problem of the body with springs between its surfaces, held at the same interface nodes.

    Args:
        interior: of the body without them.
        rows: of each joint.
        springs: of each joint.
    """
    stiffness = interior.matrices.stiffness
    for of_joint, found in zip(rows, springs, strict=True):
        stiffness = stiffness + found.over_dofs(of_joint)
    matrices = replace(interior.matrices, stiffness=sp.csr_matrix(stiffness))
    nodes = interior.interface_nodes.tolist()
    return InteriorProblem(matrices, interior.nodes, nodes, interior.components, (), interior.node_ids)


def linear_states(
    interior: InteriorProblem, rows: Sequence[SparseRows], laws: Sequence[Laws], mounted: np.ndarray
) -> tuple[LinearState, ...]:
    """Return the stuck and the sliding state of a mounted body; one without friction, none without closed pairs.

    Args:
        interior: the body held at its interface nodes.
        rows: of each joint, with the gaps that the preload leaves at zero displacement.
        laws: contact and friction law of each joint.
        mounted: (n_dofs,) displacements of the body under its preload; zero without any.
    """
    found = []
    for sticking in STATES if any(friction is not None for _, friction in laws) else STATES[1:]:
        springs = tuple(
            _at_rest(of_joint, law, mounted, sticking) for of_joint, law in zip(rows, laws, strict=True)
        )
        if any(each.closed for each in springs):
            found.append(LinearState(sticking, springs, with_springs(interior, rows, springs)))
    return tuple(found)


def _at_rest(rows: SparseRows, laws: Laws, mounted: np.ndarray, sticking: Sticking) -> PairSprings:
    """Return the springs of a joint at rest. Where no pair is under pressure, those that touch are taken as closed."""
    contact, friction = laws
    force = SparseJointForce(rows, contact, friction)
    answer = force.evaluate(mounted, force.resting_history(mounted), 0.0, jacobian=True)
    if answer.closed.touching.any():
        return pair_springs(contact, friction, answer, rows.weights, sticking)
    return touching_springs(contact, friction, force.gaps(mounted), rows.weights, sticking)


def tangent_springs(answer: JointResponse, weights: np.ndarray) -> PairSprings:
    """Return the tangent stiffness of a joint in a state, as springs that are never negative.

    Sideways it is the symmetric part of the friction law's tangent. A pair that slides has none along its way; it gets
    a small part of the stiffness that it has when it sticks, so that a part held by friction alone does not fly off.

    Args:
        answer: of the joint, with derivatives.
        weights: (n,) areas.
    """
    closed, n = answer.closed, answer.n
    normal, tangential = np.zeros(n), np.zeros((n, 2, 2))
    normal[closed.pairs] = -closed.d_pressure * weights[closed.pairs]
    if closed.d_slip is not None and len(closed.pairs):
        values, vectors = np.linalg.eigh(0.5 * (closed.d_slip + closed.d_slip.transpose(0, 2, 1)))
        values = np.maximum(values, LEAST * values.max(initial=0.0))
        symmetric = np.einsum("nij,nj,nkj->nik", vectors, values, vectors)
        tangential[closed.pairs] = weights[closed.pairs, None, None] * symmetric
    return PairSprings(normal, tangential)


def component_shapes(
    state: LinearState, count: int, loads: np.ndarray, progress: Progress, *, free: bool
) -> np.ndarray:
    """Return (n_dofs, k) the component modes of a linear state: static shapes, and vibration modes.

    Static shapes are those of unit motions of the interface nodes and of loads, as in the method of Craig and Bampton
    (1968); for a basis without constraint modes they are those of the free body under loads, with its free modes.

    Args:
        state: of the body.
        count: number of vibration modes.
        loads: (n_dofs, p) of the body.
        progress: reports and cancels.
        free: whether the shapes are those of the free body.
    """
    interior = state.interior
    interior.prepare(PartialProgress(progress, 0.0, 0.4, f"factorisation, {state.sticking}"))
    part = PartialProgress(progress, 0.4, 1.0, f"{state.sticking} modes")
    if free:
        modes = free_free_modes(interior, count, part, apart=True) if count else loads[:, :0]
        outer = np.zeros((interior.n_dofs, len(interior.interface_dofs)))
        outer[interior.interface_dofs, np.arange(outer.shape[1])] = 1.0
        return np.hstack([modes, interior.solve_free(np.hstack([outer, loads]), apart=True)])
    modes = fixed_interface_modes(interior, count, part) if count else loads[:, :0]
    motions, mass = interior.free_motions, interior.matrices.mass
    balanced = loads - mass @ (motions @ (motions.T @ loads))
    return np.hstack([modes, interior.constraint_modes(), interior.solve(balanced)])
