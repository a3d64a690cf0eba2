"""Pieces of projects by themselves: what is kept in memory, recipes, sweeps, locks, lists of files, and the like."""

import dataclasses
import gc
import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import psutil
import pytest
import scipy.sparse as sp

from faying.analyses.sweep import Sweep
from faying.errors import FayingError, ModelError
from faying.params import build
from faying.project import decisions, deck, deck_changes, lock, made_with, outputs
from faying.project.document import Document
from faying.project.edits import rename, set_value
from faying.project.memory import Memory, bytes_of
from faying.project.pipeline import Pipeline
from faying.project.recipe import Recipe, differences, is_by_another_program
from faying.project.recovery import find_recoverable, partial_results, tidy
from faying.project.reduced_bodies import as_body_of_file, lacking
from faying.project.scope import scope_of
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.specs import SCHEMA_VERSION, BodySpec, Project
from faying.project.stage import Stage, Target
from faying.project.store import ArtifactStore
from faying.project.study_schema import study_schema
from faying.project.sweep_points import SweepPlan
from faying.project.sweep_work import CopiedInputs, SweepWork
from faying.testing.plates import write_plate_deck
from support.boxes import box

# --- memory


@dataclasses.dataclass
class Two:
    one: object
    other: object


def test_bytes_of_values_are_those_of_their_arrays():
    a, b = np.zeros(100), np.zeros((10, 3), np.float32)
    sparse = sp.csr_matrix(np.eye(7))
    of_sparse = sparse.data.nbytes + sparse.indices.nbytes + sparse.indptr.nbytes
    assert bytes_of(a) == 800 and bytes_of(b) == 120
    assert bytes_of([a, a, (b,), {"it": b}, "text", 1, 2.0, None, True, b"bytes"]) == 920
    assert bytes_of(Two(a, {"x": sparse})) == 800 + of_sparse
    assert bytes_of(SimpleNamespace(x=a, y=SimpleNamespace(z=b))) == 920 + 2 * 1024
    assert bytes_of(object()) == 1024
    looped = [a]
    looped.append(looped)
    assert bytes_of(looped) == 800


def test_values_go_when_they_take_too_much_and_the_newest_stays():
    memory = Memory(1000)
    a, b, c = (np.zeros(n) for n in (60, 60, 50))  # 480, 480 and 400 bytes
    memory.put("a", a)
    memory.put("b", b)
    assert memory.size == 960 and "a" in memory and "b" in memory
    assert memory.get("a") is a  # so that b is the one not used for longest
    memory.put("c", c)
    assert "b" not in memory and memory.size == 880
    memory.put("whole", np.zeros(1000))
    assert "a" not in memory and "c" not in memory and memory.size == 8000
    memory.drop("whole")
    memory.drop("unknown")
    assert memory.size == 0


def test_an_array_that_values_share_goes_with_the_last_of_them():
    memory, shared = Memory(1e6), np.zeros(100)
    memory.put("a", [shared, np.zeros(1)])
    memory.put("b", [shared, np.zeros(2)])
    assert memory.size == 800 + 8 + 16
    memory.put("a", shared)
    assert memory.size == 800 + 16
    memory.drop("b")
    assert memory.size == 800
    memory.drop("a")
    assert memory.size == 0


@pytest.mark.parametrize(("total", "wanted"), [(4e9, 2e9), (8e9, 2e9), (16e9, 4e9)])
def test_memory_takes_a_quarter_of_the_machines_or_two_gigabytes(monkeypatch, total, wanted):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=total))
    assert Memory()._limit == wanted


# --- recipes


def _recipe(stage="s", version=1, reads=None, needs=None, code=None, **more) -> Recipe:
    return Recipe(stage, version, "body", "item", reads or {}, needs or {}, code or {}, **more)


def test_what_counts_for_a_key():
    plain = _recipe(reads={"a": 1}, needs={"n": "k"}, code={"m": "d"})
    for other in (
        _recipe("t", reads={"a": 1}, needs={"n": "k"}, code={"m": "d"}),
        _recipe(version=2, reads={"a": 1}, needs={"n": "k"}, code={"m": "d"}),
        _recipe(reads={"a": 2}, needs={"n": "k"}, code={"m": "d"}),
        _recipe(reads={"a": 1}, needs={"n": "l"}, code={"m": "d"}),
        _recipe(reads={"a": 1}, needs={"n": "k"}, code={"m": "e"}),
        _recipe(reads={"a": 1}, needs={"n": "k"}),
    ):
        assert other.key != plain.key
    named = dataclasses.replace(plain, body="x", item="y", made_with={"Python": "3"})
    assert named.key == plain.key == Recipe.from_text(plain.to_text()).key and len(plain.key) == 32
    assert Recipe.from_text(named.to_text()) == named


