"""Pieces of multibody dynamics by themselves: rest and vibrations, solids, markers, contact, limits."""

import itertools
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from faying.errors import ModelError, ReadError, SolveError
from faying.fem.skin import find_skin
from faying.joints.contact_laws import contact_laws
from faying.joints.step_mean import PairsBefore
from faying.multibody.connections import Connections
from faying.multibody.constraints import constraints
from faying.multibody.contacts.contact import PartContact
from faying.multibody.contacts.gaps import SurfaceGaps, joined, no_gaps
from faying.multibody.contacts.rigid_shapes import RigidCylinder, RigidPlane, RigidSphere
from faying.multibody.contacts.surface import generalised_forces, superposed, surface_of_mesh
from faying.multibody.forces import forces as forces_between
from faying.multibody.initial import assembled_position, assembled_velocity, put_right
from faying.multibody.linearized import LinearizedSystem, Vibrations, _null_space, _solved, find_equilibrium
from faying.multibody.part_shapes.mesh import solid_within
from faying.multibody.parts.ground import Ground
from faying.multibody.parts.markers import FrameMarker, GroundMarker
from faying.multibody.parts.rigid import RigidPart
from faying.multibody.redundancy import find_freedom, require_agreement, require_left_out, system_size
from faying.multibody.rows import unwrapped, unwrapped_vector
from faying.multibody.static_diagnosis import _named, sampled_times
from faying.multibody.system import MultibodySystem
from faying.multibody.terms import COINCIDENT, NO_TURNING, term_array
from faying.multibody.triangle_files import read_triangles
from faying.progress import Silent
from faying.spatial.rotations import rotation_about, rotation_matrix
from support.boxes import box
from support.systems import BAR, DOWN_Y, flexible, jointed_plates_model, ready, slider_crank, system_of

PENALTY = contact_laws["linear_penalty"](stiffness=50.0)


# --- vibrations and linear algebra


def test_frequencies_and_damping_of_eigenvalues():
    found = Vibrations(np.array([-0.6 + 0.8j, -2.0, 0.0, 10.0j, 0.3 - 0.4j]), np.zeros((0, 5)))
    np.testing.assert_allclose(found.damping, [0.6, 1.0, 0.0, 0.0, -0.6], atol=1e-15)
    np.testing.assert_allclose(found.frequencies * 2.0 * np.pi, [1.0, 2.0, 0.0, 10.0, 0.5])


def test_a_linearised_system_has_the_eigenvalues_and_answers_of_its_matrices():
    """Closed form of two oscillators whose coordinates are a thousand times apart in size, and the equation itself."""
    mass, damping, stiffness = np.diag([2.0, 3e-6]), np.diag([0.4, 3e-7]), np.diag([200.0, 3e-2])
    system = LinearizedSystem(mass, damping, stiffness, np.eye(2), np.zeros((2, 2)), np.eye(2))
    wanted = [-0.1 + 1j * np.sqrt(100.0 - 0.01), -0.05 + 1j * np.sqrt(1e4 - 0.0025)]
    values, none = system.eigenvalues()
    np.testing.assert_allclose(sorted(values[values.imag > 0], key=abs), wanted, rtol=1e-9)
    assert none.shape == (2, 0) and len(values) == 4
    values, vectors = system.eigenvalues(vectors=True)
    assert vectors.shape == (2, 4)
    for value, vector in zip(values, vectors.T, strict=True):
        residual = (value**2 * mass + value * damping + stiffness) @ vector
        assert np.abs(residual).max() < 1e-9 * np.abs(stiffness @ vector).max()
    s, loads = 3.0j, np.array([[1.0, 2.0], [3.0, -1.0]])
    np.testing.assert_allclose(
        (s * s * mass + s * damping + stiffness) @ system.response(s, loads), loads, rtol=1e-12
    )
    still = LinearizedSystem(
        np.zeros((2, 2)), damping, np.zeros((2, 2)), np.eye(2), np.zeros((2, 2)), np.eye(2)
    )
    np.testing.assert_allclose(still.response(2.0, loads), np.linalg.solve(2.0 * damping, loads))
    none = np.zeros((0, 0))
    empty = LinearizedSystem(none, none, none, none, none, none)
    assert empty.eigenvalues()[0].shape == (0,)


def test_what_rows_leave_free():
    rows = np.array([[1.0, 1.0, 0.0], [1e-12, 0.0, 0.0], [2.0, 2.0, 0.0]])
    free = _null_space(rows)
    assert free.shape == (3, 2)
    np.testing.assert_allclose(rows[[0, 2]] @ free, 0.0, atol=1e-14)
    np.testing.assert_allclose(free.T @ free, np.eye(2), atol=1e-14)
    # A row of a millionth of the largest one still holds, one of 1e-10 is round-off.
    assert _null_space(np.diag([1e3, 1e-4, 1e-8])).shape == (3, 1)


