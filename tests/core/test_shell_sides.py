"""Of a shell that is in a surface with both sides, the joint takes the one that faces the other surface."""

from dataclasses import replace

import numpy as np
import pytest

from faying.fem.facet_sets import enlarged, facets_of
from faying.fem.readers import read_model
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.selections.flipped import FlippedSelection
from faying.fem.shell_sides import facing_sides, two_sided
from faying.fem.skin import elements_and_faces, facet_normals, find_skin, surface_from_deck
from faying.joints.pairing import find_contact_pairs
from faying.joints.search import SearchSpec
from support.sheet_deck import write_sheet_deck


def _sides(model, *names):
    return facing_sides(model, *(surface_from_deck(model, name) for name in names))


@pytest.mark.parametrize(("distance", "below"), [(2.0, -1.0), (-2.0, 1.0)])
def test_node_surfaces_take_the_sides_that_face_each_other(tmp_path, distance, below):
    """The elements of the lower sheet are numbered the other way round than those of the upper one."""
    model = read_model(write_sheet_deck(tmp_path / "sheets.inp", distance))
    assert two_sided(model, surface_from_deck(model, "LOWER_NODES")).all()
    lower, upper = _sides(model, "LOWER_NODES", "UPPER_NODES")
    assert (lower.n_facets, upper.n_facets) == (72, 55)
    np.testing.assert_allclose(facet_normals(lower, model.nodes)[:, 2], -below)
    np.testing.assert_allclose(facet_normals(upper, model.nodes)[:, 2], below)
    again = facing_sides(model, lower, upper)
    assert [s.n_facets for s in again] == [72, 55]  # what has one side stays


def test_pairs_of_node_surfaces_are_those_of_the_named_sides(tmp_path):
    model = read_model(write_sheet_deck(tmp_path / "sheets.inp"))
    surfaces = [_sides(model, f"LOWER_{how}", f"UPPER_{how}") for how in ("NODES", "SIDE")]
    by_nodes, by_sides = (
        find_contact_pairs(model.nodes, *both, SearchSpec(), blocks=model.blocks) for both in surfaces
    )
    assert len(by_nodes) == 72
    np.testing.assert_array_equal(by_nodes.slave_nodes, by_sides.slave_nodes)
    np.testing.assert_array_equal(by_nodes.initial_gaps, by_sides.initial_gaps)
    assert by_nodes.weights.sum() == pytest.approx(1500.0)


def test_sheets_in_one_plane_are_told_apart_by_their_offset(tmp_path):
    """Nodes of both sheets lie in the joint; the lower one is below it, the upper one above."""
    path = write_sheet_deck(tmp_path / "sheets.inp", 0.0)
    text = path.read_text()
    model = read_model(path)
    assert two_sided(model, _sides(model, "LOWER_NODES", "UPPER_NODES")[1]).all()  # nothing tells
    path.write_text(
        text.replace("ELSET=LOWER, MATERIAL=STEEL", "ELSET=LOWER, MATERIAL=STEEL, OFFSET=SNEG").replace(
            "ELSET=UPPER, MATERIAL=STEEL", "ELSET=UPPER, MATERIAL=STEEL, OFFSET=SNEG"
        )
    )
    model = read_model(path)
    lower, upper = _sides(model, "LOWER_NODES", "UPPER_NODES")
    assert set(facet_normals(lower, model.nodes)[:, 2]) == {1.0}
    assert set(facet_normals(upper, model.nodes)[:, 2]) == {-1.0}


def test_a_side_of_a_shell_grows_on_its_own_side(tmp_path):
    model = read_model(write_sheet_deck(tmp_path / "sheets.inp"))
    skin = find_skin(model)
    (seed,) = np.flatnonzero(
        (np.abs(skin.centroids - [2.5, 2.5, 0.0]).max(axis=1) < 1e-9) & (skin.normals[:, 2] > 0)
    )
    rings = enlarged(skin, np.array([seed]), 2)
    assert len(rings) == 3 + 2 + 1  # at a corner, over edges
    assert len(enlarged(skin, rings, 100)) == 72 and (skin.normals[enlarged(skin, rings, 100), 2] > 0).all()


def test_elements_turned_over_among_others_do_not_matter(tmp_path):
    """Every third element of the lower sheet is numbered the other way round; the side is one all the same."""
    model = read_model(write_sheet_deck(tmp_path / "sheets.inp"))
    block = model.blocks[0]
    connectivity = block.connectivity.copy()
    connectivity[::3] = connectivity[::3, ::-1]
    model = replace(model, blocks=(replace(block, connectivity=connectivity), *model.blocks[1:]))
    skin = find_skin(model)
    whole = skin.chosen(np.flatnonzero(np.isin(elements_and_faces(skin.surface)[0], np.arange(72))), "lower")
    lower, _ = facing_sides(model, whole, surface_from_deck(model, "UPPER_NODES"))
    assert lower.n_facets == 72
    np.testing.assert_allclose(facet_normals(lower, model.nodes)[:, 2], 1.0)


def test_a_side_turned_round_is_the_other_side(tmp_path):
    model = read_model(write_sheet_deck(tmp_path / "sheets.inp"))
    skin = find_skin(model)
    turned = FlippedSelection(of=DeckSurfaceSelection(name="LOWER_SIDE")).select(model, skin)
    assert set(facet_normals(turned, model.nodes)[:, 2]) == {-1.0}
    assert (skin.normals[facets_of(skin, turned), 2] < 0).all()  # also in which face of its elements it is
