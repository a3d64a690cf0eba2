"""Colours, said once: the two themes and the colour maps, all of them safe for the colour-blind.

Single colours are those of Okabe and Ito (2008), maps are viridis (van der Walt, Smith 2015) for amounts and
Moreland's cool-warm (2009), neutral at zero, for signed values.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonCore import vtkLookupTable

MAPS = {"sequential": "viridis", "diverging": "coolwarm_r"}
_N_COLOURS = 256


@dataclass(frozen=True)
class SceneTheme:
    """All colours of the scene as "#rrggbb".

    Attributes:
        background, background_top: of the view, from bottom to top.
        text, panel: writing, and the plate behind it.
        body, body_edge, mesh_edge, ghost, undeformed: of the flexible body.
        rigid: of parts that do not deform.
        master, slave: the two faying surfaces of a joint.
        point, line, normal, unpaired: of contact pairs, and slave nodes or points without one.
        highlight: what is selected.
        interface, support, load: symbols.
        missing: where a field has no value.
        states: of a status field, in order.
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
    rigid: str
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
    axes: tuple[str, str, str] = ("#D55E00", "#009E73", "#0072B2")


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
    rigid="#A596C2",
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
    rigid="#B3A3D6",
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


def rgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue (0 to 1) of "#rrggbb"."""
    return (int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255)


def rgb_bytes(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue (0 to 255) of "#rrggbb"."""
    return (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))


@lru_cache(maxsize=64)
def lookup_table(
    colours: str, theme: SceneTheme, limits: tuple[float, float] = (0.0, 1.0), n_states: int = 0
) -> vtkLookupTable:
    """Return the table that turns the values of a field into colours; the same one for the same wishes.

    Args:
        colours: "sequential", "diverging" or "status" (see `faying.results.fields.Field.colours`).
        theme: gives the colours of the states and of missing values.
        limits: values at both ends of the map; equal ones are spread so that the value keeps its colour.
        n_states: number of states of a status field, whose values are 0, 1, 2, ….
    """
    table = vtkLookupTable()
    if colours == "status":
        table.SetNumberOfTableValues(n_states)
        for i in range(n_states):
            table.SetTableValue(i, *rgb(theme.states[i % len(theme.states)]), 1.0)
        table.SetRange(-0.5, n_states - 0.5)
    else:
        rows = pv.LookupTable(cmap=MAPS[colours], n_values=_N_COLOURS).values
        table.SetNumberOfTableValues(_N_COLOURS)
        for i, row in enumerate(np.asarray(rows) / 255.0):
            table.SetTableValue(i, *row)
        low, high = limits
        if not high > low:
            low, high = (low - 1.0, high + 1.0) if colours == "diverging" else (low, low + 1.0)
        table.SetRange(low, high)
    table.SetNanColor(*rgb(theme.missing), 1.0)
    return table
