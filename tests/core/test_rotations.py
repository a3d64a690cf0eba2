"""Contract of the rotations: derivatives by differences, round trips. They hold off the unit sphere too."""

import numpy as np
import pytest

from faying.spatial import rotations

SEEDS = range(20)


@pytest.fixture(params=SEEDS)
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    return np.random.default_rng(request.param)


def test_the_matrix_is_a_rotation(rng: np.random.Generator) -> None:
    matrix = rotations.rotation_matrix(3.0 * rng.normal(size=4))
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(matrix) == pytest.approx(1.0)


def test_rates_are_the_derivatives(rng: np.random.Generator) -> None:
    p, rate, step = rng.normal(size=4), rng.normal(size=4), 1e-6
    ahead, behind = (rotations.rotation_matrix(p + s * rate) for s in (step, -step))
    change, matrix = (ahead - behind) / (2 * step), rotations.rotation_matrix(p)
    np.testing.assert_allclose(change, rotations.skew(rotations.spatial_rates(p) @ rate) @ matrix, atol=1e-8)
    np.testing.assert_allclose(change, matrix @ rotations.skew(rotations.body_rates(p) @ rate), atol=1e-8)


def test_round_trips(rng: np.random.Generator) -> None:
    matrix = rotations.rotation_matrix(rng.normal(size=4))
    again = rotations.rotation_matrix(rotations.euler_parameters(matrix))
    np.testing.assert_allclose(again, matrix, atol=1e-14)
    axis = rng.normal(size=3)
    vector = axis / np.linalg.norm(axis) * np.pi * rng.random()
    turned = rotations.rotation_matrix(rotations.rotation_about(vector))
    np.testing.assert_allclose(rotations.rotation_vector(turned), vector, atol=1e-12)


@pytest.mark.parametrize("axis", np.eye(3))
def test_half_turns_have_euler_parameters(axis: np.ndarray) -> None:
    matrix = 2.0 * np.outer(axis, axis) - np.eye(3)
    np.testing.assert_allclose(np.abs(rotations.euler_parameters(matrix)), [0.0, *axis], atol=1e-15)


def test_products_and_spin(rng: np.random.Generator) -> None:
    p, r = rng.normal(size=4), rng.normal(size=4)
    both = rotations.rotation_matrix(rotations.quaternion_product(p, r))
    np.testing.assert_allclose(both, rotations.rotation_matrix(p) @ rotations.rotation_matrix(r), atol=1e-14)
    unit, omega = p / np.linalg.norm(p), rng.normal(size=3)
    rates = rotations.rates_of_body_rotation(unit, omega)
    np.testing.assert_allclose(rotations.body_rates(unit) @ rates, omega, atol=1e-13)
    assert unit @ rates == pytest.approx(0.0, abs=1e-14)


def test_what_turns_about_an_axis_at_rest_stays_on_its_circle(rng: np.random.Generator) -> None:
    """Rodrigues' formula about the axis; small turns and large ones."""
    axis, through, place, p = rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), rng.normal(size=4)
    p /= np.linalg.norm(p)
    for angle in (0.0, 1e-6, 0.009, 0.011, 2.5):
        turn = angle * axis / np.linalg.norm(axis)
        shift = np.cross(turn, place - through)
        moved, turned = rotations.moved_along_screw(place, p, shift, turn)
        matrix = rotations.rotation_matrix(rotations.rotation_about(turn))
        np.testing.assert_allclose(moved, through + matrix @ (place - through), atol=1e-13)
        np.testing.assert_allclose(
            rotations.rotation_matrix(turned), matrix @ rotations.rotation_matrix(p), atol=1e-13
        )


def test_a_screw_goes_along_its_axis_while_it_turns() -> None:
    axis = np.array([0.0, 0.0, 1.0])
    moved, _ = rotations.moved_along_screw(np.zeros(3), rotations.IDENTITY, 0.3 * axis, 1.7 * axis)
    np.testing.assert_allclose(moved, 0.3 * axis, atol=1e-15)
