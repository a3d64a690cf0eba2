"""Loads change from those that act to others."""

from typing import ClassVar

from faying.analyses.statics.displacements import DisplacementSpec
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.step_kinds import LoadingStep, step_kinds
from faying.params import parameter
from faying.reduction.acting_loads import ActingLoadSpec


@step_kinds.register("load")
class LoadChange(LoadingStep):
    """The loads go linearly from those of the last step to these; without any they go away.

    Displaced nodes go to where they are to be from where they are; the reactions at those that are displaced no longer
    go away.
    """

    title: ClassVar[str] = "Load or unload"

    loads: tuple[LoadSpec, ...] = parameter(
        (), title="Loads",
        meaning="Forces and moments that act at the end of the step, all of them; none to unload.",
    )  # fmt: skip

    body_loads: tuple[ActingLoadSpec, ...] = parameter(
        (), title="Loads of the body",
        meaning="Pressures, weight, temperatures and other loads that the body declares, at the end of the step.",
    )  # fmt: skip
    displacements: tuple[DisplacementSpec, ...] = parameter(
        (), title="Displacements",
        meaning="Where interface nodes are at the end of the step, as seen from the support. Those that an earlier "
        "step displaced and this one does not are set free.",
    )  # fmt: skip

    @property
    def segments(self) -> tuple[tuple[float, ...], ...]:
        """One segment, on which the earlier loads go to zero."""
        return ((0.0, 1.0),)

    def describe(self) -> str:
        """Return what it does."""
        if any(any(load.force) or any(load.moment) for load in self.loads):
            return "load"
        if any(acting.factor for acting in self.body_loads):
            return "load"
        return "displace" if any(each.given for each in self.displacements) else "unload"
