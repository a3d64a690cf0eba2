"""Frequency responses of systems: closed forms of two masses, a pendulum and a rotor, and a motion."""

import json

import numpy as np
import pytest

import faying
from faying.analyses import SystemModel, analyses
from faying.analyses.harmonics import frequency_blocks
from faying.cli import main
from faying.errors import FayingError
from faying.params import build
from faying.progress import Silent
from faying.project import edits
from faying.results.results import Results
from support.systems import BAR, DOWN_Y, moved, system_of

M1, M2, K1, K2, C2 = 2.0, 1.0, 800.0, 300.0, 12.0
FORCE = 0.02


def response(spec, path, **words):
    """Return the opened results of a frequency response."""
    settings = {
        "name": "shaken",
        "system": spec.name,
        "lowest_frequency": 0.5,
        "highest_frequency": 8.0,
        "points": 9,
    }
    analysis = build(analyses["system_frequency_response"], {**settings, **words})
    file = path / f"response {len(list(path.iterdir()))}.h5"
    analysis.run(SystemModel(spec, {}), file, Silent())
    return Results(file)


def complexes(found, name):
    return found.curve(name) * np.exp(1j * found.curve(f"{name} phase"))


def two_masses(*more):
    """Two masses on rails along x, a spring from ground to the first, spring and damper to the second."""
    along_x = (0.0, np.pi / 2, 0.0)

    def mass(name, size, x):
        markers = [{"name": "rail", "rotation": along_x}, {"name": "end"}]
        inertia = {"kind": "rigid", "mass": size, "moments_of_inertia": (1.0, 1.0, 1.0), "markers": markers}
        return {**inertia, "name": name, "placement": {"position": (x, 0.0, 0.0)}}

    rails = [
        {"kind": "translational", "name": f"rail {name}", "first": "ground.rail", "second": f"{name}.rail"}
        for name in ("one", "two")
    ]
    springs = [
        {"kind": "spring_damper", "name": "first", "first": "ground.rail", "second": "one.end", "stiffness": K1,
         "free_length": 1.0},
        {"kind": "spring_damper", "name": "second", "first": "one.end", "second": "two.end", "stiffness": K2,
         "damping": C2, "free_length": 1.0},
    ]  # fmt: skip
    return system_of(
        ground=[{"name": "rail", "rotation": along_x}], parts=[mass("one", M1, 1.0), mass("two", M2, 2.0)],
        constraints=rails, forces=[*springs, *more],
    )  # fmt: skip


def exact_masses(frequencies):
    """Return (k, 2, 2) receptances of the two masses."""
    M, C = np.diag([M1, M2]), C2 * np.array([[1.0, -1.0], [-1.0, 1.0]])
    K = np.array([[K1 + K2, -K2], [-K2, K2]])
    s = 2.0j * np.pi * np.asarray(frequencies)[:, None, None]
    return np.linalg.inv(s * s * M + s * C + K)


def test_two_masses_are_those_of_the_closed_form(tmp_path):
    loads = [{"marker": f"{name}.end", "force": (FORCE, 0.0, 0.0)} for name in ("one", "two")]
    found = response(two_masses(), tmp_path, loads=loads, each_load=True)
    exact = exact_masses(found.values)
    for i, output in enumerate(("one", "two")):
        for k, load in enumerate(("one", "two")):
            got = complexes(found, f"{load}.end fx: {output}.end ux")
            np.testing.assert_allclose(got, FORCE * exact[:, i, k], rtol=1e-7)
    # Frequencies crowd round both resonances.
    peaks = np.array(found.report["linearised_frequencies"])
    assert len(peaks) == 2 and all((np.abs(found.values / peak - 1.0) < 0.1).sum() >= 7 for peak in peaks)
    both = response(two_masses(), tmp_path, loads=[loads[0], {**loads[1], "phase": np.pi / 2}])
    wanted = FORCE * (exact_masses(both.values) @ [1.0, 1j])[:, 1]
    np.testing.assert_allclose(complexes(both, "two.end ux"), wanted, rtol=1e-7)


def test_ground_that_is_shaken_has_the_closed_form(tmp_path):
    """Seen from ground with the acceleration a, masses on springs feel the forces −M a; base and loads add up."""
    shaken = {"base_acceleration": (2.0, 0.5, 0.0), "base_phase": 0.3}
    load = {"marker": "one.end", "force": (FORCE, 0.0, 0.0)}
    found = response(two_masses(), tmp_path, loads=[load], **shaken)
    forces = np.array([FORCE - M1 * 2.0 * np.exp(0.3j), -M2 * 2.0 * np.exp(0.3j)])
    exact = exact_masses(found.values) @ forces
    for i, output in enumerate(("one", "two")):
        np.testing.assert_allclose(complexes(found, f"{output}.end ux"), exact[:, i], rtol=1e-7)
    # Each by itself, and never as a dynamic stiffness.
    apart = response(two_masses(), tmp_path, loads=[load], each_load=True, **shaken)
    of_base = exact_masses(apart.values) @ (forces - [FORCE, 0.0])
    np.testing.assert_allclose(complexes(apart, "base: two.end ux"), of_base[:, 1], rtol=1e-7)
    with pytest.raises(FayingError, match="the acceleration of the ground is no force"):
        response(two_masses(), tmp_path, loads=[load], each_load=True, motion="dynamic_stiffness", **shaken)


