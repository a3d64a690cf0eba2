"""Harmonic balance and nonlinear modes of two squeezed plates: against linear answers, balances and each other."""

import numpy as np
import pytest

from faying.errors import FayingError
from faying.params import build
from faying.results.verdicts import facts_of
from support.squeezed_plates import SqueezedPlates

UP = {"interface": "tip", "force": [0.0, 0.0, 0.004]}
RANGE = {"lowest_frequency": 1900.0, "highest_frequency": 2400.0}
HELD = {"support": "hold", "preloads": ["squeeze"], "stiffness_damping": 4e-6, "mass_damping": 30.0}
MODE = {
    "kind": "nonlinear_mode", "point": "tip", "direction": "z", "smallest_amplitude": 1e-4, "largest_amplitude": 0.03,
    "points": 7, "harmonics": 3, **HELD,
}  # fmt: skip


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    return SqueezedPlates(tmp_path_factory.mktemp("plates"))


def balanced(plates, **words):
    return plates.solved(
        {"kind": "harmonic_balance", "loads": [UP], "harmonics": 1, **HELD, **RANGE, **words}
    )


def answers(found, name):
    return found.curve(name) * np.exp(1j * found.curve(f"{name} phase"))


def test_a_load_under_which_nothing_slips_has_the_linear_answer(plates):
    """The first and the last point of the curve are those of a frequency response with stuck joints."""
    found = balanced(plates)
    assert not found.report["most_slipping_pairs"]
    assert not found.report["turning_points"]
    assert found.curve("slipping pairs").max() == 0.0
    linear = plates.solved(
        {
            "kind": "frequency_response",
            "loads": [UP],
            "full": False,
            "sticking": "stuck",
            "points": 2,
            **HELD,
            **RANGE,
        }
    )
    assert linear.values[[0, -1]] == pytest.approx(found.values[[0, -1]])
    for name in ("tip ux", "tip uz", "tip ry"):
        whole = answers(linear, name)
        np.testing.assert_allclose(answers(found, name)[[0, -1]], whole[[0, -1]], rtol=1e-7)


def test_a_linear_answer_is_stable(plates):
    """All points of a linear answer are stable, by exponents as by turning points."""
    narrow = {"lowest_frequency": 2150.0, "highest_frequency": 2160.0}
    for found in (balanced(plates, **narrow), balanced(plates, stability="hill", **narrow)):
        assert found.report["unstable_points"] == 0 and (found.curve("stable") == 1.0).all()


def test_a_shaken_support_is_a_swinging_weight(plates):
    """Base excitation: without slip the frequency response's answer, seen from the support."""
    words = plates.project.model_dump()
    words["bodies"][0]["loads"] = [{"kind": "gravity", "name": "shake", "acceleration": [0.0, 0.0, 50.0]}]
    before, plates.project = plates.project, build(type(plates.project), words)
    shaken = {"loads": [], "body_loads": [{"load": "shake", "phase": 0.3}]}
    found = balanced(plates, **shaken)
    linear = plates.solved(
        {
            "kind": "frequency_response",
            "full": False,
            "sticking": "stuck",
            "points": 2,
            **shaken,
            **HELD,
            **RANGE,
        }
    )
    assert not found.report["most_slipping_pairs"] and found.curve("tip uz").min() > 0.0
    whole = answers(linear, "tip uz")
    np.testing.assert_allclose(answers(found, "tip uz")[[0, -1]], whole[[0, -1]], rtol=1e-7)
    slipping = balanced(plates, levels=[2000.0], lowest_frequency=2100.0, highest_frequency=2200.0, **shaken)
    plates.project = before
    assert slipping.report["most_slipping_pairs"] > 3
    assert slipping.report["largest_imbalance"] < 1e-6


