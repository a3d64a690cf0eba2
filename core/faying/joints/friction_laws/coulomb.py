"""The three-parameter Coulomb law: a spring with a slider, and a second spring beside both."""

from dataclasses import replace
from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import Traction, friction_laws
from faying.joints.friction_laws._three_parameters import ThreeParameterLaw

# A stress this close to the limit counts as having reached it: a committed state that slips lies on the
# limit but for round-off, and shall be told as slipping when it is evaluated again.
_REACHED = 1.0 - 1e-6


@friction_laws.register("coulomb")
class Coulomb(ThreeParameterLaw):
    """Three-parameter Coulomb-type friction (thesis eq. 2.113, fig. 2.4), in two tangential directions.

    The stress of the slider, τ₁, never exceeds the sticking limit R_G = μ p in amount; direction and history
    follow from a radial return, as in plasticity: the history is the slider's slip s_p (2), the trial stress is
    c₁ (s − s_p), and what exceeds R_G becomes slip along the trial stress. In one direction this is eq. 2.113.
    The second spring adds c₂ s, so that the slope is c₁ + c₂ while sticking and c₂ while slipping.
    """

    title: ClassVar[str] = "Coulomb, three parameters"
    advice: ClassVar[str] = "The usual choice: sticks elastically, slides at the friction coefficient."
    history_size: ClassVar[int] = 2

    def traction(
        self,
        slip: np.ndarray,
        limit: np.ndarray,
        history: np.ndarray,
        time_step: float,
        *,
        derivatives: bool = True,
    ) -> Traction:
        """Return the friction stress of closed pairs by radial return; it does not depend on `time_step`."""
        c2 = self.sliding_stiffness
        c1 = self.slider_stiffness
        # Amount of the slider's trial stress c₁ (s − s_p).
        elastic = slip - history
        amount = c1 * np.sqrt(np.einsum("ij,ij->i", elastic, elastic))
        # Radial return: the share of it that stays. Without a limit nothing does, not even at rest.
        reach = np.maximum(amount, limit)
        reach[reach == 0.0] = 1.0
        kept = limit / reach
        answer = Traction(
            stress=(c1 * kept)[:, None] * elastic + c2 * slip,
            history=history + (1.0 - kept)[:, None] * elastic,
            slipping=amount >= _REACHED * limit,
        )
        if not derivatives:
            return answer
        # ∂τ₁/∂s: c₁ while sticking; while slipping only the part across the direction is left, times R_G/|trial|. A
        # committed state lies on the limit, where both hold: a step that turns back needs the first.
        yields = kept < _REACHED
        direction = elastic * (c1 / np.where(amount > 0.0, amount, 1.0))[:, None]
        across = c1 * kept
        along = np.where(yields, across, 0.0)
        first, second = direction.T
        d_slip = np.empty((len(slip), 2, 2))
        d_slip[:, 0, 0] = across + c2 - along * first * first
        d_slip[:, 1, 1] = across + c2 - along * second * second
        d_slip[:, 0, 1] = d_slip[:, 1, 0] = -along * first * second
        return replace(answer, d_slip=d_slip, d_limit=yields[:, None] * direction)
