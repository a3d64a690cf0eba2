"""Workspaces: nothing is lost when the process is, and nothing stays behind when it ends well."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from faying.errors import Cancelled, FayingError, ReadError
from faying.project import edits
from faying.project.home import home
from faying.project.lock import FolderInUse, is_held
from faying.project.recovery import discard, find_recoverable, partial_results, tidy
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from faying.project.workspace import Workspace, sessions_folder
from support.synthetic_stages import PIPELINE, bar

SUM, RUN = Target("sum", "bar"), Target("run", "bar", "swing")


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "home"))
    return sessions_folder()


def test_own_files_are_in_the_users_data_folder_unless_told_otherwise(tmp_path, monkeypatch):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path))
    assert home() == tmp_path
    monkeypatch.delenv("FAYING_HOME")
    own = home()
    assert own.is_absolute() and own.name.lower() == "faying" and own != tmp_path


def _killed(program: str, *arguments: str) -> None:
    """Run a program that kills itself, with the modules of this one."""
    head = "import os, sys, signal\nfrom pathlib import Path\nfrom support.synthetic_stages import PIPELINE, bar\n"
    head += "from faying.project.stage import Target\nfrom faying.project.workspace import Workspace\n"
    head += "from faying.project import edits\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", head + program, *arguments],
        env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_a_clean_end_leaves_nothing(root):
    workspace = Workspace.new_session()
    workspace.autosave(bar(deck="/5"), modified=True)
    assert workspace.folder.parent == root and is_held(workspace.folder)
    assert find_recoverable() == []  # it runs
    workspace.close()
    assert list(root.iterdir()) == []
    assert home() == root.parent


def test_a_folder_is_held_until_it_is_gone(root, monkeypatch):
    """Who took it before would find it half removed, and lose what is kept in it meanwhile."""
    workspace, remove, held = Workspace.new_session(), shutil.rmtree, []

    def removing(path, **options):
        held.append(is_held(workspace.folder))
        remove(path, **options)

    monkeypatch.setattr(shutil, "rmtree", removing)
    workspace.close()
    assert held and all(held) and not workspace.folder.exists()


def test_a_killed_session_is_offered_with_its_last_change(root):
    _killed(
        """
workspace = Workspace.new_session()
project = bar(deck="/5")
workspace.autosave(project, modified=True)
workspace.autosave(edits.set_value(("note",), "the last word")(project), modified=True)
workspace.save_view("camera")
os.kill(os.getpid(), signal.SIGKILL)
"""
    )
    [session] = find_recoverable()
    assert session.project.note == "the last word" and session.path is None and session.modified
    workspace = Workspace(session.folder)
    project, view = workspace.recovered()
    assert project == session.project and view == "camera"
    assert find_recoverable() == []  # now it is ours
    workspace.close()
    assert list(root.iterdir()) == []


def test_frames_of_a_killed_run_are_recovered_with_the_session(root, tmp_path):
    _killed(
        """
workspace = Workspace.new_session()
project = bar(deck="/5000")
workspace.autosave(project, modified=False)
class Killer:
    def report(self, fraction, text="", **values):
        if text == "run swing: frame" and "5002" and self.count() > 20:
            os.kill(os.getpid(), signal.SIGKILL)
    seen = 0
    def count(self):
        self.seen += 1
        return self.seen
PIPELINE.run(project, Target("run", "bar", "swing"), workspace.store, progress=Killer())
"""
    )
    [session] = find_recoverable()
    [partial] = session.partial_results
    assert (partial.analysis, partial.body, partial.frames) == ("swing", "bar", 20)
    workspace = Workspace(session.folder)
    project, _ = workspace.recovered()
    assert PIPELINE.state(project, RUN, workspace.store).status == "partial"
    results = workspace.store.results(PIPELINE.key_of(project, RUN)).open()
    assert results.coordinates(19).tolist() == [19.0, 19.0]
    results.close()
    # Saved, the frames are in the project file.
    workspace.save(project, "", tmp_path / "rescued.faying", PIPELINE)
    workspace.close()
    again = Workspace.new_session()
    project, _ = again.open(tmp_path / "rescued.faying")
    assert PIPELINE.state(project, RUN, again.store).status == "partial"
    again.close()


def test_complete_results_that_were_never_saved_are_offered(root, tmp_path):
    program = """
