"""Pictures of the views of results, light and dark, small and large; to be looked at in build/screenshots."""

import numpy as np
import pytest

from faying_app.view_state import Probe, SectionValues
from support.pictures import LOOKS
from support.windows import settle

pytestmark = pytest.mark.window

VIEWS = {
    "9-section": (
        {"field": "von_mises", "sections": (SectionValues(axis="y"),), "isolines": 6, "frame": 12},
        "display",
    ),
    "9-book": ({"field": "pressure", "opened": 180.0, "frame": 2, "units": {"stress": "MPa"}}, "display"),
    "9-probes": ({"field": "von_mises", "frame": 12}, "curves"),
}
PLAIN_DISPLAY = {"sections": (), "isolines": 0, "opened": 0.0, "units": {}, "probes": ()}


@pytest.mark.slow  # pictures for people to look at
def test_every_view_looks_right(qtbot, results_window, shoot):
    window, pictures = results_window, {}
    model = window.presenter.scene.content.model
    places = ([20.0, 5.0, 2.0], [36.0, 2.0, 2.0], [4.0, 5.0, 2.0])
    rows = [int(np.linalg.norm(model.nodes - place, axis=1).argmin()) for place in places]
    probes = tuple(Probe(subject="plates", node=int(number)) for number in model.node_ids[rows])
    for theme, size in LOOKS:
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 200)
        window.docks.arrange()
        settle(qtbot, 100)
        for name, (view, panel) in VIEWS.items():
            window.context.selection.select(("analyses", 0 if name == "9-book" else 2))
            settle(qtbot)
            window.context.view.set(**{**PLAIN_DISPLAY, **view})
            if name == "9-probes":
                window.context.view.set(probes=probes)
            window.show_panel(panel)
            window.context.view.turn("+z" if name == "9-book" else "iso")
            qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=30000)
            pictures[name, theme, size] = shoot(window, name, theme, size)
    for theme, size in LOOKS:
        section, book = pictures["9-section", theme, size], pictures["9-book", theme, size]
        height, width = np.minimum(section.shape, book.shape)[:2]
        assert np.abs(section[:height, :width] - book[:height, :width]).mean() > 1.0
