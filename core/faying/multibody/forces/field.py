"""A linear force in six coupled directions."""

from typing import Any, ClassVar, Self

import numpy as np
from pydantic import model_validator

from faying.multibody.forces import forces
from faying.multibody.forces._coupled import CoupledForce
from faying.multibody.placement import Vector
from faying.params import parameter

_NEGATIVE = -1e-9  # smallest eigenvalue of a positive matrix with ones on its diagonal


def _row(axis: str) -> Any:
    meaning = f"Force along {axis} per rotation about x, y, z, and moment about these per displacement along {axis}."
    return parameter(
        (0.0, 0.0, 0.0), title=f"Coupling of {axis}", quantity="force", meaning=meaning, advanced=True
    )


@forces.register("field")
class FieldForce(CoupledForce):
    """A bushing with a full symmetric stiffness matrix, its directions along the first marker's axes."""

    title: ClassVar[str] = "Field (coupled bushing)"

    stiffness: Vector = parameter(
        (1.0, 1.0, 1.0), title="Stiffness", quantity="stiffness", meaning="Force per displacement along x, y, z."
    )  # fmt: skip
    stiffness_products: Vector = parameter(
        (0.0, 0.0, 0.0), title="Coupled stiffness", quantity="stiffness", advanced=True,
        meaning="Force along one axis per displacement along another: xy, xz, yz.",
    )  # fmt: skip
    torsional_stiffness: Vector = parameter(
        (0.0, 0.0, 0.0), title="Torsional stiffness", quantity="torsional_stiffness",
        meaning="Moment per rotation about x, y, z.",
    )  # fmt: skip
    torsional_products: Vector = parameter(
        (0.0, 0.0, 0.0), title="Coupled torsional stiffness", quantity="torsional_stiffness", advanced=True,
        meaning="Moment about one axis per rotation about another: xy, xz, yz.",
    )  # fmt: skip
    coupling_x: Vector = _row("x")
    coupling_y: Vector = _row("y")
    coupling_z: Vector = _row("z")
    free_displacement: Vector = parameter(
        (0.0, 0.0, 0.0), title="Free displacement", quantity="length",
        meaning="Displacement along x, y, z at which it is unloaded.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one with all entries."""
        return {
            **super().example(),
            "stiffness": (1.0, 2.0, 3.0), "stiffness_products": (0.1, -0.2, 0.3),
            "torsional_stiffness": (0.7, 0.6, 0.5), "torsional_products": (0.05, 0.1, -0.1),
            "coupling_x": (0.1, 0.2, -0.1), "coupling_y": (0.2, -0.1, 0.1), "coupling_z": (0.0, 0.1, 0.2),
            "free_displacement": (0.1, -0.2, 0.3), "proportional_damping": 0.1,
        }  # fmt: skip

    @model_validator(mode="after")
    def _is_positive(self) -> Self:
        matrix = self.stiffness_matrix()
        size = np.sqrt(np.maximum(np.diag(matrix), 0.0))
        scale = 1.0 / np.where(size > 0.0, size, 1.0)
        least = float(np.linalg.eigvalsh(scale[:, None] * matrix * scale).min())
        if least < _NEGATIVE:
            raise ValueError(
                "the stiffness matrix has a direction of negative stiffness: couplings are too large for the stiffness "
                "along and about the axes"
            )
        return self

    def stiffness_matrix(self) -> np.ndarray:
        """Return (6, 6)."""
        coupling = np.array([self.coupling_x, self.coupling_y, self.coupling_z])
        along = _symmetric(self.stiffness, self.stiffness_products)
        about = _symmetric(self.torsional_stiffness, self.torsional_products)
        return np.block([[along, coupling], [coupling.T, about]])

    def free_place(self) -> np.ndarray:
        """Return (3,) the free displacement."""
        return np.array(self.free_displacement)


def _symmetric(diagonal: Vector, products: Vector) -> np.ndarray:
    """Return (3, 3) of its diagonal and its entries xy, xz, yz."""
    xy, xz, yz = products
    return np.asarray(np.diag(diagonal) + np.array([[0.0, xy, xz], [xy, 0.0, yz], [xz, yz, 0.0]]))
