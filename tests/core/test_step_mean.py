"""The mean pressure over a step: its work is what the law stores, and its derivative is right, for every law.

Kinds of reference: closed forms of the linear law, conservation of energy, differences.
"""

import numpy as np
import pytest

from faying.joints.contact_laws import contact_laws
from faying.joints.step_mean import PairsBefore, mean_pressures, stored_energies, sudden_means

LINEAR = contact_laws["linear_penalty"](stiffness=2.0)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (-1.0, -3.0, 2.0 * 2.0),  # stays closed: the mean of both ends
        (1.0, -3.0, 2.0 * 4.5 / 4.0),  # closes: ½ k d² over the way
        (-3.0, 1.0, 2.0 * 4.5 / 4.0),  # opens
        (2.0, 1.0, 0.0),  # open
        (np.inf, -3.0, 6.0),  # appears: the pressure at the end
        (-2.0, -2.0, 4.0),  # does not move
        (0.0, 0.0, 0.0),
    ],
)
def test_the_mean_of_a_linear_law_is_known(before, after, expected):
    found, _ = mean_pressures(LINEAR, np.array([before]), np.array([after]))
    assert found[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", sorted(contact_laws))
def test_the_work_of_the_mean_pressure_is_the_change_of_the_stored_energy(kind):
    law = contact_laws[kind](**contact_laws[kind].example())
    size = 2e-4
    gaps = law.closing_gap() + size * np.array([-1.0, -0.6, -0.59, -0.3, -0.02, 0.01, 0.5, 2.0])
    before, after = (x.ravel() for x in np.meshgrid(gaps, gaps))
    mean, slope = mean_pressures(law, before, after)
    assert (mean >= 0.0).all() and (slope <= 1e-9 * np.abs(slope).max()).all()
    released = stored_energies(law, before) - stored_energies(law, after)
    np.testing.assert_allclose(
        mean * (after - before), released, atol=1e-4 * np.abs(released).max(), err_msg=kind
    )
    h = 1e-6 * size
    moves = [mean_pressures(law, before, after + way)[0] for way in (-h, h)]
    smooth = np.abs(after - law.closing_gap()) > 10.0 * h
    rough = (moves[1] - moves[0]) / (2.0 * h)
    np.testing.assert_allclose(slope[smooth], rough[smooth], atol=2e-2 * np.abs(rough).max(), err_msg=kind)


def test_what_acts_at_the_end_of_a_step_is_the_mean_less_half_of_the_start():
    gaps, halved = np.array([-1.0, -1.0, 1.0, np.inf]), np.array([True, False, False, False])
    before, after = PairsBefore(gaps, np.zeros(4, bool), halved), np.full(4, -3.0)
    means = sudden_means(LINEAR, before, after, *LINEAR.pressure(after))
    np.testing.assert_allclose(means.pressures, [4.0 - 1.0, 4.0, 2.25, 6.0])
    np.testing.assert_allclose(means.slopes, [-1.0, -1.0, -0.9375, -2.0])
    # Friction: a half of pairs that stay closed, in proportion to the pressure of one that closes.
    np.testing.assert_allclose(means.friction, [0.5, 1.0, 2.25 / 6.0, 1.0])
    moved = after + 1e-6
    shares = sudden_means(LINEAR, before, moved, *LINEAR.pressure(moved)).friction
    np.testing.assert_allclose(means.d_friction, (shares - means.friction) / 1e-6, atol=1e-6)
