"""Measures of a system in motion, and springs by characteristics, against closed forms."""

from pathlib import Path

import numpy as np
import pytest
from scipy.special import ellipk

from faying.analyses import SystemModel, analyses
from faying.errors import ModelError
from faying.multibody.assembly import assemble
from faying.multibody.measures import Observation
from faying.multibody.measures import measures as kinds
from faying.multibody.part import RIGID
from faying.params import build
from faying.progress import Silent
from faying.project import edits
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from faying.results.curve_key import CurveKey
from faying.results.results import Results
from faying.results.verdicts import facts_of
from faying.solvers.integrators import State
from support.systems import BAR, DOWN_Y, flexible, jointed_plates_model, moved, system_of

ALONG_X = (0.0, np.pi / 2, 0.0)
PRECISE = {"tolerance": 1e-7, "largest_step": 2e-3}


def on_a_rail(spring, x=0.3, mass=1.0, **more):
    """Return a mass on a rail along x with a spring to the origin."""
    part = {**BAR, "name": "mass", "mass": mass, "placement": {"position": (x, 0, 0)},
            "markers": [{"name": "slide", "rotation": ALONG_X}]}  # fmt: skip
    rail = {"kind": "translational", "name": "rail", "first": "ground.rail", "second": "mass.slide"}
    between = {"name": "strut", "first": "ground.origin", "second": "mass.frame"}
    words = {
        "ground": [{"name": "rail", "rotation": ALONG_X}], "parts": [part], "constraints": [rail],
        "forces": [{**between, "kind": "spring_damper", **spring}],
    }  # fmt: skip
    return system_of(**(words | more))


def test_the_force_of_a_spring_is_a_curve_without_any_measure(tmp_path):
    """Against k (l − l₀) + c l̇ of the motion itself."""
    spec = on_a_rail({"stiffness": 40.0, "damping": 0.8, "free_length": 0.2})
    results = moved(spec, tmp_path, 0.5, **PRECISE)
    x, v = results.curve("mass.slide x"), results.curve("mass.slide vx")
    pull = 40.0 * (x - 0.2) + 0.8 * v
    np.testing.assert_allclose(results.curve("strut axial force"), pull, atol=1e-10)
    np.testing.assert_allclose(results.curve("strut length"), x, atol=1e-12)
    np.testing.assert_allclose(results.curve("strut force x"), -pull, atol=1e-10)
    np.testing.assert_allclose(results.curve("strut power"), -pull * v, atol=1e-10)
    keys = {key.quantity: key.dimension for key in results.curve_keys if key.owner == "strut"}
    assert keys["axial force"] == "force" and keys["power"] == "power" and keys["length"] == "length"


def test_a_table_of_a_linear_spring_is_that_spring(tmp_path):
    """To 1e-12 in every kind of interpolation, in a run with the same steps."""
    ranges = np.linspace(-0.4, 0.4, 9)
    plain = moved(on_a_rail({"stiffness": 40.0, "free_length": 0.2}), tmp_path, 0.2, **PRECISE)
    for kind in ("linear", "monotone", "akima"):
        points = [(x, 40.0 * x) for x in ranges]
        table = {"kind": "table", "points": points, "interpolation": kind}
        (tmp_path / kind).mkdir()
        spec = on_a_rail({"stiffness": 7.0, "free_length": 0.2, "characteristic": table})
        results = moved(spec, tmp_path / kind, 0.2, **PRECISE)
        for name in ("mass.slide x", "strut axial force", "elastic energy"):
            np.testing.assert_allclose(results.curve(name), plain.curve(name), atol=1e-12)


@pytest.mark.parametrize(("beyond", "count"), [("straight", 1), ("constant", 0)])
def test_a_run_reports_once_how_far_a_spring_was_beyond_its_table(tmp_path, beyond, count):
    """It starts 0.1 beyond, and never goes farther; constant values beyond the ends are a decision."""
    table = {"kind": "table", "points": [(-1.0, -40.0), (0.0, 0.0), (0.1, 4.0)], "beyond": beyond}
    results = moved(on_a_rail({"free_length": 0.1, "characteristic": table}), tmp_path, 0.1, **PRECISE)
    found = results.report.get("beyond_tables", [])
    assert len(found) == count
    warnings = [each.sentence for each in results.warnings if "beyond its table" in each.sentence]
    assert len(warnings) == count
    for each in found:
        assert each["name"] == "strut" and each["quantity"] == "length"
        assert each["excess"] == pytest.approx(0.1, rel=1e-3)
    facts = [fact for fact in facts_of(results.report, "m-kg-s") if "beyond its table" in fact.title]
    assert [fact.text.split(" at ")[0] for fact in facts] == ["0.1 m"] * count


