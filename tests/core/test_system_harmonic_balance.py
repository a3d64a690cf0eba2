"""Harmonic balance of systems. Kinds of reference: a body's own balance, a system's linear answer, transients."""

import numpy as np
import pytest

import faying
from faying.errors import Cancelled, ModelError
from faying.progress import Silent
from support.squeezed_plates import FRICTION, SqueezedPlates

FORCE = [0.0, 0.0, 0.004]
BETA, ALPHA = 4e-6, 30.0
CLAMP = {"kind": "fixed", "name": "clamp", "first": "ground.wall", "second": "plates.hold"}
BLOCK = {
    "kind": "rigid", "name": "block", "mass": 4e-6, "moments_of_inertia": [4e-5] * 3,
    "placement": {"position": [40.0, 0.0, 1.0]}, "markers": [{"name": "at"}],
}  # fmt: skip
WELD = {"kind": "fixed", "name": "weld", "first": "plates.tip", "second": "block.at"}
TIP = {"marker": "plates.tip", "force": FORCE}


class Bench:
    """The squeezed plates, alone as a body and as the flexible part of a system that holds them at `hold`."""

    def __init__(self, folder):
        self.plates = SqueezedPlates(folder)

    def solved(self, *analyses, **more):
        """Return the results of analyses of the body or of the system; see `session`."""
        session = self.session(*analyses, **more)
        moves = {"motion": session.move, "analysis": session.solve}
        return [moves[each.stage](each.name) for each in session.project.analyses]

    def session(self, *analyses, parts=(), constraints=(), alpha=ALPHA, **more):
        """Return a session with analyses "run 0", "run 1", …, and more parts and constraints of the system."""
        words = self.plates.project.model_dump()
        plates = {
            "kind": "flexible", "name": "plates", "body": "plates", "frame": "hold", "preloads": ["squeeze"],
            "stiffness_damping": BETA, "mass_damping": alpha,
        }  # fmt: skip
        words["systems"] = [{
            "name": "bench", "ground": [{"name": "wall"}], "parts": [plates, *parts],
            "constraints": [CLAMP, *constraints], **more,
        }]  # fmt: skip
        owners = [
            {"system": "bench"} if each["kind"].startswith(("system", "motion")) else {"body": "plates"}
            for each in analyses
        ]
        words["analyses"] = [
            {"name": f"run {i}", **own, **each}
            for i, (own, each) in enumerate(zip(owners, analyses, strict=True))
        ]
        return faying.build(self.plates.folder / "artifacts", **words)


class StopAfter(Silent):
    """Cancels a run as soon as a curve has a number of points."""

    def __init__(self, points):
        self._points = points

    def report(self, fraction, text="", **values):
        if values.get("points", 0) >= self._points:
            raise Cancelled


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("bench"))


def answers(found, name):
    return found.curve(name) * np.exp(1j * found.curve(f"{name} phase"))


def test_a_part_fixed_to_the_ground_answers_as_its_body(bench):
    """Theorem: constraints that hold one flexible part make of its system the held body, with friction too."""
    common = {"levels": [60.0], "harmonics": 3, "lowest_frequency": 2000.0, "highest_frequency": 2030.0}
    held = {"support": "hold", "preloads": ["squeeze"], "stiffness_damping": BETA, "mass_damping": ALPHA}
    body, system = bench.solved(
        {"kind": "harmonic_balance", "loads": [{"interface": "tip", "force": FORCE}], **held, **common},
        {"kind": "system_harmonic_balance", "loads": [TIP], **common},
    )
    assert body.curve("slipping pairs")[-1] > 0.0
    for name in ("tip ux", "tip uz", "tip ry"):
        own, of_part = answers(body, name), answers(system, f"plates.{name}")
        np.testing.assert_allclose(of_part[[0, -1]], own[[0, -1]], rtol=1e-9)
    for name in ("work of friction per cycle", "work of damping per cycle", "slipping pairs"):
        assert system.curve(name)[-1] == pytest.approx(body.curve(name)[-1], rel=1e-9)
    # The state of a frame, and its pairs, are those of the body: coordinates, pressures, work.
    last = system.n_frames - 1
    pressure, friction = (
        body.field(name, frame=body.n_frames - 1) for name in ("pressure", "friction_stress")
    )
    assert pressure.max() > 0.0 and np.abs(friction).max() > 0.0
    size = np.linalg.norm(friction.reshape(len(pressure), -1), axis=1)
    assert (size <= FRICTION * pressure * (1.0 + 1e-6) + 1e-12).all()
    part = system.results.part("plates")
    assert part.cycle_work("lap", last) == pytest.approx(
        body.results.cycle_work("lap", body.n_frames - 1), rel=1e-7
    )
    np.testing.assert_allclose(
        part.coordinates(last), body.results.coordinates(body.n_frames - 1),
        atol=1e-8 * np.abs(part.coordinates(last)).max(),
    )  # fmt: skip
    # The period begins with the frame.
    period = part.period(last)
    assert len(period) == 7
    np.testing.assert_allclose(
        part.state[7:] + period[0, 6:] + period[1::2, 6:].sum(axis=0), part.coordinates(last),
        atol=1e-9 * np.abs(part.coordinates(last)).max(),
    )  # fmt: skip


