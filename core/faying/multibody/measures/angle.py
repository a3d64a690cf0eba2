"""The angle of a marker about the z axis of another one."""

from collections.abc import Mapping
from typing import ClassVar

from faying.multibody.markers import MarkerMotion, MarkersAt
from faying.multibody.measures import PairMeasure, measures
from faying.multibody.rows import angle_about_z, unwrapped


@measures.register("angle")
class AngleMeasure(PairMeasure):
    """The angle of the second marker about the z axis of the first one; full turns count from the start on."""

    quantity: ClassVar[str] = "angle"

    def of_motion(self, at: MarkersAt, values: Mapping[str, float]) -> float:
        """Return the angle next to the one of the last accepted state; at the start in (−π, π]."""
        angle = self.between(at.motion(self.first), at.motion(self.second))
        last = at.remembered.get(self.name)
        return angle if last is None else unwrapped(angle, float(last[0]))

    def of_place(self) -> bool:
        """Return True."""
        return True

    def between(self, i: MarkerMotion, j: MarkerMotion) -> float:
        """Return the angle in (−π, π]."""
        return angle_about_z(i, j)

    def memory(self, at: MarkersAt, values: Mapping[str, float]) -> tuple[float, ...]:
        """Return the angle, to count full turns from."""
        return (self.of_motion(at, values),)

    @property
    def memory_size(self) -> int:
        """Return one."""
        return 1
