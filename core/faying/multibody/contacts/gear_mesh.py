"""Data of two gears, as decisions, for curves that gear engineers use."""

from math import cos, radians

from pydantic import model_validator

from faying.params import Spec, parameter


class GearMeshSpec(Spec):
    """Two outer involute wheels whose flanks touch: teeth and axes; without teeth the parts are no gears.

    A run then has curves of transmission error, deflection and mesh stiffness, and of every flank share, pressure and
    place on the path of contact.
    """

    master_teeth: int = parameter(
        0, title="Teeth of the master", ge=0,
        meaning="Number of teeth of its whole wheel; zero where the parts are no gears.",
    )  # fmt: skip
    slave_teeth: int = parameter(
        0, title="Teeth of the slave", ge=0, meaning="Number of teeth of its whole wheel."
    )
    master_axis: str = parameter(
        "", title="Axis of the master", choices="marker",
        meaning="Marker on the master's wheel that turns with it; z is its axis.",
    )  # fmt: skip
    slave_axis: str = parameter(
        "", title="Axis of the slave", choices="marker",
        meaning="Marker on the slave's wheel that turns with it; z is its axis.",
    )  # fmt: skip
    module: float = parameter(
        5.0, title="Module", quantity="length", gt=0.0,
        meaning="Pitch diameter over the number of teeth, of helical teeth too (transverse module).",
    )  # fmt: skip
    pressure_angle: float = parameter(
        radians(20.0), title="Pressure angle", quantity="angle", gt=0.0, lt=radians(45.0),
        meaning="Of the rack that cuts the teeth, in the transverse section.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _both_have_teeth(self) -> "GearMeshSpec":
        if (self.master_teeth > 0) != (self.slave_teeth > 0):
            raise ValueError("gears mesh in pairs: give the numbers of teeth of both, or 0 for both")
        return self

    @property
    def is_there(self) -> bool:
        """Whether the parts are gears."""
        return self.master_teeth > 0 and self.slave_teeth > 0

    @property
    def base_radii(self) -> tuple[float, float]:
        """Of the base circles of master and slave."""
        half = 0.5 * self.module * cos(self.pressure_angle)
        return half * self.master_teeth, half * self.slave_teeth

    def exchanged(self) -> "GearMeshSpec":
        """Return the same gears with master and slave exchanged."""
        return self.with_(
            master_teeth=self.slave_teeth, slave_teeth=self.master_teeth,
            master_axis=self.slave_axis, slave_axis=self.master_axis,
        )  # fmt: skip