def test_the_period_of_duffings_oscillator(tmp_path):
    """Closed form 4 K(m)/√(ω² + β A²), m = β A²/(2 (ω² + β A²)); and energy ∫f dx is kept."""
    omega2, beta, amplitude = 4.0, 30.0, 0.5
    duffing = {"kind": "polynomial", "coefficients": (0.0, omega2, 0.0, beta)}
    # A spring between far markers is one along x; the free length is that of the resting place.
    far = {"name": "far", "position": (-1.0, 0.0, 0.0)}
    spec = on_a_rail(
        {"first": "ground.far", "free_length": 1.0, "characteristic": duffing}, amplitude,
        ground=[{"name": "rail", "rotation": ALONG_X}, far],
        measures=[{"kind": "displacement", "name": "x", "second": "mass.frame"}],
    )  # fmt: skip
    stiff = omega2 + beta * amplitude**2
    period = 4.0 * ellipk(0.5 * beta * amplitude**2 / stiff) / np.sqrt(stiff)
    results = moved(spec, tmp_path, 1.25 * period, frames=2000, tolerance=1e-9, largest_step=1e-3, alpha=0.0)
    time, x = results.values, results.curve("x")
    down, up = (np.flatnonzero((sign * x[:-1] > 0.0) & (sign * x[1:] <= 0.0))[0] for sign in (1.0, -1.0))
    zeros = [time[k] - x[k] * (time[k + 1] - time[k]) / (x[k + 1] - x[k]) for k in (down, up)]
    assert 2.0 * (zeros[1] - zeros[0]) == pytest.approx(period, rel=2e-6)
    energy = results.curve("total energy")
    assert np.ptp(energy) < 1e-5 * energy[0]


def test_free_length_as_placed_and_preload(tmp_path):
    """At the start the pull is the preload alone, wherever the spring is put."""
    spec = on_a_rail({"stiffness": 40.0, "free_length_as_placed": True, "preload": 3.0}, x=0.37)
    results = moved(spec, tmp_path, 0.1, **PRECISE)
    assert results.curve("strut axial force")[0] == pytest.approx(3.0, abs=1e-12)
    assert results.curve("strut length")[0] == pytest.approx(0.37, abs=1e-12)


def test_free_angle_as_placed_of_a_torsion_spring():
    turned = {**BAR, "name": "bar", "placement": {"position": (0.0, 0.5, 0), "rotation": (0, 0, np.pi / 2)}}
    spring = {"kind": "torsion_spring", "name": "twist", "first": "ground.origin", "second": "bar.left",
              "stiffness": 5.0, "free_angle_as_placed": True, "preload": 0.25}  # fmt: skip
    hinge = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "bar.left"}
    at = assemble(system_of(parts=[turned], constraints=[hinge], forces=[spring]), {})
    (found,) = at.system.force_members
    assert found.free_angle == pytest.approx(np.pi / 2)
    ((member, motions, angles),) = at.system.force_elements(at.position, at.velocity, at.history)
    assert member.wrenches(motions, 0.0, angles)[-1] == pytest.approx(-0.25)


