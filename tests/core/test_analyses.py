"""Analyses on the two plates: reduced against unreduced, statics against dynamics, loads, friction's energy."""

import numpy as np
import pytest

from faying.analyses import BodyModel, JointModel
from faying.analyses.static import Static
from faying.analyses.statics.loads import LoadSpec, load_vectors
from faying.analyses.transient import Transient
from faying.analyses.unreduced_static import UnreducedStatic
from faying.errors import Cancelled, ModelError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.load_histories.constant import Constant
from faying.load_histories.haversine import Haversine
from faying.progress import CancelFlag, Silent
from faying.results.field import CYCLE
from faying.results.fields import TIME, FieldContext, fields
from faying.results.mode_shapes import ModeShapes
from faying.results.results import Results
from support.flexible_bodies import with_joint_modes
from support.plates import jointed_plates

DOWN = LoadSpec(interface="TIP", force=(0.0, 0.0, -20.0))
UP = LoadSpec(interface="TIP", force=(0.0, 0.0, 20.0))


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


@pytest.fixture(scope="module")
def body(plates):
    joint = JointModel(
        "joint",
        plates.pairs,
        LinearPenalty(stiffness=5e4),
        Coulomb(friction_coefficient=0.3, sticking_stiffness=1e4, sliding_stiffness=500.0),
    )
    return BodyModel(
        "plates", with_joint_modes(plates, 30), (joint,), plates.interfaces, plates.model, plates.matrices
    )


def run(analysis, body, path):
    report = analysis.run(body, path, Silent())
    results = Results(path)
    assert results.complete
    assert results.report == report
    return results


def test_loads_are_the_interface_rows(body):
    held = body.reduced.clamped_to("HOLD")
    load = LoadSpec(interface="TIP", force=(1.0, 2.0, 3.0), moment=(4.0, 5.0, 6.0))
    np.testing.assert_allclose(
        load_vectors((load,), held.interfaces)[:, 0], np.arange(1.0, 7.0) @ held.interfaces["TIP"]
    )
    with pytest.raises(ModelError, match=r"'NOWHERE', which does not exist.*There are: HOLD, TIP"):
        load_vectors((LoadSpec(interface="NOWHERE"),), held.interfaces)


def test_haversine_rises_smoothly_to_one():
    rise = Haversine(rise_time=0.01)
    assert rise.factor(-1.0) == 0.0
    assert rise.factor(0.005) == pytest.approx(0.5)
    assert rise.factor(0.01) == rise.factor(5.0) == 1.0
    assert rise.factor(1e-6) < 1e-7
    assert Constant().factor(3.0) == 1.0


@pytest.mark.parametrize(("load", "sign"), [(DOWN, -1), (UP, 1)])
def test_static_reduced_equals_unreduced(body, tmp_path, load, sign):
    common = {"name": "a", "body": "plates", "support": "HOLD", "loads": (load,), "friction": False}
    small = run(Static(**common), body, tmp_path / "reduced.h5")
    full = run(UnreducedStatic(**common), body, tmp_path / "full.h5")
    tip, exact = small.curve("TIP uz")[-1], full.curve("TIP uz")[-1]
    assert np.sign(exact) == sign
    assert tip == pytest.approx(exact, rel=2e-3)
    # A downward force presses the upper plate on the lower one: the joint carries, and more than when it opens.
    force = full.curve("joint normal force")[-1]
    assert small.curve("joint normal force")[-1] == pytest.approx(force, rel=0.05, abs=1e-3)
    if sign < 0:
        assert force > 5.0
        assert full.curve("joint closed share")[-1] > 0


def test_contact_makes_the_pressed_plate_stiffer_than_the_lifted_one(body, tmp_path):
    deflections = []
    for name, load in (("down", DOWN), ("up", UP)):
        analysis = Static(name=name, body="plates", support="HOLD", loads=(load,))
        deflections.append(abs(run(analysis, body, tmp_path / f"{name}.h5").curve("TIP uz")[-1]))
    assert deflections[0] < 0.75 * deflections[1]


def test_friction_stiffens_and_follows_the_load_steps(body, tmp_path):
    common = {"name": "a", "body": "plates", "support": "HOLD", "loads": (DOWN,), "load_steps": 8}
    free = run(Static(**common, friction=False), body, tmp_path / "free.h5")
    rough = run(Static(**common), body, tmp_path / "rough.h5")
    assert rough.n_frames == 8
    np.testing.assert_allclose(rough.values, np.arange(1, 9) / 8)
    assert abs(rough.curve("TIP uz")[-1]) < abs(free.curve("TIP uz")[-1])
    assert rough.history("joint", 7).shape == (len(body.joints[0].pairs), 5)
    assert free.history("joint", 7) is None


def test_slow_transient_follows_the_statics(body, tmp_path):
    force = (0.0, 0.0, -2000.0)
    slow = LoadSpec(interface="TIP", force=force, time_history={"kind": "haversine", "rise_time": 0.02})
    frictionless = BodyModel(
        "plates", body.reduced,
        (JointModel("joint", body.joints[0].pairs, body.joints[0].contact_law, None),), body.interface_nodes,
    )  # fmt: skip
    moving = Transient(
        name="t", body="plates", support="HOLD", loads=(slow,), duration=0.02, frames=20,
        integrator={"kind": "hht", "tolerance": 1e-3, "largest_step": 1e-4},
    )  # fmt: skip
    results = run(moving, frictionless, tmp_path / "t.h5")
    static = run(
        Static(name="s", body="plates", support="HOLD", loads=(LoadSpec(interface="TIP", force=force),)),
        frictionless,
        tmp_path / "s.h5",
    )
    assert results.n_frames == 21
    assert results.values[-1] == pytest.approx(0.02)
    assert results.curve("TIP uz")[-1] == pytest.approx(static.curve("TIP uz")[-1], rel=0.02)


