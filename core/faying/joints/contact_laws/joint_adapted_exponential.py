"""The joint-adapted exponential penalty law: summits of rough surfaces with exponentially distributed heights."""

from typing import ClassVar

import numpy as np

from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws._penetration import PenetrationLaw, exponential_growth
from faying.params import parameter


@contact_laws.register("joint_adapted_exponential")
class JointAdaptedExponential(PenetrationLaw):
    """Pressure p = ε (g₀ − g) (exp(λ (g₀ − g)) − 1) below g₀, with λ = 1/σ (thesis eq. 2.112).

    Both lines that eq. E.9 prints for its derivative apply to g < g₀: dp/dg = −ε (exp(λ (g₀ − g)) − 1) − λ ε (g₀ − g)
    exp(λ (g₀ − g)); and g₀ is g_N0 there.
    """

    title: ClassVar[str] = "Joint-adapted exponential"
    advice: ClassVar[str] = (
        "Measured joints with a roughness: smooth at the first touch, nearly linear under load."
    )

    stiffness: float = parameter(
        77_100.0, title="Contact stiffness", quantity="contact_stiffness", gt=0.0,
        meaning="Factor ε; at a penetration of one roughness the pressure is 1.72 times ε times the penetration.",
    )  # fmt: skip
    roughness: float = parameter(
        4e-4, title="Roughness", quantity="length", gt=0.0,
        meaning="Standard deviation σ of the height profile, 1/λ: pressure grows e-fold over it once it is large.",
    )  # fmt: skip
    upper_gap: float = parameter(
        0.0, title="Upper gap", quantity="length",
        meaning="Gap at which pressure begins, g₀; mostly zero, a small negative value may help an integrator.",
    )  # fmt: skip

    def of_penetration(self, depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/d depth)."""
        return exponential_growth(depth, self.stiffness, self.roughness)

    def closing_gap(self) -> float:
        """Return g₀, the gap from which on there is no pressure."""
        return self.upper_gap
