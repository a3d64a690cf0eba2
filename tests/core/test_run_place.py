"""`faying run` replaces what a run of the same study wrote, and nothing that somebody decided."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import pytest

from faying.cli import main
from faying.project.file import open_project, save_project
from faying.project.run_place import identity_of
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.workspace import Workspace
from support.plate_deck import write_study


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "home"))
    folder = tmp_path / "project"
    folder.mkdir()
    return write_study(folder)


def run(study, *words):
    return main(["run", str(study), "--until", "model", *map(str, words)])


def edit(study, note="edited"):
    study.write_text(f'note = "{note}"\n' + study.read_text())


def names(study):
    return sorted(path.name for path in study.parent.glob("*.faying"))


def decide(file, note, view="the view"):
    """Open a file in a window, decide something, save."""
    window = Workspace.new_session()
    project, _ = window.open(file)
    window.save(project.with_(note=note), view, file, PIPELINE)
    window.close()


def test_what_the_run_of_this_study_wrote_is_replaced_when_the_study_was_edited(study, capsys):
    assert run(study) == 0
    edit(study)
    assert run(study) == 0
    assert names(study) == ["plates.faying"] and "plates-2" not in capsys.readouterr().err
    assert open_project(study.with_suffix(".faying")).project.note == "edited"


def test_what_was_decided_in_the_window_stays(study, capsys):
    file = study.with_suffix(".faying")
    assert run(study) == 0
    decide(file, "a week's work")
    assert run(study) == 0
    assert open_project(file).project.note == "a week's work"
    said = capsys.readouterr()
    assert "this run writes" in said.err and "plates-2.faying" in said.err and "plates-2.faying" in said.out
    # The next run goes on with its own file, however the study was edited.
    edit(study)
    assert run(study) == 0
    assert names(study) == ["plates-2.faying", "plates.faying"]
    assert open_project(file.with_name("plates-2.faying")).project.note == "edited"
    assert run(study, "--force") == 0
    assert open_project(file).project.note == "edited"


def test_a_window_that_decided_nothing_leaves_it_to_the_run(study):
    file = study.with_suffix(".faying")
    assert run(study) == 0
    decide(file, "", view="seen from above")
    edit(study)
    assert run(study) == 0
    assert names(study) == ["plates.faying"]
    assert open_project(file).view == "seen from above"  # a study has no view to put in its place


def test_what_the_run_of_another_study_wrote_stays(study, capsys):
    other = study.with_name("other.toml")
    other.write_text(study.read_text())
    edit(other, "another study")
    assert run(other, "--out", study.with_suffix(".faying")) == 0
    assert run(study) == 0
    assert names(study) == ["plates-2.faying", "plates.faying"]
    assert open_project(study.with_suffix(".faying")).project.note == "another study"


def test_a_moved_result_of_another_folder_stays(study, tmp_path):
    assert run(study) == 0
    shutil.copytree(study.parent, tmp_path / "case 2")
    moved = tmp_path / "case 2" / study.name
    assert run(moved) == 0  # equal decisions: nothing is lost
    assert names(moved) == ["plates.faying"]
    shutil.copy(study.with_suffix(".faying"), moved.parent)
    edit(moved)
    assert run(moved) == 0
    assert names(moved) == ["plates-2.faying", "plates.faying"]


def test_a_file_of_an_earlier_version_is_replaced_only_by_equal_decisions(study):
    file = study.with_suffix(".faying")
    assert run(study) == 0
    with h5py.File(file, "r+") as stored:
        del stored.attrs["run_of"], stored.attrs["run_of_decisions"]
    shutil.copy(file, old := file.with_name("old"))
    assert run(study) == 0 and names(study) == ["plates.faying"]
    shutil.copy(old, file)
    study.with_name("plates.inp").write_text(study.with_name("plates.inp").read_text() + "** changed\n")
    assert run(study) == 0 and names(study) == ["plates.faying"]  # a changed deck is no decision
    shutil.copy(old, file)
    edit(study)
    assert run(study) == 0 and names(study) == ["plates-2.faying", "plates.faying"]


def test_decisions_that_another_program_put_into_the_file_count(study):
    file = study.with_suffix(".faying")
    assert run(study) == 0
    with h5py.File(file, "r+") as stored:
        text = stored["project.toml"][()].decode()
        del stored["project.toml"]
        stored["project.toml"] = text.replace('note = ""', 'note = "by hand"')
    assert open_project(file).project.note == "by hand" and open_project(file).run_of == ""
    assert run(study) == 0
    assert open_project(file).project.note == "by hand"


def _newer(file):
    with h5py.File(file, "r+") as stored:
        stored.attrs["schema_version"] = 999


def _damaged(file):
    file.write_bytes(file.read_bytes()[:3000])


def _text(file):
    file.write_text("my notes of a week\n")


def _empty(file):
    file.write_bytes(b"")


@pytest.mark.parametrize("spoil", [_newer, _damaged, _text, _empty])
def test_what_cannot_be_read_is_refused(study, spoil, capsys, monkeypatch):
    file = study.with_suffix(".faying")
    assert run(study) == 0
    spoil(file)
    before = file.read_bytes()
    capsys.readouterr()
    with monkeypatch.context() as none:
        none.setattr("faying.project.pipeline.Pipeline.run", lambda *_, **__: pytest.fail("computed"))
        assert run(study) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: plates.faying: ") and "stays as it is" in said
    assert file.read_bytes() == before and names(study) == ["plates.faying"]
    assert run(study, "--force") == 0
    assert open_project(file).project.name


def test_an_impossible_out_is_told_before_anything_is_computed(study, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("faying.project.pipeline.Pipeline.run", lambda *_, **__: pytest.fail("computed"))
    (tmp_path / "folder.faying").mkdir()
    (tmp_path / "file").touch()
    deck = study.with_name("plates.inp")
    (tmp_path / "deck.faying").symlink_to(deck)
    os.link(deck, tmp_path / "hard.faying")
    os.mkfifo(tmp_path / "pipe.faying")
    contents = deck.read_bytes(), study.read_bytes()
    for out, words in (
        (tmp_path / "folder.faying", "is a folder"),
        (tmp_path / "file" / "x.faying", "cannot be made"),
        (tmp_path / f"{'x' * 245}.faying", "cannot be written"),
        (tmp_path / "pipe.faying", "is a device"),
        (tmp_path / "deck.faying", "reads from"),
        (tmp_path / "hard.faying", "reads from"),
        (deck, "Known are: .faying"),
        (study, "Known are: .faying"),
        (tmp_path / "out", "Known are: .faying"),
    ):
        for force in ((), ("--force",)):
            assert run(study, "--out", out, *force) == 1, out
            assert words in capsys.readouterr().err
    assert (deck.read_bytes(), study.read_bytes()) == contents


def test_a_work_folder_of_somebody_else_is_not_removed(study, capsys):
    mine = study.with_name("plates.faying.work")
    mine.mkdir()
    (mine / "thesis.tex").write_text("a year's work")
    assert run(study) == 1 and "would be removed" in capsys.readouterr().err
    assert (mine / "thesis.tex").read_text() == "a year's work"


@pytest.mark.slow  # several processes; that two of them get on is asked in a file of its own, too
def test_runs_of_equal_decisions_at_once_leave_one_file(study):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    words = [sys.executable, "-m", "faying", "run", str(study), "--until", "model"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    running = [subprocess.Popen(words, env=environment, **pipes) for _ in range(3)]
    for process in running:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0 or "Another Faying" in err, err
    assert names(study) == ["plates.faying"] and not list(study.parent.glob("*.work"))


def test_a_file_that_came_meanwhile_with_equal_decisions_is_no_reason_for_a_second_one(study, tmp_path):
    """The race of two runs without its chance: the other one's file comes between the look and the save."""
    assert run(study) == 0
    file, store = study.with_suffix(".faying"), ArtifactStore(tmp_path / "store")
    project = open_project(file).project
    save_project(file, project, "", store, [], base=study.parent, replaces="")
    assert open_project(file).run_of  # and the mark of the run stays


def test_studies_in_folders_whose_names_are_no_utf8_have_an_identity():
    one, other = (identity_of(Path(os.fsdecode(name))) for name in (b"/f\xfcr/a.toml", b"/f\xfdr/a.toml"))
    assert one != other
