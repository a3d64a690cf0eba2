"""Base of beam makers: a section extruded along the x axis."""

from abc import abstractmethod
from collections.abc import Mapping
from math import pi, sqrt

import numpy as np

from faying.fem.mesh_makers._bricks import BrickMesh, extruded
from faying.fem.mesh_makers._sections import PlaneMesh, steps
from faying.fem.mesh_makers._solid import Away, SolidMaker, plane
from faying.params import parameter
from faying.units import amount

_FIRST_ROOT = 1.8751040687119611  # first root of cos λ cosh λ = −1


class BeamMaker(SolidMaker):
    """A beam along the x axis, with its section centred in y and z.

    The node REF_START is rigidly coupled to the face START at x = 0; REF_END follows the mean motion of the face END.
    """

    length: float = parameter(200.0, title="Length", quantity="length", gt=0.0, meaning="Along the x axis.")

    @abstractmethod
    def section(self) -> PlaneMesh:
        """Return the mesh of the section in y and z."""

    @abstractmethod
    def sides(self) -> Mapping[str, Away]:
        """Return the lateral faces."""

    @abstractmethod
    def area(self) -> float:
        """Return the area of the section."""

    @abstractmethod
    def second_moments(self) -> tuple[float, float]:
        """Return the second moments of area ∫ z² dA and ∫ y² dA."""

    def pieces(self) -> Mapping[str, BrickMesh]:
        """Return the beam."""
        places = np.linspace(0.0, self.length, steps(self.length, self.size) + 1)
        return {"BEAM": extruded(self.section(), places, axis=0)}

    def faces(self) -> Mapping[str, tuple[str, Away]]:
        """Return both ends and the sides."""
        found = {"START": plane(0, 0.0), "END": plane(0, self.length), **self.sides()}
        return {name: ("BEAM", away) for name, away in found.items()}

    def grips(self) -> tuple[str, ...]:
        """Return both ends."""
        return "START", "END"

    def volume(self) -> float:
        """Return area times length."""
        return self.area() * self.length

    def first_frequency(self) -> float:
        """Return the first bending frequency of the cantilever: λ²/(2 π L²) √(E I/(ρ A)) (Euler and Bernoulli)."""
        ratio = self.youngs_modulus * min(self.second_moments()) / (self.density * self.area())
        return _FIRST_ROOT**2 / (2.0 * pi * self.length**2) * sqrt(ratio)

    def facts(self) -> list[tuple[str, str]]:
        """Return volume, mass, area and first frequency."""
        area = ("Area", amount(self.area(), "area", 6))
        frequency = amount(self.first_frequency(), "frequency", 5)
        return [area, *super().facts(), ("First frequency, held at one end", frequency)]