def test_friction_bends_the_curve_and_power_is_in_balance(plates):
    found = balanced(plates, levels=[100.0])
    report = found.report
    assert report["most_slipping_pairs"] > 3
    assert report["largest_imbalance"] < 1e-6
    size = found.curve("tip uz")
    peak = int(np.argmax(size))
    assert found.values[peak] < 0.99 * report["stuck_frequencies"][0]
    given, taken = found.curve("work of the loads per cycle"), found.curve("work of friction per cycle")
    assert taken[peak] > 0.3 * given[peak]
    np.testing.assert_allclose(given, taken + found.curve("work of damping per cycle"), rtol=1e-6)
    # The field of the work, over the areas of its pairs, is that work.
    field = found.field("work_per_cycle", frame=peak)
    assert field.min() >= -1e-12 * field.max()
    areas = plates.session.find_pairs("lap").weights
    assert areas @ field == pytest.approx(taken[peak], rel=1e-9)


def test_a_mode_begins_stuck_and_softens(plates):
    found = plates.solved(MODE)
    report = found.report
    frequency, damping = found.curve("natural frequency"), found.curve("damping ratio")
    assert frequency[0] == pytest.approx(
        report["stuck_frequency"], rel=1e-3
    )  # β K is not diagonal with stuck joints
    assert damping[0] == pytest.approx(found.curve("damping ratio of the body alone")[0], rel=1e-6)
    assert frequency[-1] < 0.7 * frequency[0]
    assert damping[-1] > 5.0 * damping[0]
    # What friction and damping take in a cycle is what ζ gives back: 2 π ω² a² of the first harmonic.
    lost = damping - found.curve("damping ratio of the body alone")
    omega, size = 2.0 * np.pi * frequency, found.curve("modal amplitude")
    np.testing.assert_allclose(
        2.0 * np.pi * lost * omega**2 * size**2,
        found.curve("work of friction per cycle"),
        rtol=0.05,
        atol=1e-12,
    )
    assert found.values[-1] == pytest.approx(0.03)


def test_without_friction_a_mode_keeps_its_damping(tmp_path):
    """The check of the damping above fails when friction is off."""
    smooth = SqueezedPlates(tmp_path)
    words = smooth.project.model_dump()
    words["bodies"][0]["joints"][0]["friction_law"] = None
    smooth.project = build(type(smooth.project), words)
    found = smooth.solved(MODE)
    assert not found.curve("work of friction per cycle").any()
    np.testing.assert_allclose(
        found.curve("damping ratio"), found.curve("damping ratio of the body alone"), rtol=1e-6
    )


def test_facts_name_resonance_and_sliding(plates):
    """A range without a resonance, and amplitudes from which the whole joint slides, are in the facts of the run."""
    away = balanced(plates, lowest_frequency=500.0, highest_frequency=520.0)
    texts = {fact.title: fact.text for fact in facts_of(away.report, "mm-t-s")}
    assert texts["Resonance with stuck joints"].startswith("none in the range, the nearest at 2137")
    assert "Unstable points" not in texts
    near = balanced(plates, lowest_frequency=2130.0, highest_frequency=2140.0)
    assert "nearest_resonance" not in near.report
    found = plates.solved(MODE)
    whole = found.report.get("slides_as_a_whole", {}).get("lap", np.inf)
    slipping = found.curve("slipping pairs")
    assert (slipping[found.values >= whole] > slipping[found.values < whole].max(initial=0.0)).all()


def test_what_cannot_be_computed_says_so(plates):
    for words, message in (
        ({"preloads": []}, "under pressure at rest"),
        ({"loads": []}, "no load away from its support"),
        ({"samples": 2}, "too few for 1 harmonics"),
        ({"backbone": True}, "there is one level"),
        ({"lowest_frequency": 0.0}, "begins at zero"),
        ({"highest_frequency": 1000.0}, "does not end above"),
    ):
        with pytest.raises(FayingError, match=message):
            balanced(plates, **words)
    with pytest.raises(FayingError, match="There is no mode 999"):
        plates.solved({**MODE, "mode": 999})


def test_a_mode_begins_at_an_amplitude_with_slip(plates):
    """From the linear mode through smaller amplitudes, to the motion that a mode from small amplitudes on has there."""
    along = {**MODE, "smallest_amplitude": 2e-3, "largest_amplitude": 0.01, "points": 4}
    late = plates.solved({**along, "smallest_amplitude": 0.01, "largest_amplitude": 0.012, "points": 2})
    early = plates.solved(along)
    assert "trouble" not in late.results.report and late.curve("slipping pairs")[0] > 0.0
    for name in ("natural frequency", "damping ratio"):
        assert late.curve(name)[0] == pytest.approx(early.curve(name)[-1], rel=1e-6)


