"""Hertz on meshes: a quarter of a sphere's cap of solid elements pressed on a quarter of a block."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from faying.fem.assembly import assemble
from faying.fem.skin import find_skin
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.interface import SparseJointForce
from faying.joints.kinematics import SparseRows, sparse_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import ContactPairs
from faying.joints.search import SearchSpec
from faying.progress import Silent
from faying.solvers.equilibrium import solve_equilibrium
from support.boxes import box

RADIUS, RIM, YOUNG, POISSON = 50.0, 6.0, 210_000.0, 0.3  # of the sphere; edge of the blocks; steel
_TOWARDS_CENTRE = 2.0  # how much finer the mesh is at the contact
STIFFNESS = 1e7  # of the law: 0.3 µm at the peak, a four-hundredth of the approach


@dataclass(frozen=True)
class Hertz:
    """What a mesh makes of Hertz.

    Attributes:
        pairs: contact pairs.
        radii: (n,) distance of the pairs from the axis.
        pressure: (n,).
        node_radii: (s,) that of the nodes with values.
        force: sum of pressure times area, of the quarter.
        approach: by how much the top came down.
    """

    pairs: ContactPairs
    radii: np.ndarray
    pressure: np.ndarray
    node_radii: np.ndarray
    force: float
    approach: float


def exact(force: float) -> tuple[float, float]:
    """Return the half width and the peak pressure for the force on a quarter (Hertz, 1882)."""
    modulus = 0.5 * YOUNG / (1.0 - POISSON**2)
    a = (0.75 * 4.0 * force * RADIUS / modulus) ** (1.0 / 3.0)
    return a, 1.5 * 4.0 * force / (np.pi * a**2)


def press(
    element: str, cap: int, block: int, pairs_at: str, force: float = 1500.0, law: float = STIFFNESS
) -> Hertz:
    """Return the cap, of so many elements along each edge, on the block under a force on the quarter."""
    low, up = (box(element, (n, n, n), (1.0, 1.0, 1.0)) for n in (block, cap))
    n_low = len(low.nodes)
    under, over = (RIM * nodes**_TOWARDS_CENTRE for nodes in (low.nodes, up.nodes))
    under[:, 2] *= -1.0
    over[:, 2] += (1.0 - over[:, 2] / RIM) * (over[:, :2] ** 2).sum(axis=1) / (2.0 * RADIUS)
    own, other = low.blocks[0], up.blocks[0]
    # The block is a mirror image: its elements are turned the other way round by exchanging x and y.
    under = under[:, [1, 0, 2]]
    blocks = (own, replace(other, ids=other.ids + len(own.ids), connectivity=other.connectivity + n_low))
    nodes = np.vstack([under, over])
    model = replace(low, node_ids=np.arange(1, len(nodes) + 1), nodes=nodes, blocks=blocks, node_sets={})
    matrices, skin = assemble(model, Silent()), find_skin(model)
    flat = np.concatenate([low.nodes, up.nodes])[:, 2] < 1e-12
    inside = np.concatenate([flat[b.connectivity].all(axis=1) for b in skin.surface.blocks])
    lower = np.concatenate([(b.connectivity < n_low).all(axis=1) for b in skin.surface.blocks])
    master, slave = (
        skin.chosen(np.flatnonzero(inside & lower), "block"),
        skin.chosen(np.flatnonzero(inside & ~lower), "cap"),
    )
    pairs = find_contact_pairs(nodes, master, slave, SearchSpec(pairs_at=pairs_at, distance=1.0))
    # Symmetry at x = 0 and y = 0; the block stands on a table, and the cap's top comes down as one.
    held = np.stack([np.isclose(nodes, at)[:, i] for i, at in enumerate((0.0, 0.0, -RIM))], axis=1)
    top = np.isclose(nodes[:, 2], RIM)
    held[top, 2] = True
    free = np.flatnonzero(~held.ravel())
    one = np.zeros(3 * len(nodes))
    one[3 * np.flatnonzero(top) + 2] = -1.0
    motions = sp.hstack(
        [sp.identity(3 * len(nodes), format="csc")[:, free], sp.csc_matrix(one[:, None])]
    ).tocsr()
    rows = sparse_rows(pairs, matrices.dofs)
    joint = SparseJointForce(
        SparseRows(
            (rows.normal @ motions).tocsr(),
            (rows.tangential @ motions).tocsr(),
            rows.weights,
            rows.initial_gaps,
        ),
        LinearPenalty(stiffness=law),
    )
    load = np.zeros(motions.shape[1])
    load[-1] = force
    start = np.zeros(len(load))
    start[-1] = 1e-2
    stiffness = (motions.T @ sp.csr_matrix(matrices.stiffness) @ motions).tolil()
    stiffness[-1, -1] += 1.0  # holds the cap while nothing touches: 0.03 N of the force at the end
    stiffness = stiffness.tocsr()
    x, (answer,), _ = solve_equilibrium(stiffness, load, [joint], [joint.initial_history()], start, Silent())
    radii, node_radii = (
        np.linalg.norm(places[:, :2], axis=1) for places in (pairs.points, nodes[pairs.nodes_with_values])
    )
    return Hertz(
        pairs, radii, answer.pressure, node_radii, float(pairs.weights @ answer.pressure), float(x[-1])
    )
