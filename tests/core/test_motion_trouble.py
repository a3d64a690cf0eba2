"""A system in trouble says what it is, names it with its time, and keeps every frame up to there."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from faying.errors import FayingError, ModelError, SolveError
from faying.joints.contact_laws import ContactLaw
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.interface import JointForce
from faying.load_histories import LoadHistory
from faying.multibody.assembly import assemble
from faying.multibody.forces.point_force import PointForce
from faying.multibody.parts.flexible import FlexiblePart
from faying.multibody.parts.rigid import RigidPart
from faying.multibody.system import MultibodySystem
from faying.progress import Silent
from faying.results.results import Results
from faying.solvers.diagnosis import MovedJoint, restless_pairs
from faying.solvers.integrators import consistent_start
from faying.solvers.integrators.hht import Hht
from support.flexible_bodies import plates_body
from support.systems import BAR, DOWN_Y, jointed_plates_model, moved, slider_crank, system_of

FALLING = {"parts": [{**BAR, "name": "bar"}], "gravity": DOWN_Y}


class Rows:
    """Three pairs over one coordinate."""

    normal, tangential = np.ones((3, 1)), np.zeros((3, 2, 1))
    weights, initial_gaps = np.ones(3), np.array([-1.0, 0.5, 2.0])


def frames_after(path: Path, spec: object, sentence: str, duration: float = 1.0, bodies=None, **words):
    """Run until the error that is expected; return the kept frames' times."""
    settings = {"frames": 100, "largest_step": 1e-2, "tolerance": 1e-5, **words}
    with pytest.raises(FayingError, match=sentence):
        moved(spec, path, duration, bodies, **settings)
    results = Results(path / "motion.h5")
    assert not results.complete
    return results.values


