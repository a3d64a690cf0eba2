"""Every action there is, triggered in one real window: in a menu, with the usual key, undone, scripted, in a study."""

import shutil

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QMessageBox

from faying.examples import examples
from faying.fem.writers import write_model
from faying.project import edits
from faying.project.stage import target_of
from faying_app.actions import actions
from faying_app.actions.take_mesh import NewMeshDialog
from faying_app.forms.mesh_dialog import MeshDialog
from faying_app.forms.spec_dialog import SpecDialog
from faying_app.law_editor.dialog import LawEditor
from faying_app.shell.lasso import Lasso
from faying_app.shell.palette import Palette
from faying_app.view_state import Probe
from support.plate_deck import write_plate_deck
from support.shanks import shank
from support.tour import Tour
from support.windows import settle, trigger, wait_idle

pytestmark = pytest.mark.window

# Keys that engineers' programs have for the same thing.
USUAL = {
    "new_project": "Ctrl+N", "open_file": "Ctrl+O", "save_project": "Ctrl+S", "save_project_as": "Ctrl+Shift+S",
    "export_image": "Ctrl+P", "quit_program": "Ctrl+Q", "undo": "Ctrl+Z", "redo": "Ctrl+Shift+Z",
    "rename_entity": "F2", "delete_entity": "Del", "duplicate_entity": "Ctrl+D", "show_manual": "F1",
    "show_shortcuts": "Ctrl+F1", "command_palette": "Ctrl+K",
    "run_analysis": "F5", "cancel_task": "Ctrl+.", "leave_mode": "Esc", "play_toggle": "Space", "fit_view": "Ctrl+F",
}  # fmt: skip
# What a study has to hold: all that an action can decide.
DECIDING = {
    "import_deck", "add_interface", "add_joint", "add_bolt", "add_load", "add_system", "add_part", "add_marker",
    "add_constraint", "add_force", "add_contact_surface", "add_rigid_surface", "add_contact", "add_analysis",
    "couple_face", "use_face_as_surface", "swap_surfaces", "choose_surface", "lasso_surface", "grow_surface",
    "shrink_surface", "invert_surface", "add_face", "remove_face", "add_facet", "remove_facet",
    "tie_joint", "tie_all_joints", "rename_entity", "duplicate_entity", "delete_entity", "correct_frame",
    "add_support", "compare_methods", "sweep_parameters", "give_material", "take_mesh",
    "pattern_part", "place_marker",
}  # fmt: skip


@pytest.fixture
def tour(qtbot, window, tmp_path):
    return Tour(qtbot, window, tmp_path)


def test_usual_keys(qapp):
    for kind, key in USUAL.items():
        keys = [QKeySequence(k.strip()).toString() for k in actions[kind].shortcut.split(";")]
        assert key in keys, kind


@pytest.mark.slow  # the paths that matter have tests of their own
def test_every_action_does_something(qtbot, tour, computed_file, monkeypatch):
    window = tour.window
    monkeypatch.setattr(QDialog, "exec", lambda dialog: QDialog.DialogCode.Accepted)
    model_and_surfaces(qtbot, tour, monkeypatch)
    systems_and_analyses(tour)
    views(tour)
    files(tour, computed_file, monkeypatch)
    results(qtbot, tour)
    written(qtbot, tour, monkeypatch)
    runs(qtbot, tour)
    menus = {action.objectName() for menu in window.menus.menus.values() for action in below(menu)}
    tour.do("open_example", examples["double-pendulum"]().title)
    assert window.context.project.systems
    window.context.selection.select(("analyses", 0))
    fmu = tour.folder / "pendulum.fmu"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(fmu), ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda box: box.StandardButton.Ok)  # it has no inputs
    tour.do("export_fmu")
    assert fmu.stat().st_size > 0
    tour.do("new_project")
    assert not window.context.project.systems
    tour.do("quit_program")
    tour.done.add("quit_program")
    assert len(tour.done) > 120
    assert set(actions) - menus == set(), "actions that no menu has"
    assert tour.edits == DECIDING


def below(menu):
    """Return all entries of a menu and of its submenus."""
    for action in menu.actions():
        yield action
        if action.menu() is not None:
            yield from below(action.menu())


def pick(tour, body, wanted):
    """Click, as the pointer does, on the facet of a body that looks most in a direction, the outermost of them."""
    tour.context.selection.select(("bodies", body, "model"))
    settle(tour.qtbot)
    skin = tour.context.computed.skin(tour.context.project.bodies[body].name)
    weight = (skin.normals + 1e-3 * skin.centroids) @ np.array(wanted, float)
    tour.window.pointer.facet_clicked(int(np.argmax(weight)), Qt.KeyboardModifier.NoModifier)
    assert tour.context.selection.faces


