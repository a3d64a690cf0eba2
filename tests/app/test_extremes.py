"""Largest and smallest value: marked in the view, named in the legend, and limits that stay while frames play."""

import math
from dataclasses import replace

import numpy as np
import pytest

from faying.exporters import ExportContent, ExportSettings
from faying.results.formula import find_field
from faying.results.frame_axes import frame_axis
from faying_app.scene.exported_field import film_limits
from faying_app.scene.film_timing import shots_of, swings
from faying_app.scene.frames import at_phase, limits_of, node_values, swing_limits
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


class Response:
    """One operating shape, whose largest values lie between the instant that is stored and the quarter after it."""

    axis, n_frames, warnings, values = frame_axis("frequency"), 1, (), np.array([50.0])

    def coordinates(self, frame):
        return np.array([0.2, 3.0, 0.5])

    def quadrature(self, frame):
        return np.array([-0.3, 8.0, 0.0])

    def displacement(self, frame):
        return None

    period = velocities = stresses = history = gap_and_slip = gap_offset = temperatures = lambda self, *_: (
        None
    )

    def label(self, frame):
        return "50 Hz"


@pytest.fixture
def response(plates):
    """Frames of that shape."""
    return replace(plates.modes, frames=Response())


def values_over_a_period(context, field, joint="", pairs=None):
    """Return what is shown at every degree."""
    return [
        node_values(field, at_phase(context, phase), pairs or {}, joint, 0, context.n_nodes)
        for phase in np.radians(range(360))
    ]


@pytest.mark.parametrize(
    ("kind", "missed"),
    [
        ("displacement_z", 1e-4),
        ("displacement", 1e-4),
        ("von_mises", 1e-4),
        ("signed_von_mises", 0.01),
        ("principal_stress_1", 0.01),
        ("principal_stress_3", 0.01),
        ("2 * displacement_z + 1", 0.01),
    ],
)
def test_an_operating_shape_stays_within_its_limits(response, kind, missed):
    """Its amplitude is between the phases that are stored: cos at zero, sin a quarter of a period later."""
    field = find_field(kind)
    low, high = swing_limits(response, {}, field, "", 0)
    each = values_over_a_period(response, field)
    lowest, highest = limits_of(field, np.concatenate(each))
    assert highest == pytest.approx(high, rel=missed) and lowest == pytest.approx(low, rel=missed)
    assert high > 1.2 * limits_of(field, each[0])[1]  # the instant that is stored is not the largest


def test_a_joint_field_of_an_operating_shape_has_limits_of_the_whole_period(plates, response):
    """A joint that opens in one half of the period closes in the other, and zero is no middle of its formulas."""
    field, pairs = find_field("larger(gap, 0) - 2 * smaller(gap, 0)"), {"joint": plates.pairs}
    each = np.array(values_over_a_period(response, field, "joint", pairs))
    low, high = swing_limits(response, pairs, field, "joint", 0)
    assert (low, high) == pytest.approx((0.0, np.nanmax(each)), rel=0.01)
    assert np.nanmax(each[:180]) != pytest.approx(np.nanmax(each[180:]), rel=0.1)


def test_a_principal_stress_of_a_mode_has_limits_of_both_sides(plates):
    """A mode that stretches the plates presses them together on the other side of its swing."""
    shapes = np.zeros_like(plates.body.displacements)
    shapes[::3] = 1e-3 * plates.model.nodes[:, :1]
    context = replace(plates.modes, body=replace(plates.body, displacements=shapes))
    for number in (1, 3):
        low, high = swing_limits(context, {}, find_field(f"principal_stress_{number}"), "", 0)
        assert high == -low and high > 210.0  # more than E times the strain: they keep their width


def test_a_film_of_a_shape_that_swings_has_limits_of_all_of_its_pictures(plates, response):
    content = ExportContent("response", "mm-t-s", plates.model, response, {}, {})
    settings, field = ExportSettings("displacement", (0,)), find_field("displacement")
    seen = max(
        node_values(field, at_phase(response, shot.phase), {}, "", 0, response.n_nodes).max()
        for shot in shots_of(content, settings)
    )
    for shown in (content, replace(content, context=plates.modes, beside=(content,))):
        _, high = film_limits(shown, settings, field, swings=swings(shown, settings))[0]
        assert seen <= high * 1.000001 and high < 1.02 * seen
