"""Floquet exponents by Hill's method: Duffing's oscillator by integration in time, and linear structures."""

import numpy as np
import pytest
import scipy.linalg as la
from scipy.integrate import solve_ivp

from core.test_harmonic_balance import FINE, duffing, linear_start
from faying.joints.fourier import FourierBasis
from faying.solvers.harmonic_balance import PeriodicForce, PeriodicMotion, PeriodicProblem, forced_response
from faying.solvers.hill import floquet_exponents


def multipliers(slope, damping: float, period: float) -> np.ndarray:
    """Return the eigenvalues of the transition over a period of ẍ + D ẋ + slope(t) x = 0."""

    def rate(t: float, state: np.ndarray) -> np.ndarray:
        x = state.reshape(2, 2)
        return np.array([x[1], -damping * x[1] - slope(t) * x[0]]).ravel()

    found = solve_ivp(rate, (0.0, period), np.eye(2).ravel(), rtol=1e-10, atol=1e-12)
    return la.eigvals(found.y[:, -1].reshape(2, 2))


def test_duffings_branches_are_stable_and_unstable_as_integration_has_them() -> None:
    """Between the folds a multiplier is above one; everywhere the exponents add up to minus the damping."""
    problem, load = duffing(FourierBasis(9, 128)), np.array([0.1 + 0j])
    start = linear_start(problem, np.ones((1, 1)), load, 0.6)
    motions = list(forced_response(problem, load, 1.0, (0.6, 1.8), start, size=1.5, steps=FINE))
    unstable = []
    for number, motion in enumerate(motions):
        exponents = floquet_exponents(problem, motion)
        assert exponents.sum().real == pytest.approx(-0.05, abs=1e-5)
        unstable.append(exponents[0].real > 0.0)
        if number % 20:
            continue
        orders = np.arange(1, motion.harmonics + 1)

        def slope(t: float, motion: PeriodicMotion = motion, orders: np.ndarray = orders) -> float:
            c, angle = motion.coefficients[:, 0], orders * motion.frequency * t
            return 1.0 + 1.5 * (c[0] + c[1::2] @ np.cos(angle) + c[2::2] @ np.sin(angle)) ** 2

        period = 2.0 * np.pi / motion.frequency
        told = np.sort_complex(multipliers(slope, 0.05, period))
        np.testing.assert_allclose(np.sort_complex(np.exp(exponents * period)), told, atol=2e-5)
    # The determinant changes its sign at the folds, and stability with it.
    signs = np.array([motion.turning for motion in motions])
    np.testing.assert_array_equal(np.array(unstable), signs != signs[0])
    assert 10 < sum(unstable) < len(motions) - 10


@pytest.mark.parametrize("strength", [0.1, 0.6])
def test_parametric_excitation_doubles_the_period(strength: float) -> None:
    """Mathieu: ẍ + 0.1 ẋ + (1 + s cos 2t·0.98) x = 0 at rest is unstable above some strength, as integration says."""
    basis = FourierBasis(12, 128)
    omega = 1.96

    def force(x: np.ndarray, basis: FourierBasis, omega: float, derivatives: bool) -> PeriodicForce:
        factor = -strength * basis.values[:, 1]
        slope = (basis.projection * factor) @ basis.values
        return PeriodicForce(slope @ x, slope)

    one = np.ones((1, 1))
    problem = PeriodicProblem(one, 0.1 * one, one, force, basis, np.zeros(1))
    exponents = floquet_exponents(problem, PeriodicMotion(np.zeros((basis.size, 1)), omega, 1.0))
    period = 2.0 * np.pi / omega
    told = multipliers(lambda t: 1.0 + strength * np.cos(omega * t), 0.1, period)
    np.testing.assert_allclose(np.sort_complex(np.exp(exponents * period)), np.sort_complex(told), atol=1e-6)
    assert (exponents[0].real > 0.0) == (np.abs(told).max() > 1.0) == (strength > 0.3)
    if strength > 0.3:
        assert np.exp(exponents[0] * period).real < -1.0  # the period doubles


def test_a_linear_structure_has_its_eigenvalues() -> None:
    mass = np.array([[2.0, 0.3], [0.3, 1.0]])
    damping, stiffness = np.array([[0.2, -0.05], [-0.05, 0.3]]), np.array([[5.0, -1.0], [-1.0, 30.0]])

    def nothing(x: np.ndarray, basis: FourierBasis, omega: float, derivatives: bool) -> PeriodicForce:
        return PeriodicForce(np.zeros_like(x), np.zeros((x.size, x.size)))

    basis = FourierBasis(3, 32)
    problem = PeriodicProblem(mass, damping, stiffness, nothing, basis, np.zeros(2))
    omega = 1.3
    exponents = floquet_exponents(problem, PeriodicMotion(np.zeros((basis.size, 2)), omega, 1.0))
    first = np.block([[np.zeros((2, 2)), np.eye(2)], [-la.solve(mass, stiffness), -la.solve(mass, damping)]])
    # Exponents are known up to multiples of iω.
    told = np.sort_complex(np.exp(la.eigvals(first) * 2.0 * np.pi / omega))
    np.testing.assert_allclose(np.sort_complex(np.exp(exponents * 2.0 * np.pi / omega)), told, atol=1e-9)
