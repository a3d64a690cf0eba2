"""The Maxwell element: a spring and a damper in series."""

from typing import ClassVar

from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws._viscous import ViscousLaw, maxwell_branch, maxwell_damping
from faying.params import parameter


@friction_laws.register("maxwell")
class Maxwell(ViscousLaw):
    """τ̇/c + τ/d = ṡ (thesis fig. 2.12): a sudden slip meets the spring, a slow one the damper alone."""

    title: ClassVar[str] = "Maxwell (viscous)"
    advice: ClassVar[str] = "A layer that creeps under lasting shear and is stiff against quick motion."

    stiffness: float = parameter(
        10_000.0,
        title="Stiffness",
        quantity="contact_stiffness",
        gt=0.0,
        meaning="Stress per sudden slip, c.",
    )
    damping: float = parameter(
        1.0, title="Damping", quantity="contact_damping", gt=0.0,
        meaning="Stress per steady slip velocity, d; the stress relaxes within d/c.",
    )  # fmt: skip

    def branch(self, time_step: float) -> tuple[float, float]:
        """Return both numbers for spring and damper in series."""
        return maxwell_branch(self.stiffness, self.damping, time_step)

    def spring(self) -> float:
        """Return 0: there is no parallel spring."""
        return 0.0

    def damping_at(self, frequency: float) -> float:
        """Return that of spring and damper in series."""
        return maxwell_damping(self.stiffness, self.damping, frequency)
