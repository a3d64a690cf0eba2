"""Friction in motion from the first step on: surfaces that touch at the start rest on each other there."""

from types import SimpleNamespace

import numpy as np
import pytest

from faying.analyses import SystemModel
from faying.analyses.motion import Motion
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.transient import Transient
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.progress import Silent
from faying.results.results import Results
from faying.solvers.clamped_body import ClampedBody
from faying.solvers.integrators import consistent_start
from faying.solvers.integrators.hht import Hht
from support.blocks import blocks
from support.half_space import Rows
from support.systems import system_of

MU, STIFFNESS, PRESS = 0.3, 5e4, 1000.0
CONTACT = LinearPenalty(stiffness=STIFFNESS)
FRICTION = Coulomb(friction_coefficient=MU, sticking_stiffness=STIFFNESS, sliding_stiffness=0.0)
PUSH = 0.5 * MU * PRESS


@pytest.fixture(scope="module")
def body():
    return blocks(CONTACT, FRICTION)


@pytest.mark.parametrize("step", [1e-6, 1e-4])
def test_a_rigid_block_that_is_pushed_below_the_limit_sticks_from_the_first_step_on(step):
    """Closed form: springs alike along both axes give x = −z T/N, and x = T/k (1 − cos ωt), however long a step is."""
    area, mass = 4.0, 2e-3  # t
    tangential = np.zeros((4, 2, 2))
    tangential[:, 0, 0] = 1.0
    joint = JointForce(
        Rows(np.tile([0.0, 1.0], (4, 1)), tangential, np.ones(4), np.zeros(4)), CONTACT, FRICTION
    )
    block = SimpleNamespace(
        n_coordinates=2, modal_magnitudes=np.full(2, 1e-3), mass=mass * np.eye(2), stiffness=np.zeros((2, 2)),
        joint_mode_stiffness=np.zeros(2), damping=None,
    )  # fmt: skip
    system, rest = ClampedBody(block, [joint], lambda time: np.array([PUSH, -PRESS])), np.zeros(2)
    start = consistent_start(system, 0.0, rest, rest, system.resting_history(rest))
    speed, states = np.sqrt(STIFFNESS * area / mass), []
    # Less than a period, at whose end the block lifts off.
    Hht(first_step=step, largest_step=step, fixed_step=True).integrate(
        system, start, 3.0 / speed, lambda _, after: states.append(after), Silent()
    )
    q, times = np.array([state.q for state in states]), np.array([state.time for state in states])
    assert (q[:, 1] < 0.0).all()
    np.testing.assert_allclose(q[:, 0], -q[:, 1] * PUSH / PRESS, rtol=1e-6)
    if step < 1e-5:
        wanted = PUSH / (STIFFNESS * area) * (1.0 - np.cos(speed * times))
        np.testing.assert_allclose(q[:, 0], wanted, atol=0.01 * wanted.max())


def shaken(body, folder, step: float) -> Results:
    load = LoadSpec(interface="TIP", force=(PUSH, 0.0, -PRESS))
    words = {"kind": "hht", "first_step": step, "largest_step": step, "fixed_step": True, "tolerance": 1e-4}
    words["alpha"] = -0.05  # what goes past the damping of young contact, by which α = −0.3 is off, is small
    path = folder / f"{step:g}.h5"
    motion = Transient(name="shaken", body="blocks", support="HOLD", loads=(load,), duration=5e-6, frames=5)
    motion.with_(stiffness_damping=1e-6, integrator=words).run(body, path, Silent())
    return Results(path)


def test_a_transient_loses_no_slip_in_a_long_first_step(body, tmp_path):
    """Blocks with nothing but the joint between go the same way, whether the first step is long or short.

    Where pairs that touch close in the first step, a step of 1 µs moves them 5 % further. A fifth of the time is too
    long a step by itself: by 1.9 %.
    """
    short, long = (shaken(body, tmp_path, step) for step in (1e-7, 1e-6))
    assert long.report["steps"] == 5
    np.testing.assert_allclose(long.curve("TIP ux")[-1], short.curve("TIP ux")[-1], rtol=0.03)
    for results in (short, long):
        assert (results.history("joint", 0)[:, 0] == 1.0).all()


def test_parts_of_systems_start_with_pairs_that_touch_closed(body, tmp_path):
    """The state at the start and its frame both know; what goes on from that frame goes on from there."""
    spec = system_of(
        parts=[{"kind": "flexible", "name": "blocks", "body": "blocks"}],
        constraints=[{"kind": "fixed", "name": "wall", "first": "ground.wall", "second": "blocks.HOLD"}],
        ground=[{"name": "wall", "position": (10.0, 5.0, -5.0)}],
    )  # fmt: skip
    motion = Motion(name="run", system="system", duration=1e-7, frames=1)
    system = SystemModel(spec, {"blocks": body})
    path = tmp_path / "motion.h5"
    motion.run(system, path, Silent())
    results = Results(path)
    for at in (system, SystemModel(spec, {"blocks": body}, start=results)):
        (history,) = motion.with_(start_frame=0).assembled(at, Silent())[2].history.joints
        assert (history[:, 0] == 1.0).all()
        np.testing.assert_array_equal(history[:, 1:3], 0.0)
