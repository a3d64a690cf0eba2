"""Common to steps with loads: the step's own loads and displacements."""

from faying.analyses.displacements import DisplacementSpec
from faying.analyses.loads import LoadSpec
from faying.analyses.step_kinds import Step
from faying.reduction.acting_loads import ActingLoadSpec


class LoadingStep(Step):
    """A step with loads and displacements of its own; a member defines how they change over its legs."""

    loads: tuple[LoadSpec, ...] = ()
    body_loads: tuple[ActingLoadSpec, ...] = ()
    displacements: tuple[DisplacementSpec, ...] = ()

    @property
    def own_loads(self) -> tuple[LoadSpec, ...]:
        """As decided."""
        return self.loads

    @property
    def own_body_loads(self) -> tuple[ActingLoadSpec, ...]:
        """As decided."""
        return self.body_loads

    @property
    def own_displacements(self) -> tuple[DisplacementSpec, ...]:
        """As decided."""
        return self.displacements