def test_stuck_joints_and_shaken_ground_have_the_linear_answer(bench):
    """Without slip the answer is the system's frequency response, under a force as on ground that is shaken."""
    with_block = {"parts": [BLOCK], "constraints": [WELD]}
    loads = {"loads": [{**TIP, "phase": 0.4}], "base_acceleration": [0.0, 3.0, 50.0], "base_phase": -0.7}
    ends = {"lowest_frequency": 1200.0, "highest_frequency": 1215.0}
    balance, linear = bench.solved(
        {"kind": "system_harmonic_balance", "harmonics": 1, **loads, **ends},
        {"kind": "system_frequency_response", "points": 2, **loads, **ends},
        **with_block,
    )
    assert not balance.report["most_slipping_pairs"]
    for name in ("plates.tip uz", "block.at uy", "block.at rx"):
        whole = answers(linear, name)
        np.testing.assert_allclose(answers(balance, name)[[0, -1]], whole[[0, -1]], rtol=1e-7)


def test_what_cannot_be_done_is_a_sentence(bench):
    ends = {"kind": "system_harmonic_balance", "lowest_frequency": 1200.0, "highest_frequency": 1215.0}
    with pytest.raises(ModelError, match="has no load on a part that moves"):
        bench.solved(ends)
    with pytest.raises(ModelError, match=r"There is no marker called 'plates\.nose'"):
        bench.solved({**ends, "loads": [{**TIP, "marker": "plates.nose"}]})
    with pytest.raises(ModelError, match="begins at zero"):
        bench.solved({**ends, "loads": [TIP], "lowest_frequency": 0.0})


@pytest.mark.parametrize("owner", ["body", "system"])
def test_an_interrupted_curve_goes_on(bench, owner):
    """Levels, points, and what the report counts are those of a run that nobody touched; no point is there twice."""
    words = {
        "levels": [60.0, 40.0], "harmonics": 1, "lowest_frequency": 2000.0, "highest_frequency": 2030.0,
    }  # fmt: skip
    if owner == "body":
        load = {"interface": "tip", "force": FORCE}
        words |= {"kind": "harmonic_balance", "loads": [load], "support": "hold", "preloads": ["squeeze"]}
        words |= {"stiffness_damping": BETA, "mass_damping": ALPHA}
    else:
        words |= {"kind": "system_harmonic_balance", "loads": [TIP]}
    (whole,) = bench.solved({**words, "finer": 1.01})
    session = bench.session(words)
    solve = session.solve if owner == "body" else session.move
    for count in (1, 6, 8):  # of which the last one is in the second level
        session.progress = StopAfter(count)
        with pytest.raises(Cancelled):
            solve("run 0")
    session.progress = Silent()
    found, name = solve("run 0"), "tip uz" if owner == "body" else "plates.tip uz"
    levels = found.curve("load level")
    assert found.report["points"] == [int((levels == level).sum()) for level in (60.0, 40.0)]
    for level, way in ((60.0, 1.0), (40.0, -1.0)):
        assert (way * np.diff(found.values[levels == level]) > 0.0).all()
        ends = [answers(each, name)[each.curve("load level") == level][[0, -1]] for each in (found, whole)]
        np.testing.assert_allclose(*ends, rtol=1e-8)
    assert found.report["unstable_points"] == 0
    for key in ("most_slipping_pairs", "closed_pairs", "turning_points"):
        assert found.report[key] == whole.report[key]


@pytest.mark.slow
def test_two_parts_answer_as_in_time(bench):
    """Steady answers of plates with a block, in phase and size, against transients from rest that have settled."""
    loaded = {"marker": "block.at", "force": FORCE}
    more = {"parts": [BLOCK], "constraints": [WELD], "alpha": 1500.0}
    level, periods, steps = 150.0, 20, 160
    (found,) = bench.solved(
        {
            "kind": "system_harmonic_balance", "loads": [loaded], "levels": [level], "harmonics": 7,
            "lowest_frequency": 1250.0, "highest_frequency": 1330.0,
        },
        **more,
    )  # fmt: skip
    slipping = np.flatnonzero(found.curve("slipping pairs") > 2.0)
    assert len(slipping) > 3
    for k in (slipping[0], slipping[-1]):
        frequency = float(found.values[k])
        push = {
            "kind": "point_force", "name": "push", "marker": "block.at", "force": [level * f for f in FORCE],
            "time_history": {"kind": "harmonic", "frequency": frequency},
        }  # fmt: skip
        step = 1.0 / (frequency * steps)
        integrator = {
            "kind": "hht", "alpha": 0.0, "first_step": step, "largest_step": step, "fixed_step": True,
        }  # fmt: skip
        (motion,) = bench.solved(
            {
                "kind": "motion", "duration": periods / frequency, "frames": periods * steps, "integrator": integrator,
                "from_equilibrium": True,
            },
            forces=[push], **more,
        )  # fmt: skip
        last = slice((periods - 2) * steps, periods * steps)
        part = motion.results.part("block")
        height = np.array([part.placement(i)[0][2] for i in range(last.start, last.stop)])
        # The force is a sine, and that of the balance a cosine.
        first = 2.0j * np.mean(height * np.exp(-2j * np.pi * frequency * motion.values[last]))
        assert abs(first / answers(found, "block.at uz")[k] - 1.0) < 5e-3
