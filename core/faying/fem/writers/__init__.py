"""Writers of model files. A member is one file that registers a `ModelWriter` under its format's name."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.registry import Registry

writers: Registry[type["ModelWriter"]] = Registry("model writer", __name__)


class ModelWriter(ABC):
    """Writes one file format; has no state.

    Attributes:
        title: what a user calls the format, for file dialogs.
        extensions: suffixes of its files in lower case with the dot.
    """

    title: ClassVar[str]
    extensions: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def write(cls, model: FeModel, path: Path) -> tuple[str, ...]:
        """Write a model; return a sentence for each item that the format cannot represent.

        Raises:
            OSError: when the file cannot be written.
        """


def write_model(model: FeModel, path: str | Path) -> tuple[str, ...]:
    """Write a model to a file by the writer for its suffix; return sentences about omitted items.

    Raises:
        ModelError: when there is no writer for the suffix.
        OSError: when the file cannot be written.
    """
    path = Path(path)
    for _, writer in writers.items():
        if path.suffix.lower() in writer.extensions:
            return writer.write(model, path)
    known = ", ".join(sorted(ending for _, writer in writers.items() for ending in writer.extensions))
    raise ModelError(
        f"No writer knows model files ending in {path.suffix or 'nothing'!r}.", f"Known are: {known}."
    )