def test_a_free_direction_gets_the_smallest_solution():
    matrix, right = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
    np.testing.assert_allclose(_solved(matrix, right), np.linalg.solve(matrix, right))
    units = np.array([1.0, 1e9])  # what is counted in other units is no nearer to singular
    scaled = matrix * units * units[:, None]
    np.testing.assert_allclose(_solved(scaled, right * units) * units, np.linalg.solve(matrix, right))
    np.testing.assert_allclose(_solved(np.diag([4.0, 0.0]), np.array([2.0, 0.0])), [0.5, 0.0])
    np.testing.assert_allclose(_solved(np.ones((2, 2)), np.array([1.0, 1.0])), [0.5, 0.5])
    assert _solved(np.zeros((0, 0)), np.zeros(0)).shape == (0,)


# --- solids and files of triangles


CORNERS = np.array([[0.0, 0, 0], [2.0, 0, 0], [0, 3.0, 0], [0, 0, 4.0]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


@pytest.mark.parametrize("inside_out", [False, True])
def test_a_tetrahedron_has_its_volume_centre_and_inertia(inside_out):
    """Closed form: ∫ x² of the corner tetrahedron is V a²/10, ∫ x y is V a b/20, about the corner."""
    faces = FACES[:, ::-1] if inside_out else FACES
    solid = solid_within(CORNERS + np.array([5.0, 0, 0]), faces, "it")
    volume, (a, b, c) = 4.0, (2.0, 3.0, 4.0)
    second = volume * (np.outer((a, b, c), (a, b, c)) / 20.0 + np.diag(np.square((a, b, c))) / 20.0)
    centre = np.array([a, b, c]) / 4.0
    second -= volume * np.outer(centre, centre)
    assert solid.volume == pytest.approx(volume)
    np.testing.assert_allclose(solid.centre, centre + np.array([5.0, 0, 0]))
    np.testing.assert_allclose(solid.inertia, np.trace(second) * np.eye(3) - second, atol=1e-12)
    x = solid.points[solid.triangles] - solid.centre
    assert (np.einsum("ni,ni->n", x[:, 0], np.cross(x[:, 1], x[:, 2])) > 0.0).all()


def test_surfaces_that_are_open_or_flat_are_refused():
    with pytest.raises(ModelError, match="is open"):
        solid_within(CORNERS, FACES[:3], "it")
    # A thousandth of its area may be missing: what rounding of corners leaves.
    big = np.array([[0.0, 0, 0], [1.0, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1e-14]])
    pyramid = np.array([[0, 2, 1], [0, 3, 2], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])
    with pytest.raises(ModelError, match="holds no volume"):
        solid_within(big, pyramid, "it")
    for gap, is_open in ((0.005, False), (0.009, True)):
        points = np.vstack([CORNERS, CORNERS[3] + [gap, gap, gap]])
        faces = FACES.copy()
        faces[3, 2] = 4
        lost = 0.5 * np.cross(
            points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]]
        )
        share = np.linalg.norm(lost.sum(axis=0)) / np.linalg.norm(lost, axis=1).sum()
        assert (share > 1e-3) == is_open and 3e-4 < share < 2e-3
        if is_open:
            with pytest.raises(ModelError, match="is open"):
                solid_within(points, faces, "it")
        else:
            assert solid_within(points, faces, "it").volume == pytest.approx(4.0, rel=1e-2)


def _stl(triangles) -> str:
    lines = ["solid it"]
    for triangle in triangles:
        lines += [
            "facet normal 0 0 0",
            "outer loop",
            *(f"vertex {x:.9g} {y:.9g} {z:.9g}" for x, y, z in triangle),
            "endloop",
            "endfacet",
        ]
    return "\n".join([*lines, "endsolid"])


def test_triangle_files_join_corners_and_leave_out_what_has_no_area(tmp_path):
    triangles = CORNERS[FACES]
    text, binary, obj = tmp_path / "it.stl", tmp_path / "binary.STL", tmp_path / "it.OBJ"
    thin = np.array([[0.0, 0, 0], [1.0, 0, 0], [0.5, 1e-13, 0]])
    text.write_text(_stl([*triangles, thin]))
    points, rows = read_triangles(text)
    assert points.shape == (4, 3) and rows.shape == (4, 3)
    np.testing.assert_allclose(points[rows], triangles)
    # Corners that are nearer than a ten-millionth of the whole, which is 4 large, are one.
    for away, count in ((1e-8, 4), (2e-7, 4), (6e-7, 5), (3e-6, 5)):
        moved = triangles.copy()
        moved[3, 2] += [away, 0, 0]
        text.write_text(_stl(moved))
        assert len(read_triangles(text)[0]) == count
    # They are so wherever they lie: one of these places is half way between two points of any grid.
    for place in np.linspace(1.0, 1.0 + 4e-7, 9):
        away = np.where(triangles[:, :, 2] > 0.0, place - 4.0, 0.0)
        moved = triangles + away[:, :, None] * [0, 0, 1]
        moved[3, 2, 2] += 5e-8
        text.write_text(_stl(moved))
        assert len(read_triangles(text)[0]) == 4
    record = np.zeros(4, np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]))
    record["corners"] = triangles
    binary.write_bytes(b"solid" + b" " * 75 + (4).to_bytes(4, "little") + record.tobytes())
    points, rows = read_triangles(binary)
    np.testing.assert_allclose(points[rows], triangles)
    obj.write_text("# a comment\nv 0 0 0\nv 2 0 0 1\nv 2 2 0\nv 0 2 0\nvn 0 0 1\nf 1/1/1 2 3/2 -1\nf 1 2 4\n")
    points, rows = read_triangles(obj)
    assert len(points) == 4 and rows.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 3]]
    for words, said in (
        ("v 0 0\nf 1 1 1", "line 1"),
        ("v 0 0 0\nf 1 2 3", "line 2"),
        ("v 0 0 0\nf 0 1 1", "line 2"),
        ("v 0 0 0\nf 1 1", "line 2"),
        ("v 0 0 0\nf 1 1 -2", "line 2"),
        ("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3", "no numbers"),
        ("v 0 0 0", "holds no triangles"),
    ):
        obj.write_text(words)
        with pytest.raises(ReadError, match=said):
            read_triangles(obj)
    for words, said in (
        ("solid\nvertex 0 0 0\nvertex 1 0 0", "2 corners"),
        ("solid\n" + "vertex 0 0 x\n" * 3, "no number"),
        ("solid\n" + "vertex 0 0 inf\n" * 3, "no numbers"),
        ("stone", "neither a text nor"),
        ("solid", "no triangles"),
    ):
        text.write_text(words)
        with pytest.raises(ReadError, match=said):
            read_triangles(text)
    with pytest.raises(ReadError, match="cannot be read"):
        read_triangles(tmp_path / "none.stl")


