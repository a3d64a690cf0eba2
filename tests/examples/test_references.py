"""The references that come with the program: each says again what an example expects. Kind: independent code."""

import json
from contextlib import AbstractContextManager
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from faying.examples import (
    examples,
    excavator,
    four_bar_friction,
    robot_arm,
    trebuchet,
    valve_train,
    washing_machine,
)
from faying.studies import studies
from references import excavator as excavator_alone
from references import flexible_beams, four_bar, friction_bar, rigid_bodies
from references import robot_arm as arm_alone
from references import trebuchet as trebuchet_alone
from references import valve_train as valve_alone
from references import washing_machine as machine_alone
from support.shown import shown_once

DECKS = Path(str(files("faying_resources") / "examples"))


def expected(example: str) -> dict[str, float]:
    return {e.name: e.reference for e in examples[example].expected}


def shown_before(
    name: str, program: ModuleType, numbers: dict[str, float], *decks: Path
) -> AbstractContextManager[None]:
    """Skip what the same program gave before for the same decks and numbers: nothing of Faying is in it."""
    content = [Path(str(program.__file__)), Path(__file__), *decks]
    return shown_once(name, *content, json.dumps(numbers, sort_keys=True))


def test_double_pendulum():
    found, known = rigid_bodies.double_pendulum([1.0, 2.0, 3.0]), expected("double-pendulum")
    for second, angles in zip((1, 2, 3), found, strict=True):
        for bar, angle in zip(("one", "two"), angles, strict=True):
            assert angle == pytest.approx(known[f"angle_{bar}_at_{second}_s"], abs=1e-10)


def test_heavy_top():
    known = expected("spinning-top")
    for at in (0.05, 1.0):
        wanted = [known[f"centre_{axis}_at_{at:g}_s"] for axis in "xyz"]
        assert rigid_bodies.heavy_top(at) == pytest.approx(wanted, abs=1e-7)


def test_engine_mount():
    known = expected("engine-mount")
    frequencies, damping, heave, roll = rigid_bodies.engine_mount()
    assert frequencies == pytest.approx([known[f"frequency_{k + 1}"] for k in range(6)], rel=1e-8)
    assert damping == pytest.approx(known["damping_of_mode_1"], rel=1e-8)
    assert heave == pytest.approx(known["heave_at_20_Hz"], rel=1e-8)
    assert roll == pytest.approx(known["roll_per_moment_at_rest"], rel=1e-8)


def test_four_bar_with_friction():
    known = expected("four-bar-friction")
    for turned in (1.0, 20.0, 40.0):
        found = four_bar.torque(four_bar_friction, np.radians(turned))
        assert found == pytest.approx(known[f"torque_at_{turned:g}_degrees"], rel=1e-6)
    assert np.degrees(four_bar.locks_at(four_bar_friction)) == pytest.approx(
        known["locks_after_degrees"], rel=1e-6
    )


def test_trebuchet():
    known = expected("trebuchet")
    for name, found in trebuchet_alone.shot(trebuchet).items():
        assert found == pytest.approx(known[name], rel=1e-9)


def test_excavator():
    known = expected("excavator")
    for after in (2, 3):
        for name, found in zip(
            ("boom", "arm", "bucket"), excavator_alone.forces(excavator, after), strict=True
        ):
            assert found == pytest.approx(known[f"{name}_force_after_{after}_s"], rel=1e-5)


def test_robot_arm():
    known = expected("robot-arm")
    found = robot_arm.numbers(*arm_alone.swing(robot_arm))
    assert found == pytest.approx(known, rel=1e-5)


@pytest.mark.slow  # 170 000 steps of the valve
def test_valve_train():
    known = expected("valve-train")
    for name, found in valve_alone.valve(valve_train).items():
        assert found == pytest.approx(known[name], rel=1e-4)


def test_lines_of_the_washing_machine():
    known = expected("washing-machine")
    lines = machine_alone.lines(washing_machine, washing_machine.TOP)
    for k, found in enumerate(lines):
        assert found == pytest.approx(known[f"frequency_{k + 1}_at_top_speed"], rel=1e-8)


@pytest.mark.slow  # 20 s of the independent program alone; the demo meets its numbers
def test_spin_up_of_the_washing_machine():
    known = expected("washing-machine")
    with shown_before("washing_machine", machine_alone, known):
        for k, found in enumerate(machine_alone.critical_speeds(washing_machine)):
            assert found == pytest.approx(known[f"critical_speed_{k + 1}"], rel=1e-7)
        for name, swing in machine_alone.numbers(washing_machine).items():
            assert swing == pytest.approx(known[name], rel=1e-4)


