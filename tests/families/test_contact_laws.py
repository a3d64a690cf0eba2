"""What every contact law keeps, and the numbers of each."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.joints.contact_laws import ContactLaw, contact_laws
from faying.params import build


@pytest.fixture(params=list(contact_laws))
def law(request: pytest.FixtureRequest) -> ContactLaw:
    return contact_laws[request.param]()


def test_there_is_one() -> None:
    assert "linear_penalty" in list(contact_laws)


def test_kind_and_words(law: ContactLaw) -> None:
    words = law.model_dump()
    assert words.pop("kind") == law.kind
    assert contact_laws[law.kind] is type(law)
    assert build(type(law), words) == law
    assert law.title


def test_no_pressure_from_the_closing_gap_on(law: ContactLaw) -> None:
    gap = law.closing_gap() + np.array([0.0, 1e-9, 1e-3, 1.0, 1e100])
    p, dp = law.pressure(gap)
    assert np.all(p == 0.0)
    assert np.all(dp == 0.0)
    assert law.pressure(np.array([law.closing_gap() - 1e-4]))[0] > 0.0


def test_pressure_is_positive_continuous_and_falls_with_the_gap(law: ContactLaw) -> None:
    gap = np.linspace(-4e-3, 1e-3, 5001)
    p, dp = law.pressure(gap)
    assert np.all(p >= 0.0)
    assert np.all(dp <= 0.0)
    assert np.all(np.diff(p) <= 0.0)
    # No jump: neighbours differ by no more than the steeper slope allows.
    step = np.abs(np.diff(p))
    allowed = np.maximum(np.abs(dp[1:]), np.abs(dp[:-1])) * (gap[1] - gap[0])
    assert np.all(step <= allowed * (1.0 + 1e-9) + 1e-12)


def test_derivative_by_differences(law: ContactLaw) -> None:
    gap = -np.geomspace(1e-5, 3e-3, 200) + law.closing_gap()
    h = 1e-7 * np.abs(gap).max()
    up, down = law.pressure(gap + h)[0], law.pressure(gap - h)[0]
    p, dp = law.pressure(gap)
    # Away from kinks the one-sided slopes agree.
    smooth = np.abs((up - p) - (p - down)) < 1e-4 * np.abs(up - down)
    assert smooth.sum() > 150
    np.testing.assert_allclose(dp[smooth], ((up - down) / (2.0 * h))[smooth], rtol=1e-5)


def test_vector_equals_scalar(law: ContactLaw) -> None:
    gap = np.concatenate([[law.closing_gap(), 0.0], np.random.default_rng(1).uniform(-4e-3, 1e-3, 50)])
    p, dp = law.pressure(gap)
    for i, g in enumerate(gap):
        one = law.pressure(np.array([g]))
        assert (one[0][0], one[1][0]) == (p[i], dp[i])


def test_no_finite_gap_overflows(law: ContactLaw) -> None:
    gap = np.concatenate([-np.geomspace(1e-300, 1e100, 200), np.geomspace(1e-300, 1e100, 200)])
    with np.errstate(all="raise", under="ignore"):
        p, dp = law.pressure(gap)
    assert np.all(np.isfinite(p))
    assert np.all(np.isfinite(dp))


def test_linear_penalty() -> None:
    # Published: thesis table 4.6, law A: 400 N/mm³ gives 1 N/mm² at −2.5 µm.
    law = build(contact_laws["linear_penalty"], {"stiffness": 400.0})
    p, dp = law.pressure(np.array([-2.5e-3, -1e-3, -3e-3, 0.0, 1e-3]))
    np.testing.assert_allclose(p, [1.0, 0.4, 1.2, 0.0, 0.0], rtol=1e-14)
    np.testing.assert_array_equal(dp, [-400.0, -400.0, -400.0, 0.0, 0.0])
    assert contact_laws["linear_penalty"]().stiffness == 50_000.0


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf"), "stiff"])
def test_linear_penalty_refuses(value: object) -> None:
    with pytest.raises(ModelError, match="stiffness"):
        build(contact_laws["linear_penalty"], {"stiffness": value})
