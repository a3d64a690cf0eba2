"""Contract of curves on parts: points that make one, and the smooth curve through them."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.curve_shapes import CurveShape, curve_shapes
from faying.testing.contracts.members import MemberContract


class CurveShapeContract(MemberContract):
    """Three points at least, apart from each other; derivatives belong to the places; a closed curve comes back."""

    family: ClassVar[Any] = curve_shapes

    @pytest.fixture
    def curve(self, member: CurveShape) -> CurveShape:
        """The tested curve."""
        return member

    def test_its_points_make_a_curve(self, curve: CurveShape) -> None:
        places = curve.places()
        assert places.ndim == 2 and places.shape[1] == 3 and len(places) >= 3
        assert np.linalg.norm(np.diff(places, axis=0), axis=1).min() > 0.0
        if curve.is_closed:
            assert np.linalg.norm(places[-1] - places[0]) > 0.0

    def test_derivatives_belong_to_the_places(self, curve: CurveShape) -> None:
        spline = curve.spline()
        step = 1e-5 * spline.length
        for s in np.linspace(0.11, 0.93, 5) * spline.length:
            (ahead, faster, _), (behind, slower, _) = spline.at(s + step), spline.at(s - step)
            _, slope, bend = spline.at(s)
            np.testing.assert_allclose((ahead - behind) / (2.0 * step), slope, atol=1e-6)
            np.testing.assert_allclose((faster - slower) / (2.0 * step), bend, rtol=1e-2, atol=1e-2)

    def test_a_closed_curve_comes_back_smoothly(self, curve: CurveShape) -> None:
        spline = curve.spline()
        if curve.is_closed:
            for at_start, at_end in zip(spline.at(0.0), spline.at(spline.length), strict=True):
                np.testing.assert_allclose(at_start, at_end, atol=1e-9)

    def test_what_is_loaded_is_the_same_curve(self, curve: CurveShape) -> None:
        np.testing.assert_array_equal(curve.loaded().places(), curve.places())
