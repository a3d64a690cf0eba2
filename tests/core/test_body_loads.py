"""Loads of a body against closed forms, and the reduced body under them against the FE model."""

from dataclasses import replace

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.assembly import rigid_body_modes
from faying.fem.model import PointMass
from faying.fem.skin import find_skin
from faying.fem.stress import StressRecovery
from faying.params import build
from faying.reduction.body_loads import body_loads
from faying.reduction.methods.free_interface import FreeInterface
from support.boxes import STEEL
from support.loaded_bodies import difference, held_box, loaded_body, ring, solved, unreduced

E, NU, RHO = 210000.0, 0.3, 7.85e-9
G = 9810.0  # mm/s²


def on(name):
    return {"kind": "deck_surface", "name": name}


@pytest.fixture(scope="module")
def cantilever():
    """A beam of 100 × 6 × 4 with all kinds of loads; without lateral contraction, as beam theory has it."""
    model = held_box("hex20", (10, 1, 1), (100.0, 6.0, 4.0), material=replace(STEEL, poisson_ratio=0.0))
    middle = int(np.argmin(np.linalg.norm(model.nodes - [50.0, 3.0, 4.0], axis=1)))
    loads = [
        {"kind": "gravity", "name": "weight", "acceleration": [0.0, 0.0, -G]},
        {"kind": "pressure", "name": "press", "surface": on("ZMAX"), "pressure": 0.02},
        {"kind": "traction", "name": "shear", "surface": on("ZMAX"), "traction": [0.01, 0.02, 0.0]},
        {"kind": "surface_force", "name": "pull", "surface": on("XMAX"), "force": [10.0, 0.0, 2.0]},
        {"kind": "node_force", "name": "poke", "node": middle + 1, "force": [0.0, 0.0, -1.0]},
        {"kind": "rotation", "name": "spin", "axis": [0.0, 0.0, 1.0], "angular_velocity": 100.0},
    ]
    return loaded_body(model, loads)


def test_a_beam_under_its_own_weight(cantilever, tmp_path):
    found, report = solved(cantilever, tmp_path, "weight")
    # Analytical (Timoshenko): bending and shear of a cantilever under a line load.
    area, second, length = 24.0, 6.0 * 4.0**3 / 12.0, 100.0
    q, shear = RHO * G * area, 0.5 * E * area * 5.0 / 6.0
    exact = -q * (length**4 / (8.0 * E * second) + length**2 / (2.0 * shear))
    tip = found[cantilever.model.node_sets["XMAX"], 2].mean()
    assert tip == pytest.approx(exact, rel=0.005)
    assert report["load_error"] < 1e-7


@pytest.mark.parametrize("load", ["weight", "press", "shear", "pull", "poke", "spin"])
def test_the_reduced_body_carries_every_load_as_the_fe_model_does(cantilever, tmp_path, load):
    found, report = solved(cantilever, tmp_path, load)
    full = unreduced(cantilever, tmp_path, load)
    assert np.abs(full).max() > 0.0
    assert difference(found, full) < 1e-9
    assert report["load_error"] < 1e-7


def test_arrows_stand_where_loads_act(cantilever):
    """One in the middle of the body, one at the axis, those of a surface all over it; sizes as they were given."""
    model = cantilever.model
    skin = find_skin(model)

    def drawn(kind, **words):
        found = build(body_loads[kind], {"name": "load", **words}).arrows(model, skin)
        return [(model.nodes[a.node], a.vector, a.turns) for a in found]

    ((place, vector, turns),) = drawn("gravity", acceleration=[0.0, 0.0, -G])
    np.testing.assert_allclose(place, model.nodes.mean(axis=0), atol=5.0)
    assert vector.tolist() == [0.0, 0.0, -G] and not turns
    axis = {"axis": [0.0, 0.0, 2.0], "axis_point": [30.0, 6.0, 9.0], "angular_velocity": 1.0}
    ((place, vector, turns),) = drawn("rotation", **axis)
    assert place[:2].tolist() == [30.0, 6.0]
    assert vector.tolist() == [0.0, 0.0, 1.0] and turns
    pressed = drawn("pressure", surface=on("ZMAX"), pressure=0.02)
    places = np.array([place for place, _, _ in pressed])
    assert len(pressed) > 3 and (places[:, 2] == 4.0).all() and np.ptp(places[:, 0]) > 80.0
    np.testing.assert_allclose(
        [vector for _, vector, _ in pressed], [[0.0, 0.0, -0.02]] * len(pressed), atol=1e-15
    )


