"""A flexible coordinate of a part."""

from collections.abc import Mapping
from typing import Any, ClassVar

from faying.errors import ModelError
from faying.multibody.measures import Measure, Observation, measures
from faying.multibody.part import RIGID
from faying.params import parameter


@measures.register("coordinate")
class CoordinateMeasure(Measure):
    """A flexible coordinate of a part: the amplitude of one of its trial vectors."""

    title: ClassVar[str] = "Flexible coordinate"

    part: str = parameter(title="Part", choices="part", meaning="The flexible part.")
    number: int = parameter(
        1,
        title="Number",
        ge=1,
        meaning="Number of the coordinate, from 1 on, in the order of the reduced body.",
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return the first one of a part."""
        return {**super().example(), "part": "rod"}

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return "": how a trial vector is scaled depends on the method of reduction."""
        return ""

    def value(self, at: Observation, values: Mapping[str, float]) -> float:
        """Return the coordinate.

        Raises:
            ModelError: when there is no such part, or it has fewer coordinates.
        """
        own = at.system.of_part(self.part, at.state.q)[RIGID:]
        if self.number > len(own):
            raise ModelError(
                f"The measure {self.name!r} is of coordinate {self.number} of the part {self.part!r}, which has "
                f"{len(own)}.",
                "Give a smaller number, or measure a flexible part."
                if len(own)
                else "Measure a flexible part.",
            )
        return float(own[self.number - 1])
