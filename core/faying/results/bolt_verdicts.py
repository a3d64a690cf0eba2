"""The most critical bolt of a run for each limit, with a verdict."""

import math
from collections.abc import Sequence

from faying.results.bolt_table import BoltRow
from faying.results.key_results import KeyResult
from faying.results.verdicts import Verdict, percent

# Least safety against slipping under static loads and against fatigue by VDI 2230-1:2015 (sections 5.5.6, 5.5.3).
_SLIP, _FATIGUE = 1.2, 1.2
_NONE = 1.001  # reserve against slip at which friction is used up


def bolt_results(rows: Sequence[BoltRow]) -> tuple[KeyResult, ...]:
    """Return for each limit the most critical bolt with a verdict; limits without a finite value are left out.

    Args:
        rows: the table of bolts (`faying.results.bolt_table.bolt_table`).
    """
    found = []
    for name, title, quantity in (
        ("separation_reserve", "Least clamp load left", ""),
        ("slip_reserve", "Least reserve against slip", "ratio"),
        ("proof", "Least safety against proof load", "ratio"),
        ("yielding", "Least safety against yielding of a bolt", "ratio"),
        ("fatigue", "Least safety against fatigue", "ratio"),
    ):
        own = [row for row in rows if math.isfinite(getattr(row, name))]
        if not own:
            continue
        worst = min(own, key=lambda row: float(getattr(row, name)))
        verdict, why = _verdict(name, worst)
        value = float(getattr(worst, name))
        found.append(KeyResult(title, value, quantity, _named(worst), "", verdict, why))
    return tuple(found)


def _named(row: BoltRow) -> str:
    """Return the bolt's name, preceded by the word bolt unless it begins with that."""
    return row.name if row.name.startswith("bolt ") else f"bolt {row.name}"


def _verdict(name: str, row: BoltRow) -> tuple[Verdict, str]:
    value = float(getattr(row, name))
    if name == "separation_reserve":
        if value <= 0.0:
            return "doubtful", "the joint around it opens"
        if row.gaping > 0.0:
            return "acceptable", f"{percent(row.gaping)} of its clamped area gapes"
        return "good", "its clamped area stays closed"
    if name == "slip_reserve":
        if value <= _NONE:
            return "doubtful", "the joint around it slips; no friction is left"
        return (
            ("good", f"above {_SLIP:g}")
            if value >= _SLIP
            else ("acceptable", f"below the {_SLIP:g} that VDI 2230 requires")
        )
    if name == "fatigue" and 1.0 <= value < _FATIGUE:
        return "acceptable", f"below the {_FATIGUE:g} that VDI 2230 requires"
    return ("good", "above 1") if value >= 1.0 else ("doubtful", "below 1")