def test_resultants_are_those_of_the_loads(cantilever):
    forces = dict(zip(cantilever.reduced.loads.names, cantilever.reduced.loads.resultants.T, strict=True))
    mass = RHO * 2400.0
    np.testing.assert_allclose(forces["weight"][:3], [0, 0, -mass * G], atol=1e-9 * mass * G)
    np.testing.assert_allclose(
        forces["weight"][3:], [-3.0 * mass * G, 50.0 * mass * G, 0], atol=1e-6 * mass * G
    )
    np.testing.assert_allclose(forces["press"][:3], [0, 0, -0.02 * 600.0], atol=1e-10)
    np.testing.assert_allclose(forces["shear"][:3], [6.0, 12.0, 0.0], atol=1e-10)
    np.testing.assert_allclose(forces["pull"][:3], [10.0, 0.0, 2.0], atol=1e-10)
    np.testing.assert_allclose(forces["spin"][:3], mass * 1e4 * np.array([50.0, 3.0, 0.0]), rtol=1e-9)


def test_without_load_modes_the_error_is_told(cantilever, tmp_path):
    loads = [{"kind": "gravity", "name": "weight", "acceleration": [0.0, 0.0, -G]}]
    rough = loaded_body(cantilever.model, loads, with_modes=False)
    found, report = solved(rough, tmp_path, "weight")
    full = unreduced(rough, tmp_path, "weight")
    # The error in the energy norm, from the FE model's own energies.
    K, back = rough.matrices.stiffness, rough.matrices.dofs.own_rows
    missed, whole = ((u.ravel()[back[back < u.size]]) for u in (full - found, full))
    held = np.flatnonzero(back < full.size)
    K = K[held][:, held]
    exact = np.sqrt((missed @ K @ missed) / (whole @ K @ whole))
    assert 0.01 < exact < 0.9
    assert report["load_error"] == pytest.approx(exact, rel=1e-6)


def test_components_of_a_free_body_carry_loads_too(cantilever, tmp_path):
    loads = [{"kind": "pressure", "name": "press", "surface": on("ZMAX"), "pressure": 0.02}]
    free = loaded_body(cantilever.model, loads, method=FreeInterface(vibration_modes=3))
    assert difference(solved(free, tmp_path, "press")[0], unreduced(free, tmp_path, "press")) < 1e-7


def test_a_block_in_a_liquid_as_heavy_as_itself(tmp_path):
    # Analytical: σ = −p(z) I everywhere, whatever the elastic constants, and no reaction.
    weight = RHO * G
    model = held_box("hex20", (2, 2, 2), (30.0, 20.0, 40.0), kind="distributing", at="ZMIN")
    loads = [
        {"kind": "hydrostatic_pressure", "name": "liquid", "surface": {"kind": "connected_part", "element": 1},
         "point": [0.0, 0.0, 100.0], "gradient": [0.0, 0.0, -weight]},
        {"kind": "gravity", "name": "weight", "acceleration": [0.0, 0.0, -G]},
    ]  # fmt: skip
    body = loaded_body(model, loads)
    recovery = StressRecovery(model)
    found, _ = solved(body, tmp_path, "liquid", "weight")
    stresses = recovery.at_points(found)
    pressures = weight * (100.0 - recovery.point_coordinates[:, 2])
    np.testing.assert_allclose(stresses[:, :3], np.tile(-pressures[:, None], 3), rtol=1e-6)
    assert np.abs(stresses[:, 3:]).max() < 1e-6 * pressures.max()
    # Archimedes: the liquid lifts what it would weigh itself.
    lift = body.reduced.loads.resultants[:3, 0]
    np.testing.assert_allclose(lift, [0.0, 0.0, weight * 24000.0], atol=1e-9)
    assert difference(found, unreduced(body, tmp_path, "liquid", "weight")) < 1e-6
    # With the liquid alone the block is stressed otherwise.
    alone = recovery.at_points(solved(body, tmp_path, "liquid")[0])
    assert np.abs(alone[:, 2] + pressures).max() > 0.1 * pressures.max()


