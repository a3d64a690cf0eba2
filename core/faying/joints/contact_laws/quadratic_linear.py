"""The combined quadratic-linear penalty law: a parabola that leads into a straight line."""

from typing import ClassVar

import numpy as np
from pydantic import ValidationInfo, field_validator

from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws._penetration import PenetrationLaw
from faying.params import parameter


@contact_laws.register("quadratic_linear")
class QuadraticLinear(PenetrationLaw):
    """Pressure along a parabola from g₀ to g₁ and straight below, without a corner (thesis eq. 2.109).

    p = ε (g₀ − g)²/(2 (g₀ − g₁)) between the two gaps and ε ((g₀ + g₁)/2 − g) below g₁; eq. 2.109 prints g₀ for its
    g_N0 in the branch without pressure.
    """

    title: ClassVar[str] = "Quadratic-linear"
    advice: ClassVar[str] = (
        "As the linear penalty, without its corner at zero gap: fewer corrections in motion."
    )

    stiffness: float = parameter(
        71_400.0, title="Contact stiffness", quantity="contact_stiffness", gt=0.0,
        meaning="Slope of the straight part.",
    )  # fmt: skip
    upper_gap: float = parameter(
        0.0, title="Upper gap", quantity="length", meaning="Gap at which pressure begins, g₀."
    )
    lower_gap: float = parameter(
        -1.2e-4, title="Lower gap", quantity="length",
        meaning="Gap below which pressure grows along a straight line, g₁; smaller than the upper gap.",
    )  # fmt: skip

    @field_validator("lower_gap")
    @classmethod
    def _below_the_upper(cls, value: float, others: ValidationInfo) -> float:
        upper = others.data.get("upper_gap")
        if upper is not None and not value < upper:
            raise ValueError(f"has to be smaller than the upper gap of {upper:g}")
        return value

    def of_penetration(self, depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/d depth)."""
        width = self.upper_gap - self.lower_gap
        held = np.minimum(depth, width)
        slope = self.stiffness * (held / width)
        return 0.5 * slope * held + self.stiffness * (depth - held), slope

    def corners(self) -> tuple[float, ...]:
        """Return the gap below which the pressure is linear."""
        return (self.lower_gap,)

    def closing_gap(self) -> float:
        """Return g₀, the gap from which on there is no pressure."""
        return self.upper_gap
