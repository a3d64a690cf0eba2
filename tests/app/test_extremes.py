"""Largest and smallest value: marked in the view, named in the legend, and limits that stay while frames play."""

import math

import numpy as np
import pytest

from faying.exporters import ExportContent
from faying.results.formula import find_field
from faying_app.scene.frames import evaluate_frame, limits_of, swing_limits
from faying_app.scene.number_texts import number_text
from faying_app.scene.picture import fill_scene, photographer
from faying_app.scene.visuals.extremes import extreme_nodes
from faying_app.scene.visuals.legend import legend_text

pytestmark = pytest.mark.window


@pytest.fixture(scope="module")
def camera(plates):
    """A photographer of the plates."""
    surfaces, pairs = {"joint": (plates.master, plates.slave)}, {"joint": plates.pairs}
    with photographer((640, 420)) as found:
        fill_scene(found.scene, ExportContent("run", "mm-t-s", plates.model, plates.run, surfaces, pairs))
        yield found


def test_both_are_marked_where_they_are_and_named_in_the_legend(camera, plates):
    scene = camera.scene
    scene.set_frames(plates.run, {"joint": plates.pairs})
    scene.show_frame(9, field="von_mises", scale=1.0)
    scene.view("iso")
    camera.take()
    frame, marks = scene.content.frame, scene.visuals["extremes"]
    found = dict(extreme_nodes(scene.content))
    assert frame.values[found["max"]] == pytest.approx(np.nanmax(frame.values))
    texts = [label.GetInput() for label in marks.labels if label.GetVisibility()]
    (told,) = (text for text in texts if text.startswith("max"))
    value = f"max {number_text(float(np.nanmax(frame.values)))}"
    sight = marks.sights[[name for name, _ in marks.nodes].index("max")]
    assert told == (f"{value} ({sight})" if sight else value)
    spot = scene.pixels(frame.positions[[found["max"]]])[0]
    label = next(label for label in marks.labels if label.GetInput().startswith("max"))
    assert np.linalg.norm(np.array(label.GetPosition()) - spot) < 120
    said = legend_text(scene.content, scene.theme).remark
    assert (
        f"max {number_text(float(np.nanmax(frame.values)))}  node {plates.model.node_ids[found['max']]}"
        in said
    )
    # The zero of many open pairs is at no place; states have no extremes; both can be switched off.
    scene.show_frame(9, field="pressure")
    camera.take()
    assert "min" not in dict(extreme_nodes(scene.content))
    scene.show_frame(9, field="status")
    assert extreme_nodes(scene.content) == []
    scene.set_visible("extremes", False)
    scene.show_frame(9, field="von_mises")
    camera.take()
    assert not any(label.GetVisibility() for label in marks.labels)
    scene.set_visible("extremes", True)


def test_a_mode_is_told_as_a_share_and_its_colours_stay_while_it_swings(camera, plates):
    scene = camera.scene
    scene.set_frames(plates.modes, {"joint": plates.pairs})
    for kind, ends in (("displacement", (0.0, 1.0)), ("displacement_z", (-1.0, 1.0))):
        limits = swing_limits(plates.modes, {}, find_field(kind), "", 1)
        for phase in (0.0, 0.4 * math.pi, math.pi):
            scene.show_frame(1, field=kind, limits=limits, phase=phase, spanned="share of the largest")
            said = legend_text(scene.content, scene.theme)
            assert said.scale.colouring.limits == pytest.approx(ends)
            assert "[relative]" in said.title and "share of the largest" in said.remark
    scene.set_frames(plates.run, {"joint": plates.pairs})


def test_an_operating_shape_stays_within_its_limits(plates):
    """Its amplitude is between the phases that are stored: cos at zero, sin a quarter of a period later."""

    class Response:
        axis, n_frames, doubts, values = "frequency", 1, (), np.array([50.0])

        def coordinates(self, frame):
            return np.array([0.0, 3.0, 0.0])

        def quadrature(self, frame):
            return np.array([0.0, 4.0, 0.0])

        def displacement(self, frame):
            return None

        velocities = history = gap_and_slip = gap_offset = temperatures = lambda self, *_: None

        def label(self, frame):
            return "50 Hz"

    from dataclasses import replace

    context = replace(plates.modes, frames=Response())
    field = find_field("displacement_z")
    low, high = swing_limits(context, {}, field, "", 0)
    seen = [
        limits_of(field, evaluate_frame(context, {}, plates.model.nodes, 0, field=field, phase=phase).values)[
            1
        ]
        for phase in np.linspace(0.0, 2 * np.pi, 24)
    ]
    assert max(seen) <= high * 1.09 and low == -high
    assert high > 1.2 * seen[0]  # the instant that is stored is not the largest