workspace = Workspace.new_session()
project = bar(deck="/5")
workspace.autosave(project, modified=False)
PIPELINE.run(project, Target("run", "bar", "swing"), workspace.store)
if sys.argv[1:]:
    workspace.save(project, "", Path(sys.argv[1]), PIPELINE)
os.kill(os.getpid(), signal.SIGKILL)
"""
    _killed(program, str(tmp_path / "saved.faying"))
    assert find_recoverable() == []
    _killed(program)
    [session] = find_recoverable()
    assert session.unsaved_results == 1 and not session.modified and not session.partial_results


def test_a_killed_session_without_anything_new_is_not_offered(root):
    _killed(
        """
workspace = Workspace.new_session()
workspace.autosave(bar(deck="/5"), modified=False)
os.kill(os.getpid(), signal.SIGKILL)
"""
    )
    assert find_recoverable() == []


def test_discard_and_tidy(root):
    kill = "os.kill(os.getpid(), signal.SIGKILL)\n"
    _killed("workspace = Workspace.new_session()\nworkspace.autosave(bar(deck='/5'), modified=True)\n" + kill)
    _killed("workspace = Workspace.new_session()\n" + kill)
    running = Workspace.new_session()
    ended = root / "ended-session"
    ended.mkdir()
    (ended / "ended").touch()
    (ended / "project.toml").write_text("")
    tidy()
    assert len(list(root.iterdir())) == 2  # the running one and the recoverable one
    (session,) = find_recoverable()
    gone_on_with = Workspace(session.folder)  # by another window
    discard(session)
    assert (session.folder / "project.toml").exists()
    gone_on_with.close(keep=True)
    discard(session)
    assert list(root.iterdir()) == [running.folder]
    running.close()


@pytest.mark.parametrize(
    "text",
    ["name = ", 'units = "mm"\n[[bodies]]\nname = "b"\nexpected_mass = "1 kg"\nmodel = { path = "a.inp" }\n'],
)
def test_a_damaged_session_does_not_stop_the_start(root, text):
    folder = root / "broken"
    folder.mkdir(parents=True)
    (folder / "project.toml").write_text(text)
    (folder / "session.json").write_text("{")
    assert find_recoverable() == []
    workspace = Workspace(folder)
    with pytest.raises(ReadError):
        workspace.recovered()
    workspace.close()


def test_two_at_once_are_refused(tmp_path):
    first = Workspace(tmp_path / "out.faying.work")
    with pytest.raises(FolderInUse, match=f"process {os.getpid()}"):
        Workspace(tmp_path / "out.faying.work")
    first.close()
    Workspace(tmp_path / "out.faying.work").close()
    assert list(tmp_path.iterdir()) == []


def test_a_killed_run_is_gone_on_with(tmp_path):
    _killed(
        """
