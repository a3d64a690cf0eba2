"""The exponential penalty law, as in Abaqus."""

import math
from typing import ClassVar

import numpy as np

from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws._penetration import PenetrationLaw, exponential_growth
from faying.params import parameter


@contact_laws.register("exponential")
class Exponential(PenetrationLaw):
    """Pressure that grows exponentially from a small gap on (thesis eq. 2.110).

    p = p₀/(e − 1) (1 − g/g₀) (exp(1 − g/g₀) − 1) below g₀, and
    dp/dg = −p₀/((e − 1) g₀) ((2 − g/g₀) exp(1 − g/g₀) − 1);
    eq. E.8 prints the derivative without the minus.
    """

    advice: ClassVar[str] = (
        "Rough surfaces that carry before they touch fully. Stiffens without bound: larger loads need care."
    )

    touching_pressure: float = parameter(
        0.3, title="Pressure at zero gap", quantity="stress", gt=0.0,
        meaning="Pressure where the surfaces just touch, p₀.",
    )  # fmt: skip
    clearance: float = parameter(
        1e-4, title="Clearance", quantity="length", gt=0.0,
        meaning="Gap at which pressure begins, g₀, and over which it grows e-fold: smaller is harder.",
    )  # fmt: skip

    def of_penetration(self, depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/d depth)."""
        return exponential_growth(
            depth, self.touching_pressure / (math.e - 1.0) / self.clearance, self.clearance
        )

    def closing_gap(self) -> float:
        """Return g₀, the gap from which on there is no pressure."""
        return self.clearance
