"""The tutorial “A valve train from nothing”, by mouse and keyboard, with the words of its page and its numbers."""

import re
from pathlib import Path

import numpy as np
import pytest

import faying_resources
from faying.examples.valve_train import landing_speed, lift
from support.hand import Hand
from support.windows import wait_for_frames, wait_idle

pytestmark = [
    pytest.mark.window,
    pytest.mark.slow,
]  # a session of some 150 clicks with a run of 33 ms of motion
PAGE = Path(faying_resources.__file__).parent / "manual" / "valve-train.md"


@pytest.fixture
def hand(qtbot, window):
    return Hand(qtbot, window)


def test_the_valve_train_is_made_by_hand(qtbot, window, hand, tmp_path, screenshots):
    context = window.context
    parts_and_markers(hand)
    what_holds_and_drives_them(window, hand, tmp_path)
    forces(hand)
    assert not [f for f in context.findings if f.severity == "error"], context.findings
    run_and_look(qtbot, window, hand)
    assert window.grab().save(str(screenshots / "valve-train-by-hand.png"))
    assert not window.problems


def part(hand, name, mass, moment, x="", looks=()):
    """Steps 2 to 4."""
    hand.menu("Model", "System", "Add part", "Rigid part by mass and inertia")
    hand.type("Name", name)
    hand.type("Mass", mass)
    hand.type("Moments of inertia", moment, moment, moment)
    if x:
        hand.type("Position", x)
    hand.choose("Looks", "Cylinder")
    for title, texts in looks:
        hand.type(title, *texts)


def marker(hand, owner, name, *, rotation="", x=""):
    """Step 5."""
    hand.menu("Model", "System", "Add marker", owner)
    hand.type("Name", name)
    if rotation:
        hand.type("Rotation", "0", rotation, "0")
    if x:
        hand.type("Position", x)


def parts_and_markers(hand):
    hand.menu("Model", "Add multibody system")
    part(hand, "cam", "0.3 kg", "0.1", looks=[
        ("Radius", ["15"]), ("From", ["0", "0", "-6"]), ("To", ["0", "0", "6"]),
    ])  # fmt: skip
    part(hand, "tappet", "0.06 kg", "0.01", "21", looks=[("Radius", ["6"])])
    part(hand, "valve", "0.1 kg", "0.01", "31", looks=[
        ("From", ["0", "0", "0"]), ("To", ["60", "0", "0"]), ("Radius", ["4"]),
    ])  # fmt: skip
    marker(hand, "On ground", "guide", rotation="90°")
    marker(hand, "On tappet", "guide", rotation="90°")
    marker(hand, "On valve", "guide", rotation="90°")
    marker(hand, "On ground", "retainer", x="150")


def between(hand, first, second):
    hand.choose("First marker", first)
    hand.choose("Second marker", second)


def what_holds_and_drives_them(window, hand, folder):
    """Steps 6 to 9."""
    hand.menu("Model", "System", "Add constraint", "Revolute")
    between(hand, "ground.origin", "cam.frame")
    hand.menu("Model", "System", "Add constraint", "Prescribed angular speed")
    drive = window.context.project.systems[0].constraints[-1]
    assert drive.marker_names() == ("ground.origin", "cam.frame")  # “takes the same markers”
    hand.type("Name", "drive")
    hand.type("Angular speed", "1432 rpm")
    hand.choose("Time history", "Constant")
    hand.menu("Model", "System", "Add constraint", "Translational")
    between(hand, "ground.guide", "tappet.guide")
    hand.menu("Model", "System", "Add constraint", "Translational")
    hand.type("Name", "guide")
    between(hand, "ground.guide", "valve.guide")
    hand.rest()
    assert window.status.counts.text() == "2 degrees of freedom"
    hand.tree("Untitled", "system")
    motions = window.docks.panels["properties"].strip.motions
    assert motions.heading.text() == "2 motions are left:"
    assert [b.text() for b in motions.buttons] == ["tappet slides along x", "valve slides along x"]
    hand.menu("Model", "System", "Add constraint", "Curve on curve (cam)")
    between(hand, "cam.frame", "tappet.frame")
    angles = np.pi - 1.0 + 0.05 * np.arange(41)
    table = folder / "lift.csv"
    table.write_text("".join(f"{a:.4f},{h:.6f}\n" for a, h in zip(angles, lift(angles), strict=True)))
    hand.choose("Curve of the cam", "Cam by its lift")
    hand.type("Base radius", "15")
    hand.type("Roller radius", "6")
    hand.choose("Follower", "roller")
    hand.type("File", str(table))
    hand.choose("Curve of the follower", "Formulas")
    hand.type("x", "6*cos(s)")
    hand.type("y", "6*sin(s)")
    hand.rest()
    assert window.status.counts.text() == "1 degree of freedom"


