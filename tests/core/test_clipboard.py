"""Decisions copied as text and pasted into the same or another project."""

import pytest

from faying.errors import ModelError
from faying.project import edits
from faying.project.clipboard import copied_text, pasting
from faying.project.document import Document
from faying.project.specs import Project

JOINT = {
    "master": {"kind": "deck_surface", "name": "A"},
    "slave": {"kind": "deck_surface", "name": "B"},
    "contact_law": {"kind": "linear_penalty", "stiffness": 5e4},
    "friction_law": {"kind": "coulomb", "friction_coefficient": 0.2},
}
WORDS = {
    "bodies": [
        {
            "name": "bar",
            "model": {"path": "bar.inp"},
            "interfaces": [{"name": "hold", "node": 1}],
            "joints": [{"name": "left", **JOINT}, {"name": "right", **JOINT, "friction_law": None}],
            "loads": [{"kind": "gravity", "name": "weight", "acceleration": (0.0, 0.0, -9810.0)}],
        }
    ],
    "analyses": [{"kind": "static", "name": "push", "body": "bar", "support": "hold"}],
}
BODY = ("bodies", 0)
LEFT, RIGHT = (*BODY, "joints", 0), (*BODY, "joints", 1)


@pytest.fixture
def project():
    return Project.model_validate(WORDS)


def paste(project, text, at=(BODY,)):
    found = pasting(text, project, at, BODY if project.bodies else (), ())
    return found.edit(project), found


def test_entries_are_added_under_unused_names(project, tmp_path):
    paths = ((*BODY, "loads", 0), LEFT, ("analyses", 0))
    after, found = paste(project, copied_text(project, paths, tmp_path))
    assert set(found.names) == {"weight 2", "left 2", "push 2"}
    assert set(found.paths) == {(*BODY, "loads", 1), (*BODY, "joints", 2), ("analyses", 1)}
    assert after.bodies[0].loads[1] == project.bodies[0].loads[0].with_(name="weight 2")
    assert after.bodies[0].joints[2] == project.bodies[0].joints[0].with_(name="left 2")
    assert after.analyses[1] == project.analyses[0].with_(name="push 2")


def test_laws_replace_those_of_all_selected_joints(project, tmp_path):
    text = copied_text(project, ((*LEFT, "friction_law"),), tmp_path)
    after, found = paste(project, text, at=(RIGHT, (*LEFT, "contact_law")))
    assert after.bodies[0].joints[1].friction_law == project.bodies[0].joints[0].friction_law
    assert found.paths == ((*RIGHT, "friction_law"), (*LEFT, "friction_law"))
    with pytest.raises(ModelError, match="no joint to paste"):
        paste(project, text)


def test_numbers_keep_their_meaning_in_a_project_of_other_units(project, tmp_path):
    text = copied_text(project, ((*BODY, "loads", 0), LEFT, ("analyses", 0)), tmp_path)
    table = {**WORDS["bodies"][0], "name": "beam", "joints": [], "loads": [], "interfaces": []}
    other = Project.model_validate({"units": "m-kg-s", "bodies": [table]})
    after, _ = paste(other, text)
    assert after.bodies[0].loads[0].acceleration == (0.0, 0.0, -9.81)
    assert after.bodies[0].joints[0].contact_law.stiffness == pytest.approx(5e4 * 1e9)  # N/mm³ in N/m³
    # What was not decided is the default in the new units, and the analysis is one of the body that exists.
    assert after.bodies[0].joints[0].friction_law.friction_coefficient == 0.2
    assert after.analyses[0].body == "beam"


@pytest.mark.parametrize(
    "text", ["", "hello", "x = 1", "[[nonsense]]\na = 1", 'units = "stone"\n[[loads]]\n']
)
def test_what_is_no_copied_text_is_refused_with_a_sentence(project, text):
    with pytest.raises(ModelError) as error:
        paste(project, text)
    assert "clipboard" in error.value.message and "Ctrl+C" in error.value.hint


def test_several_are_removed_and_copied_in_one_step(project):
    more = edits.add_analysis({"kind": "static", "name": "pull", "body": "bar", "support": "hold"})(project)
    gone = edits.removals([("analyses", 0), LEFT, ("analyses", 1), RIGHT])(more)
    assert gone.analyses == () and gone.bodies[0].joints == ()
    # A body takes its analyses with it, also where they are to be removed themselves.
    assert edits.removals([BODY, ("analyses", 1)])(more) == more.with_(bodies=(), analyses=())
    twice = edits.duplicates(more, [LEFT, RIGHT])(more)
    assert [joint.name for joint in twice.bodies[0].joints] == ["left", "left copy", "right", "right copy"]


def test_steps_of_several_edits_can_be_written_as_a_script(project):
    document = Document(project)
    document.apply("Delete 2 joints", edits.removals([LEFT, RIGHT]))
    path = (*BODY, "loads", 0, "acceleration")
    document.apply("Set gravity", edits.together([edits.set_value(path, (0.0, 0.0, -1.0))]))
    script = document.script()
    assert "edits.together(steps=[edits.remove(" in script
    scope = {}
    exec(compile(script.partition("session = ")[0], "script", "exec"), scope)
    assert scope["document"].project == document.project