def model_and_surfaces(qtbot, tour, monkeypatch):
    window, context = tour.window, tour.context
    write_model(shank("hex8_incompatible", turned=False, roundness=1.0), tour.folder / "shank.inp")
    write_plate_deck(tour.folder / "plates.inp")
    for deck in ("plates", "shank"):
        path = tour.folder / f"{deck}.inp"
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args, p=path: (str(p), ""))
        before = context.project
        tour.do("import_deck")
        qtbot.waitUntil(lambda b=before: context.project != b, timeout=20000)
        wait_idle(qtbot, window)
        tour.check_step("import_deck", before, context.project)
    other_mesh(qtbot, tour, monkeypatch)
    pick(tour, 1, (1, 0, 0))
    tour.act("add_bolt")
    tour.act("add_load", "Gravity")
    wait_idle(qtbot, window)
    pick(tour, 1, (0, 0, 1))
    tour.act("couple_face", "Rigid")
    wait_idle(qtbot, window)
    pick(tour, 1, (0, 1, 0))
    tour.act("add_support", "Frictionless")
    wait_idle(qtbot, window)
    tour.do("check_mesh")
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=30000)
    context.selection.select(("bodies", 0, "model"))
    tour.do("search_joints")
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=30000)
    tour.act("add_interface", "By node number")
    joint = ("bodies", 0, "joints", 0)
    tour.act("add_joint", "From two surfaces, chosen in the form")
    tour.act("swap_surfaces")
    for kind in ("tie_joint", "tie_joint", "tie_all_joints", "tie_all_joints"):  # there and back
        tour.act(kind)
        wait_idle(qtbot, window)
    tour.act("duplicate_entity")
    tour.act("delete_entity")
    context.selection.select(joint)
    before = context.project
    tour.do("rename_entity")
    editor = window.docks.panels["project"].view.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "lap")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    settle(qtbot)
    assert context.project.bodies[0].joints[0].name == "lap"
    tour.check_step("rename_entity", before, context.project)
    context.selection.select(("bodies", 0, "model"))
    tour.act("give_material")
    assert context.project.bodies[0].materials[0].name == "steel"
    for law in ("contact", "friction"):
        tour.do(f"edit_{law}_law")
        (opened,) = [e for e in window.findChildren(LawEditor) if e.isVisible()]
        opened.close()
        settle(qtbot)
    pick(tour, 0, (0, 0, 1))
    context.selection.select(joint)
    tour.act("use_face_as_surface", "Slave surface")
    slave = (*joint, "slave")
    pick(tour, 0, (0, 0, -1))
    context.selection.select(slave)
    tour.act("choose_surface", "The picked facet alone")  # a whole part has no ring round it to grow by
    for kind in ("grow_surface", "shrink_surface", "invert_surface", "invert_surface"):
        tour.act(kind)
    tour.do("flip_surface")  # the facets of a solid have no other side, so that this is no step
    for kind in ("add_face", "remove_face", "add_facet", "remove_facet"):
        pick(tour, 0, (1, 0, 0))
        context.selection.select(slave)
        tour.act(kind)
    lasso(qtbot, tour)
    pick(tour, 0, (0, 0, 1))
    for kind in ("hide_part", "show_parts"):
        tour.look(kind)
    pick(tour, 0, (0, 0, 1))
    tour.look("isolate_part")
    context.view.set(hidden_parts=())


def lasso(qtbot, tour):
    """Draw a lasso with the mouse over the middle of the view."""
    before = tour.context.project
    tour.do("lasso_surface", "Replace the selection")
    (sheet,) = tour.window.viewport.view.findChildren(Lasso)
    middle, reach = sheet.rect().center(), min(sheet.width(), sheet.height()) // 3
    corners = [middle + QPoint(x * reach, y * reach) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    qtbot.mousePress(sheet, Qt.MouseButton.LeftButton, pos=corners[0])
    for corner in corners[1:]:
        qtbot.mouseMove(sheet, corner)
    qtbot.mouseRelease(sheet, Qt.MouseButton.LeftButton, pos=corners[-1])
    settle(qtbot)
    assert tour.context.project != before
    tour.check_step("lasso_surface", before, tour.context.project)


def other_mesh(qtbot, tour, monkeypatch):
    """Take the plates from another file, in which they are as they were."""
    window, before = tour.window, tour.context.project
    other = shutil.copy(tour.folder / "plates.inp", tour.folder / "plates again.inp")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(other), ""))
    tour.context.selection.select(("bodies", 0, "model"))
    wait_idle(qtbot, window)
    tour.do("take_mesh")
    qtbot.waitUntil(lambda: bool(window.findChildren(NewMeshDialog)), timeout=20000)
    window.findChildren(NewMeshDialog)[0].accept()
    wait_idle(qtbot, window)
    tour.check_step("take_mesh", before, tour.context.project)


