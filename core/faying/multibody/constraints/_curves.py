"""What constraints share that have curves."""

from typing import Any

_OLD = ("points", "closed")


def with_curve(table: Any, name: str, before: str = "") -> Any:
    """Return the decisions of a constraint with points that were given without a curve, as they once were, in a curve.

    Args:
        table: the decisions, as they are read.
        name: of the curve.
        before: in front of the names of its points: "second_".
    """
    if not isinstance(table, dict):
        return table
    own = {old: table[before + old] for old in _OLD if before + old in table}
    if not own:
        return table
    others = {key: value for key, value in table.items() if key not in [before + old for old in own]}
    return {**others, name: {"kind": "points", **own}}
