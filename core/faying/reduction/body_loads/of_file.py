"""A load from the file of a reduced body."""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.reduction.body_loads import BodyLoad, LoadedBody, body_loads


@body_loads.register("of_file")
class LoadOfFile(BodyLoad):
    """A load of a body read in reduced form: its distribution and size are defined in the body's file."""

    title: ClassVar[str] = "Load in the body's file"

    def forces(self, on: LoadedBody) -> np.ndarray:
        """Raise a ModelError: only bodies read from a reduced body's file have such loads.

        Raises:
            ModelError: always.
        """
        raise ModelError(
            "it is one of a reduced body's file, and this body is read from a deck.",
            "Choose another kind of load.",
        )
