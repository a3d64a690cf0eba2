"""Contract of rotation vectors: the tangent and its change by differences, for small and large angles."""

import numpy as np
import pytest

from faying.multibody.small_matrices import small_rotation, tangent_change
from faying.spatial.rotations import rotation_about, rotation_matrix, skew

ANGLES = (0.0, 1e-6, 1e-3, 0.0999, 0.1001, 0.8, 2.5)


def tangent(theta):
    return small_rotation(theta)[1]


@pytest.fixture(params=ANGLES)
def theta(request):
    axis = np.array([0.48, -0.6, 0.64])
    return request.param * axis


def test_the_tangent_is_the_turn_of_a_small_change(theta):
    def matrix(change):
        return rotation_matrix(rotation_about(theta + change))

    change, step = np.array([0.3, 0.2, -0.7]), 1e-6
    rate = (matrix(step * change) - matrix(-step * change)) / (2 * step)
    np.testing.assert_allclose(rate @ matrix(0.0 * change).T, skew(tangent(theta) @ change), atol=3e-10)


def test_the_rotation_is_that_about_the_vector(theta):
    """As by quaternions, which take no series."""
    np.testing.assert_allclose(small_rotation(theta)[0], rotation_matrix(rotation_about(theta)), atol=1e-13)


def test_the_change_of_the_tangent_is_its_derivative(theta):
    moment, step = np.array([2.0, -1.0, 3.0]), 1e-5
    columns = [
        (tangent(theta + step * e).T @ moment - tangent(theta - step * e).T @ moment) / (2 * step)
        for e in np.eye(3)
    ]
    np.testing.assert_allclose(tangent_change(theta, moment), np.array(columns).T, atol=2e-9)


def test_series_and_closed_form_meet():
    axis, moment = np.array([0.6, 0.0, 0.8]), np.array([2.0, -1.0, 3.0])
    below, above = (0.1 * (1.0 + sign * 1e-13) * axis for sign in (-1, 1))
    np.testing.assert_allclose(tangent(below), tangent(above), atol=1e-13)
    np.testing.assert_allclose(tangent_change(below, moment), tangent_change(above, moment), atol=1e-10)
