"""Colours of results: open places stay plain, red is more, and the user's maps, bands, logarithm and background."""

from dataclasses import replace

import numpy as np
import pytest

from faying.exporters import ExportContent
from faying.results.formula import find_field
from faying_app.scene.colours import DARK, LIGHT, ColourStyle, colouring_of, lookup_table, rgb, rgb_bytes
from faying_app.scene.content import DisplayOptions
from faying_app.scene.picture import fill_scene, photographer
from faying_app.scene.visuals.isolines import levels_of
from faying_app.scene.visuals.legend import legend_text

pytestmark = pytest.mark.window


def colour(table, value):
    found = [0.0, 0.0, 0.0]
    table.GetColor(float(value), found)
    return np.array(found)


def table_of(kind, limits, **style):
    return lookup_table(colouring_of(find_field(kind), limits, ColourStyle(**style)), LIGHT)


def test_open_places_have_the_colour_of_the_body_and_the_map_begins_with_contact():
    for kind in ("pressure", "friction_stress", "penetration", "maximum(pressure)"):
        table = table_of(kind, (0.0, 10.0))
        np.testing.assert_allclose(colour(table, 0.0), rgb(LIGHT.body), atol=0.01)
        assert np.abs(colour(table, 0.06) - rgb(LIGHT.body)).max() > 0.2, kind
    # Amounts that are not those of contact, and limits that leave zero out, have no such step.
    for table in (table_of("displacement", (0.0, 10.0)), table_of("pressure", (2.0, 10.0))):
        assert np.abs(colour(table, 2.0) - rgb(LIGHT.body)).max() > 0.2


def test_red_is_more_and_a_switch_turns_gaps():
    high, low = (
        colour(table_of("stress_xx", (-5.0, 5.0)), 5.0),
        colour(table_of("stress_xx", (-5.0, 5.0)), -5.0),
    )
    assert high[0] > 0.6 > 0.4 > high[2] and low[2] > 0.6 > 0.4 > low[0]
    gap, turned = table_of("gap", (-5.0, 5.0)), table_of("gap", (-5.0, 5.0), gaps_reversed=True)
    np.testing.assert_allclose(colour(gap, 5.0), high)
    np.testing.assert_allclose(colour(turned, 5.0), low, atol=0.01)
    np.testing.assert_allclose(colour(table_of("stress_xx", (-5.0, 5.0), gaps_reversed=True), 5.0), high)
    both = table_of("gap", (-5.0, 5.0), gaps_reversed=True, is_reversed=True)
    np.testing.assert_allclose(colour(both, 5.0), high)


def test_maps_bands_and_logarithm():
    plain, other = (
        table_of("displacement", (0.0, 8.0)),
        table_of("displacement", (0.0, 8.0), sequential="inferno"),
    )
    assert np.abs(colour(plain, 4.0) - colour(other, 4.0)).max() > 0.2
    unknown = table_of("displacement", (0.0, 8.0), sequential="of another program")
    np.testing.assert_allclose(colour(unknown, 4.0), colour(plain, 4.0))
    banded = table_of("displacement", (0.0, 8.0), bands=4)
    assert len({tuple(colour(banded, v)) for v in np.linspace(0.0, 8.0, 101)}) == 4
    np.testing.assert_allclose(colour(banded, 0.1), colour(banded, 1.9))
    # A decade of four is a quarter of the map.
    decades = table_of("displacement", (0.0, 8.0), logarithmic=True)
    np.testing.assert_allclose(colour(decades, 0.08), colour(plain, 4.0), atol=0.02)
    np.testing.assert_allclose(colour(decades, 0.0), colour(plain, 0.0), atol=0.02)


@pytest.fixture(scope="module")
def camera(plates):
    """A photographer of the plates in frame 9 of their run."""
    surfaces, pairs = {"joint": (plates.master, plates.slave)}, {"joint": plates.pairs}
    with photographer((640, 420)) as found:
        fill_scene(found.scene, ExportContent("run", "mm-t-s", plates.model, plates.run, surfaces, pairs))
        found.scene.show_frame(9, field="pressure", scale=1.0)
        found.scene.view("+z")
        yield found


