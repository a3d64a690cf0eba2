"""Limits of the colours without the highest hundredth of the values."""

import numpy as np
import pytest

from faying_app.shell.colour_limits import without_peaks
from faying_app.shell.export_dialog import shown_settings
from support.windows import settle, trigger


def test_the_largest_hundredth_of_what_is_not_zero_is_left_out():
    values = np.array([0.0] * 800 + [*range(1, 199), 5000.0, -9000.0, np.nan])
    left = without_peaks(values)
    assert left.max() == 198.0 and left.min() == 0.0 and len(left) == 998
    assert without_peaks(np.zeros(3)).tolist() == [0.0] * 3
    assert without_peaks(np.array([7.0])).tolist() == [7.0]


@pytest.mark.window
def test_the_view_spans_what_is_left_and_a_film_keeps_it(qtbot, results_window):
    window, context = results_window, results_window.context
    context.selection.select(("analyses", 1))
    settle(qtbot)
    box = window.time_bar.limits
    context.view.set(field="von_mises", limits="frame", frame=context.n_frames - 1)
    settle(qtbot, 100)
    whole = window.presenter.scene.content.frame.limits
    box.setCurrentIndex(box.findText("Limits: without highest 1 %"))
    box.activated.emit(box.currentIndex())
    settle(qtbot, 100)
    content = window.presenter.scene.content
    assert content.spanned == "without the highest 1 %"
    values = np.abs(content.frame.values[np.isfinite(content.frame.values)])
    assert content.frame.limits[1] == pytest.approx(without_peaks(values).max(), rel=1e-6)
    assert content.frame.limits[1] < whole[1]
    assert np.mean(values > content.frame.limits[1]) <= 0.011
    assert shown_settings(context, window.presenter).limits == content.frame.limits
    button = window.menus.qt_actions["limits_without_peaks"]
    assert button.isEnabled() and button.isChecked()
    for limits in ("run", "most"):
        trigger(qtbot, window, "limits_without_peaks")  # one click in the toolbar
        settle(qtbot, 100)
        assert context.view.values.limits == limits
        left_out = window.presenter.scene.content.spanned == "without the highest 1 %"
        assert left_out == (limits == "most")
        assert button.isChecked() == (limits == "most")
