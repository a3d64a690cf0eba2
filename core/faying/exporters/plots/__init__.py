"""Plots as files. A member is one file, registered under its extension.

The core has tables; the shell adds pictures through the entry point group ``faying.plots``, so that the core
contains no drawing code.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from faying.errors import ModelError
from faying.exporters import WITHOUT_WINDOW
from faying.plot import Plot
from faying.registry import Registry

plot_writers: Registry[type["PlotWriter"]] = Registry("plot writer", __name__)


@dataclass(frozen=True)
class PictureSettings:
    """Settings for drawing a plot: `size` in pixels, on a dark background or a light one."""

    size: tuple[int, int] = (960, 640)
    dark: bool = False


class PlotWriter(ABC):
    """Writes one kind of file; has no state.

    Attributes:
        title: for menus and help ("Picture (PNG)").
    """

    title: ClassVar[str]

    @abstractmethod
    def write(self, plot: Plot, path: Path, settings: PictureSettings) -> None:
        """Write the file under a temporary name, then move it into place.

        Raises:
            FayingError: when it cannot be drawn or written here.
        """


def plot_writer_for(path: Path) -> PlotWriter:
    """Return the writer for a file name by its extension.

    Raises:
        ModelError: when no writer writes such files; the hint lists the known extensions.
    """
    kind = path.suffix.lower().lstrip(".")
    if kind not in plot_writers:
        known = ", ".join(f".{name}" for name in plot_writers)
        lacks = "" if "png" in plot_writers else WITHOUT_WINDOW
        raise ModelError(
            f"{path.name}: no plot is written as a file of this kind.", f"Known are: {known}.{lacks}"
        )
    return plot_writers[kind]()
