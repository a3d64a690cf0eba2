"""Nothing of a project outlives it in the window, whatever was shown, chosen, typed or played: every panel is walked.

A window in which much was done must look, after New, Open or Import, as one that has done nothing else: each field,
list, switch, text and curve of each panel and of the bars.
"""

import shutil

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QScrollBar,
    QSpinBox,
    QTreeView,
    QWidget,
)

from faying_app.panels import panels
from faying_app.plotting.view import PlotView
from faying_app.tasks import opening
from support.plate_deck import write_study
from support.windows import settle, trigger, wait_idle

pytestmark = pytest.mark.window


def rows_of(model: QAbstractItemModel | None, at: QModelIndex | None = None) -> list:
    """Return the texts and ticks of a model, as a tree."""
    if model is None:
        return []
    at = at or QModelIndex()
    try:
        columns = model.columnCount(at)
    except TypeError:  # a list has one, and hides the function
        columns = 1
    return [
        ([str(model.index(row, column, at).data()) for column in range(columns)],
         str(model.index(row, 0, at).data(Qt.ItemDataRole.CheckStateRole)),
         rows_of(model, model.index(row, 0, at)))
        for row in range(min(model.rowCount(at), 60))
    ]  # fmt: skip


def tick_all(view: QAbstractItemView) -> None:
    """Change the first ticks of a list."""
    model, ticked = view.model(), Qt.ItemDataRole.CheckStateRole
    for row in range(min(model.rowCount(), 6)):
        state = model.index(row, 0).data(ticked)
        if state is not None:
            other = Qt.CheckState.Unchecked if state else Qt.CheckState.Checked
            model.setData(model.index(row, 0), other, ticked)


def state_of(widget: QWidget) -> object:
    """Return what a widget shows and holds; None for those that hold nothing of their own."""
    if isinstance(widget, QScrollBar) or isinstance(widget.parent(), QLineEdit):
        return None
    if isinstance(widget, PlotView):
        return [0 if curve.getData()[0] is None else len(curve.getData()[0]) for curve in widget.curves]
    if isinstance(widget, (QLineEdit, QLabel)):
        return widget.text()
    if isinstance(widget, QComboBox):
        return widget.currentText(), [widget.itemText(i) for i in range(widget.count())]
    if isinstance(widget, (QSpinBox, QDoubleSpinBox, QAbstractSlider)):
        return widget.value(), widget.minimum(), widget.maximum()
    if isinstance(widget, QTreeView):
        unfolded = widget.model() is not None and [
            widget.isExpanded(widget.model().index(row, 0)) for row in range(widget.model().rowCount())
        ]
        return rows_of(widget.model()), unfolded
    if isinstance(widget, QAbstractItemView):
        return rows_of(widget.model())
    if isinstance(widget, QAbstractButton):
        return widget.text(), widget.isChecked()
    return None


def shown(window) -> dict[str, list]:
    """Return the state of every visible widget of every panel and bar, in order."""
    # What a window has computed is a log of the window, with durations.
    places = {**window.docks.panels, "time bar": window.time_bar, "view": window.viewport}
    del places["tasks"]
    found = {}
    for name, place in places.items():
        states = [
            (type(widget).__name__, widget.accessibleName() or widget.objectName(), state)
            for widget in place.findChildren(QWidget)
            if (state := state_of(widget)) is not None and widget.isVisibleTo(place)
        ]
        found[name] = [("has the deformation scale", str(window.presenter.scale)), *states]
    return found


def do_much(qtbot, window):
    """Look at each panel with results, touch all that can be touched, play."""
    context = window.context
    context.selection.select(("analyses", 2))
    settle(qtbot, 150)
    context.view.set(
        scale=321.0, field="displacement", frame=7, limits="user", highest=3.0, play_mode="swing"
    )
    for kind in panels:  # of the family: some are made when they are first shown
        context.selection.select(
            ("analyses", 2)
        )  # what was clicked in the panel before may be another entity
        window.show_panel(kind)
        panel = window.docks.panels[kind]
        settle(qtbot, 60)
        qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=30_000)
        settle(qtbot, 60)
        if kind in ("properties", "tasks", "history"):  # their fields are decisions
            continue
        for line in panel.findChildren(QLineEdit):
            if line.isVisible() and line.isEnabled():
                line.setText("e")
                line.textEdited.emit("e")
                line.editingFinished.emit()
        for box in panel.findChildren(QComboBox):
            if box.isVisible() and box.count() > 1:
                box.setCurrentIndex((box.currentIndex() + 1) % box.count())
                box.activated.emit(box.currentIndex())
        for button in panel.findChildren(QAbstractButton):
            if button.isVisible() and button.isCheckable() and button.isEnabled():
                button.click()
        for view in panel.findChildren(QAbstractItemView):
            if view.isVisible() and view.model() is not None and view.model().rowCount():
                view.selectAll()
                tick_all(view)
        settle(qtbot, 40)
    context.selection.select(("analyses", 2))
    settle(qtbot, 200)
    curves = window.docks.panels["curves"]
    window.show_panel("curves")
    curves.filter.setText("tip")
    window.show_panel("run")
    settle(qtbot, 60)
    assert curves._chosen and window.docks.panels["run"].views
    window.play("toggle")
    settle(qtbot, 200)


def new(qtbot, window, tmp_path, file):
    trigger(qtbot, window, "new_project")


def open_file(qtbot, window, tmp_path, file):
    """Open another project that has results, and look at the same analysis of it."""
    other = tmp_path / "other.faying"
    if not other.exists():
        shutil.copy(file, other)
        shutil.copy(file.with_name("plates.inp"), tmp_path)
    opening.open_project(window.context, other)
    wait_idle(qtbot, window)
    window.context.selection.select(("analyses", 2))
    settle(qtbot, 300)


def open_study(qtbot, window, tmp_path, file):
    opening.open_path(window.context, write_study(tmp_path))


SLOW = pytest.mark.slow  # half a minute in the window, and not what decides alone


@pytest.mark.parametrize(
    "leave", [new, pytest.param(open_file, marks=SLOW), pytest.param(open_study, marks=SLOW)]
)
def test_a_window_shows_no_more_of_the_former_project(qtbot, make_window, computed_file, tmp_path, leave):
    used = make_window()
    opening.open_project(used.context, computed_file)
    wait_idle(qtbot, used)
    do_much(qtbot, used)
    busy = shown(used)
    leave(qtbot, used, tmp_path, computed_file)
    fresh = make_window()
    leave(qtbot, fresh, tmp_path, computed_file)
    for window in (used, fresh):
        wait_idle(qtbot, window)
        qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=30_000)  # noqa: B023
        for kind in panels:
            window.show_panel(kind)
            settle(qtbot, 60)
        settle(qtbot, 300)
    found, wanted = shown(used), shown(fresh)
    assert found.keys() == wanted.keys()
    for name, own in found.items():
        more, less = [s for s in own if s not in wanted[name]], [s for s in wanted[name] if s not in own]
        assert own == wanted[name], f"{name}: {more}, and not {less}"
    untouched = [name for name, own in busy.items() if own == wanted[name]]
    assert set(untouched) <= {"history", "properties", "view"}, untouched
    assert used.context.view.values == fresh.context.view.values
