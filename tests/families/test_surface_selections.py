"""The family of surface selections: its contract for every member, and each member's own way."""

import json
from importlib.resources import files
from typing import ClassVar

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.facet_sets import connected_regions, enlarged, facets_of
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.selections.box import BoxSelection
from faying.fem.selections.combined import CombinedSelection
from faying.fem.selections.connected_part import ConnectedPartSelection
from faying.fem.selections.cylinder import CylinderSelection
from faying.fem.selections.deck_set import DeckSetSelection
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.selections.enlarged import EnlargedSelection
from faying.fem.selections.facets import FacetSelection
from faying.fem.selections.facing_sets import FacingSetsSelection
from faying.fem.selections.flipped import FlippedSelection
from faying.fem.selections.grown import GrownSelection
from faying.fem.selections.inverted import InvertedSelection
from faying.fem.selections.lasso import LassoSelection
from faying.fem.selections.sphere import SphereSelection
from faying.fem.skin import Skin, elements_and_faces, facet_normals, find_skin
from faying.joints.candidates import JointSearch
from faying.params import build
from faying.project import edits
from faying.project.specs import Project
from faying.testing import SurfaceSelectionContract


@pytest.fixture(scope="module")
def bar() -> FeModel:
    return read_model(str(files("faying_resources") / "examples" / "friction_bar_19k.inp"))


@pytest.fixture(scope="module")
def skin(bar: FeModel) -> Skin:
    return find_skin(bar)


def hole(bar: FeModel, skin: Skin) -> list[int]:
    surface = bar.surfaces["HOLE2_S1"]
    return [skin.facet_number(e, f) for e, f in zip(surface.elements, surface.faces, strict=True)]


def selections(bar: FeModel, skin: Skin) -> dict[str, tuple[SurfaceSelection, list[int]]]:
    """Return for each kind a selection and the facets that it has to choose, most of them the same hole.

    The hole's radius is 3, its axis goes from (87.5, 0, -3) to (87.5, 0, 0).
    """
    facets = hole(bar, skin)
    rest = sorted(set(range(len(skin.areas))) - set(facets))
    deck, n_hole = DeckSurfaceSelection(name="hole2_s1"), DeckSetSelection(name="n_hole2_s1")
    element = int(bar.element_ids[elements_and_faces(skin.surface)[0][facets[0]]])
    upper = ConnectedPartSelection(element=int(bar.element_ids[bar.element_sets["SHEET2"][0]]))
    below = skin.centroids[:, 2] < 0.0
    around = np.hypot(skin.centroids[:, 0] - 87.5, skin.centroids[:, 1]) < 5.0
    ring = np.flatnonzero(around & (skin.normals[:, 2] < -0.9) & (skin.centroids[:, 2] < -2.9))
    outline = tuple((87.5 + 5.0 * x, 5.0 * y, 40.0) for x, y in _CIRCLE)
    search = JointSearch.of(bar, skin, 0.1)
    (candidate,) = search.candidates(0.1)
    elements = elements_and_faces(skin.surface)[0]
    sides = np.concatenate([np.sort(side) for side in candidate.facets])
    under = np.sort(sides[np.isin(elements[sides], bar.element_sets["SHEET2"])])
    own_part = np.flatnonzero(below | ((skin.centroids[:, 2] == 0.0) & (skin.normals[:, 2] > 0.0)))
    return {
        "deck_surface": (deck, facets),
        "grown": (GrownSelection.picked(bar, skin, facets[0], 40.0), facets),
        "facets": (FacetSelection.picked(bar, skin, facets), facets),
        "box": (BoxSelection(corner=(91, 4, -2.9), opposite=(84, -4, -0.1)), facets),
        "sphere": (SphereSelection(centre=(87.5, 0, -1.5), radius=3.31), facets),
        "cylinder": (CylinderSelection(start=(87.5, 0, -2.9), end=(87.5, 0, -0.1), radius=3.01), facets),
        "deck_set": (n_hole, facets),
        "connected_part": (ConnectedPartSelection(element=element), own_part.tolist()),
        "combined": (CombinedSelection(parts=(deck, upper), without=(upper,)), facets),
        "inverted": (InvertedSelection(of=FacetSelection.picked(bar, skin, rest)), facets),
        "enlarged": (EnlargedSelection(of=EnlargedSelection(of=deck, rings=2), rings=-2), facets),
        "flipped": (FlippedSelection(of=deck), facets),
        "facing": (candidate.slave, candidate.facets[1].tolist()),
        "facing_sets": (FacingSetsSelection(element_set="sheet2", other_set="SHEET1"), under.tolist()),
        "lasso": (LassoSelection(outline=outline, towards=(0, 0, -2)), ring.tolist()),
    }


