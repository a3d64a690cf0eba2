"""The count of visited files leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow  # another process that imports everything; nothing of the program depends on it
def test_a_walk_clears_up_after_itself(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.walks", "project"], cwd=Path(__file__).parents[2], text=True, timeout=300,
        capture_output=True, env=os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(tmp_path)),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "files: saved project" in done.stdout
    assert list(tmp_path.iterdir()) == []
