"""The three-parameter Coulomb law: a spring with a slider, and a second spring in parallel."""

from typing import ClassVar

import numpy as np

from faying.compiled import compiled
from faying.joints.friction_laws import LinearizedStep, Traction, friction_laws
from faying.joints.friction_laws._three_parameters import ThreeParameterLaw

# A stress this close to the limit counts as having reached it: a committed state that slips lies on the
# limit except for round-off, and must be found slipping when it is evaluated again.
LIMIT_REACHED = 1.0 - 1e-6


@friction_laws.register("coulomb")
class Coulomb(ThreeParameterLaw):
    """Three-parameter Coulomb-type friction (thesis eq. 2.113, fig. 2.4), in two tangential directions.

    The stress of the slider, τ₁, never exceeds the sticking limit R_G = μ p in amount; direction and history
    follow from a radial return, as in plasticity: the history is the slider's slip s_p (2), the trial stress is
    c₁ (s − s_p), and the excess over R_G becomes slip along the trial stress. In one direction this is eq. 2.113.
    The second spring adds c₂ s, so that the slope is c₁ + c₂ while sticking and c₂ while slipping.
    """

    title: ClassVar[str] = "Coulomb, three parameters"
    advice: ClassVar[str] = "The usual choice: sticks elastically, slides at the friction coefficient."
    history_size: ClassVar[int] = 2

    def traction(
        self,
        slip: np.ndarray,
        limit: np.ndarray,
        history: np.ndarray,
        time_step: float,
        *,
        derivatives: bool = True,
    ) -> Traction:
        """Return the friction stress of closed pairs by radial return; it does not depend on `time_step`."""
        stress, after, slipping, d_slip, d_limit = radial_return(
            np.ascontiguousarray(slip), np.ascontiguousarray(limit), np.ascontiguousarray(history),
            self.slider_stiffness, self.sliding_stiffness, derivatives,
        )  # fmt: skip
        if not derivatives:
            return Traction(stress, after, slipping)
        return Traction(stress, after, slipping, d_slip, d_limit)

    def linearized_step(
        self, slip: np.ndarray, limit: np.ndarray, history: np.ndarray, time_step: float
    ) -> LinearizedStep:
        """Return a step with its derivatives: the slider's slip after it is s − τ₁/c₁, and τ₁ depends on s − s_p."""
        answer = self.traction(slip, limit, history, time_step)
        assert answer.d_slip is not None and answer.d_limit is not None
        of_slider = answer.d_slip - self.sliding_stiffness * np.eye(2)
        follows = of_slider / self.slider_stiffness
        return LinearizedStep(
            answer, -of_slider, np.eye(2) - follows, -answer.d_limit / self.slider_stiffness, follows
        )


Returned = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _of_arrays(
    slip: np.ndarray, limit: np.ndarray, history: np.ndarray, c1: float, c2: float, derivatives: bool
) -> Returned:
    # Amount of the slider's trial stress c₁ (s − s_p).
    elastic = slip - history
    amount = c1 * np.sqrt(np.einsum("ij,ij->i", elastic, elastic))
    # Radial return: the share of it that stays. Without a limit nothing does, not even at rest.
    reach = np.maximum(amount, limit)
    reach[reach == 0.0] = 1.0
    kept = limit / reach
    stress = (c1 * kept)[:, None] * elastic + c2 * slip
    after, slipping = history + (1.0 - kept)[:, None] * elastic, amount >= LIMIT_REACHED * limit
    if not derivatives:
        return stress, after, slipping, np.zeros((0, 2, 2)), np.zeros((0, 2))
    # ∂τ₁/∂s: c₁ while sticking; while slipping only the part across the direction is left, times R_G/|trial|. A
    # committed state lies on the limit, where both hold: a step that turns back needs the first.
    yields = kept < LIMIT_REACHED
    direction = elastic * (c1 / np.where(amount > 0.0, amount, 1.0))[:, None]
    across = c1 * kept
    along = np.where(yields, across, 0.0)
    first, second = direction.T
    d_slip = np.empty((len(slip), 2, 2))
    d_slip[:, 0, 0] = across + c2 - along * first * first
    d_slip[:, 1, 1] = across + c2 - along * second * second
    d_slip[:, 0, 1] = d_slip[:, 1, 0] = -along * first * second
    return stress, after, slipping, d_slip, yields[:, None] * direction


# In arrays every line is a pass over all pairs, and of few pairs each costs a microsecond: half of an evaluation.
@compiled(plain=_of_arrays, reorder=False)
def radial_return(
    slip: np.ndarray, limit: np.ndarray, history: np.ndarray, c1: float, c2: float, derivatives: bool
) -> Returned:
    """Return stress (n, 2), history (n, 2), slipping (n,), and on request ∂τ/∂s (n, 2, 2) and ∂τ/∂R_G (n, 2).

    Args:
        slip, limit, history: see `faying.joints.friction_laws.FrictionLaw.traction`.
        c1, c2: stiffness of the spring in series with the slider, and of the parallel spring.
        derivatives: whether to compute them.
    """
    n = len(slip)
    stress, after = np.empty((n, 2)), np.empty((n, 2))
    slipping = np.empty(n, np.bool_)
    m = n if derivatives else 0
    d_slip, d_limit = np.empty((m, 2, 2)), np.empty((m, 2))
    for i in range(n):
        x, y = slip[i, 0] - history[i, 0], slip[i, 1] - history[i, 1]
        amount = c1 * np.sqrt(x * x + y * y)
        reach = max(amount, limit[i])
        kept = limit[i] / (reach if reach != 0.0 else 1.0)
        stress[i, 0], stress[i, 1] = c1 * kept * x + c2 * slip[i, 0], c1 * kept * y + c2 * slip[i, 1]
        after[i, 0], after[i, 1] = history[i, 0] + (1.0 - kept) * x, history[i, 1] + (1.0 - kept) * y
        slipping[i] = amount >= LIMIT_REACHED * limit[i]
        if derivatives:
            unit = c1 / (amount if amount > 0.0 else 1.0)
            first, second, across = x * unit, y * unit, c1 * kept
            along, yields = (across, 1.0) if kept < LIMIT_REACHED else (0.0, 0.0)
            d_slip[i, 0, 0] = across + c2 - along * first * first
            d_slip[i, 1, 1] = across + c2 - along * second * second
            d_slip[i, 0, 1] = d_slip[i, 1, 0] = -along * first * second
            d_limit[i, 0], d_limit[i, 1] = yields * first, yields * second
    return stress, after, slipping, d_slip, d_limit
