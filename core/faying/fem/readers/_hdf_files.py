"""HDF5 files of models, opened with sentences for what can be wrong."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import h5py

from faying.errors import ReadError
from faying.hdf_files import open_foreign_hdf


@contextlib.contextmanager
def opened_hdf(path: Path) -> Iterator[h5py.File]:
    """Yield an open file.

    Raises:
        ReadError: when it is missing, no HDF5, or leads to other files.
    """
    if not path.is_file():
        raise ReadError(path, None, "there is no such file.", "Check the path.")
    try:
        file = open_foreign_hdf(path)
    except OSError as error:
        raise ReadError(
            path, None, "this is no HDF5 file.", "Save it again, or choose another file."
        ) from error
    with file:
        yield file