# --- parts and markers


def test_a_rigid_part_counts_its_turning_by_its_radius_of_gyration():
    part = RigidPart("it", 2.0, np.diag([3.0, 4.0, 5.0]), (1.0, 0.0, 2.0))
    trace = 12.0 + 2.0 * (3 * 5.0 - 5.0)
    np.testing.assert_allclose(part.scales, [1, 1, 1, *[2.0 * np.sqrt(trace / 2.0)] * 4])
    np.testing.assert_allclose(RigidPart("it", 2.0, np.eye(3), radius=7.0).scales[3:], 14.0)
    q = part.placed(np.array([1.0, 2.0, 3.0]), np.array([1.0, 0, 0, 0]))
    v = np.concatenate([[1.0, 2.0, 2.0], np.zeros(4)])
    assert part.energies(q, v, np.array([0, 0, -10.0]))[0] == pytest.approx(9.0)
    assert part.energies(q, v, np.array([0, 0, -10.0]))[2] == pytest.approx(2.0 * 10.0 * 5.0)
    assert part.marker("centre of mass").motion(q, v).position == pytest.approx([2.0, 2.0, 5.0])
    assert part.total_mass == 2.0 and part.n == 7 and not part.is_preloaded


def test_ground_has_no_coordinates_and_stands_still():
    axes = rotation_matrix(rotation_about(np.array([0.1, 0.2, 0.3])))
    ground = Ground([GroundMarker("wall", np.array([1.0, 2.0, 3.0]), axes)])
    none = np.zeros(0)
    assert (
        ground.energies(none, none, np.ones(3)) == (0.0, 0.0, 0.0)
        and ground.n == 0
        and not ground.is_preloaded
    )
    assert ground.mass(none).shape == ground.mass_change(none, none).shape == (0, 0)
    assert ground.forces(none, none, np.ones(3)).shape == (0,) and ground.preload_work(none) == 0.0
    assert ground.dissipation(none) == 0.0 and ground.total_mass == 0.0
    assert [each.shape for each in ground.force_changes(none, none, np.ones(3))] == [(0, 0), (0, 0)]
    np.testing.assert_array_equal(ground.momentum(none, none), np.zeros((2, 3)))
    marker = ground.marker("wall")
    motion, shape = marker.motion(none), marker.shape()
    assert motion.d_position.shape == motion.d_rotation.shape == (3, 0) and not motion.velocity.any()
    assert shape.displacements.shape == shape.rotations.shape == (3, 0) and marker.curvature(
        none, *np.ones((2, 3))
    ).shape == (0, 0)
    np.testing.assert_array_equal(motion.axes, axes)


def test_markers_are_found_by_part_and_name():
    parts = [
        Ground([GroundMarker("wall", np.zeros(3))]),
        RigidPart("it", 1.0, np.eye(3), markers=[FrameMarker("pin", np.ones(3))]),
    ]
    connections = Connections(parts, [slice(0, 0), slice(0, 7)])
    assert [place.part for place in connections.places(("it.pin", "ground.wall"), "it")] == [1, 0]
    for name in ("it", "it.", "other.pin", ".pin"):
        with pytest.raises(ModelError, match="There is no part for the marker"):
            connections.places((name,), "force 'x'")
    with pytest.raises(ModelError):
        connections.places(("it.pen",), "force 'x'")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("a", "a"), "the name 'a' is used twice"),
        (("frame",), "'frame' is taken"),
        (("centre of mass",), "'centre of mass' is taken"),
    ],
)
def test_markers_of_a_part_have_names_of_their_own(names, said):
    markers = [{"name": name, "position": (k, 0, 0)} for k, name in enumerate(names)]
    with pytest.raises(ModelError, match=said):
        system_of(parts=[{**BAR, "name": "bar", "markers": markers}])


