"""Two processes at once: on one store, in one output folder, over one project file."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from faying.cli import main
from faying.errors import Cancelled
from faying.project.file import ProjectChanged, open_project
from faying.project.lock import FolderInUse, FolderLock, claim
from faying.project.stage import Target, target_of
from faying.project.stages import PIPELINE as REAL
from faying.project.store import ArtifactStore
from faying.project.workspace import Workspace
from support.plate_deck import write_study
from support.synthetic_stages import PIPELINE, bar

RUN = Target("run", "bar", "swing")

COMPUTE = """
import sys
from pathlib import Path
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from support.synthetic_stages import COMPUTED, PIPELINE, bar

class Told:
    told = ()
    def report(self, fraction, text="", **values):
        said = "begun" if text.endswith("frame") else text if "waiting for process" in text else None
        if said and said not in self.told:
            self.told += (said,)
            print(said, flush=True)
            if said == "begun":
                sys.stdin.readline()  # in the middle of the run until told to go on

deck, store = sys.argv[2], ArtifactStore(Path(sys.argv[1]))
results = PIPELINE.run(bar(deck=deck), Target("run", "bar", "swing"), store, progress=Told()).open()
print("computed", *COMPUTED)
print("frames", results.n_frames, results.complete)
"""


@pytest.fixture
def started():
    """Start programs with the modules of this one; whatever still runs at the end is ended."""
    running = []

    def start(program, *arguments):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        command = [sys.executable, "-c", program, *map(str, arguments)]
        running.append(subprocess.Popen(command, env=environment, **pipes))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.communicate()


def _begun(process):
    assert process.stdout.readline() == "begun\n"


def _end(process):
    out, err = process.communicate("go on\n", timeout=60)
    assert process.returncode == 0, err
    return out


def test_the_second_waits_for_what_the_first_computes(tmp_path, started):
    first = started(COMPUTE, tmp_path, "/5")
    _begun(first)
    second = started(COMPUTE, tmp_path, "/5")
    assert f"waiting for process {first.pid}, since " in second.stdout.readline()
    assert _end(first) == "computed source product sum run\nframes 7 True\n"
    assert _end(second) == "computed\nframes 7 True\n"  # nothing twice, and all of it
    assert not list(tmp_path.glob("*.lock")) and not list(tmp_path.glob("*.partial.h5"))


def test_the_second_takes_over_when_the_first_is_killed(tmp_path, started):
    first = started(COMPUTE, tmp_path, "/5")
    _begun(first)
    second = started(COMPUTE, tmp_path, "/5")
    assert "waiting for process" in second.stdout.readline()
    os.kill(first.pid, signal.SIGKILL)
    # What was stored is there.
    assert _end(second) == "begun\ncomputed run\nframes 7 True\n"


def test_both_compute_what_differs_at_the_same_time(tmp_path, started):
    began = [started(COMPUTE, tmp_path, deck) for deck in ("/5", "/6")]
    for process in began:
        _begun(process)  # both are in the middle of their run
    assert [_end(process).splitlines()[-1] for process in began] == ["frames 7 True", "frames 8 True"]


def test_waiting_can_be_cancelled(tmp_path, started):
    first = started(COMPUTE, tmp_path, "/5")
    _begun(first)

    class Impatient:
        def report(self, fraction, text="", **values):
            if "waiting" in text:
                raise Cancelled

    with pytest.raises(Cancelled):
        PIPELINE.run(bar(deck="/5"), RUN, ArtifactStore(tmp_path), progress=Impatient())
    assert first.poll() is None
    assert "frames 7 True" in _end(first)  # nobody disturbed it


COUNT = """
import sys, time
from pathlib import Path
from faying.project.lock import claim
folder = Path(sys.argv[1])
for _ in range(30):
    with claim(folder / "one.lock", lambda process: time.sleep(0.001)):
        number = int((folder / "number").read_text())
        time.sleep(0.001)
        (folder / "number").write_text(str(number + 1))
