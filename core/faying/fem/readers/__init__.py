"""Readers of model files. A member is one file that registers a `ModelReader` under its format's name."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from faying.errors import ReadError
from faying.fem.cad_files import GEOMETRY_HINT, is_geometry
from faying.fem.model import FeModel
from faying.input_files import check_regular, is_file
from faying.progress import Progress, Silent
from faying.registry import Registry

readers: Registry[type["ModelReader"]] = Registry("model reader", __name__)


class ModelReader(ABC):
    """Reads one file format; has no state.

    Attributes:
        title: what a user calls the format, for file dialogs.
        extensions: suffixes of its files in lower case with the dot.
        material_cards: cards that define a material's "stress" (Young's modulus) and "density", for hints; empty for
            formats without materials.
        cards: supported cards, commands, sections or datasets of the model, as written in files; empty for formats
            without.
        case_cards: likewise for loads, supports and steps.
    """

    title: ClassVar[str]
    extensions: ClassVar[tuple[str, ...]]
    material_cards: ClassVar[Mapping[str, str]] = {}
    cards: ClassVar[tuple[str, ...]] = ()
    case_cards: ClassVar[tuple[str, ...]] = ()

    @classmethod
    @abstractmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a file.

        Args:
            path: of the file.
            progress: is told how far the reading is; may cancel it.
            outlines: for bodies with imported matrices: keep elements of unsupported types as shapes only, for surfaces
                and pictures; elements of unknown shape are left out.

        Raises:
            ReadError: one sentence with file, line and what was expected.
            Cancelled: when the user asked to stop.
        """

    @classmethod
    def includes(cls, file: Path) -> tuple[Path, ...]:
        """Return the files that this file includes directly, whether or not they exist; () for most formats.

        Raises:
            OSError: when the file cannot be read.
        """
        return ()


def read_model(path: str | Path, progress: Progress | None = None, *, outlines: bool = False) -> FeModel:
    """Return the model in a file, read by the reader for its suffix.

    Args:
        path: of the file.
        progress: is told how far the reading is; may cancel it.
        outlines: see `ModelReader.read`.

    Raises:
        ReadError: when the file is missing, empty, not text, of an unknown kind, or contains an error.
        Cancelled: when the user asked to stop.
    """
    path = Path(path)
    reader = reader_of(path)
    try:
        check_regular(path)
    except FileNotFoundError:
        pass  # the reader, if there is one, raises the error
    except IsADirectoryError:
        raise ReadError(
            path, None, "this is a folder, expected a model file.", "Choose a file inside it."
        ) from None
    except OSError as error:
        raise ReadError(
            path, None, f"it cannot be read ({error.strerror}).", "Choose a model file."
        ) from None
    if reader is None and is_geometry(path):
        raise ReadError(path, None, "this is geometry, not a mesh.", GEOMETRY_HINT)
    if reader is None:
        raise ReadError(
            path, None, f"no reader knows files ending in {path.suffix or 'nothing'!r}.",
            f"Known endings are: {', '.join(model_endings())}.",
        )  # fmt: skip
    return reader.read(path, progress or Silent(), outlines)


def model_endings() -> tuple[str, ...]:
    """Return the suffixes of all supported model files, in lower case with the dot."""
    return tuple(sorted(ending for _, reader in readers.items() for ending in reader.extensions))


def files_of_model(path: str | Path) -> tuple[Path, ...]:
    """Return the files of a model: `path`, then the files that it includes, directly or indirectly, each once.

    Missing files are omitted, and a file that is not a model raises no error. Since decks are large and this is called
    often, a file is searched for includes again only after its time stamp or size has changed.
    """
    path = Path(path)
    reader = reader_of(path)
    if reader is None:
        return (path,)
    found: dict[Path, None] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop(0)
        if file in found or not is_file(file):
            continue
        found[file] = None
        try:
            status = file.stat()
            waiting += _includes(reader, file, status.st_mtime_ns, status.st_size)
        except OSError:  # the reader will report the error
            continue
    return tuple(found)


@lru_cache(maxsize=1024)
def _includes(reader: type[ModelReader], file: Path, modified: int, size: int) -> tuple[Path, ...]:
    return reader.includes(file)


def reader_of(path: Path) -> type[ModelReader] | None:
    """Return the reader for a model file's suffix, None if there is none."""
    for _, reader in readers.items():
        if path.suffix.lower() in reader.extensions:
            return reader
    return None
