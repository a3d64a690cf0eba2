"""HDF5 files of models, opened with sentences for what can be wrong."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import h5py

from faying.errors import ReadError


@contextlib.contextmanager
def opened_hdf(path: Path) -> Iterator[h5py.File]:
    """Yield an open file.

    Raises:
        ReadError: when it is missing or no HDF5.
    """
    if not path.is_file():
        raise ReadError(path, None, "there is no such file.", "Check the path.")
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise ReadError(
            path, None, "this is no HDF5 file.", "Save it again, or choose another file."
        ) from error
    with file:
        yield file
