"""The Dahl law: stress approaches the sticking limit without a corner."""

from dataclasses import replace
from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws._hysteretic import Flow, HystereticLaw
from faying.params import parameter


@friction_laws.register("dahl")
class Dahl(HystereticLaw):
    """Adapted Dahl friction (thesis eqs. 2.115, 2.116) with σ₀ = c₁, in two tangential directions.

    In one direction dτ₁/ds = c₁ |1 − τ₁/R_G sgn ṡ|^α sgn(1 − τ₁/R_G sgn ṡ). In two, with the slip's direction n,
    dτ₁ = c₁ |n − τ₁/R_G|^(α−1) (n − τ₁/R_G) |ds|: the stress moves straight towards R_G n. Along a straight path this
    has a closed solution, so a step of any length is exact. It loses energy at every amplitude: it never sticks.
    By the same equation a stress left outside a falling limit returns with slip.
    """

    advice: ClassVar[str] = (
        "Smooth passage from sticking to sliding. It never quite sticks: any amplitude loses energy."
    )

    returns_at_once: ClassVar[bool] = False

    exponent: float = parameter(
        1.0, title="Exponent", ge=0.1, le=10.0,
        meaning="Shape of the hysteresis, α: commonly 1; smaller values stay stiff longer and turn sharper.",
    )  # fmt: skip

    def flow(self, along: np.ndarray, across: np.ndarray, travel: np.ndarray, *, derivatives: bool) -> Flow:
        """Return the stress divided by the limit at the path's end; see `HystereticLaw.flow`."""
        a = self.exponent
        # Remaining distance δ to the target n: dδ/du = −δ^α solved over the travel u.
        distance = np.sqrt((1.0 - along) ** 2 + across**2)
        far = distance > 0.0
        power = np.where(far, distance, 1.0) ** (a - 1.0)
        if a == 1.0:
            kept = np.exp(-travel)
            d_travel, d_distance = -kept, np.zeros_like(kept)
        else:
            # δ^(1−α) changes in proportion to the travel; with α < 1 the target is reached.
            base = 1.0 + (a - 1.0) * travel * power
            left = base > 0.0
            kept = np.where(left, np.where(left, base, 1.0) ** (1.0 / (1.0 - a)), 0.0)
            slope = kept / np.where(left, base, 1.0)
            d_travel = -slope * power
            d_distance = (1.0 - a) * slope * travel * power / np.where(far, distance, 1.0)
        flow = Flow(1.0 - kept * (1.0 - along), kept * across, None)
        if not derivatives:
            return flow
        to_target = np.stack([1.0 - along, -across])
        # Both parts are n − kept · (n − start).
        unit = to_target / np.where(far, distance, 1.0)
        gradient = np.empty((2, 3, len(along)))
        gradient[:, :2] = kept * np.eye(2)[:, :, None] + to_target[:, None] * (d_distance * unit)
        gradient[:, 2] = -d_travel * to_target
        return replace(flow, gradient=gradient)