def test_markers_on_ground_have_names_of_their_own():
    with pytest.raises(ModelError, match="the name 'a' is used twice"):
        system_of(ground=[{"name": "a"}, {"name": "a"}])
    with pytest.raises(ModelError, match="'origin' is taken"):
        system_of(ground=[{"name": "origin", "position": (1, 0, 0)}])


@pytest.mark.parametrize("kind", ["flexible", "rigid_body"])
def test_a_marker_takes_the_name_of_no_interface_node(kind):
    part = {"kind": kind, "name": "it", "body": "plates", "markers": [{"name": "TIP", "interface": "HOLD"}]}
    with pytest.raises(ModelError, match="with the name of the interface node 'TIP'"):
        system_of(parts=[part]).build({"plates": flexible(jointed_plates_model())})


def test_angles_and_rotation_vectors_come_next_to_others():
    assert unwrapped(0.1, 12.6) == pytest.approx(0.1 + 4 * np.pi) and unwrapped(3.0, -3.0) == pytest.approx(
        3.0 - 2 * np.pi
    )
    np.testing.assert_array_equal(unwrapped_vector(np.zeros(3), np.zeros(3)), np.zeros(3))
    near = np.array([0.0, 0.0, 6.2])
    np.testing.assert_allclose(unwrapped_vector(np.zeros(3), near), [0, 0, 2 * np.pi])
    np.testing.assert_allclose(unwrapped_vector(np.array([0, 0, -0.2]), near), [0, 0, 2 * np.pi - 0.2])


def test_terms_are_numbers_for_kernels():
    np.testing.assert_array_equal(
        term_array([*COINCIDENT, *NO_TURNING]),
        [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 1, 2], [1, 2, 0], [1, 0, 1]],
    )
    assert term_array([]).shape == (0, 3) and COINCIDENT[2].words == "displacement along z"


# --- contact surfaces


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("hollow", [False, True])
def test_round_shapes_have_gaps_at_any_size(size, hollow):
    """Closed form; points on the axis itself have none, those a millionth of the radius beside it have."""
    places = size * np.array([[0.0, 0, 0], [1e-6, 0, 0], [0, 2.0, 0], [0, 0, 3.0], [0.6, 0.8, 0]])
    sign = -1.0 if hollow else 1.0
    ball = RigidSphere(np.zeros(3), size, hollow)
    found = ball.gaps(places, 1.5 * size)
    assert found.slaves.tolist() == [1, 2, 4]
    np.testing.assert_allclose(found.gaps / size, sign * np.array([-1.0 + 1e-6, 1.0, 0.0]), atol=1e-9)
    np.testing.assert_allclose(
        found.normals, sign * np.array([[1, 0, 0], [0, 1, 0], [0.6, 0.8, 0]]), atol=1e-12
    )
    np.testing.assert_allclose(
        ball.distances(places) / size, sign * np.array([-1, -1 + 1e-6, 1, 2, 0]), atol=1e-9
    )
    bar = RigidCylinder(np.zeros(3), np.array([0.0, 0, 1.0]), size, hollow)
    assert bar.gaps(places, 1.5 * size).slaves.tolist() == [1, 2, 4]
    assert ball.thickness == bar.thickness == (np.inf if hollow else 2.0 * size)
    plane = RigidPlane(np.array([0, 0, size]), np.array([0.0, 0, 1.0]))
    np.testing.assert_allclose(plane.distances(places) / size, [-1, -1, -1, 2, -1])
    assert plane.gaps(places, 1.2 * size).slaves.tolist() == [0, 1, 2, 4] and plane.thickness == np.inf


def test_gaps_on_facets_of_several_kinds_are_padded():
    def some(width, count, start):
        return SurfaceGaps(
            np.arange(start, start + count),
            np.full(count, 0.1),
            np.ones((count, 3)),
            np.full((count, width), 5),
            np.full((count, width), 0.5),
            np.full((count, 2, width), 0.25),
            np.ones((count, 2, 3)),
            np.ones((count, 4, 4)),
            np.zeros(count, np.int64),
            np.zeros((count, 2)),
        )

    found = joined([some(3, 2, 0), some(4, 1, 2)], 4)
    assert found.slaves.tolist() == [0, 1, 2] and found.nodes.tolist() == [
        [5, 5, 5, 0],
        [5, 5, 5, 0],
        [5] * 4,
    ]
    np.testing.assert_array_equal(found.shares, [[0.5, 0.5, 0.5, 0.0]] * 2 + [[0.5] * 4])
    assert found.slopes.shape == (3, 2, 4) and not found.slopes[:2, :, 3].any() and found.slopes[2].all()
    empty = no_gaps(4)
    assert [value.shape for value in vars(empty).values()] == [
        (0, *value.shape[1:]) for value in vars(found).values()
    ]


def test_normals_at_nodes_are_means_by_the_angles_of_facets():
    """Whatever the facets' sizes: at the corner of a block all three count alike, though one is split in two."""
    for element in ("hex8_full", "tet4"):
        model = box(element, (3, 2, 1), (30.0, 5.0, 0.2))
        surface = surface_of_mesh(find_skin(model).surface, model.nodes)
        ends = np.abs(surface.places / (30.0, 5.0, 0.2) - 0.5) > 0.499
        wanted = np.where(ends, np.sign(surface.places - (15.0, 2.5, 0.1)), 0.0)
        wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
        np.testing.assert_allclose(surface.vertex_normals, wanted, atol=1e-12)


