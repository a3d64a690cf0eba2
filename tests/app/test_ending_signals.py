"""SIGTERM, SIGHUP and Ctrl-C end the real program: with a sentence, and with all that recovery needs."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from faying.project.recovery import find_recoverable
from support.plate_deck import write_plate_deck, write_study

pytestmark = [pytest.mark.window, pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")]


@pytest.fixture
def program(qtbot, tmp_path: Path):
    """Return a function that starts the window with a file and waits until a text is in its session."""
    running = []

    def start(file: Path, text: str) -> subprocess.Popen:
        command = [sys.executable, "-m", "faying", "gui", str(file)]
        environment = {**os.environ, "FAYING_HOME": str(tmp_path / "home")}
        running.append(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True))

        def is_there() -> bool:
            assert running[-1].poll() is None
            files = (tmp_path / "home" / "sessions").glob("*/project.toml")
            return any(text in found.read_text(encoding="utf-8") for found in files)

        qtbot.waitUntil(is_there, timeout=120_000)
        return running[-1]

    yield start
    for each in running:
        each.kill()
        each.communicate()


@pytest.mark.parametrize(
    "name", ["SIGTERM", *(pytest.param(name, marks=pytest.mark.slow) for name in ("SIGINT", "SIGHUP"))]
)
def test_a_signal_ends_the_window_and_keeps_what_is_in_no_file(program, tmp_path: Path, name: str) -> None:
    window = program(write_plate_deck(tmp_path / "plates.inp"), "plates.inp")
    window.send_signal(getattr(signal, name))
    _, said = window.communicate(timeout=180)
    assert window.returncode == 130
    assert f"error: interrupted by {name}. What is in no file is offered at the next start." in said
    assert "Traceback" not in said
    (found,) = find_recoverable(tmp_path / "home" / "sessions")
    assert [body.name for body in found.project.bodies] == ["plates"] and found.modified


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_signal_leaves_nothing_of_what_is_in_its_file(program, tmp_path: Path) -> None:
    from faying.cli import main

    assert main(["run", str(write_study(tmp_path))]) == 0
    window = program(tmp_path / "plates.faying", "plates.inp")
    window.send_signal(signal.SIGTERM)
    _, said = window.communicate(timeout=180)
    assert window.returncode == 130 and "Everything is in its file." in said
    assert not [*(tmp_path / "home" / "sessions").iterdir()]
