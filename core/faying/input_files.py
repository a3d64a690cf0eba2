"""Input files: whether they exist, and their content. Devices and pipes, which may be endless, are never read."""

import errno
import os
import stat
from pathlib import Path


def is_file(path: Path) -> bool:
    """Return whether a path leads to a regular file; False for paths too long or with invalid characters."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises for invalid paths


def check_regular(path: Path) -> None:
    """Refuse anything but a regular file: folders, and devices or pipes, which may be endless.

    Raises:
        OSError: when there is no such file, or it is a folder, device or pipe.
    """
    try:
        mode = path.stat().st_mode
    except ValueError as error:  # a null character
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
