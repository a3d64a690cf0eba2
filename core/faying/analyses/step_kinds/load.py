"""Loads change from those that act to others."""

from typing import ClassVar

from faying.analyses.loads import LoadSpec
from faying.analyses.step_kinds import Step, step_kinds
from faying.params import parameter


@step_kinds.register("load")
class LoadChange(Step):
    """The loads go linearly from those of the last step to these; without any they go away."""

    title: ClassVar[str] = "Load or unload"

    loads: tuple[LoadSpec, ...] = parameter(
        (), title="Loads",
        meaning="Forces and moments that act at the end of the step, all of them; none to unload.",
    )  # fmt: skip

    @property
    def own_loads(self) -> tuple[LoadSpec, ...]:
        """As decided."""
        return self.loads

    @property
    def legs(self) -> tuple[tuple[float, ...], ...]:
        """One leg, in which the loads before go away."""
        return ((0.0, 1.0),)

    def describe(self) -> str:
        """Return what it does."""
        return "load" if any(any(load.force) or any(load.moment) for load in self.loads) else "unload"
