"""The common part of dry friction laws: the sticking limit and the two slopes."""

from typing import ClassVar

import numpy as np
from pydantic import ValidationInfo, field_validator

from faying.joints.friction_laws import FrictionLaw
from faying.params import parameter


class ThreeParameterLaw(FrictionLaw):
    """Sticking limit R_G = μ p, slope c₁ + c₂ while sticking, slope c₂ while slipping (thesis fig. 2.4).

    A law without c₂, the default, never exceeds μ p. The sliding spring's stress c₂ s has no limit and is lost when the
    pair opens, as in the thesis (eqs. 2.113, 3.80): a jump that only dissipates energy, ½ c₂ s². Fading the spring with
    the pressure would be continuous but could create energy, since slip at low pressure would be returned at a high
    one. With a c₂ of a twentieth of c₁, as in the thesis, the jump does not affect time integration; a c₂ of half of c₁
    costs it 40 % more corrections.
    """

    rate_independent: ClassVar[bool] = True
    stiffness_name: ClassVar[str] = "sticking_stiffness"

    friction_coefficient: float = parameter(
        0.15, title="Friction coefficient", ge=0.0, le=10.0,
        meaning="Sticking limit per pressure, μ.",
    )  # fmt: skip
    sticking_stiffness: float | None = parameter(
        None, title="Sticking stiffness", quantity="contact_stiffness", gt=0.0,
        meaning="Friction stress per slip while sticking, c₁ + c₂. Without one: 2 (1 − ν)/(2 − ν) times the stiffness "
        "of the contact law (Mindlin), ν of the joint's materials.",
    )  # fmt: skip
    sliding_stiffness: float = parameter(
        0.0, title="Sliding stiffness", quantity="contact_stiffness", ge=0.0,
        meaning="Friction stress per slip while slipping, c₂; smaller than the sticking stiffness. It adds to μ p "
        "without limit: above zero, surfaces that slide far resist with more than μ times the normal force.",
    )  # fmt: skip

    @field_validator("sliding_stiffness")
    @classmethod
    def _smaller_than_sticking(cls, value: float, others: ValidationInfo) -> float:
        sticking = others.data.get("sticking_stiffness")
        if sticking is not None and value >= sticking:
            raise ValueError(f"has to be smaller than the sticking stiffness of {sticking:g}")
        return value

    @property
    def unlimited_stiffness(self) -> float:
        """The sliding stiffness, c₂."""
        return self.sliding_stiffness

    @property
    def slider_stiffness(self) -> float:
        """Stiffness of the spring in series with the slider, c₁: the sticking stiffness minus the sliding stiffness."""
        return self.known_stiffness - self.sliding_stiffness

    def sticking_limit(self, pressure: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (n,) the sticking limit μ p, a stress, and (n,) its derivative by the pressure, μ."""
        return self.friction_coefficient * pressure, np.full_like(pressure, self.friction_coefficient)
