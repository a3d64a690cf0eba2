"""An energy of the system."""

from collections.abc import Mapping
from typing import Literal

from faying.multibody.measures import Measure, Observation, measures
from faying.params import parameter


@measures.register("energy")
class EnergyMeasure(Measure):
    """An energy of the whole system."""

    of: Literal["kinetic", "elastic", "potential", "total"] = parameter(
        "total", title="Energy", meaning="Kinetic, elastic of bodies and springs, potential of the weight, or all."
    )  # fmt: skip

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return "energy"."""
        return "energy"

    def value(self, at: Observation, values: Mapping[str, float]) -> float:
        """Return the energy."""
        return at.energies()[f"{self.of} energy"]
