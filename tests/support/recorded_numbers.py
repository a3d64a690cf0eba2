"""Numbers that computations gave before: no proof that they are right, but no change of them goes unseen.

Whoever changes them on purpose records them again, and looks at the difference that version control shows:

    FAYING_RECORD=1 pytest -n 0 tests/core/test_recorded_motions.py
"""

import dataclasses
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

FOLDER = Path(__file__).parents[1] / "core" / "recorded"
EFFORTS = ("iterations", "jacobians", "evaluations", "asked")


def known(file: str) -> dict[str, Any]:
    """Return what was recorded in a file, by name."""
    place = FOLDER / f"{file}.json"
    found: dict[str, Any] = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {}
    return found


def compare(
    file: str, name: str, numbers: Mapping[str, Any], *, rtol: float = 1e-6, effort: float = 0.0
) -> None:
    """Compare numbers, and arrays of them, with what a file has recorded of them by a name.

    Counts and truths are to be equal, but for corrections and matrices made to a share `effort` of them.

    All others are to be so to a share `rtol` of the largest of their array: far more than processors differ by, and far
    less than what a wrong sign, factor or limit changes.
    """
    place, before = FOLDER / f"{file}.json", known(file)
    found = {key: np.asarray(value) for key, value in numbers.items()}
    if os.environ.get("FAYING_RECORD"):
        before[name] = {key: _rounded(value) for key, value in found.items()}
        place.parent.mkdir(exist_ok=True)
        lines = [f"{json.dumps(key)}: {json.dumps(before[key], sort_keys=True)}" for key in sorted(before)]
        place.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return
    assert name in before, f"{name} was never recorded: FAYING_RECORD=1 adds it to {place}"
    assert sorted(before[name]) == sorted(found)
    for key, value in found.items():
        wanted = np.asarray(before[name][key])
        assert wanted.shape == value.shape, f"{name}: {key}"
        if value.dtype.kind in "biu" and key.endswith(EFFORTS) and effort:
            assert abs(int(value) - int(wanted)) <= max(4, effort * int(wanted)), f"{name}: {key}"
        elif value.dtype.kind in "biu":
            assert wanted.tolist() == value.tolist(), f"{name}: {key}"
        else:
            wanted = wanted.astype(float)
            largest = np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0)
            same = pytest.approx(wanted, rel=1e-9, abs=max(rtol * largest, 1e-300), nan_ok=True)
            assert value == same, f"{name}: {key}"


def _rounded(value: np.ndarray) -> Any:
    """Return plain numbers with ten digits."""
    if value.dtype.kind in "biu":
        return value.tolist()
    return np.vectorize(lambda x: float(f"{x:.10g}"), otypes=[float])(value).tolist()


def digest(value: Any, name: str = "") -> dict[str, list[float]]:
    """Return of each array and number within a value their number, a weighted mean of their sizes, and the largest.

    Signs are left out: those of modes mean nothing, and differ from one library to another.
    """
    if isinstance(value, (bool, int, float, np.generic, np.ndarray)):
        numbers = np.abs(np.asarray(value, dtype=float)).ravel()
        numbers = numbers[np.isfinite(numbers)]
        if not len(numbers):
            return {name: [0.0, 0.0, 0.0]}
        weights = 1.0 + 0.5 * np.cos(np.arange(len(numbers)))
        return {name: [float(len(numbers)), float(weights @ numbers) / len(numbers), float(numbers.max())]}
    if sp.issparse(value):
        return digest(value.toarray(), name)
    if dataclasses.is_dataclass(value):
        fields = [f.name for f in dataclasses.fields(value) if f.repr and f.init]
        parts: Any = [(each, getattr(value, each)) for each in fields]
    elif isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, (list, tuple)):
        parts = enumerate(value)
    else:
        return {}
    found: dict[str, list[float]] = {}
    for key, part in parts:
        found |= digest(part, f"{name}.{key}" if name else str(key))
    return found
