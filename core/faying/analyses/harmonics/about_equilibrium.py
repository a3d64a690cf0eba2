"""A body that vibrates about a static equilibrium: where it is held, and under what it rests."""

from collections.abc import Collection, Iterator
from typing import ClassVar

from faying.analyses import BodyAnalysis
from faying.analyses.statics.load_case import LoadCase
from faying.errors import ModelError
from faying.params import parameter
from faying.reduction.body import no_interface_node


class BodyAboutEquilibrium(BodyAnalysis):
    """An analysis of a body about its equilibrium under preload cases, or about a frame of a static analysis."""

    needs_model: ClassVar[bool] = True
    follows: ClassVar[tuple[str, ...]] = ("static",)

    support: str = parameter(
        "", title="Held at", choices="interface",
        meaning="Interface node whose six dofs are held; none for the free body.",
    )  # fmt: skip
    preloads: tuple[str, ...] = parameter(
        (), title="Preload cases", choices="preload",
        meaning="Preload cases under which the body rests, where there is no static analysis.",
    )  # fmt: skip
    equilibrium: str = parameter(
        "", title="About", choices="analysis",
        meaning="Static analysis of the same body about which it vibrates, with the state of its joints. Empty for the "
        "body under its preload cases alone.",
    )  # fmt: skip
    equilibrium_frame: int = parameter(
        -1, title="Frame of it", ge=-1,
        meaning="Number of its frame, a load step, from 0; −1 for the last one.",
    )  # fmt: skip

    def predecessors(self) -> tuple[str, ...]:
        """Return the static analysis about which the body vibrates, if there is one."""
        return (self.equilibrium,) if self.equilibrium else ()

    def load_cases(self) -> tuple[LoadCase, ...]:
        """Return the support and preload at which the body vibrates; how much is open."""
        return () if self.equilibrium else (LoadCase(self.support, self.preloads, inertia=True),)

    def problems_of_state(self, interfaces: Collection[str]) -> Iterator[ModelError]:
        """Yield the errors in support and equilibrium.

        Args:
            interfaces: names of the body's interface nodes.
        """
        if self.support and self.support not in interfaces:
            yield no_interface_node(self.support, interfaces)
        if self.equilibrium and self.preloads:
            yield ModelError(
                f"Analysis {self.name!r} is about the equilibrium of {self.equilibrium!r}, which has preload cases of "
                "its own.",
                "Leave its preload cases out, or choose no static analysis.",
            )
