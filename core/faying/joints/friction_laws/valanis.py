"""The Valanis law, from the theory of plasticity with an intrinsic time."""

from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws._resisted import Resistance, ResistedLaw
from faying.params import parameter


@friction_laws.register("valanis")
class Valanis(ResistedLaw):
    """Valanis friction (thesis eqs. 2.119 to 2.121) with E₀ = c₁ + c₂, E_t = c₂, in two tangential directions.

    In one direction τ̇ = E₀ ṡ [1 + λ/E₀ sgn ṡ (E_t s − τ)] / [1 + κ λ/E₀ sgn ṡ (E_t s − τ)], λ = E₀ (E₀ − E_t) /
    (R_G (E₀ − κ E_t)); the factor Δ that eq. 2.119 prints next to sgn ṡ is a misprint. In two directions the law is the
    original one, dτ = E₀ ds − λ (τ − E_t s) dz with the intrinsic time dz = |ds − κ dτ/E₀|. So τ₁ = τ − E_t s
    has the limit R_G, and the resistance follows from the quadratic equation for dz.
    """

    advice: ClassVar[str] = "Microslip with hardening, fitted to measured loops of lap joints."

    shape: float = parameter(
        0.95, title="Shape", gt=0.0, lt=1.0,
        meaning="Transition from sticking to slipping, κ: the closer to 1 the sharper.",
    )  # fmt: skip

    def resistance(self, along: np.ndarray, across: np.ndarray) -> Resistance:
        """Return ψ = λ R_G/c₁ dz/|ds|; see `ResistedLaw.resistance`."""
        c1, c2 = self.slider_stiffness, self.sliding_stiffness
        sharp = self.shape * c1 / (c1 + c2 - self.shape * c2)
        root = np.sqrt(1.0 - (sharp * across) ** 2)
        divisor = root - sharp * along
        psi = (1.0 - sharp) / divisor
        return Resistance(psi, sharp * psi / divisor, sharp * sharp * across * psi / (root * divisor))
