"""Nonlinear and quasi-static modes of systems. Kinds of reference: a body's own modes, a ring-down of the system."""

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid

from core.test_system_harmonic_balance import ALPHA, BETA, BLOCK, WELD, Bench, StopAfter
from faying.errors import Cancelled, ModelError
from faying.progress import Silent
from faying.results.decay import free_decay

AMPLITUDES = {"smallest_amplitude": 1e-4, "largest_amplitude": 0.01, "points": 4, "direction": "z"}
HELD = {"support": "hold", "preloads": ["squeeze"]}
CURVES = ("natural frequency", "damping ratio", "damping ratio of the body alone", "work of friction per cycle",
          "slipping pairs", "modal amplitude")  # fmt: skip


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("bench"))


def test_a_part_fixed_to_the_ground_has_the_nonlinear_mode_of_its_body(bench):
    """Theorem: constraints that hold one flexible part make of its system the held body, with friction too."""
    common = {"harmonics": 3, **AMPLITUDES}
    body, system = bench.solved(
        {
            "kind": "nonlinear_mode",
            "point": "tip",
            "stiffness_damping": BETA,
            "mass_damping": ALPHA,
            **HELD,
            **common,
        },
        {"kind": "system_nonlinear_mode", "marker": "plates.tip", **common},
    )
    assert body.curve("slipping pairs")[-1] > 3.0
    assert system.report["amplitude_of"] == "plates.tip z" and body.report["amplitude_of"] == "tip z"
    for name in CURVES:
        of_body = body.curve(name)
        np.testing.assert_allclose(system.curve(name), of_body, rtol=1e-9, atol=1e-9 * of_body.max())
    last = system.n_frames - 1
    part = system.results.part("plates")
    assert part.cycle_work("lap", last) == pytest.approx(body.results.cycle_work("lap", last), rel=1e-7)
    np.testing.assert_allclose(
        part.coordinates(last),
        body.results.coordinates(last),
        atol=1e-8 * np.abs(part.coordinates(last)).max(),
    )


def test_a_part_fixed_to_the_ground_has_the_static_loops_of_its_body(bench):
    common = {"load_steps": 2, "loop_steps": 6, **AMPLITUDES}
    body, system = bench.solved(
        {"kind": "quasi_static_modes", "point": "tip", **HELD, **common},
        {"kind": "system_quasi_static_modes", "marker": "plates.tip", **common},
    )
    assert body.curve("damping by friction")[-1] > 0.02
    np.testing.assert_allclose(system.values, body.values, rtol=1e-9)
    for name in (
        "natural frequency", "damping by friction", "work of friction per cycle", "damping by friction by Masing",
        "modal amplitude", "modal load",
    ):  # fmt: skip
        of_body = body.curve(name)
        np.testing.assert_allclose(system.curve(name), of_body, rtol=1e-9, atol=1e-9 * of_body.max())
    ((name, slides),) = system.report["slides_as_a_whole"].items()
    assert name == "plates: lap" and slides == pytest.approx(
        body.report["slides_as_a_whole"]["lap"], rel=1e-9
    )
    last = system.n_frames - 1
    np.testing.assert_allclose(
        system.results.part("plates").coordinates(last), body.results.coordinates(last),
        atol=1e-7 * np.abs(body.results.coordinates(last)).max(),
    )  # fmt: skip
    pressure = body.field("pressure", frame=last)
    assert system.part("plates").field("pressure", frame=last) == pytest.approx(
        pressure, abs=1e-6 * pressure.max()
    )


@pytest.mark.parametrize("owner", ["body", "system"])
def test_an_interrupted_mode_goes_on(bench, owner):
    """Rows of the report, frames and what it counts are those of a run that nobody touched."""
    words = {"harmonics": 0, "most_harmonics": 5, **AMPLITUDES, "largest_amplitude": 5e-3, "points": 3}
    if owner == "body":
        words |= {"kind": "nonlinear_mode", "point": "tip", **HELD, "mass_damping": ALPHA}
    else:
        words |= {"kind": "system_nonlinear_mode", "marker": "plates.tip"}
    (whole,) = bench.solved({**words, "chosen_amplitudes": np.geomspace(1e-4, 5e-3, 3).tolist()})
    session = bench.session(words)
    solve = session.solve if owner == "body" else session.move
    for count in (1, 2):
        session.progress = StopAfter(count)
        with pytest.raises(Cancelled):
            solve("run 0")
    session.progress = Silent()
    found = solve("run 0")
    assert found.n_frames == whole.n_frames == 3 and found.report["harmonics"] == whole.report["harmonics"]
    for one, other in zip(found.report["backbone"], whole.report["backbone"], strict=True):
        assert one == pytest.approx(other, rel=1e-7, abs=1e-12)


