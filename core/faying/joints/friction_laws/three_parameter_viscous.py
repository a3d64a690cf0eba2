"""The three-parameter viscous element: a spring in parallel to a spring and a damper in series."""

from typing import ClassVar

from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws._viscous import ViscousLaw, maxwell_branch, maxwell_damping
from faying.params import parameter


@friction_laws.register("three_parameter_viscous")
class ThreeParameterViscous(ViscousLaw):
    """τ = c₂ s + τ₁ with τ̇₁/c₁ + τ₁/d = ṡ (thesis fig. 2.12): stiff at once, softer after a while."""

    title: ClassVar[str] = "Three-parameter (viscous)"
    advice: ClassVar[str] = "A damping layer: stiff when quick, soft when slow, damping most between."

    stiffness: float = parameter(
        9_500.0, title="Stiffness in series", quantity="contact_stiffness", gt=0.0,
        meaning="Stiffness of the spring in series with the damper, c₁.",
    )  # fmt: skip
    damping: float = parameter(
        1.0, title="Damping", quantity="contact_damping", gt=0.0,
        meaning="Stress per velocity of the damper, d; the stress in its branch relaxes within d/c₁.",
    )  # fmt: skip
    lasting_stiffness: float = parameter(
        500.0, title="Lasting stiffness", quantity="contact_stiffness", ge=0.0,
        meaning="Stiffness of the spring parallel to them, c₂: the stress per slip that remains in the end.",
    )  # fmt: skip

    def branch(self, time_step: float) -> tuple[float, float]:
        """Return both numbers for spring and damper in series."""
        return maxwell_branch(self.stiffness, self.damping, time_step)

    def spring(self) -> float:
        """Return c₂."""
        return self.lasting_stiffness

    def damping_at(self, frequency: float) -> float:
        """Return that of spring and damper in series."""
        return maxwell_damping(self.stiffness, self.damping, frequency)
