"""Sampled joints: few pairs with weights that stand for all, their error, and what of it a user sees."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import scipy.optimize

from faying.analyses import SystemModel
from faying.analyses.recording.sampling_check import SamplingCheck
from faying.analyses.transient import Transient
from faying.errors import ModelError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.joints.sampled import JointSample, SampledJointForce, SampledRows
from faying.linalg.sparse_weights import sparse_weights
from faying.progress import Silent
from faying.project import edits
from faying.project.stage import Target
from faying.results.results import Results
from faying.session import read
from faying.solvers.joint_sampling import JointLaws, TrainingLoads, sample_joints, there_and_back
from support.plate_deck import STUDY, write_study
from support.systems import jointed_plates_model, moved, system_of

LAW, FRICTION = (
    LinearPenalty(stiffness=5e4),
    Coulomb(friction_coefficient=0.3, sticking_stiffness=1e4, sliding_stiffness=500.0),
)


@pytest.fixture(scope="module")
def plates():
    return jointed_plates_model()


def trained(plates, directions, tolerance=1e-3, *, modes=0):
    """Return the sample of the plates' joint from forces at the tip, and from what bends the first coordinates."""
    held = plates.reduced.clamped_to("HOLD")
    loads = held.interfaces["TIP"][:3].T @ np.array(directions, float).T
    bends = 1e-3 * held.stiffness[:, :modes]
    loads = np.hstack([loads, bends, -bends])
    training = [TrainingLoads(np.zeros(held.n_coordinates), held.joints, there_and_back(loads))]
    return sample_joints(held.stiffness, [JointLaws(LAW, FRICTION, tolerance)], training, Silent())[0]


def test_weights_are_few_and_none_is_negative():
    """Closed form: columns of which three carry the sum are found; against SciPy's non-negative least squares."""
    random = np.random.default_rng(3)
    base = random.random((40, 4))
    columns = np.hstack([base, 0.3 * base[:, :1] + 0.2 * base[:, 1:2], np.zeros((40, 1))])
    weights = sparse_weights(columns, 1e-10, Silent())
    assert (weights >= 0.0).all() and weights[-1] == 0.0 and np.count_nonzero(weights) == 4
    np.testing.assert_allclose(columns @ weights, columns.sum(axis=1), rtol=1e-9)
    # Where no exact sum is possible the end is that of the whole problem.
    columns = random.standard_normal((30, 60))
    target = columns.sum(axis=1)
    rough = sparse_weights(columns, 0.3, Silent())
    assert np.linalg.norm(columns @ rough - target) <= 0.3 * np.linalg.norm(target)
    assert np.count_nonzero(rough) < np.count_nonzero(sparse_weights(columns, 0.01, Silent())) <= 30
    columns = random.random((30, 8)) - 0.4
    best = scipy.optimize.nnls(columns, columns @ np.array([1.0, 1, 1, 1, 1, -1, -1, 1]))[1]
    assert best > 0.0  # the other problem has negative weights
    assert np.count_nonzero(sparse_weights(columns, 1e-12, Silent(), most=3)) == 3
    assert not sparse_weights(np.zeros((5, 3)), 0.1, Silent()).any()


def test_all_pairs_with_factor_one_are_the_joint_itself(plates):
    held = plates.reduced.clamped_to("HOLD")
    full = JointForce(held.joints[0], LAW, FRICTION)
    n = len(held.joints[0].weights)
    every = SampledJointForce(full, JointSample(np.arange(n), np.ones(n), n))
    random = np.random.default_rng(0)
    q = 1e-3 * random.standard_normal(held.n_coordinates)
    history = full.resting_history(np.zeros_like(q))
    one, other = (joint.evaluate(q, history, 0.0, jacobian=True) for joint in (full, every))
    assert one.is_closed.any() and one.stress.any()
    for name in (
        "force",
        "jacobian",
        "sudden",
        "going_on",
        "gap",
        "pressure",
        "stress",
        "slip",
        "status",
        "is_closed",
    ):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    # Open pairs far from contact are not looked at, and remember nothing all the same.
    for size in (1e-3, 0.1):
        at = size * random.standard_normal(held.n_coordinates)
        wanted = full.evaluate(at, history, 0.0, jacobian=False).history
        assert (wanted[:, 0] == 0.0).any() and wanted.any()
        np.testing.assert_allclose(every.remembered(at, history, 0.0), wanted, rtol=1e-9, atol=1e-12 * size)
    np.testing.assert_array_equal(full.friction_force(one), every.friction_force(other))
    assert not other.missed_force.any()
    np.testing.assert_array_equal(other.full_jacobian, one.jacobian)


