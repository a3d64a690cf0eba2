"""A load that the file of a reduced body holds."""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.reduction.body_loads import BodyLoad, LoadedBody, body_loads


@body_loads.register("of_file")
class LoadOfFile(BodyLoad):
    """A load of a body that was read reduced: what it acts on and how large it is stands in the body's file."""

    title: ClassVar[str] = "Load in the body's file"

    def forces(self, on: LoadedBody) -> np.ndarray:
        """Raise a ModelError: only a body that was read from a reduced body's file has such a load.

        Raises:
            ModelError: always.
        """
        raise ModelError(
            "it is one of a reduced body's file, and this body is read from a deck.",
            "Choose another kind of load.",
        )