def test_shapes_are_superposed_and_their_forces_are_transposed():
    rng = np.random.default_rng(1)
    shapes, amplitudes = rng.normal(size=(8, 3, 5)), rng.normal(size=5)
    np.testing.assert_allclose(superposed(shapes, amplitudes), np.einsum("ncr,r->nc", shapes, amplitudes))
    few, many = np.zeros((2, 24)), rng.normal(size=(2, 24))
    few[0, 3], few[1, 20] = 1.0, -2.0
    for forces in (few, many, np.zeros((2, 24))):
        np.testing.assert_allclose(
            generalised_forces(shapes, forces), forces @ shapes.reshape(24, 5), atol=1e-14
        )
    assert generalised_forces(np.zeros((8, 3, 0)), few).shape == (2, 0)


def _block_on_plane(**words) -> PartContact:
    model = box("hex8_full", (2, 2, 1), (4.0, 4.0, 1.0))
    slave = surface_of_mesh(find_skin(model).surface, model.nodes)
    plane = RigidPlane(np.zeros(3), np.array([0.0, 0.0, 1.0]))
    return PartContact("hit", "ground", "block", plane, slave, PENALTY, None, **{"reach": 0.5, **words})


def test_a_block_on_a_plane_presses_as_its_law_and_area_say():
    contact = _block_on_plane()
    q = np.array([0.0, 0.0, -0.02, 1.0, 0, 0, 0])
    memory = contact.initial_memory()
    answer = contact.evaluate(np.zeros(0), q, memory, 0.0, jacobian=True)
    low = contact.slave.places[:, 2] < 0.5
    np.testing.assert_array_equal(answer.is_closed, low)
    # The sides of the block do not face the plane: its face below bears alone.
    assert answer.on_slave[2] == pytest.approx(0.02 * 50.0 * 16.0)
    assert answer.on_master.shape == (0,) and answer.nodal_forces[:, 2].sum() == pytest.approx(
        answer.on_slave[2]
    )
    assert contact.stored_energy(answer) == pytest.approx(0.5 * 50.0 * 0.02**2 * 16.0)
    kept = answer.memory
    np.testing.assert_array_equal(kept.normals, np.where(low[:, None], [0.0, 0.0, 1.0], 0.0))
    np.testing.assert_allclose(kept.distances, contact.slave.places[:, 2] - 0.02)
    half = _block_on_plane(share=0.5).evaluate(np.zeros(0), q, memory, 0.0, jacobian=False)
    assert half.on_slave[2] == pytest.approx(0.5 * answer.on_slave[2])
    # Closed at half the depth before: the mean over the step is three quarters of the pressure.
    # Half of that at the start may act all along.
    for lasting, halved, sudden, going_on in ((0, 0, 0.75, 0.0), (0, 1, 0.5, 0.0), (1, 0, 0.0, 1.0)):
        before = PairsBefore(np.where(low, -0.01, 1.0), low & (lasting == 1), low & (halved == 1))
        weighted = contact.evaluate(np.zeros(0), q, memory, 0.0, jacobian=True, before=before)
        assert weighted.sudden[2] == pytest.approx(sudden * answer.on_slave[2])
        assert weighted.going_on[2] == pytest.approx(going_on * answer.on_slave[2])
        assert weighted.sudden_forces[:, 2].sum() == pytest.approx(sudden * answer.on_slave[2])
    assert weighted.on_slave[2] == pytest.approx(answer.on_slave[2])
    assert kept.is_of(kept.places, kept.displacements) and not kept.is_of(
        kept.places + 1e-9, kept.displacements
    )
    np.testing.assert_array_equal(
        answer.over_nodes(np.array([1]), np.array([3.0]), -1.0)[:3], [-1.0, 3.0, -1.0]
    )


def test_how_far_a_step_may_go_into_a_surface():
    """Half the reach on a plane; half a facet where there are some; a fifth of what is thin."""
    assert _block_on_plane().most_approach == 0.25
    ball = replace(_block_on_plane(), master=RigidSphere(np.zeros(3), 0.1))
    assert ball.most_approach == pytest.approx(0.04)
    block = replace(_block_on_plane(reach=9.0), master=_block_on_plane().slave)
    edge = block.master.facets.mean_edge
    assert block.most_approach == pytest.approx(min(0.5 * edge, 0.2 * block.master.thickness))
    contact = _block_on_plane()
    q, v = np.array([0.0, 0, 1.0, 1, 0, 0, 0]), np.array([0.0, 0, -2.0, 0, 0, 0, 0])
    memory = contact.evaluate(np.zeros(0), q, contact.initial_memory(), 0.0, jacobian=False).memory
    step = contact.longest_step(memory, np.zeros(0), q, np.zeros(0), v)
    assert step == pytest.approx((1.0 + 0.25) / 2.0)
    assert contact.longest_step(memory, np.zeros(0), q, np.zeros(0), 0.0 * v) == np.inf
    for down, overrun in ((1.0 + 2.0 * 0.25 - 0.01, False), (1.0 + 2.0 * 0.25 + 0.01, True)):
        there = q - down * np.eye(7)[2]
        after = contact.evaluate(np.zeros(0), there, memory, 0.0, jacobian=False).memory
        assert contact.has_overrun(memory, after) == overrun