def test_no_suction_above_the_level_of_a_liquid(tmp_path):
    model = held_box("hex8_incompatible", (1, 1, 4), (10.0, 10.0, 40.0), at="ZMIN")
    words = {"kind": "hydrostatic_pressure", "surface": on("XMIN"), "point": [0.0, 0.0, 20.0],
             "gradient": [0.0, 0.0, -0.01]}  # fmt: skip
    body = loaded_body(model, [{**words, "name": "liquid"}, {**words, "name": "pulls", "suction": True}])
    below, both = body.reduced.loads.resultants[0]
    assert below == pytest.approx(10.0 * 0.01 * 20.0**2 / 2.0)
    assert both == pytest.approx(0.0, abs=1e-12)


@pytest.fixture(scope="module")
def thick_ring():
    loads = [
        {"kind": "pressure", "name": "inside", "surface": on("INNER"), "pressure": 50.0},
        {"kind": "rotation", "name": "spin", "angular_velocity": 1000.0},
    ]
    return loaded_body(ring(20.0, 40.0, 5.0, (3, 12, 1)), loads)


def radial(body, found, name):
    rows = body.model.node_sets[name]
    out = body.model.nodes[rows, :2]
    return np.einsum("ij,ij->i", found[rows, :2], out / np.linalg.norm(out, axis=1)[:, None])


def test_a_thick_walled_cylinder_under_pressure(thick_ring, tmp_path):
    found, _ = solved(thick_ring, tmp_path, "inside")
    a, b, p = 20.0, 40.0, 50.0
    for name, r in (("INNER", a), ("OUTER", b)):  # analytical (Lamé 1852), free ends
        exact = p * a**2 / (E * (b**2 - a**2)) * ((1.0 - NU) * r + (1.0 + NU) * b**2 / r)
        np.testing.assert_allclose(radial(thick_ring, found, name), exact, rtol=0.005)
    assert difference(found, unreduced(thick_ring, tmp_path, "inside")) < 1e-6


def test_a_rotating_disc(thick_ring, tmp_path):
    found, _ = solved(thick_ring, tmp_path, "spin")
    a, b = 20.0, 40.0
    for name, r in (("INNER", a), ("OUTER", b)):  # analytical (plane stress; Timoshenko and Goodier, § 32)
        whole = (3.0 + NU) * ((1.0 - NU) * (a**2 + b**2) * r + (1.0 + NU) * a**2 * b**2 / r)
        exact = RHO * 1000.0**2 / (8.0 * E) * (whole - (1.0 - NU**2) * r**3)
        np.testing.assert_allclose(radial(thick_ring, found, name), exact, rtol=0.01)
    assert difference(found, unreduced(thick_ring, tmp_path, "spin")) < 1e-6


def test_the_mass_of_a_coupled_face_turns_where_it_is(tmp_path):
    """The centrifugal force counts at the face, not at its reference node far away."""
    model = held_box("hex8_incompatible", (2, 1, 1), (10.0, 4.0, 4.0))
    away = model.nodes.copy()
    away[-1] += [-5.0, 7.0, 0.0]
    model = replace(model, nodes=away)
    body = loaded_body(
        model, [{"kind": "rotation", "name": "spin", "axis": [0, 0, 1], "angular_velocity": 10.0}]
    )
    mass = RHO * 160.0
    np.testing.assert_allclose(
        body.reduced.loads.resultants[:, 0],
        100.0 * mass * np.array([5.0, 2.0, 0.0, -4.0, 10.0, 0.0]),
        atol=1e-16,
    )


def test_an_angular_acceleration_acts_against_itself(tmp_path):
    model = held_box("hex8_incompatible", (2, 1, 1), (10.0, 4.0, 4.0))
    point = PointMass("weight", 0, 1e-6, np.zeros((3, 3)), np.zeros(3))
    words = {"kind": "rotation", "name": "jerk", "axis": [0, 0, 2.0], "angular_acceleration": 50.0}
    body = loaded_body(replace(model, point_masses=(point,)), [words])
    rigid = rigid_body_modes(model.nodes, body.matrices.dofs)
    exact = -50.0 * (body.matrices.mass @ rigid[:, 5])
    np.testing.assert_allclose(rigid.T @ body.loads.forces[:, 0], rigid.T @ exact, atol=1e-15)


