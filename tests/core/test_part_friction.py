"""Friction between parts that slide on each other.

Kinds of reference: Coulomb's law, differences, the laws of action and reaction.
"""

import numpy as np
import pytest

from faying.fem.skin import find_skin
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.multibody.contacts.force import RelativeMotion, normal_forces, places_in_frame
from faying.multibody.contacts.friction import friction_forces, moved_references, no_references
from faying.multibody.contacts.rigid_shapes import RigidPlane, RigidSphere
from faying.multibody.contacts.search import near_facets
from faying.multibody.contacts.surface import PartSurface, surface_of_mesh
from faying.spatial.rotations import quaternion_product, rotation_about, rotation_matrix, spatial_rates
from support.balls import ball
from support.boxes import box
from support.touching import surface_gaps

PENALTY = contact_laws["linear_penalty"](stiffness=50.0)
COULOMB = friction_laws["coulomb"](friction_coefficient=0.3, sliding_stiffness=0.0).beside(1e4)
TURN = np.array([0.9, 0.1, -0.3, 0.3])


def gaps_of(master, slave, qm, qs, reach=3.0):
    places = places_in_frame(slave, qs, qm)
    if isinstance(master, PartSurface):
        return surface_gaps(master, qm, places, near_facets(master, qm, places, reach, 0.0)), places
    return master.gaps(places, reach), places


def skin_of(model, modes=0, size=0.4):
    surface = find_skin(model).surface
    if not modes:
        return surface_of_mesh(surface, model.nodes)
    rng = np.random.default_rng(9)
    waves = np.sin(model.nodes @ rng.normal(size=(3, 3 * modes)) / 20.0 + rng.uniform(0, 6, 3 * modes))
    return surface_of_mesh(surface, model.nodes, size * waves.reshape(len(model.nodes) * 3, modes))


def pose(frame, position, turn=(0.0, 0.0, 0.0), flexible=()):
    """Return coordinates of a part placed in a frame (position, Euler parameters)."""
    p = quaternion_product(frame[1], rotation_about(np.asarray(turn, float)))
    return np.concatenate([frame[0] + rotation_matrix(frame[1]) @ np.asarray(position, float), p, flexible])


@pytest.fixture(scope="module")
def floor():
    return skin_of(box("hex8_full", (8, 8, 1), (40.0, 40.0, 5.0)))


def slide(master, slave, way, frames, friction=COULOMB, law=PENALTY, q_master=()):
    """Take the slave along places in the master's frame, which itself moves from frame to frame; yield each state."""
    width = 0 if not isinstance(master, PartSurface) else max(k.n_nodes for k in master.facets.kinds)
    references = no_references(len(slave.places), width, friction.history_size)
    for place, frame in zip(way, frames, strict=True):
        qm, qs = pose(frame, (0, 0, 0), flexible=q_master), pose(frame, place)
        gaps, places = gaps_of(master, slave, qm, qs)
        found = friction_forces(
            RelativeMotion(master, slave, qm, qs), gaps, law, friction, references, 1e-3, derivatives=False
        )
        references = moved_references(references, gaps, law.pressure(gaps.gaps)[0] > 0.0, found, places)
        yield gaps, found, qm, qs, references


def test_a_block_slides_over_many_facets_as_coulomb_says(floor):
    # A stiff block 0.01 deep in the floor, along a straight line and then round a bend.
    slave = skin_of(box("hex8_full", (1, 1, 1), (6.0, 6.0, 6.0)))
    t = np.linspace(0.0, 1.0, 201)
    way = np.column_stack([5.0 + 22.0 * t, 8.0 + 10.0 * t**2, np.full(201, 4.99)])
    still = [(np.zeros(3), np.array([1.0, 0, 0, 0]))] * 201
    facets, work = set(), 0.0
    limit, area = 0.3 * 50.0 * 0.01, 36.0  # of the face below alone
    for k, (gaps, found, _, _, _) in enumerate(slide(floor, slave, way, still)):
        facets |= set(gaps.facets[gaps.gaps < 0.0].tolist())
        if k < 2:
            continue
        assert len(found.slaves) == 4 and found.slipping.all()
        force = found.on_slave[:3]
        np.testing.assert_allclose(np.linalg.norm(force), limit * area, rtol=1e-3)
        along = (way[k] - way[k - 1]) / np.linalg.norm(way[k] - way[k - 1])
        assert force @ along < -0.9995 * limit * area  # against the way, whose bend it follows
        work -= force @ (way[k] - way[k - 1])
    assert len(facets) > 15
    length = np.linalg.norm(np.diff(way[1:], axis=0), axis=1).sum()
    np.testing.assert_allclose(work, limit * area * length, rtol=1e-3)


