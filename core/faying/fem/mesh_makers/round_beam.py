"""A beam of round section."""

from collections.abc import Mapping
from math import pi

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._beam import BeamMaker
from faying.fem.mesh_makers._sections import PlaneMesh, disc_of_size
from faying.fem.mesh_makers._solid import Away, RoundFace
from faying.params import parameter


@mesh_makers.register("round_beam")
class RoundBeam(BeamMaker):
    """A beam along x, of round section.

    Faces: START, END, SIDE. The node REF_START is rigidly coupled to START; REF_END follows the mean motion of END.
    """

    title = "Beam, round"
    advice = "A straight rod of round section, to be held or loaded at its ends."

    diameter: float = parameter(20.0, title="Diameter", quantity="length", gt=0.0, meaning="Of the section.")

    order: int = parameter(
        2, title="Order of the elements", ge=1, le=2,
        meaning="1: bricks of 8 nodes, which fall short of the round section by some per cent; 2: bricks of 20 nodes, "
        "which follow it.",
    )  # fmt: skip

    def section(self) -> PlaneMesh:
        """Return a disc."""
        return disc_of_size(0.5 * self.diameter, self.size)

    def sides(self) -> Mapping[str, Away]:
        """Return the round side."""
        return {"SIDE": self.rounds()[0].away}

    def rounds(self) -> tuple[RoundFace, ...]:
        """Return the round side."""
        return (RoundFace(0.5 * self.diameter, axis=0),)

    def area(self) -> float:
        """Return π d²/4."""
        return 0.25 * pi * self.diameter**2

    def second_moments(self) -> tuple[float, float]:
        """Return π d⁴/64 twice."""
        return (pi * self.diameter**4 / 64.0,) * 2