# --- assembly, freedom and rest


def _door(drives=(), **more):
    posts = [
        {"name": name, "position": (0, y, 0), "rotation": (-np.pi / 2, 0, 0)}
        for name, y in (("low", 0), ("high", 2))
    ]
    door = {**BAR, "name": "door", "markers": posts}
    hinges = [
        {"kind": "revolute", "name": name, "first": f"ground.{name}", "second": f"door.{name}"}
        for name in ("low", "high")
    ]
    return ready(system_of(parts=[door], ground=posts, constraints=[*hinges, *drives], **more))


def test_constraints_that_hold_against_each_other_are_told_by_a_small_singular_value(monkeypatch):
    """Two rows of length one with a small angle between them have the singular value √2 sin of half of it."""
    found = _door()
    equations = found.system._equations
    for value, told in ((0.021, ()), (0.019, ("low",)), (np.nan, ())):
        rows = np.eye(equations.count, equations.count + 1)
        angle = 2.0 * np.arcsin(value / np.sqrt(2.0))
        rows[1, 0], rows[1, 1] = np.cos(angle), np.sin(angle)
        monkeypatch.setattr(type(equations), "unit_rows", lambda *_, rows=rows: rows)
        assert equations.stuck(0.0, found.q, found.history.angles, found.system.scales) == told


def test_redundant_equations_are_missed_by_lengths():
    spec = slider_crank(0.7)
    found = ready(spec)
    system = MultibodySystem(found.system.parts, found.system.constraint_members, gravity=DOWN_Y)
    freedom = find_freedom(system, found.q, found.history)
    assert freedom.degrees == 1 and len(freedom.names) == len(freedom.redundant) == len(freedom.sources)
    kept = system.without(freedom.redundant)
    assert system.departed(0.0, found.q, found.history) == ("", 0.0)
    size = system_size(system)
    assert size == max(part.scales[3] for part in system.parts if part.n)
    name, missed = kept.departed(0.0, found.q, found.history)
    assert name in freedom.names and missed < 1e-9
    # Where a part is turned out of the plane, as much of that is missed as belongs to what was left out.
    turns = [at.start + k for at in system.ranges[1:] for k in range(4, 7)]
    rates = {at: kept.departed(0.0, _shifted(found.q, at, 1e-4), found.history)[1] / 1e-4 for at in turns}
    at, most = max(rates.items(), key=lambda one: one[1])
    assert most > 0.1 * size
    for away, refused in ((0.95e-3, False), (1.05e-3, True)):
        q = _shifted(found.q, at, away * size / most)
        if refused:
            with pytest.raises(SolveError, match=r"At t = 0\.25 \[time\] the parts come apart"):
                require_left_out(kept, 0.25, q, found.history)
        else:
            require_left_out(kept, 0.25, q, found.history)


def _shifted(q, at, by):
    moved = q.copy()
    moved[at] += by
    return moved


def test_two_drives_that_disagree_are_refused():
    turn = {
        "kind": "prescribed_angular_speed",
        "first": "ground.low",
        "second": "door.low",
        "time_history": {"kind": "constant"},
    }
    for other, refused in ((3.0, False), (3.0 + 1e-5, True)):
        found = _door([{**turn, "name": "one", "speed": 3.0}, {**turn, "name": "two", "speed": other}])
        system = MultibodySystem(found.system.parts, found.system.constraint_members)
        freedom = find_freedom(system, found.q, found.history)
        assert freedom.degrees == 0
        if refused:
            with pytest.raises(SolveError, match=r"'two: .*' contradicts .*'one'"):
                require_agreement(system, found.q, found.history, freedom)
        else:
            require_agreement(system, found.q, found.history, freedom)


def test_positions_and_velocities_are_put_right_by_the_smallest_change():
    """A ball joint at the bar's end: its middle comes back on the sphere of half a length."""
    ball = {"kind": "spherical", "name": "ball", "first": "ground.pivot", "second": "bar.left"}
    found = ready(system_of(parts=[{**BAR, "name": "bar"}], ground=[{"name": "pivot"}], constraints=[ball]))
    system, history = found.system, found.history
    q = np.array([0.7, 0.0, 0.0, 1.0, 0, 0, 0])
    at = assembled_position(system, q, history)
    np.testing.assert_allclose(at, [0.5, 0, 0, 1, 0, 0, 0], atol=1e-9)
    only = np.array([True] * 3 + [False] * 4)
    np.testing.assert_allclose(
        assembled_position(system, np.array([0.0, 0.5, 0, 1, 0, 0, 0]), history, given=only)[:3],
        [0, 0.5, 0],
        atol=1e-6,
    )
    v = np.array([0.0, 1.0, 0, 0, 0, 0, 0])
    moved = assembled_velocity(system, at, v, history)
    rows = system.constraints(0.0, at, history)[1]
    np.testing.assert_allclose(rows @ moved, 0.0, atol=1e-12)
    kept = assembled_velocity(system, at, v, history, given=np.array([True] * 3 + [False] * 4))
    np.testing.assert_allclose(kept[:3], [0, 1.0, 0], atol=1e-9)
    assert kept[6] == pytest.approx(1.0) and not np.allclose(moved, kept)  # 2 rad/s about z
    off = _shifted(at, 0, 1e-3)
    right, speed = put_right(system, 0.0, off, v, history)
    np.testing.assert_allclose(right, at, atol=1e-8)
    np.testing.assert_allclose(rows @ speed, 0.0, atol=1e-6)
    same, unchanged = put_right(system, 0.0, at, v, history)
    assert same is at and unchanged is v
    free = MultibodySystem(system.parts)
    assert (
        put_right(free, 0.0, off, v, history)[0] is off and assembled_position(free, off, history) is not off
    )


