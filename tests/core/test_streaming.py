"""Results of a long motion go to disk: memory does not grow with the number of frames."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from faying.analyses import SystemModel
from faying.analyses.motion import Motion
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.progress import Silent
from faying.results import writer
from faying.results.writer import ResultsWriter

STEP = 0.01
STATUS, PAGE = Path("/proc/self/statm"), 4096
PENDULUM = {
    "name": "pendulum",
    "gravity": (0.0, -9.81, 0.0),
    "ground": [{"name": "pivot"}],
    "parts": [
        {
            "kind": "rigid", "name": "bar", "mass": 1.0, "moments_of_inertia": (1e-3, 1 / 12, 1 / 12),
            "markers": [{"name": "left", "position": (-0.5, 0, 0)}], "placement": {"position": (0.5, 0, 0)},
        }
    ],
    "constraints": [{"kind": "revolute", "name": "hinge", "first": "ground.pivot", "second": "bar.left"}],
}  # fmt: skip


@pytest.fixture
def swing(tmp_path):
    """Let the pendulum swing for a number of steps, each a frame; the bytes of the file."""
    model = SystemModel(build(SystemSpec, PENDULUM), {})

    def run(frames: int) -> int:
        words = {
            "name": "swing", "system": "pendulum", "duration": frames * STEP, "frames": frames,
            "integrator": {"kind": "hht", "fixed_step": True, "largest_step": STEP},
        }  # fmt: skip
        target = tmp_path / f"{frames}.h5"
        assert build(Motion, words).run(model, target, Silent())["steps"] == frames
        return target.stat().st_size

    return run


@pytest.mark.slow  # seconds, and not what decides alone
def test_memory_is_constant_however_long_the_motion(swing, monkeypatch):
    # As many frames wait for each other on every machine.
    monkeypatch.setattr(writer, "_FLUSH_INTERVAL", np.inf)
    swing(20)  # loads and compiles
    tracemalloc.start()
    try:
        sizes, peaks = [], []
        for frames in (300, 900):  # either fills what waits at most, 256 frames
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            sizes.append(swing(frames))
            peaks.append(tracemalloc.get_traced_memory()[1] - before)
    finally:
        tracemalloc.stop()
    assert sizes[1] - sizes[0] > 75_000
    assert peaks[1] - peaks[0] < 500_000  # the 600 frames between would be three million


@pytest.mark.skipif(not STATUS.exists(), reason="the system does not tell the memory of a process")
def test_the_file_format_keeps_nothing_that_is_written(tmp_path):
    """HDF5 has memory of its own: the process as a whole does not grow by what it writes."""
    names, size = [f"part {i}" for i in range(24)], 64
    frame = dict.fromkeys(names, np.ones(size))
    with ResultsWriter(
        tmp_path / "long.h5", axis="time", sizes=dict.fromkeys(names, size), joints={}
    ) as writer:
        resident = []
        for frames in (500, 4500):
            for k in range(writer.n_frames, frames):
                writer.append(float(k), frame)
            writer.flush()
            resident.append(int(STATUS.read_text().split()[1]) * PAGE)
    assert (tmp_path / "long.h5").stat().st_size > 50e6
    assert resident[1] - resident[0] < 6e6