def test_rates_and_dynamic_stiffness(tmp_path):
    load = [{"marker": "two.end", "force": (FORCE, 0.0, 0.0)}]
    for motion, name, power in (("velocity", "vx", 1), ("acceleration", "ax", 2)):
        found = response(two_masses(), tmp_path, loads=load, motion=motion)
        wanted = FORCE * exact_masses(found.values)[:, 1, 1] * (2.0j * np.pi * found.values) ** power
        np.testing.assert_allclose(complexes(found, f"two.end {name}"), wanted, rtol=1e-7)
    stiff = response(two_masses(), tmp_path, loads=load, motion="dynamic_stiffness")
    np.testing.assert_allclose(
        complexes(stiff, "two.end kx"), 1.0 / exact_masses(stiff.values)[:, 1, 1], rtol=1e-7
    )


def pendulum():
    bar = {**BAR, "name": "bar", "placement": {"position": (0.0, -0.5, 0.0), "rotation": (0, 0, -np.pi / 2)}}
    axle = {"kind": "revolute", "name": "axle", "first": "ground.pivot", "second": "bar.left"}
    return system_of(ground=[{"name": "pivot"}], parts=[bar], constraints=[axle], gravity=DOWN_Y)


def test_a_pendulum_is_that_of_the_closed_form(tmp_path):
    """(1/3 m l² s² + m g l/2) φ = F l at its end, from its rest."""
    found = response(
        pendulum(), tmp_path, loads=[{"marker": "bar.right", "force": (FORCE, 0.0, 0.0)}], lowest_frequency=0.0,
        highest_frequency=3.0,
    )  # fmt: skip
    s = 2.0j * np.pi * found.values
    angle = FORCE / (s * s / 3.0 + 9.81 / 2.0)
    np.testing.assert_allclose(complexes(found, "bar.right ux"), angle, rtol=1e-6)
    np.testing.assert_allclose(complexes(found, "bar.right rz"), angle, rtol=1e-6)
    assert found.curve("bar.right uy").max() < 1e-6 * np.abs(angle).max()
    assert found.report["linearised_frequencies"] == pytest.approx(
        [np.sqrt(1.5 * 9.81) / (2 * np.pi)], rel=1e-6
    )
    # A frame is the pendulum where it swings to: the shape at its largest.
    centre = found.part("bar").placement(0)[0]
    assert abs(centre[0]) == pytest.approx(0.5 * abs(angle[0]), rel=1e-5) and centre[1] == pytest.approx(
        -0.5, rel=1e-5
    )


def test_a_turning_rotor_has_gyroscopic_terms(tmp_path):
    """(k/m − Ω² + s²) and 2 Ω s of its centre, as seen from its own axes."""
    speed, stiff, mass = 10.0, 200.0, 2.0
    part = {"kind": "rigid", "name": "rotor", "mass": mass, "moments_of_inertia": (1.0, 1.0, 1.6),
            "placement": {"spin": (0, 0, speed)}, "markers": [{"name": "hub"}]}  # fmt: skip
    bearing = {
        "kind": "bushing", "name": "bearing", "first": "ground.bed", "second": "rotor.hub",
        "stiffness": (stiff, stiff, 500.0), "torsional_stiffness": (90.0, 90.0, 0.0),
    }  # fmt: skip
    spec = system_of(ground=[{"name": "bed"}], parts=[part], forces=[bearing])
    found = response(spec, tmp_path, loads=[{"marker": "rotor.hub", "force": (1.0, 0.0, 0.0)}], from_equilibrium=False,
                     lowest_frequency=0.3, highest_frequency=2.9)  # fmt: skip
    s = 2.0j * np.pi * found.values
    direct, gyroscopic = mass * (s * s - speed**2) + stiff, 2.0 * mass * speed * s
    determinant = direct**2 + gyroscopic**2
    np.testing.assert_allclose(complexes(found, "rotor.hub ux"), direct / determinant, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(
        complexes(found, "rotor.hub uy"), -gyroscopic / determinant, rtol=1e-5, atol=1e-8
    )


def test_a_motion_of_small_amplitude_agrees(tmp_path):
    frequency = 2.4
    force = {"kind": "point_force", "name": "shake", "marker": "two.end", "force": (FORCE, 0.0, 0.0)}
    swung = moved(two_masses({**force, "time_history": {"kind": "harmonic", "frequency": frequency}}), tmp_path, 4.0,
                  frames=800, fixed_step=True, largest_step=0.005, first_step=0.005)  # fmt: skip
    t, x = swung.values[-167:], swung.curve("two.end x")[-167:]
    angle = 2.0 * np.pi * frequency * t
    sine, cosine, _ = np.linalg.lstsq(
        np.column_stack([np.sin(angle), np.cos(angle), np.ones_like(t)]), x, rcond=None
    )[0]
    found = response(two_masses(), tmp_path, loads=[{"marker": "two.end", "force": (FORCE, 0.0, 0.0)}],
                     lowest_frequency=frequency, highest_frequency=5.0)  # fmt: skip
    wanted = complexes(found, "two.end ux")[0]
    assert abs(complex(sine, cosine) - wanted) < 0.01 * abs(wanted)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"loads": []}, "has no load on a part that moves"),
        ({"loads": [{"marker": "two.top", "force": (1.0, 0.0, 0.0)}]}, r"no marker called 'two\.top'"),
        (
            {"loads": [{"marker": "ground.rail", "force": (1.0, 0.0, 0.0)}]},
            "has no load on a part that moves",
        ),
        (
            {"loads": 2 * [{"marker": "two.end", "force": (1.0, 0.0, 0.0)}], "each_load": True},
            r"Two loads .* are two\.end fx",
        ),
        (
            {"loads": [{"marker": "two.end", "moment": (1.0, 0.0, 0.0)}], "motion": "dynamic_stiffness"},
            r"load two\.end mx is a moment",
        ),
    ],
)
def test_what_cannot_be_done_is_a_sentence(tmp_path, words, sentence):
    with pytest.raises(FayingError, match=sentence):
        response(two_masses(), tmp_path, **words)