def test_what_cannot_be_done_is_a_sentence(bench):
    for kind in ("system_nonlinear_mode", "system_quasi_static_modes"):
        for words, message in (
            ({"mode": 999}, "There is no mode 999"),
            ({"marker": "plates.nose"}, r"no marker called 'plates\.nose' on a part that moves"),
            ({"marker": "ground.wall"}, r"no marker called 'ground\.wall' on a part that moves"),
            ({"marker": "plates.hold"}, r"plates\.hold does not move along z in mode 1"),
        ):
            with pytest.raises(ModelError, match=message):
                bench.solved({"kind": kind, **AMPLITUDES, **words})


@pytest.mark.slow  # a ring-down of some thirty periods
def test_two_parts_decay_along_their_mode(bench):
    """Another method: a block on the plates is pushed in its first mode and decays, with slip in the joint."""
    more = {"parts": [BLOCK], "constraints": [WELD], "alpha": 0.0}
    over = {"marker": "block.at", "direction": "z", "smallest_amplitude": 3e-3, "largest_amplitude": 0.012}
    mode, loops = bench.solved(
        {"kind": "system_nonlinear_mode", "harmonics": 5, "points": 16, **over},
        {"kind": "system_quasi_static_modes", "points": 8, **over}, **more,
    )  # fmt: skip
    period = 1.0 / 1390.0
    # Six periods of a sine that grow and fade, so that other modes get little.
    times = np.linspace(0.0, 6.0 * period, 361)
    window = np.sin(np.pi * times / times[-1]) ** 2 * np.sin(2.0 * np.pi * times / period)
    push = {
        "kind": "point_force", "name": "push", "marker": "block.at", "force": [0.0, 0.0, 6.0],
        "time_history": {"kind": "table", "points": np.column_stack([times, window]).tolist()},
    }  # fmt: skip
    step, periods = period / 160.0, 16
    integrator = {"kind": "hht", "alpha": 0.0, "first_step": step, "largest_step": step, "fixed_step": True}
    (motion,) = bench.solved(
        {"kind": "motion", "duration": periods * period, "frames": 160 * periods, "integrator": integrator,
         "from_equilibrium": True},
        forces=[push], **more,
    )  # fmt: skip
    block = motion.results.part("block")
    height = np.array([block.placement(i)[0][2] for i in range(motion.n_frames)])
    free = motion.values > times[-1]
    decay = free_decay(motion.values[free], height[free])
    assert decay.amplitudes[0] > 5e-3
    # The envelope of the mode, da/dt = −ζ ω a. Pairs keep stresses of larger amplitudes, so that it is not exact.
    slips = decay.amplitudes > 4e-3
    times = decay.times[slips] - decay.times[0]
    expected, linear = (fallen(mode, decay.amplitudes[slips], name) for name in ("damping ratio", OF_BODY))
    np.testing.assert_allclose(expected, times, atol=0.06 * times[-1])
    assert linear[-1] > 1.2 * times[-1]
    found = np.interp(decay.amplitudes[slips], mode.values, mode.curve("natural frequency"))
    np.testing.assert_allclose(decay.frequencies[slips], found, rtol=2e-3)
    # Static loops along the stuck mode, in which nothing else damps.
    ratio = mode.curve("damping ratio") - mode.curve(OF_BODY)
    np.testing.assert_allclose(
        np.interp(loops.values[3:5], mode.values, mode.curve("natural frequency")),
        loops.curve("natural frequency")[3:5], rtol=5e-3,
    )  # fmt: skip
    np.testing.assert_allclose(
        np.interp(loops.values[3:5], mode.values, ratio), loops.curve("damping by friction")[3:5], rtol=0.2
    )


OF_BODY = "damping ratio of the body alone"


def fallen(mode, amplitudes, damping):
    """Return the times (n,) after which a free vibration has fallen to descending amplitudes, from the first one."""
    at = np.geomspace(amplitudes[0], amplitudes[-1], 2000)
    frequency, ratio = (
        np.interp(at, mode.values, mode.curve(name)) for name in ("natural frequency", damping)
    )
    taken = cumulative_trapezoid(1.0 / (ratio * 2.0 * np.pi * frequency), -np.log(at), initial=0.0)
    return np.interp(-amplitudes, -at, taken)
