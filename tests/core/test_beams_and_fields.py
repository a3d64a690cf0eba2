"""Massless beams and fields. Kinds of reference: closed forms of beams; one of both against the other."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.multibody.forces import forces
from faying.multibody.markers import MarkerMotion
from faying.params import build
from faying.spatial.rotations import rotation_about, rotation_matrix
from support.systems import moved, system_of

LENGTH, E, G = 0.5, 2.1e11, 8.1e10
SECTION = {"area": 1e-4, "second_moment_x": 4e-10, "second_moment_y": 9e-10, "torsion_constant": 6e-10}
BEAM = {
    "kind": "beam", "name": "blade", "first": "ground.root", "second": "tip.frame", "elastic_modulus": E,
    "shear_modulus": G, "length": LENGTH, **SECTION,
}  # fmt: skip


def at(position, turn=(0, 0, 0)):
    none = np.zeros((3, 0))
    axes = rotation_matrix(rotation_about(np.array(turn, float)))
    return MarkerMotion(np.array(position, float), axes, none, none, np.zeros(3), np.zeros(3))


def beam():
    return build(forces["beam"], {key: value for key, value in BEAM.items() if key != "kind"})


@pytest.mark.parametrize(
    ("load", "place", "turn"),
    [
        ("x", (1.0 / (3.0 * E * 9e-10), 0, 0), (0, 1.0 / (2.0 * E * 9e-10), 0)),
        ("y", (0, 1.0 / (3.0 * E * 4e-10), 0), (-1.0 / (2.0 * E * 4e-10), 0, 0)),
    ],
)
def test_a_cantilever_under_a_force_at_its_end(load, place, turn):
    """Deflection F L³/3EI, slope F L²/2EI, no moment at the end, F L at the root."""
    size = 1e-3
    end = np.array([0, 0, LENGTH]) + size * LENGTH**3 * np.array(place)
    wrench = beam().wrenches([at((0, 0, 0)), at(end, size * LENGTH**2 * np.array(turn))], 0.0, np.zeros(3))
    force = size * np.array([load == "x", load == "y", 0.0])
    assert wrench[6:9] == pytest.approx(-force, abs=1e-8)
    assert wrench[9:] == pytest.approx(np.zeros(3), abs=1e-8)
    assert wrench[3:6] == pytest.approx(np.cross(end, force), abs=1e-8)


def test_stretch_and_twist():
    wrench = beam().wrenches([at((0, 0, 0)), at((0, 0, LENGTH + 1e-5), (0, 0, 1e-3))], 0.0, np.zeros(3))
    assert wrench[8] == pytest.approx(-E * 1e-4 / LENGTH * 1e-5)
    assert wrench[11] == pytest.approx(-G * 6e-10 / LENGTH * 1e-3)


def test_a_field_with_the_numbers_of_a_beam_is_one():
    matrix = beam().stiffness_matrix()
    words = {
        "name": "it", "first": "a.b", "second": "c.d", "free_displacement": (0, 0, LENGTH),
        "stiffness": np.diag(matrix)[:3].tolist(), "torsional_stiffness": np.diag(matrix)[3:].tolist(),
        "coupling_x": matrix[0, 3:].tolist(), "coupling_y": matrix[1, 3:].tolist(),
    }  # fmt: skip
    field = build(forces["field"], words)
    markers = [at((0.1, 0.2, 0), (0.2, 0.1, 0)), at((0.1, 0.3, LENGTH), (0.4, -0.2, 0.6))]
    found, same = (each.wrenches(markers, 0.0, np.zeros(3)) for each in (field, beam()))
    assert found == pytest.approx(same, rel=1e-12)


def test_a_mass_at_the_end_swings_as_on_a_spring(tmp_path):
    """ω² = 3EI/(m L³) with a mass without size: v/ω to one side, and after three quarters of a period to the other."""
    mass = 0.2
    small = {
        "kind": "rigid", "name": "tip", "mass": mass, "moments_of_inertia": (1e-7, 1e-7, 1e-7),
        "placement": {"position": (0, 0, LENGTH), "velocity": (0.01, 0, 0)},
    }  # fmt: skip
    blade = {**BEAM, "length": 0.0, "proportional_damping": 0.0}
    rate = np.sqrt(3.0 * E * 9e-10 / (mass * LENGTH**3))
    spec = system_of(ground=[{"name": "root"}], parts=[small], forces=[blade])
    results = moved(spec, tmp_path, 2.0 * np.pi / rate, tolerance=1e-7, largest_step=5e-4, frames=201)
    found = results.curve("tip.frame x")
    assert found.max() == pytest.approx(0.01 / rate, rel=0.02)
    assert found.min() == pytest.approx(-0.01 / rate, rel=0.02)
    times = np.linspace(0.0, 2.0 * np.pi / rate, len(found))
    assert times[found.argmin()] == pytest.approx(1.5 * np.pi / rate, rel=0.02)


def test_couplings_that_are_too_large_are_refused():
    words = {
        "name": "it",
        "first": "a.b",
        "second": "c.d",
        "stiffness": (1, 1, 1),
        "stiffness_products": (2, 0, 0),
    }
    with pytest.raises(ModelError, match="direction of negative stiffness"):
        build(forces["field"], words)