def test_differences_of_recipes_are_told_causes_first():
    modules = {f"faying.m{k}": "1" for k in range(6)}
    inner = _recipe("mesh", reads={"size": 1.0}, code={"faying.m9": "1"})
    finer = _recipe("mesh", 2, reads={"size": 2.0}, code={"faying.m9": "2"})
    known = {inner.key: inner, finer.key: finer}
    old = _recipe(
        reads={"a": 1, "b": {"kind": "x", "c": 1}, "d": {"kind": "x"}, "e": [1], "text": "y", "same": 3},
        needs={"mesh": inner.key, "gone": "k", "lost": "k1"},
        code=modules,
    )
    new = _recipe(
        reads={"a": 2, "b": {"kind": "x", "c": 2}, "d": {"kind": "z"}, "e": [2], "text": "z", "same": 3},
        needs={"mesh": finer.key, "new": "k", "lost": "k2"},
        code=dict.fromkeys(modules, "2"),
    )
    found = differences(old, new, known.get)
    assert found[0] == "the program's mesh step is newer"
    assert found[1].startswith("the program's code changed: m") and found[1].endswith(" and 3 more")
    assert found[1].count(", ") == 3
    assert found[2:] == [
        "a: 1 → 2",
        "b.c: 1 → 2",
        "d: x → z",
        "e changed",
        "text: y → z",
        "gone removed",
        "size: 1.0 → 2.0",
        "new added",
    ]
    assert is_by_another_program(old, new, known.get) and not is_by_another_program(old, old, known.get)
    # Without what the need was made from only its key tells; with other code that is reason enough.
    by_key = [_recipe(needs={"lost": key}, code={"faying.m": "1"}) for key in "ab"]
    assert differences(*by_key, known.get) == ["lost changed"]
    before_code = [_recipe(needs={"lost": "a"}), by_key[1]]
    assert differences(*before_code, known.get) == ["the program is newer"]
    four = [_recipe(code={f"faying.m{k}": each for k in range(4)}) for each in "12"]
    assert "more" not in differences(*four, known.get)[0]
    assert differences(_recipe(reads=[1]), _recipe(reads=[2]), known.get) == ["value changed"]
    assert differences(_recipe(reads="a"), _recipe(reads=None), known.get)[0].startswith("value")


def test_solvers_are_told_with_what_went_in():
    class Told:
        said: ClassVar[list] = []

        def report(self, fraction, text="", **values):
            self.said.append((fraction, text, values))

    noted = made_with.SolversNoted(Told())
    noted.report(0.5, "it", solver="superlu", step=1)
    noted.report(0.6, residual=1e-9)
    noted.report(0.7, residual=1e-10)
    assert Told.said == [(0.5, "it", {"step": 1}), (0.6, "", {}), (0.7, "", {})]
    library = made_with._library("superlu")
    needs = [{made_with.SOLVER: "a, b", made_with.RESIDUAL: "3.0e-08"}, {made_with.SOLVER: ""}, {}]
    found = made_with.with_solvers({"Faying": "1"}, noted, needs)
    assert found == {
        "Faying": "1",
        made_with.SOLVER: f"a, b, superlu ({library})",
        made_with.RESIDUAL: "3.0e-08",
    }
    assert made_with.with_solvers({"Faying": "1"}, None, [{}]) == {"Faying": "1"}
    assert made_with.with_solvers({}, noted, ())[made_with.RESIDUAL] == "1.0e-09"
    assert library.startswith("scipy ") and set(made_with.versions()) >= {
        "Faying",
        "Python",
        "NumPy",
        "SciPy",
        "platform",
    }


# --- sweeps


def _plan(*variations, **words) -> SweepPlan:
    sweep = {"name": "more", "analysis": "press", "responses": [{"quantity": "x"}], **words}
    first = {
        "kind": "sweep",
        "name": "first",
        "analysis": "press",
        "responses": [{"quantity": "x"}],
        "variations": [{"decision": "bodies.block.note", "values": ["a"]}],
    }
    press = {
        "kind": "static",
        "name": "press",
        "body": "block",
        "loads": [{"interface": "tip", "force": (0, 0, 1)}],
    }
    lap = {
        "name": "lap",
        "master": {"kind": "deck_set", "name": "A"},
        "slave": {"kind": "deck_set", "name": "B"},
        "friction_law": {"kind": "coulomb"},
    }
    body = {"name": "block", "model": {"path": "b.inp"}, "joints": [lap]}
    project = build(Project, {"bodies": [body], "analyses": [first, press]})
    return SweepPlan(project, build(Sweep, {**sweep, "variations": list(variations)}))


STIFFNESS = "bodies.block.joints.lap.contact_law.stiffness"
COUNT = "bodies.block.reduction.vibration_modes"


