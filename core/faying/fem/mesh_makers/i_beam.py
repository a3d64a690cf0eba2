"""A beam of I section."""

from collections.abc import Mapping

import numpy as np
from pydantic import model_validator

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._beam import BeamMaker
from faying.fem.mesh_makers._sections import PlaneMesh, joined, rectangle, steps
from faying.fem.mesh_makers._solid import Away, plane
from faying.params import parameter


@mesh_makers.register("i_beam")
class IBeam(BeamMaker):
    """A beam along x: two flanges normal to z and a web between them, with sharp corners.

    Faces: START, END, BOTTOM (lower flange), TOP (upper flange). The node REF_START is rigidly coupled to START;
    REF_END follows the mean motion of END.
    """

    title = "Beam, I section"
    advice = "A straight beam with two flanges and a web, to be held or loaded at its ends."

    length: float = parameter(1000.0, title="Length", quantity="length", gt=0.0, meaning="Along the x axis.")
    width: float = parameter(
        55.0, title="Width", quantity="length", gt=0.0, meaning="Of the flanges, along y."
    )
    height: float = parameter(
        100.0, title="Height", quantity="length", gt=0.0, meaning="Of the whole section, along z."
    )
    web: float = parameter(4.1, title="Web", quantity="length", gt=0.0, meaning="Thickness of the web.")
    flange: float = parameter(
        5.7, title="Flanges", quantity="length", gt=0.0, meaning="Thickness of the flanges."
    )
    size: float = parameter(
        12.0, title="Element size", quantity="length", gt=0.0,
        meaning="Edge length of the bricks, about; flanges and web have one or more across their thickness.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _fits(self) -> "IBeam":
        if self.web >= self.width:
            raise ValueError("the web is as wide as the flanges or wider")
        if 2.0 * self.flange >= self.height:
            raise ValueError("the flanges are as high as the section or higher")
        return self

    def section(self) -> PlaneMesh:
        """Return both flanges and the web."""
        across = steps(self.flange, self.size)
        inner = 0.5 * self.height - self.flange
        web = np.linspace(-0.5 * self.web, 0.5 * self.web, steps(self.web, self.size) + 1)
        beside = 0.5 * (self.width - self.web)
        out = 0.5 * self.web + np.linspace(0.0, beside, steps(beside, self.size) + 1)[1:]
        y = np.concatenate([-out[::-1], web, out])
        z = np.linspace(-inner, inner, steps(2.0 * inner, self.size) + 1)
        flange = np.linspace(inner, 0.5 * self.height, across + 1)
        return joined([rectangle(web, z), rectangle(y, flange), rectangle(y, -flange[::-1])], 1e-6 * self.web)

    def sides(self) -> Mapping[str, Away]:
        """Return the outer faces of the flanges."""
        return {"BOTTOM": plane(2, -0.5 * self.height), "TOP": plane(2, 0.5 * self.height)}

    def area(self) -> float:
        """Return the area of flanges and web."""
        return 2.0 * self.width * self.flange + self.web * (self.height - 2.0 * self.flange)

    def second_moments(self) -> tuple[float, float]:
        """Return ∫ z² dA (enclosing rectangle minus spaces next to the web) and ∫ y² dA (flanges and web)."""
        inner = self.height - 2.0 * self.flange
        about_y = (self.width * self.height**3 - (self.width - self.web) * inner**3) / 12.0
        about_z = (2.0 * self.flange * self.width**3 + inner * self.web**3) / 12.0
        return about_y, about_z
