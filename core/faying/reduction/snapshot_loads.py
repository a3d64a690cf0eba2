"""Loads of the contact snapshots of a joint, on the unloaded body or on top of its mounting forces."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.reduction.condensed import CondensedContact
from faying.reduction.energy_coordinates import EnergyCoordinates, ShapeProducts
from faying.reduction.problem import JointModeProblem

SURFACE_SHARE = 0.1  # contact stiffness relative to the stiffness of the mesh at surface nodes
SHARES = (1.0, 4.0)  # change of the contact forces of a mounted body by each load, relative to these
_CLOSED = 1e-9  # initial gaps below this share of the body's size are round-off of the mesh
_UNFELT = 1e-4  # effect of a load on the joint, relative to the largest of the same energy, to leave it out
_DEPENDENT = 1e-4


@dataclass(frozen=True)
class MountedState:
    """The state of the body before the loads of the snapshots act.

    Attributes:
        force: (n_dofs,) mounting forces, which act all the time; zero without preload.
        initial_gaps: (n_pairs,) initial gaps minus the interference of the preload.
        touching: (n_pairs,) pairs that the preload presses together.
        pressing: (n_pairs,) their contact forces.
        in_trial_vectors: whether the trial vectors span it: the unloaded body, or that under a single preload mode.
    """

    force: np.ndarray
    initial_gaps: np.ndarray
    touching: np.ndarray
    pressing: np.ndarray
    in_trial_vectors: bool = True

    @property
    def is_mounted(self) -> bool:
        """Whether the preload presses any pair together."""
        return bool(self.touching.any())


@dataclass(frozen=True)
class SnapshotLoads:
    """Loads in factored form: the i-th is ``forces @ mixtures[:, i]``.

    Attributes:
        forces: (n_dofs, k) single loads.
        mixtures: (k, N).
        sizes: (N,) square roots of their energy.
    """

    forces: np.ndarray
    mixtures: np.ndarray
    sizes: np.ndarray


def vectors_of(problem: JointModeProblem) -> np.ndarray:
    """Return (n_dofs, m + p) component and preload modes, including those without elastic energy, held by contact.

    If these are the trial vectors, their array is returned, not a copy.
    """
    components, preloads = problem.components.modes, problem.preload_modes
    if preloads is None:
        return components
    if problem.trial_vectors.shape[1] == components.shape[1] + preloads.shape[1]:
        return problem.trial_vectors
    return np.hstack([components, preloads])


def mounted_states(problem: JointModeProblem, springs: np.ndarray) -> list[MountedState]:
    """Return the states around which snapshots are taken: each preload case, and all cases together.

    Without preload cases, or if none of them closes a pair, it is only the unloaded body.

    Args:
        problem: body and joints.
        springs: (n_pairs,) contact stiffness of each pair.
    """
    nothing = np.zeros(len(springs))
    unloaded = MountedState(
        np.zeros(problem.interior.n_dofs), problem.initial_gaps, np.zeros(len(springs), bool), nothing
    )
    preloads = problem.preloads
    if preloads is None:
        return [unloaded]
    vectors, every = vectors_of(problem), np.ones(len(springs), bool)
    body = EnergyCoordinates(ShapeProducts.of(problem, vectors), springs, every)
    cases = list(np.eye(len(preloads.names)))
    states = []
    for acting in [*cases, np.ones(len(cases))] if len(cases) > 1 else cases:
        force, gaps = preloads.forces @ acting, problem.initial_gaps - problem.closings @ acting
        load = body.of_loads(vectors.T @ force)
        _, pressing = CondensedContact(body.gaps, springs, gaps).equilibrium(load, every)
        if pressing.any():
            is_held = problem.with_preload_modes and acting.sum() == 1.0
            states.append(MountedState(force, gaps, pressing > 0, pressing, bool(is_held)))
    return states or [unloaded]


def snapshot_loads(
    problem: JointModeProblem,
    springs: np.ndarray,
    state: MountedState,
    combinations: int,
    amplitudes: Sequence[float],
    shares: Sequence[float],
) -> SnapshotLoads:
    """Return loads of each trial vector, of the interface nodes, and combinations of them.

    Single loads come in both directions. Half of the combinations mix the interface loads, half the trial
    vectors'; they are drawn evenly in energy, always the same ones. The energy is that of the body alone, or
    with the touching pairs tied when it is mounted.

    On a mounted body a load of size one changes the contact forces by their own norm if no pair opens; the sizes are
    multiples of that (`shares`). On an unloaded body without initial gaps sizes do not matter, and all loads have
    energy one; with gaps, each load moves the joint by multiples of the largest gap (`amplitudes`).

    Args:
        problem: body and joints.
        springs: (n_pairs,) contact stiffness of each pair.
        state: the body before these loads.
        combinations: number of combined loads.
        amplitudes: multiples of the largest initial gap.
        shares: multiples of the contact forces of the mounted body.
    """
    vectors = vectors_of(problem)
    joined = state.touching if state.is_mounted else np.ones(len(springs), bool)
    body = EnergyCoordinates(ShapeProducts.of(problem, vectors), springs, joined)
    resistance = body.stiffening if state.is_mounted else np.ones(len(body.stiffening))
    outer = interface_loads(problem)
    forces = np.hstack([problem.interior.matrices.stiffness @ problem.trial_vectors, outer])
    coordinates = body.of_loads(vectors.T @ forces) / np.sqrt(resistance)[:, None]
    energies = np.linalg.norm(coordinates, axis=0)
    felt = energies > 0
    forces, coordinates = forces[:, felt] / energies[felt], coordinates[:, felt] / energies[felt]
    inner = int(felt[: -outer.shape[1] or None].sum())

    generator = np.random.default_rng(0)
    singles, mixed = np.eye(forces.shape[1]), []
    for part, number in (
        (slice(inner, None), combinations // 2 if inner < forces.shape[1] else 0),
        (slice(None, inner), combinations - (combinations // 2 if inner < forces.shape[1] else 0)),
    ):
        mixture = np.zeros((forces.shape[1], number))
        if number:
            mixture[part] = _even_mixtures(coordinates[:, part], number, generator)
        mixed.append(mixture)
    mixtures = np.hstack([singles, -singles, *mixed])

    answers = (coordinates @ mixtures) / np.sqrt(resistance)[:, None]
    if state.is_mounted:
        tied = springs[state.touching, None] * (body.gaps[state.touching] @ answers)
        reach = np.linalg.norm(tied, axis=0) / np.linalg.norm(state.pressing)
        factors = shares
    else:
        open_by = float(np.abs(state.initial_gaps).max(initial=0.0))
        reach = np.abs(body.gaps @ answers).max(axis=0)
        is_open = open_by > _CLOSED * float(np.ptp(problem.interior.nodes, axis=0).max())
        factors = [amplitude * open_by for amplitude in amplitudes] if is_open else ()
    moving = reach > _UNFELT * reach.max(initial=0.0)  # loads without effect on the joint are left out
    mixtures, reach = mixtures[:, moving], reach[moving]
    if factors:
        mixtures = np.hstack([mixtures * (factor / reach) for factor in factors])
    return SnapshotLoads(forces, mixtures, np.linalg.norm(coordinates @ mixtures, axis=0))


def _even_mixtures(coordinates: np.ndarray, number: int, generator: np.random.Generator) -> np.ndarray:
    """Return (k, number) random mixtures of loads (r, k), evenly distributed over the directions that these span."""
    _, values, transposed = la.svd(coordinates, full_matrices=False)
    kept = values > _DEPENDENT * values[0]
    # Random numbers per load, mapped by a symmetric matrix: the result does not depend on signs of singular vectors.
    directions = transposed[kept] @ generator.standard_normal((coordinates.shape[1], number))
    directions /= np.linalg.norm(directions, axis=0)
    return np.asarray((transposed[kept].T / values[kept]) @ directions)


def interface_loads(problem: JointModeProblem) -> np.ndarray:
    """Return (n_dofs, k) a unit load at each interface dof, with reactions at the others that hold the body.

    The first (up to six) independent interface dofs take the reactions, as the support of an analysis does.
    """
    dofs = problem.interior.interface_dofs
    rigid = problem.interior.rigid_modes[dofs]
    scaled = rigid / np.linalg.norm(rigid, axis=1, keepdims=True)
    support: list[int] = []
    span = np.zeros((6, 0))
    for i, row in enumerate(scaled):
        rest = row - span @ (span.T @ row)
        if np.linalg.norm(rest) > 1e-6 and len(support) < 6:
            support.append(i)
            span = np.column_stack([span, rest / np.linalg.norm(rest)])
    others = np.setdiff1d(np.arange(len(dofs)), support)
    forces = np.zeros((problem.interior.n_dofs, len(others)))
    forces[dofs[others], np.arange(len(others))] = 1.0
    reactions, *_ = np.linalg.lstsq(rigid[support].T, -rigid[others].T)
    forces[dofs[support]] = reactions
    return forces
