"""A folder that somebody sent is read as data: no settings of libraries in it are heeded, no modules imported."""

import os
import pickle
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from faying.foreign_settings import SETTINGS, forget_the_folder, without_settings_of_the_folder
from support.plate_deck import write_study

MODULES = ("numpy.py", "yaml.py", "sitecustomize.py", "usercustomize.py")


class Command:
    """What un-pickles as a command that is run."""

    def __reduce__(self):
        return os.system, ("echo run >> stranger",)


def poison(folder: Path) -> Path:
    """Make a study beside settings whose cache of machine code runs a command; return the study's path."""
    study = write_study(folder)
    (folder / ".numba_config.yaml").write_text("cache_dir: cache\n")
    done = faying(folder, "run", study, NUMBA_CACHE_DIR="cache")
    assert done.returncode == 0, done.stderr
    indices = [*(folder / "cache").rglob("*.nbi")]
    assert indices, "the run compiled nothing that can be poisoned"
    for index in indices:
        index.write_bytes(pickle.dumps(Command()))
    (folder / "plates.faying").unlink()  # so that all is computed again
    for name in MODULES:
        (folder / name).write_text('raise SystemExit(open("stranger", "a").write("imported"))\n')
    return study


def faying(folder: Path, *words: object, **variables: str) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, "-m", "faying", *map(str, words)], cwd=folder, env={**environment, **variables},
        capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.skipif(
    not (find_spec("numba") and find_spec("yaml")), reason="numba reads settings by PyYAML alone"
)
def test_the_folder_of_a_study_runs_nothing(tmp_path: Path) -> None:
    study = poison(tmp_path)
    done = faying(tmp_path, "run", study.name)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "stranger").exists(), (tmp_path / "stranger").read_text()
    (tmp_path / "plates.faying").unlink()
    with_choice = faying(
        tmp_path, "run", study.name, NUMBA_CACHE_DIR="cache"
    )  # a choice of the user is heeded
    assert (tmp_path / "stranger").exists(), with_choice.stderr


@pytest.mark.skipif(not find_spec("matplotlib"), reason="the core alone draws no pictures")
def test_a_picture_is_drawn_beside_settings_with_which_matplotlib_would_not_load(tmp_path: Path) -> None:
    study = write_study(tmp_path)
    (tmp_path / "matplotlibrc").write_bytes(b"\xff\xfe")
    assert faying(tmp_path, "run", study).returncode == 0
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