def test_points_of_grids_and_lists():
    load = {"decision": "analyses.press.loads.tip.force.z", "values": ["1 kN", 2.0]}
    plan = _plan(load, {"decision": COUNT, "lowest": 1, "highest": 3, "count": 9})
    assert [point.values for point in plan.points] == [(f, n) for f in (1000.0, 2.0) for n in (1, 2, 3)]
    assert plan.heads == ("force z", "vibration modes")
    assert plan.points[0].label == "force z = 1000 N, vibration modes = 1" and plan.points[5].number == 5
    made = plan.project_of(plan.points[5])
    assert (
        made.analyses[0].loads[0].force == (0.0, 0.0, 2.0) and made.bodies[0].reduction.vibration_modes == 3
    )
    assert [a.name for a in made.analyses] == ["press"]
    assert plan.numbers_of(plan.points[3]) == (2.0, 1.0)
    listed = _plan(load, {"decision": COUNT, "values": [5, 6]}, plan="list")
    assert [point.values for point in listed.points] == [(1000.0, 5), (2.0, 6)]
    with pytest.raises(ModelError, match="the decisions have 2 and 3 values"):
        _plan(load, {"decision": COUNT, "values": [5, 6, 7]}, plan="list")
    with pytest.raises(ModelError, match="varied twice"):
        _plan(load, load)
    with pytest.raises(ModelError, match="The grid has "):
        _plan(*({"decision": name, "lowest": 1, "highest": 1e4, "count": 900} for name in (STIFFNESS, COUNT)))


def test_points_between_two_ends():
    def values(**words):
        return [point.values[0] for point in _plan({"decision": STIFFNESS, **words}).points]

    assert values(lowest=1.0, highest=3.0, count=5) == [1.0, 1.5, 2.0, 2.5, 3.0]
    assert values(lowest="1 MPa/mm", highest=100.0, count=3, spacing="logarithmic") == [1.0, 10.0, 100.0]
    for words, said in (
        ({"lowest": 0.0, "highest": 1.0, "spacing": "logarithmic"}, "begins at 0, which has no logarithm"),
        ({"lowest": 2.0, "highest": 2.0}, "goes from 2 to 2"),
        ({"lowest": 3.0, "highest": 2.0}, "goes from 3 to 2"),
    ):
        with pytest.raises(ModelError, match=said):
            values(count=3, **words)
    text = "bodies.block.joints.lap.contact_law.kind"
    for name in (text, "bodies.block.joints.lap.treatment"):
        with pytest.raises(ModelError):
            _plan({"decision": name, "lowest": 1.0, "highest": 2.0, "count": 2})


def test_texts_are_numbered_and_hypercubes_fill_every_interval():
    plan = _plan({"decision": "bodies.block.joints.lap.treatment", "values": ["tied", "contact", "tied"]})
    assert [plan.numbers_of(point) for point in plan.points] == [(1.0,), (2.0,), (1.0,)]
    assert plan.points[1].label == "treatment = contact"
    cube, same = (
        _plan(
            {"decision": STIFFNESS, "lowest": 0.0, "highest": 8.0},
            {"decision": COUNT, "values": [1, 2]},
            plan="latin_hypercube",
            points=8,
            seed=3,
        )
        for _ in range(2)
    )
    first, second = zip(*(point.values for point in cube.points), strict=True)
    assert sorted(map(int, first)) == list(range(8)) and sorted(second) == [1] * 4 + [2] * 4
    assert same.points == cube.points


def test_a_value_that_is_not_allowed_is_told_with_its_bounds():
    plan = _plan({"decision": STIFFNESS, "values": [1.0, -1.0]})
    with pytest.raises(
        ModelError, match=r"cannot set 'bodies.block.joints.lap.contact_law.stiffness' to -1.0"
    ) as error:
        plan.require_allowed()
    assert error.value.hint == "Its bounds are > 0."


# --- words of studies


def test_what_no_decision_can_be_is_refused_with_its_place():
    deep: object = 1
    for _ in range(39):
        deep = [deep]
    for words, said in (
        ({"name": 2**63}, "name: an integer is too large"),
        ({"name": -(2**63) - 1}, "name: an integer is too large"),
        ({"bodies": [{"a\0": 1}]}, r"bodies\[0\]: a text holds a character of code zero"),
        ({"name": "a\0"}, "name: a text holds"),
        ({"name": [deep]}, "nested too deep"),
        ({"schema_version": 0}, "0 is not a schema number"),
        ({"schema_version": True}, "True is not a schema number"),
        ({"schema_version": "1"}, "'1' is not a schema number"),
        ({"bodies": [{"name": "b", "model": 1}]}, r"bodies\[0\]"),
        (
            {"bodies": [{"name": "b", "model": {"path": "b"}, "reduction": {}}]},
            r"bodies\[0\].reduction: the kind is missing",
        ),
        (
            {"bodies": [{"name": "b", "model": {"path": "b"}, "reduction": {"kind": 1}}]},
            "the kind is no text",
        ),
        (
            {"bodies": [{"name": "b", "model": {"path": "b"}, "reduction": {"kind": "x"}, "gloss": 1}]},
            "^2 parameters are wrong:\n",
        ),
        ({"units": "furlongs"}, "units: "),
        ({"units": 3}, "units: "),
    ):
        with pytest.raises(ModelError, match=said):
            project_from_dict(words)
    for words in ({"note": 2**63 - 1}, {"note": -(2**63)}, {"note": deep}):
        with pytest.raises(ModelError, match="note: Input should be a valid string"):
            project_from_dict(words)
    assert project_from_dict({"schema_version": SCHEMA_VERSION, "name": "x"}).name == "x"


