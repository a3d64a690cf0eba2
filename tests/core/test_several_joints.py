"""A body of three plates with two joints that have laws of their own: reduced against unreduced."""

import numpy as np
import pytest
import scipy.sparse as sp

from faying.analyses import BodyModel, JointModel
from faying.analyses.static import Static
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.unreduced_static import UnreducedStatic
from faying.fem.assembly import assemble
from faying.fem.skin import surface_from_deck
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.search import SearchSpec
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.joint_modes.equilibrium_snapshots import EquilibriumSnapshots
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods import reduction_methods
from faying.reduction.problem import JointModeProblem
from faying.results.results import Results
from support.plates import three_plates

LAWS = {"lower": LinearPenalty(stiffness=5e3), "upper": LinearPenalty(stiffness=5e4)}


@pytest.fixture(scope="module")
def model():
    return three_plates()


@pytest.fixture(scope="module")
def matrices(model):
    return assemble(model, Silent())


@pytest.fixture(scope="module")
def pairs(model):
    return {
        name: find_contact_pairs(
            model.nodes, surface_from_deck(model, master), surface_from_deck(model, slave), SearchSpec(), Silent()
        )
        for name, master, slave in (("lower", "LOW_TOP", "MID_BOTTOM"), ("upper", "MID_TOP", "HIGH_BOTTOM"))
    }  # fmt: skip


@pytest.fixture(scope="module")
def interior(model, matrices):
    nodes = np.array([int(model.node_sets[name][0]) for name in ("HOLD", "TIP")])
    return InteriorProblem(matrices, model.nodes, nodes)


def body_of(model, matrices, pairs, interior, method="craig_bampton", count=30, own=()):
    chosen = reduction_methods[method]
    components = chosen().build(interior, Silent())
    rows = {name: (gap_rows(p, matrices.dofs), slip_rows(p, matrices.dofs)) for name, p in pairs.items()}
    problem = JointModeProblem(
        interior, components, sp.vstack([gap for gap, _ in rows.values()], format="csr"),
        np.concatenate([p.weights for p in pairs.values()]),
        np.concatenate([p.initial_gaps for p in pairs.values()]),
        free=not chosen.has_constraint_modes, joint_sizes=tuple(len(p) for p in pairs.values()),
    )  # fmt: skip
    if own:
        alone = [problem.of_joints([i]) for i in range(len(own))]
        found = [chosen.build(part, Silent()) for chosen, part in zip(own, alone, strict=True)]
        none = np.zeros((interior.n_dofs, 0))
        more = [(f"joint modes of {i}", modes) for i, (modes, _) in enumerate(found)]
        basis = extend_basis(interior, components, none, found[0][1], more=more)
    else:
        modes, values = WeightedPod(count=count).build(problem, Silent())
        basis = extend_basis(interior, components, modes, values)
    interfaces = {name: int(model.node_sets[name][0]) for name in ("HOLD", "TIP")}
    joints = [(name, *rows[name], p.weights, p.initial_gaps) for name, p in pairs.items()]
    reduced = build_reduced_body(model.nodes, matrices, basis, interfaces, joints)
    frictions = {
        "lower": None,
        "upper": Coulomb(friction_coefficient=0.2, sticking_stiffness=1e4, sliding_stiffness=500.0),
    }
    models = tuple(JointModel(name, p, LAWS[name], frictions[name]) for name, p in pairs.items())
    return BodyModel("pack", reduced, models, interfaces, model, matrices)


def solved(kind, body, load, path, **more):
    analysis = kind(
        name="s", body="pack", support="HOLD", loads=(LoadSpec(interface="TIP", force=load),), **more
    )
    analysis.run(body, path, Silent())
    return Results(path)