"""


def test_a_claim_that_comes_and_goes_is_never_held_twice(tmp_path, started):
    """Three processes count in one file; the lock file is removed and made again each time."""
    (tmp_path / "number").write_text("0")
    hasty = COUNT.replace("folder =", "import faying.project.lock as lock\nlock._PATIENCE = 0.0\nfolder =")
    for process in [started(hasty, tmp_path) for _ in range(3)]:
        _end(process)
    assert (tmp_path / "number").read_text() == "90"
    assert [path.name for path in tmp_path.iterdir()] == ["number"]


def test_a_folder_goes_with_its_lock(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "something").touch()
    lock = FolderLock(work)
    with pytest.raises(FolderInUse):
        FolderLock(work)
    lock.remove_folder()
    assert not work.exists()
    with claim(tmp_path / "x.lock", lambda process: pytest.fail("nobody else is here")):
        assert (tmp_path / "x.lock").read_text().split()[0] == str(os.getpid())
    assert list(tmp_path.iterdir()) == []


# A run on the command line that waits in the middle until it is told to go on.
RUN_ON = """
import sys
from faying.cli import main, terminal
report = terminal.TerminalProgress.report
asked = []
def held(self, fraction, text="", **values):
    if "static" in text.lower() and not asked:
        asked.append(print("begun", flush=True))
        sys.stdin.readline()
    report(self, fraction, text, **values)
terminal.TerminalProgress.report = held
sys.exit(main(["run", sys.argv[1]]))
"""


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    """Return a project file in which everything but the analysis is computed."""
    folder = tmp_path_factory.mktemp("plates")
    assert main(["run", str(write_study(folder)), "--until", "body"]) == 0
    return folder / "plates.faying"


def test_a_run_keeps_what_the_window_saved_meanwhile(plates, tmp_path, started, monkeypatch):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "home"))
    file = Path(shutil.copy(plates, tmp_path / "plates.faying"))
    window = Workspace.new_session()
    project, _ = window.open(file)
    run = started(RUN_ON, file)
    _begun(run)
    window.save(project.with_(note="decided meanwhile"), "the view", file, REAL)
    out, err = run.communicate("go on\n", timeout=60)
    assert run.returncode == 0 and "changed by another program" in err and "plates-2.faying" in out
    assert open_project(file).project.note == "decided meanwhile"
    analysis = target_of(project.analyses[0])
    results = ArtifactStore(tmp_path / "empty", below=tmp_path / "plates-2.faying")
    assert REAL.state(project, analysis, results).status == "ready"
    window.close()


def test_the_window_finds_the_results_of_a_run_and_keeps_its_decisions(
    plates, tmp_path, started, monkeypatch
):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "home"))
    file = Path(shutil.copy(plates, tmp_path / "plates.faying"))
    window = Workspace.new_session()
    project, _ = window.open(file)
    analysis = target_of(project.analyses[0])
    assert REAL.state(project, analysis, window.store).status == "missing"
    run = started(RUN_ON, file)
    _begun(run)
    _end(run)
    assert REAL.state(project, analysis, window.store).status == "ready"
    assert (window.news(), window.news()) == ("results", "")  # said once; they change no decision
    window.save(project.with_(note="mine"), "", file, REAL)
    assert REAL.state(project, analysis, window.store).status == "ready"  # and were kept in saving
    window.close()


def test_two_windows_do_not_overwrite_each_other_unasked(plates, tmp_path, monkeypatch):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "home"))
    file = Path(shutil.copy(plates, tmp_path / "plates.faying"))
    first, second = Workspace.new_session(), Workspace.new_session()
    project, _ = first.open(file)
    second.open(file)
    first.save(project.with_(note="first"), "", file, REAL)
    assert second.news() == "decisions" and first.news() == ""
    with pytest.raises(ProjectChanged, match="holds other decisions"):
        second.save(project.with_(note="second"), "", file, REAL)
    assert open_project(file).project.note == "first"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "plates.faying"]
    second.save(project.with_(note="second"), "", file, REAL, overwrite=True)
    assert open_project(file).project.note == "second" and first.news() == "decisions"
    first.close()
    second.close()
