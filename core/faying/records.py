"""Records: frozen dataclasses of arrays, and how they are written to HDF5 and read back.

Every artifact (model, pairs, basis, body, …) is a record. No pickling: a file holds named arrays and texts that any
HDF5 tool can read, and reading a foreign file can run no code.

A record, tuple or dict is a group, and each array in it a dataset. What has no arrays is packed into one attribute of
the group, ``packed``, as JSON: HDF5 takes a tenth of a millisecond for every group and for every attribute.

The attribute ``check`` of each array and group is the checksum of its numbers, or of its other attributes and the
names in it; ``inside`` of a group that of the checksums in it, so that nothing changes places unseen. The group of a
The attribute ``check`` of each array and group is the checksum of its numbers, or of its other attributes and the
names in it; ``inside`` of a group is the checksum of its members' checksums, so that exchanged members are noticed.
The group of a value that is stored under a key has that key and a copy of the value's ``check``. Files from earlier
versions without checksums are read without checking.
"""

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar, cast, dataclass_transform

import h5py
import numpy as np
import scipy.sparse as sp

from faying.checksums import DamagedError, array_checksum, checksum_of_values

T = TypeVar("T")
_RECORDS: dict[str, type] = {}
_CHECK, _INSIDE, _KEY, _PACKED = "check", "inside", "key", "packed"
_MAX_ATTRIBUTE_LENGTH = 32_000  # characters of an attribute, of which HDF5 takes 64 kB


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(dataclasses.field,))
def record(name: str, *, read_only: bool = False) -> Callable[[type[T]], type[T]]:
    """Return a decorator: make a class a frozen dataclass, storable under `name`.

    Args:
        name: in files.
        read_only: whether nobody may write into its arrays once it is made (`freeze_record`).
    """

    def decorate(cls: type[T]) -> type[T]:
        if read_only:
            cls.__post_init__ = freeze_record  # type: ignore[attr-defined]
        made: type[T] = dataclasses.dataclass(frozen=True, eq=False)(cls)
        _RECORDS[name] = made
        made.__record_name__ = name  # type: ignore[attr-defined]
        return made

    return decorate


def freeze(*arrays: np.ndarray | None) -> None:
    """Make arrays read-only."""
    for array in arrays:
        if array is not None:
            array.flags.writeable = False


def freeze_record(record: object) -> None:
    """Make all arrays of a record read-only, those in its dicts too."""
    for value in vars(record).values():
        for array in value.values() if isinstance(value, dict) else (value,):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False


def write_record(parent: h5py.Group, name: str, value: Any) -> int:
    """Write a record, array, sparse matrix, number, text, None, or tuple, list or dict of these.

    Returns its checksum.
    """
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "US":
            return write_record(parent, name, ("__texts__", *value.tolist()))
        # Integers shrink a lot; floats by 2 % at thirty times the time (measured on trial vectors).
        pays = value.dtype.kind in "iub" and value.size > 4096
        options = {"compression": "lzf", "shuffle": True} if pays else {}
        dataset = parent.create_dataset(name, data=value, **options)
        checksum = array_checksum(value)
        dataset.attrs.create(_CHECK, checksum)
        return checksum
    if sp.issparse(value):
        csr = cast(Any, value).tocsr()
        parts = {part: getattr(csr, part) for part in ("data", "indices", "indptr")}
        return _write_group(parent, name, {"type": "sparse", "shape": csr.shape}, parts)
    if (packed := _packed(value)) is not _MIXED:
        return _write_group(parent, name, {"type": "packed"}, {}, packed)
    words: dict[str, Any]
    if isinstance(value, (tuple, list)):
        words, members = {"type": "tuple", "length": len(value)}, _numbered(value)
    elif isinstance(value, dict):
        words, members = {"type": "dict"}, {"keys": _keys(value), **_numbered(value.values())}
    else:
        words, members = {"type": "record", "record": value.__record_name__}, _fields(value)
    packs = {each: _packed(member) for each, member in members.items()}
    mixed = {each: member for each, member in members.items() if packs[each] is _MIXED}
    return _write_group(parent, name, words, mixed, {e: p for e, p in packs.items() if e not in mixed})


_MIXED = object()  # stands for what has an array somewhere


