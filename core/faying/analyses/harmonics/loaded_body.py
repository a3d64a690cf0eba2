"""A body under harmonic loads: the loads, the points where they act and motion is output, and damping."""

from collections.abc import Collection, Iterator

from faying.analyses.harmonics.damped_body import DampedBodyAnalysis
from faying.analyses.harmonics.response_points import (
    HarmonicBodyLoadSpec,
    HarmonicLoadSpec,
    PointRows,
    ResponsePointSpec,
    no_rotations,
)
from faying.errors import ModelError
from faying.params import parameter
from faying.solvers.harmonic import Damping


class LoadedBodyAnalysis(DampedBodyAnalysis):
    """An analysis of a body under harmonic loads."""

    loads: tuple[HarmonicLoadSpec, ...] = parameter(
        (), title="Loads",
        meaning="Amplitudes and phases of forces and moments at interface nodes and points; their load histories do "
        "not count.",
    )  # fmt: skip
    body_loads: tuple[HarmonicBodyLoadSpec, ...] = parameter(
        (), title="Loads of the body",
        meaning="Amplitudes and phases of pressures, accelerations and other loads that the body declares; their load "
        "histories do not count. A weight that swings is what a body feels whose support is shaken, and the motion is "
        "then seen from there.",
    )  # fmt: skip
    more_points: tuple[ResponsePointSpec, ...] = parameter(
        (), title="More points",
        meaning="Nodes of the mesh and contact pairs where loads may act and whose motion is reported in addition to "
        "that of the interface nodes.",
    )  # fmt: skip
    structural_damping: float = parameter(
        0.0, title="Structural damping", ge=0.0,
        meaning="Loss factor η: the stiffness of the body is K (1 + i η) at all frequencies, as of material with "
        "hysteresis.",
    )  # fmt: skip

    @property
    def damping(self) -> Damping:
        """What damps the body in addition to its joints."""
        return Damping(self.mass_damping, self.stiffness_damping, self.structural_damping, self.modal_damping)

    @property
    def moving_loads(self) -> list[HarmonicLoadSpec]:
        """The loads that are not zero and act away from the support."""
        away = [load for load in self.loads if load.interface != self.support]
        return [load for load in away if any(load.force) or any(load.moment)]

    @property
    def acting_body_loads(self) -> list[HarmonicBodyLoadSpec]:
        """The loads of the body that are not zero."""
        return [acting for acting in self.body_loads if acting.factor]

    def moving_places(self, places: Collection[PointRows]) -> list[PointRows]:
        """Return the places whose motion is output: all but the support."""
        return [place for place in places if place.name != self.support]

    def problems_of_loads(
        self, interfaces: Collection[str], joints: Collection[str] = ()
    ) -> Iterator[ModelError]:
        """Yield the errors in points and loads.

        Args:
            interfaces: names of the body's interface nodes.
            joints: names of its joints.
        """
        yield from self._problems_of_points(interfaces, joints)
        known = [*interfaces, *(point.name for point in self.more_points)]
        for name in sorted({load.interface for load in self.loads} - set(known)):
            yield ModelError(
                f"There is no interface node or point called {name!r}.",
                f"There are: {', '.join(known) or 'none'}.",
            )
        if not self.moving_loads and not self.acting_body_loads:
            yield ModelError(
                f"The analysis {self.name!r} has no load away from its support.",
                "Add a force or a moment at another interface node, or a load of the body.",
            )
        points = {point.name for point in self.more_points}
        for load in self.moving_loads:
            if any(load.moment) and load.interface in points:
                yield no_rotations(load)

    def _problems_of_points(
        self, interfaces: Collection[str], joints: Collection[str]
    ) -> Iterator[ModelError]:
        seen: dict[tuple[str, int], str] = {}
        names = set(interfaces)
        for point in self.more_points:
            place = (point.joint, point.number)
            if point.name in names:
                yield ModelError(f"The name {point.name!r} is used twice.", "Give each point its own name.")
            elif place in seen:
                yield ModelError(
                    f"The points {seen[place]!r} and {point.name!r} are the same.", "Leave one of them out."
                )
            if point.joint and point.joint not in joints:
                yield ModelError(
                    f"Point {point.name!r}: there is no joint called {point.joint!r}.",
                    f"There are: {', '.join(joints) or 'none'}.",
                )
            if not point.number:
                yield ModelError(
                    f"Point {point.name!r} names no node.",
                    "Give the number of a node"
                    + (", that of the pair's slave node." if point.joint else "."),
                )
            names.add(point.name)
            seen.setdefault(place, point.name)
