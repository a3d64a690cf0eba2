"""A few kills of real runs; hundreds of them by ``python -m tests.fuzz.kills --kills 200``."""

from pathlib import Path

import pytest

from fuzz.kills import kill_again_and_again


@pytest.mark.slow  # each kill and each run after it starts a process of its own, several seconds each
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found in /proc")
def test_killed_runs_end_as_if_nobody_had_touched_them(tmp_path):
    assert kill_again_and_again(tmp_path, kills=4, seed=3) >= 4
