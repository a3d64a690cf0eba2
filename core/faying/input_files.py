"""Files that are read: whether there is one, and its content; never a device or a pipe, which may have no end."""

import errno
import os
import stat
from pathlib import Path


def is_file(path: Path) -> bool:
    """Return whether a path leads to a regular file; False, too, for paths too long or with invalid characters."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises for paths that can be none


def check_regular(path: Path) -> None:
    """Refuse what is no regular file: a folder, or a device or pipe, whose reading may never end.

    Raises:
        OSError: when there is no such file, or it is a folder, device or pipe.
    """
    try:
        mode = path.stat().st_mode
    except ValueError as error:  # a character of code zero
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path)) from error
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe", str(path))


def content_of_file(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        OSError: as `check_regular`, and when it cannot be read.
    """
    check_regular(path)
    return path.read_bytes()
