"""CAD files: geometry that is meshed before any analysis."""

from pathlib import Path

GEOMETRY_ENDINGS = (".step", ".stp", ".iges", ".igs", ".brep", ".stl")

GEOMETRY_HINT = (
    'Install Gmsh with pip install "faying[cad]" and mesh it by File ▸ Mesh a CAD file… or faying mesh FILE --to '
    "FILE.inp, or mesh it in another program and open that mesh."
)


def is_geometry(path: Path) -> bool:
    """Return whether a file is CAD geometry, judged by its suffix."""
    return path.suffix.lower() in GEOMETRY_ENDINGS