class _HasArrayError(Exception):
    """There is an array in what was to be described without any."""


def _packed(value: Any) -> Any:
    """Return a value without arrays as JSON has it; `_MIXED` for one with arrays.

    Raises:
        TypeError: when it is nothing that can be stored.
    """
    try:
        return described(value, _refuse)
    except _HasArrayError:
        return _MIXED


def _refuse(array: Any) -> Any:
    raise _HasArrayError


def described(value: Any, array: Callable[[Any], Any]) -> Any:
    """Return a record, number, text, None, or a tuple, list or dict of these and of arrays, as JSON has it.

    Args:
        value: what is to be described.
        array: returns what stands for an array or sparse matrix.

    Raises:
        TypeError: for anything else.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (np.integer, np.floating, np.bool_)):
        return value.item()
    if isinstance(value, np.ndarray) or sp.issparse(value):
        return array(value)
    if isinstance(value, (tuple, list)):
        return [described(item, array) for item in value]
    if isinstance(value, dict):
        inner = [described(item, array) for item in value.values()]
        return {"dict": dict(zip(_keys(value), inner, strict=True))}
    if hasattr(value, "__record_name__"):
        fields = {name: described(item, array) for name, item in _fields(value).items()}
        return {"record": value.__record_name__, "fields": fields}
    raise TypeError(f"a {type(value).__name__} is not a record")


def value_of(words: Any, array: Callable[[dict[str, Any]], Any]) -> Any:
    """Return the value that `described` describes; lists come back as tuples.

    Args:
        words: the description, from JSON.
        array: returns the array for which a dict stands that is neither of a dict nor of a record.

    Raises:
        KeyError: when a class is not known; it must have been imported.
    """
    if isinstance(words, list):
        return tuple(value_of(item, array) for item in words)
    if not isinstance(words, dict):
        return words
    items = words.get("fields", words.get("dict"))
    if items is None:
        return array(words)
    found = {name: value_of(item, array) for name, item in dict(items).items()}
    return _made(words["record"], found) if "record" in words else found


def _unpacked(words: Any) -> Any:
    return value_of(words, _refuse)


def _numbered(values: Iterable[Any]) -> dict[str, Any]:
    return {str(i): value for i, value in enumerate(values)}


def _keys(value: dict[str, Any]) -> tuple[str, ...]:
    """Return the keys of a mapping, which JSON would make texts of where they are none; raises TypeError there."""
    if not all(isinstance(key, str) for key in value):
        raise TypeError("a mapping with keys that are no texts is not a record")
    return tuple(value)


def _fields(value: Any) -> dict[str, Any]:
    """Return what a record is made from, by name."""
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}


def _made(name: str, values: dict[str, Any]) -> Any:
    """Return a record of the class of a name; values that it does not know are left out."""
    cls = _RECORDS[name]
    return cls(**{f.name: values[f.name] for f in dataclasses.fields(cls) if f.init and f.name in values})


def _write_group(
    parent: h5py.Group, name: str, words: dict[str, Any], inner: dict[str, Any], packed: Any = _MIXED
) -> int:
    """Write a group with attributes, values with arrays in it, and the others packed; return its checksum."""
    group = parent.create_group(name)
    if packed is not _MIXED:
        text = json.dumps(packed)  # in ASCII, floats exactly
        if len(text) <= _MAX_ATTRIBUTE_LENGTH:
            words = {**words, _PACKED: text}
        else:
            inner = {**inner, _PACKED: np.frombuffer(text.encode("ascii"), np.uint8)}
    for word, value in words.items():
        # Texts of a fixed length stand in the group itself: those of any length lie in heaps, whose damage HDF5 (2.0)
        # does not survive (see `hdf_files.has_endless_heap`).
        group.attrs.create(word, np.bytes_(value.encode()) if isinstance(value, str) else value)
    checksums = {each: write_record(group, each, value) for each, value in inner.items()}
    checksum = _group_checksum(words, checksums)
    group.attrs.create(_CHECK, checksum)
    group.attrs.create(_INSIDE, checksum_of_values(checksums.items()))
    return checksum


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


def _group_checksum(words: Mapping[str, Any], inside: Iterable[str]) -> int:
    """Return the checksum of a group's attributes and of the names in it."""
    own = [(name, value) for name, value in words.items() if name not in (_CHECK, _INSIDE)]
    return checksum_of_values([*own, ("", sorted(inside))])