def test_measures_of_a_pendulum(tmp_path):
    """Against the laws of circular motion and the reactions that have curves already."""
    words = [
        {"kind": "angle", "name": "swing", "second": "bar.left"},
        {"kind": "angular_speed", "name": "spin", "second": "bar.left"},
        {"kind": "velocity", "name": "speed", "second": "bar.right"},
        {"kind": "velocity", "name": "away", "second": "bar.right", "component": "distance"},
        {"kind": "acceleration", "name": "a", "second": "bar.right"},
        {"kind": "distance", "name": "radius", "second": "bar.right"},
        {"kind": "reaction", "name": "pull", "constraint": "hinge"},
        {"kind": "energy", "name": "energy", "of": "kinetic"},
        {"kind": "formula", "name": "check", "formula": "0.5*a**2/3", "a": "spin", "quantity": "energy"},
        {"kind": "over_time", "name": "turned", "measure": "spin", "statistic": "integral"},
        {"kind": "over_time", "name": "fastest", "measure": "speed", "statistic": "maximum"},
        {"kind": "over_time", "name": "mean spin", "measure": "spin", "statistic": "mean"},
        {"kind": "time", "name": "now"},
        {"kind": "over_time", "name": "crossed", "measure": "swing", "statistic": "last crossing", "level": 6.0},
    ]  # fmt: skip
    part = {**BAR, "name": "bar", "placement": {"position": (0.5, 0, 0), "spin": (0.0, 0.0, 30.0),
                                                "velocity": (0.0, 15.0, 0.0)}}  # fmt: skip
    hinge = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "bar.left"}
    spec = system_of(parts=[part], constraints=[hinge], gravity=DOWN_Y, measures=words)
    results = moved(spec, tmp_path, 1.0, tolerance=1e-6, largest_step=2e-3)
    found = {word["name"]: results.curve(word["name"]) for word in words}
    assert found["swing"][-1] > 8.0 * np.pi  # full turns count
    np.testing.assert_allclose(found["swing"], results.curve("hinge angle"), atol=1e-12)
    np.testing.assert_allclose(found["speed"], found["spin"], rtol=1e-9)  # radius 1
    np.testing.assert_allclose(found["away"], 0.0, atol=1e-6)
    np.testing.assert_allclose(found["radius"], 1.0, rtol=1e-6)
    np.testing.assert_allclose(found["energy"], found["check"], rtol=1e-7)
    np.testing.assert_allclose(found["turned"], found["swing"] - found["swing"][0], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(found["mean spin"][1:], found["turned"][1:] / found["now"][1:], rtol=1e-12)
    passed = np.interp(6.0, found["swing"], found["now"])
    assert np.isnan(found["crossed"][found["now"] < passed]).all()
    np.testing.assert_allclose(found["crossed"][found["now"] > passed], passed, atol=1e-4)
    assert found["fastest"][-1] >= found["speed"].max() - 1e-9
    angle = found["swing"]
    tangential = -1.5 * 9.81 * np.cos(angle)  # g/(2/3 l) of a bar about its end
    expected = np.hypot(tangential, found["spin"] ** 2)
    np.testing.assert_allclose(found["a"], expected, rtol=2e-3)
    force = np.hypot(results.curve("hinge force x"), results.curve("hinge force y"))
    np.testing.assert_allclose(found["pull"], force, rtol=1e-9)
    assert CurveKey("", "angle", "measure", "turned") in results.curve_keys
    dimension = next(key.dimension for key in results.curve_keys if key.owner == "turned")
    assert dimension == "angle"


def test_a_force_element_is_measured_by_what_it_reads(tmp_path):
    words = [
        {"kind": "force_element", "name": "pull", "force": "strut"},
        {"kind": "force_element", "name": "push", "force": "strut", "quantity": "force", "component": "x"},
        {"kind": "force_element", "name": "given", "force": "strut", "quantity": "power"},
        {"kind": "over_time", "name": "work", "measure": "given", "statistic": "integral"},
    ]
    spec = on_a_rail({"stiffness": 40.0, "free_length": 0.2}, measures=words)
    results = moved(spec, tmp_path, 0.4, **PRECISE)
    np.testing.assert_allclose(results.curve("pull"), results.curve("strut axial force"), atol=1e-12)
    np.testing.assert_allclose(results.curve("push"), results.curve("strut force x"), atol=1e-12)
    np.testing.assert_allclose(results.curve("work"), results.curve("kinetic energy"), atol=2e-5)


def test_quasi_static_runs_have_measures_too(tmp_path):
    """A mass that hangs on a progressive spring: f(x) = m g."""
    spring = {"kind": "formula", "formula": "10*x + 500*x**3"}
    part = {**BAR, "name": "mass", "placement": {"position": (0.0, -0.1, 0)}, "markers": [{"name": "slide"}]}
    constraints = [{"kind": "translational", "name": "rail", "first": "ground.down", "second": "mass.turned"}]
    part["markers"] = [{"name": "turned", "rotation": (np.pi / 2, 0, 0)}]
    spec = system_of(
        ground=[{"name": "down", "rotation": (np.pi / 2, 0, 0)}], parts=[part], constraints=constraints,
        forces=[{"kind": "spring_damper", "name": "hang", "first": "ground.origin", "second": "mass.frame",
                 "characteristic": spring}],
        gravity=DOWN_Y, measures=[{"kind": "distance", "name": "stretch", "second": "mass.frame"}],
    )  # fmt: skip
    run = build(analyses["quasi_static"], {"name": "rest", "system": "system", "duration": 1.0, "frames": 2})
    run.run(SystemModel(spec, {}), tmp_path / "rest.h5", Silent())
    stretch = Results(tmp_path / "rest.h5").curve("stretch")[-1]
    assert 10 * stretch + 500 * stretch**3 == pytest.approx(9.81, rel=1e-8)


def test_a_flexible_coordinate_is_that_of_the_part():
    body = flexible(jointed_plates_model())
    part = {"kind": "flexible", "name": "plates", "body": "plates"}
    spec = system_of(parts=[part])
    at = assemble(spec, {"plates": body})
    q = at.position.copy()
    q[RIGID + 2] = 0.25
    state = State(0.0, q, at.start_velocity(), np.zeros(len(q)), np.zeros(0), at.history)
    seen = Observation(at.system, state, at.history)
    words = {"name": "third", "part": "plates", "number": 3}
    assert build(kinds["coordinate"], words).value(seen, {}) == 0.25
    with pytest.raises(ModelError, match=f"which has {len(q) - RIGID}"):
        build(kinds["coordinate"], {**words, "number": 999}).value(seen, {})


def test_a_start_beyond_a_stop_is_a_finding():
    stop = {"kind": "stop", "name": "buffer", "first": "ground.origin", "second": "mass.frame", "upper": 0.1,
            "of": "x"}  # fmt: skip
    spec = on_a_rail({}, forces=[stop])
    placed = spec.parts[0].placement.position[0]
    at = {spec.name: assemble(spec, {})}
    found = run_checks(
        CheckedProject(Project(name="p", units="m-kg-s", systems=(spec,)), Path(), assembled=at)
    )
    sentence = f"starts {placed - 0.1:.4g}"
    assert any(sentence in each.sentence and "'buffer'" in each.sentence for each in found), found


def project_with(*measures):
    spec = on_a_rail({"stiffness": 40.0}, measures=list(measures))
    return Project(name="p", units="m-kg-s", systems=(spec,))


@pytest.mark.parametrize(
    ("measures", "sentence"),
    [
        ([{"kind": "over_time", "name": "x", "measure": "y"}, {"kind": "over_time", "name": "y", "measure": "x"}],
         "x needs y, y needs x"),
        ([{"kind": "reaction", "name": "x", "constraint": "rial"}], "there is no constraint 'rial'"),
        ([{"kind": "force_element", "name": "x", "force": "strut", "quantity": "angle"}],
         "the force 'strut' has no 'angle'"),
        ([{"kind": "distance", "name": "x", "second": "mass.nowhere"}], "no marker 'mass.nowhere'"),
    ],
)  # fmt: skip
def test_names_of_nothing_and_circles_are_findings(measures, sentence):
    found = [finding.sentence for finding in run_checks(CheckedProject(project_with(*measures), Path()))]
    assert any(sentence in each for each in found), found


def test_friction_in_an_unknown_joint_is_a_finding():
    friction = {"kind": "joint_friction", "name": "rub", "constraint": "rial"}
    spec = on_a_rail({}, forces=[friction])
    found = run_checks(CheckedProject(Project(name="p", units="m-kg-s", systems=(spec,)), Path()))
    assert any("force 'rub': there is no constraint 'rial'" in each.sentence for each in found), found


def test_names_in_measures_follow_when_things_are_renamed():
    project = project_with(
        {"kind": "force_element", "name": "pull", "force": "strut"},
        {"kind": "over_time", "name": "most", "measure": "pull"},
        {"kind": "reaction", "name": "held", "constraint": "rail"},
    )
    for path, name in (
        (("systems", 0, "forces", 0), "shock"), (("systems", 0, "measures", 0), "load"),
        (("systems", 0, "constraints", 0), "guide"),
    ):  # fmt: skip
        project = edits.rename(path, name)(project)
    pull, most, held = project.systems[0].measures
    assert (pull.force, most.measure, held.constraint) == ("shock", "load", "guide")


def test_a_measure_is_added_by_an_edit():
    project = edits.add_measure("system", {"kind": "time", "name": "now"})(project_with())
    assert project.systems[0].measures[0].name == "now"
