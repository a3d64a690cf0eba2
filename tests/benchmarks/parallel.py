"""Points of studies beside each other, here and on a cluster: ``python tests/benchmarks/parallel.py``. Not a test.

Each line is a ratio within one run: the same points on one process, on two, and on one and two workers of
dask.distributed that are started from their command line. On a machine that others use, only the largest of several
runs says what can be had.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import distributed
from _watch import say

from faying.parallel import computing_on, run_parallel
from faying.progress import Silent
from faying.project import edits
from faying.project.stage import Target
from faying.session import Session
from faying.testing.plates import plates, write_plate_deck

SHORT, LONG = 1000, 24
STUDY = {
    "kind": "convergence_study", "name": "modes", "body": "plates", "support": "hold", "counts": [0, 4, 8],
    "unreduced": False, "loads": [{"interface": "tip", "force": [0.0, 0.0, -5.0]}],
    "methods": [{"kind": kind} for kind in ("weighted_pod", "pod", "equilibrium_snapshots", "pod_of_forces")],
}  # fmt: skip


def short(shared, task, progress):
    """A point of a tenth of a millisecond."""
    yield sum(range(shared))


def long(shared, task, progress):
    """A point of some tenths of a second of arithmetic, in the interpreter."""
    total = 0
    for i in range(shared):
        total += i % 7
    yield total


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """Give the scheduler file of a cluster of worker processes."""
    with tempfile.TemporaryDirectory() as folder:
        file, log = Path(folder) / "scheduler.json", (Path(folder) / "log").open("w")
        paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

        def start(*words: str) -> subprocess.Popen:
            line = [sys.executable, "-m", "dask", *words, "--scheduler-file", str(file)]
            return subprocess.Popen(line, env=environment, cwd=folder, stdout=log, stderr=log)

        processes = [start("scheduler", "--port", "0", "--dashboard-address", ":0")]
        while not file.exists():
            time.sleep(0.05)
        processes += [
            start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(workers)
        ]
        try:
            with distributed.Client(scheduler_file=str(file)) as client:
                client.wait_for_workers(workers)
            with computing_on(str(file)):
                list(run_parallel(sys.modules["parallel"].short, 1, [0] * workers, 1, Silent()))  # imports
            yield str(file)
        finally:
            for process in processes:
                process.kill()
                process.wait()


def timed(what) -> float:
    began = time.perf_counter()
    what()
    return time.perf_counter() - began


def points(work, shared: int, count: int, processes: int) -> float:
    """Return the seconds from the first outcome to the last, without the start of processes, for as many points."""
    times = []
    for _ in run_parallel(work, shared, [0] * count, processes, Silent(), processes):
        times.append(time.perf_counter())
    return (times[-1] - times[0]) / (len(times) - 1) * len(times)


def study(deck: Path, processes: int) -> float:
    project = edits.add_analysis({**STUDY, "processes": processes})(plates(deck))
    session = Session(project)
    session.compute(Target("joint_problem", "plates"))
    return timed(lambda: session.compute(Target("analysis", "plates", "modes")))


def sweep(deck: Path, processes: int) -> float:
    words = {
        "kind": "sweep", "name": "forces", "analysis": "swing", "processes": processes,
        "variations": [{"decision": "analyses.swing.loads.tip.force.z", "lowest": -8, "highest": -1, "count": 8}],
        "responses": [{"quantity": "tip uz"}],
    }  # fmt: skip
    project = plates(deck)
    number = [analysis.name for analysis in project.analyses].index("swing")
    project = edits.set_values(("analyses", number), {"duration": 2e-3, "frames": 50})(project)
    session = Session(edits.add_analysis(words)(project))
    session.compute(Target("body", "plates"))
    return timed(lambda: session.compute(Target("sweep", "", "forces")))


def line(name: str, seconds: dict[str, float]) -> None:
    first = seconds["1 process"]
    say(
        f"{name:34}"
        + "".join(f"{place} {value:7.2f} s ({first / value:4.2f} x)   " for place, value in seconds.items())
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", action="store_true", help="points alone, no studies")
    parser.add_argument("--divisions", type=int, default=16, help="of the plates along their length")
    arguments = parser.parse_args()
    here = sys.modules["parallel"]
    say(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        deck = write_plate_deck(Path(folder) / "plates.inp", divisions=arguments.divisions)
        runs = {
            f"{LONG} points of arithmetic": lambda n: points(here.long, 4_000_000, LONG, n),
            f"{SHORT} short points": lambda n: points(here.short, 1000, SHORT, n),
            "convergence study, 4 methods": lambda n: study(deck, n),
            "sweep of a transient, 8 points": lambda n: sweep(deck, n),
        }
        if arguments.points:
            runs = {name: run for name, run in runs.items() if "points of" in name or "short" in name}
        found: dict[str, dict[str, float]] = {name: {} for name in runs}
        for name, run in runs.items():
            for n in (1, 2):
                found[name][f"{n} process{'es' * (n > 1)}"] = run(n)
            line(name, found[name])
        for n in (1, 2):
            with cluster(n) as place, computing_on(place):
                for name, run in runs.items():
                    found[name][f"{n} worker{'s' * (n > 1)}"] = run(n)
                    line(name, found[name])


if __name__ == "__main__":
    import parallel  # under this name workers find it, too

    parallel.main()
