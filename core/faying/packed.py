"""Records as bytes: the state from which a run can continue, written in one piece. No pickling: reading runs no code.

Layout: the length of a JSON text (8 bytes, little endian), the text, and the arrays' bytes one after the other.
"""

import json
from typing import Any, Literal

import numpy as np

from faying.records import described, value_of


def pack(value: Any) -> bytes:
    """Return the bytes of a record, array, number, text, None, or of a tuple, list or dict of these.

    Raises:
        TypeError: for anything else.
    """
    arrays: list[bytes] = []

    def appended(array: Any) -> dict[str, Any]:
        if not isinstance(array, np.ndarray):
            raise TypeError(f"a {type(array).__name__} is not packed")
        # Keep the memory order: products of matrices are then the same to the last bit.
        order: Literal["C", "F"] = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
        arrays.append(array.tobytes(order))
        return {"array": array.dtype.str, "shape": list(array.shape), "order": order}

    text = json.dumps(described(value, appended)).encode()
    return b"".join([len(text).to_bytes(8, "little"), text, *arrays])


def unpack(data: bytes) -> Any:
    """Return the value that `pack` was given, lists as tuples; the arrays are writeable.

    Raises:
        ValueError: when the bytes are invalid, or a class is not known (it must have been imported).
    """
    at = 8 + int.from_bytes(data[:8], "little")

    def following(words: dict[str, Any]) -> np.ndarray:
        nonlocal at
        dtype, count = np.dtype(words["array"]), int(np.prod(words["shape"], dtype=np.int64))
        found = np.frombuffer(data, dtype, count, at)
        at += found.nbytes
        return found.reshape(words["shape"], order=words["order"]).copy(order="K")

    try:
        return value_of(json.loads(data[8:at]), following)
    except (KeyError, TypeError, UnicodeDecodeError) as error:
        raise ValueError(f"not a packed record: {error}") from error
