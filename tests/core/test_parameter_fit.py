"""Least-squares fits: a Jenkins element in closed form, linear statistics, and what points do not determine."""

import numpy as np
import pytest

from faying.errors import SolveError
from faying.solvers.parameter_fit import ParameterFit, fit_parameters

AMPLITUDES = np.geomspace(0.2, 20.0, 15)
TRUE = np.array([0.3, 0.2])  # spring and limit of the slider
BOUNDS = np.array([[0.1, 0.1], [10.0, 10.0]])


def jenkins(spring, limit, amplitudes=AMPLITUDES):
    """ω² = 1 + A/a − 1 with the virgin curve A; D = 4 F (a − F/k): quasi-static, mass and its own spring one."""
    slides = amplitudes > limit / spring
    squares = 1.0 + np.where(slides, limit / amplitudes, spring)
    work = np.where(slides, 4.0 * limit * (amplitudes - limit / spring), 0.0)
    return np.sqrt(squares) / (2.0 * np.pi), work / (2.0 * np.pi * squares * amplitudes**2)


def fitted(noise=0.0, seed=1, start=(0.9, 0.07)):
    rng = np.random.default_rng(seed)
    errors = np.concatenate([np.full(15, 2e-3 / (2 * np.pi)), np.full(15, 2e-3)])
    points = np.concatenate(jenkins(*TRUE)) + noise * errors * rng.standard_normal(30)
    begin = np.array(start)
    return fit_parameters(
        lambda p: (np.concatenate(jenkins(*p)) - points) / errors,
        begin,
        np.array([0.05, 20.0])[:, None] * begin,
    )


def test_the_parameters_that_made_the_curve_are_found():
    fit = fitted()
    np.testing.assert_allclose(fit.values, TRUE, rtol=1e-3)
    assert fit.scatter < 0.05 and not fit.undetermined() and not fit.at_bounds.any()
    low, high = fit.intervals()
    assert (low < TRUE).all() and (high > TRUE).all()


def test_intervals_contain_the_truth_as_often_as_they_say():
    """Of 200 curves with noise, about 95 % of the intervals of each parameter contain it (2 σ of a count: 3 %)."""
    inside = np.zeros(2)
    for seed in range(200):
        low, high = fitted(1.0, seed).intervals(0.95)
        inside += (low <= TRUE) & (high >= TRUE)
    assert (inside / 200 > 0.92).all()
    # They are not generous either: the scatter of the estimates is what they are made of.
    spread = np.std([np.log(fitted(1.0, seed).values) for seed in range(60)], axis=0)
    np.testing.assert_allclose(fitted(1.0).uncertainty(0.95) / 2.05, spread, rtol=0.35)


def test_a_product_alone_is_named_as_what_is_determined():
    """Of the limit only μ N acts: both double against each other without being noticed."""
    errors = 1e-3
    points = np.concatenate(jenkins(*TRUE))
    fit = fit_parameters(
        lambda p: (np.concatenate(jenkins(p[0], p[1] * p[2])) - points) / errors,
        np.array([0.3, 0.2, 2.0]), np.array([[0.03, 0.02, 0.2], [3.0, 2.0, 20.0]]),
    )  # fmt: skip
    assert fit.values[0] == pytest.approx(0.3, rel=1e-3)
    assert fit.values[1] * fit.values[2] == pytest.approx(0.2, rel=1e-3)
    (combination,) = fit.undetermined()
    np.testing.assert_allclose(combination.exponents / combination.exponents[1], [0.0, 1.0, -1.0], atol=0.02)
    assert combination.change < 1e-3
    low, high = fit.intervals()
    assert low[1] < 0.02 and high[1] > 2.0 and high[0] / low[0] < 1.05


def test_a_line_through_points_has_the_textbook_interval():
    """One parameter p of y = p, n residuals: ln p ± t s / (√n p ∂y/∂p)."""
    points = np.array([1.0, 1.1, 0.9, 1.05, 0.95])
    fit = fit_parameters(lambda p: (p[0] - points) / 1e-3, np.array([0.5]), np.array([[0.01], [100.0]]))
    assert fit.values[0] == pytest.approx(1.0, rel=1e-3)
    scatter = np.sqrt(((points - 1.0) ** 2).sum() / 4) / 1e-3
    assert fit.scatter == pytest.approx(scatter, rel=1e-3)
    assert fit.uncertainty(0.95)[0] == pytest.approx(2.776445 * scatter * 1e-3 / np.sqrt(5), rel=0.02)


def test_a_parameter_at_its_bound_is_noticed_and_runs_are_counted():
    fit = fit_parameters(lambda p: np.array([p[0] - 5.0, 0.0]), np.array([1.0]), np.array([[0.5], [2.0]]))
    assert fit.at_bounds.tolist() == [1]
    with pytest.raises(SolveError, match="2 evaluations of the model do not suffice"):
        fit_parameters(lambda p: p - 5.0, np.ones(1), np.array([[0.5], [2.0]]), most_evaluations=2)


def test_a_parameter_without_effect_is_not_determined():
    jacobian = np.array([[100.0, 0.0], [50.0, 0.0], [200.0, 0.0]])
    fit = ParameterFit(np.ones(2), np.zeros(3), jacobian, np.ones(2), BOUNDS, 1)
    (found,) = fit.undetermined()
    assert np.abs(found.exponents).tolist() == [0.0, 1.0] and found.change == 0.0
    assert np.isinf(fit.uncertainty()[1]) and np.isfinite(fit.uncertainty()[0])
