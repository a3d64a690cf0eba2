"""Continuing the curve of a harmonic balance, in the real window with its worker."""

import pytest

from faying_app.actions import actions
from faying_app.tasks import opening
from support.windows import choose, settle, trigger, wait_idle

pytestmark = pytest.mark.window


@pytest.mark.slow  # seconds in the window; the analysis has tests of its own
def test_the_three_ways_add_an_analysis_and_run_it(qtbot, window):
    opening.open_example(window.context, "jenkins-oscillator")
    wait_idle(qtbot, window)
    context = window.context
    names = [analysis.name for analysis in context.project.analyses]
    place = ("analyses", names.index("swept"))
    context.selection.select(place)
    settle(qtbot)
    assert "has no curve yet" in actions["continue_curve"]().why_disabled(context)
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=300)
    first = context.project.analysis("swept")
    for title, way in (
        ("Go on past the end", "on"),
        ("The other way, from the first point", "back"),
        ("Finer here, from point 3 on", "on"),
    ):
        context.selection.select(place)
        context.view.set(frame=3)
        settle(qtbot)
        choose(qtbot, window, "continue_curve", title)
        wait_idle(qtbot, window, seconds=300)
        made = context.project.analyses[-1]
        assert (made.kind, made.start_from, made.way) == ("harmonic_balance", "swept", way)
        results = context.computed.results(made.name)
        assert results is not None and results.complete and results.n_frames > 1
        if "Finer" in title:
            assert (made.start_frame, made.finer) == (3, 4.0)
        else:
            ranges = [(each.lowest_frequency, each.highest_frequency) for each in (made, first)]
            assert ranges[0] != ranges[1]