@pytest.mark.slow  # 8 s; the quick ones show that these programs give the numbers, and the demo meets them
def test_flexible_pendulum():
    known = expected("flexible-pendulum")
    with shown_before("flexible_pendulum", flexible_beams, known):
        bar = flexible_beams.pendulum_bar()
        assert bar.frequencies[:6] == pytest.approx([known[f"frequency_{k + 1}"] for k in range(6)], rel=1e-6)
        angles, deflections = flexible_beams.pendulum(bar, [0.25])
        assert angles[0] == pytest.approx(known["angle_at_0.25_s"], abs=1e-9)
        assert deflections[0] == pytest.approx(known["deflection_at_0.25_s"], rel=1e-5)


@pytest.mark.slow  # 6 s of the independent program alone; the demo meets its number
def test_spin_up():
    known = expected("beam-spin-up")
    with shown_before("spin_up", flexible_beams, known):
        assert flexible_beams.spin_up(flexible_beams.pendulum_bar()) == pytest.approx(
            known["smallest_deflection"], rel=1e-3
        )


@pytest.mark.slow  # half a minute: undamped modes of 5 kHz and more
def test_slider_crank_rod():
    known = expected("slider-crank-rod")
    with shown_before("slider_crank_rod", flexible_beams, known):
        rod = flexible_beams.crank_rod()
        assert rod.frequencies[:3] == pytest.approx([known[f"frequency_{k + 1}"] for k in range(3)], rel=1e-6)
        deflection, piston, force = flexible_beams.slider_crank(rod)
        assert deflection == pytest.approx(known["largest_deflection"], rel=1e-3)
        assert piston == pytest.approx(known["piston_at_0.3_s"], rel=1e-7)
        assert force == pytest.approx(known["bearing_force_x_at_0.3_s"], rel=1e-4)


@pytest.mark.slow  # a minute each: the compliance of more than 2000 pairs
def test_friction_bar():
    known, deck = expected("friction-bar-convergence"), DECKS / "friction_bar_19k.inp"
    with shown_before("friction_bar", friction_bar, known, deck):
        bar = friction_bar.Bar(str(deck))
        compliance = bar.compliance()
        up, gaps, _ = bar.equilibrium(compliance, (0, 0, 100, 0, 0, 0))
        down, *_ = bar.equilibrium(compliance, (0, 0, -100, 0, 0, 0))
        turned, *_ = bar.equilibrium(compliance, (0, 0, 0, 20_000, 0, 0))
        assert up[2] == pytest.approx(known["tip_up_unreduced"], rel=1e-6)
        assert down[2] == pytest.approx(-known["tip_down_unreduced"], rel=1e-6)
        assert turned[3] == pytest.approx(known["twist_unreduced"], rel=1e-6)
        assert np.sqrt(np.mean(gaps**2)) == pytest.approx(known["rms_gap_up_20_snapshots"], rel=1e-5)


@pytest.mark.slow
def test_wide_friction_bar():
    known, deck = expected("friction-bar"), DECKS / "friction_bar_wide.inp"
    with shown_before("wide_friction_bar", friction_bar, known, deck):
        bar = friction_bar.Bar(str(deck))
        assert len(bar.weights) == known["contact_pairs"]
        up, gaps, _ = bar.equilibrium(bar.compliance(), (0, 0, 100, 0, 0, 0))
        assert up[2] == pytest.approx(known["tip_deflection_static"], rel=1e-6)
        assert np.linalg.norm(gaps) == pytest.approx(known["gap_norm_static"], rel=1e-6)
        assert bar.free_frequencies(1)[0][6] == pytest.approx(known["first_free_frequency"], rel=1e-4)


def test_every_independent_code_is_named():
    """A program that nobody can run is no reference."""
    members = [*(examples[kind] for kind in examples), *(studies[kind] for kind in studies)]
    independent = [e for member in members for e in member.expected if e.reference_kind == "independent code"]
    folder = Path(__file__).parents[1] / "references"
    for number in independent:
        named = number.source.rpartition("tests/references/")[2]
        assert (folder / named).is_file(), number
    assert len(independent) > 60
