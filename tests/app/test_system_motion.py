"""Motions of systems in the real window: run, played, pictures of rigid and flexible parts with joints."""

import itertools

import numpy as np
import pytest

from faying.project import edits
from faying_app.tasks import opening
from support.pictures import SIZES
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window


def run_motion(qtbot, window, number=0):
    """Select and run an analysis."""
    window.context.selection.select(("analyses", number))
    settle(qtbot)
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=120)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    settle(qtbot, 300)


def short_pendulum(qtbot, window):
    """Open the double pendulum and let it fall for a short while."""
    opening.open_example(window.context, "double-pendulum")
    settle(qtbot)
    for name, value in (("duration", 0.5), ("frames", 25)):
        window.context.apply("Shorter", edits.set_value(("analyses", 0, name), value))
    settle(qtbot, 300)


def jointed_pendulum(qtbot, window, folder):
    """Hang the two plates up by one end, as a flexible part with contact in its joint, and pull at the other."""
    plates_in(qtbot, window, folder)
    steps = (
        edits.set_value(("bodies", 0, "reduction", "vibration_modes"), 4),
        edits.set_value(("bodies", 0, "joint_modes", "count"), 4),
        edits.add_system({"name": "swing", "gravity": (0.0, 0.0, -9810.0)}),
        edits.add_part("swing", {"kind": "flexible", "name": "plates", "body": "plates", "stiffness_damping": 1e-6}),
        edits.add_part(
            "swing",
            {"kind": "rigid", "name": "weight", "mass": 1e-4, "moments_of_inertia": (2e-3, 2e-3, 2e-3),
             "placement": {"position": (60.0, 0.0, -30.0)}},
        ),
        edits.add_constraint(
            "swing", {"kind": "spherical", "name": "ball", "first": "ground.origin", "second": "plates.hold"}
        ),
        edits.add_force(
            "swing",
            {"kind": "spring_damper", "name": "spring", "first": "plates.tip", "second": "weight.frame",
             "stiffness": 5.0},
        ),
        edits.add_force(
            "swing", {"kind": "point_force", "name": "push", "marker": "plates.tip", "force": (0.0, 0.0, -2.0)}
        ),
        edits.add_analysis(
            {"kind": "motion", "name": "fall", "system": "swing", "duration": 1e-4, "frames": 5}
        ),
    )  # fmt: skip
    for step in steps:
        window.context.document.apply("Build", step)
    settle(qtbot)


def test_pictures_of_a_pendulum_that_falls(qtbot, make_window, shoot):
    window = make_window(SIZES[0])
    short_pendulum(qtbot, window)
    window.context.selection.select(("systems", 0))
    window.choose_theme("light")
    shoot(window, "system", "light", SIZES[0])
    run_motion(qtbot, window)
    actors = window.presenter.scene.stage.renderer.GetViewProps().GetNumberOfItems()
    first = None
    for frame in (0, 12, 25):
        window.context.view.set(frame=frame)
        settle(qtbot)
        places = window.presenter.scene.content.system.points(
            window.presenter.scene.content.poses, window.presenter.scene.content.positions
        )
        assert first is None or np.abs(places - first).max() > 0.1
        first = places
    assert window.presenter.scene.stage.renderer.GetViewProps().GetNumberOfItems() == actors
    window.docks.show("curves")
    panel = window.docks.panels["curves"]
    qtbot.keyClicks(panel.filter, "ELBOW force")
    listed = [panel.names.item(i) for i in range(panel.names.count())]
    assert [i.text() for i in listed if not i.isHidden()] == [f"elbow force {axis}" for axis in "xyz"]
    panel.filter.clear()
    assert len(panel.plot.curves) == 4  # the energies
    for theme, size in itertools.product(("light", "dark"), SIZES):
        window.choose_theme(theme)
        window.resize(*size)
        window.context.view.turn("fit")
        shoot(window, "system-motion", theme, size)


def test_pictures_of_flexible_parts_with_a_joint(qtbot, make_window, shoot, tmp_path):
    window = make_window(SIZES[0])
    jointed_pendulum(qtbot, window, tmp_path)
    window.choose_theme("light")
    window.context.selection.select(("systems", 0))
    settle(qtbot)
    shoot(window, "flexible-system", "light", SIZES[0])
    run_motion(qtbot, window)
    assert window.presenter.field == "pressure"
    window.context.view.set(frame=5)
    settle(qtbot)
    content = window.presenter.scene.content
    assert list(content.joint_pairs) == ["plates: lap"]
    assert np.isfinite(content.frame.values).sum() == len(content.joint_pairs["plates: lap"])
    for theme, size in itertools.product(("light", "dark"), SIZES[:1]):
        window.choose_theme(theme)
        window.resize(*size)
        shoot(window, "flexible-system-motion", theme, size)
