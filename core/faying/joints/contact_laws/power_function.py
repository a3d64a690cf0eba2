"""The power-function-based penalty law, from the statistics of rough surfaces."""

from typing import ClassVar

import numpy as np

from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws._penetration import PenetrationLaw
from faying.params import parameter

# From this multiple of the reference penetration on the power continues along its tangent, so that no gap overflows.
_LARGEST = 1000.0


@contact_laws.register("power_function")
class PowerFunction(PenetrationLaw):
    """Pressure as a power of the penetration, p = ε (−g)^m below g = 0 (thesis eq. 2.108).

    The unit of ε depends on m. So the law is given by the pressure P at one penetration d: ε = P/d^m.
    """

    advice: ClassVar[str] = (
        "Measured joint stiffness that grows with pressure; soft at the first touch, no corner."
    )

    reference_pressure: float = parameter(
        10.0, title="Reference pressure", quantity="stress", gt=0.0,
        meaning="Pressure at the reference penetration.",
    )  # fmt: skip
    reference_penetration: float = parameter(
        2e-4, title="Reference penetration", quantity="length", gt=0.0,
        meaning="Penetration at which the reference pressure acts.",
    )  # fmt: skip
    exponent: float = parameter(
        2.0, title="Exponent", ge=1.0, le=10.0,
        meaning="Power m of the penetration: about 2 for most metals, up to 3.3.",
    )  # fmt: skip

    def of_penetration(self, depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/d depth)."""
        x = depth / self.reference_penetration
        held = np.minimum(x, _LARGEST)
        steepness = self.reference_pressure * self.exponent * held ** (self.exponent - 1.0)
        p = steepness * held / self.exponent + steepness * (x - held)
        return p, steepness / self.reference_penetration