_TURNS = np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)]).tolist()


_LOWER = {"kind": "deck_surface", "name": "LOWER"}
_FACES = {"element": 1, "face": 2}  # of the plates of `faying.testing.plates`: the middle plane is z = 0


class TestSurfaceSelections(SurfaceSelectionContract):
    samples: ClassVar = {
        "deck_surface": {"name": "LOWER"},
        "deck_set": {"name": "HOLD_FACE"},
        "grown": {**_FACES, "angle": 30.0},
        "facets": {"facets": [[1, 2], [2, 2]]},
        "box": {"corner": (-1, -1, -0.5), "opposite": (41, 11, 0.5)},
        "sphere": {"centre": (20, 5, 0), "radius": 12.0},
        "cylinder": {"start": (20, 5, -1), "end": (20, 5, 1), "radius": 12.0},
        "connected_part": {"element": 1},
        "combined": {"parts": [_LOWER, {"kind": "deck_surface", "name": "UPPER"}]},
        "inverted": {"of": _LOWER},
        "enlarged": {"of": _LOWER, "rings": 1},
        "flipped": {"of": _LOWER},
        "facing": {**_FACES, "other_element": 9, "other_face": 1, "distance": 0.1},
        "facing_sets": {"element_set": "PLATE1", "other_set": "plate2"},
        "lasso": {"outline": [(-1, -1, 9), (41, -1, 9), (41, 11, 9), (-1, 11, 9)], "towards": (0, 0, -2)},
    }


def test_a_selection_that_is_turned_round_stays_so_inside_of_others(bar: FeModel, skin: Skin) -> None:
    deck = DeckSurfaceSelection(name="hole2_s1")
    flipped, facets = FlippedSelection(of=deck), hole(bar, skin)
    one, others = facets[:1], np.setdiff1d(np.arange(len(skin.areas)), facets)
    single = FacetSelection.picked(bar, skin, one)
    some = FacetSelection.picked(bar, skin, others[:5].tolist())
    around = tuple((87.5 + 5.0 * x, 5.0 * y, 40.0) for x, y in _CIRCLE)
    for selection, inwards in (
        (CombinedSelection(parts=(flipped,), without=(single,)), facets[1:]),
        (CombinedSelection(parts=(flipped, some)), facets),
        (CombinedSelection(parts=(flipped, single)), facets[1:]),  # what comes last decides
        (FlippedSelection(of=CombinedSelection(parts=(flipped, some))), others[:5]),
        (EnlargedSelection(of=flipped, rings=0), facets),
        (EnlargedSelection(of=flipped, rings=1), enlarged(skin, np.array(facets), 1)),
        (EnlargedSelection(of=FlippedSelection(of=flipped), rings=1), []),
        (LassoSelection(outline=around, towards=(0.0, 0.0, 1.0), through=True, among=flipped), facets),
    ):
        surface = selection.select(bar, skin)
        chosen = facets_of(skin, surface)
        alike = np.einsum("ij,ij->i", facet_normals(surface, bar.nodes), skin.normals[chosen])
        np.testing.assert_array_equal(np.sort(chosen[alike < 0.0]), np.sort(inwards))


@pytest.mark.parametrize("kind", TestSurfaceSelections.samples)
def test_all_choose_what_they_say_and_survive_writing(bar: FeModel, skin: Skin, kind: str) -> None:
    selection, wanted = selections(bar, skin)[kind]
    words = json.loads(json.dumps(selection.model_dump(mode="json")))
    assert words.pop("kind") == kind == selection.kind
    again = build(surface_selections[kind], words)
    assert again == selection
    surface = again.select(bar, skin)
    elements, faces = elements_and_faces(surface)
    chosen = sorted(skin.facet_number(e, f) for e, f in zip(elements, faces, strict=True))
    assert chosen == sorted(wanted)
    normals = facet_normals(surface, bar.nodes)
    outward = skin.normals[facets_of(skin, surface)]
    assert np.allclose(normals, -outward if kind == "flipped" else outward)
    assert selection.describe() and surface.name


