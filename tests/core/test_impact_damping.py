"""Restitution of impacts by the exact relation, and stops that keep it."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from faying.errors import ModelError
from faying.joints.contact_damping import damped, damping_ratio
from faying.multibody.forces import forces
from faying.params import build
from support.systems import BAR, moved, system_of

ALONG_X = (0.0, np.pi / 2, 0.0)
# Roots of d (1 + e) = ln[(1 + d)/(1 − e d)] by bisection in 30 digits.
ROOTS = {0.95: 0.078927, 0.9: 0.166482, 0.8: 0.373146, 0.6: 0.974872, 0.4: 2.082498, 0.2: 4.919167}


@pytest.mark.parametrize(("restitution", "root"), ROOTS.items())
def test_the_table_of_roots(restitution: float, root: float) -> None:
    assert damping_ratio(restitution) == pytest.approx(root, abs=1e-6)


@pytest.mark.parametrize("restitution", [0.999, 0.9, 0.3, 0.05, 0.01])
def test_roots_solve_the_relation(restitution: float) -> None:
    d = damping_ratio(restitution)
    # Without cancellation: 1 − e d = (1 + d) exp(−d (1 + e)).
    assert 1.0 - restitution * d == pytest.approx((1.0 + d) * np.exp(-d * (1.0 + restitution)), abs=1e-13)
    assert 0.0 < d <= 1.0 / restitution


def test_an_elastic_touch_has_no_damping() -> None:
    assert damping_ratio(1.0) == 0.0
    assert damped(3.0, -1e9, damping_ratio(1.0), 2.0) == 3.0
    assert damped(3.0, -1e9, damping_ratio(0.5), 2.0) == 0.0  # no pull


@pytest.mark.parametrize("exponent", [1.0, 1.5, 3.0])
def test_the_way_back_is_the_same_for_any_elastic_force(exponent: float) -> None:
    """Against an integration of m δ̈ = −p (1 + D δ̇) by scipy."""
    speed, restitution = 2.0, 0.6
    ratio = damping_ratio(restitution)

    def rates(time: float, y: np.ndarray) -> list[float]:
        return [y[1], -damped(400.0 * max(y[0], 0.0) ** exponent, y[1], ratio, speed)]

    def over(time: float, y: np.ndarray) -> float:
        return y[0]

    over.terminal, over.direction = True, -1.0
    back = solve_ivp(rates, (0.0, 10.0), [1e-12, speed], events=over, rtol=1e-10, atol=1e-12)
    assert back.y[1, -1] == pytest.approx(-restitution * speed, rel=1e-6)


def flying(stop, velocity, **more):
    part = {**BAR, "name": "mass", "markers": [{"name": "slide", "rotation": ALONG_X}],
            "placement": {"position": (0.4, 0, 0), "velocity": (velocity, 0, 0)}}  # fmt: skip
    rail = {"kind": "translational", "name": "rail", "first": "ground.rail", "second": "mass.slide"}
    words = {"kind": "stop", "name": "buffer", "first": "ground.origin", "second": "mass.frame", **stop}
    return system_of(
        ground=[{"name": "rail", "rotation": ALONG_X}], parts=[part], constraints=[rail], forces=[words], **more
    )  # fmt: skip


@pytest.mark.parametrize(
    ("stop", "speed", "restitution"),
    [
        ({"of": "x", "lower": None, "upper": 0.5, "restitution": 0.6}, 2.0, 0.6),
        ({"of": "distance", "lower": 0.3, "restitution": 0.8}, -1.0, 0.8),
        ({"of": "x", "lower": None, "upper": 0.5, "restitution": 1.0}, 2.0, 1.0),
        ({"of": "x", "lower": None, "upper": 0.5, "restitution": 0.4, "restitution_speed": 2.0,
          "characteristic": {"kind": "formula", "formula": "2e4*x*sqrt(max(x, 0))"}}, 2.0, 0.4),
    ],
)  # fmt: skip
def test_a_stop_gives_back_what_it_says(tmp_path, stop, speed, restitution):
    """Coefficient of restitution of a free flight into a stop, with the speed of each touch found by itself."""
    results = moved(
        flying({"stiffness": 4e3, **stop}, speed), tmp_path, 0.3, tolerance=1e-8, largest_step=5e-4
    )
    v = results.curve("mass.slide vx")
    assert v[0] == pytest.approx(speed)
    assert v[-1] == pytest.approx(-restitution * speed, rel=5e-3)
    gap = results.curve("buffer gap")
    assert gap.min() < 0.0 < gap[-1]
    lost = results.curve("work of forces")[-1]
    assert lost == pytest.approx(-0.5 * (1.0 - restitution**2) * speed**2, abs=2e-2)


def test_a_rotational_stop_counts_turns(tmp_path):
    """A bar spins freely up to a stop at one and a half turns, and comes back with half its speed."""
    part = {
        **BAR,
        "name": "bar",
        "placement": {"position": (0.5, 0, 0), "velocity": (0, 5.0, 0), "spin": (0, 0, 10.0)},
    }
    pair = {"first": "ground.origin", "second": "bar.left"}
    hinge = {"kind": "revolute", "name": "hinge", **pair}
    stop = {"kind": "rotational_stop", "name": "end", **pair, "lower": None, "upper": 3.0 * np.pi,
            "stiffness": 1e4, "restitution": 0.5}  # fmt: skip
    spec = system_of(parts=[part], constraints=[hinge], forces=[stop])
    results = moved(spec, tmp_path, 1.2, tolerance=1e-7, largest_step=1e-3)
    angle = results.curve("hinge angle")
    assert 3.0 * np.pi < angle.max() < 3.0 * np.pi + 0.2
    np.testing.assert_allclose(results.curve("end angle"), angle, atol=1e-9)
    rate = (angle[-1] - angle[-5]) / (results.values[-1] - results.values[-5])
    assert rate == pytest.approx(-5.0, rel=2e-2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [({"lower": 2.0, "upper": 1.0}, "exchanged"), ({"lower": None}, "no limit")],
)
def test_limits_that_make_no_sense_are_refused(words, sentence):
    with pytest.raises(ModelError, match=sentence):
        build(forces["stop"], {"name": "s", "first": "ground.a", "second": "b.c", **words})
