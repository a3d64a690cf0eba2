"""What a force element does, and what it reads."""

from collections.abc import Mapping
from typing import Any

from faying.multibody.forces import COMMON_READINGS, dimension_of_reading
from faying.multibody.measures import Component, Measure, Observation, component_of, measures
from faying.params import parameter


@measures.register("force_element")
class ForceElementMeasure(Measure):
    """Force, moment or power of a force element, or a reading of it such as its length."""

    force: str = parameter(title="Force", choices="force", meaning="The force between markers.")
    quantity: str = parameter(
        "axial force", title="Quantity", choices="force_quantity",
        meaning="force and moment on its second marker, along the axes of the first one; power that it gives to the "
        "parts; axial force and length of a spring or actuator; angle of a torsion spring; gap of a stop; slip and "
        "friction of a joint.",
    )  # fmt: skip
    component: Component = parameter(
        "amount", title="Component", meaning="Of force or moment: axis of its first marker, or the amount."
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of a spring."""
        return {**super().example(), "force": "strut"}

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return the dimension of the quantity."""
        return self.quantity if self.quantity in COMMON_READINGS else dimension_of_reading(self.quantity)

    def value(self, at: Observation, values: Mapping[str, float]) -> float:
        """Return the quantity."""
        member, motions, angles = at.force_element(self.force)
        time = at.state.time
        if self.quantity == "power":
            return member.power(motions, time, angles)
        if self.quantity in ("force", "moment"):
            force, moment = member.on_last(motions, time, angles)
            return component_of(force if self.quantity == "force" else moment, self.component)
        names = [reading.name for reading in member.readings]
        return member.read(motions, time, angles)[names.index(self.quantity)]
