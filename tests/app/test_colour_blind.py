"""Colours as the colour-blind see them: order of the maps, states, surfaces and curves stay apart.

Simulation: Machado, Oliveira and Fernandes (2009), full severity, in linear light; distances in CIELAB (1976).
"""

import itertools

import numpy as np
import pytest
from PySide6.QtGui import QImage

from faying_app.look.icons import pixmap
from faying_app.look.theme import theme
from faying_app.scene.colours import DARK, LIGHT, Colouring, lookup_table, rgb

SIGHT = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = np.array([0.9505, 1.0, 1.089])


def seen(colours, sight):
    """Return CIELAB (n, 3) of colours (n, 3) from 0 to 1 as somebody sees them."""
    colours = np.asarray(colours, float)
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    xyz = np.clip(linear @ SIGHT[sight].T, 0.0, 1.0) @ _TO_XYZ.T / _WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.column_stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])])


def table_colours(kind):
    table, colour, found = lookup_table(Colouring(kind), LIGHT), [0.0, 0.0, 0.0], []
    low, high = table.GetRange()
    for value in np.linspace(low, high, 33):
        table.GetColor(float(value), colour)
        found.append(tuple(colour))
    return found


@pytest.mark.parametrize("sight", SIGHT)
def test_amounts_grow_lighter_for_everybody(sight):
    lightness = seen(table_colours("sequential"), sight)[:, 0]
    assert (np.diff(lightness) > 0.0).all() and np.ptp(lightness) > 60.0


@pytest.mark.parametrize("sight", SIGHT)
def test_signs_differ_for_everybody(sight):
    lab = seen(table_colours("diverging"), sight)
    assert np.linalg.norm(lab[0] - lab[-1]) > 40.0
    assert lab[16, 0] > lab[[0, -1], 0].max() + 15.0  # zero is lightest


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_states_and_surfaces_stay_apart(sight, look):
    for group, apart in ((look.states[:3], 30.0), ((look.master, look.slave), 20.0)):
        lab = seen([rgb(colour) for colour in group], sight)
        for a, b in itertools.combinations(lab, 2):
            assert np.linalg.norm(a - b) > apart, (group, sight)


def coverage(name):
    """Return (18, 18) how much of each pixel a sign covers, up to 255."""
    image = pixmap(name, 18).toImage().convertToFormat(QImage.Format.Format_Alpha8)
    flat = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return flat[:, : image.width()].astype(int)


def test_what_the_window_says_by_colour_it_says_by_shape_too(qapp):
    """Red, orange and green of signs come within 5 of each other for some: the signs themselves have to differ."""
    for group in (
        ("error", "warning", "note"),
        tuple(f"state_{kind}" for kind in ("ready", "stale", "failed", "missing", "partial", "blocked")),
    ):
        drawn = {name: coverage(name) for name in group}
        for a, b in itertools.combinations(group, 2):
            differing = np.abs(drawn[a] - drawn[b]) > 80
            assert differing.mean() > 0.04, (a, b, differing.mean())


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_curves_stay_apart(sight, name):
    lab = seen([rgb(theme(name)[f"curve_{i}"]) for i in range(1, 5)], sight)
    for a, b in itertools.combinations(lab, 2):
        assert np.linalg.norm(a - b) > 12.0
