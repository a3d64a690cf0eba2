"""A folder that somebody sent is read as data: no settings of libraries in it are heeded, no modules imported."""

import os
import pickle
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from faying.cli import main
from faying.foreign_settings import SETTINGS, forget_the_folder, without_settings_of_the_folder
from support.plate_deck import write_study

MODULES = ("numpy.py", "yaml.py", "sitecustomize.py", "usercustomize.py")
SETTINGS_OF_OTHERS = ("matplotlibrc", "pyproject.toml", "setup.cfg", "pyvenv.cfg", "dask.yaml", "qt.conf")
IN_A_POOL = """
import numpy as np
from faying.parallel import run_parallel
from faying.progress import Silent

def work(shared, task, progress):
    from faying.fem.kernels import repeat_rows
    yield repeat_rows(np.array([0, 1]), np.array([task]), shared).sum()

print(sorted(total for _, total in run_parallel(work, 1, [0, 1], 2, Silent())))
"""
IN_THE_WORKER = """
import sys, tempfile, time
from pathlib import Path
from faying.project.stage import Target
from faying.session import read_decisions
from faying.worker.process import WorkerProcess

study = Path(sys.argv[1])
with WorkerProcess() as process, tempfile.TemporaryDirectory() as store:
    process.run(read_decisions(study)[0], Target("matrices", "plates"), Path(store), base=study.parent)
    said = []
    while not said or said[-1][0] not in ("done", "failed"):
        time.sleep(0.02)
        said += process.poll()
sys.exit(0 if said[-1][0] == "done" else f"{said[-1]}")
"""
# One loop that the assembly of matrices runs. All of its loops would take ten seconds to compile.
ONE_KERNEL = """
import numpy as np
from faying.fem.kernels import repeat_rows

repeat_rows(np.array([0, 1], np.int32), np.array([0], np.int32), 1)
"""
RUN = ("run", "plates.toml", "--until", "matrices")


class Command:
    """What un-pickles as a command that is run."""

    def __reduce__(self):
        return os.system, ("echo $PPID >> stranger",)


def faying(folder: Path, *words: object, **variables: str) -> subprocess.CompletedProcess:
    return python(folder, "-m", "faying", *words, **variables)


def python(folder: Path, *words: object, **variables: str) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, *map(str, words)], cwd=folder, env={**environment, **variables},
        capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture(scope="module")
def beside_strangers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study beside modules, and settings that name a cache of machine code."""
    if not (find_spec("numba") and find_spec("yaml")):
        pytest.skip("numba reads settings by PyYAML alone")
    folder = tmp_path_factory.mktemp("poisoned")
    study = write_study(folder)
    (folder / ".numba_config.yaml").write_text("cache_dir: cache\n")
    done = python(folder, "-P", "-c", ONE_KERNEL, NUMBA_CACHE_DIR="cache")
    assert done.returncode == 0, done.stderr
    for name in MODULES:
        (folder / name).write_text('raise SystemExit(open("stranger", "a").write("imported"))\n')
    for name in SETTINGS_OF_OTHERS:
        (folder / name).write_bytes(b"\xff\xfe")
    return study


@pytest.fixture
def poisoned(beside_strangers: Path) -> Path:
    """Return the study; whoever reads the cache runs a command."""
    poison(beside_strangers.parent)
    return beside_strangers


def poison(folder: Path) -> None:
    """Write a command into each index of the cache; numba mends an index that it could not use."""
    indices = [*(folder / "cache").rglob("*.nbi")]
    assert indices, "the run compiled nothing that can be poisoned"
    for index in indices:
        index.write_bytes(pickle.dumps(Command()))


def processes_of_the_stranger(folder: Path) -> set[str]:
    """Return the numbers of the processes that did what a stranger wrote, and forget them."""
    there = folder / "stranger"
    found = set(there.read_text().split()) if there.exists() else set()
    there.unlink(missing_ok=True)
    return found


def test_the_folder_of_a_study_runs_nothing(poisoned: Path) -> None:
    here = poisoned.parent
    done = faying(here, *RUN)
    assert done.returncode == 0, done.stderr
    assert not processes_of_the_stranger(here)
    # The cache that the user chooses is read, by the same loop.
    with_choice = python(here, "-P", "-c", ONE_KERNEL, NUMBA_CACHE_DIR="cache")
    assert processes_of_the_stranger(here), with_choice.stderr


@pytest.mark.slow  # what compiles is the same module in all processes
@pytest.mark.parametrize("lines", [IN_THE_WORKER, IN_A_POOL])
def test_nor_does_it_in_processes_that_compute_for_others(poisoned: Path, lines: str) -> None:
    here = poisoned.parent
    done = python(here, "-P", "-c", lines, poisoned)
    assert done.returncode == 0, done.stderr
    assert not processes_of_the_stranger(here)
    with_choice = python(here, "-P", "-c", ONE_KERNEL, NUMBA_CACHE_DIR="cache")
    assert processes_of_the_stranger(here), with_choice.stderr


@pytest.mark.skipif(not find_spec("matplotlib"), reason="the core alone draws no pictures")
def test_a_picture_is_drawn_beside_settings_with_which_matplotlib_would_not_load(tmp_path: Path) -> None:
    assert main(["run", str(write_study(tmp_path))]) == 0
    (tmp_path / "matplotlibrc").write_bytes(b"\xff\xfe")
    done = faying(tmp_path, "export", "plates.faying", "--to", "push.png", "--field", "von_mises")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "push.png").stat().st_size > 0


def test_settings_elsewhere_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (*SETTINGS, "other"):
        Path(name).touch()
    with without_settings_of_the_folder():
        assert not any(map(os.path.exists, SETTINGS))
        assert all(map(os.path.exists, ("other", tmp_path / SETTINGS[0])))
    assert all(map(os.path.exists, SETTINGS))


def test_modules_of_the_current_folder_are_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for first in (str(tmp_path), ""):
        search = [first, "elsewhere"]
        forget_the_folder(search, tmp_path / "elsewhere" / "faying")
        assert search == ["elsewhere"]
        search = [first, "elsewhere"]
        forget_the_folder(search, tmp_path / "faying")  # a checkout that is run where it is
        assert search == [first, "elsewhere"]
