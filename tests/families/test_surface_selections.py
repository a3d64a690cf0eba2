"""The family of surface selections: its contract for every member, and each member's own way."""

from importlib.resources import files

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.selections.facets import FacetSelection
from faying.fem.selections.grown import GrownSelection
from faying.fem.skin import Skin, elements_and_faces, facet_normals, find_skin
from faying.params import build, fields_of


@pytest.fixture(scope="module")
def bar() -> FeModel:
    return read_model(str(files("faying_resources") / "examples" / "friction_bar_19k.inp"))


@pytest.fixture(scope="module")
def skin(bar: FeModel) -> Skin:
    return find_skin(bar)


def hole(bar: FeModel, skin: Skin) -> list[int]:
    surface = bar.surfaces["HOLE2_S1"]
    return [skin.facet_number(e, f) for e, f in zip(surface.elements, surface.faces, strict=True)]


def selections(bar: FeModel, skin: Skin) -> dict[str, SurfaceSelection]:
    """Return for each kind a selection of the same hole."""
    facets = hole(bar, skin)
    return {
        "deck_surface": DeckSurfaceSelection(name="hole2_s1"),
        "grown": GrownSelection.picked(bar, skin, facets[0], 40.0),
        "facets": FacetSelection.picked(bar, skin, facets),
    }


def test_every_member_is_tried(bar: FeModel, skin: Skin) -> None:
    assert set(selections(bar, skin)) == set(surface_selections)


@pytest.mark.parametrize("kind", list(surface_selections))
def test_all_choose_the_same_hole_and_survive_writing(bar: FeModel, skin: Skin, kind: str) -> None:
    selection = selections(bar, skin)[kind]
    words = selection.model_dump(mode="json")
    assert words.pop("kind") == kind == selection.kind
    again = build(surface_selections[kind], words)
    assert again == selection
    surface = again.select(bar, skin)
    elements, faces = elements_and_faces(surface)
    chosen = sorted(skin.facet_number(e, f) for e, f in zip(elements, faces, strict=True))
    assert chosen == sorted(hole(bar, skin))
    assert np.allclose(np.linalg.norm(facet_normals(surface, bar.nodes), axis=1), 1.0)
    assert selection.describe() and surface.name


@pytest.mark.parametrize("kind", list(surface_selections))
def test_every_parameter_says_what_it_is(kind: str) -> None:
    member = surface_selections[kind]
    assert member.title
    for name, field, _ in fields_of(member):
        assert field.title and field.description, name


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
        (FacetSelection(facets=((element, 0),)), f"S0 of element {element}"),
    ]
    for selection, words in wrong:
        with pytest.raises(ModelError, match=words):
            selection.select(bar, skin)
    with pytest.raises(ModelError, match="facets"):
        build(FacetSelection, {"facets": []})
