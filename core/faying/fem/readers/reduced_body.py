"""Reader of files of reduced bodies (.npz, .h5): the skin of the mesh with surfaces and named nodes.

The reduced matrices and rows in such a file are read by `faying.reduction.body_file`.
"""

from pathlib import Path

from faying.fem.body_arrays import ENDINGS, read_body_arrays
from faying.fem.body_skin import skin_of
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.progress import Progress


@readers.register("reduced_body")
class ReducedBodyReader(ModelReader):
    """Reads the skin: node sets are the interface nodes, surfaces are those of joints and those for other parts."""

    title = "Reduced body of Faying"
    extensions = ENDINGS

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the skin as a model of facets without stiffness and mass."""
        return skin_of(read_body_arrays(path))