def test_words_of_a_project_leave_out_defaults_or_what_is_empty():
    project = build(
        Project, {"name": "p", "bodies": [{"name": "b", "model": {"path": "b"}, "weak_ties": None}]}
    )
    short, whole = project_to_dict(project), project_to_dict(project, complete=True)
    some = project_to_dict(project, complete=True, empty=False)
    assert set(short) == {"schema_version", "name", "bodies"} and short["bodies"][0]["name"] == "b"
    assert whole["analyses"] == [] and "analyses" not in some and "weak_ties" in some["bodies"][0]
    assert (
        some["bodies"][0]["reduction"]["kind"] == "craig_bampton" and whole["bodies"][0]["interfaces"] == []
    )
    assert "interfaces" not in some["bodies"][0]
    for words in (short, whole, some):
        assert project_from_dict(words) == project


def test_the_schema_says_what_the_parameters_declare():
    schema = study_schema()
    found = schema["$defs"]["specs.BodySpec"]
    assert (
        found["type"] == "object"
        and found["additionalProperties"] is False
        and found["required"] == ["name", "model"]
    )
    search = schema["$defs"]["search.SearchSpec"]["properties"]["distance"]
    assert search["anyOf"][0]["type"] == "number" and search["anyOf"][0]["minimum"] == 0.0
    assert "mm-t-s, or a text with its unit]" in json.dumps(search, ensure_ascii=False)
    law = schema["$defs"]["linear_penalty.LinearPenalty"]
    assert law["properties"]["kind"]["const"] == "linear_penalty" and "kind" in law["required"]
    stiffness = law["properties"]["stiffness"]
    assert stiffness["anyOf"][0]["exclusiveMinimum"] == 0.0 and stiffness["anyOf"][1]["type"] == "string"
    force = schema["$defs"]["loads.LoadSpec"]["properties"]["force"]
    assert force["minItems"] == force["maxItems"] == len(force["prefixItems"]) == 3
    modes = schema["$defs"]["craig_bampton.CraigBampton"]["properties"]["vibration_modes"]
    assert (modes["type"], modes["minimum"], modes["default"]) == ("integer", 0, 10) and "anyOf" not in modes
    assert schema["properties"]["schema_version"] and schema["properties"]["units"]["enum"]
    assert list(schema["$defs"]) == sorted(schema["$defs"])


# --- documents


def test_a_document_goes_back_and_forth_and_tells():
    told = []
    document = Document(build(Project, {"name": "0"}))
    document.listeners.append(lambda before, after: told.append((before.name, after.name)))
    for name in "123":
        assert document.apply(f"to {name}", set_value(("name",), name))
    assert not document.apply("nothing", set_value(("name",), "3")) and document.position == 3
    assert document.undo_label == "to 3" and document.redo_label is None and document.redo() is None
    assert document.undo() == "to 3" and document.redo_label == "to 3" and document.project.name == "2"
    assert document.is_modified and document.undo() == "to 2" and document.redo() == "to 2"
    document.jump(-5)
    assert document.position == 0 and document.undo() is None and document.undo_label is None
    document.jump(99)
    assert document.position == 3 and len(document.history) == 4
    document.jump(1)
    assert document.apply("other", set_value(("name",), "9")) and len(document.history) == 3
    assert [entry.label for entry in document.history] == ["", "to 1", "other"]
    document.mark_saved("there")
    assert not document.is_modified and document.path == "there" and told[-1] == ("9", "9")
    document.open(Project(), None, saved=False)
    assert document.is_modified and document.position == 0 and len(document.history) == 1
    assert told[:4] == [("0", "1"), ("1", "2"), ("2", "3"), ("3", "2")]


# --- files


def test_the_list_of_written_files_forgets_its_older_half(tmp_path, monkeypatch):
    monkeypatch.setattr(outputs, "home", lambda: tmp_path / "deep" / "home")
    monkeypatch.setattr(outputs, "_MOST", 150)  # four digests of 33 characters and no fifth
    files = []
    for number in range(5):
        files.append(tmp_path / f"{number}.csv")
        files[-1].write_text(str(number))
        outputs.remember_outputs([files[-1], tmp_path / "none"])
    assert [outputs.is_own_output(file) for file in files] == [False, False, True, True, True]
    size = (tmp_path / "deep" / "home" / "written").stat().st_size
    outputs.remember_outputs(files[2:])
    assert (tmp_path / "deep" / "home" / "written").stat().st_size == size
    assert not outputs.is_own_output(tmp_path / "none")


