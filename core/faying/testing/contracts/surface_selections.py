"""Contract of surface selections: exterior facets, each once, reproducibly."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.fem.facet_sets import facets_of
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.skin import Skin, facet_normals, find_skin
from faying.params import build
from faying.testing.contracts.members import MemberContract
from faying.testing.plates import write_plate_deck


@cache
def outside_of_plates() -> tuple[FeModel, Skin]:
    """Return the model of the two plates of `faying.testing.plates`, and its skin."""
    with tempfile.TemporaryDirectory(prefix="faying-plates-") as folder:
        model = read_model(write_plate_deck(Path(folder) / "plates.inp"))
    return model, find_skin(model)


class SurfaceSelectionContract(MemberContract):
    """Tested on the two plates of `faying.testing.plates`; `samples` give selections there (lengths in mm)."""

    family: ClassVar[Any] = surface_selections

    @pytest.fixture
    def selection(self, member: SurfaceSelection) -> SurfaceSelection:
        """The tested selection."""
        return member

    def test_facets_of_the_outside_each_once(self, selection: SurfaceSelection) -> None:
        """All with their normals outwards, or all inwards."""
        model, skin = outside_of_plates()
        surface = selection.select(model, skin)
        chosen = facets_of(skin, surface)
        assert 0 < surface.n_facets == len(chosen) == len(np.unique(chosen))
        alike = np.einsum("ij,ij->i", facet_normals(surface, model.nodes), skin.normals[chosen])
        np.testing.assert_allclose(alike, alike[0], atol=1e-12)
        np.testing.assert_allclose(np.abs(alike), 1.0, atol=1e-12)
        assert set(surface.nodes.tolist()) <= set(skin.surface.nodes.tolist())

    def test_written_and_read_it_chooses_the_same(self, selection: SurfaceSelection) -> None:
        model, skin = outside_of_plates()
        words = json.loads(json.dumps(selection.model_dump(mode="json")))
        words.pop("kind")
        again = build(type(selection), words)
        assert again == selection
        first, second = (facets_of(skin, one.select(model, skin)) for one in (selection, again))
        np.testing.assert_array_equal(np.sort(first), np.sort(second))

    def test_it_says_what_it_chooses(self, selection: SurfaceSelection) -> None:
        model, skin = outside_of_plates()
        assert selection.describe().strip()
        assert selection.select(model, skin).name.strip()
