"""Motions of systems in the real window: run, played, pictures of rigid and flexible parts with joints."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.project import edits
from faying.results.fields import fields
from faying_app.tasks import opening
from support.pictures import LOOKS, SIZES
from support.windows import plates_in, settle, trigger, view_pixels, wait_idle

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
        edits.set_value(("bodies", 0, "joint_modes"), {"kind": "weighted_pod", "count": 4}),
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


@pytest.mark.slow  # seconds in the window, and not what decides alone
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
    for theme, size in LOOKS:
        window.choose_theme(theme)
        window.resize(*size)
        window.context.view.turn("fit")
        shoot(window, "system-motion", theme, size)
    check_following(qtbot, window)


def check_following(qtbot, window):
    """See the motion from a part, chosen in the display panel: it stands still, or only turns, and the rest moves."""
    panel, content = window.docks.panels["display"], window.presenter.scene.content
    window.show_panel("display")
    name = content.system.parts[1].name
    panel.reference.setCurrentIndex(panel.reference.findData(name))
    panel.reference.activated.emit(panel.reference.currentIndex())
    pictures = {}
    for turns in (True, False):
        panel.turns.setChecked(turns)
        poses = []
        for frame in (0, 12, 25):
            window.context.view.set(frame=frame)
            settle(qtbot)
            poses.append(window.presenter.scene.content.poses)
            pictures[turns, frame] = view_pixels(window).astype(int)
        places = np.array([[position for position, _ in pose] for pose in poses])
        angles = np.array([[turn for _, turn in pose] for pose in poses])
        start, first = content.system.starts[1]
        assert np.abs(places[:, 1] - start).max() < 1e-9 * np.abs(places).max()
        assert (np.abs(angles[:, 1] - first).max() < 1e-9) == turns
        assert np.ptp(places[:, 0], axis=0).max() > 0.1 * np.linalg.norm(content.system.starts[0][0] - start)
    assert np.abs(pictures[True, 25] - pictures[False, 25]).mean() > 0.1
    panel.reference.setCurrentIndex(0)
    panel.reference.activated.emit(0)
    settle(qtbot)
    assert np.abs(np.subtract(content.poses[1][0], start)).max() > 0.01


@pytest.mark.slow  # half a minute; the pendulum above shows motions, the fields of joints have tests of their own
def test_pictures_of_flexible_parts_with_a_joint(qtbot, make_window, shoot, tmp_path):
    window = make_window(SIZES[0])
    jointed_pendulum(qtbot, window, tmp_path)
    window.choose_theme("light")
    window.context.selection.select(("systems", 0))
    settle(qtbot)
    shoot(window, "flexible-system", "light", SIZES[0])
    run_motion(qtbot, window)
    # The last refresh may wait behind a drawing.
    qtbot.waitUntil(lambda: window.presenter.field == "pressure")
    window.context.view.set(frame=5)
    settle(qtbot)
    content = window.presenter.scene.content
    assert list(content.joint_pairs) == ["plates: lap"]
    assert np.isfinite(content.frame.values).sum() == len(content.joint_pairs["plates: lap"])
    for theme, size in itertools.product(("light", "dark"), SIZES[:1]):
        window.choose_theme(theme)
        window.resize(*size)
        shoot(window, "flexible-system-motion", theme, size)
    check_probes(qtbot, window, shoot)


def check_probes(qtbot, window, shoot):
    """Probe a slave node of the flexible part and its tip by clicks: values beside them, and curves of both fields."""
    context, scene, view = window.context, window.presenter.scene, window.viewport.view
    pairs, curves = scene.content.joint_pairs["plates: lap"], window.docks.panels["curves"]
    nodes = scene.content.positions[pairs.slave_nodes]
    row = int(np.linalg.norm(nodes - nodes.mean(axis=0), axis=1).argmin())
    trigger(qtbot, window, "probe")
    x, y = scene.pixels(nodes[[row]])[0] / view.devicePixelRatioF()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), view.height() - 1 - round(y)))
    settle(qtbot)
    (probe,) = context.view.values.probes
    assert probe.subject == "swing"
    part = scene.content.system.parts[0]
    (at_part,) = np.flatnonzero(part.node_ids == probe.node)
    picked = part.rows.start + int(at_part)
    name = f"plates node {probe.node}"
    assert scene.visuals["probes"].labels[0].GetInput().startswith(f"{name}\n")
    found = window.presenter.field_context
    for field in ("pressure", "displacement"):
        context.view.set(field=field)
        settle(qtbot)
        qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=30000)
        settle(qtbot)
        assert not window.problems
        drawn = [s for s in curves.plot.plot.series if s.name == f"{fields[field]().title} at {name}"]
        if field == "pressure":
            at = np.flatnonzero(pairs.slave_nodes == picked)
            expected = (
                [found.shown(fields[field](), "plates: lap", i)[at] for i in range(6)] if len(at) else None
            )
        else:
            expected = [found.shown(fields[field](), "", i)[[picked]] for i in range(6)]
        if expected is None:
            assert not drawn
            continue
        np.testing.assert_allclose(drawn[0].y, np.concatenate(expected), rtol=1e-9)
    shoot(window, "flexible-system-probe", "dark", SIZES[0])


def test_traces_and_forces_are_drawn_in_motion(qtbot, window, screenshots):
    """The upper bar's marker goes along a circle about its hinge, whose arrow is the reaction that was recorded."""
    short_pendulum(qtbot, window)
    run_motion(qtbot, window)
    context = window.context
    context.view.set(traces=True, reactions=True, frame=12)
    settle(qtbot, 200)
    scene = window.presenter.scene
    ways, arrows = scene.visuals["traces"], scene.visuals["reactions"]
    assert ways.is_shown(scene.content) and arrows.is_shown(scene.content)
    results = window.presenter.frames
    system = context.project.systems[0]
    assert ways.ways.shape[1] == results.n_frames
    places, axes = scene.content.system.marker_poses(scene.content.poses, scene.content.positions)
    moving = [i for i, marker in enumerate(scene.content.system.markers) if marker.part >= 0]
    # Each way passes through where its marker is now, and circles keep their distance from the hinge.
    for way in ways.ways:
        assert min(np.linalg.norm(places[moving] - way[12], axis=1)) < 1e-9
    hinge = next(c for c in system.constraints if c.first.startswith("ground"))
    at = scene.content.system.member("constraint", hinge.name).markers[0]
    radii = [np.linalg.norm(way - places[at], axis=1) for way in ways.ways]
    assert any(np.ptp(each) < 1e-6 * each.max() and each.max() > 0.0 for each in radii)
    force = np.array([results.curve(f"{hinge.name} force {axis}") for axis in "xyz"])
    largest = max(
        np.linalg.norm([results.curve(f"{c.name} force {axis}") for axis in "xyz"], axis=0).max()
        for c in system.constraints
    )
    number = [c.name for c in system.constraints].index(hinge.name)
    np.testing.assert_allclose(arrows.vectors[number], axes[at] @ force[:, 12] / largest, atol=1e-12)
    assert window.grab().save(str(screenshots / "traces-and-forces.png"))
    # Modes and the model itself have neither.
    context.selection.select(("systems", 0))
    settle(qtbot, 200)
    assert not ways.is_shown(scene.content) and not arrows.is_shown(scene.content)
