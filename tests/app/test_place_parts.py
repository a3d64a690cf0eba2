"""Placing parts in the real window: beside each other, in patterns, with another's marker, dragged and turned."""

import numpy as np
import pytest

from faying.project import edits
from faying_app.forms.spec_dialog import SpecDialog
from support.windows import choose, settle, trigger

pytestmark = pytest.mark.window
SYSTEM = ("systems", 0)


def extent_of(window, number):
    """Return least and largest x of a part as it is drawn."""
    content = window.presenter.scene.content
    surface = next(k for k, each in enumerate(content.system.surfaces) if each.part == number)
    places = content.system.surface_places(surface, content.poses)
    return places[:, 0].min(), places[:, 0].max()


def test_parts_stand_beside_each_other_and_are_patterned(qtbot, window, screenshots):
    context = window.context
    trigger(qtbot, window, "add_system")
    for title in ("Rigid part: Link from marker to marker", "Rigid part: Box", "Rigid part: Cylinder"):
        choose(qtbot, window, "add_part", title)
        settle(qtbot, 150)
    one, two, three = (extent_of(window, k) for k in range(3))
    assert context.project.systems[0].parts[0].placement.position == (0.0, 0.0, 0.0)
    assert one[1] < two[0] and two[1] < three[0]
    assert three[1] - one[0] < 4.0 * 100.0  # and not far away
    # A pattern by its dialog, as one step.
    context.selection.select((*SYSTEM, "parts", 1))
    choose(qtbot, window, "pattern_part", "Along a line…")
    settle(qtbot, 150)
    dialog = window.findChild(SpecDialog, "pattern")
    assert "2 copies of 'part 2'" in dialog.facts.text()
    row = next(row for row in dialog.form.all_rows() if row.path[-1] == "step")
    for line, text in zip(row.editor.lines, ("0", "0", "0"), strict=True):
        line.setText(text)
        line.editingFinished.emit()
    assert "no length" in dialog.facts.text() and not dialog.take.isEnabled()
    row.editor.lines[1].setText("80")
    row.editor.lines[1].editingFinished.emit()
    steps = len(context.document.history)
    dialog.take.click()
    settle(qtbot, 200)
    assert len(context.document.history) == steps + 1
    names = [part.name for part in context.project.systems[0].parts]
    assert names == ["part", "part 2", "part 3", "part 2 2", "part 2 3"]
    assert [path[-1] for path in context.entities] == [3, 4]
    assert window.grab().save(str(screenshots / "pattern.png"))
    a_marker_takes_the_place_of_another(qtbot, window)
    what_assembly_moves_can_be_placed_there(qtbot, window)
    assert not window.problems


def a_marker_takes_the_place_of_another(qtbot, window):
    context = window.context
    turned = {"name": "there", "position": (10.0, 20.0, 30.0), "rotation": (0.0, np.pi / 2, 0.0)}
    context.apply("Add", edits.add_marker("system", "ground", turned))
    context.selection.select((*SYSTEM, "parts", 1))
    settle(qtbot)
    choose(qtbot, window, "add_marker", "On part 2")
    settle(qtbot, 150)
    choose(qtbot, window, "place_marker", "ground.there")
    settle(qtbot, 150)
    system = context.project.systems[0]
    at = context.computed.assembled(system)
    one, two = (at.system.motion(name, at.position) for name in ("ground.there", "part 2.marker"))
    assert two.position == pytest.approx(one.position) and two.axes == pytest.approx(one.axes, abs=1e-9)
    context.selection.select(SYSTEM)
    settle(qtbot)
    assert not window.menus.qt_actions["place_marker"].isEnabled()


def what_assembly_moves_can_be_placed_there(qtbot, window):
    """The finding on a part that assembly moves offers to place it so."""
    context = window.context
    words = {"kind": "spherical", "name": "ball", "first": "ground.origin", "second": "part 3.frame"}
    context.apply("Add", edits.add_constraint("system", words))
    settle(qtbot, 700)
    finding = next(f for f in context.findings if "changes the given position" in f.sentence)
    assert finding.remedy is not None
    context.apply(finding.remedy.label, edits.set_value(finding.remedy.path, finding.remedy.value))
    settle(qtbot, 700)
    assert not any("changes the given position" in f.sentence for f in context.findings)
    assert context.project.systems[0].parts[2].placement.position == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