def systems_and_analyses(tour):
    tour.act("add_system")
    at = tour.context.entity
    for _ in range(2):
        tour.act("add_part", "Rigid part by mass and inertia")
    for kind in ("add_marker", "add_constraint", "add_force"):
        tour.context.selection.select(at)
        settle(tour.qtbot)
        offered = tour.window.menus.actions[kind].choices(tour.context)
        tour.act(kind, offered[0].title)
    parts_are_placed(tour, at)
    tour.context.selection.select(("bodies", 0))
    settle(tour.qtbot)
    tour.act("add_contact_surface", "Deck surface UPPER")
    tour.context.selection.select(at)
    settle(tour.qtbot)
    tour.act("add_part", "Flexible part from plates")
    tour.act("add_rigid_surface", "Sphere on part")
    tour.act("add_contact", "part.sphere and plates.surface")
    tour.context.selection.select(("bodies", 0))
    settle(tour.qtbot)
    tour.act("add_analysis", "Static equilibrium")
    tour.context.selection.select(("bodies", 0, "reduction"))
    tour.act("compare_methods")
    number = next(i for i, a in enumerate(tour.context.project.analyses) if a.kind == "static")
    tour.context.selection.select(("analyses", number))
    tour.act("sweep_parameters")
    for kind, panel in (("check_project", "findings"), ("show_history", "history")):
        tour.do(kind)
        assert not tour.window.docks.panels[panel].visibleRegion().isEmpty()


def parts_are_placed(tour, at):
    """Markers as others, patterns, and what is done with the pointer: `test_place_parts`, `test_joint_wizard`."""
    tour.context.selection.select((*at, "ground", 0))
    settle(tour.qtbot)
    tour.act("place_marker", tour.window.menus.actions["place_marker"].choices(tour.context)[-1].title)
    tour.context.selection.select((*at, "parts", 0))
    settle(tour.qtbot)
    before = tour.context.project
    tour.do("pattern_part", "Along a line…")
    tour.window.findChild(SpecDialog, "pattern").take.click()
    tour.check_step("pattern_part", before, tour.context.project)
    for kind in ("move_parts", "move_parts", "add_joint_from_faces"):
        tour.look(kind)
    tour.window.joint_wizard.dialog.reject()


def views(tour):
    tour.context.selection.select(("bodies", 0, "model"))
    settle(tour.qtbot)
    for kind in actions:
        if kind.startswith("show_") and kind not in (
            "show_history",
            "show_shortcuts",
            "show_parts",
            "show_manual",
        ):
            tour.look(kind)
            tour.look(kind)
    for kind in sorted((k for k in actions if k.startswith("view_")), key=lambda k: k == "view_iso"):
        tour.look(kind)
    scene = tour.window.presenter.scene
    scene.camera = scene.camera.__class__(
        **{**vars(scene.camera), "half_height": 7.0 * scene.camera.half_height}
    )
    tour.look("fit_view")
    tour.look("choose_theme", "Dark")
    tour.look("choose_theme", "Light")
    tour.look("colour_by", "Part")
    tour.look("colour_by", "One colour")
    tour.look("deformation_scale", "× 10")
    tour.look("deformation_scale", "Automatic")
    is_open = tour.window.docks.is_open
    tour.do("toggle_below")
    assert tour.window.docks.is_open is not is_open
    tour.do("find_in_tree")
    tour.do("command_palette")
    tour.window.findChild(Palette).close()
    tour.do("show_shortcuts")
    tour.do("choose_cluster")
    tour.do("show_manual")
    assert tour.window.manual.isVisible()
    tour.window.manual.close()
    tour.look("measure", "Distance of two points")
    tour.look("select_pointer")
    tour.context.view.set(pointer="probe")
    tour.do("leave_mode")
    assert tour.context.view.values.pointer == "select"


def files(tour, computed_file, monkeypatch):
    context = tour.context
    opened, told = [], []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: bool(opened.append(url)) or True)
    monkeypatch.setattr(
        QMessageBox, "exec", lambda box: told.append(box.text()) or box.StandardButton.Discard
    )
    tour.do("make_mesh", "Spur gear…")
    (asked,) = tour.window.findChildren(MeshDialog)
    asked.reject()
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda *args: ("", "")
    )  # `test_mesh_cad` has the rest
    tour.do("mesh_cad")
    tour.do("open_log")
    tour.do("about")
    assert opened and "Faying" in told[0]
    context.selection.select(("bodies", 0, "model"))
    for kind, name in (
        ("export_model", "model.vtu"), ("export_study", "again.toml"), ("export_script", "steps.py"),
        ("save_project_as", "tour.faying"),
    ):  # fmt: skip
        target = tour.folder / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, t=target: (str(t), ""))
        tour.do(kind)
        assert target.stat().st_size > 0, kind
    context.apply("Rename", edits.set_value(("name",), "Tour"))
    assert context.document.is_modified
    tour.do("save_project")
    assert not context.document.is_modified
    tour.do("open_recent", "tour.faying")
    assert context.project.name == "Tour"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(computed_file), ""))
    tour.do("open_file")
    assert context.project.name == "Plates"


