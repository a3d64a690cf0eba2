"""The search for joints: candidates, their measure, and selections that a study can hold."""

from importlib.resources import files

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.connectivity import connected_parts
from faying.fem.facet_names import names_of_facets
from faying.fem.facet_sets import facets_of
from faying.fem.facing import FacingFacets, find_facing
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.selections import facing
from faying.fem.selections.enlarged import EnlargedSelection
from faying.fem.selections.facing import FacingSelection
from faying.fem.selections.flipped import FlippedSelection
from faying.fem.skin import Skin, find_skin, surface_from_deck
from faying.joints.candidates import JointCandidate, JointSearch, merged_candidates
from faying.params import build
from support.plates import stacked_plates, three_plates


@pytest.fixture(scope="module")
def bar() -> FeModel:
    return read_model(str(files("faying_resources") / "examples" / "friction_bar_19k.inp"))


@pytest.fixture(scope="module")
def bar_skin(bar: FeModel) -> Skin:
    return find_skin(bar)


def test_the_joint_of_the_friction_bar_is_found(bar: FeModel, bar_skin: Skin) -> None:
    search = JointSearch.of(bar, bar_skin, 1.0)
    (candidate,) = search.candidates(0.1)
    master, slave = (set(facets.tolist()) for facets in candidate.facets)
    deck = {
        n: set(facets_of(bar_skin, surface_from_deck(bar, n)).tolist())
        for n in ("JOINT_MASTER", "JOINT_SLAVE")
    }
    assert {frozenset(master), frozenset(slave)} == {frozenset(facets) for facets in deck.values()}
    # The master has the larger facets.
    assert np.median(bar_skin.areas[list(master)]) > np.median(bar_skin.areas[list(slave)])
    measure = search.measure(candidate)
    assert measure is not None
    assert measure.paired == 1.0
    assert measure.gaps == (0.0, 0.0)
    assert measure.penetration == 0.0
    # The proposed selections choose the same facets in a project of their own; the master a ring more.
    again = build(FacingSelection, {n: getattr(candidate.slave, n) for n in FacingSelection.model_fields})
    assert set(facets_of(bar_skin, again.select(bar, bar_skin)).tolist()) == slave
    wider = set(facets_of(bar_skin, candidate.master.select(bar, bar_skin)).tolist())
    assert master < wider
    # What is proposed is what a joint of these selections has.
    for side, selection, area in zip(
        candidate.surfaces, (candidate.master, candidate.slave), candidate.areas, strict=True
    ):
        chosen = selection.select(bar, bar_skin)
        assert set(facets_of(bar_skin, chosen).tolist()) == set(side.tolist())
        assert bar_skin.areas[side].sum() == pytest.approx(area, rel=1e-12)


def test_distance_parts_and_penetration() -> None:
    model = stacked_plates(upper=(12, 4, 1), gap=0.3)
    skin = find_skin(model)
    search = JointSearch.of(model, skin, 5.0)
    assert [len(search.candidates(d)) for d in (0.1, 0.29, 0.31, 5.0)] == [0, 0, 1, 1]
    (found,) = search.candidates(0.31)
    assert found.areas == pytest.approx((400.0, 400.0))
    assert found.parts == (0, 1)  # the lower plate is coarser
    measure = search.measure(found)
    assert measure is not None
    assert measure.gaps == pytest.approx((0.3, 0.3))
    assert JointSearch.of(model, skin, 5.0, hidden=frozenset({1})).candidates(5.0) == ()
    deep = stacked_plates(upper=(12, 4, 1), gap=-0.2)
    search = JointSearch.of(deep, find_skin(deep), 0.5)
    (found,) = search.candidates(0.5)
    measure = search.measure(found)
    assert measure is not None
    assert measure.penetration == pytest.approx(0.2)


def test_three_plates_have_two_joints_and_no_far_sides() -> None:
    model = three_plates()
    candidates = JointSearch.of(model, find_skin(model), 1.5).candidates(0.1)
    assert [sorted(c.parts) for c in candidates] == [[0, 1], [1, 2]]
    # Even beyond the thickness of a plate, the outer sides of two plates are no joint between them.
    far = JointSearch.of(model, find_skin(model), 4.5).candidates(4.5)
    assert [sorted(c.parts) for c in far] == [[0, 1], [0, 2], [1, 2]]
    assert [c.name for c in far] == ["part 1 / part 2", "part 1 / part 3", "part 2 / part 3"]