def test_an_undamped_resonance_and_a_free_motion_are_sentences(tmp_path):
    load = [{"marker": "bar.right", "force": (FORCE, 0.0, 0.0)}]
    resonance = np.sqrt(1.5 * 9.81) / (2 * np.pi)
    with pytest.raises(FayingError, match=r"Without damping .* the system vibrates with it"):
        response(pendulum(), tmp_path, loads=load, lowest_frequency=resonance, highest_frequency=3.0)
    free = system_of(parts=[{**BAR, "name": "bar"}])
    with pytest.raises(FayingError, match="begins at zero, and nothing holds some motion"):
        response(free, tmp_path, loads=load, lowest_frequency=0.0, from_equilibrium=False)


STUDY = """
name = "Pendulum"
units = "m-kg-s"
[[systems]]
name = "pendulum"
gravity = [0.0, -9.81, 0.0]
ground = [{ name = "pivot" }]
[[systems.parts]]
kind = "rigid"
name = "bar"
mass = 1.0
moments_of_inertia = [0.001, 0.083, 0.083]
placement = { position = [0.5, 0.0, 0.0], velocity = [0.0, 0.0, 0.0] }
markers = [{ name = "left", position = [-0.5, 0.0, 0.0] }, { name = "right", position = [0.5, 0.0, 0.0] }]
[[systems.constraints]]
kind = "revolute"
name = "axle"
first = "ground.pivot"
second = "bar.left"
[[analyses]]
kind = "motion"
name = "swing"
system = "pendulum"
duration = 0.02
frames = 2

[[analyses]]
kind = "system_frequency_response"
name = "shaken"
system = "pendulum"
start_from = "swing"
loads = [{ marker = "bar.right", force = [0.0, 0.0, 0.0], moment = [0.0, 0.0, 1.0] }]
highest_frequency = "20 Hz"
points = 5
"""


def test_a_study_file_runs_about_a_frame_of_a_motion(tmp_path, capsys):
    (tmp_path / "pendulum.toml").write_text(STUDY)
    out = tmp_path / "pendulum.faying"
    assert main(["run", str(tmp_path / "pendulum.toml"), "--out", str(out)]) == 0
    assert main(["info", str(out), "--json"]) == 0
    said = capsys.readouterr().out
    assert "motion of shaken of pendulum" in json.dumps(json.loads(said[said.index("{") :]))
    words = ["export", str(out), "--analysis", "shaken", "--curves", "bar.right rz", "--as", "nyquist"]
    assert main([*words, "--to", str(tmp_path / "nyquist.csv")]) == 0
    assert "imaginary part" in (tmp_path / "nyquist.csv").read_text()


def test_renaming_a_part_renames_the_loads_of_responses(tmp_path):
    (tmp_path / "pendulum.toml").write_text(STUDY)
    session = faying.read(tmp_path / "pendulum.toml")
    session.apply(edits.rename(("systems", 0, "parts", 0), "rod"))
    assert session.project.analyses[1].loads[0].marker == "rod.right"


def test_blocks_of_frequencies_in_processes_give_the_same_curves(tmp_path, monkeypatch):
    """Contract: no number depends on where it is computed."""
    spec, loads = two_masses(), [{"marker": "two.end", "force": (FORCE, 0.0, 0.0)}]
    found = []
    monkeypatch.setattr(frequency_blocks, "physical_cores", lambda: 2)
    for worth in (np.inf, 0.0):
        monkeypatch.setattr(frequency_blocks, "_WORTH", worth)
        found.append(response(spec, tmp_path, loads=loads, points=37))
    assert len(found[0].values) >= 37 and list(found[0].values) == list(found[1].values)
    curve = complexes(found[0], "two.end ux")
    assert np.abs(curve).max() > 10.0 * np.abs(curve).min()
    np.testing.assert_allclose(complexes(found[1], "two.end ux"), curve, rtol=1e-12)
