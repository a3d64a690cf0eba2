"""Contract of contact laws."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.joints.contact_laws import ContactLaw, contact_laws
from faying.testing.contracts.members import MemberContract


class ContactLawContract(MemberContract):
    """Pressures are none from the closing gap on, positive, continuous, falling; derivatives are theirs."""

    family: ClassVar[Any] = contact_laws

    @pytest.fixture
    def law(self, member: ContactLaw) -> ContactLaw:
        """The tested law."""
        return member

    def test_no_pressure_from_the_closing_gap_on(self, law: ContactLaw) -> None:
        gap = law.closing_gap() + np.array([0.0, 1e-9, 1e-3, 1.0, 1e100])
        p, dp = law.pressure(gap)
        assert np.all(p == 0.0)
        assert np.all(dp == 0.0)
        assert law.pressure(np.array([law.closing_gap() - 1e-4]))[0] > 0.0

    def test_pressure_is_positive_continuous_and_falls_with_the_gap(self, law: ContactLaw) -> None:
        gap = np.linspace(-4e-3, 1e-3, 5001)
        p, dp = law.pressure(gap)
        assert np.all(p >= 0.0)
        assert np.all(dp <= 0.0)
        assert np.all(np.diff(p) <= 0.0)
        # No jump: neighbours differ by no more than the steeper slope allows.
        step = np.abs(np.diff(p))
        allowed = np.maximum(np.abs(dp[1:]), np.abs(dp[:-1])) * (gap[1] - gap[0])
        assert np.all(step <= allowed * (1.0 + 1e-9) + 1e-12)

    def test_derivative_by_differences(self, law: ContactLaw) -> None:
        gap = -np.geomspace(1e-5, 3e-3, 200) + law.closing_gap()
        h = 1e-7 * np.abs(gap).max()
        up, down = law.pressure(gap + h)[0], law.pressure(gap - h)[0]
        p, dp = law.pressure(gap)
        # Away from kinks the one-sided slopes agree.
        smooth = np.abs((up - p) - (p - down)) < 1e-4 * np.abs(up - down)
        assert smooth.sum() > 150
        np.testing.assert_allclose(dp[smooth], ((up - down) / (2.0 * h))[smooth], rtol=1e-5)

    def test_vector_equals_scalar(self, law: ContactLaw) -> None:
        gap = np.concatenate([[law.closing_gap(), 0.0], np.random.default_rng(1).uniform(-4e-3, 1e-3, 50)])
        p, dp = law.pressure(gap)
        for i, g in enumerate(gap):
            one = law.pressure(np.array([g]))
            assert (one[0][0], one[1][0]) == (p[i], dp[i])

    def test_no_finite_gap_overflows(self, law: ContactLaw) -> None:
        gap = np.concatenate([-np.geomspace(1e-300, 1e100, 200), np.geomspace(1e-300, 1e100, 200)])
        with np.errstate(all="raise", under="ignore"):
            p, dp = law.pressure(gap)
        assert np.all(np.isfinite(p))
        assert np.all(np.isfinite(dp))
