"""The real main window for tests: small decks, waiting, dropping files, pictures."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QLineEdit

from faying.project import edits
from faying_app.forms.form import SpecForm
from support.plate_deck import write_plate_deck


def settle(qtbot, milliseconds=80):
    """Let queued events and zero timers run, and what follows from them."""
    qtbot.wait(milliseconds)
    # On a busy machine a zero timer and the end of the wait fall together: layouts that it wants are still queued then.
    for _ in range(3):
        QApplication.processEvents()


def wait_idle(qtbot, window, seconds=60):
    """Wait until nothing is computed any more, then for what follows from it."""
    qtbot.waitUntil(lambda: not window.runner.is_busy, timeout=1000 * seconds)
    settle(qtbot)


def wait_for_frames(qtbot, window, seconds=60):
    """Wait until the view shows frames, has made room for the time bar, and was drawn."""
    qtbot.waitUntil(
        lambda: window.context.n_frames > 0 and window.time_bar.isVisible(), timeout=1000 * seconds
    )
    settle(qtbot, 200)


def heights(window):
    """Return how the height of the window is shared out, for messages of tests."""
    docks = {
        kind: dock.height()
        for kind, dock in window.docks.docks.items()
        if not window.docks.panels[kind].visibleRegion().isEmpty()  # those behind keep an old size
    }
    bar = window.time_bar.height() if window.time_bar.isVisible() else 0
    return {"window": window.height(), "view": window.viewport.height(), "time bar": bar, **docks}


def move_pointer(widget, place):
    """Tell a widget that the pointer moved, no button held.

    qtbot.mouseMove would warp the screen's one pointer instead and hope that the window system tells of it: in time, to
    this widget, and even if the pointer was there before.
    """
    place, none = QPointF(place), Qt.MouseButton.NoButton
    QApplication.sendEvent(
        widget,
        QMouseEvent(
            QEvent.Type.MouseMove,
            place,
            widget.mapToGlobal(place),
            none,
            none,
            Qt.KeyboardModifier.NoModifier,
        ),
    )


def drop(window, path):
    """Drop a file on the window as a file manager does."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    copy = Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(50, 50), copy, mime, left, none)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), copy, mime, left, none))


def trigger(qtbot, window, kind):
    """Trigger an action as its menu entry does; it must be possible now."""
    settle(qtbot)
    action = window.menus.qt_actions[kind]
    assert action.isEnabled(), action.toolTip()
    action.trigger()


def choose(qtbot, window, kind, title):
    """Choose an entry of an action's submenu."""
    settle(qtbot)
    action = window.menus.qt_actions[kind]
    assert action.isEnabled(), action.toolTip()
    action.menu().aboutToShow.emit()
    entries = {entry.text(): entry for entry in action.menu().actions()}
    assert title in entries, list(entries)
    entries[title].trigger()


def plates_in(qtbot, window, folder: Path, *, joint=True, analysis=False):
    """Import the deck of the two plates; add a joint and a static analysis; return the deck's path."""
    deck = write_plate_deck(folder / "plates.inp")
    drop(window, deck)
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    window.units_question.take.click()
    context = window.context
    if joint:
        words = {
            "name": "lap",
            "master": {"kind": "deck_surface", "name": "LOWER"},
            "slave": {"kind": "deck_surface", "name": "UPPER"},
        }
        context.document.apply("Add joint", edits.add_joint("plates", words))
    if analysis:
        words = {
            "kind": "static", "name": "push", "body": "plates", "support": "hold",
            "loads": ({"interface": "tip", "force": (0.0, 0.0, -20.0)},),
        }  # fmt: skip
        context.document.apply(
            "Fewer modes", edits.set_value(("bodies", 0, "reduction", "vibration_modes"), 4)
        )
        few = {"kind": "weighted_pod", "count": 6}
        context.document.apply("Fewer joint modes", edits.set_value(("bodies", 0, "joint_modes"), few))
        context.document.apply("Add analysis", edits.add_analysis(words))
    settle(qtbot)
    return deck


def pixels(image: QImage) -> np.ndarray:
    """Return (height, width, 3) bytes of a picture."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    flat = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return flat[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()


def view_pixels(window) -> np.ndarray:
    """Return what the window shows where the 3D view is."""
    whole = window.grab()  # lays out what is still to be laid out, so the view is measured afterwards
    place = window.viewport.mapTo(window, window.viewport.rect().topLeft())
    size = window.viewport.size()
    ratio = whole.devicePixelRatio()
    part = whole.copy(
        round(place.x() * ratio), round(place.y() * ratio),
        round(size.width() * ratio), round(size.height() * ratio),
    )  # fmt: skip
    return pixels(part.toImage())


def type_in(qtbot, window, name, text, line=0):
    """Type into a line of a parameter in the form."""
    forms = window.docks.panels["properties"].findChildren(SpecForm)
    row = next(
        row for form in forms for row in form.all_rows() if row.path[-1] == name and row.editor.isVisible()
    )
    lines = [row.editor] if isinstance(row.editor, QLineEdit) else row.editor.findChildren(QLineEdit)
    line = lines[line]
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    line.editingFinished.emit()
    settle(qtbot)