def look(camera, field, **changes):
    camera.scene.change(display=replace(DisplayOptions(), **changes))
    camera.scene.show_frame(9, field=field, scale=1.0)
    return camera.take().astype(float)


def share(picture, wanted, within=10):
    return float((np.abs(picture - rgb_bytes(wanted)).max(axis=2) < within).mean())


def test_the_legend_names_what_is_open_and_its_numbers_fit_the_map(camera):
    scene = camera.scene
    scene.change(body_style="hidden")
    picture = look(camera, "pressure")
    scene.change(body_style="auto")
    values = scene.content.frame.values
    assert (values == 0.0).any() and (values > 0.0).any()  # closed in places, open in others
    assert share(picture, LIGHT.body) > 0.01
    said = legend_text(scene.content, scene.theme)
    assert (LIGHT.body, "open") in said.entries
    assert "open" not in {name for _, name in _entries(camera, "displacement")}
    # Numbers of bands are their ends; those of decades are powers of ten, at equal distances.
    look(camera, "displacement", style=ColourStyle(bands=5))
    scale = legend_text(scene.content, scene.theme).scale
    low, high = scale.colouring.limits
    np.testing.assert_allclose(scale.numbers, np.linspace(low, high, 6))
    look(camera, "displacement", style=ColourStyle(logarithmic=True))
    scale = legend_text(scene.content, scene.theme).scale
    np.testing.assert_allclose(scale.numbers[1:] / scale.numbers[:-1], 10.0)
    assert np.ptp(np.diff(scale.colouring.shares(scale.numbers))) < 1e-9


def _entries(camera, field):
    look(camera, field)
    return legend_text(camera.scene.content, camera.scene.theme).entries


def test_lines_of_equal_value_have_numbers(camera):
    scene = camera.scene
    look(camera, "displacement", isolines=5)
    frame, isolines = scene.content.frame, scene.visuals["isolines"]
    expected = levels_of(scene.content)
    steps = np.diff(expected)
    assert 3 <= len(expected) <= 7 and steps == pytest.approx(steps[0])
    assert (np.abs(expected / steps[0] - np.round(expected / steps[0])) < 1e-6).all()  # of a round step
    assert f"{steps[0] * 10.0 ** -np.floor(np.log10(steps[0])):.2g}" in ("1", "2", "2.5", "5")
    assert frame.limits[0] < expected.min() and expected.max() < frame.limits[1]
    written = [float(label.GetInput()) for label in isolines.labels if label.GetVisibility()]
    assert len(written) >= 3
    assert len(set(written)) == len(written)  # one number for each value
    for number in written:
        assert np.abs(expected - number).min() < 0.01 * frame.limits[1]
    # Each number stands on its line.
    label = next(label for label in isolines.labels if label.GetVisibility())
    near = scene.pixels(scene.content.positions[scene.content.skin.nodes])
    row = np.linalg.norm(near - label.GetPosition(), axis=1).argsort()[:4]
    around = frame.values[scene.content.skin.nodes[row]]
    assert np.abs(around - float(label.GetInput())).min() < 0.08 * frame.limits[1]
    look(camera, "displacement")
    assert not any(label.GetVisibility() for label in isolines.labels)


def test_background_and_opacity(camera):
    scene = camera.scene
    scene.set_visible("legend", False)
    scene.apply_theme(dark=True)
    white = look(camera, "displacement", background="white")
    assert scene.theme.text == LIGHT.text and (white[0] == 255).all() and (white[-1] == 255).all()
    black = look(camera, "displacement", background="black")
    assert scene.theme.text == DARK.text and (black[0] == 0).all()
    own = look(camera, "displacement")
    assert scene.theme == DARK and not (own[0] == own[-1]).all()
    scene.change(body_style="solid")
    solid = look(camera, "displacement", background="white")
    faint = look(camera, "displacement", background="white", opacity=0.3)
    assert faint.mean() > solid.mean() + 3.0
    scene.apply_theme(dark=False)
    scene.change(body_style="auto")
    scene.set_visible("legend", True)
