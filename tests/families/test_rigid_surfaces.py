"""What every kind of surface of rigid parts promises, and triangles from STL and OBJ files."""

import itertools
import math
import struct

import numpy as np
import pytest

from faying.errors import FayingError, ModelError, ReadError
from faying.multibody.contacts.search import near_facets
from faying.multibody.rigid_surfaces import rigid_surfaces
from faying.params import build
from support.touching import surface_gaps

# A unit cube's corners and its twelve triangles, outward.
CORNERS = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
TRIANGLES = [(a, b, c) for q in FACES for a, b, c in (q[:3], (q[0], *q[2:]))]


def text_stl(corners=CORNERS) -> bytes:
    lines = ["solid cube"]
    for triangle in TRIANGLES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {' '.join(map(repr, map(float, corners[k])))}" for k in triangle]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid cube"]).encode()


def binary_stl() -> bytes:
    words = b"solid, as some programs begin binary files".ljust(80) + struct.pack("<I", len(TRIANGLES))
    for triangle in TRIANGLES:
        words += struct.pack("<12fH", 0, 0, 0, *CORNERS[list(triangle)].ravel(), 0)
    return words


def obj() -> bytes:
    lines = ["# cube", "o cube", *(f"v {x} {y} {z}" for x, y, z in CORNERS), "vn 0 0 1", "vt 0 0"]
    lines += [f"f {' '.join(f'{k + 1}/1/1' for k in face)}" for face in FACES[:3]]
    lines += [f"f {' '.join(f'{k - 8}' for k in face)}" for face in FACES[3:]]
    return "\n".join(lines).encode()


FILES = {"text.stl": text_stl(), "binary.stl": binary_stl(), "some.OBJ": obj()}


def made(kind: str, **words):
    return build(rigid_surfaces[kind], {"name": "some", **words})


def gaps_at(surface, places, reach):
    built = surface.build()
    if not surface.has_nodes:
        return built.gaps(places, reach)
    still = np.zeros(0)
    return surface_gaps(built, still, places, near_facets(built, still, places, reach, 0.0))


@pytest.fixture
def cube(tmp_path):
    path = tmp_path / "cube.stl"
    path.write_bytes(text_stl())
    return str(path)


# A point 0.1 outside of each, and the way out there.
CASES = {
    "plane": ({"point": (0, 0, 2), "normal": (0, 0, 5)}, (7.0, -3.0, 2.1), (0, 0, 1)),
    "sphere": ({"centre": (1, 0, 0), "radius": 2}, (1.0, 2.1, 0.0), (0, 1, 0)),
    "cylinder": ({"point": (1, 0, 9), "axis": (0, 0, -3), "radius": 2}, (1.0, 2.1, -40.0), (0, 1, 0)),
    "surface_mesh": ({"scale": 2.0, "position": (0, 0, 5)}, (0.7, 1.1, 7.1), (0, 0, 1)),
}


@pytest.mark.parametrize("kind", CASES)
def test_a_point_outside_has_a_gap_along_the_outward_normal(kind, cube):
    words, point, normal = CASES[kind]
    surface = made(kind, **words, **({"path": cube} if kind == "surface_mesh" else {}))
    for way, sign in ((0.0, 1.0), (-0.2, -1.0)):
        gaps = gaps_at(surface, np.array([point]) + way * np.array([normal]), 0.5)
        np.testing.assert_allclose(gaps.gaps, sign * 0.1, atol=1e-12)
        np.testing.assert_allclose(gaps.normals, [normal], atol=1e-12)
    assert not len(gaps_at(surface, np.array([point]) + 9.0 * np.array([normal]), 0.5).gaps)
    assert surface.describe()
    plain = surface.model_dump()
    assert plain.pop("kind") == kind
    assert build(type(surface), plain) == surface


@pytest.mark.parametrize(("kind", "along"), [("sphere", "radius"), ("cylinder", "radius")])
def test_hollow_ones_are_touched_from_inside(kind, along):
    gaps = gaps_at(made(kind, hollow=True, **{along: 2.0}), np.array([[0.0, 1.9, 0.0]]), 0.5)
    np.testing.assert_allclose(gaps.gaps, 0.1, atol=1e-12)
    np.testing.assert_allclose(gaps.normals, [[0, -1, 0]], atol=1e-12)


@pytest.mark.parametrize(("kind", "name"), [("plane", "normal"), ("cylinder", "axis")])
def test_directions_have_a_length(kind, name):
    with pytest.raises(ModelError, match="not zero"):
        made(kind, **{name: (0, 0, 0)})


@pytest.mark.parametrize("name", FILES)
def test_a_cube_is_read_from_every_format(tmp_path, name):
    (tmp_path / name).write_bytes(FILES[name])
    surface = made("surface_mesh", path=str(tmp_path / name))
    built = surface.build()
    assert len(built.places) == 8
    assert built.areas.sum() == pytest.approx(6.0)
    assert not built.outer_nodes.any()  # corners in one place are one node
    x = built.facets.coordinates[0]
    volume = np.einsum("ni,ni->", x[:, 0], np.cross(x[:, 1], x[:, 2])) / 6.0
    assert volume == pytest.approx(1.0)
    other = surface.with_(flipped=True).build().facets.coordinates[0]
    assert np.einsum("ni,ni->", other[:, 0], np.cross(other[:, 1], other[:, 2])) == pytest.approx(-6.0)


def test_a_mesh_is_turned_scaled_and_moved(tmp_path, cube):
    surface = made("surface_mesh", path=cube, scale=3.0, rotation=(0, 0, math.pi / 2), position=(10, 0, 0))
    places = surface.build().places
    np.testing.assert_allclose(places.min(axis=0), [7, 0, 0], atol=1e-9)
    np.testing.assert_allclose(places.max(axis=0), [10, 3, 3], atol=1e-9)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.stl", b"", "neither a text nor a whole binary"),
        ("a.stl", binary_stl()[:-7], "no multiple of three|holds no triangles"),
        ("a.stl", b"\x00" * 200, "neither a text nor a whole binary"),
        ("a.stl", b"solid nothing\nendsolid", "holds no triangles"),
        ("a.stl", b"solid s\nvertex 1 2 3\nvertex 1 2 4", "no multiple of three"),
        ("a.stl", text_stl().replace(b"1.0", b"one"), "no number"),
        ("a.stl", text_stl().replace(b"1.0", b"nan"), "no numbers"),
        ("a.stl", text_stl(0.0 * CORNERS), "holds no triangles"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 3", "line 3: cannot read 'f 1 2 3'"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0", "line 4"),
        ("a.obj", b"v 0 0\n", "line 1"),
        ("a.obj", b"v 0 0 inf\nv 1 0 0\nv 0 1 0\nf 1 2 3", "no numbers"),
        ("a.obj", b"# nothing", "holds no triangles"),
    ],
)
def test_what_is_no_surface_is_said_in_a_sentence(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ReadError, match=said):
        made("surface_mesh", path=str(tmp_path / name)).build()


@pytest.mark.parametrize("path", ["", "nowhere.stl", "."])
def test_a_file_that_is_not_there_is_said(path):
    with pytest.raises(FayingError, match=r"no file|cannot be read"):
        made("surface_mesh", path=path).build()
