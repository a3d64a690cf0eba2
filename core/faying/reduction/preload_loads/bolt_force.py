"""The tension of a bolt that is cut: both sides of the cut are pulled towards each other."""

import numpy as np

from faying.errors import ModelError
from faying.params import parameter
from faying.reduction.preload_loads import PreloadAction, PreloadedBody, PreloadLoad, preload_loads


@preload_loads.register("bolt_force")
class BoltForce(PreloadLoad):
    """The tension of a cut bolt, a self-equilibrated load."""

    bolt: str = parameter(title="Bolt", choices="bolt", meaning="A bolt of the body or of its deck.")
    force: float = parameter(
        0.0,
        title="Force",
        quantity="force",
        meaning="Tension in the shank; positive clamps the parts together.",
    )

    def act(self, on: PreloadedBody) -> PreloadAction:
        """Return the pair of forces at the centres of the cut."""
        bolt = on.model.bolt(self.bolt)
        if bolt is None:
            names = ", ".join(bolt.name for bolt in on.model.bolts)
            raise ModelError(f"There is no bolt called {self.bolt!r}.", f"There are: {names or 'none'}.")
        forces = np.zeros(on.dofs.n_dofs)
        for centre, sense in zip(bolt.centres, (1.0, -1.0), strict=True):
            rows = on.dofs.node_rows(centre)[:3]
            forces += np.asarray(on.dofs.transformation[rows].T @ (sense * self.force * bolt.axis))
        return PreloadAction(forces)