@pytest.mark.parametrize("load", [(0.0, 0.0, -20.0), (0.0, 0.0, 20.0), (0.0, 8.0, -10.0)])
def test_reduced_equals_unreduced(model, matrices, pairs, interior, tmp_path, load):
    body = body_of(model, matrices, pairs, interior)
    reduced = solved(Static, body, load, tmp_path / "r.h5", friction=False)
    full = solved(UnreducedStatic, body, load, tmp_path / "u.h5", friction=False)
    assert reduced.curve("TIP uz")[-1] == pytest.approx(full.curve("TIP uz")[-1], rel=0.01)
    assert load[2] > 0.0 or any(full.curve(f"{name} closed share")[-1] > 0.0 for name in pairs)
    for name in pairs:
        ours, theirs = reduced.curve(f"{name} gap norm")[-1], full.curve(f"{name} gap norm")[-1]
        assert ours == pytest.approx(theirs, rel=0.05, abs=1e-9)  # a joint that moves as one has none
        if theirs > 1e-9:
            assert reduced.curve(f"{name} closed share")[-1] == full.curve(f"{name} closed share")[-1]


def test_each_joint_has_its_own_method(model, matrices, pairs, interior, tmp_path):
    """Another method and number for each joint, in one basis: as good as a common method (unreduced model)."""
    own = (WeightedPod(count=20), EquilibriumSnapshots(count=12))
    body = body_of(model, matrices, pairs, interior, own=own)
    assert [name for name, _ in body.reduced.groups][-2:] == ["joint modes of 0", "joint modes of 1"]
    load = (0.0, 0.0, -20.0)
    reduced = solved(Static, body, load, tmp_path / "r.h5", friction=False)
    full = solved(UnreducedStatic, body, load, tmp_path / "u.h5", friction=False)
    assert reduced.curve("TIP uz")[-1] == pytest.approx(full.curve("TIP uz")[-1], rel=0.01)
    for name in pairs:
        ours, theirs = reduced.curve(f"{name} gap norm")[-1], full.curve(f"{name} gap norm")[-1]
        assert ours == pytest.approx(theirs, rel=0.05, abs=1e-9)


def test_each_joint_has_its_own_law(model, matrices, pairs, interior, tmp_path):
    body = body_of(model, matrices, pairs, interior)
    down = solved(UnreducedStatic, body, (0.0, 0.0, -20.0), tmp_path / "u.h5", friction=False)
    for joint in body.joints:
        gap = down.gap_and_slip(joint.name, 0)[0]
        force = LAWS[joint.name].stiffness * joint.pairs.weights @ np.maximum(-gap, 0.0)
        assert down.curve(f"{joint.name} normal force")[-1] == pytest.approx(force, rel=1e-9)
        assert force > 0.0


def test_friction_keeps_a_history_for_each_joint_that_has_some(model, matrices, pairs, interior, tmp_path):
    body = body_of(model, matrices, pairs, interior)
    found = solved(Static, body, (0.0, 0.0, -20.0), tmp_path / "f.h5", friction=True, load_steps=4)
    assert found.history("lower", 3) is None
    assert found.history("upper", 3).shape[0] == len(pairs["upper"])
    assert (found.curve("upper normal force") > 0.0).all()


@pytest.mark.parametrize("load", [(0.0, 0.0, -20.0), (0.0, 8.0, -10.0)])
@pytest.mark.parametrize("kind", [Static, UnreducedStatic])
def test_pairs_that_open_after_sliding_do_not_go_round_in_circles(
    model, matrices, pairs, interior, tmp_path, load, kind
):
    """Their sliding springs are lost when they open, which would close them again; Newton's method alone fails."""
    body = body_of(model, matrices, pairs, interior)
    found = solved(kind, body, load, tmp_path / "f.h5", load_steps=1)
    assert found.complete and found.curve("upper normal force")[-1] > 0.0


@pytest.mark.parametrize("method", ["free_interface"])
def test_methods_without_constraint_modes_take_shapes_of_the_free_body(
    model, matrices, pairs, interior, tmp_path, method
):
    body = body_of(model, matrices, pairs, interior, method)
    load = (0.0, 0.0, -20.0)
    reduced = solved(Static, body, load, tmp_path / "r.h5", friction=False)
    full = solved(UnreducedStatic, body, load, tmp_path / "u.h5", friction=False)
    assert reduced.curve("TIP uz")[-1] == pytest.approx(full.curve("TIP uz")[-1], rel=0.01)
