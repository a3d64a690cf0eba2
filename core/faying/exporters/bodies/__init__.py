"""Reduced bodies for other programs. A member is one file, with the endings of the files that it writes."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from faying.errors import FayingError, ModelError
from faying.project.outputs import is_own_output, remember_outputs, stamps, written_since
from faying.reduction.body_file import BodyFile
from faying.registry import Registry

body_writers: Registry[type["BodyWriter"]] = Registry("body writer", __name__)


class BodyWriter(ABC):
    """Writes a reduced body as one kind of file; has no state.

    Attributes:
        title: for menus and help ("NumPy archive").
        extensions: endings of its files in lower case with the dot.
    """

    title: ClassVar[str]
    extensions: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def write(cls, body: BodyFile, path: Path) -> tuple[str, ...]:
        """Write the body; return a sentence for each part of it that the format cannot hold.

        Raises:
            ModelError: when the format cannot hold the body at all.
            OSError: when the file cannot be written.
        """

    @classmethod
    def files(cls, path: Path) -> tuple[Path, ...]:
        """Return all files that are written for a path."""
        return (path,)


def body_endings() -> tuple[str, ...]:
    """Return the endings of all files that body writers write."""
    return tuple(ending for _, writer in body_writers.items() for ending in writer.extensions)


def body_writer_for(path: Path) -> type[BodyWriter]:
    """Return the writer for a file name by its ending.

    Raises:
        ModelError: when no writer writes such files; the hint lists the known endings.
    """
    for _, writer in body_writers.items():
        if path.suffix.lower() in writer.extensions:
            return writer
    raise ModelError(
        f"{path.name}: no reduced body is written as a file of this kind.",
        f"Known are: {', '.join(body_endings())}.",
    )


def write_body(body: BodyFile, path: Path) -> tuple[str, ...]:
    """Write a reduced body in the file format of the path's ending; return the omissions, in sentences.

    A companion file from an earlier export that this one does not write is removed, so that nobody mistakes it for a
    part of this one. Files that Faying did not write are kept, and a sentence says so.

    Raises:
        ModelError: for another ending, or a body that the format cannot hold.
        FayingError: when the file cannot be written.
    """
    writer = body_writer_for(path)
    try:
        before = stamps(writer.files(path))
        said = list(writer.write(body, path))
        written = written_since(before, writer.files(path))
        for file in before:
            if file in written:
                continue
            if is_own_output(file):
                file.unlink()
            else:
                said.append(f"{file.name} was there before and is no part of this.")
        # Not files of others: if recorded, they would be removed as our own the next time.
        remember_outputs(written)
    except OSError as error:
        raise FayingError(
            f"{path} cannot be written: {error.strerror or error}.", "Choose another place."
        ) from error
    return tuple(said)
