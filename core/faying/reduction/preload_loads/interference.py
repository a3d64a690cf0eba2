"""Interference: a joint whose parts overlap before they are assembled."""

import numpy as np

from faying.errors import ModelError
from faying.params import parameter
from faying.reduction.preload_loads import PreloadAction, PreloadedBody, PreloadLoad, preload_loads


@preload_loads.register("interference")
class Interference(PreloadLoad):
    """The initial gap of a joint shrinks everywhere by the same amount: a press fit, a shim, a tightened wedge."""

    joint: str = parameter("", title="Joint", choices="joint", meaning="The joint whose parts overlap.")
    amount: float = parameter(
        0.0, title="Interference", quantity="length", ge=0.0, meaning="By how much the initial gap shrinks."
    )

    def act(self, on: PreloadedBody) -> PreloadAction:
        """Return no force, and the closing of the joint."""
        if self.joint not in on.joints:
            raise ModelError(
                f"There is no joint called {self.joint!r} for an interference.",
                f"There are: {', '.join(on.joints) or 'none'}.",
            )
        return PreloadAction(np.zeros(on.dofs.n_dofs), {self.joint: self.amount})