def test_equilibria_take_as_many_corrections_as_they_did():
    """A pendulum from the horizontal, in metres and in millimetres; progress rises with the corrections."""
    for unit in (1.0, 1e3):
        bar = {
            **BAR,
            "mass": 1.0,
            "moments_of_inertia": tuple(unit**2 * m for m in (1e-3, 1 / 12, 1 / 12)),
            "markers": [{"name": "left", "position": (-0.5 * unit, 0, 0)}],
            "name": "bar",
            "placement": {
                "position": (0.5 * unit * np.cos(-1.2), 0.5 * unit * np.sin(-1.2), 0),
                "rotation": (0, 0, -1.2),
            },
        }
        hinge = {"kind": "revolute", "name": "hinge", "first": "ground.pivot", "second": "bar.left"}
        found = ready(
            system_of(
                parts=[bar], ground=[{"name": "pivot"}], constraints=[hinge], gravity=(0, -9.81 * unit, 0)
            )
        )
        told = []
        progress = SimpleNamespace(
            report=lambda share, text="", told=told, **values: told.append((share, text, values))
        )
        rest = find_equilibrium(found.system, found.q, found.history, progress)
        np.testing.assert_allclose(rest.position[:3] / unit, [0.0, -0.5, 0.0], atol=1e-8)
        assert 4 <= rest.iterations <= 9 and len(told) == rest.iterations
        shares = [share for share, _, _ in told]
        assert shares == [k / 30 for k in range(rest.iterations)] and told[0][1] == "iteration 1"


def _block_over_floor(folder, unit, height, tilt):
    """Return a block of triangles over a plane, tilted about x and y, with the mass of 2."""
    corners = unit * np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.3, 0.3) for z in (-0.2, 0.2)])
    faces = [
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    ]
    (folder / "block.stl").write_text(_stl(corners[np.array(faces)]))
    block = {
        "kind": "rigid",
        "name": "block",
        "mass": 2.0,
        "moments_of_inertia": tuple(unit**2 * m for m in (0.1, 0.2, 0.25)),
        "contact_surfaces": [{"kind": "surface_mesh", "name": "skin", "path": str(folder / "block.stl")}],
        "placement": {"position": (0, 0, unit * (0.2 + height)), "rotation": (tilt, -0.5 * tilt, 0)},
    }
    contact = {
        "name": "hit",
        "master": "ground.floor",
        "slave": "block.skin",
        "reach": 0.3 * unit,
        "contact_law": {"kind": "linear_penalty", "stiffness": 1e5 / unit**2},
    }
    floor = [{"kind": "plane", "name": "floor"}]
    return ready(
        system_of(parts=[block], ground_surfaces=floor, gravity=(0, 0, -9.81 * unit), contacts=[contact])
    )


@pytest.mark.parametrize("unit", [1.0, 1e3])
@pytest.mark.parametrize(
    ("height", "tilt", "held", "corrections"),
    [(0.0, 0.0, True, (3, 5)), (-0.01, 0.02, True, (3, 6)), (-0.01, 0.02, False, (5, 9))],
)
def test_a_block_sinks_into_the_floor_until_it_bears_its_weight(
    tmp_path, unit, height, tilt, held, corrections
):
    found = _block_over_floor(tmp_path, unit, height, tilt)
    rest = find_equilibrium(found.system, found.q, found.history, Silent(), held=held)
    pressing = found.system.contact(rest.position, rest.history, 0.0, jacobian=False)
    assert pressing.force[2] == pytest.approx(2.0 * 9.81 * unit) and pressing.closed[0].sum() == 4
    sunk = 2.0 * 9.81 / 1e5 / 0.6  # of its face below alone
    np.testing.assert_allclose(rest.position[:3] / unit, [0.0, 0.0, 0.2 - sunk], atol=1e-8)
    np.testing.assert_allclose(rest.position[4:6], 0.0, atol=1e-4)
    assert corrections[0] <= rest.iterations <= corrections[1]


def test_what_touches_nothing_and_is_not_held_back_is_told(tmp_path):
    found = _block_over_floor(tmp_path, 1.0, 0.3, 0.05)
    with pytest.raises(SolveError, match="nothing holds part 'block' against a force of 20"):
        find_equilibrium(found.system, found.q, found.history, Silent(), held=False)


