"""The linear penalty law: a bed of equal springs."""

from typing import ClassVar

import numpy as np

from faying.joints.contact_laws import ContactLaw, contact_laws
from faying.params import parameter


@contact_laws.register("linear_penalty")
class LinearPenalty(ContactLaw):
    """Pressure proportional to the penetration (thesis eq. 2.106)."""

    advice: ClassVar[str] = "The usual choice: one number, easily matched to the mesh; a corner at zero gap."

    stiffness: float = parameter(
        50_000.0, title="Contact stiffness", quantity="contact_stiffness", gt=0.0,
        meaning="Pressure per penetration. Higher values let the surfaces penetrate less and stiffen the equations.",
    )  # fmt: skip

    def pressure(self, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/dgap): p = −ε g for g < 0, else zero."""
        closed = gap < 0.0
        return np.where(closed, -self.stiffness * gap, 0.0), np.where(closed, -self.stiffness, 0.0)

    def closing_gap(self) -> float:
        """Return 0: pressure begins where the surfaces touch."""
        return 0.0
