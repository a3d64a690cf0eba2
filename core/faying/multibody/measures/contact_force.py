"""The force of a contact between parts."""

from collections.abc import Mapping
from typing import Any

from faying.multibody.measures import Component, Measure, Observation, component_of, measures
from faying.params import parameter


@measures.register("contact_force")
class ContactForceMeasure(Measure):
    """Force of a contact on the slave's part, in the inertial frame."""

    contact: str = parameter(title="Contact", choices="contact", meaning="The contact between two parts.")
    component: Component = parameter("amount", title="Component", meaning="Axis of space, or the amount.")

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of a contact."""
        return {**super().example(), "contact": "touch"}

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return "force"."""
        return "force"

    def value(self, at: Observation, values: Mapping[str, float]) -> float:
        """Return a component of the sum over the slave's nodes."""
        return component_of(at.contact(self.contact).nodal_forces.sum(axis=0), self.component)
