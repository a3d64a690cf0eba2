"""Exporters: results as pictures, films and tables. A member is one file, registered under its extension.

The core has tables and VTKHDF; the shell adds pictures and films through the entry point group
``faying.exporters``, so that the core knows nothing of VTK.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.joints.pairs import ContactPairs
from faying.progress import Progress
from faying.registry import Registry
from faying.results.fields import FieldContext
from faying.units import UnitSystemName

exporters: Registry[type["Exporter"]] = Registry("exporter", __name__)


@dataclass(frozen=True)
class ExportContent:
    """What there is to be shown: a body, its joints, and the frames of one result or its modes.

    Attributes:
        title: what the frames are of: the name of the analysis, or "modes".
        units: unit system of all numbers.
        model: the body's FE model.
        context: frames, reduced body (in their frame of reference) and laws; for the fields.
        surfaces: (master, slave) by joint name.
        pairs: contact pairs by joint name.
    """

    title: str
    units: UnitSystemName
    model: FeModel
    context: FieldContext
    surfaces: dict[str, tuple[Surface, Surface]]
    pairs: dict[str, ContactPairs]


@dataclass(frozen=True)
class ExportSettings:
    """How it is to be shown.

    Attributes:
        field: kind of a field ("pressure").
        joint: the joint of a joint field; "" for all joints that the exporter can show, or the first.
        frames: frame numbers in order; exporters of a single frame take the first.
        size: pixels of a picture or film.
        frames_per_second: of a film.
        scale: factor of the shown displacements; None chooses one that can be seen.
        view: "iso", "+x", … "-z": where the camera stands.
        dark: a dark background.
    """

    field: str
    frames: tuple[int, ...]
    joint: str = ""
    size: tuple[int, int] = (1280, 720)
    frames_per_second: int = 25
    scale: float | None = None
    view: str = "iso"
    dark: bool = False


class Exporter(ABC):
    """Writes one kind of file; has no state.

    Attributes:
        title: for menus and help ("Film (MP4)").
        many_frames: whether a file holds all frames (a film, a table) or one (a picture).
    """

    title: ClassVar[str]
    many_frames: ClassVar[bool] = True

    @abstractmethod
    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write the file, first under another name, then moved into place.

        Raises:
            FayingError: when the field or joint is not there, or the file cannot be written.
            Cancelled: leaves no file behind.
        """


def exporter_for(path: Path) -> Exporter:
    """Return the exporter for a file name by its extension.

    Raises:
        ModelError: when no exporter writes such files; the hint lists those that are known.
    """
    kind = path.suffix.lower().lstrip(".")
    if kind not in exporters:
        known = ", ".join(f".{name}" for name in exporters)
        raise ModelError(f"{path.name}: nothing here writes files of this kind.", f"Known are: {known}.")
    return exporters[kind]()
