"""The Kelvin-Voigt element: a spring and a damper side by side."""

from typing import ClassVar

from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws._viscous import ViscousLaw
from faying.params import parameter


@friction_laws.register("kelvin_voigt")
class KelvinVoigt(ViscousLaw):
    """τ = c s + d ṡ (thesis fig. 2.12), the velocity being the mean of the step."""

    title: ClassVar[str] = "Kelvin-Voigt (viscous)"
    advice: ClassVar[str] = (
        "Damping without sticking, proportional to the speed of slip; for lubricated surfaces or comparison."
    )

    stiffness: float = parameter(
        10_000.0, title="Stiffness", quantity="contact_stiffness", ge=0.0, meaning="Stress per slip, c."
    )
    damping: float = parameter(
        1.0, title="Damping", quantity="contact_damping", ge=0.0, meaning="Stress per slip velocity, d."
    )

    def branch(self, time_step: float) -> tuple[float, float]:
        """Return (0, d/Δt), as the damper's stress follows the velocity alone; (1, 0) for a step without duration."""
        return (0.0, self.damping / time_step) if time_step > 0.0 else (1.0, 0.0)

    def spring(self) -> float:
        """Return c."""
        return self.stiffness

    def damping_at(self, frequency: float) -> float:
        """Return d."""
        return self.damping
