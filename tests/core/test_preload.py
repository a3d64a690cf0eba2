"""Preload cases and preload modes on two plates, against dense solutions and the unreduced model."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la

from faying.analyses import BodyModel, JointModel
from faying.analyses.static import Static
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.transient import Transient
from faying.analyses.unreduced_static import UnreducedStatic
from faying.errors import ModelError, SolveError
from faying.fem.assembly import assemble
from faying.fem.pressure import pressure_forces
from faying.fem.skin import find_skin, surface_from_deck
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.kinematics import sparse_rows
from faying.linalg.factor import factorize
from faying.params import build
from faying.progress import Silent
from faying.reduction import contact_start, held_contact
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.held_contact import FrictionlessJoint
from faying.reduction.interior import InteriorProblem
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.preload import PreloadSpec, preload_modes
from faying.reduction.preload_loads import PreloadedBody
from faying.reduction.problem import JointModeProblem
from faying.results.results import Results
from faying.solvers.equilibrium import solve_equilibrium
from support.derivatives import all_derivatives
from support.plates import JointedBody, jointed_plates

STIFFNESS = 2e4
LAW = LinearPenalty(stiffness=STIFFNESS)
PRESS = {
    "name": "clamp",
    "loads": [
        {"kind": "surface_force", "surface": {"kind": "deck_surface", "name": name}, "force": 300.0}
        for name in ("UNDER", "OVER")
    ],
}
LIFT_MOMENT = 40.0 * 10.0
CLOSE = {  # a force on the tip and what balances it at the other end: acts on interface dofs alone
    "name": "close",
    "loads": [
        {"kind": "node_force", "interface": "TIP", "force": [0, 0, -10.0]},
        {"kind": "node_force", "node_set": "HOLD", "force": [0, 0, 10.0], "moment": [0, -LIFT_MOMENT, 0]},
    ],
}


@pytest.fixture(scope="module")
def plates():
    return jointed_plates(upper=(6, 2, 1), lower=(4, 2, 1))


def subject_of(plates):
    return PreloadedBody(
        plates.model, find_skin(plates.model), plates.matrices.dofs, plates.interfaces, ("lap",)
    )


def modes_of(plates, *cases, interior=None):
    specs = [build(PreloadSpec, case) for case in cases]
    joint = FrictionlessJoint("lap", sparse_rows(plates.pairs, plates.matrices.dofs), LAW)
    return preload_modes(
        interior or plates.interior, specs, subject_of(plates), [joint], solve_equilibrium, Silent()
    )


def dense_equilibrium(plates, force, closing=0.0):
    """Return the contact equilibrium without rigid content: active set on dense matrices."""
    K, M = plates.matrices.stiffness.toarray(), plates.matrices.mass
    elastic = la.null_space((M @ plates.interior.rigid_modes).T)
    G, w = plates.gap.toarray(), plates.pairs.weights
    gap = plates.pairs.initial_gaps - closing
    closed = np.full(len(w), closing > 0.0)
    for _ in range(50):
        tangent = K + G.T @ ((STIFFNESS * w * closed)[:, None] * G)
        load = force - G.T @ (STIFFNESS * w * closed * gap)
        x = elastic @ np.linalg.solve(elastic.T @ tangent @ elastic, elastic.T @ load)
        now = gap + G @ x < 0.0
        if np.array_equal(now, closed):
            return x
        closed = now
    raise AssertionError("the active set does not settle")


@pytest.mark.parametrize("case", [PRESS, CLOSE])
def test_a_preload_mode_is_the_contact_equilibrium(plates, case):
    found = modes_of(plates, case)
    force = sum(load.act(subject_of(plates)).forces for load in build(PreloadSpec, case).loads)
    exact = dense_equilibrium(plates, force)
    assert np.linalg.norm(found.modes[:, 0] - exact) < 1e-7 * np.linalg.norm(exact)
    assert (plates.gap @ exact < 0).any() and (plates.gap @ exact > 0).any()
    assert np.abs(plates.interior.rigid_modes.T @ (plates.matrices.mass @ found.modes)).max() < 1e-12
    assert found.unbalanced[0] < 1e-9
    assert found.reactions[0] < 1e-7  # loads in balance leave the support nothing to carry
    assert found.iterations[0] <= 5  # the start is near, here even exact


def test_cases_share_a_factor_and_are_solved_for_together(plates, monkeypatch):
    """The stiffness is factored once, and the first patches, which load the whole joint, are solved for once."""
    made, asked = [], []

    class Counted:
        def __init__(self, factor):
            self.factor = factor

        def solve(self, loads):
            asked.append(1 if loads.ndim == 1 else loads.shape[1])
            return self.factor.solve(loads)

    def factored(*given, **words):
        made.append(Counted(factorize(*given, **words)))
        return made[-1]

    monkeypatch.setattr(held_contact, "factorize", factored)
    fit = {"name": "fit", "loads": [{"kind": "interference", "joint": "lap", "amount": 0.02}]}
    cases = [PRESS, CLOSE, fit]
    alone, counts = [], []
    for case in cases:
        asked.clear()
        alone.append(modes_of(plates, case))
        counts.append(list(asked))
    made.clear()
    asked.clear()
    together = modes_of(plates, *cases)
    assert len(made) == 1
    assert asked[0] == asked[-1] == len(cases)  # linear solutions, and the displacements of the starts
    first = min(contact_start._PATCHES, len(plates.pairs.weights))
    assert sum(asked) == sum(map(sum, counts)) - (len(cases) - 1) * first
    for k, each in enumerate(alone):
        size = np.abs(each.modes).max()
        np.testing.assert_allclose(together.modes[:, k], each.modes[:, 0], rtol=0.0, atol=1e-10 * size)
    assert list(together.iterations) == [int(each.iterations[0]) for each in alone]


def test_interference_closes_the_joint_by_its_amount(plates):
    found = modes_of(
        plates, {"name": "fit", "loads": [{"kind": "interference", "joint": "lap", "amount": 0.02}]}
    )
    exact = dense_equilibrium(plates, np.zeros(plates.interior.n_dofs), closing=0.02)
    assert np.linalg.norm(found.modes[:, 0] - exact) < 1e-7 * np.linalg.norm(exact)
    np.testing.assert_allclose(found.closings, [[0.02]])
    assert found.reactions[0] < 1e-7 and not found.forces.any()


def test_an_interference_smaller_than_the_gap_is_a_sentence():
    apart = jointed_plates(gap=0.05)
    small = {"name": "fit", "loads": [{"kind": "interference", "joint": "lap", "amount": 0.04}]}
    with pytest.raises(ModelError, match="'fit' does not deform the body") as error:
        modes_of(apart, small)
    assert "larger than the initial gap" in error.value.hint
    assert modes_of(apart, {"name": "fit", "loads": [dict(small["loads"][0], amount=0.06)]}).modes.any()


def test_pressure_forces_have_the_resultant_of_the_area(plates):
    nodes = plates.model.nodes
    forces = pressure_forces(surface_from_deck(plates.model, "OVER"), nodes)
    np.testing.assert_allclose(forces.sum(axis=0), [0.0, 0.0, -20.0 * 10.0], atol=1e-9)
    moment = np.cross(nodes, forces).sum(axis=0)
    np.testing.assert_allclose(moment, np.cross([30.0, 5.0, 2.0], [0.0, 0.0, -200.0]), atol=1e-8)


@pytest.mark.parametrize("kind", ["tri3", "tri6", "quad4", "quad8"])
def test_pressure_on_every_kind_of_facet(make_sheet, kind):
    nodes, surface = make_sheet((4, 3), kind, size=(10.0, 6.0), height=lambda x, y: 0.02 * x * y)
    forces = pressure_forces(surface, nodes)
    # A pressure works on the projected areas, whatever the shape: 60 along z.
    assert forces[:, 2].sum() == pytest.approx(-60.0, rel=1e-12)
    flat, plane = make_sheet((4, 3), kind, size=(10.0, 6.0))
    np.testing.assert_allclose(pressure_forces(plane, flat).sum(axis=0), [0, 0, -60.0], atol=1e-12)


def test_loads_out_of_balance_are_refused_with_what_is_left(plates):
    alone = {"name": "pull", "loads": [CLOSE["loads"][0]]}
    with pytest.raises(ModelError, match=r"'pull' is not in balance: force \[.*-10") as error:
        modes_of(plates, alone)
    assert "opposite" in error.value.hint


def test_a_small_imbalance_goes_to_the_inertia(plates):
    loads = [dict(PRESS["loads"][0], force=300.6), PRESS["loads"][1]]
    found = modes_of(plates, {"name": "uneven", "loads": loads})
    assert 1e-4 < found.unbalanced[0] < 0.01
    assert np.abs(plates.interior.rigid_modes.T @ found.forces).max() < 1e-9 * np.abs(found.forces).max()
    assert found.reactions[0] < 1e-7


@pytest.mark.parametrize(
    ("load", "words"),
    [
        ({"kind": "node_force", "interface": "NOWHERE", "force": [1, 0, 0]}, "no interface node called 'NOWHERE'"),
        ({"kind": "node_force", "node_set": "NOWHERE", "force": [1, 0, 0]}, "not in the deck"),
        ({"kind": "node_force", "force": [1, 0, 0]}, "names no node"),
        ({"kind": "interference", "joint": "other", "amount": 0.1}, "no joint called 'other'"),
        ({"kind": "surface_pressure", "surface": {"kind": "deck_surface", "name": "NONE"}, "pressure": 1}, "NONE"),
        ({"kind": "interference", "joint": "lap", "amount": 0.0}, "has no load"),
    ],
)  # fmt: skip
def test_bad_loads_are_sentences(plates, load, words):
    with pytest.raises(ModelError, match=words) as error:
        modes_of(plates, {"name": "bad", "loads": [load]})
    assert "'bad'" in error.value.message and error.value.hint


# ---- the basis ----------------------------------------------------------------------------------------


def body_of(plates, count, *cases, vibration_modes=6):
    components = CraigBampton(vibration_modes=vibration_modes).build(plates.interior, Silent())
    preloads = modes_of(plates, *cases)
    problem = JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, plates.pairs.initial_gaps, preloads
    )
    modes, values = WeightedPod(count=count).build(problem, Silent())
    basis = extend_basis(plates.interior, components, modes, values, preloads.modes, problem.remarks)
    joints = [("lap", plates.gap, plates.slip, plates.pairs.weights, plates.pairs.initial_gaps)]
    reduced = build_reduced_body(
        plates.model.nodes, plates.matrices, basis, plates.interfaces, joints, preloads
    )
    joint = JointModel(
        "lap",
        plates.pairs,
        LAW,
        Coulomb(friction_coefficient=0.2, sticking_stiffness=1e4, sliding_stiffness=500.0),
    )
    whole = BodyModel("plates", reduced, (joint,), plates.interfaces, plates.model, plates.matrices, preloads)
    return whole, basis, preloads, problem


def test_the_basis_names_its_preload_modes_and_has_full_rank(plates):
    _, basis, preloads, problem = body_of(plates, 8, PRESS, CLOSE)
    assert [g.name for g in basis.groups] == ["free-free modes", "preload modes", "joint modes"]
    m = basis.groups[0].stop
    assert basis.groups[1].stop - m == 2
    assert problem.derivatives(Silent()).labels.max() == m + 1  # derivatives over m + p trial vectors
    scaled = basis.modes / np.linalg.norm(basis.modes, axis=0)
    assert np.linalg.matrix_rank(scaled, tol=1e-8) == basis.modes.shape[1]
    with_preload = np.hstack([basis.modes, preloads.modes / np.linalg.norm(preloads.modes, axis=0)])
    assert (
        np.linalg.matrix_rank(with_preload / np.linalg.norm(with_preload, axis=0), tol=1e-8)
        == scaled.shape[1]
    )


def test_dependent_preload_modes_are_left_out_and_named(plates):
    _, basis, *_ = body_of(plates, 0, PRESS, dict(PRESS, name="the same again"))
    assert "preload modes 2, which depend on others" in basis.removed
    # A load at interface dofs that opens the joint makes no contact: Craig-Bampton knows its shape already.
    opening = [dict(load, force=[0, 0, -load["force"][2]]) for load in CLOSE["loads"]]
    opening[1]["moment"] = [0, LIFT_MOMENT, 0]
    _, basis, *_ = body_of(plates, 0, {"name": "open", "loads": opening})
    assert "preload modes 1, which depend on others" in basis.removed
    assert [g.name for g in basis.groups][:1] == ["free-free modes"] and basis.groups[
        -1
    ].stop == basis.modes.shape[1]


def test_a_preload_mode_depends_on_its_own_derivative_when_the_bolts_are_interface_dofs(plates):
    _, _, preloads, problem = body_of(plates, 0, CLOSE)
    derivatives = problem.derivatives(Silent())
    m = problem.components.modes.shape[1]
    own = next(k for k, label in enumerate(derivatives.labels) if tuple(label) == (m, m, 1))
    derivative = all_derivatives(derivatives)[:, [own]]
    basis = extend_basis(plates.interior, problem.components, derivative, np.zeros(0), preloads.modes)
    assert basis.removed[-1] == "joint modes 1, which depend on others"


def test_reduced_and_unreduced_statics_give_the_mounted_body(plates, tmp_path):
    body, _, preloads, _ = body_of(plates, 0, PRESS)
    common = {"body": "plates", "support": "HOLD", "preloads": ("clamp",)}
    Static(name="s", **common).run(body, tmp_path / "s.h5", Silent())
    UnreducedStatic(name="u", **common).run(body, tmp_path / "u.h5", Silent())
    reduced, full = Results(tmp_path / "s.h5"), Results(tmp_path / "u.h5")
    # The preload mode is in the basis, so both are it, moved so that the support stands still.
    held = body.reduced.clamped_to("HOLD")
    nodal = held.displacements @ reduced.coordinates(0)
    exact = full.displacement(0).ravel()
    assert np.linalg.norm(nodal - exact) < 1e-6 * np.linalg.norm(exact)
    stretched = plates.gap @ preloads.modes[:, 0]
    np.testing.assert_allclose(
        held.joints[0].normal @ reduced.coordinates(0), stretched, atol=1e-6 * np.abs(stretched).max()
    )
    assert reduced.n_frames == 2 and list(reduced.values) == [0.0, 1.0]


def test_interference_acts_in_reduced_and_unreduced_statics(plates, tmp_path):
    fit = {"name": "fit", "loads": [{"kind": "interference", "joint": "lap", "amount": 0.02}]}
    body, *_ = body_of(plates, 60, fit)
    common = {"friction": False, "body": "plates", "support": "HOLD", "preloads": ("fit",)}
    load = LoadSpec(interface="TIP", force=(0.0, 0.0, 5.0))
    Static(name="s", loads=(load,), **common).run(body, tmp_path / "s.h5", Silent())
    UnreducedStatic(name="u", loads=(load,), **common).run(body, tmp_path / "u.h5", Silent())
    reduced, full = Results(tmp_path / "s.h5"), Results(tmp_path / "u.h5")
    assert reduced.curve("TIP uz")[-1] == pytest.approx(full.curve("TIP uz")[-1], rel=2e-3)
    assert reduced.curve("lap normal force")[-1] == pytest.approx(
        full.curve("lap normal force")[-1], rel=0.02
    )
    assert full.curve("lap normal force")[-1] > 0.0


def test_the_preload_mode_makes_the_mounted_state_right(plates, tmp_path):
    """With as many trial vectors but none of the preload, the mounted body is percents off."""
    common = {"body": "plates", "support": "HOLD", "preloads": ("clamp",)}
    with_mode, *_ = body_of(plates, 3, PRESS)
    UnreducedStatic(name="u", **common).run(with_mode, tmp_path / "u.h5", Silent())
    exact = Results(tmp_path / "u.h5").curve("TIP uz")[-1]
    components = CraigBampton(vibration_modes=6).build(plates.interior, Silent())
    problem = JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, plates.pairs.initial_gaps
    )
    modes, values = WeightedPod(count=4).build(problem, Silent())
    joints = [("lap", plates.gap, plates.slip, plates.pairs.weights, plates.pairs.initial_gaps)]
    without = build_reduced_body(
        plates.model.nodes, plates.matrices, extend_basis(plates.interior, components, modes, values),
        plates.interfaces, joints, with_mode.preloads,
    )  # fmt: skip
    assert without.n_coordinates == with_mode.reduced.n_coordinates
    errors = []
    for name, body in (("with", with_mode), ("without", replace(with_mode, reduced=without))):
        Static(name=name, **common).run(body, tmp_path / f"{name}.h5", Silent())
        errors.append(abs(Results(tmp_path / f"{name}.h5").curve("TIP uz")[-1] / exact - 1.0))
    assert errors[0] < 1e-6 and errors[1] > 0.03


def test_transient_starts_mounted_and_stays_there_without_loads(plates, tmp_path):
    body, *_ = body_of(plates, 10, PRESS)
    moving = Transient(name="t", body="plates", support="HOLD", preloads=("clamp",), duration=2e-4, frames=4)
    moving.run(body, tmp_path / "t.h5", Silent())
    results = Results(tmp_path / "t.h5")
    tip, force = results.curve("TIP uz"), results.curve("lap normal force")
    assert np.abs(tip).max() > 0.0 and np.ptp(tip) < 1e-3 * np.abs(tip).max()
    assert force[0] > 0.0 and np.ptp(force) < 0.01 * force[0]


def test_an_unknown_case_is_named(plates, tmp_path):
    body, *_ = body_of(plates, 0, PRESS)
    with pytest.raises(ModelError, match="no preload case called 'other'"):
        Static(name="s", body="plates", support="HOLD", preloads=("other",)).run(
            body, tmp_path / "s.h5", Silent()
        )


# ---- parts that only contact holds ---------------------------------------------------------------------


def held_by_contact(plates, components):
    """Return the plates with the upper one guided at x = 0 in some components instead of coupled in all."""
    hold = plates.model.couplings[0]
    is_low = hold.nodes < 5 * 3 * 2
    guided = [replace(hold, nodes=hold.nodes[is_low])]
    if components:
        upper = hold.nodes[~is_low]
        guided.append(replace(hold, name="C_GUIDE", nodes=upper, components=components))
    model = replace(plates.model, couplings=(*guided, plates.model.couplings[1]))
    matrices = assemble(model, Silent())
    from faying.joints.kinematics import gap_rows, slip_rows

    interior = InteriorProblem(matrices, model.nodes, np.array(list(plates.interfaces.values())))
    return JointedBody(
        model, matrices, plates.pairs, interior,
        gap_rows(plates.pairs, matrices.dofs), slip_rows(plates.pairs, matrices.dofs), plates.interfaces,
    )  # fmt: skip


def test_a_part_that_only_contact_holds_along_the_bolt_is_solved(plates):
    guided = held_by_contact(plates, (1, 2))
    found = modes_of(guided, PRESS)
    assert found.reactions[0] < 1e-6
    gaps = guided.gap @ found.modes[:, 0]
    pressing = STIFFNESS * guided.pairs.weights @ np.maximum(-gaps, 0.0)
    assert pressing == pytest.approx(300.0, rel=1e-6)  # contact alone carries the clamp


def test_a_part_that_would_slide_is_refused(plates):
    with pytest.raises(SolveError, match="only friction would hold it") as error:
        modes_of(held_by_contact(plates, ()), PRESS)
    assert "'clamp'" in error.value.message
