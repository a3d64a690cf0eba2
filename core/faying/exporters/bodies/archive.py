"""Reduced bodies as NumPy archives and HDF5 files, which Faying itself reads back (`faying.reduction.body_file`)."""

from pathlib import Path
from typing import ClassVar

from faying.exporters.bodies import BodyWriter, body_writers
from faying.fem.body_arrays import ENDINGS
from faying.reduction.body_file import BodyFile, write_body_file


@body_writers.register("archive")
class ArchiveWriter(BodyWriter):
    """Header and all arrays."""

    title: ClassVar[str] = "Reduced body"
    extensions: ClassVar[tuple[str, ...]] = ENDINGS

    @classmethod
    def write(cls, body: BodyFile, path: Path) -> tuple[str, ...]:
        """Write everything."""
        write_body_file(path, body)
        return ()