def test_a_force_that_is_not_a_number_is_named_and_earlier_steps_are_kept():
    class Gust(LoadHistory):
        def factor(self, time):
            return np.nan if time > 0.02 else 1.0

    ball = RigidPart("ball", 1.0, np.eye(3))
    gust = PointForce(name="gust", marker="ball.frame", force=(1.0, 0.0, 0.0)).model_copy(
        update={"time_history": Gust.model_construct()}
    )
    system = MultibodySystem([ball], forces=[gust])
    q = ball.placed(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
    start = consistent_start(system, 0.0, q, np.zeros(7), system.initial_history())
    seen = []
    with pytest.raises(SolveError, match=r"force 'gust' is not a number at t = 0\.02"):
        Hht(first_step=1e-3, largest_step=1e-3).integrate(
            system, start, 1.0, lambda before, after: seen.append(after.time), Silent()
        )
    assert seen[-1] == pytest.approx(0.02, rel=1e-3)


def test_no_part_moves_most_before_the_first_correction():
    ball = RigidPart("ball", 1.0, np.eye(3))
    system = MultibodySystem([ball])
    q = ball.placed(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
    for change, clause in ((np.zeros(7), ""), (np.eye(7)[2], "part 'ball' still moves most")):
        assert system.diagnose(0.0, q, np.zeros(7), system.initial_history(), change).clause == clause


def test_a_formula_without_a_value_is_quoted_with_its_time(tmp_path):
    push = {
        "kind": "point_force", "name": "push", "marker": "bar.frame", "force": (1, 0, 0),
        "time_history": {"kind": "expression", "formula": "sqrt(0.3 - t)"},
    }  # fmt: skip
    spec = system_of(**FALLING, forces=[push])
    times = frames_after(tmp_path, spec, r"formula 'sqrt\(0\.3 - t\)' has no value at t = 0\.3")
    assert 0.28 < times[-1] <= 0.3


def test_the_joint_whose_pairs_open_and_close_is_named_with_them():
    joint = JointForce(Rows(), LinearPenalty(stiffness=1.0))
    told = restless_pairs([MovedJoint("bar: lap", joint, np.zeros(1), np.array([-1.0]))])
    assert told.clause == "joint 'bar: lap' opens and closes at 1 pair (1)"
    assert restless_pairs([MovedJoint("bar: lap", joint, np.zeros(1), np.array([0.1]))]).clause == ""


class Jump(ContactLaw):
    """A pressure that is there or not: no correction can find a balance."""

    kind = "jump"

    def pressure(self, gap):
        p = np.where(gap < 0.0, 1e6, 0.0)
        return p, np.zeros_like(p)

    def closing_gap(self):
        return 0.0


class Hole(Jump):
    """A law of somebody else's that forgets deep penetrations."""

    def pressure(self, gap):
        p, dp = LinearPenalty().pressure(gap)
        return np.where(gap < -1e-6, np.nan, p), dp


@pytest.mark.parametrize(
    ("law", "sentence"),
    [
        (Jump(), r"step became too small at t = .*joint 'plates: joint' opens and closes at \d+ pairs \(\d+, .*"
                 r"soften the joint's contact stiffness"),
        (Hole(), r"step became too small at t = .*law of joint 'plates: joint' gives no number at \d+ pairs? \("),
    ],
)  # fmt: skip
def test_a_run_that_diverges_names_joint_pairs_time_and_what_to_try(tmp_path, law, sentence):
    model = jointed_plates_model(friction=0.0)
    joints = tuple(dataclasses.replace(joint, contact_law=law) for joint in model.joints)
    model = dataclasses.replace(model, joints=joints)
    push = {
        "kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -50.0),
        "time_history": {"kind": "harmonic", "frequency": 2000.0},
    }  # fmt: skip
    spec = system_of(
        parts=[{"kind": "flexible", "name": "plates", "body": "plates"}],
        constraints=[{"kind": "fixed", "name": "clamp", "first": "ground.origin", "second": "plates.HOLD"}],
        forces=[push],
    )
    times = frames_after(
        tmp_path, spec, sentence, 2e-3, {"plates": model}, frames=2000, tolerance=1e-6, first_step=1e-6,
        largest_step=1.0,
    )  # fmt: skip
    assert len(times) >= 1


def test_a_mechanism_driven_into_its_dead_point_is_told_with_its_constraints(tmp_path):
    drive = {"kind": "prescribed_displacement", "name": "drive", "amplitude": 1.0,
             "time_history": {"kind": "expression", "formula": "2*t"}}  # fmt: skip
    stretched = (3.0 - np.sqrt(3.0)) / 2.0
    times = frames_after(
        tmp_path, slider_crank(np.pi / 2, drive), r"too small at t = 0\.6339.*'main'.*'drive'.*\(a dead point\)",
        frames=20, largest_step=0.1, tolerance=1e-3, iterations=8,
    )  # fmt: skip
    assert stretched - 0.05 < times[-1] < stretched


def test_a_mechanism_that_starts_at_its_dead_point_does_not_come_apart_unseen(tmp_path):
    drive = {
        "kind": "prescribed_speed",
        "name": "drive",
        "speed": -1.0,
        "time_history": {"kind": "haversine"},
    }
    times = frames_after(tmp_path, slider_crank(0.0, drive), r"parts come apart: '.*' followed from other")
    assert len(times) >= 1
    with pytest.raises(SolveError, match=r"cannot start to move as prescribed: '.*' contradicts .*'drive'"):
        assemble(slider_crank(0.0, {**drive, "time_history": {"kind": "constant"}}), {})


def test_two_motions_that_contradict_each_other_are_named():
    slow = {"kind": "prescribed_speed", "name": "slow", "speed": 1.0, "time_history": {"kind": "constant"}}
    assemble(slider_crank(1.0, slow, {**slow, "name": "same"}), {})
    with pytest.raises(SolveError, match="'fast: displacement along z' contradicts 'slow'"):
        assemble(slider_crank(1.0, slow, {**slow, "name": "fast", "speed": 2.0}), {})


def test_positions_that_cannot_be_met_name_the_constraint():
    far = {"kind": "prescribed_displacement", "name": "far", "start": 5.0, "amplitude": 0.0}
    with pytest.raises(SolveError, match=r"cannot be put together: '.*' stays violated"):
        assemble(slider_crank(1.0, far), {})


def test_parts_without_mass_are_refused():
    with pytest.raises(ModelError, match=r"(?i)mass.*greater than 0"):
        system_of(parts=[{**BAR, "name": "bar", "mass": 0.0}])
    with pytest.raises(ModelError, match="Part 'ball' has a mass of 0"):
        RigidPart("ball", 0.0, np.eye(3))
    _, body = plates_body()
    nothing = dataclasses.replace(body, rigid_mass=np.zeros((6, 6)))
    for part in (RigidPart.of_body, FlexiblePart):
        with pytest.raises(ModelError, match=r"Part 'plates' has a mass of 0.*density"):
            part("plates", nothing)


def test_a_disk_that_fills_up_during_a_run_keeps_the_frames_so_far(tmp_path, monkeypatch):
    import shutil

    from faying.results import writer

    true, asked = shutil.disk_usage, []

    def filling(path):
        asked.append(path)
        found = true(path)
        return found if len(asked) < 30 else found._replace(free=1000)

    monkeypatch.setattr(shutil, "disk_usage", filling)
    monkeypatch.setattr(writer, "_FLUSH_INTERVAL", 0.0)  # asks after each frame, however fast the machine
    times = frames_after(tmp_path, system_of(**FALLING), r"disk of .* is full.*frames so far can be shown")
    assert len(times) > 20