class _Stored(NamedTuple):
    """An array or group and its attributes, each of which h5py takes a tenth of a millisecond to read."""

    node: h5py.Group | h5py.Dataset
    words: dict[str, Any]

    @classmethod
    def of(cls, node: h5py.Group | h5py.Dataset) -> "_Stored":
        """Return what is stored in a node."""
        words = {name: v.decode() if isinstance(v, bytes) else v for name, v in node.attrs.items()}
        return cls(node, words)

    def inside(self) -> "dict[str, _Stored]":
        """Return what is in a group, by name.

        Raises:
            DamagedError: when its attributes or what is in it are not what was written.
        """
        found = {name: _Stored.of(node) for name, node in self.node.items()}
        checksums = ((name, int(each.words.get(_CHECK, 0))) for name, each in found.items())
        for name, checksum in (
            (_CHECK, _group_checksum(self.words, found)),
            (_INSIDE, checksum_of_values(checksums)),
        ):
            if name in self.words and int(self.words[name]) != checksum:
                raise DamagedError(f"{self.node.name} is not what was written")
        return found

    def array(self) -> np.ndarray:
        """Return the numbers of an array; raises DamagedError when they are not what was written."""
        array: np.ndarray = self.node[()]
        if _CHECK in self.words and int(self.words[_CHECK]) != array_checksum(array):
            raise DamagedError(f"{self.node.name} is not what was written")
        return array


def read_record(node: h5py.Group | h5py.Dataset) -> Any:
    """Return what `write_record` wrote. Classes must have been imported before.

    Raises:
        DamagedError: when a checksum does not fit.
        Exception: of any kind that h5py and NumPy raise, when the file is damaged in another way.
    """
    return _read(_Stored.of(node))


def _read(stored: _Stored) -> Any:
    if isinstance(stored.node, h5py.Dataset):
        array = stored.array()
        freeze(array)
        return array
    words, inside = stored.words, stored.inside()
    kind = words["type"]
    if kind == "sparse":
        parts = tuple(inside[part].array() for part in ("data", "indices", "indptr"))
        rows, columns = words["shape"]
        return sp.csr_matrix(parts, shape=(int(rows), int(columns)))
    if _PACKED not in words and _PACKED not in inside:
        return _read_unpacked(kind, words, inside)
    packed = json.loads(words[_PACKED] if _PACKED in words else inside.pop(_PACKED).array().tobytes())
    if kind == "packed":
        return _whole(_unpacked(packed))
    members = {name: _unpacked(item) for name, item in packed.items()}
    members |= {name: _read(each) for name, each in inside.items()}
    if kind == "tuple":
        return tuple(members[str(i)] for i in range(int(words["length"])))
    if kind == "dict":
        return {key: members[str(i)] for i, key in enumerate(members["keys"])}
    return _made(words["record"], members)


def _whole(value: Any) -> Any:
    """Return a value as it was: texts of an array as an array."""
    is_texts = (
        isinstance(value, tuple) and bool(value) and isinstance(value[0], str) and value[0] == "__texts__"
    )
    return np.array(value[1:]) if is_texts else value


def _read_unpacked(kind: str, words: dict[str, Any], inside: dict[str, _Stored]) -> Any:
    """Return what a group holds in which nothing is packed: older files have a group for each number and text."""
    if kind == "none":
        return None
    if kind == "scalar":
        value = words["value"]
        return value.item() if isinstance(value, np.generic) else value
    if kind == "bytes":
        return _from_bytes(words["value"])
    if kind == "tuple":
        return _whole(tuple(_read(inside[str(i)]) for i in range(int(words["length"]))))
    if kind == "dict":
        entries = [inside[str(i)] for i in range(len(inside))]
        return {_from_bytes(each.words["key"]): _read(each.inside()["value"]) for each in entries}
    return _made(words["record"], {name: _read(each) for name, each in inside.items()})


def _from_bytes(value: Any) -> Any:
    """Return a text that may have been written as bytes."""
    return value.tobytes().decode("utf-8", "surrogatepass") if isinstance(value, np.ndarray) else value
