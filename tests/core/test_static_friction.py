"""Friction in statics: from the first load on, on by itself, in steps that the program chooses, reduced or not."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

from faying.analyses.fe_correction import FeCorrection
from faying.analyses.recording.run_plots import run_plots
from faying.analyses.static import Static
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.unreduced_static import UnreducedStatic
from faying.errors import FayingError, ModelError
from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.joints.pointwise import CLOSURE_SIZE
from faying.packed import pack, unpack
from faying.progress import Silent
from faying.project.checks import CheckedProject, run_checks
from faying.project.pipeline import Pipeline
from faying.project.serialization import project_from_dict
from faying.project.stage import Target
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.results.fields import FieldContext, fields
from faying.results.results import Results
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.hard_contact import HardContactSolution
from faying.solvers.load_steps import (
    LoadMarch,
    LoadStepping,
    LoadStepReport,
    begin,
    marched,
    resting_state,
)
from faying.testing.plates import plates, write_plate_deck
from support.blocks import LENGTH, WIDTH, blocks
from support.half_space import Rows

MU, STICKING, PRESS = 0.3, 1e4, 1000.0
CONTACT = LinearPenalty(stiffness=5e4)
FRICTION = Coulomb(friction_coefficient=MU, sticking_stiffness=STICKING, sliding_stiffness=0.0)
HELD = {"body": "blocks", "support": "HOLD"}
ELASTIC = 3e-4  # mm, more than the blocks and the joint's springs give way


def pushed(share: float) -> tuple[LoadSpec, ...]:
    """Return the press with a push of a share of μ N."""
    return (LoadSpec(interface="TIP", force=(share * MU * PRESS, 0.0, -PRESS)),)


@pytest.fixture(scope="module")
def body():
    return blocks(CONTACT, FRICTION)


def run(analysis, body, folder, **changes) -> Results:
    path = folder / f"{uuid4()}.h5"
    analysis.run(replace(body, **changes), path, Silent())
    return Results(path)


# --- one rigid block in closed form


def rigid_block(pairs: int = 4, holding: float = 10.0):
    """Return stiffness and rows of a block on springs along x and (hardly) z, with pairs of area 1 that touch."""
    tangential = np.zeros((pairs, 2, 2))
    tangential[:, 0, 0] = 1.0
    rows = Rows(np.tile([0.0, 1.0], (pairs, 1)), tangential, np.ones(pairs), np.zeros(pairs))
    return np.diag([holding, 1e-3]), JointForce(rows, CONTACT, FRICTION)


def block_march(force: tuple[float, float], count: int) -> tuple[LoadStepping, LoadMarch]:
    stiffness, joint = rigid_block()
    load = np.array(force)

    def solve(share, guess, histories, depths, part):
        x, answers, newton = solve_equilibrium(stiffness, share * load, [joint], histories, guess, part)
        return HardContactSolution(x, answers, [], [], newton, 1)

    method = LoadStepping(solve, (joint,), count)
    return method, begin(method, resting_state([joint], np.zeros(2)), -1e-9 * np.ones(2))


def moved(force: tuple[float, float], count: int) -> tuple[np.ndarray, LoadStepReport]:
    *_, (last, _) = marched(*block_march(force, count), Silent())
    return last.state.coordinates, last.report


@pytest.mark.parametrize("count", [0, 1, 7])
@pytest.mark.parametrize("share", [0.5, 0.99, 1.5])
def test_a_block_sticks_below_the_limit_and_slides_above(count: int, share: float) -> None:
    """Sticking: push over the springs of four pairs and of the holding one; sliding: what friction leaves over it."""
    normal = 100.0
    push = share * MU * normal
    (x, z), report = moved((push, -normal), count)
    stuck = push / (4.0 * STICKING + 10.0)
    pressed = 4.0 * CONTACT.stiffness * -z
    slid = (push - MU * pressed) / 10.0
    assert x == pytest.approx(stuck if stuck * STICKING * 4.0 <= MU * pressed else slid, rel=1e-6)
    assert len(report.sizes) == (count or len(report.sizes))


@pytest.mark.parametrize("count", [0, 1, 10, 100])
def test_a_block_that_must_stick_moves_as_little_in_one_step_as_in_a_hundred(count: int) -> None:
    """Closed form: 0.0048 mm. Where friction begins with the second step, it is 19.2 mm over the number of steps."""
    (x, _), _ = moved((192.0, -1000.0), count)
    assert x == pytest.approx(192.0 / (4.0 * STICKING + 10.0), rel=1e-9)
    assert x == pytest.approx(0.0048, rel=1e-3)


def test_a_march_continues_from_its_stored_value_as_if_nothing_had_stopped() -> None:
    """What is stored after a step stays as it was; what continues from it ends with the same state and report."""
    method, march = block_march((45.0, -100.0), 0)
    first, *_ = whole = [march for march, _ in marched(method, march, Silent())]
    stored = pack(first)
    again = [march for march, _ in marched(method, unpack(stored), Silent())]
    assert pack(first) == stored and len(again) == len(whole) - 1 > 2
    assert pack(again[-1]) == pack(whole[-1])


def test_the_program_takes_more_steps_than_one_and_tells_them() -> None:
    _, report = moved((45.0, -100.0), 0)
    said = report.summary()
    assert said["load_steps"] == len(report.sizes) > 3
    assert sum(report.sizes) == pytest.approx(1.0)
    assert said["smallest_load_step"] == min(report.sizes)
    assert said["largest_load_step"] == max(report.sizes)
    assert 0.0 < said["largest_change_of_slip"] <= 0.25 + 1e-9


# --- pairs at the start


@pytest.mark.parametrize("friction", list(friction_laws))
@pytest.mark.parametrize("contact", list(contact_laws))
def test_pairs_that_touch_are_closed_from_the_start(contact: str, friction: str) -> None:
    law = contact_laws[contact]()
    gaps = law.closing_gap() + np.array([-1e-4, 0.0, 1e-12, 1e-2])
    tangential = np.zeros((4, 2, 1))
    tangential[:, 0] = 1.0
    joint = JointForce(
        Rows(np.zeros((4, 1)), tangential, np.ones(4), gaps), law, friction_laws[friction]().beside(1e4)
    )
    history = joint.resting_history(np.array([0.3]))
    assert history[:, 0].tolist() == [1.0, 1.0, 1.0, 0.0]
    np.testing.assert_allclose(history[:3, 1:CLOSURE_SIZE], [[0.3, 0.0]] * 3)
    assert not history[3].any()
    answer = joint.evaluate(np.array([0.3]), history, 0.0, jacobian=False)
    assert not answer.stress.any()


# --- two blocks of finite elements


@pytest.mark.parametrize("kind", [Static, UnreducedStatic])
def test_two_blocks_stick_in_one_step_as_in_many(body, tmp_path, kind) -> None:
    """Before, the first load step had no friction: the block, which nothing else holds, slid away."""
    tips = []
    for steps in (1, 0, 10):
        results = run(kind(name="a", **HELD, loads=pushed(0.6), load_steps=steps), body, tmp_path)
        tips.append(results.curve("TIP ux")[-1])
        assert results.report["friction"] == "acts in joint"
        assert results.curve("joint slipping share")[-1] == 0.0
    slip = 0.6 * MU * PRESS / (STICKING * LENGTH * WIDTH)
    assert slip < tips[0] < ELASTIC
    np.testing.assert_allclose(tips, tips[0], rtol=1e-9)


def test_partial_slip_reduced_and_unreduced(body, tmp_path) -> None:
    small = run(Static(name="a", **HELD, loads=pushed(0.95)), body, tmp_path)
    full = run(UnreducedStatic(name="a", **HELD, loads=pushed(0.95)), body, tmp_path)
    assert small.n_frames == full.n_frames > 1
    for name in ("TIP ux", "TIP uz", "joint slipping share", "joint closed share", "joint gap norm"):
        np.testing.assert_allclose(small.curve(name), full.curve(name), rtol=1e-7, atol=1e-12)
    assert 0.1 < full.curve("joint slipping share")[-1] < 0.95
    np.testing.assert_allclose(
        small.history("joint", small.n_frames - 1), full.history("joint", full.n_frames - 1), atol=1e-11
    )
    # What friction carries is the push.
    joint = body.joints[0]
    context = FieldContext(
        small,
        body.reduced.clamped_to("HOLD"),
        {"joint": CONTACT},
        {"joint": FRICTION},
        {"joint": joint.pairs},
    )
    stress = fields["friction_stress"]().evaluate(context, "joint", small.n_frames - 1)
    limit = MU * fields["pressure"]().evaluate(context, "joint", small.n_frames - 1)
    assert np.all(stress <= limit * (1.0 + 1e-9))
    assert joint.weights @ stress == pytest.approx(
        0.95 * MU * PRESS, rel=0.02
    )  # tangents differ in direction


@pytest.mark.slow  # more than a second
def test_a_clamped_lap_joint_sticks_in_one_step_as_in_many(tmp_path) -> None:
    """Kind: unreduced model. Two plates pressed together by a preload case, the upper one pulled along the joint."""
    deck = write_plate_deck(tmp_path / "plates.inp")
    deck.write_text(f"{deck.read_text()}*SURFACE, NAME=BOTTOM\nPLATE1, S1\n*SURFACE, NAME=TOP\nPLATE2, S2\n")
    project = plates(deck)
    law = {
        "kind": "coulomb",
        "friction_coefficient": 0.15,
        "sticking_stiffness": STICKING,
        "sliding_stiffness": 0.0,
    }
    pressed = [
        {"kind": "surface_force", "surface": {"kind": "deck_surface", "name": name}, "force": 2000.0}
        for name in ("BOTTOM", "TOP")
    ]
    body = project.bodies[0].with_(
        joints=(project.bodies[0].joints[0].with_(contact_law=CONTACT, friction_law=law),),
        preloads=({"name": "bolts", "loads": pressed},),
        joint_modes={"kind": "every_pair", "shear": True},
    )
    pull = {"interface": "tip", "force": (200.0, 0.0, 0.0)}
    store = ArtifactStore(tmp_path / "store")

    def tip(kind, **more) -> float:
        analysis = kind(name="a", body="plates", support="hold", preloads=("bolts",), loads=(pull,), **more)
        chosen = project.with_(bodies=(body,), analyses=(analysis,))
        results = Pipeline(STAGES).run(chosen, Target("analysis", "plates", "a"), store).open()
        moved = float(results.curve("tip ux")[-1])
        results.close()
        return moved

    quick = {"error_estimate": False}
    assert tip(Static, friction=False, **quick) == pytest.approx(2.07765e-3, rel=1e-5)
    stuck = [tip(Static, load_steps=1, **quick), tip(Static, load_steps=10, **quick), tip(UnreducedStatic)]
    np.testing.assert_allclose(stuck, 1.85469e-3, rtol=1e-5)


def test_a_block_that_slides_away_has_no_equilibrium(body, tmp_path) -> None:
    with pytest.raises(FayingError, match=r"equilibrium"):
        run(Static(name="a", **HELD, loads=pushed(1.05), load_steps=1), body, tmp_path)


def test_corrections_have_friction_from_the_first_frame(body, tmp_path) -> None:
    results = run(Static(name="a", **HELD, loads=pushed(0.95), load_steps=1), body, tmp_path)
    better = FeCorrection(name="b", body="blocks", corrects="a", frames=(0,))
    corrected = run(better, body, tmp_path, starts=(results,))
    assert corrected.curve("TIP ux")[-1] == pytest.approx(results.curve("TIP ux")[-1], rel=1e-8)
    assert corrected.report["largest_correction"] < 1e-6


# --- friction switched off is told

WORDS = {
    "bodies": [
        {
            "name": "blocks",
            "model": {"path": "none.inp"},
            "interfaces": [{"name": "hold", "node_set": "HOLD"}, {"name": "tip", "node_set": "TIP"}],
            "joints": [
                {
                    "name": "joint",
                    "master": {"kind": "deck_surface", "name": "LOWER"},
                    "slave": {"kind": "deck_surface", "name": "UPPER"},
                    "friction_law": {"kind": "coulomb"},
                }
            ],
        }
    ]
}


def project(**decisions):
    words = {"name": "push", "body": "blocks", "support": "hold", **decisions}
    words["loads"] = [{"interface": "tip", "force": [1.0, 0.0, 0.0]}]
    return project_from_dict({**WORDS, "analyses": [words]})


def findings(words, reports=None):
    checked = CheckedProject(words, Path(), reports=reports or {})
    return [f for f in run_checks(checked) if f.check == "static_friction"]


@pytest.mark.parametrize("kind", ["static", "unreduced_static"])
def test_friction_is_on_unless_switched_off_which_is_told(kind: str) -> None:
    assert project(kind=kind).analyses[0].friction
    assert not findings(project(kind=kind))
    (told,) = findings(project(kind=kind, friction=False))
    assert told.severity == "warning"
    assert told.entity == ("analyses", 0, "friction")
    assert "'push'" in told.sentence and "joint 'joint' would rub" in told.sentence


def test_a_convergence_study_says_that_it_has_none() -> None:
    (told,) = findings(project(kind="convergence_study"))
    assert told.severity == "note"


def test_load_steps_that_are_too_long_are_told() -> None:
    long = {"push": {"largest_change_of_slip_with_status": 0.43}}
    (told,) = findings(project(kind="static", load_steps=1), long)
    assert "43 %" in told.sentence and told.entity == ("analyses", 0, "load_steps")
    assert not findings(project(kind="static"), {"push": {"largest_change_of_slip_with_status": 0.05}})


def test_results_without_friction_say_so(body, tmp_path) -> None:
    gap = (LoadSpec(interface="TIP", force=(0.0, 0.0, -PRESS)),)
    results = run(Static(name="a", **HELD, loads=gap, friction=False), body, tmp_path)
    assert results.n_frames == 1
    assert results.report["friction"] == "switched off: joint slides freely"
    assert "Contact, without friction" in [plot.title for plot in run_plots(results, "mm-t-s")]
    context = FieldContext(results, body.reduced.clamped_to("HOLD"), {"joint": CONTACT}, {"joint": FRICTION})
    with pytest.raises(ModelError, match="computed without the friction of joint 'joint'"):
        fields["friction_stress"]().evaluate(context, "joint", 0)
