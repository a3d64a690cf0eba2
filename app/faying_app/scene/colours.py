"""Colours, said once: the two themes and the colour maps, all of them safe for the colour-blind.

Single colours are those of Okabe and Ito (2008), maps are viridis (van der Walt, Smith 2015) for amounts and
Moreland's cool-warm (2009), neutral at zero and red for more, for signed values; the user may choose others.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from vtkmodules.vtkCommonCore import vtkLookupTable

from faying.results.fields import Field
from faying_app.look.colour_maps import MAPS

_N_COLOURS = 256
_DECADES = 4.0  # of a logarithmic map whose limits reach down to zero


@dataclass(frozen=True)
class ColourStyle:
    """How values become colours, as the user wants it.

    Attributes:
        sequential, diverging: names of the maps for amounts and for signed values; "" for the usual one.
        is_reversed: runs through the maps the other way.
        gaps_reversed: does so for fields whose small values are the severe ones.
        bands: number of steps of one colour each; 0 for smooth maps.
        logarithmic: has as many colours for each decade; of amounts only.
    """

    sequential: str = ""
    diverging: str = ""
    is_reversed: bool = False
    gaps_reversed: bool = False
    bands: int = 0
    logarithmic: bool = False


PLAIN_STYLE = ColourStyle()


@dataclass(frozen=True)
class SceneTheme:
    """All colours of the scene as "#rrggbb".

    Attributes:
        background, background_top: of the view, from bottom to top.
        text, panel: writing, and the plate behind it.
        body, body_edge, mesh_edge, ghost, undeformed: of the flexible body.
        master, slave: the two faying surfaces of a joint.
        point, line, normal, unpaired: of contact pairs, and slave nodes or points without one.
        highlight: what is selected.
        interface, support, load: symbols.
        missing: where a field has no value.
        states: of a status field, in order.
        groups: of parts, materials and joints; none of them means anything else (Tol 2021, scheme "light").
        axes: of the triad.
    """

    name: str
    background: str
    background_top: str
    text: str
    panel: str
    body: str
    body_edge: str
    mesh_edge: str
    ghost: str
    undeformed: str
    master: str = "#E69F00"
    slave: str = "#0072B2"
    point: str = "#F0E442"
    line: str = "#6B7785"
    normal: str = "#009E73"
    unpaired: str = "#D55E00"
    highlight: str = "#FF2E93"
    interface: str = "#009E73"
    support: str = "#0072B2"
    load: str = "#D55E00"
    missing: str = "#8C8C8C"
    states: tuple[str, ...] = ("#D3DCE4", "#0072B2", "#E69F00", "#CC79A7", "#009E73", "#56B4E9")
    groups: tuple[str, ...] = (
        "#77AADD", "#EEDD88", "#44BB99", "#FFAABB", "#BBCC33", "#EE8866", "#99DDFF", "#AAAA00",
    )  # fmt: skip
    axes: tuple[str, str, str] = ("#D55E00", "#009E73", "#0072B2")

    def of_group(self, number: int) -> str:
        """Return the colour of a group by its number; that of the body for -1."""
        return self.groups[number % len(self.groups)] if number >= 0 else self.body


LIGHT = SceneTheme(
    name="light",
    background="#FFFFFF",
    background_top="#E4EAF1",
    text="#1B1F24",
    panel="#FFFFFF",
    body="#BFC9D4",
    body_edge="#37414D",
    mesh_edge="#66727F",
    ghost="#7D8B9B",
    undeformed="#9AA5B1",
)
DARK = SceneTheme(
    name="dark",
    background="#15181D",
    background_top="#2A313A",
    text="#E8ECF1",
    panel="#15181D",
    body="#93A1B0",
    body_edge="#D5DDE6",
    mesh_edge="#4A5562",
    ghost="#A9B6C4",
    undeformed="#66727F",
    slave="#3D9BE0",
    line="#9AA5B1",
    normal="#2BC59A",
    unpaired="#FF7A33",
    interface="#2BC59A",
    support="#56B4E9",
    load="#FF7A33",
    missing="#6E6E6E",
    states=("#AEBBC7", "#1E88D2", "#E69F00", "#CC79A7", "#2BC59A", "#56B4E9"),
    axes=("#FF7A33", "#2BC59A", "#56B4E9"),
)


def theme_with(theme: SceneTheme, background: str) -> SceneTheme:
    """Return a theme before a chosen background: "" its own, "plain" without the gradient, "white" or "black"."""
    if background == "white":
        return replace(LIGHT, background_top=LIGHT.background)
    if background == "black":
        return replace(DARK, background="#000000", background_top="#000000", panel="#000000")
    return replace(theme, background_top=theme.background) if background == "plain" else theme


def rgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue (0 to 1) of "#rrggbb"."""
    return (int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255)