def test_a_lock_is_taken_once_and_tells_its_holder(tmp_path):
    file, seen = tmp_path / "a.lock", []
    with lock.claim(file, seen.append):
        assert lock._taken(file) is None and lock._holder(file).process == os.getpid()
        with pytest.raises(InterruptedError):

            def waiting(holder):
                seen.append(holder)
                if len(seen) == 3:
                    raise InterruptedError

            with lock.claim(file, waiting):
                raise AssertionError
    assert [holder.process for holder in seen] == [os.getpid()] * 3 and not file.exists()
    assert (
        lock.holder_of(tmp_path) == lock.Holder()
        and not lock.is_held(tmp_path)
        and not lock.is_locked_folder(tmp_path)
    )
    held = lock.FolderLock(tmp_path)
    assert (
        lock.is_held(tmp_path)
        and lock.is_locked_folder(tmp_path)
        and lock.holder_of(tmp_path).process == os.getpid()
    )
    with pytest.raises(lock.FolderInUse, match=f"process {os.getpid()}"):
        lock.FolderLock(tmp_path)
    held.release()
    assert not lock.is_held(tmp_path) and lock.is_locked_folder(tmp_path)
    (tmp_path / "lock").write_bytes(b"no number")
    assert lock.holder_of(tmp_path) == lock.Holder()


