"""Unrolled flanks of gears, coloured by the largest pressure of a run: the contact pattern, as a drawing (SVG)."""

import html
from collections.abc import Sequence

import numpy as np

from faying.errors import ModelError
from faying.results.run_tables import Table
from faying.units import UnitSystemName, unit_text

_STOPS = (
    (255, 255, 255),
    (254, 217, 118),
    (253, 141, 60),
    (227, 26, 28),
    (103, 0, 31),
)  # from none to the largest
# On a dark background the largest is the brightest.
_STOPS_AT_NIGHT = ((27, 30, 36), (103, 0, 31), (227, 26, 28), (253, 141, 60), (254, 240, 180))
_WIDE, _HIGH, _LEFT, _TOP, _BETWEEN, _BAR = 460.0, 130.0, 70.0, 46.0, 62.0, 14.0  # in pixels
_INK, _NIGHT = "currentColor", "#1b1e24"


def flank_picture(table: Table, units: UnitSystemName, *, dark: bool = False, across: int = 1) -> str:
    """Return an SVG of each loaded flank: path of contact to the right, width upwards, one rectangle for each node.

    A rectangle extends half-way to the neighbours, the area that a node's pressure represents.

    Args:
        table: table of the flanks (`faying.results.run_tables.flank_table`).
        units: of the project.
        across: number of flanks next to each other.
        dark: for a dark window; unloaded areas have the colour of the background.

    Raises:
        ModelError: when no flank was in contact.
    """
    columns = {column.title: column.values for column in table}
    path, width, pressure, flank = (
        np.array(columns.get(title, ()), float)
        for title in ("Path of contact", "Width", "Largest pressure", "Flank")
    )
    contacts = np.array(columns.get("Contact", ()))
    most = float(pressure.max(initial=0.0))
    groups = [
        (str(contact), int(number))
        for contact in dict.fromkeys(contacts.tolist())
        for number in np.unique(flank[contacts == contact])
        if pressure[(contacts == contact) & (flank == number)].any()
    ]
    if not groups:
        raise ModelError(
            "No flank of gears was pressed in this run.",
            "Choose a motion of a system with a contact that says its parts are gears.",
        )
    length, stress = (unit_text(quantity, units) for quantity in ("length", "stress"))
    drawn, across = [], max(min(across, len(groups)), 1)
    for i, (contact, number) in enumerate(groups):
        own = (contacts == contact) & (flank == number)
        row, column = divmod(i, across)
        top = _TOP + row * (_HIGH + _BETWEEN)
        drawn.append(f'<g transform="translate({column * (_LEFT + _WIDE):g} 0)">')
        drawn += _flank(path[own], width[own], pressure[own] / most, top, dark=dark)
        title = f"{contact}, flank {number}: {pressure[own].max():.4g} {stress} at most"
        drawn.append(_text(_LEFT, top - 8.0, title, "start"))
        drawn.append(_text(_LEFT + 0.5 * _WIDE, top + _HIGH + 34.0, f"Path of contact [{length}]", "middle"))
        drawn.append(_text(_LEFT - 48.0, top + 0.5 * _HIGH, f"Width [{length}]", "middle", turned=True))
        drawn.append("</g>")
    high = _TOP + -(-len(groups) // across) * (_HIGH + _BETWEEN)
    right = (across - 1) * (_LEFT + _WIDE)
    drawn += [f'<g transform="translate({right:g} 0)">', *_bar(most, stress, dark=dark), "</g>"]
    wide, ink = right + _LEFT + _WIDE + 110.0, "#e4e8ee" if dark else "#333333"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" '
        f'viewBox="0 0 {wide:g} {high:g}" font-family="sans-serif" font-size="12" color="{ink}">\n'
        f'<rect width="{wide:g}" height="{high:g}" fill="{_NIGHT if dark else "white"}"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def _flank(path: np.ndarray, width: np.ndarray, shares: np.ndarray, top: float, *, dark: bool) -> list[str]:
    """Return the rectangles of the nodes of a flank, with ticks."""
    across, up = _cells(path), _cells(width)
    wide, high = np.ptp(across), np.ptp(up)
    x = _LEFT + _WIDE * (across - across.min()) / wide
    y = top + _HIGH * (1.0 - (up - up.min()) / high)
    drawn = [
        f'<rect x="{left:.2f}" y="{upper:.2f}" width="{right - left:.2f}" height="{lower - upper:.2f}" '
        f'fill="{_colour(share, dark)}"/>'
        for (left, right), (lower, upper), share in zip(x, y, shares, strict=True)
    ]
    drawn.append(
        f'<rect x="{_LEFT:g}" y="{top:g}" width="{_WIDE:g}" height="{_HIGH:g}" fill="none" stroke="{_INK}"/>'
    )
    for at in _ticks(path, across):
        place = _LEFT + _WIDE * (at - across.min()) / wide
        drawn.append(_text(place, top + _HIGH + 16.0, f"{at:g}", "middle"))
    for at in _ticks(width, up):
        place = top + _HIGH * (1.0 - (at - up.min()) / high)
        drawn.append(_text(_LEFT - 6.0, place + 4.0, f"{at:g}", "end"))
    return drawn


def _cells(places: np.ndarray) -> np.ndarray:
    """Return (n, 2) both ends of the interval of each node at places (n,): half-way to the neighbouring rows.

    A row without neighbours fills the picture.
    """
    size = float(np.ptp(places))
    if size <= 1e-9 * np.abs(places).max():
        return np.tile(places[0] + np.array([-0.5, 0.5]), (len(places), 1))
    rows, of = np.unique(np.round(places, 6 - int(np.floor(np.log10(size)))), return_inverse=True)
    between = 0.5 * (rows[1:] + rows[:-1])
    return np.column_stack(
        [np.concatenate([rows[:1], between])[of], np.concatenate([between, rows[-1:]])[of]]
    )


def _ticks(places: np.ndarray, cells: np.ndarray) -> Sequence[float]:
    """Return four to nine round numbers within the cells (n, 2) of nodes; for a single row its place."""
    low, high = float(cells.min()), float(cells.max())
    if (cells == cells[0]).all():
        return [float(places[0])]
    size = 10.0 ** np.floor(np.log10((high - low) / 4.0))
    step = next((size * k for k in (5.0, 2.0) if (high - low) / (size * k) >= 4.0), size)
    return [float(x) for x in np.round(np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step, 12)]


def _colour(share: float, dark: bool) -> str:
    stops = _STOPS_AT_NIGHT if dark else _STOPS
    at = share * (len(stops) - 1)
    first = min(int(at), len(stops) - 2)
    mixed = [round(a + (at - first) * (b - a)) for a, b in zip(stops[first], stops[first + 1], strict=True)]
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _bar(most: float, unit: str, *, dark: bool) -> list[str]:
    """Return the colour bar with its numbers."""
    left, steps = _LEFT + _WIDE + 24.0, 40
    drawn = [
        f'<rect x="{left:g}" y="{_TOP + _HIGH * (1.0 - (k + 1) / steps):.2f}" width="{_BAR:g}" '
        f'height="{_HIGH / steps + 0.5:.2f}" fill="{_colour((k + 0.5) / steps, dark)}"/>'
        for k in range(steps)
    ]
    drawn.append(
        f'<rect x="{left:g}" y="{_TOP:g}" width="{_BAR:g}" height="{_HIGH:g}" fill="none" stroke="{_INK}"/>'
    )
    for share in (0.0, 0.5, 1.0):
        drawn.append(
            _text(left + _BAR + 5.0, _TOP + _HIGH * (1.0 - share) + 4.0, f"{share * most:.3g}", "start")
        )
    drawn.append(_text(left, _TOP - 8.0, unit, "start"))
    return drawn


def _text(x: float, y: float, words: str, anchor: str, *, turned: bool = False) -> str:
    about = f' transform="rotate(-90 {x:.2f} {y:.2f})"' if turned else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}" fill="{_INK}"{about}>'
        f"{html.escape(words)}</text>"
    )
