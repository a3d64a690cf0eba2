"""A beam without mass."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from faying.multibody.forces import forces
from faying.multibody.forces._coupled import CoupledForce
from faying.multibody.markers import MarkerMotion
from faying.params import parameter


@forces.register("beam")
class Beam(CoupledForce):
    """A straight elastic beam without mass along the first marker's z axis (Euler and Bernoulli).

    Its end turns against its start by moderate angles; join several by parts for a beam that bends far.
    """

    title: ClassVar[str] = "Massless beam"

    elastic_modulus: float = parameter(
        210_000.0, title="Elastic modulus", quantity="stress", gt=0.0, meaning="Of the material."
    )
    shear_modulus: float = parameter(
        81_000.0, title="Shear modulus", quantity="stress", gt=0.0, meaning="Of the material."
    )
    area: float = parameter(100.0, title="Area", quantity="area", gt=0.0, meaning="Of the section.")
    second_moment_x: float = parameter(
        833.0, title="Second moment about x", quantity="second_moment_of_area", gt=0.0,
        meaning="Of the section's area, for bending along y.",
    )  # fmt: skip
    second_moment_y: float = parameter(
        833.0, title="Second moment about y", quantity="second_moment_of_area", gt=0.0,
        meaning="Of the section's area, for bending along x.",
    )  # fmt: skip
    torsion_constant: float = parameter(
        1406.0, title="Torsion constant", quantity="second_moment_of_area", gt=0.0, meaning="Of the section."
    )
    length: float = parameter(
        0.0, title="Length", quantity="length", ge=0.0,
        meaning="Without a force; zero for the distance of the markers along z at the assembled start.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one of unit length."""
        section = {"second_moment_x": 0.1, "second_moment_y": 0.2, "torsion_constant": 0.3, "area": 2.0}
        return {
            **super().example(), **section, "elastic_modulus": 1.0, "shear_modulus": 0.4, "length": 1.0,
            "proportional_damping": 0.1,
        }  # fmt: skip

    def as_placed(self, markers: Sequence[MarkerMotion]) -> Self:
        """Return the beam with the distance of its markers along z as length, if it has none."""
        i, j = markers
        return (
            self if self.length else self.with_(length=abs(float(i.axes[:, 2] @ (j.position - i.position))))
        )

    def stiffness_matrix(self) -> np.ndarray:
        """Return (6, 6) of its end."""
        # A beam that is not placed yet has some length.
        length, e = self.length or 1.0, self.elastic_modulus
        matrix = np.diag(
            [0.0, 0.0, e * self.area / length, 0.0, 0.0, self.shear_modulus * self.torsion_constant / length]
        )
        # Along x with the rotation about y, u_x′ = φ_y; along y with that about x, u_y′ = −φ_x.
        for u, phi, moment, sign in ((0, 4, self.second_moment_y, -1.0), (1, 3, self.second_moment_x, 1.0)):
            bending = e * moment / length
            matrix[u, u], matrix[phi, phi] = 12.0 * bending / length**2, 4.0 * bending
            matrix[u, phi] = matrix[phi, u] = sign * 6.0 * bending / length
        return matrix

    def free_place(self) -> np.ndarray:
        """Return (3,) the length along z."""
        return np.array([0.0, 0.0, self.length])
