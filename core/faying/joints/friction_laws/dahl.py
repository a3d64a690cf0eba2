"""The Dahl law: stress approaches the sticking limit without a corner."""

from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws._hysteretic import HystereticLaw
from faying.params import parameter


@friction_laws.register("dahl")
class Dahl(HystereticLaw):
    """Adapted Dahl friction (thesis eqs. 2.115, 2.116) with σ₀ = c₁, in two tangential directions.

    In one direction dτ₁/ds = c₁ |1 − τ₁/R_G sgn ṡ|^α sgn(1 − τ₁/R_G sgn ṡ). In two, with the slip's direction n,
    dτ₁ = c₁ |n − τ₁/R_G|^(α−1) (n − τ₁/R_G) |ds|: the stress moves straight towards R_G n. Along a straight path this
    has a closed solution, so a step of any length is exact. It loses energy at every amplitude: it never sticks.
    """

    kind: ClassVar[str] = "dahl"
    title: ClassVar[str] = "Dahl"

    exponent: float = parameter(
        1.0, title="Exponent", ge=0.1, le=10.0,
        meaning="Shape of the hysteresis, α: commonly 1; smaller values stay stiff longer and turn sharper.",
    )  # fmt: skip

    def flow(
        self, along: np.ndarray, across: np.ndarray, travel: np.ndarray, guess: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return stress along and across at the path's end; see `HystereticLaw.flow`."""
        distance = np.sqrt((1.0 - along) ** 2 + across**2)
        far = distance.real > 0.0
        kept = np.where(far, _kept(np.where(far, distance, 1.0), travel, self.exponent), 1.0)
        return 1.0 - kept * (1.0 - along), kept * across, travel.real


def _kept(distance: np.ndarray, travel: np.ndarray, exponent: float) -> np.ndarray:
    """Return the share of the distance δ to the target that is left: dδ/du = −δ^α solved, over δ."""
    if exponent == 1.0:
        return np.asarray(np.exp(-travel))
    # δ^(1−α) falls in proportion to the travel when α < 1, until the target is reached; it grows when α > 1.
    base = 1.0 + (exponent - 1.0) * travel * distance ** (exponent - 1.0)
    left = base.real > 0.0
    return np.where(left, np.where(left, base, 1.0) ** (1.0 / (1.0 - exponent)), 0.0)
