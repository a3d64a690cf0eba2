"""Schema 2 to 3: how loads, displacements and drives go over time is called `time_history`, and was `course`."""

import re
from typing import Any

from faying.project.migrations import PlainDict, migrations

FORMER_NAMES = {"course": "time_history"}  # what parameters were called in the schemas before
_HAVE_ONE = ("loads", "body_loads", "displacements", "constraints", "forces")


@migrations.register("2")
def time_histories(table: PlainDict) -> PlainDict:
    """Return the table with the name that the parameter has now, wherever a list of what has one stands."""
    return {key: _renamed(value, key) for key, value in table.items()}


def _renamed(value: Any, among: str) -> Any:
    """Return plain values, which stand under a name or in a list of that name."""
    if among == "decision" and isinstance(value, str):  # of a sweep, as its place
        return re.sub(r"\.course(?=\.|$)", ".time_history", value)
    if isinstance(value, dict):
        new = {key: _renamed(item, key) for key, item in value.items()}
        if among in _HAVE_ONE and "course" in new:
            new.setdefault("time_history", new.pop("course"))
        return new
    if isinstance(value, list):
        return [_renamed(item, among) for item in value]
    return value
