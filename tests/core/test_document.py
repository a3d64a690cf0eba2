"""The document: history, undo, redo, listeners, and the session as a script."""

import ast

import numpy as np
import pytest

from faying.errors import ModelError
from faying.project import edits
from faying.project.document import Document
from faying.project.specs import Project
from support.synthetic_stages import bar


def test_apply_undo_redo_and_listeners():
    document, told = Document(), []
    document.listeners.append(lambda before, after: told.append((before.name, after.name)))
    assert document.apply("Name", edits.set_value(("name",), "First"))
    assert document.apply("Name again", edits.set_value(("name",), "Second"))
    assert document.undo_label == "Name again" and document.is_modified
    assert document.undo() == "Name again" and document.project.name == "First"
    assert document.redo_label == "Name again" and document.redo() == "Name again"
    document.jump(0)
    assert document.project == Project() and not document.is_modified
    assert document.undo() is None
    assert told == [("Untitled", "First"), ("First", "Second"), ("Second", "First"), ("First", "Second"),
                    ("Second", "Untitled")]  # fmt: skip


def test_a_document_knows_its_file_from_the_beginning(tmp_path):
    assert Document(bar(), tmp_path / "a.faying").path == tmp_path / "a.faying" and Document().path is None


def test_an_edit_that_changes_nothing_leaves_no_entry():
    document = Document()
    assert not document.apply("Same", edits.set_value(("name",), "Untitled"))
    assert len(document.history) == 1


def test_an_invalid_edit_changes_nothing():
    document = Document(bar(joints=("joint",)))
    before = document.project
    path = ("bodies", 0, "joints", 0, "contact_law", "stiffness")
    with pytest.raises(ModelError, match=r"stiffness.*greater than 0.*-3"):
        document.apply("Stiffness", edits.set_value(path, -3.0))
    assert document.project is before and len(document.history) == 1


def test_applying_after_undo_forgets_the_undone():
    document = Document()
    document.apply("a", edits.set_value(("name",), "a"))
    document.undo()
    document.apply("b", edits.set_value(("name",), "b"))
    assert [entry.label for entry in document.history] == ["", "b"]


def test_saving_marks_and_opening_starts_a_new_history(tmp_path):
    document = Document()
    document.apply("a", edits.set_value(("name",), "a"))
    document.mark_saved(tmp_path / "a.faying")
    assert not document.is_modified
    document.open(bar(), None)
    assert len(document.history) == 1 and not document.is_modified and document.path is None


def test_the_script_rebuilds_the_project():
    document = Document()
    words = bar(joints=("joint",), analyses=()).bodies[0]
    document.apply("Add body", edits.add_body(words))
    document.apply("Add node", edits.add_interface("bar", {"name": "HOLD", "node": 7}))
    document.apply("Friction", edits.replace_member(("bodies", 0, "joints", 0, "friction_law"), "coulomb"))
    document.apply(
        "Unit", edits.set_value(("bodies", 0, "joints", 0, "contact_law", "stiffness"), "20 kN/mm^3")
    )
    document.apply(
        "Add analysis",
        edits.add_analysis({"kind": "static", "name": "press", "body": "bar", "support": "HOLD"}),
    )
    document.apply("Rename", edits.rename(("bodies", 0, "interfaces", 0), "mounting"))
    document.apply("By hand", lambda project: project.with_(note='it\'s a "note"\nof two lines'))
    document.apply("Undone", edits.set_value(("name",), "undone"))
    document.undo()
    script, names = document.script(), {}
    exec(compile(script, "script", "exec"), names)
    assert names["project"] == names["session"].project == document.project
    assert names["project"].analyses[0].support == "mounting"
    assert [entry.label for entry in names["document"].history] == [
        entry.label for entry in document.history[: document.position + 1]
    ]
    assert "edits.rename(" in script and "undone" not in script


def test_the_script_of_numbers_of_numpy_runs():
    document = Document(bar(joints=("joint",)).with_(analyses=()))
    document.apply("Weigh", edits.set_value(("bodies", 0, "expected_mass"), np.float64(2.0)))
    document.apply("Count", edits.set_value(("bodies", 0, "joint_modes", "count"), np.int64(7)))
    document.apply("Add node", edits.add_interface("bar", {"name": np.str_("HOLD"), "node": np.int32(7)}))
    document.apply("By hand", lambda project: project.with_(note="so"))
    names = {}
    exec(compile(document.script(), "script", "exec"), names)
    assert names["project"] == document.project
    again = Document(document.project)
    exec(compile(again.script(), "script", "exec"), names)
    assert names["project"] == document.project


def test_the_script_of_an_opened_project_starts_with_it():
    document = Document(bar(joints=("joint",)))
    document.apply("Count", edits.set_value(("bodies", 0, "joint_modes", "count"), 12))
    names = {}
    exec(compile(document.script(), "script", "exec"), names)
    assert names["project"] == document.project


EVIL = [
    '""" + open("OUT", "w").write("x") + """',
    '"""\nopen("OUT", "w").write("x")\n"""',
    "'''\nopen('OUT', 'w')\n",
    "ends in a backslash \\",
    'x\\" """ \\',
    "a\nopen('OUT', 'w')\r\nb\x0cc {start} {0} %s \u2028 \u202e \U0001f600",
]


@pytest.mark.parametrize("evil", EVIL)
def test_no_name_in_a_script_runs(evil, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    body = {"name": evil, "model": {"path": evil}, "interfaces": [{"name": evil, "node_set": evil}]}
    document = Document(Project(name=evil, note=evil))
    document.apply(evil, edits.add_body(body))
    document.apply(evil, edits.set_value(("name",), f"{evil} again"))
    document.apply(evil, edits.add_analysis({"kind": "static", "name": evil, "body": evil, "support": evil}))
    document.apply(evil, lambda project: project.with_(note=f"{evil} by hand"))
    script, names = document.script(), {}
    called = {ast.unparse(node.func) for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Call)}
    assert called <= {
        "faying.Document", "faying.Project.model_validate", "faying.Session", "document.apply",
        "edits.add_body", "edits.set_value",
        "edits.add_analysis", "edits.replace_project",
    }  # fmt: skip
    exec(compile(script, "script", "exec"), names)
    assert names["project"] == document.project and list(tmp_path.iterdir()) == []