def test_a_sample_is_as_exact_as_asked_for_and_takes_energy(plates):
    """Contract: the force in trained states within the tolerance; the tangent without friction symmetric; a closed
    cycle of slip never gives energy."""
    loads = [(0, 0, -20), (0, 0, 20), (5, 0, -10), (-5, 0, -10), (0, 4, -10)]
    held = plates.reduced.clamped_to("HOLD")
    full, sample = JointForce(held.joints[0], LAW, FRICTION), trained(plates, loads, 0.02)
    few = SampledJointForce(full, sample)
    assert 0 < len(sample.pairs) < sample.n and (sample.factors > 0.0).all() and 0.0 < sample.error <= 0.02
    random = np.random.default_rng(1)
    smooth = few.without_friction()
    q = 1e-3 * random.standard_normal(held.n_coordinates)
    tangent = smooth.evaluate(q, smooth.initial_history(), 0.0, jacobian=True).jacobian
    np.testing.assert_allclose(tangent, tangent.T, atol=1e-12 * np.abs(tangent).max())
    assert tangent.any()
    # There and back along random ways, pressed all the time.
    pressed = np.linalg.solve(held.stiffness, held.interfaces["TIP"][2] * -20.0)
    history, work, last = few.resting_history(pressed), 0.0, pressed
    ways = 2e-3 * random.standard_normal((6, held.n_coordinates))
    for corner in [*ways, np.zeros_like(q)]:
        begin = last
        for share in np.linspace(0.0, 1.0, 21)[1:]:
            at = begin + share * (pressed + corner - begin)
            answer = few.evaluate(at, history, 0.0, jacobian=False)
            work += few.friction_force(answer) @ (at - last)
            history, last = answer.history, at
    assert work < 0.0


PUSH = Transient(
    name="shake", body="plates", support="HOLD", duration=4e-4, frames=20,
    loads=({"interface": "TIP", "force": (0, 0, -20.0), "time_history": {"kind": "haversine", "rise_time": 2e-4}},),
    integrator={"kind": "hht", "tolerance": 1e-5, "first_step": 1e-6, "largest_step": 5e-6},
)  # fmt: skip


def test_a_motion_like_the_training_is_right_and_another_one_is_told(plates, tmp_path):
    """Unreduced reference of the sample: the same motion with all pairs."""
    sample = trained(plates, [(0, 0, -20), (0, 0, 20), (3, 0, -20)], modes=6)
    sampled = replace(plates, joints=(replace(plates.joints[0], sample=sample),))
    assert len(sample.pairs) < sample.n
    found = {}
    blind = replace(plates, joints=(replace(plates.joints[0], sample=trained(plates, [(0, -30, -3)], 0.2)),))
    for name, body in (("full", plates), ("few", sampled), ("other", blind)):
        report = PUSH.run(body, tmp_path / f"{name}.h5", Silent())
        found[name] = report, Results(tmp_path / f"{name}.h5")
    (plain, full), (report, few), (other, _) = found["full"], found["few"], found["other"]
    assert "sampling" not in plain and "sampling error" not in full.curve_names
    size = np.abs(full.curve("TIP uz")).max()
    np.testing.assert_allclose(few.curve("TIP uz"), full.curve("TIP uz"), atol=0.01 * size)
    closed = full.curve("joint closed share")
    assert closed.max() > 0.0
    assert np.abs(few.curve("joint closed share") - closed).mean() < 0.1  # of all pairs
    assert few.history("joint", 5).shape == full.history("joint", 5).shape
    told = report["sampling"]
    assert told["joints"]["joint"]["pairs"] == len(sample.pairs) and told["joints"]["joint"]["of"] == sample.n
    assert 0.0 < told["error"] < 0.02 < 0.05 < other["sampling"]["error"]
    assert few.curve("sampling error").max() >= told["error"] * 0.999


