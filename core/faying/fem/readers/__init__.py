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
        extensions: endings of its files in lower case with the dot.
        material_cards: what gives a material its "stress" (Young's modulus) and "density" in such files, for hints;
            empty for formats without materials.
        cards: cards, commands, sections or datasets of the model that are taken over, as people write them; empty for
            formats without such.
        case_cards: likewise those of loads, supports and steps.
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
            outlines: for bodies whose matrices are imported: elements of a type without a formulation here are kept as
                mere shapes, for surfaces and pictures; those of unknown shape are left out.

        Raises:
            ReadError: one sentence with file, line and what was expected.
            Cancelled: when the user asked to stop.
        """

    @classmethod
    def includes(cls, file: Path) -> tuple[Path, ...]:
        """Return the files that this file includes directly, whether they exist or not; () for most formats.

        Raises:
            OSError: when the file cannot be read.
        """
        return ()


def read_model(path: str | Path, progress: Progress | None = None, *, outlines: bool = False) -> FeModel:
    """Return the model in a file, by the reader that its extension names.

    Args:
        path: of the file.
        progress: is told how far the reading is; may cancel it.
        outlines: see `ModelReader.read`.

    Raises:
        ReadError: when the file is missing, empty, no text, of an unknown kind, or wrong somewhere.
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
    """Return the endings of all model files that a reader knows, in lower case with the dot."""
    return tuple(sorted(ending for _, reader in readers.items() for ending in reader.extensions))


def files_of_model(path: str | Path) -> tuple[Path, ...]:
    """Return the files that make a model, `path` first, then those that it includes, directly or not, each once.

    Missing files are left out; nothing is raised for a file that is no model. Since decks are large and this is called
    often, the includes of a file are searched again only when its time stamp or size has changed.
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
        except OSError:  # the reader says what is wrong
            continue
    return tuple(found)


@lru_cache(maxsize=1024)
def _includes(reader: type[ModelReader], file: Path, modified: int, size: int) -> tuple[Path, ...]:
    return reader.includes(file)


def reader_of(path: Path) -> type[ModelReader] | None:
    """Return the reader of a model file by its ending, None when there is none."""
    for _, reader in readers.items():
        if path.suffix.lower() in reader.extensions:
            return reader
    return None
