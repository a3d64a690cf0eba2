"""Internal degrees of freedom of the other program: multipliers, rotation nodes, incompatible modes."""

from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.errors import ModelError
from faying.fem.imported._system import ImportedSystem
from faying.fem.matrix_files import DofList
from faying.fem.model import FeModel

_LARGEST_GROUP = 2000  # connected internal dofs; their inverse is dense
_EXACT = 1e-6  # tolerance: a rotation dof changes by one under a unit rotation


def take_out_multipliers(system: ImportedSystem) -> ImportedSystem:
    """Return the system with Lagrange multipliers as constraint rows instead of dofs.

    A multiplier is an internal dof without mass, zero on the diagonal and uncoupled from other such dofs, as Abaqus
    writes for distributing couplings and ties: [[K, Cᵀ], [C, 0]].
    """
    zero = system.internal & system.idle & (system.stiffness.diagonal() == 0.0)
    # Two coupled ones are not multipliers but an indefinite pair.
    inner = np.asarray(abs(system.stiffness[:, np.flatnonzero(zero)]).sum(axis=1)).ravel() > 0.0
    multipliers = np.flatnonzero(zero & ~inner)
    if not len(multipliers):
        return system
    rows = system.stiffness[multipliers]
    full = np.flatnonzero(np.diff(rows.indptr))
    keep = np.ones(len(system.dofs), bool)
    keep[multipliers] = False
    scale = 1.0 / np.asarray(abs(rows[full]).max(axis=1).toarray()).ravel()
    remaining = system.kept(keep)
    constraints = (sp.diags(scale) @ rows[full][:, keep]).tocsr()
    constraints = sp.vstack([remaining.constraints, constraints], format="csr")
    return replace(remaining, constraints=constraints).with_remark(
        f"{len(full)} Lagrange multipliers of {system.path.name} were taken over as constraints."
    )


def find_rotation_nodes(model: FeModel, system: ImportedSystem) -> ImportedSystem:
    """Return the system with internal nodes identified that represent rotations of a coupling's reference node.

    CalculiX stores the rotations of a reference node as components 1 to 3 of another node. In a unit rotation of the
    body such components equal one; in a translation they are zero.
    """
    turning = set(system.node_rows[~system.internal & (system.dofs.components > 3)].tolist())
    references = [c.reference for c in model.couplings if c.reference not in turning]
    references = [r for r in references if (system.node_rows == r).any()]
    inside = np.flatnonzero(system.internal)
    if not references or not len(inside):
        return system
    motions = internal_motions(system, inside, system.rigid_motions(model))
    nodes, components = system.dofs.nodes.copy(), system.dofs.components.copy()
    node_rows = system.node_rows.copy()
    wanted = np.hstack([np.zeros((3, 3)), np.eye(3)])
    candidates = []
    for node in np.unique(nodes[inside]):
        at = np.flatnonzero(nodes[inside] == node)
        at = at[np.argsort(components[inside[at]])]
        if np.array_equal(components[inside[at]], [1, 2, 3]) and np.allclose(
            motions[at], wanted, atol=_EXACT
        ):
            candidates.append(inside[at])
    for reference in dict.fromkeys(references):
        mine = np.flatnonzero(system.node_rows == reference)
        bonds = [abs(system.stiffness[at][:, mine]).sum() for at in candidates]
        if not bonds or max(bonds) == 0.0:
            continue
        at = candidates.pop(int(np.argmax(bonds)))
        node_rows[at], nodes[at], components[at] = reference, model.node_ids[reference], [4, 5, 6]
    return replace(system, dofs=DofList(nodes, components), node_rows=node_rows)


def condense(system: ImportedSystem) -> ImportedSystem:
    """Return the system with internal dofs relative to their static response to the nodes' dofs.

    With x_I = y + G x_B, G = -K_II⁻¹ K_IB, the stiffness decouples into K_BB + K_BI G and K_II, and y is zero in every
    rigid body motion. Massless internal dofs are eliminated exactly in this way (Guyan 1965).

    Raises:
        ModelError: when the internal stiffness is singular, or too many internal dofs are connected.
    """
    dependent = np.flatnonzero(system.internal & system.idle)
    if len(dependent):
        system = _relative(system, dependent, keep=False).with_remark(
            f"{len(dependent)} internal degrees of freedom of {system.path.name} without mass were condensed exactly."
        )
    inside = np.flatnonzero(system.internal)
    return _relative(system, inside, keep=True) if len(inside) else system