def test_parts_of_systems_have_sampled_joints_too(plates, tmp_path):
    sample = trained(plates, [(0, 0, -20), (0, 0, 20), (3, 0, -20)], modes=6)
    sampled = replace(plates, joints=(replace(plates.joints[0], sample=sample),))
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}],
        constraints=[{"kind": "fixed", "name": "clamp", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -20.0),
                 "time_history": {"kind": "haversine", "rise_time": 5e-5}}],
    )  # fmt: skip
    words = {"tolerance": 1e-5, "first_step": 1e-6, "largest_step": 4e-6, "frames": 6}
    wanted = moved(spec, tmp_path, 1.2e-4, {"plates": plates}, **words).curve("plates.TIP z")
    results = moved(spec, tmp_path, 1.2e-4, {"plates": sampled}, **words)
    np.testing.assert_allclose(
        results.curve("plates.TIP z") - 1.0, wanted - 1.0, atol=0.01 * np.abs(wanted - 1.0).max()
    )
    assert 0.0 < results.report["sampling"]["error"] < 0.02
    assert SystemModel(spec, {"plates": sampled}).flexible_bodies()["plates"].samples == (sample,)


def test_two_parts_of_one_body_tell_of_their_own_joints(plates, tmp_path):
    sample = trained(plates, [(0, 0, -20), (0, 0, 20)], 0.2)
    sampled = replace(plates, joints=(replace(plates.joints[0], sample=sample),))
    names = ["left", "right"]
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": name, "body": "plates", "frame": "HOLD"} for name in names],
        constraints=[{"kind": "fixed", "name": f"{name} clamp", "first": "ground.wall", "second": f"{name}.HOLD"}
                     for name in names],
    )  # fmt: skip
    words = {"tolerance": 1e-4, "first_step": 1e-6, "largest_step": 4e-6, "frames": 1}
    told = moved(spec, tmp_path, 2e-6, {"plates": sampled}, **words).report["sampling"]["joints"]
    assert list(told) == ["left: joint", "right: joint"]


def test_the_error_counts_the_stiffness_of_joints_that_are_not_sampled():
    """Closed form, one coordinate pressed by d = 1: springs k and c (of a joint with all its pairs) carry what the
    sample misses, half of the stiffness 2 p of its joint: (p d / (k + c + 2 p)) / d."""

    def joint(stiffness, n):
        ones = np.ones((n, 1))
        rows = SampledRows("joint", ones, np.zeros((n, 2, 1)), np.ones(n), np.zeros(n))
        return JointForce(rows, LinearPenalty(stiffness=stiffness))

    k, c, p = 1.0, 4e4, 3.0
    sampled = SampledJointForce(joint(p, 2), JointSample(np.array([0]), np.ones(1), 2))
    check, q = SamplingCheck([("few", sampled), ("all", joint(c, 1))]), np.array([-1.0])
    assert check.needs_jacobians
    answers = [
        each.evaluate(q, each.initial_history(), 0.0, jacobian=True) for each in (sampled, joint(c, 1))
    ]
    check.see([(np.array([[k]]), q, answers)])
    assert check.curves()["sampling error"] == pytest.approx(p / (k + c + 2 * p), rel=1e-9)


def test_a_joint_that_no_load_closes_is_refused(plates):
    with pytest.raises(ModelError, match=r"No pair of the joint 'joint' closes.*Take the sampling off"):
        trained(plates, [(0, 0, 0)])


