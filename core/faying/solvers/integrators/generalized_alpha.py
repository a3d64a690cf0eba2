"""The generalised-α scheme for index-3 equations of motion."""

from typing import ClassVar

from faying.params import parameter
from faying.solvers.integrators import integrators
from faying.solvers.integrators._scheme import NewmarkScheme
from faying.solvers.integrators._stepping import SteppedIntegrator


@integrators.register("generalized_alpha")
class GeneralizedAlpha(SteppedIntegrator):
    """Generalised-α after Chung and Hulbert (1993), with constraints after Arnold and Brüls (2007).

    Contact is treated separately, see `faying.solvers.integrators._scheme`. For the same damping of the fastest
    components slow ones lose less energy than with HHT.
    """

    title: ClassVar[str] = "Generalised-α"

    spectral_radius: float = parameter(
        0.6, title="Spectral radius ρ∞", ge=0.0, le=1.0,
        meaning="What a step leaves of the fastest components: 1 damps nothing, 0 removes them. With constraints "
        "or variable steps use 0.9 or less: 1 is unstable then.",
    )  # fmt: skip

    def scheme(self) -> NewmarkScheme:
        """Return the scheme of least damping of slow components for the spectral radius."""
        radius = self.spectral_radius
        return NewmarkScheme((2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0))
