"""Cache of values between runs, with the least recently used dropped first."""

import dataclasses
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np
import psutil
import scipy.sparse as sp

_UNKNOWN = 1024
_LEAST, _SHARE = 2e9, 0.25  # bytes, and share of the machine's memory


class Memory:
    """Values by key up to a number of bytes, counted for arrays; at least the newest value is kept.

    An array shared by several values counts once: the interior problem of a body contains its matrices, so dropping one
    of them for the other would free nothing.

    Args:
        limit: bytes; by default 2 GB, or a quarter of a larger machine's memory.
    """

    def __init__(self, limit: float | None = None) -> None:
        self._limit = max(_LEAST, _SHARE * psutil.virtual_memory().total) if limit is None else limit
        self._values: OrderedDict[str, tuple[Any, dict[int, int]]] = OrderedDict()
        self._held: Counter[int] = Counter()  # number of values that contain each array
        self.size = 0

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def get(self, key: str) -> Any:
        """Return a value and mark it as used; raises KeyError if it is missing."""
        self._values.move_to_end(key)
        return self._values[key][0]

    def put(self, key: str, value: Any) -> None:
        """Store a value; older ones are dropped beyond the limit."""
        self.drop(key)
        arrays = _arrays_in(value)
        self._values[key] = (value, arrays)
        self.size += sum(size for array, size in arrays.items() if not self._held[array])
        self._held.update(arrays.keys())
        while self.size > self._limit and len(self._values) > 1:
            self.drop(next(iter(self._values)))

    def drop(self, key: str) -> None:
        """Forget a value."""
        _, arrays = self._values.pop(key, (None, {}))
        self._held.subtract(arrays.keys())
        self.size -= sum(size for array, size in arrays.items() if not self._held[array])
        self._held = +self._held


def bytes_of(value: Any) -> int:
    """Return the bytes of all arrays in a value, each counted once."""
    return sum(_arrays_in(value).values())


def _arrays_in(value: Any) -> dict[int, int]:
    """Return the bytes of all arrays and other large objects, by identity."""
    found: dict[int, int] = {}
    _collect(value, set(), found)
    return found


def _collect(value: Any, seen: set[int], found: dict[int, int]) -> None:
    if id(value) in seen or isinstance(value, (str, bytes, int, float, bool, type(None))):
        return
    seen.add(id(value))
    items: Any = ()
    if isinstance(value, np.ndarray):
        found[id(value)] = int(value.nbytes)
    elif sp.issparse(value):
        items = [getattr(value, part) for part in ("data", "indices", "indptr")]
    elif isinstance(value, Mapping):
        items = value.values()
    elif isinstance(value, (tuple, list)):
        items = value
    elif isinstance(getattr(value, "nbytes", None), int):
        found[id(value)] = int(value.nbytes)
    elif dataclasses.is_dataclass(value):
        items = [getattr(value, field.name) for field in dataclasses.fields(value)]
    else:
        inner = getattr(value, "__dict__", None)
        found[id(value)] = _UNKNOWN
        items = inner.values() if inner else ()
    for item in items:
        _collect(item, seen, found)
