"""Another mesh of the same part: what it keeps is told before it is taken, and one undo brings the old one back."""

import pytest
from PySide6.QtWidgets import QLabel

from faying.testing.plates import write_plate_deck
from faying_app.actions.take_mesh import NewMeshDialog, compare_mesh
from support.windows import plates_in, settle, wait_idle

pytestmark = pytest.mark.window


def dialog_for(qtbot, window, path):
    window.context.selection.select(("bodies", 0))
    compare_mesh(window.context, path)
    qtbot.waitUntil(lambda: bool(window.findChildren(NewMeshDialog)), timeout=20000)
    (dialog,) = window.findChildren(NewMeshDialog)
    rows = [dialog.table.topLevelItem(i) for i in range(dialog.table.topLevelItemCount())]
    return dialog, {row.text(0): row.text(1) for row in rows}


def test_what_a_mesh_keeps_is_told_and_then_it_is_taken(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    fine = write_plate_deck(tmp_path / "fine.inp", divisions=7)
    before = window.context.computed.model("plates")
    dialog, rows = dialog_for(qtbot, window, fine)
    assert rows["Joints 'lap': master surface"] == "kept" and "changed" not in rows.values()
    dialog.accept()
    wait_idle(qtbot, window)
    body = window.context.project.bodies[0]
    assert body.model.path == str(fine) and body.model.digest
    assert len(window.context.computed.model("plates").nodes) != len(before.nodes)
    window.context.document.undo()
    assert window.context.project.bodies[0].model.path.endswith("plates.inp")


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_what_it_lacks_comes_first_and_nothing_changes_when_it_is_not_taken(
    qtbot, window, tmp_path, screenshots
):
    plates_in(qtbot, window, tmp_path)
    other = write_plate_deck(tmp_path / "other.inp", divisions=7)
    other.write_text(other.read_text().replace("LOWER", "BELOW").replace("NSET=TIP\n", "NSET=END\n"))
    dialog, rows = dialog_for(qtbot, window, other)
    assert next(iter(rows.values())).startswith("lost") and rows["Joints 'lap': master surface"].startswith(
        "lost"
    )
    for theme in ("dark", "light"):
        window.choose_theme(theme)
        settle(qtbot, 200)
        assert dialog.grab().save(str(screenshots / f"take-mesh-{theme}.png"))
    project = window.context.project
    dialog.reject()
    settle(qtbot)
    assert window.context.project is project and not window.findChildren(NewMeshDialog)


def test_what_is_to_be_computed_again_is_told(qtbot, window, tmp_path, screenshots):
    plates_in(qtbot, window, tmp_path, analysis=True)
    fine = write_plate_deck(tmp_path / "fine.inp", divisions=7)
    dialog, _ = dialog_for(qtbot, window, fine)
    told = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "To be computed again: push; results so far stay" in told
    settle(qtbot, 200)
    assert dialog.grab().save(str(screenshots / "take-mesh-stale.png"))
    dialog.reject()


def test_a_deck_that_cannot_be_read_is_a_sentence(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    (tmp_path / "none.inp").write_text("*NODE\n1, 0, 0\nnonsense\n")
    window.context.selection.select(("bodies", 0))
    compare_mesh(window.context, tmp_path / "none.inp")
    qtbot.waitUntil(lambda: "none.inp, line" in window.statusBar().currentMessage(), timeout=20000)
    assert not window.findChildren(NewMeshDialog)
