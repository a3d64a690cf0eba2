"""Analyses of a body that is held at one interface node, loaded at others, and perhaps preloaded."""

import numpy as np

from faying.analyses import BodyAnalysis
from faying.analyses.loads import LoadSpec, load_vectors
from faying.params import parameter
from faying.reduction.body import ReducedBody


class HeldAnalysis(BodyAnalysis):
    """What such analyses have in common: support, loads, preload cases."""

    support: str = parameter(
        title="Held at", choices="interface", meaning="Interface node whose six dofs are held."
    )
    loads: tuple[LoadSpec, ...] = parameter(
        (), title="Loads", meaning="Forces and moments at interface nodes."
    )
    preloads: tuple[str, ...] = parameter(
        (), title="Preload cases", choices="preload",
        meaning="Preload cases of the body that act at full size, before the loads and all the time.",
    )  # fmt: skip

    def held_body(self, body: ReducedBody) -> ReducedBody:
        """Return the reduced body clamped at the support, its initial gaps those of the preload cases."""
        return body.clamped_to(self.support).preloaded(self.preloads)

    def load_columns(self, held: ReducedBody) -> np.ndarray:
        """Return (r, n_loads) generalised forces of the loads at full size."""
        return load_vectors(self.loads, held.interfaces)
