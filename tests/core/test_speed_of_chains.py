"""Speed of rigid systems, so that a loss does not come unnoticed: the short runs of the benchmark, with its limits."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow  # a minute or two of processor time
def test_rigid_systems_keep_their_speed() -> None:
    script = Path(__file__).parents[1] / "benchmarks" / "rigid_chains.py"
    answer = subprocess.run(
        [sys.executable, str(script), "--quick"], capture_output=True, text=True, check=False
    )
    assert "chain of 2 bars" in answer.stdout, answer.stderr
    assert answer.returncode == 0, answer.stdout
