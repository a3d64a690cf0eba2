"""A load on the rest of a structure, contained in a superelement."""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError, there_are
from faying.params import parameter
from faying.reduction.body_loads import BodyLoad, LoadedBody, body_loads


@body_loads.register("of_superelement")
class LoadOfSuperelement(BodyLoad):
    """One of a superelement's load vectors: loads on the rest of the structure, reduced to its boundary."""

    title: ClassVar[str] = "Load of a superelement"
    not_in_motion: ClassVar[str] = "nothing says what it does to the motion as a whole of a part that turns"

    superelement: str = parameter(
        title="Superelement", choices="superelement", min_length=1, meaning="Name of the superelement."
    )
    column: int = parameter(
        1,
        title="Number",
        ge=1,
        meaning="Which of its load vectors, counted from one in the order of the file.",
    )
    size: float = parameter(1.0, title="Factor", meaning="By what the load vector is multiplied.")

    def forces(self, on: LoadedBody) -> np.ndarray:
        """Return (n_dofs,) the load vector times the factor."""
        known = on.matrices.load_vectors
        if self.superelement not in known:
            raise ModelError(
                f"there is no superelement {self.superelement!r} with load vectors.",
                there_are(self.superelement, known)
                if known
                else "Name its file of load vectors in the model.",
            )
        vectors = known[self.superelement]
        if self.column > vectors.shape[1]:
            raise ModelError(
                f"the superelement {self.superelement!r} has {vectors.shape[1]} load vectors, number {self.column} is "
                "wanted.",
                "Choose one of these.",
            )
        return np.asarray(self.size * vectors[:, self.column - 1])