def test_a_mode_is_that_without_time_while_its_shape_lasts(plates):
    """Another method: frequency and damping of quasi-static loops, which know no harmonics and no second mode.

    The second mode, at 2.4 times the frequency of the first, makes the difference in damping.
    """
    words = {"support": "hold", "preloads": ["squeeze"], "point": "tip", "direction": "z"}
    mode = plates.solved(
        {"kind": "nonlinear_mode", "points": 2, "smallest_amplitude": 0.0108, "largest_amplitude": 0.012,
         "harmonics": 3, **words}
    )  # fmt: skip
    slow = plates.solved(
        {"kind": "quasi_static_modes", "loop": "full", "loop_steps": 60, "points": 4,
         "smallest_amplitude": 0.01, "largest_amplitude": 0.0135, **words}
    )  # fmt: skip
    for name, slow_name, near in (
        ("natural frequency", "natural frequency", 0.005), ("damping ratio", "damping by friction", 0.12)
    ):  # fmt: skip
        told = np.interp(mode.values, slow.results.values, slow.curve(slow_name))
        np.testing.assert_allclose(mode.curve(name), told, rtol=near)
    assert mode.curve("damping ratio").min() > 0.1


def settled(plates, frequency, level, periods=14, steps=200):
    """Return the amplitude of the tip along z in the last three periods of a transient from rest."""
    load = {
        "interface": "tip", "force": [level * x for x in UP["force"]],
        "time_history": {"kind": "harmonic", "frequency": frequency, "phase": np.pi / 2},
    }  # fmt: skip
    step = 1.0 / (steps * frequency)
    scheme = {"kind": "hht", "alpha": 0.0, "fixed_step": True, "first_step": step, "largest_step": step}
    found = plates.solved(
        {"kind": "transient", **DAMPED, "loads": [load], "duration": periods / frequency,
         "frames": 40 * periods, "integrator": scheme}
    )  # fmt: skip
    late = found.values >= (periods - 3) / frequency * (1.0 - 1e-9)
    angle = 2.0 * np.pi * frequency * found.values[late]
    parts = np.column_stack([np.ones(late.sum()), np.cos(angle), np.sin(angle)])
    return float(np.hypot(*np.linalg.lstsq(parts, found.curve("tip uz")[late], rcond=None)[0][1:]))


DAMPED = {"support": "hold", "preloads": ["squeeze"], "stiffness_damping": 1.2e-5}


@pytest.mark.slow
def test_transients_of_the_same_body_settle_on_the_answers(plates):
    """Another method: six points, below, in and above resonance, to 0.5 %; stuck joints have others."""
    level = 200.0
    found = plates.solved(
        {"kind": "harmonic_balance", "loads": [UP], "levels": [level], **DAMPED,
         "lowest_frequency": 1500.0, "highest_frequency": 2500.0}
    )  # fmt: skip
    given, taken = found.curve("work of the loads per cycle"), found.curve("work of friction per cycle")
    assert found.report["largest_imbalance"] < 1e-6
    stuck = plates.solved(
        {"kind": "frequency_response", "loads": [UP], "full": False, "sticking": "stuck", "points": 400,
         **DAMPED, "lowest_frequency": 1500.0, "highest_frequency": 2500.0}
    )  # fmt: skip
    differences = []
    for wanted in (1900.0, 1975.0, 2050.0, 2150.0, 2250.0, 2350.0):
        k = int(np.argmin(np.abs(found.values - wanted)))
        amplitude = settled(plates, float(found.values[k]), level)
        assert found.curve("tip uz")[k] == pytest.approx(amplitude, rel=5e-3)
        assert taken[k] > 0.1 * given[k]
        linear = level * np.interp(found.values[k], stuck.values, stuck.curve("tip uz"))
        differences.append(abs(linear / amplitude - 1.0))
    assert max(differences) > 0.1
