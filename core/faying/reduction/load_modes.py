"""Load modes: static responses of a body to its own loads, as trial vectors.

Component modes represent the response to loads at interface nodes, but only roughly that to a pressure or the weight.
With the static response to such a load among the trial vectors, the reduced body is exact in statics (attachment modes,
Craig 1995; load-dependent Ritz vectors begin with them, Wilson 1982).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import ModelError, ReadError
from faying.fem.assembly import rigid_body_modes
from faying.fem.densities import require_densities
from faying.fem.matrices import DofMap, StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.support_sections import support_sections, unsupported_body
from faying.fem.tie_sections import tie_sections, untied_body
from faying.linalg.products import blocks
from faying.progress import Progress
from faying.records import record
from faying.reduction.body_loads import BodyLoad, LoadedBody, no_body_load
from faying.reduction.interior import ROUND_OFF, InteriorProblem


@record("load_modes", read_only=True)
class LoadModes:
    """Loads of an unreduced body and its responses, one column per load.

    Attributes:
        names: (p,) of the loads.
        forces: (n_dofs, p) at full size.
        modes: (n_dofs, p) static responses: with the interface nodes held, or of the free body in balance with its
            inertia where the component modes do not hold every static shape of these nodes; without rigid content.
        not_in_motion: (p,) why a load cannot act on a part of a moving system; "" for one that can.
        temperatures: (p,) temperature changes of each load at the nodes of all elements, element by element; None for a
            load that is no temperature.
        on_ties: (t, 6, p) resultants of the loads that act directly on the tied nodes of each tie, about their mean.
        on_supports: (s, 6, p) the same of each held surface.
    """

    names: tuple[str, ...]
    forces: np.ndarray
    modes: np.ndarray
    not_in_motion: tuple[str, ...]
    temperatures: tuple[np.ndarray | None, ...]
    on_ties: np.ndarray | None = None
    on_supports: np.ndarray | None = None

    def columns(self, names: Sequence[str]) -> np.ndarray:
        """Return (n_dofs, k) forces of loads by name.

        Raises:
            ModelError: when there is no such load.
        """
        return self.forces[:, numbers_of(names, self.names)]


@record("reduced_loads", read_only=True)
class ReducedLoads:
    """The loads of a body in its reduced coordinates.

    Attributes:
        names: (p,) of the loads.
        forces: (r, p) generalised forces at full size, in the body's frame.
        resultants: (6, p) forces F and moments about the origin; zero for temperatures.
        torques: (p, 3, r) moments about the origin per unit of each coordinate, ∫ φ_j × f.
        moments: (p, 3, 3) ∫ x fᵀ, from which the torques in another frame follow.
        missed: (p, p) Wᵀ K W of the parts W = w − Φ c of the responses w that the trial vectors cannot represent; zero
            where load modes are trial vectors.
        not_in_motion, temperatures: (p,) see `LoadModes`.
    """

    names: tuple[str, ...]
    forces: np.ndarray
    resultants: np.ndarray
    torques: np.ndarray
    moments: np.ndarray
    missed: np.ndarray
    not_in_motion: tuple[str, ...]
    temperatures: tuple[np.ndarray | None, ...]

    def seen_from(self, motion: np.ndarray) -> "ReducedLoads":
        """Return the loads of the body in another frame.

        Args:
            motion: (6, r) rigid motion about the origin that the new frame takes out of each mode.
        """
        forces = self.forces - motion.T @ self.resultants
        # A rigid motion t + θ × x brings t × F + ∫ (θ × x) × f = t × F + (S − tr S) θ with S = ∫ x fᵀ.
        torques = self.torques.copy()
        for k, spread in enumerate(self.moments):
            torques[k] -= np.cross(motion[:3].T, self.resultants[:3, k]).T
            torques[k] -= (spread - np.trace(spread) * np.eye(3)) @ motion[3:]
        return replace(self, forces=forces, torques=torques)


def load_modes(
    interior: InteriorProblem,
    loads: Sequence[BodyLoad],
    on: LoadedBody,
    free: bool,
    progress: Progress,
) -> LoadModes:
    """Return the loads of a body with its static responses.

    Args:
        interior: the body held at its interface nodes.
        loads: of the body.
        on: name of the object on which they act.
        free: whether the body responds free instead of held, in balance with its inertia.
        progress: reports and cancels.

    Raises:
        ModelError: when a load names something that does not exist, or is zero.
        SolveError: when the body held at its interface nodes can still move.
    """
    forces = np.zeros((interior.n_dofs, len(loads)))
    for k, load in enumerate(loads):
        progress.report(0.1 * k / len(loads), f"load {load.name}")
        try:
            if load.acts_on_mass(on.model) and not on.imported:
                require_densities(on.model, "it")
            forces[:, k] = load.forces(on)
        except (ModelError, ReadError) as error:  # some are read from files
            raise ModelError(f"Load {load.name!r}: {error.message}", error.hint) from None
        if not forces[:, k].any():
            raise ModelError(f"Load {load.name!r} has no size.", "Give it one, or remove it.")
    interior.prepare(progress)
    if free:
        modes = interior.solve_free(forces, apart=bool(len(interior.loose_motions.T)))
    else:
        motions, mass = interior.free_motions, interior.inertia
        modes = interior.solve(forces - mass @ (motions @ (motions.T @ forces)))
    names, reasons = (tuple(getattr(load, what) for load in loads) for what in ("name", "not_in_motion"))
    temperatures = tuple(load.temperatures(on.model) for load in loads)
    modes = interior.without_rigid_content(modes)

    def acting(model: FeModel, matrices: StructuralMatrices) -> np.ndarray:
        there = replace(on, model=model, matrices=matrices)
        return np.column_stack([load.forces(there) for load in loads])

    known = None if on.imported else (on.model, on.matrices.dofs, acting)
    return LoadModes(
        names, forces, modes, reasons, temperatures,
        None if known is None else forces_on_ties(*known), None if known is None else forces_on_supports(*known),
    )  # fmt: skip


ForcesOn = Callable[[FeModel, StructuralMatrices], np.ndarray]
"""Function from a body without its ties or supports, and its matrices, to the forces (n_dofs, p) of loads on it."""


def forces_on_ties(model: FeModel, dofs: DofMap, forces: ForcesOn) -> np.ndarray | None:
    """Return (t, 6, p) resultants of loads directly on the nodes of each tie; None without ties.

    Args:
        model: the body's.
        dofs: of its matrices.
        forces: of the loads.
    """
    if not model.ties:
        return None
    apart, untied = untied_body(model)
    there = forces(apart, untied)
    return np.stack([section.sums @ there for section in tie_sections(model, dofs, untied)])


def forces_on_supports(model: FeModel, dofs: DofMap, forces: ForcesOn) -> np.ndarray | None:
    """Return (s, 6, p) the same on each held surface; None if all are held by springs. Arguments as above."""
    if all(surface.is_elastic for surface in model.held_surfaces):
        return None
    apart, unsupported = unsupported_body(model)
    there = forces(apart, unsupported)
    none = np.zeros((6, there.shape[1]))
    sections = support_sections(model, dofs, unsupported)
    return np.stack([none if each.sums is None else each.sums @ there for each in sections])


def reduced_loads(
    nodes: np.ndarray,
    matrices: StructuralMatrices,
    modes: np.ndarray,
    loads: LoadModes,
    elastic: np.ndarray,
) -> ReducedLoads:
    """Return the loads projected on trial vectors Φ (n_dofs, r), with the errors of the responses in them.

    Args:
        nodes: (n_nodes, 3) coordinates.
        matrices: of the free body.
        modes: Φ.
        loads: the loads and the responses to them.
        elastic: Φᵀ K Φ (r, r).
    """
    rigid = rigid_body_modes(nodes, matrices.dofs)
    # Temperatures act within the body alone: their forces turn with the material and have no resultant.
    outer = np.array([temperatures is None for temperatures in loads.temperatures], float)
    turned, moved = _virials(nodes, matrices, modes, loads.forces * outer)
    return ReducedLoads(
        loads.names,
        modes.T @ loads.forces,
        rigid.T @ loads.forces * outer,
        turned,
        moved,
        _missed_energies(matrices.stiffness, modes, loads.modes, elastic),
        loads.not_in_motion,
        loads.temperatures,
    )


def _virials(
    nodes: np.ndarray, matrices: StructuralMatrices, modes: np.ndarray, forces: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return Σ φ × f (p, 3, r) and Σ x fᵀ (p, 3, 3) of forces (n_dofs, p) over nodes whose displacements are dofs.

    Forces on coupled nodes count at their reference nodes.
    """
    own, count = matrices.dofs.own_rows, forces.shape[1]
    here = np.flatnonzero((own >= 0) & (own < 3 * matrices.dofs.n_nodes))
    loaded = here[forces[here].any(axis=1)]
    at = np.zeros((matrices.dofs.n_nodes, 3, count))
    at[own[loaded] // 3, own[loaded] % 3] = forces[loaded]
    carries = np.zeros(len(at), bool)
    carries[own[loaded] // 3] = True
    here = here[carries[own[here] // 3]]
    products = np.zeros((3, 3, count, modes.shape[1]))  # of components of the shapes and of the forces
    for part in blocks(len(here)):
        rows = here[part]
        there, shapes, direction = at[own[rows] // 3], modes[rows], own[rows] % 3
        for c in range(3):
            for d in range(3):
                products[c, d] += there[direction == c, d].T @ shapes[direction == c]
    moved = np.einsum("na,ndp->pad", nodes, at)
    turned = [products[(c + 1) % 3, (c + 2) % 3] - products[(c + 2) % 3, (c + 1) % 3] for c in range(3)]
    return np.stack(turned, axis=1), moved


def _missed_energies(
    stiffness: sp.csr_matrix, modes: np.ndarray, responses: np.ndarray, elastic: np.ndarray
) -> np.ndarray:
    """Return (p, p) Wᵀ K W of the responses minus their best approximation by trial vectors in the elastic energy."""
    forces = stiffness @ responses
    diagonal = np.diag(elastic)
    scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    normal = scale[:, None] * elastic * scale
    amounts = scale[:, None] * la.lstsq(normal, scale[:, None] * (modes.T @ forces), cond=1e-12)[0]
    rest = responses - modes @ amounts
    missed = np.asarray(rest.T @ (stiffness @ rest))
    # If the terms of a sum cancel, the remainder is round-off.
    kept = np.diag(missed) > ROUND_OFF * (np.abs(stiffness.diagonal()) @ responses**2)
    return missed * np.outer(kept, kept)


def missed_share(loads: ReducedLoads | None, amounts: dict[str, float], stored: float) -> float:
    """Return the relative error, in the energy norm, of an equilibrium under loads of the body.

    It is exact for a body without joints whose trial vectors contain the static shapes of its interface nodes: the
    missing part of the responses is then orthogonal to the reduced state in the elastic energy.

    Args:
        loads: of the reduced body; None without any.
        amounts: factor of each load by name.
        stored: twice the elastic energy of the reduced state.
    """
    if loads is None or not amounts:
        return 0.0
    factors = np.array([amounts.get(name, 0.0) for name in loads.names])
    energy = max(float(factors @ loads.missed @ factors), 0.0)
    whole = energy + stored
    return float(np.sqrt(energy / whole)) if whole > 0.0 else 0.0


def numbers_of(names: Sequence[str], known: tuple[str, ...]) -> list[int]:
    """Return the columns of loads by name.

    Raises:
        ModelError: when there is no such load.
    """
    for name in names:
        if name not in known:
            raise no_body_load(name, known)
    return [known.index(name) for name in names]