def test_regions_may_take_one_side_or_whole_facets_only(bar: FeModel, skin: Skin) -> None:
    box = BoxSelection(corner=(84, -4, -2.9), opposite=(91, 4, 3.5))
    right = box.with_(direction=(2.0, 0.0, 0.0), direction_angle=45.0).select(bar, skin)
    assert (facet_normals(right, bar.nodes)[:, 0] >= np.cos(np.radians(45.0)) - 1e-9).all()
    assert 0 < right.n_facets < box.select(bar, skin).n_facets
    whole = box.with_(whole=True).select(bar, skin)
    assert (bar.nodes[whole.nodes] >= np.array([84, -4, -2.9])).all()
    hollow = CylinderSelection(start=(87.5, 0, -9), end=(87.5, 0, 9), radius=6.0, inner_radius=4.0)
    middles = skin.centroids[facets_of(skin, hollow.select(bar, skin))]
    away = np.hypot(middles[:, 0] - 87.5, middles[:, 1])
    assert away.min() >= 4.0
    assert away.max() <= 6.0


def test_rings_stop_at_nothing_and_regions_count_by_size(bar: FeModel, skin: Skin) -> None:
    facets = np.array(hole(bar, skin))
    once, twice = enlarged(skin, facets, 1), enlarged(skin, facets, 2)
    assert set(facets) < set(once) < set(twice)
    neighbours = {
        int(b) for a, b in np.concatenate([skin.neighbours, skin.neighbours[:, ::-1]]) if a in set(facets)
    }
    assert set(once) == set(facets) | neighbours
    assert not len(enlarged(skin, facets, -3)) or set(enlarged(skin, facets, -3)) < set(facets)
    regions = connected_regions(skin, np.arange(len(skin.areas)))
    assert np.bincount(regions).tolist() == [3432, 3116]
    far = int(np.argmax(skin.centroids[:, 0]))
    regions = connected_regions(skin, np.array([*facets, far]), 40.0)
    assert regions.tolist() == [0] * len(facets) + [1]


def test_a_form_may_wrap_what_is_there(bar: FeModel) -> None:
    joint = {
        "name": "lap",
        "master": {"kind": "deck_surface", "name": "A"},
        "slave": {"kind": "deck_surface", "name": "B"},
    }
    words = {"bodies": [{"name": "bar", "model": {"path": "bar.inp"}, "joints": [joint]}]}
    project, path = build(Project, words), ("bodies", 0, "joints", 0, "slave")
    for kind, inner in (("inverted", "of"), ("combined", "parts"), ("enlarged", "of"), ("flipped", "of")):
        made = getattr(edits.replace_member(path, kind)(project).bodies[0].joints[0].slave, inner)
        assert made in (DeckSurfaceSelection(name="B"), (DeckSurfaceSelection(name="B"),))


def inner_face(bar: FeModel, skin: Skin) -> tuple[int, int]:
    """Return (element number, face number) of a face inside the body."""
    elements, faces = elements_and_faces(skin.surface)
    outside = set(faces[elements == elements[0]].tolist())
    return int(bar.element_ids[elements[0]]), min(set(range(4)) - outside) + 1


def test_empty_or_wrong_selections_get_a_sentence(bar: FeModel, skin: Skin) -> None:
    element, face = inner_face(bar, skin)
    wrong: list[tuple[SurfaceSelection, str]] = [
        (DeckSurfaceSelection(name="NOWHERE"), "no surface called 'NOWHERE'"),
        (
            GrownSelection(element=element, face=face, angle=10.0),
            f"S{face} of element {element} is not on the outside",
        ),
        (GrownSelection(element=999999, face=1), "no element 999999"),
        (FacetSelection(facets=((element, face),)), f"S{face} of element {element} is not on the outside"),
        (FacetSelection(facets=((999999, 1),)), "no element 999999"),
        (FacetSelection(facets=((element, 1), (10**20, 1))), f"no face S1 of element {10**20}"),
        (FacetSelection(facets=((element, 0),)), f"S0 of element {element}"),
        (DeckSetSelection(name="NOWHERE"), "no set called 'NOWHERE'"),
        (ConnectedPartSelection(element=999999), "no element 999999"),
        (SphereSelection(centre=(0, 0, 99), radius=1.0), "holds no facet"),
    ]
    for selection, words in wrong:
        with pytest.raises(ModelError, match=words):
            selection.select(bar, skin)
    with pytest.raises(ModelError, match="facets"):
        build(FacetSelection, {"facets": []})
