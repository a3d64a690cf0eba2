"""HDF5 files of models, with clear errors for damaged files."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np

from faying.errors import ReadError
from faying.hdf_files import open_foreign_hdf, require_stored
from faying.input_files import is_file


@contextlib.contextmanager
def opened_hdf(path: Path) -> "Iterator[HdfGroup]":
    """Yield the root of an open file.

    Raises:
        ReadError: when it is missing, not HDF5, or links to other files.
    """
    if not is_file(path):
        raise ReadError(path, None, "there is no such file.", "Check the path.")
    try:
        file = open_foreign_hdf(path)
    except OSError as error:
        raise ReadError(
            path, None, "this is no HDF5 file.", "Save it again, or choose another file."
        ) from error
    with file:
        yield HdfGroup(path, file)


class HdfGroup:
    """A group of an HDF5 file; each access states the expected type.

    Errors of h5py about a damaged file are converted to `ReadError` only here.

    Args:
        path: of the file, for error messages.
        group: the group.
    """

    def __init__(self, path: Path, group: h5py.Group) -> None:
        self.path, self._group = path, group

    def __contains__(self, name: str) -> bool:
        with self._sentences(name):
            return name in self._group and self._group.get(name) is not None
        return False

    def names(self) -> list[str]:
        """Return the names of the group's members."""
        with self._sentences("the group"):
            return list(self._group)
        return []

    def group(self, name: str) -> "HdfGroup":
        """Return a subgroup.

        Raises:
            ReadError: when it is not there, or something else.
        """
        with self._sentences(name):
            found = self._group.get(name)
            if isinstance(found, h5py.Group):
                return HdfGroup(self.path, found)
        raise self._error(f"there is no group {name!r}")

    def groups(self) -> "dict[str, HdfGroup]":
        """Return all subgroups by name."""
        found = {}
        for name in self.names():
            with self._sentences(name):
                inner = self._group.get(name)
                if isinstance(inner, h5py.Group):
                    found[name] = HdfGroup(self.path, inner)
        return found

    def is_numbers(self, name: str, dimensions: int) -> bool:
        """Return whether there is a numeric array of that name."""
        with self._sentences(name):
            found = self._group.get(name)
            return isinstance(found, h5py.Dataset) and found.dtype.kind in "iuf" and found.ndim == dimensions
        return False

    def numbers(self, name: str, dimensions: int, limit: int | None = None) -> np.ndarray:
        """Return a numeric array with a given number of dimensions, or its first `limit` rows.

        Raises:
            ReadError: when it is missing, not numeric, or has another number of dimensions.
        """
        with self._sentences(name):
            found = self._group.get(name)
            if isinstance(found, h5py.Dataset):
                if found.dtype.kind in "iuf" and found.ndim == dimensions:
                    require_stored(found)
                    return np.asarray(found[()] if limit is None else found[:limit])
                raise self._error(f"{name!r} holds no numbers in {dimensions} dimensions")
        raise self._error(f"there is no array {name!r}")

    def characters(self, name: str) -> list[bytes]:
        """Return an array of characters, or of arrays of characters, as bytes.

        Raises:
            ReadError: when it is missing or has another type.
        """
        with self._sentences(name):
            found = self._group.get(name)
            values = np.zeros(0)
            if isinstance(found, h5py.Dataset):
                require_stored(found)
                values = np.asarray(found[()])
            # MED stores each name as 80 small integers in one array element.
            if values.ndim == 2 and values.dtype.kind in "iu":
                return [row.astype(np.uint8).tobytes() for row in values]
        raise self._error(f"there are no texts {name!r}")

    def text_or_number(self, name: str) -> str | int | float | None:
        """Return an attribute of the group as a text or a number, None if missing or of another type."""
        with self._sentences(name):
            return _plain(self._group.attrs.get(name))
        return None

    def count(self, array: str, name: str) -> int:
        """Return an attribute of an array that is a count.

        Raises:
            ReadError: when it is missing or not a count.
        """
        with self._sentences(array):
            found = self._group.get(array)
            value = _plain(found.attrs.get(name)) if isinstance(found, h5py.Dataset) else None
            if isinstance(value, int) and value >= 0:
                return value
        raise self._error(f"{array!r} does not say how many it has ({name})")

    @contextlib.contextmanager
    def _sentences(self, what: str) -> Iterator[None]:
        try:
            yield
        except (
            OSError,
            RuntimeError,
            KeyError,
            ValueError,
            TypeError,
            AttributeError,
            UnicodeError,
        ) as error:
            # h5py raises any of these for damaged files.
            raise self._error(f"{what!r} cannot be read") from error

    def _error(self, problem: str) -> ReadError:
        return ReadError(self.path, None, f"{problem}: the file is damaged or incomplete.", "Save it again.")


def _plain(value: object) -> str | int | float | None:
    """Return an attribute's value as a text or a number; None for anything else."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(-1)[0]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, (str, int, float)) else None
