"""Properties of whatever was decided: written and read again it is the same; selections are sets."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faying.errors import ModelError
from faying.fem.facet_sets import facets_of
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.selections.combined import CombinedSelection
from faying.fem.selections.facets import FacetSelection
from faying.fem.selections.flipped import FlippedSelection
from faying.fem.selections.inverted import InvertedSelection
from faying.fem.skin import Skin, find_skin
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.params import build
from faying.project import edits
from faying.project.document import Document
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.specs import Project
from faying.project.study import study_of, study_text
from faying.reduction.joint_modes import joint_mode_methods
from support.boxes import box
from support.synthetic_stages import bar

# Any text that a line or a note takes; a character of code zero is refused, halves of surrogate pairs are none.
_TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1, max_size=12)
_JOINT = ("bodies", 0, "joints", 0)
_POSITIVE = st.floats(1e-300, 1e300)


def _member(place: tuple[Any, ...], family: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(sorted(family)).map(lambda kind: edits.replace_member(place, kind))


_EDITS = st.one_of(
    _TEXTS.map(lambda text: edits.set_value(("name",), text)),
    _TEXTS.map(lambda text: edits.set_value(("note",), text)),
    _TEXTS.map(lambda text: edits.rename(("bodies", 0), text)),
    _TEXTS.map(lambda text: edits.rename(_JOINT, text)),
    _TEXTS.map(lambda text: edits.set_value(("bodies", 0, "model", "path"), text)),
    st.sampled_from(["mm-t-s", "m-kg-s", "mm-kg-ms"]).map(lambda name: edits.set_value(("units",), name)),
    st.tuples(_TEXTS, st.integers(1, 2**62)).map(
        lambda pair: edits.add_interface("bar", {"name": pair[0], "node": pair[1]})
    ),
    _member((*_JOINT, "contact_law"), contact_laws),
    _member((*_JOINT, "friction_law"), friction_laws),
    _member(("bodies", 0, "joint_modes"), joint_mode_methods),
    st.just(edits.replace_member((*_JOINT, "friction_law"), None)),
    _POSITIVE.map(lambda value: edits.set_value((*_JOINT, "contact_law", "stiffness"), value)),
    _POSITIVE.map(lambda value: edits.set_value((*_JOINT, "search", "distance"), value)),
    st.just(edits.swap_surfaces(_JOINT)),
    _TEXTS.map(lambda text: edits.duplicate(_JOINT, text)),
    _TEXTS.map(
        lambda text: edits.add_analysis({"kind": "static", "name": text, "body": "bar", "support": "HOLD"})
    ),
    st.just(edits.remove(("analyses", 0))),
)  # fmt: skip


def _decided(steps: list[Any]) -> Document:
    """Return a document after those edits that the project takes."""
    document = Document(bar(joints=("joint",)))
    for number, step in enumerate(steps):
        try:
            document.apply(f"step {number}", step)
        except (ModelError, LookupError):
            continue
    return document


@settings(max_examples=15, deadline=None)
@given(st.lists(_EDITS, max_size=5))
def test_decisions_come_back_from_words_and_from_a_study(steps: list[Any]) -> None:
    project = _decided(steps).project
    for complete in (False, True):
        for empty in (False, True):
            words = json.loads(json.dumps(project_to_dict(project, complete=complete, empty=empty)))
            assert project_from_dict(words) == project
    folder = Path("/somewhere")
    text = study_text(project, folder, folder, complete=True, empty=False)
    again = study_of(text, folder / "study.toml")
    assert again == study_of(study_text(project, None, folder), folder / "study.toml")
    assert again.with_(bodies=()) == project.with_(bodies=())
    assert [body.with_(model=project.bodies[k].model) for k, body in enumerate(again.bodies)] == [
        *project.bodies
    ]


def test_none_switches_off_what_may_be_absent_and_is_a_text_elsewhere() -> None:
    words = project_to_dict(bar(joints=("joint",)), complete=True)
    words["name"] = words["note"] = "none"
    body = words["bodies"][0]
    for place, name in ((body, "expected_mass"), (body["joints"][0], "friction_law")):
        place[name] = "none"
    project = project_from_dict(words)
    assert (project.name, project.note) == ("none", "none")
    assert project.bodies[0].expected_mass is None
    assert project.bodies[0].joints[0].friction_law is None
    body["joints"][0]["contact_law"] = "none"
    with pytest.raises(ModelError, match="contact_law"):
        project_from_dict(words)


@settings(max_examples=15, deadline=None)
@given(st.lists(_EDITS, max_size=5), st.integers(0, 2))
def test_the_script_of_a_session_does_the_same_again(steps: list[Any], undone: int) -> None:
    document = _decided(steps)
    for _ in range(undone):
        document.undo()
    names: dict[str, Any] = {}
    exec(compile(document.script(), "script", "exec"), names)
    assert names["project"] == document.project
    labels = [entry.label for entry in document.history[: document.position + 1]]
    assert [entry.label for entry in names["document"].history] == labels


@settings(max_examples=25, deadline=None)
@given(st.lists(_EDITS, max_size=4))
def test_undo_and_redo_lead_through_the_same_projects(steps: list[Any]) -> None:
    document = _decided(steps)
    projects: list[Project] = [entry.project for entry in document.history]
    for project in reversed(projects[:-1]):
        document.undo()
        assert document.project == project
    for project in projects[1:]:
        document.redo()
        assert document.project == project
    assert document.undo_label is not None or len(projects) == 1


@pytest.fixture(scope="module")
def block() -> tuple[FeModel, Skin]:
    model = box("hex8", (2, 2, 1), (2.0, 2.0, 1.0))
    return model, find_skin(model)


_SETS = st.sets(st.integers(0, 15), min_size=1)
_TREES = st.recursive(
    _SETS,
    lambda inner: st.one_of(
        st.tuples(st.just("without"), inner), st.tuples(st.just("turned"), inner),
        st.tuples(st.just("together"), st.lists(inner, min_size=1, max_size=3), st.lists(inner, max_size=2)),
    ),
    max_leaves=6,
)  # fmt: skip


def _selection(tree: Any, model: FeModel, skin: Skin) -> tuple[SurfaceSelection, set[int]]:
    """Return a selection, and the facets that it has to choose by the algebra of sets."""
    if isinstance(tree, set):
        return FacetSelection.picked(model, skin, sorted(tree)), tree
    if tree[0] == "together":
        parts = [_selection(each, model, skin) for each in tree[1]]
        without = [_selection(each, model, skin) for each in tree[2]]
        chosen = set().union(*(facets for _, facets in parts)).difference(*(facets for _, facets in without))
        return CombinedSelection(
            parts=tuple(s for s, _ in parts), without=tuple(s for s, _ in without)
        ), chosen
    inner, facets = _selection(tree[1], model, skin)
    if tree[0] == "turned":
        return FlippedSelection(of=inner), facets
    return InvertedSelection(of=inner), set(range(len(skin.areas))) - facets


@settings(max_examples=60, deadline=None)
@given(tree=_TREES)
def test_selections_are_sets_and_survive_writing(block: tuple[FeModel, Skin], tree: Any) -> None:
    model, skin = block
    assert len(skin.areas) == 16
    selection, wanted = _selection(tree, model, skin)
    words = json.loads(json.dumps(selection.model_dump(mode="json")))
    again = build(surface_selections[words.pop("kind")], words)
    assert again == selection
    try:
        surface = again.select(model, skin)
    except ModelError as error:
        # Nothing is left of it, or of one inside it.
        assert "holds no facet" in error.message
        return
    assert set(facets_of(skin, surface).tolist()) == wanted
    assert surface.n_facets == len(wanted)
    assert np.isfinite(model.nodes[surface.nodes]).all()
