"""Formulas and extremes over the run, chosen in the real window and found by its worker."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox

from faying.results.fields import fields
from faying_app.view_state import Probe
from support.windows import settle

pytestmark = pytest.mark.window


def choose(box, value):
    """Choose an entry of a list as a click does."""
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def wait_answered(qtbot, window):
    failures = []
    window.questions.failed.connect(failures.append)
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=60000)
    settle(qtbot)
    assert not failures, failures


def shown_values(window):
    frame = window.presenter.scene.content.frame
    return frame.field, frame.values


def test_extremes_over_the_run_come_from_the_worker(qtbot, results_window):
    window, bar = results_window, results_window.time_bar
    choose(bar.field, "von_mises")
    assert bar.over_run.isVisible()
    choose(bar.over_run, "maximum")
    assert window.questions.is_busy and bar.waiting.isVisible()
    wait_answered(qtbot, window)
    assert not bar.waiting.isVisible()
    field, values = shown_values(window)
    assert field.title == "Maximum of von Mises stress"
    context = window.presenter.field_context
    each = [fields["von_mises"]().evaluate(context, "", i) for i in range(41)]
    np.testing.assert_allclose(values, np.max(each, axis=0), rtol=1e-12)
    # All others follow at once.
    for name in ("mean", "range", "time_of_maximum"):
        choose(bar.over_run, name)
        assert not window.questions.is_busy
    times = window.presenter.frames.values
    np.testing.assert_array_equal(
        shown_values(window)[1], np.where(np.isnan(each[0]), np.nan, times[np.argmax(each, axis=0)])
    )
    assert window.presenter.scene.content.field_unit[0] == "s" and window.context.shown_quantity == "time"
    # The limits of the run are exact, need nothing more, and are what is taken without a choice.
    choose(bar.over_run, "")
    assert bar.limits.currentData() == "run"
    assert not window.questions.is_busy
    limits = window.presenter.scene.content.frame.limits
    assert limits == (0.0, pytest.approx(np.nanmax(each)))


def test_own_limits_are_typed_in_the_unit_of_the_legend(qtbot, results_window):
    window, bar, view = results_window, results_window.time_bar, results_window.context.view
    said = []
    window.context.said.connect(said.append)
    view.set(field="von_mises", limits="user", lowest=0.0, highest=2.0, units={"stress": "kPa"})
    settle(qtbot)

    def shown():
        return bar.lowest.text(), bar.highest.text()

    def type_limits(low, high):
        bar.lowest.setText(low)
        bar.highest.setText(high)
        bar.highest.editingFinished.emit()
        settle(qtbot)
        return view.values.lowest, view.values.highest

    assert shown() == ("0", "2000")
    assert type_limits("100", "2500,5") == pytest.approx((0.1, 2.5005))
    assert window.presenter.scene.content.frame.limits == pytest.approx((0.1, 2.5005))
    for low, high in (("-inf", "5"), ("0", "inf"), ("nan", "5"), ("0", "1e999"), ("low", "5")):
        said.clear()
        assert type_limits(low, high) == pytest.approx((0.1, 2.5005))
        assert "have to be numbers" in said[-1]
    view.set(units={})
    settle(qtbot)
    assert shown() == ("0.1", "2.5005")
    # Leaving a line changes nothing that was not typed.
    view.set(lowest=1.0 / 3.0, highest=123.456789)
    settle(qtbot)
    bar.lowest.editingFinished.emit()
    assert (view.values.lowest, view.values.highest) == (1.0 / 3.0, 123.456789)


def test_a_deformation_scale_is_a_finite_number(qtbot, results_window):
    bar, view, said = results_window.time_bar, results_window.context.view, []
    results_window.context.said.connect(said.append)
    wrong = ("inf", "nan", "1e999", "large")
    for typed, scale in (("2,5", 2.5), *((text, 2.5) for text in wrong), ("auto", None)):
        bar.scale.setText(typed)
        bar.scale.editingFinished.emit()
        settle(qtbot)
        assert view.values.scale == scale
    refused = [sentence for sentence in said if "is no deformation scale" in sentence]
    assert [sentence.split("'")[1] for sentence in refused] == list(wrong)


def test_a_formula_is_checked_while_it_is_typed_and_offered_later(qtbot, results_window):
    window, bar = results_window, results_window.time_bar
    choose(bar.field, "formula …")
    dialog = bar.formula
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    dialog.line.setText("presure * 2")
    assert not ok.isEnabled() and "no field called 'presure'" in dialog.verdict.text()
    dialog.line.setText("pressure / (1 + maximum(pressure))")
    assert ok.isEnabled() and dialog.verdict.text() == "A value per contact pair."
    ok.click()
    wait_answered(qtbot, window)
    field, values = shown_values(window)
    assert field.text == "pressure / (1 + maximum(pressure))"
    assert values.shape == (302,)
    largest = 0.0
    for frame in range(0, 41, 4):
        window.context.view.set(frame=frame)
        largest = max(largest, float(np.nanmax(shown_values(window)[1])))
    assert 0.0 < largest < 1.0
    assert bar.field.currentText() == field.text
    choose(bar.field, "pressure")
    choose(bar.field, field.text)
    assert window.presenter.field == field.text
    # The pairs' table shows the formula too, and the view state keeps it.
    assert set(window.context.shown_values) == {"lap"}
    assert field.text in window.context.view.write()


def test_a_probe_on_an_extreme_takes_the_field_over_time_and_marks_its_maximum(qtbot, results_window):
    window, bar = results_window, results_window.time_bar
    context = window.context
    window.show_panel("curves")
    choose(bar.field, "von_mises")
    choose(bar.over_run, "maximum")
    wait_answered(qtbot, window)
    values = shown_values(window)[1]
    row = int(np.nanargmax(values))
    node = int(window.presenter.scene.content.model.node_ids[row])
    context.view.set(probes=(Probe(subject="plates", node=node),))
    wait_answered(qtbot, window)
    plot = window.docks.panels["curves"].plot
    drawn = next(series for series in plot.plot.series if "at node" in series.name)
    assert drawn.name.startswith("Von Mises stress at node")
    assert np.ptp(drawn.y) > 0.1 * drawn.y.max()  # over time, no horizontal line
    assert plot.marked == [(pytest.approx(drawn.x[np.argmax(drawn.y)]), pytest.approx(np.nanmax(values)))]
    # A status is told by its word in the table of pairs; the largest pressure stands out there.
    table = window.docks.panels["pairs"].model
    context.view.set(over_run="", field="status", probes=())
    settle(qtbot)
    last = table.columnCount() - 2
    words = {table.index(i, last).data() for i in range(table.rowCount())} - {""}
    assert words and words <= set(fields["status"].states)
    context.view.set(field="pressure", frame=20)
    settle(qtbot)
    known = context.shown_values["lap"]
    bold = [i for i in range(table.rowCount()) if table.index(i, last).data(Qt.ItemDataRole.FontRole)]
    assert [table.pair_of(i) for i in bold] == np.flatnonzero(known == known.max()).tolist()
    assert "Joint" not in window.docks.panels["pairs"]._summary.text()


def test_safety_factors_follow_the_strengths(qtbot, results_window):
    window, bar = results_window, results_window.time_bar
    choose(bar.field, "fatigue_safety")
    wait_answered(qtbot, window)
    field, values = shown_values(window)
    assert field.title.startswith("Safety factor") and 0.0 < np.nanmin(values) <= 15.0


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_giving_up_leaves_the_window_as_it_was(qtbot, results_window, warm_workers):
    window, bar = results_window, results_window.time_bar
    window.context.view.set(limits="frame")
    wait_answered(qtbot, window)
    window.questions._worker.close()
    warm_workers.end_all()  # one that has to be started gives time to give up
    choose(bar.field, "principal_stress_1")
    choose(bar.over_run, "maximum")
    bar.waiting.stop.click()
    wait_answered(qtbot, window)
    assert shown_values(window)[0] is None  # nothing is shown that was not computed
    window.context.view.set(frame=3)
    settle(qtbot)
    assert not window.questions.is_busy  # and it is not asked again by itself
    choose(bar.over_run, "")
    assert shown_values(window)[0].text == "principal_stress_1"


def test_the_list_offers_the_fields_that_can_exist_and_names_what_the_others_need(qtbot, results_window):
    presenter, bar = results_window.presenter, results_window.time_bar
    # In groups under headings that cannot be chosen, and found by a part of the name.
    texts = [bar.field.itemText(i) for i in range(bar.field.count())]
    headings = [text for i, text in enumerate(texts) if bar.field.itemData(i) is None]
    assert headings == ["Joint", "Motion", "Stress", "Strain", "Durability", "Other"]
    assert texts.index("Displacement") < texts.index("Displacement Uy") < texts.index("Rotation Rx")
    assert not any(bar.field.model().item(texts.index(text)).isEnabled() for text in headings)
    line = bar.field.lineEdit()
    bar.field.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "ment uz")
    search = bar.field.completer()
    assert [search.completionModel().index(i, 0).data() for i in range(search.completionCount())] == [
        "Displacement Uz"
    ]
    search.popup().hide()
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert presenter.field == "displacement_z"
    frame = presenter.scene.content.frame
    np.testing.assert_array_equal(frame.values, presenter.field_context.displacement(frame.number)[:, 2])
    bar.field.setEditText("nothing of that name")
    line.editingFinished.emit()
    assert bar.field.currentText() == "Displacement Uz" and presenter.field == "displacement_z"
    whole = presenter.field_context
    lacking = replace(whole, friction_laws={}, strengths=())
    for context in (whole, lacking):
        presenter.scene.change(context=context)
        bar.refresh()
        at = {kind: bar.field.findData(kind) for kind in fields}
        offered = {kind: bar.field.model().item(row) for kind, row in at.items() if row >= 0}
        refused = {kind for kind in fields if fields[kind]().refusal(context) is not None}
        greyed = {kind for kind, item in offered.items() if not item.isEnabled()}
        assert greyed | (set(fields) - set(offered)) == refused
        assert all(bool(item.toolTip()) == (kind in refused) for kind, item in offered.items())
    # What no step adds to these frames is not offered; what a decision adds says so.
    assert not {"slip", "wear", "friction_stress"} & set(offered)
    assert {"pressure", "von_mises", "velocity"} <= set(offered) - greyed
    assert "strength" in offered["yield_safety"].toolTip()


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_where_a_maximum_is_reached_under_a_load_has_no_unit_of_time(qtbot, results_window):
    window, bar = results_window, results_window.time_bar
    window.context.selection.select(("analyses", 0))
    settle(qtbot, 150)
    choose(bar.field, "gap")
    choose(bar.over_run, "time_of_maximum")
    wait_answered(qtbot, window)
    assert shown_values(window)[0].title == "Time of maximum of gap"
    assert window.presenter.scene.content.field_unit == ("", 1.0)
    assert window.context.shown_field == "time_of_maximum(gap)" and window.context.shown_quantity == ""
