"""Seconds, memory and errors of the bearing cap over its size: ``python tests/benchmarks/scale.py``. Not a test.

Each size (edge length in mm of the elements at the joint: 1.25 has about 50 000 degrees of freedom, 0.345 about a
million) runs in a process of its own, from the deck to the end of one turn; the peak of the memory is told of every
stage by itself. Sizes up to 300 000 degrees of freedom are then compared with the unreduced model, after their seconds
and memory were taken. ``--until first`` ends with the first static frame, ``--to FILE.json`` keeps what was found, size
by size, and ``--print FILE.json`` writes that as the tables of the manual's page on large models.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from threadpoolctl import threadpool_info

from faying.cli import system
from faying.linalg.freed_memory import keep_freed_memory
from faying.linalg.threads import physical_cores

SIZES = (1.25, 0.96, 0.61, 0.345)
COMPARED = (
    0.5  # mm: finer ones have no room, or time, for unreduced solutions beside what they are compared with
)
_STATUS, _REFERENCES = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_MARK = "RESULT "
Found = dict[str, object]


def main() -> None:
    """Measure the sizes that are named, each in a process, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=float, nargs="*", default=list(SIZES))
    parser.add_argument(
        "--compare",
        choices=("some", "all", "none"),
        default="some",
        help="with the unreduced model: sizes up to 300 000 degrees of freedom, all or none",
    )
    parser.add_argument("--until", choices=("first", "turn"), default="turn")
    parser.add_argument("--frames", type=int, default=72)
    parser.add_argument(
        "--to", type=Path, help="JSON file that keeps what is found; sizes in it are replaced"
    )
    parser.add_argument("--print", type=Path, dest="printed", help="print the tables of such a file, no more")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.printed is not None:
        _tables(json.loads(arguments.printed.read_text()))
        return
    compared = {"some": COMPARED, "all": 0.0, "none": np.inf}[arguments.compare]
    if arguments.alone:
        (size,) = arguments.sizes
        say(_MARK + json.dumps(measure(size, size >= compared, arguments.until, arguments.frames)))
        return
    found: list[Found] = (
        json.loads(arguments.to.read_text()) if arguments.to and arguments.to.exists() else []
    )
    for size in arguments.sizes:
        call = [sys.executable, __file__, "--alone", "--sizes", str(size), "--until", arguments.until]
        call += ["--frames", str(arguments.frames), "--compare", arguments.compare]
        with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            for line in run.stdout:
                if not line.startswith(_MARK):
                    say(line.rstrip())
                    continue
                new = json.loads(line[len(_MARK) :])
                found = sorted(
                    [*(each for each in found if each["size"] != size), new], key=lambda each: -each["size"]
                )
                if arguments.to:
                    arguments.to.write_text(json.dumps(found, indent=1))
        if run.returncode:
            say(f"elements of {size} mm: ended with {run.returncode}")
    _tables(found)