def test_merged_candidates_add_up_side_by_side() -> None:
    """A part stays on its side: where it was on the other one, the candidate is turned round before."""

    def found(parts: tuple[int, int], facets: tuple[int, int], areas: tuple[float, float]) -> JointCandidate:
        faced = {"element": 1, "face": 1, "other_element": 2, "other_face": 2, "distance": 0.1}
        master, slave = (FacingSelection(**faced, rings=rings) for rings in (1, 0))
        sides = np.array(facets[:1]), np.array(facets[1:])
        facet_areas[list(facets)] = areas
        return JointCandidate("x", parts, master, slave, sides, sides, facet_areas)

    facet_areas = np.zeros(10)

    candidates = (
        found((0, 1), (3, 8), (5.0, 4.0)),
        found((0, 2), (2, 9), (7.0, 1.0)),
        found((2, 3), (7, 1), (16.0, 32.0)),
        found((4, 0), (6, 4), (64.0, 128.0)),
        found((5, 6), (0, 5), (256.0, 512.0)),
    )
    merged = merged_candidates(candidates, "all")
    assert [one.parts for one in merged.merged] == [(0, 1), (0, 2), (3, 2), (0, 4), (5, 6)]
    assert merged.parts == (0, 1)
    assert merged.areas == (5.0 + 7.0 + 32.0 + 128.0 + 256.0, 4.0 + 1.0 + 16.0 + 64.0 + 512.0)
    assert [side.tolist() for side in merged.facets] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    # Parts that came later stay on their side, too.
    later = [found(parts, (0, 1), (1.0, 1.0)) for parts in ((0, 1), (3, 4), (5, 3), (4, 6))]
    assert [one.parts for one in merged_candidates(later, "all").merged] == [(0, 1), (3, 4), (3, 5), (6, 4)]


def test_facing_says_what_is_wrong(bar: FeModel, bar_skin: Skin) -> None:
    (candidate,) = JointSearch.of(bar, bar_skin, 1.0).candidates(0.1)
    slave = candidate.slave
    with pytest.raises(ModelError, match="belong to the same part"):
        slave.with_(other_element=slave.element, other_face=slave.face).select(bar, bar_skin)
    top = int(np.argmax(bar_skin.centroids[:, 2]))  # on the outside of the upper sheet
    element, face = names_of_facets(bar, bar_skin, [top])[0]
    lower = bar.element_ids[bar.element_sets["SHEET1"]]
    faced = (slave.element, slave.face) if slave.element in lower else (slave.other_element, slave.other_face)
    outside = FacingSelection(
        element=element, face=face, other_element=faced[0], other_face=faced[1], distance=0.1
    )
    with pytest.raises(ModelError, match="does not face the part"):
        outside.select(bar, bar_skin)


def test_surfaces_are_described_by_the_parts_that_people_know() -> None:
    model = three_plates()
    (candidate, *_) = JointSearch.of(model, find_skin(model), 1.5).candidates(0.1)
    labels, _ = connected_parts(model, couplings=False)
    titles = ["base", "middle", "lid"]
    rows = {int(number): row for row, number in enumerate(model.element_ids)}

    def part_of(element: int) -> str:
        return titles[labels[model.first_nodes[rows[element]]]]

    own, other = (titles[part] for part in candidate.parts)
    assert candidate.master.in_words(part_of) == f"{own}, facing {other}"
    assert candidate.slave.in_words(part_of) == f"{other}, facing {own}"
    more = FlippedSelection(of=EnlargedSelection(of=candidate.master, rings=2))
    assert more.in_words(part_of) == f"{own}, facing {other} + 2 rings, turned round"
    # Where parts have no names, elements are all there is.
    assert candidate.master.in_words(lambda _element: "") == candidate.master.describe()


def test_both_sides_of_a_joint_share_what_faces_what(
    bar: FeModel, bar_skin: Skin, monkeypatch: pytest.MonkeyPatch
) -> None:
    (candidate,) = JointSearch.of(bar, bar_skin, 0.1).candidates(0.1)
    searches = []

    def counted(*words: object) -> FacingFacets:
        searches.append(words)
        return find_facing(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(facing, "find_facing", counted)
    skin = find_skin(bar)
    for selection, side in zip((candidate.master, candidate.slave), candidate.surfaces, strict=True):
        assert set(facets_of(skin, selection.select(bar, skin)).tolist()) == set(side.tolist())
    assert len(searches) == 2  # each way once
