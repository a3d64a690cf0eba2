"""One hour of simulated motion with constant memory: ``python tests/benchmarks/one_hour.py``.

The flexible pendulum of the examples swings for an hour; its results are streamed to disk. Told at every tenth are the
memory of the process and the length of the file; in the end, how long a reader takes to open it and to give a frame
from its middle, and by how much it grows. Not a test: nothing can fail here. It takes some minutes.
"""

import argparse
import os
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

# One thread, before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from _watch import ResidentMemory, resident_bytes, say

from faying.analyses import BodyModel, SystemModel
from faying.analyses.motion import Motion
from faying.examples import ExampleRun, examples
from faying.params import build
from faying.progress import Silent
from faying.project.store import ArtifactStore
from faying.results.results import Results

STEP, FRAMES_PER_SECOND = 0.05, 20


class Tenths:
    """Tells memory and length of the file at every tenth of a run."""

    def __init__(self, target: Path) -> None:
        self._target, self._next = target, 0.1
        self.memory: list[float] = []
        self.lengths: list[int] = []

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        if fraction < self._next:
            return
        self._next += 0.1
        self.memory.append(resident_bytes())
        self.lengths.append(self._target.stat().st_size)
        say(
            f"  {text:<14}{self.memory[-1] / 1e6:9.1f} MB of memory, {self.lengths[-1] / 1e6:9.1f} MB on disk"
        )


def pendulum(folder: Path) -> SystemModel:
    run = ExampleRun(examples["flexible-pendulum"]().build(), ArtifactStore(folder))
    body = BodyModel("bar", run.value("body"), joints=(), interface_nodes={})
    return SystemModel(run.project.systems[0], {"bar": body})


def simulate(system: SystemModel, duration: float, target: Path, progress: Any) -> dict[str, Any]:
    words = {
        "name": "swing", "system": "pendulum", "duration": duration, "frames": round(FRAMES_PER_SECOND * duration),
        "integrator": {"kind": "hht", "alpha": -0.3, "tolerance": 1e-6, "fixed_step": True, "largest_step": STEP},
    }  # fmt: skip
    return build(Motion, words).run(system, target, progress)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=1.0)
    duration = 3600.0 * parser.parse_args().hours
    with TemporaryDirectory() as folder:
        system, target = pendulum(Path(folder) / "store"), Path(folder) / "hour.h5"
        simulate(system, 10 * STEP, Path(folder) / "first.h5", Silent())  # compiles
        say(
            f"flexible pendulum, {duration:g} s in steps of {STEP:g} s, {FRAMES_PER_SECOND} frames per second"
        )
        tenths, began = Tenths(target), time.process_time()
        report = simulate(system, duration, target, tenths)
        say(f"  {report['steps']} steps in {time.process_time() - began:.0f} s of the processor")
        say(
            f"  memory from the first to the last tenth: {(tenths.memory[-1] - tenths.memory[0]) / 1e6:+.1f} MB; "
            f"length of each tenth on disk: {np.diff(tenths.lengths).min() / 1e6:.2f} to "
            f"{np.diff(tenths.lengths).max() / 1e6:.2f} MB"
        )
        began = time.perf_counter()
        with ResidentMemory() as memory, closing(Results(target)) as results:
            results.part("bar").coordinates(results.n_frames // 2)
            took, frames = time.perf_counter() - began, results.n_frames
            time.sleep(0.05)  # for the last sample of memory
        say(
            f"  opened, and frame {frames // 2} of {frames} read, in {1e3 * took:.1f} ms; {memory.growth / 1e6:.1f} MB"
        )


if __name__ == "__main__":
    main()
