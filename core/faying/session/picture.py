"""Pictures as bytes: a notebook shows them, and a file takes them."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from faying.atomic import replacing
from faying.errors import FayingError
from faying.exporters.plots import PictureSettings, plot_writer_for
from faying.plot import Plot
from faying.project.outputs import writing


@dataclass(frozen=True)
class Picture:
    """A picture that was drawn.

    Attributes:
        png: the file's bytes; a notebook shows them.
        title: what it shows.
    """

    png: bytes
    title: str

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<Picture {self.title!r}: {len(self.png)} bytes of PNG>"

    def save(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the picture to a file; the name has to end in ``.png``.

        Args:
            path: the file.
            replace: whether to replace files that Faying did not write or that have changed since.

        Raises:
            FayingError: when the file must not or cannot be written.
        """
        path = Path(path)
        with writing(path, endings=(".png",), replace=replace):
            try:
                with replacing(path, durable=False) as beside:
                    beside.write_bytes(self.png)
            except OSError as error:
                raise FayingError(
                    f"{path} cannot be written ({error.strerror or error}).", "Choose another place."
                ) from error


def drawn(write: Callable[[Path], None], title: str) -> Picture:
    """Return the bytes that a function writes to the file whose path it receives; passes its errors on."""
    with tempfile.TemporaryDirectory(prefix="faying-") as folder:
        path = Path(folder) / "picture.png"
        write(path)
        return Picture(path.read_bytes(), title)


def plotted(plot: Plot, size: tuple[int, int], dark: bool) -> Picture:
    """Return a plot drawn as the window draws it.

    Args:
        plot: what is drawn.
        size: pixels.
        dark: a dark background.

    Raises:
        MissingDependencyError: when no plotting package is installed; the message names what is missing.
    """
    path = Path("plot.png")
    return drawn(
        lambda file: plot_writer_for(path).write(plot, file, PictureSettings(size, dark)), plot.title
    )
