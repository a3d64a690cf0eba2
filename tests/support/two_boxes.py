"""Two boxes of any solid element, one on the other, pressed together: patch tests of contact on any two meshes."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from faying.fem.assembly import assemble
from faying.fem.model import FeModel
from faying.fem.pressure import pressure_forces
from faying.fem.skin import find_skin
from faying.fem.surface import Surface
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.interface import SparseJointForce
from faying.joints.kinematics import SparseRows, sparse_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import ContactPairs
from faying.joints.search import SearchSpec
from faying.progress import Silent
from faying.solvers.equilibrium import solve_equilibrium
from support.boxes import box

SIZE = (40.0, 10.0, 8.0)


def two_boxes(element: str, upper: tuple[int, int, int], lower: tuple[int, int, int]) -> FeModel:
    """Return boxes of `SIZE`, the upper one from z = 0 up, the lower one below, without a node in common."""
    low, up = box(element, lower, SIZE), box(element, upper, SIZE)
    n = len(low.nodes)
    block = up.blocks[0]
    moved = replace(block, ids=block.ids + len(low.blocks[0].ids), connectivity=block.connectivity + n)
    nodes = np.vstack([low.nodes - [0.0, 0.0, SIZE[2]], up.nodes])
    return replace(
        low, node_ids=np.arange(1, len(nodes) + 1), nodes=nodes, blocks=(*low.blocks, moved), node_sets={}
    )


def faces_at(model: FeModel, z: float, towards: float, name: str = "") -> Surface:
    """Return the faces in a plane z whose outward normal has the sign of `towards`."""
    skin = find_skin(model)
    there = np.abs(skin.centroids[:, 2] - z) < 1e-9
    return skin.chosen(np.flatnonzero(there & (skin.normals[:, 2] * towards > 0.5)), name)


@dataclass(frozen=True)
class Pressed:
    """Two boxes under a uniform pressure.

    Attributes:
        pairs: between them.
        pressure: (n,) of the pairs.
        on_master: (m, 2) nodal forces along z on the master face, as found and as a uniform pressure has them.
        stress: (e,) normal stress along z in the middle of the elements, over that of the uniform pressure.
    """

    pairs: ContactPairs
    pressure: np.ndarray
    on_master: np.ndarray
    stress: np.ndarray


def pressed(
    element: str,
    upper: tuple[int, int, int],
    lower: tuple[int, int, int],
    pairs_at: str,
    pressure: float = 10.0,
) -> Pressed:
    """Return two boxes, free to widen, under a uniform pressure on top."""
    model = two_boxes(element, upper, lower)
    matrices = assemble(model, Silent())
    master, slave = faces_at(model, 0.0, 1.0, "lower"), faces_at(model, 0.0, -1.0, "upper")
    pairs = find_contact_pairs(model.nodes, master, slave, SearchSpec(pairs_at=pairs_at), Silent())
    # Symmetry at x = 0 and y = 0, and a table to stand on.
    held = np.stack([np.isclose(model.nodes, at)[:, i] for i, at in enumerate((0.0, 0.0, -SIZE[2]))], axis=1)
    free = np.flatnonzero(~held.ravel())
    top = faces_at(model, SIZE[2], 1.0)
    load = pressure * pressure_forces(top, model.nodes).ravel()[free]
    rows = sparse_rows(pairs, matrices.dofs)
    # Contact alone carries the upper box: it has to be closed from the start.
    joint = SparseJointForce(
        SparseRows(
            rows.normal[:, free].tocsr(),
            rows.tangential[:, free].tocsr(),
            rows.weights,
            rows.initial_gaps - 1e-6,
        ),
        LinearPenalty(stiffness=1e5),
    )
    x, (answer,), _ = solve_equilibrium(
        sp.csr_matrix(matrices.stiffness)[free][:, free].tocsr(), load, [joint], [joint.initial_history()],
        np.zeros(len(free)), Silent(),
    )  # fmt: skip
    force = (rows.normal.T @ (rows.weights * answer.pressure)).reshape(-1, 3)[:, 2]
    even = pressure * pressure_forces(master, model.nodes)[:, 2]
    full = np.zeros(matrices.dofs.n_dofs)
    full[free] = x
    stress = StressAt(model).of(full) / -pressure
    return Pressed(pairs, answer.pressure, np.column_stack([force, even])[master.nodes], stress)


class StressAt:
    """Normal stress along z in the middle of elements."""

    def __init__(self, model: FeModel) -> None:
        from faying.fem.stress import StressRecovery

        self._recovery, self._model = StressRecovery(model), model

    def of(self, displacement: np.ndarray) -> np.ndarray:
        """Return (n_nodes,) σ_zz at the nodes."""
        return self._recovery.at_nodes(displacement)[:, 2]