def results(qtbot, tour):
    window, context = tour.window, tour.context
    wait_idle(qtbot, window)
    context.selection.select(("analyses", 2))
    settle(qtbot, 150)
    assert context.n_frames == 41
    for kind in (k for k in actions if k.startswith("play_")):
        context.view.set(frame=20 if kind != "play_to_5" else 3)
        tour.look(kind)
        context.view.set_playing(False)
    context.view.set(field="displacement")
    settle(qtbot, 100)
    for _ in range(2):  # there and back
        tour.look("limits_without_peaks")
    tour.look("probe")
    context.view.set(probes=(Probe(subject="plates", node=6),))
    tour.look("drop_probes")
    tour.look("probe")


def written(qtbot, tour, monkeypatch):
    tour.context.selection.select(("analyses", 0))
    settle(qtbot, 100)
    for kind, name in (
        ("export_data", "press.csv"), ("export_image", "press.png"), ("export_video", "press.gif"),
        ("export_report", "plates.html"), ("export_pairs", "lap.vtu"), ("export_body", "plates.npz"),
    ):  # fmt: skip
        target = tour.folder / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, t=target: (str(t), ""))
        tour.do(kind)
        assert target.stat().st_size > 0, kind
    assert not tour.window.problems


def runs(qtbot, tour):
    window, context = tour.window, tour.context
    context.apply("Other pairs", edits.set_value(("bodies", 0, "joints", 0, "search", "distance"), 3.0))
    context.selection.select(("bodies", 0, "joints", 0))
    tour.do("update_pairs")
    wait_idle(qtbot, window)
    assert context.computed.pairs("plates", "lap") is not None
    trigger(qtbot, window, "undo")
    context.apply("More modes", edits.set_value(("bodies", 0, "joint_modes", "count"), 8))
    tour.do("compute_basis")
    wait_idle(qtbot, window)
    assert context.computed.reduced("plates") is not None
    context.selection.select(("analyses", 0))
    tour.do("run_analysis")
    wait_idle(qtbot, window)
    assert context.computed.results("press") is not None
    trigger(qtbot, window, "undo")
    settle(qtbot)
    before = context.project
    tour.do("correct_frame")
    wait_idle(qtbot, window, seconds=120)
    tour.check_step("correct_frame", before, context.project)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    words = {
        "kind": "transient",
        "name": "long",
        "body": "plates",
        "support": "hold",
        "duration": 1.0,
        "frames": 40,
    }
    force = {
        "interface": "tip",
        "force": (0, 0, -5),
        "time_history": {"kind": "harmonic", "frequency": 500.0},
    }
    context.apply("A run that does not end by itself", edits.add_analysis({**words, "loads": [force]}))
    tour.do("run_all")
    for label in ("paused", "running"):
        tour.do("pause_task")
        assert window.runner.current.state == label
    tour.do("cancel_task")
    wait_idle(qtbot, window)
    assert window.runner.log[-1].state == "cancelled"
    goes_on_and_begins_anew(qtbot, tour)


def goes_on_and_begins_anew(qtbot, tour):
    """An interrupted run says so, goes on from its last frame when run again, and can be begun again."""
    window, context = tour.window, tour.context
    target = target_of(context.project.analyses[-1])
    context.selection.select(("analyses", len(context.project.analyses) - 1))

    def reached():
        place = context.computed.store.results(context.computed.state(target).key)
        return (0.0, 0) if place is None or place.complete else place.reached

    def run_until(action, there):
        tour.do(action)
        qtbot.waitUntil(there, timeout=60_000)
        tour.do("cancel_task")
        wait_idle(qtbot, window)
        return reached()

    first = run_until("run_analysis", lambda: reached()[1] > 0)
    assert context.computed.state(target).kind == "partial"
    assert context.computed.state(target).reasons == (f"interrupted after {first[1]} frames",)
    second = run_until("run_analysis", lambda: reached()[1] >= first[1])
    assert second[0] == first[0] and second[1] >= first[1]
    third = run_until("restart_analysis", lambda: reached()[0] > first[0])
    assert third[0] > first[0]