def test_sessions_that_ended_or_hold_nothing_go(tmp_path):
    for name in ("ended", "nothing", "project", "artifact"):
        (tmp_path / name / "artifacts").mkdir(parents=True)
    (tmp_path / "a file").write_text("")
    (tmp_path / "ended" / "ended").write_text("")
    (tmp_path / "ended" / "project.toml").write_text("")
    (tmp_path / "project" / "project.toml").write_text('name = "kept"\n')
    (tmp_path / "artifact" / "artifacts" / "k.h5").write_text("")
    held = lock.FolderLock(tmp_path / "nothing")
    tidy(tmp_path)
    assert (tmp_path / "nothing").exists()
    held.release()
    tidy(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a file", "artifact", "project"]
    (found,) = find_recoverable(tmp_path)
    assert (
        found.project.name == "kept" and found.modified and found.path is None and found.unsaved_results == 0
    )
    (tmp_path / "project" / "project.toml").write_text("")
    assert find_recoverable(tmp_path) == []  # cut off by a power failure
    (tmp_path / "project" / "project.toml").write_text('name = "kept"\n')
    (tmp_path / "project" / "session.json").write_text('{"modified": false}')
    assert find_recoverable(tmp_path) == []
    tidy(tmp_path / "none")
    assert find_recoverable(tmp_path / "none") == []
    assert partial_results(ArtifactStore(tmp_path / "store")) == ()


# --- bodies that were reduced elsewhere


def test_a_body_of_a_file_keeps_what_is_not_in_it():
    side = {"kind": "deck_set", "name": "A"}
    body = build(
        BodySpec,
        {
            "name": "b",
            "model": {"path": "b.inp"},
            "interfaces": [{"name": "hold", "node": 3}],
            "joints": [
                {"name": "lap", "master": side, "slave": side},
                {"name": "seam", "master": side, "slave": side, "treatment": "tied"},
            ],
            "preloads": [{"name": "bolts"}],
            "loads": [{"kind": "gravity", "name": "weight"}],
            "contact_surfaces": [{"name": "top", "surface": side}],
            "materials": [{"kind": "library", "name": "steel"}],
            "couplings": [{"name": "c", "surface": side}],
            "supports": [{"name": "s", "surface": side}],
            "bolts": [{"name": "M8", "shank": side}],
        },
    )
    told = list(lacking(body))
    assert [
        any(word in line for line in told) for word in ("a material", "a coupling", "a support", "a bolt")
    ] == [True] * 4
    assert len(told) == 6 and "'seam' cannot be tied" in told[4] and "'weight' is none" in told[5]
    made = as_body_of_file(body, "b.npz")
    assert list(lacking(made)) == [] and [each.name for each in made.joints] == ["lap"]
    assert (made.joints[0].master.name, made.joints[0].slave.name) == ("lap master", "lap slave")
    assert [(each.name, each.node_set) for each in made.interfaces] == [
        ("hold", "hold"),
        ("supports", "supports"),
    ]
    assert made.loads[0].name == "weight" and made.preloads[0].name == "bolts" and made.model.path == "b.npz"
    assert made.contact_surfaces[0].surface.name == "top"


# --- scopes


def test_what_a_target_concerns():
    side = {"kind": "deck_set", "name": "A"}
    joints = [
        {"name": "lap", "master": side, "slave": side},
        {"name": "seam", "master": side, "slave": side, "treatment": "tied"},
        {"name": "rim", "master": side, "slave": side},
    ]
    bodies = [{"name": name, "model": {"path": "b.inp"}, "joints": joints} for name in "ab"]
    statics = [{"kind": "static", "name": name, "body": name} for name in "ab"]
    sweep = {"kind": "sweep", "name": "s", "analysis": "b", "responses": [{"quantity": "x"}],
             "variations": [{"decision": "bodies.b.weak_ties", "values": [0.1]}]}  # fmt: skip
    project = build(Project, {"bodies": bodies, "analyses": [*statics, sweep], "systems": [{"name": "a"}]})
    from faying.project.checks import Finding
    from faying.project.stages import STAGES

    stages = Pipeline(STAGES).stages
    scope = scope_of(project, stages, [Target("pairs", "a", "lap")])
    assert scope.entities == {("bodies", 0), ("bodies", 0, "joints", 0), ("bodies", 0, "joints", 1)}
    assert (0, "pairs") in scope.stages and not any(body for body, _ in scope.stages)

    def concerns(*entity, spoiled=()):
        return scope.concerns(Finding("error", entity, "It is wrong.", stages=spoiled))

    assert (
        concerns() and concerns("bodies", 0) and concerns("bodies", 0, "model") and not concerns("bodies", 1)
    )
    assert concerns("bodies", 0, "joints", 0, "slave") and not concerns("bodies", 0, "joints", 2)
    assert concerns("bodies", 0, spoiled=("pairs", "basis")) and not concerns("bodies", 0, spoiled=("basis",))
    assert not concerns("analyses", 0) and not concerns("systems", 0)
    whole = scope_of(project, stages, [Target("analysis", "a", "a")])
    assert ("analyses", 0) in whole.entities and ("analyses", 1) not in whole.entities
    assert ("bodies", 0, "joints", 2) in whole.entities and ("systems", 0) not in whole.entities
    # A sweep has what its analysis has.
    swept = scope_of(project, stages, [Target("sweep", "", "s")])
    alone = scope_of(project, stages, [Target("analysis", "b", "b")])
    assert swept.entities == alone.entities | {("analyses", 2)} and swept.stages == alone.stages


# --- progress


class Part(Stage[float]):
    name = title = "part"
    order = 1
    weight = 3.0

    def compute(self, context, progress):
        for share in (0.0, 0.5, 1.0):
            progress.report(share)
        return 1.0


class Whole(Part):
    name = title = "whole"
    order = 2
    weight = 1.0

    def needs(self, project, target):
        return {"part": Target("part", target.body)}


def test_steps_share_the_progress_by_their_weights(tmp_path):
    class Told:
        shares: ClassVar[list] = []

        def report(self, fraction, text="", **values):
            self.shares.append(fraction)

    project = build(Project, {"bodies": [{"name": "b", "model": {"path": "b.inp"}}]})
    pipeline, store = Pipeline([Part(), Whole()]), ArtifactStore(tmp_path)
    seconds, begun = [], []
    pipeline.run(
        project,
        Target("whole", "b"),
        store,
        progress=Told(),
        on_step=lambda step, time: seconds.append((step.title, time >= 0.0)),
        on_begin=lambda step: begun.append(step.title),
    )
    assert Told.shares == sorted(Told.shares) and Told.shares[-1] == 1.0
    assert {0.0, 0.375, 0.75, 0.875}.issubset(Told.shares)
    assert seconds == [("part", True), ("whole", True)] and begun == ["part", "whole"]
    assert pipeline.run(project, Target("whole", "b"), store) == 1.0
    with pytest.raises(FayingError):
        pipeline.targets_of(project, "none")


def test_labels_do_not_count_as_decisions():
    project = build(
        Project, {"name": "x", "bodies": [{"name": n, "model": {"path": "b.inp"}} for n in ("b", "b2")]}
    )
    found = decisions.decisions_of(rename(("bodies", 1), "c")(project))
    assert not {name for name in found if name.split(".")[-1] in ("name", "note", "digest", "units")}
    assert found["bodies.c.weak_ties"].is_number and not found["bodies.c.weak_ties"].is_whole
    with pytest.raises(ModelError, match=r"There is no decision 'bodies\.c\.week_ties'") as error:
        decisions.decision_of(project, "bodies.c.week_ties")
    assert "Did you mean" in error.value.hint


# --- decks and other meshes


def test_a_deck_that_cannot_be_read_is_told_with_its_reason(tmp_path):
    body = build(BodySpec, {"name": "b", "model": {"path": "b.inp"}})
    with pytest.raises(ModelError, match="The deck of body 'b' is not there"):
        deck.content_of(body, tmp_path)
    (tmp_path / "b.inp").mkdir()
    with pytest.raises(ModelError, match=r"The deck of body 'b' cannot be read \("):
        deck.content_of(body, tmp_path)
    remembered = body.with_(model=body.model.with_(digest="abc"))
    assert deck.content_of(remembered, tmp_path) == "abc" and not deck.has_changed(remembered, tmp_path)
    (tmp_path / "c.inp").write_text("*NODE\n")
    there = remembered.with_(model=remembered.model.with_(path="c.inp"))
    assert deck.has_changed(there, tmp_path) and not deck.has_changed(body, tmp_path)
    (now,) = deck.with_digests(
        build(Project, {"bodies": [there.model_dump() | {"model": {"path": "c.inp"}}]}), tmp_path
    ).bodies
    digest = deck.deck_digest(tmp_path / "c.inp")
    assert now.model.digest.endswith(f" {digest}") and not deck.has_changed(now, tmp_path)
    # It is of that deck alone, wherever that is, and of what another mesh of it becomes.
    (tmp_path / "c.inp").unlink()
    assert deck.content_of(now, tmp_path / "moved") == digest
    typo = now.with_(model=now.model.with_(path="d.inp"))
    with pytest.raises(ModelError, match="The deck of body 'b' is not there"):
        deck.content_of(typo, tmp_path)
    (tmp_path / "d.inp").write_text("*NODE\n1, 0, 0, 0\n")
    assert not deck.has_changed(typo, tmp_path)
    (again,) = deck.with_digests(Project(bodies=(typo,)), tmp_path).bodies
    assert again.model.digest.endswith(f" {deck.deck_digest(tmp_path / 'd.inp')}")


def test_another_file_that_is_chosen_is_not_taken_for_the_former():
    """Also where it has the same name in another folder; what an earlier version remembered has no name."""
    words = {"path": "a/b.inp", "digest": "abc", "stiffness_file": "a/K.npz", "mass_file": "a/M.npz"}
    project = build(Project, {"bodies": [{"name": "b", "model": words | {"matrices_digest": "names abc"}}]})

    def remembered(name, value):
        model = set_value(("bodies", 0, "model", name), value)(project).bodies[0].model
        return model.digest, model.matrices_digest

    assert remembered("path", "a/b.inp") == ("abc", "names abc")
    assert remembered("path", "c/b.inp") == remembered("path", "a/d.inp") == ("", "names abc")
    for name in ("stiffness_file", "mass_file", "dof_file"):
        assert remembered(name, "c/K.npz") == ("abc", "")


def test_matrix_files_come_in_pairs(tmp_path):
    def body(**words):
        return build(BodySpec, {"name": "b", "model": {"path": "b.inp", **words}})

    both = body(stiffness_file="K.npz", mass_file="M.npz")
    assert deck.matrix_paths(both, tmp_path) == (tmp_path / "K.npz", tmp_path / "M.npz", None)
    assert (
        deck.matrix_paths(body(stiffness_file="K.npz", mass_file="M.npz", dof_file="d"), tmp_path)[2]
        == tmp_path / "d"
    )
    for words, said in (
        ({"stiffness_file": "K.npz"}, "matrix K.npz .* no mass file"),
        ({"mass_file": "M.npz"}, "matrix M.npz .* no stiffness file"),
    ):
        with pytest.raises(ModelError, match=said):
            deck.matrix_paths(body(**words), tmp_path)
    some = body(superelements=[{"name": "s", "stiffness_file": "K.npz"}])
    (found,) = deck.superelements_of(some, tmp_path)
    assert (
        found.stiffness == tmp_path / "K.npz"
        and found.mass is found.dofs is found.damping is found.loads is None
    )


def test_what_another_mesh_changes():
    """A surface is the same within a share of its area and of its size; nodes within a millionth of the body's."""
    before = box("hex8", (4, 3, 2), (20.0, 15.0, 8.0))
    side = {"kind": "deck_set", "name": "ZMAX"}
    words = {
        "name": "b",
        "model": {"path": "b.inp"},
        "contact_surfaces": [{"name": "top", "surface": side}],
        "interfaces": [{"name": "hold", "node": 1}, {"name": "tip", "node": 60}],
        "materials": [{"kind": "library", "name": "steel", "element_set": "HUB"}],
    }
    body = build(BodySpec, words)

    def kinds(**size):
        after = box("hex8", size.pop("counts", (4, 3, 2)), (20.0, 15.0, 8.0))
        nodes = after.nodes * size.pop("scale", 1.0) + size.pop("shift", np.zeros(3))
        return [
            change.state
            for change in deck_changes.deck_changes(
                body, before, dataclasses.replace(after, nodes=nodes), "m-kg-s"
            )
        ]

    same = kinds()
    assert same[:2] == ["kept", "kept"] and "lost" in same
    close = deck_changes._CLOSE
    surface = next(
        k
        for k, change in enumerate(deck_changes.deck_changes(body, before, before, "m-kg-s"))
        if "surface" in change.what.lower()
    )
    assert same[surface] == "kept" and kinds(counts=(5, 3, 2))[surface] == "kept"
    wide = np.array([1.0, 1.0, 1.0])
    assert kinds(scale=wide * (1.0 + 0.3 * close))[surface] == "kept"
    assert kinds(scale=wide * (1.0 + 0.8 * close))[surface] == "changed"
    length = np.sqrt(20.0 * 15.0)
    assert kinds(shift=np.array([0.0, 0.0, 0.9 * close * length]))[surface] == "kept"
    assert kinds(shift=np.array([0.0, 0.0, 1.1 * close * length]))[surface] == "changed"
    assert kinds(shift=np.array([1.9e-5, 0, 0]))[:1] == ["kept"] and kinds(shift=np.array([2.1e-5, 0, 0]))[
        :1
    ] == ["changed"]


# --- stages


def test_what_stages_keep_and_pass_on():
    """Recorded: order, what each is for, what it keeps, whether it is of FE matrices, whether it goes into files."""
    from faying.project.stages import STAGES

    assert [(s.name, s.order, s.per, s.keeps, s.unreduced, s.travels, s.weight) for s in STAGES] == [
        ("model", 10, "body", "artifact", False, True, 0.6),
        ("skin", 20, "body", "memory", False, True, 0.2),
        ("pairs", 40, "joint", "artifact", False, True, 0.3),
        ("contact_surfaces", 45, "body", "memory", False, True, 0.1),
        ("matrices", 50, "body", "memory", True, True, 1.8),
        ("interior", 60, "body", "memory", True, True, 0.1),
        ("components", 70, "body", "artifact", True, False, 4.7),
        ("load_modes", 75, "body", "artifact", True, False, 3.0),
        ("preload", 80, "body", "artifact", True, False, 20.0),
        ("joint_problem", 90, "body", "memory", True, True, 0.1),
        ("training", 95, "body", "memory", True, True, 0.1),
        ("basis", 100, "body", "artifact", True, True, 6.5),
        ("full_modes", 110, "body", "artifact", True, False, 5.0),
        ("quality", 120, "body", "artifact", True, True, 0.5),
        ("joint_quality", 125, "body", "artifact", True, True, 6.0),
        ("body", 130, "body", "artifact", False, True, 0.8),
        ("sampling", 135, "body", "artifact", True, True, 10.0),
        ("analysis", 140, "analysis", "results", False, True, 15.0),
        ("motion", 150, "motion", "results", False, True, 15.0),
        ("sweep", 160, "sweep", "results", False, True, 60.0),
    ]


def test_a_sweep_reads_what_its_points_may_see_and_nothing_else(tmp_path):
    from faying.project.stages import STAGES

    bodies = [{"name": name, "model": {"path": "b.inp", "digest": name}} for name in ("b", "c")]
    statics = [{"kind": "static", "name": f"{name}{k}", "body": name} for name in ("b", "c") for k in (1, 2)]
    sweep = {"kind": "sweep", "name": "more", "analysis": "b1", "responses": [{"quantity": "x"}],
             "variations": [{"decision": "bodies.b.reduction.vibration_modes", "values": [1, 2]}]}  # fmt: skip
    project = build(Project, {"bodies": bodies, "analyses": [*statics, sweep, sweep | {"name": "again"}]})
    write_plate_deck(tmp_path / "b.inp")
    (stage,) = (stage for stage in STAGES if stage.name == "sweep")
    found = stage.reads(project, Target("sweep", "", "more"), tmp_path)
    assert [each.name for each in found["analyses"]] == ["b1", "b2"] and found["systems"] == []
    assert [(each.name, each.model.digest) for each in found["bodies"]] == [("b", "")]


def test_copies_for_a_worker_go_with_what_they_are_for(tmp_path):
    """Artifacts, recipes and files lie in a folder of their own, which is removed with the work."""
    inputs = CopiedInputs({"k": b"artifact"}, {"k": "recipe"}, {str(tmp_path / "deck.inp"): b"deck"})
    plan = SimpleNamespace(project_of=lambda point: build(Project, point))
    work = SweepWork(plan, "press", (), tmp_path / "study", tmp_path / "store", None, inputs)
    folder = work.place
    static = {"kind": "static", "name": "press", "body": "b", "support": "hold"}
    point = {"bodies": [{"name": "b", "model": {"path": "../deck.inp"}}], "analyses": [static]}
    copied = work.project_of(point)
    assert (folder / "k.h5").read_bytes() == b"artifact" and (folder / "k.json").read_text() == "recipe"
    deck_there = Path(copied.bodies[0].model.path)
    assert deck_there.read_bytes() == b"deck" and deck_there.is_relative_to(folder) and work.place == folder
    # They are unpacked once, for all points.
    (folder / "k.h5").unlink()
    assert work.project_of(point) == copied and not (folder / "k.h5").exists()
    del work
    gc.collect()
    assert not folder.exists()
    assert SweepWork(None, "press", (), tmp_path, tmp_path / "store", None).place == tmp_path / "store"


def test_a_lock_whose_file_somebody_removed_ends_well(tmp_path):
    with lock.claim(tmp_path / "a.lock", lambda _: None):
        (tmp_path / "a.lock").unlink()
    assert not (tmp_path / "a.lock").exists()
