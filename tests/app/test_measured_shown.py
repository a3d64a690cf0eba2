"""Measured points and periodic motions in the real window: laid over a backbone; a clicked point plays its period."""

import numpy as np
import pytest

from faying.joints.fourier import FourierBasis
from faying.results.results import swings
from faying_app.scene.swung_frames import SwungFrames
from faying_app.tasks import opening
from support.squeezed_plates import SqueezedPlates
from support.windows import settle, trigger, wait_for_frames, wait_idle

MODE = {
    "kind": "nonlinear_mode", "support": "hold", "preloads": ["squeeze"], "harmonics": 3, "points": 4,
    "smallest_amplitude": 3e-3, "largest_amplitude": 2e-2, "point": "tip", "direction": "z",
}  # fmt: skip
POINTS = "amplitude [um],frequency [Hz],damping [%]\n3,2140,0.1\n6,2050,4\n20,1600,18\n"


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    return SqueezedPlates(tmp_path_factory.mktemp("plates"))


def test_a_periodic_motion_is_the_sum_of_its_harmonics(plates):
    results = plates.solved(MODE).results
    assert swings(results) and not results.axis.swings
    period = results.period(2)
    samples = FourierBasis(len(period) // 2, 64).values @ period
    # It begins with the state that is stored, and passes all samples.
    np.testing.assert_allclose(SwungFrames(results, 0.0).coordinates(2), results.coordinates(2), atol=1e-12)
    for k in (1, 20, 50):
        swung = SwungFrames(results, 2.0 * np.pi * k / 64)
        np.testing.assert_allclose(swung.coordinates(2), samples[k], atol=1e-12)
        assert swung.history("lap", 2) is None  # that of another instant
    assert np.abs(period[5:]).max() > 0.0


@pytest.mark.window
def test_points_lie_over_a_backbone_and_a_clicked_one_plays_its_period(qtbot, window, plates, tmp_path):
    plates.solved(MODE)  # writes the deck and knows the project
    (plates.folder / "points.csv").write_text(POINTS)
    words = plates.project.model_dump(mode="json")
    words["analyses"] = [
        {**MODE, "name": "mode", "body": "plates"},
        {"kind": "measured", "name": "hammer", "body": "plates", "file": str(plates.folder / "points.csv")},
    ]
    import faying

    path = tmp_path / "plates.faying"
    faying.build(tmp_path / "artifacts", **words).save(path)
    context = window.context
    opening.open_path(context, path)
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    for number in (1, 0):
        context.selection.select(("analyses", number))
        settle(qtbot)
        trigger(qtbot, window, "run_analysis")
        wait_idle(qtbot, window, seconds=240)
        assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    wait_for_frames(qtbot, window)
    window.show_panel("curves")
    settle(qtbot, 300)
    panel = window.docks.panels["curves"]
    names = [series.name for series in panel.plot.plot.series]
    assert {
        "natural frequency",
        "damping ratio",
        "hammer: natural frequency",
        "hammer: damping ratio",
    } <= set(names)
    # Points of the test are no frames; a point of the backbone is, and plays over its period.
    series = panel.plot.plot.series[names.index("natural frequency")]
    assert panel.plot.value_at(*panel.plot.places_of(series)[2]) == (names.index("natural frequency"), 2)
    panel.plot.value_clicked.emit(names.index("hammer: natural frequency"), 1)
    assert not context.view.playing
    panel.plot.value_clicked.emit(names.index("natural frequency"), 2)
    assert context.view.values.frame == 2 and context.view.playing and window.player.swings
    qtbot.waitUntil(lambda: window.presenter.phase > 0.0, timeout=10000)
    context.view.set_playing(False)
    # They are switched off, and on again, by the button.
    (action,) = [a for a in panel.laid_over.menu().actions() if a.text() == "hammer"]
    assert action.isChecked()
    action.trigger()
    settle(qtbot)
    assert not any(series.name.startswith("hammer") for series in panel.plot.plot.series)