workspace = Workspace(Path(sys.argv[1]))
PIPELINE.run(bar(deck="/5"), Target("sum", "bar"), workspace.store)
os.kill(os.getpid(), signal.SIGKILL)
""",
        str(tmp_path / "out.faying.work"),
    )
    workspace = Workspace(tmp_path / "out.faying.work")
    [step] = PIPELINE.plan(bar(deck="/5"), SUM, workspace.store)
    assert step.ready
    workspace.close(keep=True)
    assert workspace.folder.exists() and not is_held(workspace.folder)


def test_save_open_and_the_store_between(root, tmp_path):
    project, path = bar(deck="/5"), tmp_path / "bar.faying"
    workspace = Workspace.new_session()
    PIPELINE.run(project, RUN, workspace.store)
    workspace.save(project, "view", path, PIPELINE)
    workspace.close()

    workspace = Workspace.new_session()
    opened, view = workspace.open(path)
    assert (opened, view) == (project, "view")
    assert PIPELINE.state(opened, RUN, workspace.store).status == "ready"
    other = edits.set_value(("bodies", 0, "joint_modes", "count"), 4)(opened)
    PIPELINE.run(other, RUN, workspace.store)
    workspace.save(other, "view 2", path, PIPELINE)
    assert PIPELINE.state(other, RUN, workspace.store).status == "ready"
    with pytest.raises(ReadError):
        workspace.open(tmp_path / "none.faying")
    assert workspace.path == path  # a failed open changes nothing
    workspace.close()


def test_a_home_that_cannot_be_used_is_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "file"))
    with pytest.raises(FayingError, match="cannot be used"):
        Workspace.new_session()


def test_autosave_is_quick_and_only_writes_changes(root):
    workspace = Workspace.new_session()
    project = bar(deck="/5", joints=tuple("abcdef"))
    workspace.autosave(project, modified=True)
    stamp = (workspace.folder / "project.toml").stat().st_mtime_ns
    workspace.autosave(project, modified=True)
    assert (workspace.folder / "project.toml").stat().st_mtime_ns == stamp
    workspace.autosave(project.with_(note="x"), modified=True)
    assert (workspace.folder / "project.toml").stat().st_mtime_ns > stamp
    workspace.close()


def test_partial_results_of_which_nothing_is_known_are_passed_over(tmp_path):
    """A file that another program left, or whose recipe is gone."""
    store = ArtifactStore(tmp_path / "store")
    store.folder.mkdir(exist_ok=True)
    (store.folder / "abc.partial.h5").write_bytes(b"nothing of ours")
    assert partial_results(store) == ()


class StopAtFrame:
    """A progress that is cancelled at the n-th frame."""

    def __init__(self, count):
        self.left = count

    def report(self, fraction, text="", **values):
        self.left -= text.endswith("frame")
        if self.left < 0:
            raise Cancelled


def names_that_the_file_lacks(workspace, project):
    """Return the runs with results that a reader of the file alone, and of nothing else, does not find."""
    file = ArtifactStore(workspace.folder / "nothing", workspace.path)
    lacks = []
    for recipe in PIPELINE.reached(project, workspace.store):
        found, saved = workspace.store.results(recipe.key), file.results(recipe.key)
        if found is not None and (
            saved is None or (saved.complete, saved.reached) != (found.complete, found.reached)
        ):
            lacks.append(recipe.item)
    return tuple(lacks)


def test_what_is_said_to_be_unsaved_is_what_the_file_lacks(root, tmp_path):
    """After each of many steps; a saved result was asked for again because the session's folder still had it."""
    workspace, path = Workspace.new_session(), tmp_path / "bar.faying"
    one, other = bar(deck="/5"), bar(deck="/6")
    said = []

    def look(project):
        assert workspace.unsaved_results(project, PIPELINE) == names_that_the_file_lacks(workspace, project)
        said.append(bool(workspace.unsaved_results(project, PIPELINE)))

    for project in (one, other, one):
        workspace.save(project, "", path, PIPELINE)
        look(project)
        with suppress(Cancelled):
            PIPELINE.run(project, RUN, workspace.store, progress=StopAtFrame(3))
        look(project)
        workspace.save(project, "", path, PIPELINE)
        look(project)
        PIPELINE.run(project, RUN, workspace.store)
        look(project)
        workspace.save(project, "", path, PIPELINE)
        look(project)
    assert said == [False, True, False, True, False] * 2 + [False] * 5  # the first is found again
    path.unlink()
    look(one)
    assert said[-1]
    workspace.close()


@pytest.mark.parametrize("name", ["bar.faying", "as.faying"])
def test_undo_after_a_run_and_a_save_finds_what_the_file_had(root, tmp_path, name):
    path, one, other = tmp_path / "bar.faying", bar(deck="/5"), bar(deck="/6")
    first = Workspace.new_session()
    PIPELINE.run(one, RUN, first.store)
    first.save(one, "", path, PIPELINE)
    first.close()
    session = Workspace.new_session()
    project, _ = session.open(path)
    PIPELINE.run(other, RUN, session.store)
    session.save(other, "", tmp_path / name, PIPELINE)
    assert PIPELINE.state(project, RUN, session.store).status == "ready"
    results = PIPELINE.value(project, RUN, session.store).open()
    assert results.complete and results.n_frames == 7
    results.close()
    assert PIPELINE.value(project, SUM, session.store)[0] == 7.0
    assert PIPELINE.state(other, RUN, session.store).status == "ready"
    # Nothing of it is offered after a crash: nobody can undo any more, and the file has the rest.
    session.close(keep=True)
    assert find_recoverable() == []
