"""Files of reduced bodies as a header and named arrays: NumPy archives (.npz) and HDF5 (.h5), the same in both.

The header is a JSON text: in an archive the array ``header`` of its UTF-8 bytes, in HDF5 the text ``header``. The
manual's page *Reduced bodies as files* describes all entries; `faying.reduction.body_file` reads and writes bodies in
this form.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from faying import atomic
from faying.errors import ReadError
from faying.fem.array_files import load_arrays
from faying.hdf_files import open_foreign_hdf, require_stored
from faying.input_files import is_file
from faying.linalg.room import require_room

FORMAT, VERSION = "faying reduced body", 1
HDF_ENDINGS = (".h5", ".hdf5")
ENDINGS = (".npz", *HDF_ENDINGS)
_MAX_NUMBERS = 1 << 33  # numbers in an array
_AGAIN = "Export the body again."
_ELSEWHERE = "Close other programs, or export the body with fewer modes."


@dataclass(frozen=True, eq=False)
class BodyArrays:
    """Contents of the file of a reduced body.

    Attributes:
        path: of the file, for error messages.
        header: the JSON object.
        arrays: by name.
    """

    path: Path
    header: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]

    def array(self, name: str, *shape: int | None) -> np.ndarray:
        """Return a floating-point array of the given shape, in which None means any length.

        Raises:
            ReadError: when it is missing, has another shape, or is not numeric.
        """
        return self._array(name, shape, "iuf").astype(float)

    def rows(self, name: str, *shape: int | None, below: int) -> np.ndarray:
        """Return an array of the given shape with integers below `below`; raises the same errors as `array`."""
        found = self._array(name, shape, "iu").astype(np.int64)
        if found.size and not (found.min() >= 0 and found.max() < below):
            raise self.error(f"{name} has numbers that count what is not there")
        return found

    def _array(self, name: str, shape: tuple[int | None, ...], kinds: str) -> np.ndarray:
        found = self.arrays.get(name)
        if found is None:
            raise self.error(f"the array {name} is missing")
        fits = len(found.shape) == len(shape) and all(
            want in (None, have) for want, have in zip(shape, found.shape, strict=True)
        )
        if not fits:
            wanted = " × ".join("any" if n is None else str(n) for n in shape)
            raise self.error(f"{name} has the shape {found.shape}, expected {wanted}")
        if found.dtype.kind not in kinds or (found.dtype.kind == "f" and not np.isfinite(found).all()):
            raise self.error(f"{name} holds what are no numbers")
        return found

    def entries(self, name: str, *, unique: bool = True) -> list[dict[str, Any]]:
        """Return a list of named objects from the header, with distinct names if `unique`; empty if there is no list.

        Raises:
            ReadError: when the entry is not such a list.
        """
        found = self.header.get(name, [])
        if not isinstance(found, list) or not all(
            isinstance(entry, dict) and isinstance(entry.get("name"), str) for entry in found
        ):
            raise self.error(f"{name} of the header is no list of things with names")
        names = [entry["name"] for entry in found]
        twice = [each for each in names if names.count(each) > 1]
        if unique and twice:
            raise self.error(f"two {name} of the header are called {twice[0]!r}")
        return found

    def text(self, name: str, default: str = "") -> str:
        """Return a text entry of the header."""
        found = self.header.get(name, default)
        if not isinstance(found, str):
            raise self.error(f"{name} of the header is no text")
        return found

    def error(self, problem: str) -> ReadError:
        """Return an error about this file."""
        return ReadError(self.path, None, f"{problem}.", _AGAIN)


def write_body_arrays(path: Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write header and arrays in the format given by the path's suffix.

    Raises:
        OSError: when the file cannot be written.
    """
    text = json.dumps({"format": FORMAT, "version": VERSION, **header}, indent=1, ensure_ascii=False)
    with atomic.replacing(path, durable=False) as beside:
        if path.suffix.lower() in HDF_ENDINGS:
            with h5py.File(beside, "w") as file:
                file.create_dataset("header", data=text, dtype=h5py.string_dtype())
                for name, array in arrays.items():
                    file.create_dataset(name, data=array)
            return
        with beside.open("wb") as stream:
            np.savez(stream, allow_pickle=False, header=np.frombuffer(text.encode(), np.uint8), **arrays)


def read_body_arrays(path: Path) -> BodyArrays:
    """Return the contents of the file of a reduced body.

    Raises:
        ReadError: when the file is missing, damaged, or of another kind.
    """
    if not is_file(path):
        raise ReadError(path, None, "there is no such file.", "Check the path.")
    try:
        text, arrays = (_read_hdf if path.suffix.lower() in HDF_ENDINGS else _read_archive)(path)
        header = json.loads(text)
    except (OSError, KeyError, RuntimeError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ReadError(path, None, "this is no reduced body that Faying exported, or it is damaged.",
                        _AGAIN) from error  # fmt: skip
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ReadError(path, None, "its header does not say that it is a reduced body.", _AGAIN)
    version = header.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise ReadError(
            path, None, f"its layout has the version {version!r}, and this program knows 1 to {VERSION}.",
            "Read it with a newer version of Faying.",
        )  # fmt: skip
    return BodyArrays(path, header, arrays)


def _read_archive(path: Path) -> tuple[str, dict[str, np.ndarray]]:
    arrays = load_arrays(path, _MAX_NUMBERS)
    return arrays.pop("header").astype(np.uint8).tobytes().decode(), arrays


def _read_hdf(path: Path) -> tuple[str, dict[str, np.ndarray]]:
    arrays: dict[str, np.ndarray] = {}

    def take(name: str, node: h5py.Group | h5py.Dataset) -> None:
        if isinstance(node, h5py.Dataset) and node.dtype.kind in "iuf" and node.size <= _MAX_NUMBERS:
            require_stored(node)
            require_room(node.nbytes, f"The array {name} of {path.name} needs", _ELSEWHERE)
            arrays[name] = np.asarray(node[()])

    with open_foreign_hdf(path) as file:
        text = file["header"].asstr()[()]
        file.visititems(take)
    return text, arrays