SHAKE = """
[[analyses]]
kind = "transient"
name = "shake"
body = "plates"
support = "hold"
duration = 0.0005
frames = 5
loads = [{ interface = "tip", force = [0.0, 0.0, -5.0], time_history = { kind = "haversine", rise_time = 2e-4 } }]

[[analyses]]
kind = "frequency_response"
name = "tones"
body = "plates"
support = "hold"
loads = [{ interface = "tip", force = [0.0, 0.0, -5.0] }]

[[systems]]
name = "hung"
ground = [{ name = "wall" }]
parts = [{ kind = "flexible", name = "bar", body = "plates", frame = "hold" }]
constraints = [{ kind = "fixed", name = "clamp", first = "ground.wall", second = "bar.hold" }]

[[systems.forces]]
kind = "point_force"
name = "push"
marker = "bar.tip"
force = [0.0, 0.0, -20.0]
time_history = { kind = "haversine", rise_time = 1.0 }

[[analyses]]
kind = "quasi_static"
name = "slow"
system = "hung"
frames = 1
"""


def test_a_study_samples_its_joints(tmp_path):
    """What a user decides reaches the run; statics stay as they are; what cannot be named is refused."""
    law = 'contact_law = { kind = "linear_penalty", stiffness = 5000.0 }\n'
    text = (STUDY.rstrip() + "\n" + SHAKE).replace(
        law, law + "sampling = { active = true, tolerance = 0.001, combinations = 4 }\n"
    )
    assert "sampling" in text
    with read(write_study(tmp_path, text), artifacts=tmp_path / "store") as session:
        body = session.project.bodies[0].name
        first = session.project.analyses[0].name
        (sample,) = session.compute(Target("sampling", body))
        assert 0 < len(sample.pairs) < sample.n
        place = session.compute(Target("analysis", body, "shake"))
        with_sample = place.open()
        assert with_sample.report["sampling"]["joints"]["lap"]["pairs"] == len(sample.pairs)
        with_sample.close()
        with (
            closing(session.compute(Target("analysis", body, first)).open()) as pressed,
            closing(session.compute(Target("motion", "hung", "slow")).open()) as slow,
        ):
            # Equilibria of a system are with all pairs, too.
            assert "sampling" not in slow.report
            bent = slow.curve("bar.tip z")[-1] - slow.curve("bar.tip z")[0]
            assert bent == pytest.approx(pressed.curve("tip uz")[-1], rel=1e-5)

        def with_sampling(words):
            joint = session.project.bodies[0].joints[0]
            changed = joint.with_(
                sampling=None if words is None else {**joint.sampling.model_dump(), **words}
            )
            return session.project.with_(bodies=(session.project.bodies[0].with_(joints=(changed,)),))

        for words in ({"tolerance": 0.03}, {"active": False}):
            states = session.pipeline.states(with_sampling(words), session.store, session.base)
            assert states[Target("analysis", body, "shake")].status == "stale"
            assert states[Target("analysis", body, first)].status == "ready"
            assert states[Target("motion", "hung", "slow")].status == "ready"
        named = with_sampling({"analyses": (first, "shake")})
        session.apply(lambda _: named)
        (fitting,) = session.compute(Target("sampling", body))
        assert 0 < len(fitting.pairs) < len(sample.pairs)  # for loads that are known
        with closing(session.compute(Target("analysis", body, "shake")).open()) as results:
            assert results.report["sampling"]["error"] < 0.02
        louder = edits.set_value(("analyses", 1, "duration"), 0.0006)(session.project)
        states = session.pipeline.states(louder, session.store, session.base)
        assert states[Target("sampling", body)].status == "stale"
        slower = edits.set_value(("analyses", 1, "frames"), 6)(session.project)
        assert (
            session.pipeline.states(slower, session.store, session.base)[Target("sampling", body)].status
            == "ready"
        )
        wrong = with_sampling({"analyses": ("tones",)})
        session.apply(lambda _: wrong)
        with pytest.raises(ModelError, match="cannot be chosen by 'tones'"):
            session.compute(Target("sampling", body))