def test_friction_takes_energy_out_of_a_vibration(body, tmp_path):
    """Free vibration after an impulse: with friction the plate ends with less energy than without."""
    impulse = LoadSpec(
        interface="TIP", force=(0.0, 0.0, -200.0), time_history={"kind": "haversine", "rise_time": 4e-4}
    )
    energies = []
    for law in (None, Coulomb(friction_coefficient=0.3, sticking_stiffness=1e4, sliding_stiffness=0.0)):
        joint = JointModel("joint", body.joints[0].pairs, body.joints[0].contact_law, law)
        model = BodyModel("plates", body.reduced, (joint,), body.interface_nodes)
        analysis = Transient(
            name="t", body="plates", support="HOLD", loads=(impulse,), duration=3e-3, frames=100,
            integrator={"kind": "hht", "alpha": -0.05, "tolerance": 1e-3, "largest_step": 1e-5},
        )  # fmt: skip
        results = run(analysis, model, tmp_path / f"{law is None}.h5")
        energies.append(np.ptp(results.curve("TIP uz")[-40:]))
    assert energies[1] < 0.98 * energies[0]


def test_cancelled_run_keeps_its_frames(body, tmp_path):
    flag = CancelFlag()

    class After(CancelFlag):
        seen = 0

        def report(self, fraction, text="", **values):
            After.seen += 1
            if After.seen > 60:
                flag.cancel()
            flag.report(fraction)

    load = LoadSpec(interface="TIP", force=DOWN.force, time_history={"kind": "haversine", "rise_time": 0.02})
    analysis = Transient(
        name="t", body="plates", support="HOLD", loads=(load,), duration=0.02, frames=2000,
        integrator={"kind": "hht", "largest_step": 1e-5, "first_step": 1e-5},
    )  # fmt: skip
    with pytest.raises(Cancelled):
        analysis.run(body, tmp_path / "t.h5", After())
    results = Results(tmp_path / "t.h5")
    assert not results.complete
    assert 10 < results.n_frames < 2001
    assert np.isfinite(results.coordinates(results.n_frames - 1)).all()


def test_fields_of_all_kinds_agree_with_what_the_analysis_saw(body, tmp_path):
    analysis = Static(name="a", body="plates", support="HOLD", loads=(DOWN,), load_steps=5, friction=True)
    results = run(analysis, body, tmp_path / "a.h5")
    held = body.reduced.clamped_to("HOLD")
    joint = body.joints[0]
    laws = {"joint": joint.contact_law}, {"joint": joint.friction_law}
    context = FieldContext(results, held, *laws, {"joint": joint.pairs})
    last = results.n_frames - 1
    values = {
        kind: member().evaluate(context, "joint", last)
        for kind, member in fields.items()
        if member.location == "joint" and not {TIME, CYCLE} & set(member.needs)
    }
    n = len(joint.pairs)
    assert {"gap", "pressure", "status", "friction_stress", "slip", "wear"} <= set(values)
    for value in values.values():
        assert value.shape[0] == n
    closed = values["gap"] < 0
    np.testing.assert_allclose(values["pressure"], np.where(closed, -5e4 * values["gap"], 0.0), atol=1e-9)
    assert ((values["status"] > 0) == closed).all()
    assert (values["friction_stress"][~closed] == 0).all()
    area = held.joints[0].weights
    assert area @ values["pressure"] == pytest.approx(results.curve("joint normal force")[last])
    assert area[closed].sum() / area.sum() == pytest.approx(results.curve("joint closed share")[last])
    assert np.linalg.norm(values["gap"]) == pytest.approx(results.curve("joint gap norm")[last])
    # Sticking pairs lie inside the limit, slipping ones on it (plus the sliding slope).
    law = joint.friction_law
    elastic = values["friction_stress"] - law.sliding_stiffness * np.hypot(values["slip_1"], values["slip_2"])
    assert (
        elastic[closed] <= law.friction_coefficient * values["pressure"][closed] * (1 + 1e-6) + 1e-9
    ).all()
    displacement = fields["displacement"]().evaluate(context, "joint", last)
    tip = displacement[body.interface_nodes["TIP"]]
    assert tip[2] == pytest.approx(results.curve("TIP uz")[last])


def test_unreduced_results_show_the_same_fields(body, tmp_path):
    full = run(
        UnreducedStatic(name="u", body="plates", support="HOLD", loads=(DOWN,)), body, tmp_path / "u.h5"
    )
    held = body.reduced.clamped_to("HOLD")
    context = FieldContext(full, held, {"joint": body.joints[0].contact_law}, {"joint": None})
    pressure = fields["pressure"]().evaluate(context, "joint", 0)
    assert held.joints[0].weights @ pressure == pytest.approx(full.curve("joint normal force")[0])
    displacement = fields["displacement"]().evaluate(context, "joint", 0)
    assert displacement[body.interface_nodes["TIP"], 2] == pytest.approx(full.curve("TIP uz")[0])


def test_mode_shapes_are_frames_of_unit_size(body):
    labels = body.reduced.mode_labels()
    assert labels[0] == "free-free mode 1"
    assert labels[-1].startswith("joint mode")
    shapes = ModeShapes(body.reduced, labels, np.zeros(len(labels)), amplitude=2.5)
    context = FieldContext(shapes, body.reduced, {"joint": body.joints[0].contact_law}, {"joint": None})
    for frame in (0, shapes.n_frames - 1):
        moved = fields["displacement"]().evaluate(context, "joint", frame)
        assert np.linalg.norm(moved, axis=1).max() == pytest.approx(2.5)
