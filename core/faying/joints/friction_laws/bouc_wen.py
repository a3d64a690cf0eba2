"""The Bouc-Wen law: elastic until near the limit, the sharper the higher its exponent."""

from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws._resisted import Resistance, ResistedLaw, resistance_of_power
from faying.params import parameter


@friction_laws.register("bouc_wen")
class BoucWen(ResistedLaw):
    """Bouc-Wen friction (thesis eqs. 2.122 to 2.124), in two tangential directions.

    In one direction τ̇₁ = ṡ (A − (B + γ sgn(ṡ τ₁)) |τ₁|^n) with A = c₁ and B + γ = A/R_G^n, so that R_G is the limit;
    eq. 2.122 prints sgn(τ̇₁), which cannot be solved for τ̇₁. The thesis has B = γ, an unloading share of 1/2: then
    unloading is straight. In two directions the resistance acts along the stress, and sgn(ṡ τ₁) becomes the cosine
    between slip and stress: the law tends to the radial return of Coulomb's when n grows.
    """

    title: ClassVar[str] = "Bouc-Wen"
    advice: ClassVar[str] = (
        "Smooth hysteresis fitted to measured loops; sticking passes gradually into sliding."
    )

    exponent: float = parameter(
        10.0, title="Exponent", ge=1.0, le=100.0,
        meaning="Sharpness of the transition from sticking to slipping, n.",
    )  # fmt: skip
    unloading_share: float = parameter(
        0.5, title="Unloading share", ge=0.5, le=1.0, advanced=True,
        meaning="γ/(B + γ): with 1/2 (B = γ) unloading is elastic, with 1 (B = 0) it is stiffer than that at first.",
    )  # fmt: skip

    def resistance(self, along: np.ndarray, across: np.ndarray) -> Resistance:
        """Return ψ = ρ^(n−2) (γ |y| + B y)/(B + γ), y the stress along the slip and ρ its amount."""
        return resistance_of_power(along, across, self.exponent, self.unloading_share)
