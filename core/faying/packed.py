"""Records as bytes: the state from which a run can go on, written in one piece. No pickling: reading runs no code.

Layout: the length of a JSON text (8 bytes, little endian), the text, and the arrays' bytes one after the other.
"""

import dataclasses
import json
from typing import Any, Literal

import numpy as np

from faying.records import record_class


def pack(value: Any) -> bytes:
    """Return the bytes of a record, array, number, text, None, or of a tuple, list or dict of these.

    Raises:
        TypeError: for anything else.
    """
    arrays: list[bytes] = []
    text = json.dumps(_words(value, arrays)).encode()
    return b"".join([len(text).to_bytes(8, "little"), text, *arrays])


def unpack(data: bytes) -> Any:
    """Return what `pack` was given, lists as tuples; the arrays may be written into.

    Raises:
        ValueError: when it is not such bytes, or a class is not known (it must have been imported).
    """
    end = 8 + int.from_bytes(data[:8], "little")
    try:
        return _value(json.loads(data[8:end]), data, [end])
    except (KeyError, TypeError, UnicodeDecodeError) as error:
        raise ValueError(f"not a packed record: {error}") from error


def _words(value: Any, arrays: list[bytes]) -> Any:
    """Return a description of a value for JSON; the bytes of its arrays are appended to `arrays` in order."""
    if isinstance(value, np.ndarray):
        # The order in memory stays: products of matrices are then the same to the last bit.
        order: Literal["C", "F"] = "F" if value.flags.f_contiguous and not value.flags.c_contiguous else "C"
        arrays.append(value.tobytes(order))
        return {"array": value.dtype.str, "shape": list(value.shape), "order": order}
    if isinstance(value, np.generic):
        return _words(value.item(), arrays)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (tuple, list)):
        return [_words(item, arrays) for item in value]
    if isinstance(value, dict):
        return {"dict": [[str(name), _words(item, arrays)] for name, item in value.items()]}
    if hasattr(value, "__record_name__"):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
        return {"record": value.__record_name__, **_words(fields, arrays)}
    raise TypeError(f"a {type(value).__name__} is not a record")


def _value(words: Any, data: bytes, at: list[int]) -> Any:
    """Return the value of such a description; arrays are read from `data` at ``at[0]``, which moves past them."""
    if isinstance(words, list):
        return tuple(_value(item, data, at) for item in words)
    if not isinstance(words, dict):
        return words
    if "array" in words:
        dtype, count = np.dtype(words["array"]), int(np.prod(words["shape"], dtype=np.int64))
        found = np.frombuffer(data, dtype, count, at[0])
        at[0] += found.nbytes
        return found.reshape(words["shape"], order=words["order"]).copy(order="K")
    items = {name: _value(item, data, at) for name, item in words["dict"]}
    return record_class(words["record"])(**items) if "record" in words else items