def test_sentences_about_what_stands_still():
    def members(count):
        return [SimpleNamespace(name=f"c{k}") for k in range(count)]

    assert (
        _named(members(1)) == "the constraint 'c0' holds"
        and _named(members(2)) == "the constraints 'c0', 'c1' hold"
    )
    assert _named(members(6)).endswith("'c5' hold") and _named(members(7)).endswith("'c5', … hold")
    times = sampled_times(2.0)
    assert times[0] == 0.0 and times[-1] == 2.0 and len(times) == 64


# --- every kind between parts that move


def _three_parts(**more):
    """Return a system of three rigid parts whose markers are anywhere, at any place and speed."""
    rng = np.random.default_rng(7)

    def markers():
        return [
            {"name": name, "position": tuple(rng.normal(size=3)), "rotation": tuple(0.3 * rng.normal(size=3))}
            for name in "ab"
        ]

    parts = [
        {**BAR, "name": name, "centre_of_mass": tuple(rng.normal(size=3)), "markers": markers()}
        for name in ("one", "two", "rod")
    ]
    system = system_of(parts=parts, ground=markers(), **more).build({})
    q = np.concatenate(
        [np.concatenate([rng.normal(size=3), rotation_about(0.4 * rng.normal(size=3))]) for _ in range(3)]
    )
    return system, q, rng.normal(size=21), rng


def _at_markers(words, markers):
    """Return the words of a constraint with other markers, in the order in which they are named."""
    if isinstance(words, dict):
        return {name: _at_markers(value, markers) for name, value in words.items()}
    if isinstance(words, (list, tuple)):
        return [_at_markers(value, markers) for value in words]
    return next(markers) if isinstance(words, str) and re.fullmatch(r"[a-z]\w*\.\w+", words) else words


def _differences(function, x, step=1e-6):
    columns = [
        (function(_shifted(x, k, step)) - function(_shifted(x, k, -step))) / (2.0 * step)
        for k in range(len(x))
    ]
    return np.array(columns).T


@pytest.mark.parametrize("kind", list(constraints))
def test_constraints_between_parts_that_turn_have_their_derivatives(kind):
    free = itertools.cycle(("one.a", "rod.b", "one.b", "two.a", "rod.a", "two.b"))
    words = _at_markers(constraints[kind].example() | {"kind": kind}, free)
    system, q, _, rng = _three_parts(constraints=[words])
    history = system.accepted(0.1, q, system.initial_history())
    multipliers, a = rng.normal(size=system.n_constraints), rng.normal(size=21)
    rows = system.constraints(0.1, q, history)[1]
    np.testing.assert_allclose(
        rows, _differences(lambda x: system.constraints(0.1, x, history)[0], q), atol=1e-7
    )

    def forces(x):
        return system.mass(x) @ a + system.constraints(0.1, x, history)[1].T @ multipliers

    change = system.inertia_and_constraint_jacobian(0.1, q, a, multipliers, history)
    np.testing.assert_allclose(change, _differences(forces, q), atol=2e-5)
    names = {system.equation_names()[k].partition(":")[0] for k in range(len(system.equation_names()))}
    assert names == {"it"} and len(system.equation_names()) == system.n_constraints - 3
    # What holds the second part presses on the first one: reactions of rigid motions cancel.
    reactions = system.reactions(0.1, q, multipliers, history)["it"]
    on_all = -(rows[:-3].T @ multipliers[:-3])
    if "first" in words:
        axes = system.motion(words["first"], q).axes
        np.testing.assert_allclose(axes @ reactions[0], on_all[14:17], atol=1e-12)
        np.testing.assert_allclose(on_all[:3] + on_all[14:17], 0.0, atol=1e-12)


# Friction in a constraint has no markers: its tests are in test_joint_friction.py.
@pytest.mark.parametrize("kind", [kind for kind, force in forces_between.items() if not force.rubs])
def test_forces_between_parts_that_turn_have_their_derivatives(kind):
    words = forces_between[kind].example() | {"kind": kind}
    words |= {"first": "one.a", "second": "rod.b"} if "first" in words else {"marker": "rod.b"}
    system, q, v, _ = _three_parts(forces=[words], gravity=(1.0, 2.0, -9.81))
    history = system.accepted(0.1, q, system.initial_history())
    found = system.forces(0.1, q, v, history, jacobian=True)

    def force(x, y):
        return system.forces(0.1, x, y, history, jacobian=False).force

    np.testing.assert_allclose(found.force, force(q, v))
    np.testing.assert_allclose(found.d_position, _differences(lambda x: force(x, v), q), atol=2e-5)
    np.testing.assert_allclose(found.d_velocity, _differences(lambda y: force(q, y), v), atol=2e-5)
    alone, *_ = _three_parts(gravity=(1.0, 2.0, -9.81))
    supply = system.supply(SimpleNamespace(time=0.1, q=q, v=v, history=history, all_multipliers=np.zeros(3)))
    np.testing.assert_allclose(
        supply.force,
        found.force - alone.forces(0.1, q, v, alone.initial_history(), jacobian=False).force,
        atol=1e-9,
    )
    assert supply.drives == 0.0
