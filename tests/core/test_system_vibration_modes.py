"""Nonlinear and quasi-static modes of systems. Kinds of reference: a body's own modes, and a ring-down of the system."""

import numpy as np
import pytest

from core.test_system_harmonic_balance import ALPHA, BETA, BLOCK, WELD, Bench, StopAfter
from faying.errors import Cancelled, ModelError
from faying.progress import Silent

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


@pytest.mark.parametrize("owner", ["body", "system"])
def test_an_interrupted_mode_goes_on(bench, owner):
    """Rows of the report, frames and what it counts are those of a run that nobody touched."""
    words = {"harmonics": 0, "most_harmonics": 5, **AMPLITUDES}
    if owner == "body":
        words |= {"kind": "nonlinear_mode", "point": "tip", **HELD, "mass_damping": ALPHA}
    else:
        words |= {"kind": "system_nonlinear_mode", "marker": "plates.tip"}
    (whole,) = bench.solved({**words, "chosen_amplitudes": np.geomspace(1e-4, 0.01, 4).tolist()})
    session = bench.session(words)
    solve = session.solve if owner == "body" else session.move
    for count in (1, 3):
        session.progress = StopAfter(count)
        with pytest.raises(Cancelled):
            solve("run 0")
    session.progress = Silent()
    found = solve("run 0")
    assert found.n_frames == whole.n_frames == 4 and found.report["harmonics"] == whole.report["harmonics"]
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
    """Another method: the fall of the heights in time from a point of the mode, of plates that carry a block."""
    more = {"parts": [BLOCK], "constraints": [WELD], "alpha": 0.0}
    over = {"marker": "block.at", "direction": "z", "smallest_amplitude": 2e-4, "largest_amplitude": 6e-3}
    mode, loops = bench.solved(
        {"kind": "system_nonlinear_mode", "harmonics": 5, "points": 16, **over},
        {"kind": "system_quasi_static_modes", "loop": "masing", "points": 16, **over}, **more,
    )  # fmt: skip
    frequency = float(mode.curve("natural frequency")[-1])
    step = 1.0 / (160.0 * frequency)
    integrator = {"kind": "hht", "alpha": 0.0, "first_step": step, "largest_step": step, "fixed_step": True}
    print(
        mode.values,
        mode.curve("natural frequency"),
        mode.curve("damping ratio"),
        mode.curve("slipping pairs"),
    )
    print(loops.values, loops.curve("natural frequency"), loops.curve("damping by friction"))
    print(mode.report, loops.report.keys())
    print(mode.report["backbone"][0])
