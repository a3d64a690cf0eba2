"""Areas of the nodes of a surface on the side that presses: whole skins press as their facing sides alone do.

Kinds of reference: pressure over the face that stands on the other body, central differences, laws of mechanics.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from faying.analyses.curve_sources import RecordedSystem, SystemState
from faying.analyses.curve_sources.contacts import Contacts
from faying.fem.facing_areas import NodalFacets, facing_areas, nodal_facets
from faying.fem.skin import find_skin
from faying.fem.surface import nodal_areas
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.joints.step_mean import PairsBefore
from faying.multibody.contacts.contact import PartContact
from faying.multibody.contacts.rigid_shapes import RigidPlane, RigidSphere
from faying.multibody.contacts.surface import surface_of_mesh
from faying.multibody.linearized import find_equilibrium
from faying.multibody.parts.ground import Ground
from faying.multibody.system import MultibodySystem
from faying.progress import Silent
from faying.solvers.integrators import State
from faying.spatial.rotations import rotation_about, rotation_matrix
from support.boxes import box
from support.touching import block, contact, face, pose

FLOOR = RigidPlane(np.zeros(3), np.array([0.0, 0.0, 1.0]))
G, MASS, STIFFNESS, SIZE = 9810.0, 2e-3, 200.0, (10.0, 8.0, 6.0)


def turned(degrees: float) -> np.ndarray:
    """Return a direction in the plane x, z, by its angle from −z towards −x."""
    angle = np.radians(degrees)
    return np.array([-np.sin(angle), 0.0, -np.cos(angle)])


def area_of(facets: list[tuple[float, float]], pressed: float) -> float:
    """Return the area of a node with facets (area, angle of the normal), pressed from an angle."""
    areas, angles = np.array(facets).T
    around = NodalFacets(
        np.array([0, len(facets)]), np.ascontiguousarray(areas), np.array([turned(a) for a in angles])
    )
    given = (*around, np.array([0]), -turned(pressed)[None])
    found, plain = facing_areas(*given), facing_areas.plain(*given)
    for one, other in zip(found, plain, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-14)
    return float(found[0][0])


def test_faces_at_right_angles_count_by_which_one_is_pressed():
    faces = [(3.0, 0.0), (5.0, 90.0)]
    assert area_of(faces, 0.0) == pytest.approx(3.0, rel=1e-14)
    assert area_of(faces, 90.0) == pytest.approx(5.0, rel=1e-14)
    # On its edge it stands on both, and a little tilt changes nothing: 1 − tan 5° = 0.913.
    assert area_of(faces, 45.0) == pytest.approx(8.0)
    assert area_of(faces, 5.0) == pytest.approx(3.0) and area_of(faces, -20.0) == pytest.approx(3.0)
    # Between them by how much less the other one faces what presses: at 30° 1 − tan 30° = 0.423 of it.
    assert area_of(faces, 30.0) == pytest.approx(3.0 + 5.0 * (np.sqrt(1.0 / 3.0) - 0.1) / 0.8)
    # A face at right angles to both stays out of it: what it faces is half of what looks the other way.
    assert area_of([*faces, (7.0, -45.0)], 45.0) == pytest.approx(8.0)


def test_smooth_surfaces_keep_their_areas_and_chamfers_count_near_their_projection():
    assert area_of([(3.0, -12.0), (5.0, 12.0)], 12.0) == pytest.approx(8.0, rel=1e-14)
    for angle, part in ((25.0, 1.0), (26.5, 0.9937), (60.0, 0.5), (84.0, 0.0057), (85.0, 0.0)):
        assert area_of([(3.0, 0.0), (5.0, angle)], 0.0) == pytest.approx(3.0 + 5.0 * part, abs=1e-3), angle
        assert abs(part - np.cos(np.radians(angle))) < 0.1
    # What looks away counts for nothing, as the upper side of a wedge and the other side of a sheet.
    assert area_of([(3.0, 0.0), (5.0, 150.0)], 0.0) == pytest.approx(3.0, rel=1e-14)
    assert area_of([(3.0, 0.0), (3.0, 180.0)], 0.0) == pytest.approx(3.0, rel=1e-14)


def test_no_node_is_without_area_however_it_presses():
    # A sheet on its edge, of which both sides, or one alone, are the surface: none of them faces the floor.
    assert area_of([(3.0, 90.0), (4.0, -90.0)], 0.0) == pytest.approx(7.0)
    # A little tilted, the side that faces it counts in full, the other one by how much less it does, in 0.2.
    for tilt in (0.5, 5.0):
        part = np.clip((0.9 - 2.0 * np.sin(np.radians(tilt)) / 0.2) / 0.8, 0.0, 1.0)
        assert area_of([(3.0, 90.0), (4.0, -90.0)], tilt) == pytest.approx(3.0 + 4.0 * part)
    assert area_of([(3.0, 90.0)], 0.0) == area_of([(3.0, 120.0)], 0.0) == pytest.approx(3.0)
    rng = np.random.default_rng(1)
    model = box("tet10", (2, 2, 2), SIZE)
    surface = find_skin(model).surface
    around, whole = nodal_facets(surface, model.nodes), nodal_areas(surface, model.nodes)
    assert around.areas.sum() == pytest.approx(whole.sum())
    nodes = np.arange(len(whole))
    for _ in range(20):
        way = np.tile(rng.normal(size=3), (len(nodes), 1))
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        found, slopes, bends = facing_areas(*around, nodes, way)
        assert (found > 0.0).all() and (found <= whole * (1.0 + 1e-12)).all()
        for one, other in zip((found, slopes, bends), facing_areas.plain(*around, nodes, way), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-12)
        # Inside of a side nothing changes.
        alone = np.array([len(np.unique(np.round(around.normals[a:b], 6), axis=0)) == 1
                          for a, b in zip(around.starts[:-1], around.starts[1:], strict=True)])  # fmt: skip
        np.testing.assert_allclose(found[alone], whole[alone], rtol=1e-12)
        assert not slopes[alone].any()


@pytest.mark.parametrize("cells", [(1, 1, 1), (3, 2, 2)])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("on", ["plane", "block"])
def test_a_block_sinks_by_its_weight_over_stiffness_and_the_face_that_it_stands_on(whole, on, cells):
    part, skin = block("block", SIZE, cells, MASS)
    under = FLOOR, 0.0
    if on == "block":
        under = block("under", (30.0, 20.0, 4.0), (5, 4, 1))[1], 2.0
    touch = contact(
        ("ground", under[0]), ("block", skin if whole else face(SIZE, cells)), stiffness=STIFFNESS
    )
    system = MultibodySystem((Ground(), part), gravity=(0.0, 0.0, -G), contacts=(touch,))
    q = pose((0.0, 0.0, under[1] + 0.5 * SIZE[2]))
    rest = find_equilibrium(system, q, system.resting_history(q, system.initial_history()), Silent())
    sunk = MASS * G / STIFFNESS / (SIZE[0] * SIZE[1])
    assert q[2] - rest.position[2] == pytest.approx(sunk, rel=1e-6)
    (answer,) = system.contacts.respond(rest.position, rest.history.contacts, 0.0)
    assert touch.stored_energy(answer) == pytest.approx(0.5 * MASS * G * sunk, rel=1e-6)
    share = 80.0 / (2.0 * (80.0 + 60.0 + 48.0)) if whole else 1.0
    at = State(0.0, rest.position, np.zeros(system.n), np.zeros(system.n), np.zeros(0), rest.history)
    closed, *_ = Contacts().values(RecordedSystem(system), SystemState(at, rest.history, [answer]))
    assert closed == pytest.approx(share)


@pytest.mark.parametrize(("turn", "area"), [(0.25 * np.pi, 100.0), (0.09, 50.0), (0.5 * np.pi - 0.09, 50.0)])
def test_a_block_on_an_edge_stands_on_what_faces_the_floor(turn, area):
    """At 45° both faces at the edge bear with what their nodes there stand for, a little tilted one face alone."""
    _, skin = block()
    q = pose(turn=(0.0, turn, 0.0))
    q[2] = -0.01 - (skin.places @ rotation_matrix(q[3:7]).T)[:, 2].min()
    touch = contact(("ground", FLOOR), ("block", skin), reach=0.5)
    answer = touch.evaluate(np.zeros(0), q, touch.initial_memory(), 0.0, jacobian=False)
    assert answer.is_closed.sum() == 2
    assert answer.on_slave[2] == pytest.approx(200.0 * 0.01 * area, rel=1e-9)


MASTERS = {
    "plane": FLOOR,
    "ball": RigidSphere(np.array([0.0, 0.0, -30.0]), 30.0),
    "facets": None,
}


@pytest.mark.parametrize("master", MASTERS)
@pytest.mark.parametrize("friction", [None, "coulomb"])
@pytest.mark.parametrize("seed", range(3))
def test_changes_of_forces_count_that_areas_change(master, friction, seed):
    """Cubes on a corner that tilts, on what is curved, too, and on a part that turns with the system."""
    rng = np.random.default_rng(seed)
    shape = MASTERS[master]
    if shape is None:
        model = box("hex20", (6, 6, 1), (40.0, 40.0, 8.0))
        nodes = model.nodes + np.array([-20.0, -20.0, -8.0])
        nodes[:, 2] -= (nodes[:, 0] ** 2 + 0.5 * nodes[:, 1] ** 2) / 60.0
        waves = np.sin(nodes @ rng.normal(size=(3, 9)) / 20.0)
        shape = surface_of_mesh(find_skin(replace(model, nodes=nodes)).surface, nodes, waves.reshape(-1, 3))
    _, skin = block(size=(9.0, 8.0, 7.0), cells=(2, 2, 2))
    law = contact_laws["power_function"](reference_penetration=0.01)
    rubbing = None if friction is None else friction_laws[friction](sliding_stiffness=0.0).beside(1e4)
    touch = PartContact("touch", "one", "other", shape, skin, law, rubbing, 3.0, share=0.7)
    n = 7 + (3 if master == "facets" else 0)
    frame = np.concatenate(
        [[3.0, -2.0, 5.0], rotation_about(rng.normal(size=3)), 0.1 * rng.normal(size=n - 7)]
    )
    axes = rotation_matrix(frame[3:7])
    own = rotation_matrix(rotation_about(np.array([0.55, 0.5, 0.1]) + 0.1 * rng.normal(size=3)))
    lowest = skin.places[(skin.places @ own.T)[:, 2].argmin()]
    q = np.concatenate(
        [
            frame,
            frame[:3] + axes @ (np.array([0.4, -0.3, 0.0]) - own @ lowest),
            rotation_about(Rotation.from_matrix(axes @ own).as_rotvec()),
        ]
    )
    # Two steps into the master, in which it slides on.
    depth = 0.2
    for _ in range(2):
        memory = touch.resting_memory(q[:n], q[n:])
        q[n : n + 3] += axes @ np.array([0.2 * depth, 0.1 * depth, -memory.distances.min() - depth])
        depth *= 1.2
    gaps = rng.uniform(-1.0, 1.0, touch.n) * depth
    lasting, halved = ((gaps < 0.0) & (rng.uniform(size=touch.n) < 0.5) for _ in range(2))
    before = PairsBefore(gaps, lasting, halved & ~lasting, 0.7)

    def evaluate(q, jacobian=False):
        return touch.evaluate(q[:n], q[n:], memory, 1e-3, jacobian=jacobian, before=before)

    def within(q):
        answer = evaluate(q)
        return answer.sudden + before.factor * answer.going_on

    found = evaluate(q, jacobian=True)
    assert found.pressing.sum() >= 1 and (friction is None or len(found.friction.slaves) >= 1)
    wholes = skin.areas[found.gaps.slaves]
    assert (found.normal.areas[found.pressing] < 0.99 * wholes[found.pressing]).any()
    steps = np.where(np.isin(np.arange(len(q)), [3, 4, 5, 6, n + 3, n + 4, n + 5, n + 6]), 1e-6, 2e-5)
    rough = np.column_stack(
        [
            (within(q + h * e) - within(q - h * e)) / (2.0 * h)
            for h, e in zip(steps, np.eye(len(q)), strict=True)
        ]
    )
    exact = found.change
    scale = np.sqrt(np.outer(*2 * [np.abs(np.diag(exact)) + 1e-6 * np.abs(exact).max()]))
    assert np.abs((rough - exact) / scale).max() < 2e-6
