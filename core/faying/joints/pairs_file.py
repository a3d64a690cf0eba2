"""Contact pairs written to a file of any supported kind."""

from collections.abc import Callable
from pathlib import Path

from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.joints.pairs import ContactPairs
from faying.joints.pairs_grid import write_pairs_grid
from faying.joints.pairs_table import write_pairs_table

PAIRS_FILES: dict[str, tuple[str, Callable[[Path, ContactPairs, FeModel, str], None]]] = {
    ".csv": ("Table", write_pairs_table),
    ".vtu": ("VTK unstructured grid", write_pairs_grid),
}


def write_pairs(path: Path, pairs: ContactPairs, model: FeModel, units: str) -> None:
    """Write contact pairs to a file; its kind follows from the ending of the path.

    Args:
        path: of the file.
        pairs: of one joint.
        model: of the body.
        units: the project's unit system.

    Raises:
        FayingError: for another ending, or when the file cannot be written.
    """
    if path.suffix.lower() not in PAIRS_FILES:
        raise FayingError(
            f"Contact pairs cannot be written as {path.suffix or 'a file without ending'}.",
            f"Choose one of {', '.join(PAIRS_FILES)}.",
        )
    try:
        PAIRS_FILES[path.suffix.lower()][1](path, pairs, model, units)
    except OSError as error:
        raise FayingError(f"{path} cannot be written: {error.strerror}.", "Choose another place.") from error
