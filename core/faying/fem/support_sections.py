"""Reactions of supports: the forces that supports exert on their surfaces.

Springs exert stiffness times elongation. A held node follows the ground, so its reaction does not appear in the body's
equations. It is computed from the body without supports: f = K' u − f', the elastic force at the held nodes minus
loads, contact and inertia forces there, along the held directions. If two supports hold a node, such as at the edge
between two planes of symmetry, each bears the component of f along its own directions; if these are not orthogonal, the
smallest parts that sum to f (Moore-Penrose).
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from faying.fem.assembly import assemble, nodes_with_rotations
from faying.fem.couplings import cross_matrices, resolve_kinematic_couplings, term_dofs
from faying.fem.foundations import spring_motion
from faying.fem.matrices import DofMap, StructuralMatrices
from faying.fem.model import FeModel, HeldSurface, LinearEquations


@dataclass(frozen=True, eq=False)
class SupportSection:
    """Operators for the reaction of one support of a body.

    Attributes:
        sums: CSR (6, n) from forces on the dofs of the unsupported body to their resultant force and moment; None for a
            support on springs.
        rows: CSR (6, n_dofs) from displacements of the supported body to the resultant of the elastic forces.
        inertia: CSR (6, n_dofs) from accelerations to the resultant of the inertia forces; None for a support on
            springs.
    """

    sums: sp.csr_matrix | None
    rows: sp.csr_matrix
    inertia: sp.csr_matrix | None = None


def unsupported_body(model: FeModel) -> tuple[FeModel, StructuralMatrices]:
    """Return the body without the couplings and equations of its supports, and its matrices; springs are kept.

    Equations that yield to a support are inactive in the unsupported body too.
    """
    grounds = {surface.ground for surface in model.held_surfaces}
    apart = replace(
        model,
        couplings=tuple(c for c in model.couplings if c.reference not in grounds),
        equations=_equations_beside_supports(model, grounds),
        held_surfaces=(),
    )
    return apart, assemble(apart)


def _equations_beside_supports(model: FeModel, grounds: set[int]) -> tuple[LinearEquations, ...]:
    """Return a model's active equations apart from those of its supports, in their order."""
    rotation_nodes = nodes_with_rotations(model)
    alone = replace(
        model, couplings=tuple(c for c in model.couplings if c.reference in grounds), equations=()
    )
    held = np.zeros(3 * (len(model.nodes) + len(rotation_nodes)), bool)
    held[resolve_kinematic_couplings(alone, rotation_nodes).rows] = True
    names = {surface.equations for surface in model.held_surfaces}
    found = []
    for equations in model.equations:
        first = term_dofs(model, rotation_nodes, equations)[equations.starts[:-1]]
        if equations.name in names:
            held[first] = True  # those before them take precedence
            continue
        if equations.yields and held[first].any():
            equations = _some_of(equations, ~held[first])
        found.append(equations)
    return tuple(found)


def _some_of(equations: LinearEquations, kept: np.ndarray) -> LinearEquations:
    """Return the equations selected by a mask (n,)."""
    counts = np.diff(equations.starts)
    terms = np.repeat(kept, counts)
    return replace(
        equations,
        starts=np.concatenate([[0], np.cumsum(counts[kept])]),
        nodes=equations.nodes[terms],
        components=equations.components[terms],
        coefficients=equations.coefficients[terms],
    )


def support_sections(
    model: FeModel, dofs: DofMap, unsupported: StructuralMatrices | None
) -> tuple[SupportSection, ...]:
    """Return a section for each of the model's held surfaces, in their order.

    Args:
        model: with its supports.
        dofs: of its matrices.
        unsupported: matrices of the unsupported body (`unsupported_body`); None if all supports are elastic.
    """
    shares = _shares(model, None if unsupported is None else unsupported.dofs)
    return tuple(
        _on_springs(model, surface, dofs)
        if surface.is_elastic
        else _held(model, surface, shares[i], dofs, unsupported)
        for i, surface in enumerate(model.held_surfaces)
    )