def say(line: str) -> None:
    """Print a line now."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def peak(*, reset: bool = True) -> float:
    """Return the largest resident memory in GB since it was last asked for; nan where the system does not tell."""
    if not _STATUS.exists():
        return float("nan")
    value = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    if reset:
        _REFERENCES.write_text("5")
    return float(value.split()[1]) / 2**20


def measure(size: float, unreduced: bool, until: str, frames: int) -> Found:
    """Return what one size takes."""
    system.use_physical_cores()
    keep_freed_memory()
    from faying.examples import ExampleRun
    from faying.examples.bearing_cap import BearingCapExample, bearing_project
    from faying.project.store import ArtifactStore

    project = bearing_project(size, frames, unreduced=unreduced, estimates=False)
    seconds: dict[str, float] = {}
    memory: dict[str, float] = {}
    busy: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        run = ExampleRun(project, ArtifactStore(Path(folder)))
        count = run.count_time

        def told(step, spent, whose=""):
            label = f"{step.target.stage} {step.target.item}".strip()
            seconds[label] = seconds.get(label, 0.0) + spent
            memory[label] = max(memory.get(label, 0.0), peak())
            # A stage ends where the next begins, but for what the run does in between.
            worked = time.process_time() - sum(busy.values()) - before
            busy[label] = busy.get(label, 0.0) + worked
            say(f"  {label:<34}{spent:10.1f} s{worked:10.1f} s of processors{memory[label]:8.2f} GB")
            count(step, spent, whose)

        run.count_time = told
        peak()
        threads = max((each["num_threads"] for each in threadpool_info()), default=1)
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
        say(f"\nelements of {size} mm; {physical_cores()} cores, {threads} threads of NumPy, load {load:.1f}")
        began, before = time.perf_counter(), time.process_time()
        run.results("down").close()
        first, worked = time.perf_counter() - began, time.process_time() - before
        matrices, interior = run.value("matrices"), run.value("interior")
        found: Found = {
            "size": size, "dofs": matrices.dofs.n_dofs, "pairs": len(run.value("pairs", "cap joint")),
            "entries of K": int(matrices.stiffness.nnz), "load before": load,
            "seconds to the first frame": round(first, 1),
            "processor seconds to the first frame": round(worked, 1),
        }  # fmt: skip
        if interior.solver:
            found |= {"solver": interior.solver, "entries of the factor": interior.entries}
        if until == "turn":
            began = time.perf_counter()
            run.results("turn").close()
            found["seconds of the turn"] = round(time.perf_counter() - began, 1)
        found |= {
            "seconds": dict(seconds), "processor seconds": dict(busy), "peak": dict(memory),
            "largest peak": max(memory.values()),
        }  # fmt: skip
        if until == "turn":
            found["measured"] = BearingCapExample().measure(run)
        return found


def _tables(found: list[Found]) -> None:
    """Print what the manual's page on large models says of each size: one row, then its seconds stage by stage."""
    errors = [("gap norm, unreduced", "gap_error_"), ("pressures, unreduced", "pressure_error_")]
    say("\n| degrees of freedom | pairs | entries of the factor | largest memory | deck to first static frame "
        "(of processors) | one turn (of processors) | "
        + " | ".join(name for name, _ in errors) + " |\n" + "| --- " * 8 + "|")  # fmt: skip
    for each in found:
        measured = each.get("measured", {})
        assert isinstance(measured, dict)
        largest = [
            max((v for k, v in measured.items() if k.startswith(name)), default=None) for _, name in errors
        ]
        first = f"{each['seconds to the first frame']:.0f} s ({each['processor seconds to the first frame']:.0f} s)"
        busy = each["processor seconds"].get("analysis turn", 0.0)  # type: ignore[attr-defined]
        turn = f"{each['seconds of the turn']:.0f} s ({busy:.0f} s)" if "seconds of the turn" in each else ""
        cells = [
            f"{each['dofs']:,}".replace(",", " "), f"{each['pairs']:,}".replace(",", " "),
            f"{each.get('entries of the factor', 0):.2e}".replace("e+0", "e"),
            f"{each['largest peak']:.1f} GB", first, turn,
            *("" if value is None else f"{100 * value:.2g} %" for value in largest),
        ]  # fmt: skip
        say(f"| {' | '.join(cells)} |")
    stages = dict.fromkeys(stage for each in found for stage in each["seconds"])  # type: ignore[attr-defined]
    sizes = " | ".join(f"{each['dofs']:,}".replace(",", " ") for each in found)
    say(f"\n| seconds (of processors), and largest memory | {sizes} |\n{'| --- ' * (1 + len(found))}|")
    for stage in stages:
        cells = []
        for each in found:
            taken = (each[what].get(stage) for what in ("seconds", "processor seconds", "peak"))  # type: ignore[attr-defined]
            seconds, busy, memory = taken
            cells.append("" if seconds is None else f"{seconds:.1f} s ({busy:.1f} s), {memory:.1f} GB")
        say(f"| {stage} | {' | '.join(cells)} |")
    for each in found:
        say(f"\n{each['dofs']} degrees of freedom:")
        for name, value in each.items():
            if name not in ("seconds", "processor seconds", "peak", "measured"):
                say(f"  {name:<44}{_text(value):>14}")
        for name, value in dict(each.get("measured", {})).items():  # type: ignore[call-overload]
            say(f"  {name:<44}{_text(value):>14}")


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
