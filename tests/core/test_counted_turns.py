"""Angles count turns: springs, bushings and curves go on past half a turn.

Kind of reference: closed forms of a free shaft on a torsion spring.
"""

import numpy as np
import pytest

from support.systems import moved, system_of

SHAFT = {
    "kind": "rigid", "name": "shaft", "mass": 1.0, "moments_of_inertia": (1.0, 1.0, 0.5),
    "markers": [{"name": "end"}],
}  # fmt: skip
BETWEEN = {"first": "ground.origin", "second": "shaft.end"}
HINGE = {"kind": "revolute", "name": "hinge", **BETWEEN}
STIFFNESS, SPIN = 2.0, 40.0
AMPLITUDE = SPIN * np.sqrt(0.5 / STIFFNESS)  # 20 rad, more than three turns

SPRINGS = {
    "torsion_spring": {"stiffness": STIFFNESS},
    "bushing": {"stiffness": (0, 0, 0), "torsional_stiffness": (STIFFNESS, STIFFNESS, STIFFNESS)},
}


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.slow if kind == "bushing" else ()) for kind in sorted(SPRINGS)],
)
def test_a_spring_winds_up_over_several_turns(kind, tmp_path):
    """Closed form: φ = Ω/ω sin ω t with ω² = k/J, and k φ²/2 is what the spring keeps."""
    spin = {**SHAFT, "placement": {"spin": (0, 0, SPIN)}}
    spring = {"kind": kind, "name": "spring", **BETWEEN, **SPRINGS[kind]}
    spec = system_of(parts=[spin], constraints=[HINGE], forces=[spring])
    rate = np.sqrt(STIFFNESS / 0.5)
    results = moved(spec, tmp_path, 1.5 * np.pi / rate, frames=60, tolerance=1e-5, largest_step=5e-3)
    angle = AMPLITUDE * np.sin(rate * results.values)
    np.testing.assert_allclose(results.curve("hinge angle"), angle, atol=2e-3 * AMPLITUDE)
    stored = results.curve("elastic energy")
    np.testing.assert_allclose(stored, 0.5 * STIFFNESS * angle**2, atol=2e-3 * stored.max())
    np.testing.assert_allclose(results.curve("total energy"), 0.5 * 0.5 * SPIN**2, rtol=1e-3)


def test_a_motion_that_goes_on_remembers_the_turns(tmp_path):
    from faying.analyses import SystemModel, analyses
    from faying.params import build
    from faying.progress import Silent
    from faying.results.results import Results

    spin = {**SHAFT, "placement": {"spin": (0, 0, SPIN)}}
    spring = {"kind": "torsion_spring", "name": "spring", **BETWEEN, "stiffness": STIFFNESS}
    spec = system_of(parts=[spin], constraints=[HINGE], forces=[spring])
    first = moved(spec, tmp_path, 0.7, frames=10, tolerance=1e-5, largest_step=5e-3)
    words = {"kind": "hht", "alpha": -0.05, "tolerance": 1e-5, "first_step": 1e-4, "largest_step": 5e-3}
    again = build(
        analyses["motion"],
        {"name": "on", "system": "system", "duration": 0.1, "frames": 2, "start_from": "run", "integrator": words},
    )  # fmt: skip
    again.run(SystemModel(spec, {}, first), tmp_path / "on.h5", Silent())
    angle = Results(tmp_path / "on.h5").curve("hinge angle")
    wanted = AMPLITUDE * np.sin(2.0 * np.array([0.7, 0.75, 0.8]))
    np.testing.assert_allclose(angle, wanted, atol=2e-3 * AMPLITUDE)


def test_the_curve_of_a_driven_angle_counts_from_where_it_starts(tmp_path):
    drive = {
        "kind": "prescribed_angular_speed", "name": "drive", **BETWEEN, "start": 7.0, "speed": 30.0,
        "time_history": {"kind": "constant"},
    }  # fmt: skip
    spec = system_of(parts=[SHAFT], constraints=[HINGE, drive])
    results = moved(spec, tmp_path, 1.0, frames=20, largest_step=0.02, fixed_step=True)
    np.testing.assert_allclose(results.curve("drive angle"), 7.0 + 30.0 * results.values, atol=1e-6)


def test_a_start_is_within_half_a_turn_of_the_free_angle(tmp_path):
    """At 170 degrees a spring that is free at −170 is wound by −20, not by 340."""
    spring = {
        "kind": "torsion_spring",
        "name": "spring",
        **BETWEEN,
        "stiffness": 1.0,
        "free_angle": np.radians(-170),
    }
    turned = {**SHAFT, "placement": {"rotation": (0, 0, np.radians(170))}}
    spec = system_of(parts=[turned], constraints=[HINGE], forces=[spring])
    results = moved(spec, tmp_path, 1e-4, frames=1)
    assert results.curve("elastic energy")[0] == pytest.approx(0.5 * np.radians(20) ** 2)
