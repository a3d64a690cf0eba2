"""Couplings of reference nodes and equations: kinematic ones as a transformation, distributing ones as rows.

Both work over the full vector of `faying.fem.matrices.DofMap`: three displacements of every node, then three
rotations of every node that has them.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.model import Coupling, FeModel, LinearEquations
from faying.fem.turned_couplings import turned_entries

_LONGEST_CHAIN = 1000


@dataclass(frozen=True)
class Dependents:
    """Dependent dofs of the full vector: ``u[rows] = D u``, D over the full vector, with chains already resolved."""

    rows: np.ndarray
    coefficients: sp.csr_matrix


def full_dofs(n_nodes: int, rotation_nodes: np.ndarray, node: int) -> np.ndarray:
    """Return (6,) the full dofs of a node: three displacements, then three rotations (-1 where it has none)."""
    at = int(np.searchsorted(rotation_nodes, node))
    has_rotations = at < len(rotation_nodes) and rotation_nodes[at] == node
    rotations = 3 * (n_nodes + at) + np.arange(3) if has_rotations else np.full(3, -1)
    return np.concatenate([3 * node + np.arange(3), rotations]).astype(np.int64)


def cross_matrices(arms: np.ndarray) -> np.ndarray:
    """Return (n, 3, 3) matrices R with R θ = θ × r for arms r (n, 3)."""
    x, y, z = np.asarray(arms, float).reshape(-1, 3).T
    zero = np.zeros_like(x)
    return np.stack([zero, z, -y, -z, zero, x, y, -x, zero], axis=-1).reshape(-1, 3, 3)


def resolve_kinematic_couplings(model: FeModel, rotation_nodes: np.ndarray) -> Dependents:
    """Return the dofs that kinematic couplings and equations make dependent.

    A coupled node moves with its reference node as a rigid body in the coupled components:
    u = u_ref + θ_ref × (x - x_ref), θ = θ_ref.

    Args:
        model: the model with its couplings.
        rotation_nodes: (k,) ascending rows of the nodes that have rotations.

    Raises:
        ModelError: when two couplings with different reference nodes share a coupled node, or couplings depend on each
            other in a cycle; the message names both.
    """
    n_full = 3 * (len(model.nodes) + len(rotation_nodes))
    owner = np.full(n_full, -1, dtype=np.int64)
    pieces: list[_Entries] = []
    constraints = _constraints(model, rotation_nodes)
    for number, constraint in enumerate(constraints):
        rows, columns, values = constraint.entries
        mine = np.unique(rows)
        taken = mine[owner[mine] >= 0]
        if len(taken):
            first = constraints[owner[taken[0]]]
            # A second coupling to the same reference node is redundant.
            if not constraint.yields and first.reference != constraint.reference:
                raise _second_master(model, rotation_nodes, int(taken[0]), first.name, constraint.name)
            keep = owner[rows] < 0
            rows, columns, values = rows[keep], columns[keep], values[keep]
        owner[np.unique(rows)] = number
        pieces.append((rows, columns, values))
    if not pieces:
        return Dependents(np.zeros(0, np.int64), sp.csr_matrix((0, n_full)))
    all_rows, all_columns, all_values = (np.concatenate(p) for p in zip(*pieces, strict=True))
    dependent = np.flatnonzero(owner >= 0)
    position = np.full(n_full, -1, dtype=np.int64)
    position[dependent] = np.arange(len(dependent))
    matrix = sp.csr_matrix((all_values, (position[all_rows], all_columns)), shape=(len(dependent), n_full))
    names = [constraint.name for constraint in constraints]
    return Dependents(dependent, _without_chains(matrix, dependent, owner, names))


def distributing_rows(model: FeModel, rotation_nodes: np.ndarray) -> sp.csr_matrix:
    """Return constraint rows C over the full vector, C u = 0, of all distributing couplings.

    The reference node moves with the weighted mean of the coupled nodes (Abaqus' continuum distributing
    coupling, RBE3): θ_ref = J⁻¹ Σ w r × u and u_ref = Σ w u / Σ w + θ_ref × (x_ref - x̄), with r measured
    from the weighted centroid x̄ and J = Σ w (r·r I - r rᵀ).

    Raises:
        ModelError: when the nodes are collinear, so that their mean rotation is undefined, or a weight is not positive.
    """
    n_full = 3 * (len(model.nodes) + len(rotation_nodes))
    blocks = [
        _distributing_entries(model, rotation_nodes, coupling)
        for coupling in model.couplings
        if coupling.kind == "distributing" and len(coupling.nodes)
    ]
    rows, columns, values, start = [], [], [], 0
    for dense, dofs in blocks:
        i, j = np.nonzero(dense)
        rows.append(i + start)
        columns.append(dofs[j])
        values.append(dense[i, j])
        start += len(dense)
    if not rows:
        return sp.csr_matrix((0, n_full))
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return sp.csr_matrix(entries, shape=(start, n_full))


def _kinematic_entries(
    model: FeModel, rotation_nodes: np.ndarray, coupling: Coupling
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = len(model.nodes)
    reference = full_dofs(n, rotation_nodes, coupling.reference)
    nodes = np.setdiff1d(coupling.nodes, [coupling.reference])
    arms = cross_matrices(model.nodes[nodes] - model.nodes[coupling.reference])
    chosen = [c for c in range(3) if c + 1 in coupling.components]
    turned = [c for c in range(3) if c + 4 in coupling.components]
    if coupling.directions is not None and (len(chosen) in (1, 2) or len(turned) in (1, 2)):
        dofs = np.array([full_dofs(n, rotation_nodes, node) for node in coupling.nodes])
        own_arms = cross_matrices(model.nodes[coupling.nodes] - model.nodes[coupling.reference])
        return turned_entries(dofs, reference, own_arms, coupling.directions, chosen, turned)
    rows, columns, values = [], [], []
    for component in chosen:
        # u_c = u_ref,c + (θ_ref × r)_c
        for column, value in [(component, np.ones(len(nodes)))] + [
            (3 + j, arms[:, component, j]) for j in range(3) if j != component
        ]:
            rows.append(3 * nodes + component)
            columns.append(np.full(len(nodes), reference[column]))
            values.append(value)
    turning = nodes[np.isin(nodes, rotation_nodes)]
    for component in turned:
        rows.append(3 * (n + np.searchsorted(rotation_nodes, turning)) + component)
        columns.append(np.full(len(turning), reference[3 + component]))
        values.append(np.ones(len(turning)))
    if not rows:
        empty = np.zeros(0, np.int64)
        return empty, empty, np.zeros(0)
    all_rows, all_columns, all_values = np.concatenate(rows), np.concatenate(columns), np.concatenate(values)
    # Entries of zero arms are dropped; each row keeps its unit coefficient, so no dependent row is lost.
    keep = all_values != 0.0
    return all_rows[keep], all_columns[keep], all_values[keep]


def _equation_entries(model: FeModel, rotation_nodes: np.ndarray, equations: LinearEquations) -> "_Entries":
    """Return the first term of each equation in terms of the others: u_0 = - Σ (c_j / c_0) u_j."""
    dofs = term_dofs(model, rotation_nodes, equations)
    counts = np.diff(equations.starts)
    first = np.zeros(len(dofs), bool)
    first[equations.starts[:-1]] = True
    rows = np.repeat(dofs[first], counts - 1)
    values = -equations.coefficients[~first] / np.repeat(equations.coefficients[first], counts - 1)
    return rows, dofs[~first], values


def term_dofs(model: FeModel, rotation_nodes: np.ndarray, equations: LinearEquations) -> np.ndarray:
    """Return (m,) the full dof of each term.

    Raises:
        ModelError: when a term is a rotation of a node that has none.
    """
    n = len(model.nodes)
    at = np.minimum(np.searchsorted(rotation_nodes, equations.nodes), max(len(rotation_nodes) - 1, 0))
    turns = np.isin(equations.nodes, rotation_nodes)
    rotation = equations.components > 3
    if (rotation & ~turns).any():
        node = equations.nodes[np.argmax(rotation & ~turns)]
        raise ModelError(
            f"{equations.name} names a rotation of node {model.node_ids[node]}, which has none.",
            "Use displacements, or a reference node of a coupling.",
        )
    turned = 3 * (n + at) + equations.components - 4
    return np.asarray(np.where(rotation, turned, 3 * equations.nodes + equations.components - 1))


@dataclass(frozen=True)
class _Constraint:
    """Dependent dofs of one coupling or one set of equations.

    `reference` is the row of the reference node, or a unique negative number; `yields` is that of `LinearEquations`.
    """

    name: str
    reference: int
    yields: bool
    entries: "_Entries"


_Entries = tuple[np.ndarray, np.ndarray, np.ndarray]  # dependent dofs, those that they follow, coefficients


def _constraints(model: FeModel, rotation_nodes: np.ndarray) -> list[_Constraint]:
    """Return kinematic couplings, then equations, with yielding equations last."""
    found = [
        _Constraint(c.name, c.reference, False, _kinematic_entries(model, rotation_nodes, c))
        for c in model.couplings
        if c.kind == "kinematic" and len(c.nodes)
    ]
    for number, equations in enumerate(sorted(model.equations, key=lambda e: e.yields)):
        entries = _equation_entries(model, rotation_nodes, equations)
        found.append(_Constraint(equations.name, -1 - number, equations.yields, entries))
    return found


def _second_master(
    model: FeModel, rotation_nodes: np.ndarray, dof: int, first: str, second: str
) -> ModelError:
    n = len(model.nodes)
    node = dof // 3 if dof < 3 * n else int(rotation_nodes[dof // 3 - n])
    return ModelError(
        f"Node {model.node_ids[node]} is moved by two couplings, {first!r} and {second!r}.",
        "Take the node out of one of the two surfaces, or give both couplings the same reference node.",
    )


def _without_chains(
    matrix: sp.csr_matrix, dependent: np.ndarray, owner: np.ndarray, names: list[str]
) -> sp.csr_matrix:
    """Return the rows after substitution of all dependent columns."""
    # Each pass resolves one link of chains such as u_1 = u_2, u_2 = u_3.
    for _ in range(min(len(dependent), _LONGEST_CHAIN) + 1):
        chained = matrix[:, dependent]
        if not chained.nnz:
            return matrix
        # u_dep = D_free u_free + D_dep u_dep: substitute once more.
        free = matrix.tocoo()
        keep = owner[free.col] < 0
        free_part = sp.csr_matrix((free.data[keep], (free.row[keep], free.col[keep])), shape=matrix.shape)
        matrix = (free_part + chained @ matrix).tocsr()
        matrix.eliminate_zeros()
    circle = sorted({names[owner[c]] for c in dependent[np.unique(chained.indices)]})
    raise ModelError(
        f"The couplings {' and '.join(repr(name) for name in circle)} follow each other in a circle.",
        "Let one of their reference nodes be free of the other coupling.",
    )


def _distributing_entries(
    model: FeModel, rotation_nodes: np.ndarray, coupling: Coupling
) -> tuple[np.ndarray, np.ndarray]:
    weights = np.asarray(coupling.weights, float)
    if not (weights > 0.0).all():
        raise ModelError(
            f"The distributing coupling {coupling.name!r} has a weight that is not positive.",
            "Give every coupled node a positive weight.",
        )
    share = weights / weights.sum()
    points = model.nodes[coupling.nodes]
    centroid = share @ points
    arms = points - centroid
    # u_i ↦ mean displacement and mean rotation.
    translation = np.einsum("n,ij->inj", share, np.eye(3)).reshape(3, -1)
    inertia = np.einsum("n,nij->ij", share, _inertias(arms))
    spread = np.linalg.eigvalsh(inertia)
    if spread[0] <= 1e-10 * spread[2] or spread[2] == 0.0:
        raise ModelError(
            f"The nodes of the distributing coupling {coupling.name!r} lie on one line, "
            "so their mean motion has no rotation about it.",
            "Couple nodes that span an area, or use a kinematic coupling.",
        )
    # (r × u)_i = Σ_j X_ij u_j with X the negative of the matrix of θ × r.
    moments = np.einsum("n,nij->inj", share, -cross_matrices(arms)).reshape(3, -1)
    rotation = np.linalg.solve(inertia, moments)
    offset = cross_matrices(model.nodes[coupling.reference] - centroid)[0]
    mean = np.concatenate([translation + offset @ rotation, rotation])
    wanted = np.array([c - 1 for c in sorted(coupling.components)], dtype=np.int64)
    reference = full_dofs(len(model.nodes), rotation_nodes, coupling.reference)
    dense = np.concatenate([np.eye(6), -mean], axis=1)[wanted]
    cloud = (3 * coupling.nodes[:, None] + np.arange(3)).ravel()
    return dense, np.concatenate([reference, cloud])


def _inertias(arms: np.ndarray) -> np.ndarray:
    squares = np.einsum("ni,ni->n", arms, arms)
    outer: np.ndarray = squares[:, None, None] * np.eye(3) - arms[:, :, None] * arms[:, None, :]
    return outer
