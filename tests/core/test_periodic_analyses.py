"""Harmonic balance and nonlinear modes of two squeezed plates: against linear answers, balances and each other."""

import numpy as np
import pytest

from support.squeezed_plates import SqueezedPlates

UP = {"interface": "tip", "force": [0.0, 0.0, 0.004]}
RANGE = {"lowest_frequency": 200.0, "highest_frequency": 900.0}
COMMON = {"support": "hold", "preloads": ["squeeze"], "stiffness_damping": 4e-6, "mass_damping": 30.0}


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    return SqueezedPlates(tmp_path_factory.mktemp("plates"))


def balanced(plates, **words):
    return plates.solved({"kind": "harmonic_balance", "loads": [UP], "harmonics": 3, **COMMON, **RANGE, **words})


def answers(found, name):
    return found.curve(name) * np.exp(1j * found.curve(f"{name} phase"))


def test_a_small_load_has_the_linear_answer(plates):
    """Nothing slips or opens: the curve is that of a frequency response with stuck joints."""
    found = balanced(plates, levels=[1e-3])
    assert not found.report["most_slipping_pairs"]
    assert not found.report["turning_points"]
    assert found.values[0] == pytest.approx(200.0)
    assert found.values[-1] == pytest.approx(900.0)
    assert len(found.values) > 20
    whole = plates.solved(
        {"kind": "frequency_response", "loads": [UP], "full": False, "sticking": "stuck", "points": 8, **COMMON, **RANGE}
    )
    linear = answers(whole, "tip uz")
    # At the frequencies of the curve, from the modes that the frequency response has.
    dynamic = np.interp(found.values, whole.values, np.abs(linear))
    assert np.abs(dynamic - 1e3 * np.abs(answers(found, "tip uz"))).max() < 0.2 * np.abs(linear).max()


def test_power_is_in_balance_and_friction_bends_the_curve(plates):
    found = balanced(plates, levels=[1.0, 300.0], samples=64, backbone=True)
    report = found.report
    assert report["most_slipping_pairs"] > 0
    assert report["largest_imbalance"] < 1e-6
    level = found.curve("load level")
    assert set(level) == {1.0, 300.0}
    size = found.curve("tip uz") / level
    low, high = (size[level == each] for each in (1.0, 300.0))
    at = [found.values[level == each][np.argmax(size[level == each])] for each in (1.0, 300.0)]
    assert at[1] < at[0]
    assert high.max() < low.max()
    friction = found.curve("work of friction per cycle")
    assert np.all(friction[level == 300.0].max() > 1e3 * friction[level == 1.0].max())
