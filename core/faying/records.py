"""Records: frozen dataclasses of arrays, and how they are written to HDF5 and read back.

Every artifact (model, pairs, basis, body, …) is a record. No pickling: a file holds named arrays and
plain attributes that any HDF5 tool can read, and reading a foreign file can run no code.

The attribute ``check`` of each array and group is the checksum of its numbers, or of its other attributes and the
names in it; ``inside`` of a group that of the checksums in it, so that nothing changes places unseen. The group of a
value that is stored under a key has that key and a copy of the value's ``check``. Files from before there were
checksums are read without.
"""

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar, cast, dataclass_transform

import h5py
import numpy as np
import scipy.sparse as sp

from faying.checksums import DamagedError, array_checksum, checksum_of_values

T = TypeVar("T")
_RECORDS: dict[str, type] = {}
_CHECK, _INSIDE, _KEY = "check", "inside", "key"


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(dataclasses.field,))
def record(name: str) -> Callable[[type[T]], type[T]]:
    """Return a decorator: make a class a frozen dataclass, storable under `name`, its arrays read-only."""

    def decorate(cls: type[T]) -> type[T]:
        made: type[T] = dataclasses.dataclass(frozen=True, eq=False)(cls)
        _RECORDS[name] = made
        made.__record_name__ = name  # type: ignore[attr-defined]
        return made

    return decorate


def record_class(name: str) -> type:
    """Return the class of records of a name; raises KeyError when none was imported."""
    return _RECORDS[name]


def freeze(*arrays: np.ndarray | None) -> None:
    """Make arrays read-only."""
    for array in arrays:
        if array is not None:
            array.flags.writeable = False


def write_record(parent: h5py.Group, name: str, value: Any) -> None:
    """Write a record, array, sparse matrix, number, text, None, or tuple, list or dict of these."""
    if value is None:
        parent.create_group(name).attrs["type"] = "none"
    elif isinstance(value, np.ndarray):
        if value.dtype.kind in "US":
            write_record(parent, name, ("__texts__", *value.tolist()))
        else:
            # Integers shrink a lot; floats by 2 % at thirty times the time (measured on trial vectors).
            pays = value.dtype.kind in "iub" and value.size > 4096
            options = {"compression": "lzf", "shuffle": True} if pays else {}
            dataset = parent.create_dataset(name, data=value, **options)
            dataset.attrs[_CHECK] = array_checksum(value)
        return
    elif sp.issparse(value):
        csr = cast(Any, value).tocsr()
        group = parent.create_group(name)
        group.attrs["type"] = "sparse"
        group.attrs["shape"] = csr.shape
        for part in ("data", "indices", "indptr"):
            write_record(group, part, getattr(csr, part))
    elif isinstance(value, str) and not _is_plain(value):
        group = parent.create_group(name)
        group.attrs["type"] = "bytes"
        group.attrs["value"] = _as_bytes(value)
    elif isinstance(value, (bool, int, float, str, np.integer, np.floating)):
        group = parent.create_group(name)
        group.attrs["type"] = "scalar"
        group.attrs["value"] = value
    elif isinstance(value, (tuple, list)):
        group = parent.create_group(name)
        group.attrs["type"] = "tuple"
        group.attrs["length"] = len(value)
        for i, item in enumerate(value):
            write_record(group, str(i), item)
    elif isinstance(value, dict):
        group = parent.create_group(name)
        group.attrs["type"] = "dict"
        for i, (key, item) in enumerate(value.items()):
            entry = group.create_group(str(i))
            entry.attrs["key"] = key if _is_plain(key) else _as_bytes(key)
            write_record(entry, "value", item)
            _seal(entry)
    elif hasattr(value, "__record_name__"):
        group = parent.create_group(name)
        group.attrs["type"] = "record"
        group.attrs["record"] = value.__record_name__
        for field in dataclasses.fields(value):
            if field.init:
                write_record(group, field.name, getattr(value, field.name))
    else:
        raise TypeError(f"{name}: a {type(value).__name__} is not a record")
    _seal(parent[name])