def test_half_a_load_does_half_and_factors_add_up(cantilever, tmp_path):
    whole = solved(cantilever, tmp_path, "press")[0]
    acting = [{"load": "press", "factor": 0.25}, {"load": "press", "factor": 0.25}]
    from faying.analyses.static import Static
    from faying.params import build
    from faying.progress import Silent
    from faying.results.results import Results

    static = build(Static, {"name": "s", "body": "it", "support": "HOLD", "body_loads": acting})
    static.run(cantilever, tmp_path / "half.h5", Silent())
    results = Results(tmp_path / "half.h5")
    half = cantilever.reduced.clamped_to("HOLD").displacements @ results.coordinates(-1)
    results.close()
    np.testing.assert_allclose(half.reshape(-1, 3), 0.5 * whole, atol=1e-12 * np.abs(whole).max())


@pytest.mark.parametrize(
    "words, sentence",
    [
        (
            {"kind": "pressure", "surface": on("LID"), "pressure": 1.0},
            "Load 'it': The deck has no surface called 'LID'",
        ),
        ({"kind": "pressure", "surface": on("ZMAX")}, "Load 'it' has no size"),
        (
            {"kind": "rotation", "axis": [0, 0, 0], "angular_velocity": 1.0},
            "Load 'it': The axis has no direction",
        ),
        ({"kind": "node_force", "force": [1, 0, 0]}, "Load 'it': It names no node"),
        ({"kind": "node_force", "node": 999999, "force": [1, 0, 0]}, "There is no node 999999"),
        ({"kind": "node_force", "node_set": "NONE", "force": [1, 0, 0]}, "'NONE' is not in the deck"),
        (
            {"kind": "node_force", "node": 1, "moment": [1, 0, 0]},
            "A moment acts on node 1, which has no rotations",
        ),
    ],
)
def test_what_cannot_act_is_a_sentence(words, sentence):
    model = held_box("hex8_incompatible", (1, 1, 1), (10.0, 4.0, 4.0))
    with pytest.raises(ModelError, match=sentence):
        loaded_body(model, [{"name": "it", **words}])


def test_an_unknown_load_is_a_sentence(cantilever, tmp_path):
    for solve in (solved, unreduced):
        with pytest.raises(ModelError, match="The body has no load called 'wind'"):
            solve(cantilever, tmp_path, "wind")


@pytest.mark.parametrize("node", [1, 2, 18])
def test_a_force_at_any_node_has_its_moments(node: int) -> None:
    """∫ φ × f and ∫ x fᵀ of one force, at the first node too; the last one of the box moves with a coupling."""
    plain = held_box("hex8_full", (2, 2, 1), (20.0, 10.0, 5.0), at="XMAX")
    model = replace(plain, nodes=plain.nodes + np.array([3.0, 1.0, 2.0]))
    for force in np.diag([7.0, 8.0, 9.0]):
        body = loaded_body(
            model,
            [{"kind": "node_force", "name": "it", "node": node, "force": tuple(force)}],
            with_modes=False,
        ).reduced
        assert body.loads is not None
        row = node - 1
        shapes = body.displacements.reshape(-1, 3, body.n_coordinates)[row]
        torques = np.cross(shapes.T, force).T
        moments = np.outer(model.nodes[row], force)
        # What couplings carry acts at their node, with a moment beside the force.
        if np.isclose(plain.nodes[row, 0], 20.0):
            row = len(model.nodes) - 1
            torques = np.cross(body.displacements.reshape(-1, 3, body.n_coordinates)[row].T, force).T
            moments = np.outer(model.nodes[row], force)
        np.testing.assert_allclose(body.loads.torques[0], torques, atol=1e-9 * np.abs(shapes).max())
        np.testing.assert_allclose(body.loads.moments[0], moments, atol=1e-9)