def forces(hand):
    """Steps 10 to 13."""
    hand.menu("Model", "System", "Add force", "Spring and damper")
    between(hand, "ground.retainer", "valve.frame")
    hand.type("Free length", "119")
    hand.type("Preload", "-120")
    hand.choose("Characteristic", "Polynomial")
    hand.type("Coefficients", "0, 24, -1.5")
    hand.menu("Model", "System", "Add force", "Stop")
    between(hand, "tappet.guide", "valve.guide")
    hand.choose("Of", "z")
    hand.type("Lower limit", "9.8")
    hand.type("Stiffness", "6000")
    hand.type("Restitution", "0.6")
    hand.menu("Model", "System", "Add force", "Stop")
    hand.type("Name", "seat")
    between(hand, "ground.guide", "valve.guide")
    hand.choose("Of", "z")
    hand.type("Lower limit", "31")
    hand.type("Stiffness", "20000")
    hand.type("Restitution", "0.6")
    hand.menu("Model", "System", "Add force", "Joint friction")
    hand.choose("Constraint", "guide")
    hand.type("Preload", "120")
    hand.choose("Friction law", "Coulomb")
    hand.type("Friction coefficient", "0.1")


def run_and_look(qtbot, window, hand):
    """Steps 14 and 15."""
    context = window.context
    for owner in ("valve", "tappet"):
        hand.menu("Model", "System", "Add measure", "Displacement")
        hand.type("Name", f"lift of the {owner}")
        between(hand, "ground.guide", f"{owner}.guide")
        hand.choose("Component", "z")
    hand.menu("Model", "Add analysis", "Motion")
    hand.type("Duration", "33 ms")
    hand.type("Frames", "1000")
    hand.type("Largest step", "0.01 ms")
    hand.toggle("Start from equilibrium")
    assert context.project.analyses[0].from_equilibrium
    hand.menu("Run", "Run analysis")
    wait_idle(qtbot, window, 300)
    wait_for_frames(qtbot, window)
    results = context.computed.results("motion")
    assert results.n_frames == 1001
    names = results.curve_names
    assert "drive moment z" in names and "friction work" in names
    valve, tappet, speed, work = (
        np.asarray(results.curve(name))
        for name in ("lift of the valve", "lift of the tappet", "valve.frame vx", "friction work")
    )
    # What the page tells to its digits, which the independent program of the example gives, too.
    page = PAGE.read_text(encoding="utf-8")
    told = [float(number) for number in re.findall(r"\*\*([0-9.]+) (?:mm|m/s|J)\*\*", page)]
    found = [valve.max() - 31.0, 1e-3 * landing_speed(valve - 31.0, speed), 1e-3 * abs(work[-1])]
    assert found == pytest.approx(told, rel=0.02)
    assert tappet.max() - 21.0 == pytest.approx(8.0, abs=1e-3)
    bounce = valve[int(valve.argmax()) :] - 31.0
    landed = int(np.flatnonzero(bounce <= 0.0)[0])
    assert 0.003 < bounce[landed:].max() < 0.03  # “a hundredth of a millimetre”
