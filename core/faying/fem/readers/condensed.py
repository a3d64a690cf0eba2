"""Reader of condensed matrices with contact elements (.mat), whose only geometry is the faces of the joints."""

from pathlib import Path

from faying.fem.body_skin import skin_of
from faying.fem.condensed import CONDENSED, condensed_arrays
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.progress import Progress


@readers.register("condensed")
class CondensedReader(ModelReader):
    """Reads the faces from matrices with the names of tmdsimpy; a project may define other names."""

    title = "Condensed matrices (MATLAB)"
    extensions = CONDENSED

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the faces of the joints as a model of facets without stiffness and mass."""
        return skin_of(condensed_arrays(path))
