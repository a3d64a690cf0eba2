"""What every load history keeps: a finite factor, whose integral is its integral."""

import math
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.load_histories import LoadHistory, load_histories
from faying.testing.contracts.members import MemberContract


class LoadHistoryContract(MemberContract):
    """Factors are finite, and the integral belongs to them."""

    family: ClassVar[Any] = load_histories

    @pytest.fixture
    def history(self, member: LoadHistory) -> LoadHistory:
        """The load history that is tried."""
        return member

    def test_factors_are_finite(self, history: LoadHistory) -> None:
        assert all(math.isfinite(history.factor(t)) for t in np.linspace(0.0, 3.0, 50))

    def test_the_integral_belongs_to_the_factor(self, history: LoadHistory) -> None:
        assert history.integral(0.0) == 0.0
        step = 1e-6
        for time in (0.0031, 0.0123, 0.7, 1.7):
            rate = (history.integral(time + step) - history.integral(time - step)) / (2 * step)
            assert rate == pytest.approx(history.factor(time), abs=1e-6)
