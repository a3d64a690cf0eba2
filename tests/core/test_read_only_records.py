"""Contract of records: they share their arrays with whoever asks, so nobody may write into them."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from core.test_recorded_bodies import EXPANDING, LOADS, PRELOADS, STAGES, session_of
from faying.fem.model import Coupling, DeckSurface, ElementBlock
from faying.project.stage import Target

# Made before a model is whole, which makes them read-only.
_OF_MODELS = (ElementBlock, DeckSurface, Coupling)
_RECORDS = {
    "FeModel", "Skin", "FacetBlock", "ContactPairs", "LoadModes", "PreloadModes", "ReductionBasis", "BasisQuality",
    "ReducedBody", "JointRows", "ReducedLoads", "ShapeIntegrals",
}  # fmt: skip


def records_in(value: Any) -> Iterator[Any]:
    """Yield all records of a value, with those in their tuples and dicts."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for each in value:
            yield from records_in(each)
    elif is_dataclass(value):
        yield value
        for each in fields(value):
            yield from records_in(getattr(value, each.name))


def arrays_of(value: Any) -> dict[str, np.ndarray]:
    """Return the arrays of a record by name, those in its dicts too."""
    found = {}
    for name, held in vars(value).items():
        inner = held if isinstance(held, dict) else {"": held}
        found |= {f"{name} {key}": array for key, array in inner.items() if isinstance(array, np.ndarray)}
    return found


def test_arrays_of_records_are_read_only_when_they_are_made(tmp_path) -> None:
    words = {"preloads": PRELOADS, "loads": LOADS, "materials": EXPANDING}
    session, seen = session_of(words, tmp_path), set()
    for stage in ("model", "skin", *(each for each in STAGES if each not in ("interior", "joint_problem"))):
        value = session.compute(Target(stage, "plates", "lap" if stage == "pairs" else ""))
        for record in records_in(value):
            again = record
            if not isinstance(record, _OF_MODELS):
                held = {each.name: getattr(record, each.name) for each in fields(record) if each.init}
                again = replace(record, **{name: copied(each) for name, each in held.items()})
            open_ones = [name for name, array in arrays_of(again).items() if array.flags.writeable]
            assert open_ones == [], (type(record), open_ones)
            seen.add(type(record).__name__)
    assert seen >= _RECORDS


def copied(value: Any) -> Any:
    """Return new arrays, which may be written, for the arrays of a field."""
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value
