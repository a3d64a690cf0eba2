"""The reaction of a constraint."""

from collections.abc import Mapping
from typing import Any, Literal

from faying.multibody.measures import Component, Measure, Observation, component_of, measures
from faying.params import parameter


@measures.register("reaction")
class ReactionMeasure(Measure):
    """Force or moment of a constraint on its second marker."""

    constraint: str = parameter(title="Constraint", choices="constraint", meaning="The constraint.")
    quantity: Literal["force", "moment"] = parameter("force", title="Quantity", meaning="Force or moment.")
    component: Component = parameter(
        "amount", title="Component", meaning="Axis of the constraint's first marker, or the amount."
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of a constraint."""
        return {**super().example(), "constraint": "pivot"}

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return "force" or "moment"."""
        return self.quantity

    def value(self, at: Observation, values: Mapping[str, float]) -> float:
        """Return the component."""
        force, moment = at.reactions[self.constraint]
        return component_of(force if self.quantity == "force" else moment, self.component)
