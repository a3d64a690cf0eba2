"""What the 3D view shows is a value: the same inputs give the same, and the scene draws what differs."""

from pathlib import Path

import numpy as np
import pytest

from faying.project import edits
from faying.project.document import Document
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from faying.testing.plates import plates, write_plate_deck
from faying_app.computed import Computed
from faying_app.scene.content import changed_in
from faying_app.scene.picture import photographer
from faying_app.selection import PairRows, PickedFace, Selection
from faying_app.shell.shown import shown
from faying_app.view_state import ViewState

JOINT = ("bodies", 0, "joints", 0)


class Place:
    """A project with its model and pairs, without a window."""

    def __init__(self, folder: Path) -> None:
        self.document = Document()
        self.document.open(plates(write_plate_deck(folder / "plates.inp")), None)
        self.computed = Computed(self.document, ArtifactStore(folder / "artifacts"))
        self.selection, self.view = Selection(), ViewState()
        body = self.document.project.bodies[0]
        self.run(Target("pairs", body.name, body.joints[0].name))

    def run(self, target):
        computed = self.computed
        computed.pipeline.run(computed.project, target, computed.store, computed.base, memory=computed.memory)
        computed.refresh()

    def apply(self, edit):
        self.document.apply("edit", edit)
        self.computed.refresh()

    @property
    def content(self):
        return shown(self.document.project, self.selection, self.view.values, self.computed)


@pytest.fixture
def place(qapp, tmp_path):
    made = Place(tmp_path)
    yield made
    made.computed.release()


def test_the_same_inputs_show_the_same_and_a_decision_that_is_not_seen_changes_nothing(place):
    place.selection.select(JOINT)
    first = place.content
    assert first.pairs is not None and first.master is not None and first.roles == ("Master", "Slave")
    assert changed_in(first, place.content) == set()
    place.apply(edits.set_value((*JOINT, "contact_law", "stiffness"), 1234.0))
    assert changed_in(first, place.content) == set()
    place.view.show_part(place.document.project.bodies[0].name, 0, shown=False)
    hidden = place.content
    assert {"skin", "skin_normals"} <= changed_in(first, hidden) and "model" not in changed_in(first, hidden)
    assert changed_in(hidden, place.content) == set()  # the facets that are left are the same object
    facets = np.arange(place.computed.skin("plates").surface.n_facets)
    left = hidden.subject.shown_facets(facets)
    assert len(left) == hidden.skin.n_facets < len(facets)
    assert [hidden.subject.skin_facet(i) for i in left[:5]] == hidden.subject.facets[:5].tolist()


@pytest.mark.parametrize(
    ("act", "differs"),
    [
        (lambda at: at.selection.select_pairs(PairRows("plates", "lap", (0, 3))), {"highlight"}),
        (lambda at: at.selection.pick_face(PickedFace("plates", 0, 1, 1)), {"highlight"}),
        (lambda at: at.selection.select((*JOINT, "master")), {"front"}),
        (lambda at: at.selection.select(("bodies", 0)), {"pairs", "master", "slave"}),
        (lambda at: at.view.set(mesh_edges=True), {"switches"}),
        (lambda at: at.view.set(opacity=0.5), {"display"}),
        (lambda at: at.view.set(ghost=False), {"body_style"}),
        (lambda at: at.view.set(colour_by="part"), {"groups"}),
        (lambda at: at.apply(edits.set_value(("units",), "m-kg-s")), {"units", "pairs"}),
        (lambda at: at.view.set(frame=3, play_mode="once", selected=JOINT), set()),
    ],
)
def test_each_input_changes_its_own_part_of_the_picture(place, act, differs):
    place.apply(edits.set_value((*JOINT, "name"), "lap"))
    place.run(Target("pairs", "plates", "lap"))
    place.selection.select(JOINT)
    before = place.content
    act(place)
    assert changed_in(before, place.content) == differs


def test_a_body_whose_model_is_not_there_has_its_name_alone(place):
    place.selection.select(JOINT)
    place.apply(edits.set_value(("bodies", 0, "model", "path"), "other.inp"))
    content = place.content
    assert content.model is None and content.subject.name == "plates"


def test_the_scene_builds_what_reads_the_difference_and_draws_nothing_for_the_same(place):
    place.selection.select(JOINT)
    with photographer((320, 240)) as camera:
        scene, asked, built = camera.scene, [], []
        scene.show(place.content)
        scene.stage.request_render = lambda: asked.append(True)
        for kind, visual in scene.visuals.items():
            visual.build = lambda content, kind=kind: built.append(kind)
        scene.show(place.content)
        assert not asked and not built
        place.selection.select_pairs(
            PairRows("plates", place.document.project.bodies[0].joints[0].name, (0,))
        )
        scene.show(place.content)
        assert asked
        assert set(built) == {kind for kind, each in scene.visuals.items() if "highlight" in each.reads}
        assert scene.content.highlight.pairs == (0,) and "highlight" in scene.content.shown
        built.clear()
        place.view.set(mesh_edges=True)
        scene.show(place.content)
        assert not built and "mesh_edges" in scene.content.shown  # only switched on
        place.view.show_part("plates", 0, shown=False)
        scene.show(place.content)
        assert {"body", "highlight"} <= set(built)  # of fewer facets now
