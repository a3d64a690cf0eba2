"""Damping of a vibrating body in addition to that of its joints."""

from pydantic import field_validator

from faying.analyses.harmonics.about_equilibrium import BodyAboutEquilibrium
from faying.params import parameter
from faying.solvers.harmonic import Damping


class DampedBodyAnalysis(BodyAboutEquilibrium):
    """An analysis of a body that vibrates about its equilibrium with viscous and modal damping."""

    mass_damping: float = parameter(
        0.0, title="Mass damping", quantity="frequency", ge=0.0, meaning="α of a damping matrix α M + β K."
    )
    stiffness_damping: float = parameter(
        0.0, title="Stiffness damping", quantity="time", ge=0.0,
        meaning="β of a damping matrix α M + β K, with K of the body without its joints, as in transient analyses.",
    )  # fmt: skip
    modal_damping: tuple[float, ...] = parameter(
        (), title="Modal damping",
        meaning="Damping ratios of the vibration modes, lowest first; the last one counts for all that follow. Those "
        "of the linearised joints are among them; where joints are not linearised, the modes are those with stuck "
        "joints.",
    )  # fmt: skip

    @field_validator("modal_damping")
    @classmethod
    def _not_negative(cls, ratios: tuple[float, ...]) -> tuple[float, ...]:
        if min(ratios, default=0.0) < 0.0:
            raise ValueError("damping ratios are not negative")
        return ratios

    @property
    def damping(self) -> Damping:
        """What damps the body in addition to its joints."""
        return Damping(self.mass_damping, self.stiffness_damping, 0.0, self.modal_damping)
