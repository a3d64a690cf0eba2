"""The friction bar's deck as shipped: the facts that its makers state (reference kind: independent code)."""

from importlib.resources import files

import numpy as np
import pytest

from faying.fem.connectivity import connected_parts
from faying.fem.facets import facet_kind
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.skin import (
    Skin,
    elements_and_faces,
    facet_normals,
    find_skin,
    nodal_normals,
    surface_area,
    surface_from_deck,
)

# Sheets 200 × 20 × 3 mm overlapping from x = 25 to 200, four holes of 6 mm diameter in the joint.
JOINT_AREA = 175.0 * 20.0 - 4 * np.pi * 3.0**2


@pytest.fixture(scope="module")
def bar() -> FeModel:
    return read_model(str(files("faying_resources") / "examples" / "friction_bar_19k.inp"))


@pytest.fixture(scope="module")
def skin(bar: FeModel) -> Skin:
    return find_skin(bar)


def test_counts_and_names(bar: FeModel) -> None:
    assert len(bar.nodes) == 18844 + 6 and len(bar.element_ids) == 9022 + 2
    assert bar.title == "friction bar, units mm N t s"
    assert bar.unread == ()
    assert [(b.element, len(b.ids), b.material) for b in bar.blocks] == [
        ("tet10", 9022, "STEEL"),
        ("beam2", 2, "STEEL"),
    ]
    steel = bar.materials["STEEL"]
    assert (steel.youngs_modulus, steel.poisson_ratio, steel.density) == (210000.0, 0.3, 7.85e-9)
    section = bar.blocks[1].section
    assert section is not None and section.area == pytest.approx(np.pi * 9.0)
    assert {c.name for c in bar.couplings} == {
        "C_END_MOUNT", "C_END_LOAD", "C_HOLE2_S1", "C_HOLE2_S2", "C_HOLE3_S1", "C_HOLE3_S2",
    }  # fmt: skip
    assert all(c.kind == "kinematic" and c.components == (1, 2, 3, 4, 5, 6) for c in bar.couplings)
    load = bar.node_sets["REF_LOAD"]
    assert bar.node_ids[load].tolist() == [18846] and bar.nodes[load[0]].tolist() == [225.0, 0.0, 1.5]


def test_element_volumes_are_positive_and_make_the_mass(bar: FeModel) -> None:
    corners = bar.nodes[bar.blocks[0].connectivity[:, :4]]
    edges = corners[:, 1:] - corners[:, :1]
    volumes = np.linalg.det(edges) / 6.0
    assert (volumes > 0.0).all()
    # With straight edges the holes are polygons inside the circles: a little more steel than in truth.
    exact = 2 * 3.0 * (200.0 * 20.0 - 4 * np.pi * 3.0**2)
    assert exact < volumes.sum() == pytest.approx(exact, rel=2e-3)
    # 0.1844 kg with the two beams of 3 mm length.
    beams = 2 * 3.0 * np.pi * 3.0**2
    assert (exact + beams) * bar.materials["STEEL"].density == pytest.approx(0.1844e-3, abs=0.5e-7)


@pytest.mark.parametrize(("name", "normal"), [("JOINT_MASTER", (0, 0, 1)), ("JOINT_SLAVE", (0, 0, -1)),
                                              ("END_MOUNT", (-1, 0, 0)), ("END_LOAD", (1, 0, 0))])  # fmt: skip
def test_normals_point_out_of_the_sheets(bar: FeModel, name: str, normal: tuple[int, int, int]) -> None:
    surface = surface_from_deck(bar, name)
    assert np.allclose(facet_normals(surface, bar.nodes), normal, atol=1e-7)
    assert np.allclose(nodal_normals(surface, bar.nodes), normal, atol=1e-7)


def test_areas_of_the_joint(bar: FeModel) -> None:
    for name, nodes in (("JOINT_MASTER", 2429), ("JOINT_SLAVE", 2821)):
        surface = surface_from_deck(bar, name)
        # The middle holes are chords of the mesh: a little more area than with true circles.
        assert surface_area(surface, bar.nodes) == pytest.approx(JOINT_AREA, rel=1e-3)
        assert len(surface.nodes) == nodes
        # The deck lists the surface's nodes as a set of its own.
        assert np.array_equal(surface.nodes, bar.node_sets[f"N_{name}"])


@pytest.mark.parametrize("hole", [f"HOLE{i}_S{k}" for i in (1, 2, 3, 4) for k in (1, 2)])
def test_growth_walks_all_the_way_round_a_hole(bar: FeModel, skin: Skin, hole: str) -> None:
    surface = surface_from_deck(bar, hole)
    elements, faces = elements_and_faces(surface)
    for at in (0, len(elements) // 2):
        grown = skin.grow(skin.facet_number(elements[at], faces[at]), 40.0)
        wanted = [skin.facet_number(e, f) for e, f in zip(elements, faces, strict=True)]
        assert grown.tolist() == sorted(wanted)
    # The normals of a hole point to its axis, which is out of the steel.
    middle = bar.nodes[surface.nodes].mean(axis=0)
    inward = middle - bar.nodes[surface.nodes]
    assert (np.einsum("ij,ij->i", nodal_normals(surface, bar.nodes)[:, :2], inward[:, :2]) > 0.0).all()


def test_growth_stops_at_the_edges_of_the_sheet(bar: FeModel, skin: Skin) -> None:
    surface = surface_from_deck(bar, "JOINT_MASTER")
    elements, faces = elements_and_faces(surface)
    grown = skin.grow(skin.facet_number(elements[0], faces[0]), 30.0)
    # The whole upper side of sheet 1: the joint and the 25 mm that stick out.
    assert skin.areas[grown].sum() == pytest.approx(200.0 * 20.0 - 4 * np.pi * 9.0, rel=1e-3)
    assert np.allclose(skin.normals[grown], (0, 0, 1), atol=1e-7)


def test_the_skin_is_closed(bar: FeModel, skin: Skin) -> None:
    # Exact integral of the normal over curved facets: the three-point rule is exact for their products.
    total = np.zeros(3)
    for block in skin.surface.blocks:
        kind = facet_kind(block.facet)
        for xi, eta in ((0.5, 0.0), (0.5, 0.5), (0.0, 0.5)):
            total += kind.normals(bar.nodes[block.connectivity], xi, eta).sum(axis=0) / 6.0
    assert np.abs(total).max() < 1e-9 * skin.areas.sum()
    # Every edge of a closed surface has two facets: three halves of the number of triangles.
    assert 2 * len(skin.neighbours) == 3 * skin.surface.n_facets


def test_the_sheets_hang_together_through_couplings_and_beams(bar: FeModel) -> None:
    parts, count = connected_parts(bar)
    assert count == 1 and (parts == 0).all()
