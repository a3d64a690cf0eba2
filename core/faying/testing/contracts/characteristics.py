"""What every characteristic keeps: its slope and its integral belong to its values."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.characteristics import Characteristic, characteristics
from faying.testing.contracts.members import MemberContract

_PLACES = (-2.3, -0.71, 0.013, 0.37, 1.9)


class CharacteristicContract(MemberContract):
    """Finite values with the slope and the integral that belong to them, within the ends and beyond."""

    family: ClassVar[Any] = characteristics

    @pytest.fixture
    def characteristic(self, member: Characteristic) -> Characteristic:
        """The characteristic that is tried."""
        return member

    def test_the_slope_belongs_to_the_values(self, characteristic: Characteristic) -> None:
        step = 1e-5
        for x in _PLACES:
            rise = characteristic.value(x + step) - characteristic.value(x - step)
            assert characteristic.slope(x) == pytest.approx(rise / (2.0 * step), rel=1e-5, abs=1e-6)

    def test_the_integral_belongs_to_the_values(self, characteristic: Characteristic) -> None:
        assert characteristic.integral(0.0) == 0.0
        step = 1e-5
        for x in _PLACES:
            gained = characteristic.integral(x + step) - characteristic.integral(x - step)
            assert gained / (2.0 * step) == pytest.approx(characteristic.value(x), rel=1e-5, abs=1e-6)

    def test_the_slopes_of_what_moves_belong_to_it(self, characteristic: Characteristic) -> None:
        step = 1e-6
        for x, rate in zip(_PLACES, (0.3, -0.7, 0.0, 1.9, -0.2), strict=True):
            by_x, by_rate = characteristic.moving_slopes(x, rate)
            rise = characteristic.moving(x + step, rate) - characteristic.moving(x - step, rate)
            faster = characteristic.moving(x, rate + step) - characteristic.moving(x, rate - step)
            assert by_x == pytest.approx(rise / (2.0 * step), rel=1e-4, abs=1e-4)
            assert by_rate == pytest.approx(faster / (2.0 * step), rel=1e-4, abs=1e-4)

    def test_ends_are_in_order(self, characteristic: Characteristic) -> None:
        lowest, highest = characteristic.ends()
        assert lowest < highest
        assert np.isfinite([characteristic.value(x) for x in _PLACES]).all()

    def test_forms_can_draw_it(self, characteristic: Characteristic) -> None:
        low, high = characteristic.span()
        assert np.isfinite((low, high)).all() and low < high
        x = np.array(_PLACES)
        lines = characteristic.lines(x)
        assert lines and all(
            values.shape == x.shape and np.isfinite(values).all() for values in lines.values()
        )
        mean = np.mean(list(lines.values()), axis=0)
        np.testing.assert_allclose(mean, [characteristic.value(place) for place in _PLACES])
        for name, points in characteristic.given_points().items():
            assert getattr(characteristic, name) == points