def _on_springs(model: FeModel, surface: HeldSurface, dofs: DofMap) -> SupportSection:
    rows = sp.csr_matrix((6, dofs.n_dofs))
    for springs in model.foundations:
        if springs.name != surface.name:
            continue
        stretched = spring_motion(model, dofs.rotation_nodes, springs) @ dofs.transformation
        forces = -sp.block_diag([sp.csr_matrix(k) for k in springs.stiffness], format="csr") @ stretched
        arms = cross_matrices(model.nodes[springs.nodes] - surface.middle)
        sums = np.concatenate([np.broadcast_to(np.eye(3), arms.shape), arms.transpose(0, 2, 1)], axis=1)
        rows = rows + sp.csr_matrix(sums.transpose(1, 0, 2).reshape(6, -1)) @ forces
    return SupportSection(None, sp.csr_matrix(rows))


def _held(
    model: FeModel,
    surface: HeldSurface,
    shares: tuple[np.ndarray, np.ndarray],
    dofs: DofMap,
    unsupported: StructuralMatrices | None,
) -> SupportSection:
    assert unsupported is not None
    own, n = unsupported.dofs.own_rows, len(model.nodes)
    moves = own < 3 * n
    node, component = np.where(moves, own // 3, -1), own % 3
    node[~moves] = unsupported.dofs.rotation_nodes[(own[~moves] - 3 * n) // 3]
    at = np.flatnonzero(np.isin(node, surface.nodes) & (own >= 0))
    place = np.searchsorted(surface.nodes, node[at])
    arms = cross_matrices(model.nodes[node[at]] - surface.middle)
    # For a force along each dof, the part that the support bears, and its moment; for a moment, its part.
    borne, turned = (share[place, :, component[at]] for share in shares)
    moments = np.einsum("nji,nj->ni", arms, borne)
    sums = np.where(
        moves[at][:, None], np.hstack([borne, moments]), np.hstack([np.zeros_like(turned), turned])
    )
    select = sp.csr_matrix((np.ones(len(at)), (np.arange(len(at)), at)), shape=(len(at), len(own)))
    chosen = sp.csr_matrix(sp.csr_matrix(sums.T) @ select)
    # The same dofs in the supported body, whose grounds also have rotations.
    full = np.where(moves, own, 0)
    full[~moves] = 3 * (n + np.searchsorted(dofs.rotation_nodes, node[~moves])) + component[~moves]
    together = dofs.transformation[full]
    rows, inertia = (
        sp.csr_matrix(chosen @ of @ together) for of in (unsupported.stiffness, unsupported.mass)
    )
    return SupportSection(chosen, rows, inertia)


def _shares(model: FeModel, freed: DofMap | None) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return for each held surface (n, 3, 3) the parts of forces, and of moments, at its nodes that it bears.

    At a node also held by a tie, only components that are dofs of the unsupported body count: the tie takes the others.
    """
    moves, turns = _independent_components(len(model.nodes), freed)
    holding: dict[int, list[tuple[int, int]]] = {}
    for i, surface in enumerate(model.held_surfaces):
        if not surface.is_elastic:
            for k, node in enumerate(surface.nodes.tolist()):
                holding.setdefault(node, []).append((i, k))
    found = []
    for i, surface in enumerate(model.held_surfaces):
        parts = []
        for what, free in (("moved", moves), ("turned", turns)):
            rows = getattr(surface, what)
            share = rows.transpose(0, 2, 1) @ np.linalg.pinv(
                (rows * free[surface.nodes, None]).transpose(0, 2, 1)
            )
            for k, node in enumerate(surface.nodes.tolist()):
                if len(holding.get(node, ())) > 1:
                    every = np.vstack([getattr(model.held_surfaces[j], what)[m] for j, m in holding[node]])
                    mine = 3 * [j for j, _ in holding[node]].index(i)
                    share[k] = rows[k].T @ np.linalg.pinv((every * free[node]).T)[mine : mine + 3]
            parts.append(share)
        found.append((parts[0], parts[1]))
    return found


def _independent_components(n_nodes: int, dofs: DofMap | None) -> tuple[np.ndarray, np.ndarray]:
    """Return (n_nodes, 3) masks of displacements and of rotations that are dofs; all true without a dof map."""
    if dofs is None:
        return np.ones((n_nodes, 3), bool), np.ones((n_nodes, 3), bool)
    independent = np.zeros(dofs.transformation.shape[0], bool)
    independent[dofs.own_rows] = True
    moves, turns = independent[: 3 * n_nodes].reshape(-1, 3), np.zeros((n_nodes, 3), bool)
    turns[dofs.rotation_nodes] = independent[3 * n_nodes :].reshape(-1, 3)
    return moves, turns
