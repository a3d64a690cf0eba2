"""Unreduced statics with a distributing coupling, against a dense solution that eliminates the constraint."""

import numpy as np
import pytest
import scipy.linalg as la

from faying.analyses import BodyModel, JointModel
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.unreduced_static import UnreducedStatic
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from faying.results.results import Results
from support.plates import jointed_plates

STIFFNESS = 2e4
FORCE = (1.0, 0.0, -20.0)


@pytest.fixture(scope="module")
def plates():
    plates = jointed_plates(coupling="distributing", upper=(5, 2, 1), lower=(4, 2, 1))
    assert plates.matrices.constraints.shape[0] == 6
    return plates


@pytest.fixture(scope="module")
def body(plates):
    components = CraigBampton(vibration_modes=6).build(plates.interior, Silent())
    problem = JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, plates.pairs.initial_gaps
    )
    modes, values = WeightedPod(count=12).build(problem, Silent())
    basis = extend_basis(plates.interior, components, modes, values)
    joints = [("lap", plates.gap, plates.slip, plates.pairs.weights, plates.pairs.initial_gaps)]
    reduced = build_reduced_body(plates.model.nodes, plates.matrices, basis, plates.interfaces, joints)
    joint = JointModel("lap", plates.pairs, LinearPenalty(stiffness=STIFFNESS), None)
    return BodyModel("plates", reduced, (joint,), plates.interfaces, plates.model, plates.matrices)


def eliminated(plates):
    """Return nodal displacements by plain Newton steps on the null space of support and constraint."""
    K, C = plates.matrices.stiffness.toarray(), plates.matrices.constraints.toarray()
    T, rows = plates.matrices.dofs.transformation, plates.matrices.dofs.node_rows
    held = T[rows(plates.interfaces["HOLD"])].toarray()
    Z = la.null_space(np.vstack([C / np.abs(C).max(), held]))
    load = T[rows(plates.interfaces["TIP"])].T @ np.array([*FORCE, 0.0, 0.0, 0.0])
    G, w = plates.gap.toarray(), plates.pairs.weights
    closed = np.zeros(len(w), bool)
    for _ in range(50):
        tangent = K + G.T @ ((STIFFNESS * w * closed)[:, None] * G)
        x = Z @ np.linalg.solve(Z.T @ tangent @ Z, Z.T @ load)
        now = plates.pairs.initial_gaps + G @ x < 0.0
        if np.array_equal(now, closed):
            return plates.matrices.dofs.displacement_rows @ x
        closed = now
    raise AssertionError("the active set does not settle")


def test_unreduced_statics_hold_distributing_couplings(plates, body, tmp_path):
    load = LoadSpec(interface="TIP", force=FORCE)
    analysis = UnreducedStatic(name="full", body="plates", support="HOLD", loads=(load,))
    report = analysis.run(body, tmp_path / "full.h5", Silent())
    results = Results(tmp_path / "full.h5")
    exact = eliminated(plates)
    found = results.displacement(0)
    assert np.linalg.norm(found.ravel() - exact) < 1e-8 * np.linalg.norm(exact)
    tip = plates.interfaces["TIP"]
    assert results.curve("TIP uz")[-1] == pytest.approx(exact[3 * tip + 2], rel=1e-8)
    assert results.curve("lap closed share")[-1] > 0.0
    assert report["iterations"] < 12