def rgb_bytes(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue (0 to 255) of "#rrggbb"."""
    return (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))


@dataclass(frozen=True)
class Colouring:
    """All that decides which colour a value has.

    Attributes:
        colours: "sequential", "diverging" or "status" (see `faying.results.fields.Field.colours`).
        limits: values at both ends of the map.
        n_states: number of states of a status field, whose values are 0, 1, 2, ….
        open_at_zero: whether what is zero is drawn like the body.
        severe_below: whether small values are the severe ones.
        style: what the user wants.
    """

    colours: str
    limits: tuple[float, float] = (0.0, 1.0)
    n_states: int = 0
    open_at_zero: bool = False
    severe_below: bool = False
    style: ColourStyle = PLAIN_STYLE

    @property
    def is_logarithmic(self) -> bool:
        """Whether equal ratios have equal distances: of amounts, with something to show."""
        return self.style.logarithmic and self.colours == "sequential" and self.limits[1] > 0.0

    @property
    def shows_open(self) -> bool:
        """Whether a part of the map stands for zero."""
        low, high = self.limits
        return self.open_at_zero and self.colours == "sequential" and low == 0.0 < high

    @property
    def ends(self) -> tuple[float, float]:
        """Values at both ends of the map as they are drawn: equal limits are spread, a logarithm begins above zero."""
        low, high = self.limits
        if self.is_logarithmic:
            return (low if 0.0 < low < high else high * 10.0**-_DECADES), high
        if high > low:
            return low, high
        return (low - 1.0, high + 1.0) if self.colours == "diverging" else (low, low + 1.0)

    def shares(self, values: np.ndarray) -> np.ndarray:
        """Return where on the map (0 to 1) values lie."""
        low, high = self.ends
        if self.is_logarithmic:
            low, high, values = np.log10(low), np.log10(high), np.log10(values)
        return np.asarray((values - low) / (high - low))

    def values_at(self, shares: np.ndarray) -> np.ndarray:
        """Return the values at shares (0 to 1) of the map."""
        low, high = self.ends
        return np.asarray(
            low * (high / low) ** shares if self.is_logarithmic else low + shares * (high - low)
        )


def colouring_of(field: Field, limits: tuple[float, float], style: ColourStyle = PLAIN_STYLE) -> Colouring:
    """Return how the values of a field become colours between limits."""
    return Colouring(field.colours, limits, len(field.states), field.open_at_zero, field.severe_below, style)


@lru_cache(maxsize=16)
def group_table(count: int, theme: SceneTheme) -> vtkLookupTable:
    """Return the table that turns numbers of groups from -1 to `count` - 1 into colours; -1 is in none."""
    table = vtkLookupTable()
    table.SetNumberOfTableValues(count + 1)
    for i in range(-1, count):
        table.SetTableValue(i + 1, *rgb(theme.of_group(i)), 1.0)
    table.SetRange(-1.5, count - 0.5)
    return table


@lru_cache(maxsize=64)
def lookup_table(colouring: Colouring, theme: SceneTheme) -> vtkLookupTable:
    """Return the table that turns values into colours; the same one for the same wishes.

    The theme gives the colours of the states, of open places and of missing values.
    """
    table = vtkLookupTable()
    if colouring.colours == "status":
        table.SetNumberOfTableValues(colouring.n_states)
        for i in range(colouring.n_states):
            table.SetTableValue(i, *rgb(theme.states[i % len(theme.states)]), 1.0)
        table.SetRange(-0.5, colouring.n_states - 0.5)
    else:
        rows = _map_rows(colouring)
        table.SetNumberOfTableValues(_N_COLOURS)
        for i, row in enumerate(rows):
            table.SetTableValue(i, *row)
        if colouring.shows_open:
            # The map begins where contact begins: what is less than its first step is zero but for rounding.
            table.SetTableValue(0, *rgb(theme.body), 1.0)
        if colouring.is_logarithmic:
            table.SetScaleToLog10()
        table.SetRange(*colouring.ends)
    table.SetNanColor(*rgb(theme.missing), 1.0)
    return table


def _map_rows(colouring: Colouring) -> np.ndarray:
    """Return (n, 4) red, green, blue and opacity from the lower to the upper end of a map."""
    from matplotlib import colormaps  # late: a window opens without colour maps

    style, kind = colouring.style, colouring.colours
    chosen = style.diverging if kind == "diverging" else style.sequential
    name = chosen if chosen in MAPS[kind] else MAPS[kind][0]
    rows = np.asarray(colormaps[name](np.linspace(0.0, 1.0, _N_COLOURS)))
    if style.is_reversed != (style.gaps_reversed and colouring.severe_below):
        rows = rows[::-1]
    if style.bands > 0:
        band = np.arange(_N_COLOURS) * style.bands // _N_COLOURS
        rows = rows[((band + 0.5) / style.bands * _N_COLOURS).astype(int)]
    return np.asarray(rows)
