"""The start of Newton's method for an unreduced body: near the equilibrium, and harmless where nothing touches."""

from dataclasses import replace

import numpy as np
import pytest

from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.interface import SparseJointForce
from faying.joints.kinematics import sparse_rows
from faying.linalg.factor import factorize
from faying.progress import Silent
from faying.reduction.contact_start import contact_starts, pair_points
from faying.solvers.equilibrium import solve_equilibrium
from support.plates import jointed_plates

LAW = LinearPenalty(stiffness=2e4)


@pytest.fixture(scope="module")
def plates():
    return jointed_plates(upper=(12, 4, 1), lower=(8, 4, 1))


def clamped(plates):
    """(K, joint, free dofs) with all interface dofs held."""
    dofs = plates.matrices.dofs
    free = np.setdiff1d(np.arange(dofs.n_dofs), plates.interior.interface_dofs)
    rows = sparse_rows(plates.pairs, dofs)
    kept = replace(rows, normal=rows.normal[:, free].tocsr(), tangential=rows.tangential[:0, free])
    return plates.matrices.stiffness[free][:, free].tocsr(), SparseJointForce(kept, LAW, None), free


def start_of(plates, load, joints):
    stiffness, _, free = clamped(plates)
    factor = factorize(stiffness)
    places = [
        pair_points(j.rows.normal, plates.matrices.dofs.displacement_rows[:, free], plates.model.nodes) for j in joints
    ]  # fmt: skip
    linear = factor.solve(load)
    starts, found = contact_starts(
        factor, linear[:, None], [joints], places, load[:, None], solve_equilibrium, Silent()
    )
    assert found.all()
    return linear, starts[:, 0]


def test_the_start_is_near_the_equilibrium(plates):
    stiffness, joint, _ = clamped(plates)
    pairs = np.arange(0, len(joint.rows.weights), 5)
    load = -joint.rows.normal[pairs].T @ np.linspace(-20.0, 60.0, len(pairs))  # presses and pulls
    linear, start = start_of(plates, load, [joint])
    exact, responses, _ = solve_equilibrium(
        stiffness, load, [joint], [joint.initial_history()], linear, Silent()
    )
    assert 0 < responses[0].is_closed.sum() < len(responses[0].gap)

    def energy_of(x):
        return float(x @ (stiffness @ x))

    assert energy_of(linear - exact) > 0.2 * energy_of(exact)
    assert energy_of(start - exact) < 1e-2 * energy_of(exact)


def test_a_load_that_closes_nothing_keeps_its_linear_solution(plates):
    _, joint, _ = clamped(plates)
    wide = replace(joint, rows=replace(joint.rows, initial_gaps=np.full(len(joint.rows.weights), 10.0)))
    load = -joint.rows.normal.T @ np.ones(len(joint.rows.weights))
    linear, start = start_of(plates, load, [wide])
    assert 0 > (joint.rows.normal @ linear).min() > -10.0
    np.testing.assert_allclose(start, linear, atol=1e-9 * np.abs(linear).max())


def test_a_body_without_joints_keeps_its_linear_solution(plates):
    stiffness, *_ = clamped(plates)
    linear, start = start_of(plates, np.ones(stiffness.shape[0]), [])
    np.testing.assert_array_equal(start, linear)


def test_pairs_are_where_their_nodes_are(plates):
    dofs = plates.matrices.dofs
    normal = sparse_rows(plates.pairs, dofs).normal
    places = pair_points(normal, dofs.displacement_rows, plates.model.nodes)
    # At the ends nodes move with couplings, of which a mean over all nodes says little.
    inside = np.abs(plates.pairs.points[:, 0] - 20.0) < 12.0
    assert inside.sum() > 10
    np.testing.assert_allclose(places[inside], plates.pairs.points[inside], atol=1e-9)
