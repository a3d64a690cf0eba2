"""What an analysis asks of a reduction basis: loads that the reduced body has to bear as the FE model does."""

from dataclasses import dataclass

from faying.analyses.statics.displacements import DisplacementSpec
from faying.analyses.statics.loads import LoadSpec
from faying.reduction.acting_loads import ActingLoadSpec


@dataclass(frozen=True)
class LoadCase:
    """Loads that act together on a body, on top of preload cases.

    Attributes:
        support: interface node that holds the body; empty for a free body.
        preloads: names of the preload cases.
        loads: at interface nodes.
        body_loads: of the body.
        displacements: of interface nodes.
        friction: whether the friction laws of the joints act.
        inertia: whether the body vibrates there, so that its inertia loads it, too.
        bolts: name and force of each bolt that was tightened before, in place of preload cases.
        tightened: the same when the case is over, where it is that bolts are tightened or loosened; else empty.
    """

    support: str
    preloads: tuple[str, ...] = ()
    loads: tuple[LoadSpec, ...] = ()
    body_loads: tuple[ActingLoadSpec, ...] = ()
    displacements: tuple[DisplacementSpec, ...] = ()
    friction: bool = True
    inertia: bool = False
    bolts: tuple[tuple[str, float], ...] = ()
    tightened: tuple[tuple[str, float], ...] = ()

    @property
    def acts(self) -> bool:
        """Whether there is something to act."""
        return bool(self.loads or self.body_loads or self.displacements or self.tightened)
