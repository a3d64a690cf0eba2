"""The patch test of contact: two blocks pressed on each other by a uniform pressure must carry just that everywhere.

Contact at nodes passes it on meshes that match. On others the slave side is still in balance node by node, but what
arrives on the master is not what its elements call a uniform pressure: the error is stated here.
"""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from faying.fem.assembly import assemble
from faying.fem.model import DeckSurface
from faying.fem.pressure import pressure_forces
from faying.fem.skin import surface_from_deck
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.interface import SparseJointForce
from faying.joints.kinematics import SparseRows, sparse_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.search import SearchSpec
from faying.progress import Silent
from faying.solvers.equilibrium import solve_equilibrium
from support.plates import stacked_plates

PRESSURE = 10.0


def contact_pressures(
    upper: tuple[int, int, int], lower: tuple[int, int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return pressures and areas of the slave nodes of two blocks, 40 × 10 × 8 each, free to widen."""
    plates = stacked_plates(upper, lower, height=8.0)
    first = int(np.prod(lower))
    cells = first + np.flatnonzero(np.arange(int(np.prod(upper))) % upper[2] == upper[2] - 1)
    top = DeckSurface("TOP", cells, np.ones(len(cells), np.int64), np.zeros(0, np.int64))
    model = replace(
        plates, nodes=plates.nodes[:-2], node_ids=plates.node_ids[:-2], node_sets={}, couplings=(),
        surfaces={**plates.surfaces, "TOP": top},
    )  # fmt: skip
    matrices = assemble(model, Silent())
    master, slave = surface_from_deck(model, "LOWER"), surface_from_deck(model, "UPPER")
    pairs = find_contact_pairs(model.nodes, master, slave, SearchSpec(), Silent())
    # Symmetry at x = 0 and y = 0, and a table to stand on.
    held = np.stack([np.isclose(model.nodes, at)[:, i] for i, at in enumerate((0.0, 0.0, -8.0))], axis=1)
    free = np.flatnonzero(~held.ravel())
    load = PRESSURE * pressure_forces(surface_from_deck(model, "TOP"), model.nodes).ravel()[free]
    rows = sparse_rows(pairs, matrices.dofs)
    joint = SparseJointForce(
        SparseRows(
            rows.normal[:, free].tocsr(), rows.tangential[:, free].tocsr(), rows.weights, rows.initial_gaps
        ),
        LinearPenalty(stiffness=1e5),
    )
    # Contact alone carries the upper block: it has to be closed from the start.
    joint = replace(joint, rows=replace(joint.rows, initial_gaps=rows.initial_gaps - 1e-6))
    _, (answer,), _ = solve_equilibrium(
        sp.csr_matrix(matrices.stiffness)[free][:, free].tocsr(), load, [joint], [joint.initial_history()],
        np.zeros(len(free)), Silent(),
    )  # fmt: skip
    return answer.pressure, rows.weights


def test_matching_meshes_pass() -> None:
    pressure, areas = contact_pressures((6, 3, 2), (6, 3, 2))
    np.testing.assert_allclose(pressure, PRESSURE, rtol=1e-8)
    assert areas.sum() == pytest.approx(400.0)


# Regression: largest and root mean square error of the nodal pressures. The resultant is right; the finer side as
# slave is the better choice, as the form says.
@pytest.mark.parametrize(
    ("upper", "lower", "largest", "mean"),
    [((8, 4, 2), (6, 3, 2), 0.131, 0.051), ((6, 3, 2), (8, 4, 2), 0.206, 0.097)],
    ids=["finer slave", "coarser slave"],
)
def test_error_of_other_meshes(upper, lower, largest: float, mean: float) -> None:
    pressure, areas = contact_pressures(upper, lower)
    assert areas @ pressure == pytest.approx(400.0 * PRESSURE, rel=1e-9)
    error = pressure / PRESSURE - 1.0
    assert np.abs(error).max() == pytest.approx(largest, abs=0.01)
    assert np.sqrt(areas @ error**2 / areas.sum()) == pytest.approx(mean, abs=0.01)
