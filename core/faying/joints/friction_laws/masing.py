"""The Masing approximation: a spring and a slider in series, with the corner rounded off."""

from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws._resisted import Resistance, ResistedLaw, resistance_of_power
from faying.params import parameter


@friction_laws.register("masing")
class Masing(ResistedLaw):
    """Masing approximation (thesis eq. E.3), in two tangential directions, with the sliding spring in parallel.

    In one direction τ̇₁ = c₁ ṡ (1 − |τ₁/R_G|^n (1 + sgn(ṡ τ₁))/2): eq. E.1 of a spring and a slider in series with
    its signum smoothed. That is the equation of Bouc-Wen with B = γ; here the exponent only rounds the corner, and
    with a large exponent the law is that of the slider.
    """

    title: ClassVar[str] = "Masing approximation"
    advice: ClassVar[str] = "As Coulomb's, with the corner between sticking and slipping rounded off."

    exponent: float = parameter(
        20.0, title="Exponent", ge=1.0, le=100.0,
        meaning="Sharpness of the corner between sticking and slipping, n.",
    )  # fmt: skip

    def resistance(self, along: np.ndarray, across: np.ndarray) -> Resistance:
        """Return ψ = ρ^(n−2) max(y, 0), y the stress along the slip and ρ its amount."""
        return resistance_of_power(along, across, self.exponent, 0.5)
