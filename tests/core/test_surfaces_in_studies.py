"""Surfaces, pair options and couplings as a study holds them, and as a session's script writes them down."""

import tomllib

import pytest
import tomli_w

from faying.analyses.static import Static
from faying.fem.added_couplings import CouplingSpec
from faying.fem.selections.facing import FacingSelection
from faying.fem.selections.lasso import LassoSelection
from faying.project import edits
from faying.project.document import Document
from faying.project.journal import write_script
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.specs import Project

DECK = {"kind": "deck_surface", "name": "A"}
SLAVE = {
    "kind": "combined",
    "parts": [{"kind": "enlarged", "rings": -2, "of": {"kind": "inverted", "of": DECK}}, DECK],
    "without": [{"kind": "cylinder", "start": [0, 0, 0], "end": ["1 cm", 0, 0], "radius": "2 mm"}],
}
STUDY = {
    "name": "nested",
    "bodies": [{
        "name": "bar",
        "model": {"path": "bar.inp"},
        "couplings": [{"name": "end", "behaviour": "distributing", "surface": {"kind": "flipped", "of": DECK}}],
        "interfaces": [{"name": "tip", "node_set": "end"}],
        "joints": [{
            "name": "lap",
            "master": {"kind": "lasso", "outline": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "towards": [0, 0, 1]},
            "slave": SLAVE,
            "search": {"close_gaps_below": "10 um", "remove_penetration_below": 0.02, "gap_offset": "-5 um",
                       "smooth_normals": True},
        }],
    }],
}  # fmt: skip


def test_a_study_holds_nested_selections_with_units() -> None:
    project = project_from_dict(STUDY)
    joint = project.bodies[0].joints[0]
    assert joint.slave.parts[0].of.of.name == "A"
    assert joint.slave.without[0].end == (10.0, 0.0, 0.0)
    assert joint.search.close_gaps_below == pytest.approx(0.01)
    assert joint.search.gap_offset == pytest.approx(-0.005)
    again = project_from_dict(tomllib.loads(tomli_w.dumps(project_to_dict(project))))
    assert again == project


def test_a_session_with_new_joints_and_couplings_becomes_a_script() -> None:
    document = Document(
        project_from_dict({**STUDY, "bodies": [{"name": "bar", "model": {"path": "bar.inp"}}]})
    )
    facing = FacingSelection(element=1, face=2, other_element=3, other_face=4, distance=0.5)
    lasso = LassoSelection(outline=((0, 0, 0), (1, 0, 0), (0, 1, 0)), towards=(0, 0, 1))
    joints = [{"name": "one", "master": facing, "slave": lasso, "search": {"distance": 0.5}}]
    document.apply("Create 1 joint", edits.add_joints("bar", joints))
    document.apply("Couple", edits.add_coupling("bar", CouplingSpec(name="end", surface=lasso), "tip"))
    document.apply("Choose", edits.set_value(("bodies", 0, "joints", 0, "slave"), facing.with_(rings=1)))
    case = Static(name="pull", body="bar", support="tip", loads=({"interface": "tip", "force": (1, 0, 0)},))
    words = {"name": "plate", "model": {"path": "plate.bdf"}}
    document.apply("Import deck plate.bdf", edits.add_body(words, (case.with_(body="plate"),)))
    made: dict[str, object] = {}
    exec(write_script(document.history), made)
    found = made["document"]
    assert isinstance(found, Document)
    assert found.project == document.project
    assert isinstance(found.project, Project)
