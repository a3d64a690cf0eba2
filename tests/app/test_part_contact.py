"""Contact between parts in the real window: surfaces picked, listed, shown, renamed, taken back."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton

from faying.fem.writers import write_model
from faying.project import edits
from faying.project.checks import CheckedProject, run_checks
from faying_app.item_models.properties import properties_of
from faying_app.law_editor.dialog import LawEditor
from support.boxes import box
from support.pictures import LOOKS, SIZES
from support.windows import choose, drop, settle, trigger, view_pixels, wait_idle

pytestmark = pytest.mark.window
SYSTEM = ("systems", 0)


@pytest.fixture
def blocks(qtbot, window, tmp_path):
    """A window with a deck of one block, and a system of two of them, one above the other, over a rigid plane."""
    return blocks_in(qtbot, window, tmp_path)


def blocks_in(qtbot, window, folder):
    write_model(box("hex8", (4, 3, 2), (20.0, 15.0, 8.0)), folder / "block.inp")
    drop(window, folder / "block.inp")
    context = window.context
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    window.units_question.take.click()
    trigger(qtbot, window, "add_system")
    for step in (
        edits.add_part("system", {"kind": "flexible", "name": "low", "body": "block"}),
        edits.add_part(
            "system", {"kind": "flexible", "name": "high", "body": "block", "placement": {"position": (3.0, 2.0, 14.0)}}
        ),
        edits.add_part("system", {
            "kind": "rigid", "name": "ball", "mass": 1e-4, "moments_of_inertia": (1e-3, 1e-3, 1e-3),
            "placement": {"position": (40.0, 0.0, 8.0)},
        }),
    ):  # fmt: skip
        context.document.apply("Prepare", step)
    context.selection.select(SYSTEM)
    settle(qtbot, 200)
    return window


def click(qtbot, window, place, modifier=Qt.KeyboardModifier.NoModifier):
    """Click where a place in space is seen."""
    view = window.viewport.view
    x, y = window.presenter.scene.pixels(np.array([place]))[0] / view.devicePixelRatioF()
    qtbot.mouseClick(
        view, Qt.MouseButton.LeftButton, modifier, QPoint(round(x), round(view.height() - 1 - y))
    )
    settle(qtbot, 100)


def facts(window):
    return dict(properties_of(window.context, window.context.entity))


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_contact_is_made_from_picks_and_by_menus(qtbot, blocks):
    """One window for both: opening one takes longer than what is tried in it."""
    picked_faces_become_a_contact_as_one_step(qtbot, blocks)
    two_faces_of_one_flexible_part_may_touch(qtbot, blocks)
    surfaces_come_by_menus_and_names_follow(qtbot, blocks)
    a_finding_offers_to_move_a_part_as_a_step(qtbot, blocks)


def a_finding_offers_to_move_a_part_as_a_step(qtbot, blocks):
    context, panel = blocks.context, blocks.docks.panels["findings"]
    place = (*SYSTEM, "parts", 1, "placement", "position")
    before = context.value(place)
    report = {
        "energy_balance": {"turned over": 1.0},
        "contacts": {"press": {
            "parts": ["base", "high"], "overlap": 0.25, "overlapping_nodes": 4, "stored_at_start": 0.5,
            "way_out": [0.0, 0.0, 0.25], "most_closed": 4,
        }},
    }  # fmt: skip
    words = {"kind": "motion", "name": "drop", "system": context.project.systems[0].name}
    project = edits.add_analysis(words)(context.project)
    found = run_checks(CheckedProject(project, Path(), reports={"drop": report}))
    blocks.show_panel("findings")
    wait_idle(qtbot, blocks)  # the window's own checks would take the place of these findings
    settle(qtbot, 400)
    assert panel.model.columnCount() == 3
    context.findings = [finding for finding in found if finding.check == "contact_runs"]
    context.findings_changed.emit()
    settle(qtbot)
    (button,) = (b for b in panel.view.findChildren(QPushButton) if b.isVisible())
    assert button.text() == "Move 'high' out of 'base'"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    np.testing.assert_allclose(np.subtract(context.value(place), before), [0.0, 0.0, 0.25])
    assert context.document.history[-1].label == "Move 'high' out of 'base'"
    context.document.undo()
    assert context.value(place) == before


def picked_faces_become_a_contact_as_one_step(qtbot, blocks):
    context, scene = blocks.context, blocks.presenter.scene
    before, steps = context.project, len(context.document.history)
    assert not blocks.menus.qt_actions["add_contact"].isEnabled()
    context.view.turn("-y")
    settle(qtbot, 200)
    context.view.turn("iso")
    settle(qtbot, 200)
    click(qtbot, blocks, (10.0, 0.0, 4.0), Qt.KeyboardModifier.ControlModifier)
    (one,) = context.selection.sides
    assert (one.part, one.surface) == ("low", "") and one.face.body == "block"
    assert scene.content.master is not None and scene.content.slave is None
    assert context.entity == SYSTEM
    click(qtbot, blocks, (15.0, 10.0, 22.0), Qt.KeyboardModifier.ControlModifier)
    assert [side.part for side in context.selection.sides] == ["low", "high"]
    # The colours are on the right facets: the front of the lower block, the top of the upper one.
    for surface, axis, at in ((scene.content.master, 1, 0.0), (scene.content.slave, 2, 22.0)):
        np.testing.assert_allclose(scene.content.model.nodes[surface.nodes][:, axis], at, atol=1e-9)
    choose(qtbot, blocks, "add_contact", "The two picked surfaces")
    settle(qtbot, 200)
    (contact,) = context.project.systems[0].contacts
    assert (contact.master, contact.slave) == ("low.surface 1", "high.surface 2")
    assert [s.name for s in context.project.bodies[0].contact_surfaces] == ["surface 1", "surface 2"]
    assert context.entity == (*SYSTEM, "contacts", 0) and not context.selection.sides
    assert len(context.document.history) == steps + 1
    assert scene.content.master.n_facets == 8 and scene.content.slave.n_facets == 12
    assert facts(blocks)["Slave surface"] == "12 facets of 5 mm in the mean"
    # The form proposes a stiffness, with the reason, and takes it as a step.
    form = blocks.docks.panels["properties"].form
    line = form.suggestions[0]
    assert "from E and element size" in line.text.text()
    line.button.click()
    settle(qtbot)
    assert context.project.systems[0].contacts[0].contact_law.stiffness == pytest.approx(3.2e4, rel=0.2)
    context.document.undo()
    context.document.undo()
    settle(qtbot, 200)
    assert context.project == before
    assert not blocks.problems


def two_faces_of_one_flexible_part_may_touch(qtbot, blocks):
    context, before = blocks.context, blocks.context.project
    add, front, side, lid = (
        Qt.KeyboardModifier.ControlModifier,
        (10.0, 0.0, 4.0),
        (20.0, 7.0, 4.0),
        (15.0, 10.0, 22.0),
    )
    click(qtbot, blocks, front, add)
    click(qtbot, blocks, (16.0, 0.0, 2.0), add)  # of the same smooth surface
    assert len(context.selection.sides) == 1
    # One of another part takes the place of the first, and the next one of that part its place.
    for place, parts in ((side, ["low", "low"]), (lid, ["low", "high"]), (front, ["high", "low"])):
        click(qtbot, blocks, place, add)
        assert [each.part for each in context.selection.sides] == parts
    context.selection.drop_sides()
    click(qtbot, blocks, front, add)
    click(qtbot, blocks, side, add)
    assert "Contact between parts joins both" in blocks.statusBar().currentMessage()
    choose(qtbot, blocks, "add_contact", "The two picked surfaces")
    settle(qtbot, 200)
    (contact,) = context.project.systems[0].contacts
    assert (contact.master, contact.slave) == ("low.surface 1", "low.surface 2")
    assert list(blocks.presenter.scene.content.roles) == ["Master", "Slave"]
    told = [f for f in run_checks(CheckedProject(context.project, Path())) if f.check == "part_contacts"]
    assert not told
    context.document.undo()
    settle(qtbot, 200)
    assert context.project == before and not blocks.problems


def surfaces_come_by_menus_and_names_follow(qtbot, blocks):
    context, scene = blocks.context, blocks.presenter.scene
    context.selection.select(("bodies", 0))
    settle(qtbot, 200)
    context.view.turn("iso")
    settle(qtbot, 200)
    click(qtbot, blocks, (10.0, 8.0, 8.0))
    choose(qtbot, blocks, "add_contact_surface", "Round the picked face")
    settle(qtbot, 100)
    surface = ("bodies", 0, "contact_surfaces", 0)
    assert context.entity == surface and scene.content.slave.n_facets == 12
    assert facts(blocks) == {"Surface": "12 facets, 20 nodes, 300 mm²", "Contact shapes": "up to 20"}
    # The steps of surfaces work on it too.
    context.selection.select((*surface, "surface"))
    trigger(qtbot, blocks, "shrink_surface")
    settle(qtbot, 100)
    assert scene.content.slave.n_facets == 2
    context.document.undo()
    context.selection.select((*SYSTEM, "parts", 2))
    choose(qtbot, blocks, "add_rigid_surface", "Sphere on ball")
    settle(qtbot, 100)
    ball = context.value(context.entity)
    assert ball.radius == pytest.approx(5.0) and scene.content.touching == ("ball.sphere", "")
    choose(qtbot, blocks, "add_rigid_surface", "Plane on ground")
    settle(qtbot, 100)
    assert {s.name for s in scene.content.system.surfaces} == {"ball.sphere", "ground.plane"}
    # A click on a part's surface in the picture selects the part, one on ground's the surface.
    click(qtbot, blocks, (40.0, 0.0, 8.0))
    assert context.entity == (*SYSTEM, "parts", 2)
    click(qtbot, blocks, (50.0, -10.0, 0.0))
    assert context.entity == (*SYSTEM, "ground_surfaces", 0)
    assert scene.content.touching == ("ground.plane", "")
    choose(qtbot, blocks, "add_contact", "ball.sphere and low.surface")
    settle(qtbot, 100)
    assert scene.content.touching == ("ball.sphere", "") and scene.content.slave.n_facets == 12
    context.apply("Rename", edits.rename(surface, "lid"))
    context.apply("Rename", edits.rename((*SYSTEM, "parts", 0), "base"))
    settle(qtbot, 100)
    (contact,) = context.project.systems[0].contacts
    assert (contact.master, contact.slave) == ("ball.sphere", "base.lid")
    tree = blocks.docks.panels["project"].model
    assert tree.find((*SYSTEM, "contacts", 0, "slave")).isValid()
    context.selection.select((*SYSTEM, "contacts", 0))
    trigger(qtbot, blocks, "edit_contact_law")
    settle(qtbot, 200)
    editor = next(w for w in blocks.findChildren(LawEditor))
    assert "contact" in editor.windowTitle()
    editor.close()
    trigger(qtbot, blocks, "delete_entity")
    settle(qtbot, 100)
    assert context.project.systems[0].contacts == ()
    assert not blocks.problems


@pytest.mark.slow  # pictures for people to look at
def test_pictures_of_contact(qtbot, make_window, tmp_path, shoot):
    window = make_window(SIZES[0])
    blocks_in(qtbot, window, tmp_path)
    context = window.context
    top, bottom = ({"kind": "deck_set", "name": name} for name in ("ZMAX", "ZMIN"))
    for step in (
        edits.add_contact_surface("block", {"name": "top", "surface": top}),
        edits.add_contact_surface("block", {"name": "bottom", "surface": bottom}),
        edits.add_rigid_surface("system", "ball", {"kind": "sphere", "name": "skin", "radius": 6.0}),
        edits.add_rigid_surface("system", "ground", {"kind": "plane", "name": "floor", "point": (0, 0, -3)}),
        edits.add_rigid_surface(
            "system", "ground", {"kind": "cylinder", "name": "shaft", "point": (40, 30, 0), "radius": 4.0}
        ),
        edits.add_contact("system", {"name": "stack", "master": "low.top", "slave": "high.bottom"}),
        edits.add_contact("system", {"name": "strike", "master": "ball.skin", "slave": "low.top"}),
    ):
        context.document.apply("Prepare", step)
    stations = {"stack": (*SYSTEM, "contacts", 0), "strike": (*SYSTEM, "contacts", 1)}
    seen = {}
    for theme, size in LOOKS:
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 300)
        window.docks.arrange()
        for name, path in stations.items():
            context.selection.select(path)
            settle(qtbot, 300)
            window.viewport.scene.view("iso")
            settle(qtbot, 100)
            shoot(window, f"contact-{name}", theme, size)
            seen[name] = view_pixels(window)
        # The two contacts colour other surfaces.
        assert (np.abs(seen["stack"].astype(int) - seen["strike"]).max(axis=2) > 60).sum() > 500


def clip_deck(folder):
    """Write the deck of a clip: two legs along x, 6 mm apart, on a root at x < 4; return its path."""
    model = box("hex8", (14, 3, 5), (28.0, 6.0, 10.0))
    (block,) = model.blocks
    middle = model.nodes[block.connectivity].mean(axis=1)
    solid = (middle[:, 0] < 4.0) | (np.abs(middle[:, 2] - 5.0) > 3.0)
    used = np.unique(block.connectivity[solid])
    numbers = np.full(len(model.nodes), -1)
    numbers[used] = np.arange(len(used))
    blocks = (replace(block, ids=block.ids[solid], connectivity=numbers[block.connectivity[solid]]),)
    clip = replace(
        model, node_ids=np.arange(1, len(used) + 1), nodes=model.nodes[used], blocks=blocks, node_sets={}
    )
    write_model(clip, folder / "clip.inp")
    return folder / "clip.inp"


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_the_legs_of_a_clip_touch_each_other_by_clicks(qtbot, window, tmp_path):
    """From above the inside of the lower leg, from below that of the upper one; what was picked stays meanwhile."""
    drop(window, clip_deck(tmp_path))
    context, scene = window.context, window.presenter.scene
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    window.units_question.take.click()
    trigger(qtbot, window, "add_system")
    context.document.apply(
        "Prepare", edits.add_part("system", {"kind": "flexible", "name": "clip", "body": "clip"})
    )
    context.selection.select(SYSTEM)
    settle(qtbot, 200)
    context.view.turn("iso")
    settle(qtbot, 200)
    click(qtbot, window, (20.0, 0.8, 2.0), Qt.KeyboardModifier.ControlModifier)
    assert [side.part for side in context.selection.sides] == ["clip"]
    for _ in range(7):
        qtbot.keyClick(window.viewport.view, Qt.Key.Key_Down)
    settle(qtbot, 200)
    assert scene.camera.position[2] < scene.camera.focal_point[2]
    click(qtbot, window, (20.0, 0.8, 8.0), Qt.KeyboardModifier.ControlModifier)
    assert [side.part for side in context.selection.sides] == ["clip", "clip"]
    for surface, height in ((scene.content.master, 2.0), (scene.content.slave, 8.0)):
        np.testing.assert_allclose(scene.content.model.nodes[surface.nodes][:, 2], height, atol=1e-9)
        assert surface.n_facets == 36
    choose(qtbot, window, "add_contact", "The two picked surfaces")
    settle(qtbot, 200)
    (contact,) = context.project.systems[0].contacts
    assert (contact.master, contact.slave) == ("clip.surface 1", "clip.surface 2")
    assert context.entity == (*SYSTEM, "contacts", 0)
    assert list(scene.content.roles) == ["Master", "Slave"]
    told = [f for f in run_checks(CheckedProject(context.project, Path())) if f.check == "part_contacts"]
    assert not told and not window.problems
