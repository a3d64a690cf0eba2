"""Laws whose slip costs stress: the end of a path and its change, also where the resistance is hardly anything."""

import numpy as np
import pytest

from faying.joints.friction_laws._resisted import _end


@pytest.mark.parametrize("k", [0.0, 1e-12, 1e-8, 3e-7, 5e-6, 9e-5, 1.1e-4, 1e-3, 0.3, 4.0, 60.0])
def test_the_end_and_its_change_over_the_resistance(k: float) -> None:
    """Series of y = e⁻ᵏ y₀ + (1 − e⁻ᵏ)/k t, x = e⁻ᵏ x₀ and of their derivatives by k, summed in full."""
    along, across, travel = 0.3, -0.7, 1.9
    # (1 − e⁻ᵏ)/k = Σ (−k)ⁿ/(n + 1)!, and its derivative −Σ (n + 1) (−k)ⁿ/(n + 2)!
    term, growth, d_growth = 1.0, 0.0, 0.0
    for n in range(60):
        growth += term / (n + 1)
        d_growth -= term / (n + 2)
        term *= -k / (n + 1)
    if k > 10.0:  # where the series loses its digits
        growth, d_growth = 1.0 / k, -1.0 / k**2
    found = _end(*(np.array([value]) for value in (k, along, across, travel)))
    kept = np.exp(-k)
    wanted = kept * along + growth * travel, kept * across, d_growth * travel - kept * along, -kept * across
    np.testing.assert_allclose(np.ravel(found), wanted, rtol=3e-9, atol=1e-15)
