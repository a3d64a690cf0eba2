"""Damping of impacts that gives a stated restitution, for any elastic force.

An elastic force p(δ) times (1 + D δ̇), with D constant during a touch, returns the speed e v₀ of an approach with v₀
if d = D v₀ solves

    d (1 + e) = ln[(1 + d)/(1 − e d)]

for every p and every mass: v dv/(1 + D v) = −p dδ/m, and ∫p dδ is the same on the way in and on the way out. The usual
formulas (Lankarani and Nikravesh 1990; Flores et al. 2011) approximate this relation near e = 1.
"""

import math
from functools import lru_cache

_ELASTIC = 1e-6  # 1 − e, below which the first term of the series is exact to round-off


@lru_cache(maxsize=256)
def damping_ratio(restitution: float) -> float:
    """Return d = D v₀ for a restitution e: 0 for an elastic touch, towards 1/e for small ones.

    Raises:
        ValueError: unless 0 < e ≤ 1.
    """
    e = restitution
    if not 0.0 < e <= 1.0:
        raise ValueError(f"the restitution has to be above 0 and at most 1, not {e:g}")
    if 1.0 - e <= _ELASTIC:
        return 1.5 * (1.0 - e)
    # u = 1 − e d falls to zero with e: the relation is solved in its logarithm, where it is far from singular.
    low, high = math.log(1e-300), math.log1p(-e * (1.0 - e))
    for _ in range(200):
        middle = 0.5 * (low + high)
        d = -math.expm1(middle) / e
        low, high = (middle, high) if math.log1p(d) - middle > d * (1.0 + e) else (low, middle)
    return -math.expm1(0.5 * (low + high)) / e


def damped(push: float, rate: float, ratio: float, approach_speed: float) -> float:
    """Return p (1 + D δ̇) ≥ 0: an elastic force with its damping; surfaces never pull.

    Args:
        push: p, the elastic force.
        rate: δ̇, rate of the penetration.
        ratio: d = D v₀ of `damping_ratio`.
        approach_speed: v₀; zero for no damping.
    """
    if approach_speed <= 0.0 or ratio == 0.0:
        return push
    return max(push * (1.0 + ratio * rate / approach_speed), 0.0)