def _relative(system: ImportedSystem, inside: np.ndarray, *, keep: bool) -> ImportedSystem:
    """Return the system with some dofs relative to their static response to the others; removed unless `keep`."""
    others = np.ones(len(system.dofs), bool)
    others[inside] = False
    outside = np.flatnonzero(others)
    inner: sp.csr_matrix = system.stiffness[inside][:, inside]
    across: sp.csr_matrix = system.stiffness[inside][:, outside]
    follow = (-_inverse(system, inside, inner) @ across).tocsr()
    lift = sp.vstack([sp.identity(len(outside)), follow], format="csr")
    stiffness = system.stiffness[outside][:, outside] + across.T @ follow
    if keep:
        below = sp.vstack([sp.csr_matrix((len(outside), len(inside))), sp.identity(len(inside))])
        lift = sp.hstack([lift, below], format="csr")
        stiffness = sp.block_diag([stiffness, inner], format="csr")
    order = np.concatenate([outside, inside])
    remaining = order if keep else outside
    return replace(
        system,
        dofs=DofList(system.dofs.nodes[remaining], system.dofs.components[remaining]),
        stiffness=_evened(stiffness),
        mass=_evened(lift.T @ system.mass[order][:, order] @ lift),
        node_rows=system.node_rows[remaining],
        constraints=sp.csr_matrix(system.constraints[:, order] @ lift),
        damping=None if system.damping is None else _evened(lift.T @ system.damping[order][:, order] @ lift),
        loads=None if system.loads is None else np.asarray(lift.T @ system.loads[order]),
    )


def _evened(matrix: sp.csr_matrix) -> sp.csr_matrix:
    """Return the matrix made exactly symmetric."""
    return sp.csr_matrix(0.5 * (matrix + matrix.T))


def internal_motions(system: ImportedSystem, inside: np.ndarray, motions: np.ndarray) -> np.ndarray:
    """Return (k, 6) static motions of internal dofs under the six rigid body motions of the nodes.

    Args:
        system: the matrices.
        inside: (k,) positions of the internal dofs.
        motions: (n, 6) rigid body motions, zero at internal dofs.
    """
    strip = system.stiffness[inside]
    return np.asarray(-_inverse(system, inside, strip[:, inside]) @ (strip @ motions))


def _inverse(system: ImportedSystem, inside: np.ndarray, inner: sp.csr_matrix) -> sp.csr_matrix:
    """Return K_II⁻¹, dense for each group of connected dofs."""
    _, group = connected_components(inner, directed=False)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff(np.append(starts, len(order)))
    largest = int(sizes.max())
    if largest > _LARGEST_GROUP:
        raise ModelError(
            f"{largest} internal degrees of freedom of {system.path.name} are connected, the first at "
            f"{system.dofs.name(inside[order[starts[np.argmax(sizes)]]])}; that is too many for an internal detail.",
            "Check that the deck is the one that the matrices were computed from, with all of its nodes.",
        )
    rows, columns, values = [], [], []
    for size in np.unique(sizes):
        # All groups of one size at once.
        members = order[starts[sizes == size][:, None] + np.arange(size)]
        first, second = np.repeat(members, size, axis=1), np.tile(members, (1, size))
        blocks = np.asarray(inner[first.ravel(), second.ravel()]).reshape(-1, size, size)
        rows.append(first.ravel())
        columns.append(second.ravel())
        values.append(_inverted(system, inside, members, blocks).ravel())
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    return sp.csr_matrix(entries, shape=inner.shape)


def _inverted(
    system: ImportedSystem, inside: np.ndarray, members: np.ndarray, blocks: np.ndarray
) -> np.ndarray:
    scale = np.sqrt(abs(blocks).max(axis=2))
    scale[scale == 0.0] = 1.0
    scaled = blocks / scale[:, :, None] / scale[:, None, :]
    worst = np.abs(np.linalg.eigvalsh(scaled)).min(axis=1)
    bad = np.flatnonzero(~(worst > 1e-13))
    if len(bad):
        raise ModelError(
            f"The internal degrees of freedom at {system.dofs.name(inside[members[bad[0], 0]])} have no stiffness, "
            "so their motion is undetermined.",
            "Write the matrices without contact and connector elements.",
        )
    inverse: np.ndarray = np.linalg.inv(scaled) / scale[:, :, None] / scale[:, None, :]
    return inverse
