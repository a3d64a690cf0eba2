"""What can happen to a file: bits flip, copies are cut off, editors and programs write nonsense."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np

NUMBERS = (
    "nan", "NaN", "inf", "-inf", "1e308", "-1e308", "1e400", "1e-320", "0", "-1", "-0.0", "0.5", "2", "7.5", "1e",
    "1e-", "3.5e", "3.5e+", ".", "-", "+", "1.5.5", "1-5", "0x1F", "1_000", "999999", "999999999", "-999999999",
    "999999999999", "2147483648", "-2147483649", "4294967296", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "99999999999999999999", "-99999999999999999999", "9" * 400, "9" * 5000, "\u0663", "", "x",
    "1e5", "1e18", "1e19",
)  # fmt: skip
_NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:[eEdD][-+]?\d+)?")
_WORD = re.compile(rb"[A-Za-z_$]{2,}")
_WHOLE = (0, 1, -1, 2, 255, 2**15, 2**31 - 1, -(2**31), 2**32 - 1, 2**40, 2**62, 2**63 - 1, -(2**63))
_REAL = (0.0, -1.0, np.nan, np.inf, -np.inf, 1e308, -1e308, 1e-320, 1e30)

Mutation = Callable[[bytearray, random.Random], bytearray]


def mutated_bytes(content: bytes, rng: random.Random) -> bytes:
    """Return a content after one to four mishaps that any file may have."""
    return _several(content, rng, _BYTES)


def mutated_text(content: bytes, rng: random.Random) -> bytes:
    """Return a text after one to four mishaps that hit its numbers, words and lines most of the time."""
    return _several(content, rng, _TEXT if rng.random() < 0.85 else _BYTES)


def _several(content: bytes, rng: random.Random, mutations: tuple[Mutation, ...]) -> bytes:
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        if found:
            found = rng.choice(mutations)(found, rng)
    return bytes(found)


def _flip(content: bytearray, rng: random.Random) -> bytearray:
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return content


def _set_byte(content: bytearray, rng: random.Random) -> bytearray:
    content[rng.randrange(len(content))] = rng.choice((0, 9, 10, 13, 32, 34, 44, 45, 46, 101, 127, 255))
    return content


def _cut(content: bytearray, rng: random.Random) -> bytearray:
    return content[: rng.randrange(len(content))]


def _zero_page(content: bytearray, rng: random.Random) -> bytearray:
    size = rng.choice((8, 64, 512, 4096))
    start = rng.randrange(len(content)) // size * size
    content[start : start + size] = bytes(len(content[start : start + size]))
    return content


def _move_piece(content: bytearray, rng: random.Random) -> bytearray:
    start, size = rng.randrange(len(content)), rng.choice((1, 4, 16, 64, 512))
    piece = content[start : start + size]
    del content[start : start + size]
    at = rng.randrange(len(content) + 1)
    return content[:at] + piece + content[at:]


def _repeat_piece(content: bytearray, rng: random.Random) -> bytearray:
    start, size = rng.randrange(len(content)), rng.choice((1, 4, 16, 64, 512))
    return content[: start + size] + content[start:]


def _delete_piece(content: bytearray, rng: random.Random) -> bytearray:
    start, size = rng.randrange(len(content)), rng.choice((1, 1, 4, 16, 64, 512))
    del content[start : start + size]
    return content


def _whole_number(content: bytearray, rng: random.Random) -> bytearray:
    size, order = rng.choice((4, 8)), rng.choice(("<", ">"))
    value = np.array(rng.choice(_WHOLE)).astype(f"{order}i{size}").tobytes()
    start = rng.randrange(len(content)) // 4 * 4
    content[start : start + size] = value
    return content


def _real_number(content: bytearray, rng: random.Random) -> bytearray:
    with np.errstate(over="ignore"):
        value = np.array(rng.choice(_REAL)).astype(rng.choice(("<f4", ">f4", "<f8", ">f8"))).tobytes()
    start = rng.randrange(len(content)) // 4 * 4
    content[start : start + len(value)] = value
    return content


def _other_number(content: bytearray, rng: random.Random) -> bytearray:
    found = list(_NUMBER.finditer(content))
    if not found:
        return content
    match = rng.choice(found)
    text = rng.choice(NUMBERS).encode()
    if rng.random() < 0.4:  # files with fixed columns keep them
        width = match.end() - match.start()
        text = text[:width].rjust(width)
    return content[: match.start()] + text + content[match.end() :]


def _number_of_elsewhere(content: bytearray, rng: random.Random) -> bytearray:
    found = list(_NUMBER.finditer(content))
    if not found:
        return content
    match, other = rng.choice(found), rng.choice(found)
    return content[: match.start()] + other[0] + content[match.end() :]


def _cut_in_number(content: bytearray, rng: random.Random) -> bytearray:
    found = list(_NUMBER.finditer(content))
    if not found:
        return content
    match = rng.choice(found)
    return content[: rng.randint(match.start(), match.end())]


def _word_of_elsewhere(content: bytearray, rng: random.Random) -> bytearray:
    found = list(_WORD.finditer(content))
    if not found:
        return content
    match, other = rng.choice(found), rng.choice(found)
    return content[: match.start()] + other[0] + content[match.end() :]


def _lines(change: Callable[[list[bytes], random.Random], None]) -> Mutation:
    def mutation(content: bytearray, rng: random.Random) -> bytearray:
        lines = bytes(content).split(b"\n")
        change(lines, rng)
        return bytearray(b"\n".join(lines))

    return mutation


@_lines
def _drop_lines(lines: list[bytes], rng: random.Random) -> None:
    start = rng.randrange(len(lines))
    del lines[start : start + rng.choice((1, 1, 2, 5))]


@_lines
def _repeat_line(lines: list[bytes], rng: random.Random) -> None:
    start = rng.randrange(len(lines))
    lines[start:start] = [lines[start]] * rng.choice((1, 1, 3))


@_lines
def _swap_lines(lines: list[bytes], rng: random.Random) -> None:
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


@_lines
def _join_lines(lines: list[bytes], rng: random.Random) -> None:
    start = rng.randrange(len(lines))
    lines[start : start + 2] = [b" ".join(lines[start : start + 2])]


_BYTES: tuple[Mutation, ...] = (
    _flip, _flip, _set_byte, _cut, _zero_page, _move_piece, _repeat_piece, _delete_piece, _whole_number, _real_number,
)  # fmt: skip
_TEXT: tuple[Mutation, ...] = (
    _other_number, _other_number, _other_number, _number_of_elsewhere, _cut_in_number, _word_of_elsewhere, _drop_lines,
    _repeat_line, _swap_lines, _join_lines, _set_byte, _delete_piece,
)  # fmt: skip


def mutate_hdf(path: Path, rng: random.Random) -> None:
    """Change an HDF5 file in place: its bytes, or what it holds, which is then well-formed nonsense."""
    if rng.random() < 0.35:
        path.write_bytes(mutated_bytes(path.read_bytes(), rng))
        return
    with h5py.File(path, "r+") as file:
        for _ in range(rng.choice((1, 1, 2))):
            names: list[str] = []
            file.visit(names.append)
            if names:
                rng.choice((_attribute, _values, _values, _shape, _type, _remove, _rename, _swap, _replace))(
                    file, rng.choice(names), rng
                )


def _attribute(file: h5py.File, name: str, rng: random.Random) -> None:
    owners = [own for own in [name, name.rpartition("/")[0] or "/", "/"] if len(file[own].attrs)]
    if not owners:
        return
    attributes = file[owners[0]].attrs
    key = rng.choice(sorted(attributes))
    if rng.random() < 0.3:
        del attributes[key]
    elif rng.random() < 0.4:
        attributes[key] = attributes[rng.choice(sorted(attributes))]
    else:
        attributes[key] = rng.choice(
            (
                *_WHOLE,
                *_REAL,
                "",
                "x",
                "record",
                "tuple",
                "sparse",
                np.array([1, 2]),
                np.zeros((0, 2)),
                b"\xff\xfe",
            )
        )


def _values(file: h5py.File, name: str, rng: random.Random) -> None:
    node = file[name]
    if not isinstance(node, h5py.Dataset) or not node.size or node.dtype.kind not in "iufb":
        return
    values = np.array(node[()])
    flat = values.reshape(-1)
    at = rng.sample(range(flat.size), min(flat.size, rng.choice((1, 1, 3))))
    for place in at:
        if values.dtype.kind == "f":
            flat[place] = rng.choice(_REAL)
        elif values.dtype.kind in "iu":
            flat[place] = np.array(rng.choice(_WHOLE)).astype(values.dtype)
        else:
            flat[place] = not flat[place]
    node[...] = values


def _shape(file: h5py.File, name: str, rng: random.Random) -> None:
    node = file[name]
    if not isinstance(node, h5py.Dataset) or node.shape is None or node.dtype.kind not in "iufb":
        return
    values = np.atleast_1d(np.array(node[()]))
    changed = rng.choice((
        values[:-1], values[:0], np.concatenate([values, values]), values.reshape(-1), values[None], values[..., None],
        values.T.copy(), values.reshape(-1)[0] if values.size else values,
        values[:, :-1] if values.ndim > 1 else values[1:],
    ))  # fmt: skip
    _put(file, name, changed)


def _type(file: h5py.File, name: str, rng: random.Random) -> None:
    node = file[name]
    if not isinstance(node, h5py.Dataset) or node.dtype.kind not in "iufb" or node.shape is None:
        return
    values = np.array(node[()])
    with np.errstate(all="ignore"):
        changed = [values.astype(t) for t in ("f4", "f8", "i1", "i8", "u8", "?", "c16", "S8")]
    _put(file, name, rng.choice((*changed, "text", h5py.Empty("f"))))


def _put(file: h5py.File, name: str, value: object) -> None:
    attributes = dict(file[name].attrs)
    del file[name]
    file[name] = value
    file[name].attrs.update(attributes)


def _remove(file: h5py.File, name: str, rng: random.Random) -> None:
    del file[name]


def _rename(file: h5py.File, name: str, rng: random.Random) -> None:
    file.move(name, name + rng.choice(("x", " ")) if rng.random() < 0.7 else f"lost {rng.random()}")


def _swap(file: h5py.File, name: str, rng: random.Random) -> None:
    others: list[str] = []
    file.visit(others.append)
    other = rng.choice(others)
    if other == name or other.startswith(name + "/") or name.startswith(other + "/"):
        return
    file.move(name, "kept aside")
    file.move(other, name)
    file.move("kept aside", other)


def _replace(file: h5py.File, name: str, rng: random.Random) -> None:
    del file[name]
    if rng.random() < 0.5:
        file.create_group(name)
    else:
        file[name] = rng.choice((np.zeros(3), "text", 5, np.zeros((0, 3)), np.full((2, 2), np.nan)))
