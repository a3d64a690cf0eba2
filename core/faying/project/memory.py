"""Values kept in memory between runs: the least recently used go first."""

import dataclasses
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

_UNKNOWN = 1024


class Memory:
    """Values by key up to a number of bytes (as far as arrays tell; at least the newest value stays).

    Args:
        limit: bytes.
    """

    def __init__(self, limit: float = 2e9) -> None:
        self._limit = limit
        self._values: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self.size = 0

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def get(self, key: str) -> Any:
        """Return a value and count it as used; raises KeyError when it is not there."""
        self._values.move_to_end(key)
        return self._values[key][0]

    def put(self, key: str, value: Any) -> None:
        """Keep a value; older ones go when it gets too much."""
        self.drop(key)
        size = bytes_of(value)
        self._values[key] = (value, size)
        self.size += size
        while self.size > self._limit and len(self._values) > 1:
            self.drop(next(iter(self._values)))

    def drop(self, key: str) -> None:
        """Forget a value."""
        _, size = self._values.pop(key, (None, 0))
        self.size -= size


def bytes_of(value: Any) -> int:
    """Return the bytes of all arrays that a value holds, each counted once."""
    return _bytes_of(value, set())


def _bytes_of(value: Any, seen: set[int]) -> int:
    if id(value) in seen or isinstance(value, (str, bytes, int, float, bool, type(None))):
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if sp.issparse(value):
        return sum(int(getattr(value, part).nbytes) for part in ("data", "indices", "indptr"))
    if isinstance(value, Mapping):
        return sum(_bytes_of(item, seen) for item in value.values())
    if isinstance(value, (tuple, list)):
        return sum(_bytes_of(item, seen) for item in value)
    if isinstance(getattr(value, "nbytes", None), int):
        return int(value.nbytes)
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return sum(_bytes_of(getattr(value, field.name), seen) for field in fields)
    inner = getattr(value, "__dict__", None)
    return _UNKNOWN + (sum(_bytes_of(item, seen) for item in inner.values()) if inner else 0)
