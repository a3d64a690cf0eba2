"""The HHT scheme for index-3 equations of motion."""

from typing import ClassVar

from faying.params import parameter
from faying.solvers.integrators import integrators
from faying.solvers.integrators._scheme import NewmarkScheme
from faying.solvers.integrators._stepping import SteppedIntegrator


@integrators.register("hht")
class Hht(SteppedIntegrator):
    """Hilbert-Hughes-Taylor after Negrut et al. (2007), thesis eqs. 2.55 to 2.61.

    Corrections to the print: eq. 2.56a lacks the h² before its bracket, and the constraint row of eq. 2.60
    is scaled by 1/(β h²), which keeps the condition number of the Jacobian independent of h. The local
    error of q is estimated by (1/12 + α²/4) h² (a₁ − a₀).

    Contact is treated separately, see `faying.solvers.integrators._scheme`. Eq. 2.57 weighs the last inertia force,
    M₀ q̈₀, with α, which is of first order only where the mass depends on q: a top at 150 rad/s gains a tenth
    of its energy within a turn (α = −0.05, h = 0.2 ms). Here it is M₁ q̈₀, so that HHT is the generalised-α scheme
    of Arnold and Brüls (2007) with αₘ = 0 and α_f = −α; with constant mass that is eq. 2.57.
    """

    title: ClassVar[str] = "HHT"

    alpha: float = parameter(
        -0.3, title="Numerical damping α", ge=-1.0 / 3.0, le=0.0,
        meaning="0 damps nothing, −1/3 most. With variable steps use −0.05 or less: 0 is unstable then.",
    )  # fmt: skip

    def scheme(self) -> NewmarkScheme:
        """Return the scheme with αₘ = 0."""
        return NewmarkScheme(0.0, -self.alpha)
