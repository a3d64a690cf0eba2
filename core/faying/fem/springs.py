"""Springs, dampers, bushings and rods between nodes: their stiffness and damping over the full vector."""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from faying.fem.couplings import cross_matrices, full_dofs
from faying.fem.elements import element_kinds
from faying.fem.model import FeModel, Spring

_ROUND_OFF = 1e-9


def axial_spring(
    name: str,
    nodes: tuple[int, int],
    points: np.ndarray,
    stiffness: float,
    damping: float = 0.0,
    twist: float = 0.0,
) -> Spring:
    """Return a spring along the line between two nodes.

    Args:
        name: what the deck calls it.
        nodes: rows of the two.
        points: (2, 3) coordinates of the nodes, which must not coincide.
        stiffness: force per elongation; `damping`: force per elongation rate.
        twist: moment per angle about the line.
    """
    along = points[1] - points[0]
    along = along / np.linalg.norm(along)
    stretched, twisted = np.zeros(12), np.zeros(12)
    stretched[:3], stretched[6:9] = -along, along
    twisted[3:6], twisted[9:] = -along, along
    outer = np.outer(stretched, stretched)
    stiff = stiffness * outer + twist * np.outer(twisted, twisted)
    return Spring(name, np.array(nodes, np.int64), stiff, damping * outer)


def bushing(
    name: str,
    nodes: tuple[int, int],
    points: np.ndarray,
    place: np.ndarray,
    axes: np.ndarray,
    stiffness: np.ndarray,
    damping: np.ndarray | None = None,
) -> Spring:
    """Return six springs at a point rigidly connected to both nodes, so that rigid motions do not strain them.

    Args:
        name: what the deck calls it.
        nodes: rows of the two.
        points: (2, 3) where they are.
        place: (3,) position of the springs.
        axes: (3, 3) directions of the springs, as rows.
        stiffness: (6,) forces per displacement, then moments per angle, along and about the axes; `damping` likewise.
    """
    rows = np.zeros((6, 12))
    for at, sign in ((0, -1.0), (1, 1.0)):
        own = slice(6 * at, 6 * at + 6)
        motion = np.zeros((6, 6))
        motion[:3, :3] = motion[3:, 3:] = np.eye(3)
        motion[:3, 3:] = cross_matrices(place - points[at])[0]
        rows[:, own] = sign * np.vstack([axes @ motion[:3], axes @ motion[3:]])
    damped = np.zeros(6) if damping is None else np.asarray(damping, float)
    stiff, damped = (rows.T @ (np.asarray(each)[:, None] * rows) for each in (stiffness, damped))
    return Spring(name, np.array(nodes, np.int64), stiff, damped)


def resists_rigid_motion(spring: Spring, points: np.ndarray) -> bool:
    """Return whether a rigid motion of both nodes strains a spring, which would restrain a free body.

    Args:
        spring: the spring.
        points: (2, 3) coordinates of its nodes.
    """
    arms = cross_matrices(points - points.mean(axis=0))
    motions = np.zeros((12, 6))
    for at in range(2):
        motions[6 * at : 6 * at + 3, :3] = motions[6 * at + 3 : 6 * at + 6, 3:] = np.eye(3)
        motions[6 * at : 6 * at + 3, 3:] = arms[at]
    for matrix in (spring.stiffness, spring.damping):
        alone = np.abs(matrix) @ np.abs(motions)
        if (np.abs(matrix @ motions) > _ROUND_OFF * max(float(alone.max()), 1e-300)).any():
            return True
    return False


def spring_matrices(model: FeModel, rotation_nodes: np.ndarray) -> tuple[sp.csr_matrix, sp.csr_matrix | None]:
    """Return stiffness and damping of all springs of a model, CSR (n_full, n_full); None without any damping.

    At nodes without rotations only the displacements are coupled.
    """
    n = len(model.nodes)
    size = 3 * (n + len(rotation_nodes))
    rows, columns, stiff, damped = (
        [np.zeros(0, np.int64)],
        [np.zeros(0, np.int64)],
        [np.zeros(0)],
        [np.zeros(0)],
    )
    for spring in model.springs:
        dofs = np.concatenate([full_dofs(n, rotation_nodes, int(node)) for node in spring.nodes])
        own = np.flatnonzero(dofs >= 0)
        rows.append(np.repeat(dofs[own], len(own)))
        columns.append(np.tile(dofs[own], len(own)))
        stiff.append(spring.stiffness[np.ix_(own, own)].ravel())
        damped.append(spring.damping[np.ix_(own, own)].ravel())
    places = np.concatenate(rows), np.concatenate(columns)
    found = []
    for values in (np.concatenate(stiff), np.concatenate(damped)):
        matrix = sp.csr_matrix((values, places), shape=(size, size))
        matrix.eliminate_zeros()
        found.append(matrix)
    return found[0], found[1] if found[1].nnz else None


def nodes_turned_by_springs(model: FeModel) -> np.ndarray:
    """Return (m,) the rows of nodes without elements on whose rotations springs act."""
    inside = np.zeros(len(model.nodes), bool)
    for block in model.blocks:
        inside[block.connectivity] = True
    found = [
        node
        for spring in model.springs
        for at, node in enumerate(spring.nodes.tolist())
        if not inside[node]
        and (spring.stiffness[6 * at + 3 : 6 * at + 6].any() or spring.damping[6 * at + 3 : 6 * at + 6].any())
    ]
    return np.unique(np.array(found, np.int64))


def loose_ends(model: FeModel) -> np.ndarray:
    """Return (m,) the rows of nodes with springs only: ends on ground, which an analysis has to hold."""
    held = np.zeros(len(model.nodes), bool)
    for block in model.blocks:
        held[block.connectivity] = True
    for coupling in model.couplings:
        held[coupling.nodes] = held[coupling.reference] = True
    for equations in model.equations:
        held[equations.nodes] = True
    ends = np.unique(np.concatenate([np.zeros(0, np.int64), *(spring.nodes for spring in model.springs)]))
    return np.asarray(ends[~held[ends]])


def lost_moments(model: FeModel) -> Iterator[str]:
    """Yield a warning for each spring whose moments are ignored because its node has no rotations."""
    turned = np.zeros(len(model.nodes), bool)
    inside = np.zeros(len(model.nodes), bool)
    for block in model.blocks:
        inside[block.connectivity] = True
        turned[block.connectivity] |= element_kinds[block.element].rotations
    for coupling in model.couplings:
        turned[coupling.reference] = True
    for spring in model.springs:
        for at, node in enumerate(spring.nodes.tolist()):
            if spring.stiffness[6 * at + 3 : 6 * at + 6].any() and inside[node] and not turned[node]:
                yield (
                    f"{spring.name}: node {model.node_ids[node]} belongs to solids and does not turn, so that the "
                    "spring's moments do not act there."
                )
                break
