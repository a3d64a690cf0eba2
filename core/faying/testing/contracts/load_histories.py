"""Contract of load histories: a finite factor, with its integral and its derivatives."""

import math
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.load_histories import LoadHistory, load_histories
from faying.testing.contracts.members import MemberContract


class LoadHistoryContract(MemberContract):
    """Factors are finite; integral and rates are consistent with them."""

    family: ClassVar[Any] = load_histories

    @pytest.fixture
    def history(self, member: LoadHistory) -> LoadHistory:
        """The tested load history."""
        return member

    def test_factors_are_finite(self, history: LoadHistory) -> None:
        assert all(math.isfinite(history.factor(t)) for t in np.linspace(0.0, 3.0, 50))

    def test_the_integral_belongs_to_the_factor(self, history: LoadHistory) -> None:
        assert history.integral(0.0) == 0.0
        step = 1e-6
        for time in (0.0031, 0.0123, 0.7, 1.7):
            rate = (history.integral(time + step) - history.integral(time - step)) / (2 * step)
            assert rate == pytest.approx(history.factor(time), abs=1e-6)

    def test_the_double_integral_belongs_to_the_integral(self, history: LoadHistory) -> None:
        assert history.double_integral(0.0) == 0.0
        step = 1e-4
        for time in (0.0031, 0.0123, 0.7, 1.7):
            rate = (history.double_integral(time + step) - history.double_integral(time - step)) / (2 * step)
            mean = (history.integral(time + step) + history.integral(time - step)) / 2
            assert rate == pytest.approx(mean, abs=1e-4)

    @pytest.mark.parametrize("time", [3e-4, 0.0031, 0.7, 10.0012, 100.0033])
    def test_the_rates_belong_to_the_factor(self, history: LoadHistory, time: float) -> None:
        """Against central differences with Richardson's extrapolation, early in a run and late."""

        def first(h: float) -> float:
            return (history.factor(time + h) - history.factor(time - h)) / (2.0 * h)

        def second(h: float) -> float:
            return (history.factor(time + h) - 2.0 * history.factor(time) + history.factor(time - h)) / h**2

        rates = history.rates(time)
        assert rates[0] == pytest.approx((4.0 * first(1e-5) - first(2e-5)) / 3.0, rel=1e-5, abs=1e-3)
        assert rates[1] == pytest.approx((4.0 * second(4e-5) - second(8e-5)) / 3.0, rel=1e-3, abs=1.0)