def mark(group: h5py.Group, key: str) -> None:
    """Note in a group the key of the value that it holds as ``value``, and that value's checksum."""
    group.attrs.update({_KEY: key, _CHECK: group["value"].attrs[_CHECK]})


def copy_mark(source: h5py.Group, group: h5py.Group) -> None:
    """Copy the key and checksum noted in another group that holds the same value."""
    group.attrs.update({name: source.attrs[name] for name in (_KEY, _CHECK) if name in source.attrs})


def read_marked(group: h5py.Group, key: str) -> Any:
    """Return the value that a group holds under a key.

    Raises:
        DamagedError: when the group holds the value of another key, or as `read_record`.
    """
    own = group["value"].attrs
    if group.attrs.get(_KEY, key) != key or (
        _CHECK in group.attrs and own.get(_CHECK) != group.attrs[_CHECK]
    ):
        raise DamagedError(f"{group.name} does not hold the value that was written")
    return read_record(group["value"])


def _seal(group: h5py.Group) -> None:
    group.attrs[_CHECK] = _group_checksum(group)
    group.attrs[_INSIDE] = _inner_checksum(group)


def _inner_checksum(group: h5py.Group) -> int:
    return checksum_of_values((name, int(node.attrs.get(_CHECK, 0))) for name, node in group.items())


def _group_checksum(group: h5py.Group) -> int:
    words = [(name, value) for name, value in group.attrs.items() if name not in (_CHECK, _INSIDE)]
    return checksum_of_values([*words, ("", sorted(group))])


def _require_sound(group: h5py.Group) -> None:
    for name, checksum in ((_CHECK, _group_checksum), (_INSIDE, _inner_checksum)):
        if name in group.attrs and int(group.attrs[name]) != checksum(group):
            raise DamagedError(f"{group.name} is not what was written")


def _read_array(node: h5py.Dataset) -> np.ndarray:
    array: np.ndarray = node[()]
    if _CHECK in node.attrs and int(node.attrs[_CHECK]) != array_checksum(array):
        raise DamagedError(f"{node.name} is not what was written")
    return array


def read_record(node: h5py.Group | h5py.Dataset) -> Any:
    """Return what `write_record` wrote. Classes must have been imported before.

    Raises:
        DamagedError: when a checksum does not fit.
        Exception: of any kind that h5py and NumPy raise, when the file is damaged in another way.
    """
    if isinstance(node, h5py.Dataset):
        array = _read_array(node)
        freeze(array)
        return array
    _require_sound(node)
    kind = node.attrs["type"]
    if kind == "none":
        return None
    if kind == "scalar":
        value = node.attrs["value"]
        return value.item() if isinstance(value, np.generic) else value
    if kind == "bytes":
        return _from_bytes(node.attrs["value"])
    if kind == "sparse":
        parts = tuple(_read_array(node[part]) for part in ("data", "indices", "indptr"))
        rows, columns = node.attrs["shape"]
        return sp.csr_matrix(parts, shape=(int(rows), int(columns)))
    if kind == "tuple":
        items = tuple(read_record(node[str(i)]) for i in range(int(node.attrs["length"])))
        return (
            np.array(items[1:]) if items and isinstance(items[0], str) and items[0] == "__texts__" else items
        )
    if kind == "dict":
        entries = [node[str(i)] for i in range(len(node))]
        for entry in entries:
            _require_sound(entry)
        return {_from_bytes(entry.attrs["key"]): read_record(entry["value"]) for entry in entries}
    cls = _RECORDS[node.attrs["record"]]
    names = {f.name for f in dataclasses.fields(cls) if f.init}
    return cls(**{name: read_record(child) for name, child in node.items() if name in names})


def _is_plain(text: str) -> bool:
    """Return whether HDF5 can hold a text: without characters of code zero and without halves of characters."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _as_bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def _from_bytes(value: Any) -> Any:
    """Return a text that may have been written as bytes."""
    return value.tobytes().decode("utf-8", "surrogatepass") if isinstance(value, np.ndarray) else value