@pytest.mark.parametrize("shape", ["facets", "plane", "ball"])
def test_parts_that_move_together_do_not_slip(floor, shape):
    # Both turn through large angles and fly off; the slave stands still on the master.
    master = {
        "facets": floor,
        "plane": RigidPlane(np.array([0.0, 0.0, 5.0]), np.array([0.0, 0.0, 1.0])),
        "ball": RigidSphere(np.array([13.0, 13.0, 0.0]), 5.0),
    }[shape]
    slave = skin_of(box("hex8_full", (2, 2, 1), (6.0, 6.0, 6.0)))
    turns = np.linspace(0.0, 3.0, 31)
    frames = [
        (np.array([7.0 * a, -3.0 * a, a * a]), rotation_about(a * np.array([0.6, -0.5, 0.7]))) for a in turns
    ]
    way = np.tile([10.0, 10.0, 4.98], (31, 1))
    for k, (_, found, _, _, _) in enumerate(slide(master, slave, way, frames)):
        if k:
            assert len(found.slaves) >= 1
            np.testing.assert_allclose(found.slips, 0.0, atol=1e-12)
            np.testing.assert_allclose(found.stresses, 0.0, atol=1e-9)


def test_a_node_that_lifts_and_comes_back_begins_anew(floor):
    slave = skin_of(box("hex8_full", (1, 1, 1), (6.0, 6.0, 6.0)))
    heights = [4.99, 4.99, 4.99, 5.5, 4.99, 4.99]
    way = np.array([[10.0 + 0.5 * k, 10.0, h] for k, h in enumerate(heights)])
    still = [(np.zeros(3), np.array([1.0, 0, 0, 0]))] * len(way)
    slips = [found.slips[:, :] for _, found, _, _, _ in slide(floor, slave, way, still)]
    assert [len(s) for s in slips] == [0, 4, 4, 0, 0, 4]
    np.testing.assert_allclose(np.linalg.norm(slips[2], axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(slips[5], axis=1), 0.5, atol=1e-12)


@pytest.mark.parametrize("kind", ["coulomb", "dahl"])
@pytest.mark.parametrize("sliding", [1e-5, 0.3])
def test_changes_are_those_of_the_forces_and_nothing_is_left_over(kind, sliding):
    friction, law = friction_laws[kind]().beside(1e4), contact_laws["power_function"]()
    master, slave = (
        skin_of(box("hex8_full", (10, 10, 1), (40.0, 40.0, 8.0)), 3),
        skin_of(ball("hex20", 3, 1, 12.0), 4),
    )
    frame = (np.array([3.0, -2.0, 5.0]), TURN / np.linalg.norm(TURN))
    bent, rolled = np.array([0.1, -0.05, 0.08]), np.array([0.05, 0.1, -0.1, 0.02])
    qm = pose(frame, (0, 0, 0), flexible=bent)
    start = pose(frame, (19.0, 21.0, 18.3), (0.2, 0.3, 0.1), rolled)
    gaps, places = gaps_of(master, slave, qm, start)
    closed = law.pressure(gaps.gaps)[0] > 0.0
    none = no_references(len(slave.places), 4, friction.history_size)
    first = friction_forces(RelativeMotion(master, slave, qm, start), gaps, law, friction, none, 1e-3)
    assert not len(first.slaves) and not first.on_slave.any()
    references = moved_references(none, gaps, closed, first, places)
    qs = pose(frame, (19.0 + sliding, 21.0 - 0.5 * sliding, 18.3), (0.2, 0.3, 0.1), rolled)
    n, q = len(qm), np.concatenate([qm, qs])

    def both(q):
        found = friction_forces(
            RelativeMotion(master, slave, q[:n], q[n:]),
            gaps_of(master, slave, q[:n], q[n:])[0],
            law,
            friction,
            references,
            1e-3,
        )
        return np.concatenate([found.on_master, found.on_slave]), found

    force, found = both(q)
    assert len(found.slaves) > 3 and np.abs(force).max() > 0.0
    size = np.abs(found.stresses).sum() * slave.areas.max()
    np.testing.assert_allclose(force[:3] + force[n : n + 3], 0.0, atol=1e-12 * size)
    total = sum(
        np.linalg.lstsq(spatial_rates(c[3:7]).T, f[3:7])[0] + np.cross(c[:3], f[:3])
        for c, f in ((qm, force[:n]), (qs, force[n:]))
    )
    np.testing.assert_allclose(total, 0.0, atol=1e-12 * size * 50.0)
    unit, scales = np.eye(len(q)), np.where(np.isin(np.arange(len(q)) % n, (3, 4, 5, 6)), 1e-7, 2e-6)
    steps = scales * (1.0 if sliding > 1e-3 else 1e-2)
    rough = np.column_stack(
        [(both(q + h * e)[0] - both(q - h * e)[0]) / (2.0 * h) for h, e in zip(steps, unit, strict=True)]
    )
    assert np.abs(rough - found.change).max() < 1e-5 * np.abs(found.change).max()


def test_normal_force_and_friction_share_their_pairs(floor):
    slave = skin_of(box("hex8_full", (1, 1, 1), (6.0, 6.0, 6.0)))
    still = (np.zeros(3), np.array([1.0, 0, 0, 0]))
    (_, _, _, _, references), (gaps, found, qm, qs, _) = slide(
        floor, slave, np.array([[10.0, 10.0, 4.99], [10.2, 10.0, 4.99]]), [still, still]
    )
    half = friction_forces(
        RelativeMotion(floor, slave, qm, qs), gaps, PENALTY, COULOMB, references, 1e-3, share=0.5
    )
    np.testing.assert_allclose(half.on_slave, 0.5 * found.on_slave, rtol=1e-12)
    pressed = normal_forces(RelativeMotion(floor, slave, qm, qs), gaps, PENALTY, derivatives=False)
    np.testing.assert_allclose(-found.on_slave[0], 0.3 * pressed.on_slave[2], rtol=1e-3)


def test_what_a_law_keeps_turns_with_the_surface():
    """A corner slides round a ball, slowly beside its elastic slip: friction stays against the way, in one sense.

    On the way the smallest component of the normal changes, by which the directions of a new contact are chosen.
    """
    radius, depth = 5.0, 0.01
    master = RigidSphere(np.zeros(3), radius)
    slave = skin_of(box("hex8_full", (1, 1, 1), (6.0, 6.0, 6.0)))
    friction = friction_laws["coulomb"](friction_coefficient=0.3, sliding_stiffness=0.0).beside(1.0)
    ends = np.array([[0.78, 0.55, 0.3], [0.3, 0.55, 0.78]])
    t = np.linspace(0.0, 1.0, 401)[:, None]
    way = (1.0 - t) * ends[0] + t * ends[1]
    way *= (radius - depth) / np.linalg.norm(way, axis=1, keepdims=True)
    assert np.ptp(np.abs(way).argmin(axis=1)) == 2
    still = [(np.zeros(3), np.array([1.0, 0, 0, 0]))] * len(way)
    limit, before = 0.3 * 50.0 * depth, None
    for k, (_, found, _, _, references) in enumerate(slide(master, slave, way, still, friction)):
        closed = np.flatnonzero(references.has_reference)
        assert len(closed) == 1
        first, second = references.directions[closed[0]]
        normal = way[k] / np.linalg.norm(way[k])
        np.testing.assert_allclose(np.cross(first, second), normal, atol=1e-9)
        if before is not None:
            stress = found.stresses[0] @ before
            if k > 100:  # elastic slip is at its end
                along = (way[k] - way[k - 1]) / np.linalg.norm(way[k] - way[k - 1])
                np.testing.assert_allclose(np.linalg.norm(stress), limit, rtol=1e-6)
                assert stress @ along > 0.999 * limit
        before = references.directions[closed[0]]


def test_changes_with_the_area_that_faces_the_master():
    """An edge that tilts presses with another area, and so do the forces of friction; by differences."""
    master = RigidPlane(np.zeros(3), np.array([0.0, 0.0, 1.0]))
    slave = skin_of(box("hex8_full", (1, 1, 1), (6.0, 6.0, 6.0)))
    frame, turn = (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])), (0.3, 0.2, 0.1)
    friction = friction_laws["coulomb"](friction_coefficient=0.3, sliding_stiffness=0.0).beside(1e2)
    qm = pose(frame, (0, 0, 0))
    lowest = (slave.places @ rotation_matrix(rotation_about(np.array(turn))).T)[:, 2].min()
    start = pose(frame, (1.0, 2.0, -0.02 - lowest), turn)
    gaps, places = gaps_of(master, slave, qm, start)
    none = no_references(len(slave.places), 0, friction.history_size)
    first = friction_forces(RelativeMotion(master, slave, qm, start), gaps, PENALTY, friction, none, 1e-3)
    closed = PENALTY.pressure(gaps.gaps)[0] > 0.0
    references = moved_references(none, gaps, closed, first, places)
    qs = pose(frame, (1.3, 2.2, -0.02 - lowest), turn)
    n, q = len(qm), np.concatenate([qm, qs])

    def both(q):
        motion = RelativeMotion(master, slave, q[:n], q[n:])
        found = friction_forces(
            motion, gaps_of(master, slave, q[:n], q[n:])[0], PENALTY, friction, references, 1e-3
        )
        return np.concatenate([found.on_master, found.on_slave]), found

    found = both(q)[1]
    assert len(found.slaves) == 1 and found.slipping.all()
    steps = np.where(np.isin(np.arange(len(q)) % n, (3, 4, 5, 6)), 1e-7, 1e-6)
    rough = np.column_stack([
        (both(q + h * e)[0] - both(q - h * e)[0]) / (2.0 * h) for h, e in zip(steps, np.eye(len(q)), strict=True)
    ])  # fmt: skip
    assert np.abs(rough - found.change).max() < 1e-6 * np.abs(found.change).max()
