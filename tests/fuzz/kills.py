"""Runs that are killed at random moments and run again: they end as if nobody had touched them.

    python -m tests.fuzz.kills --kills 200 --seed 1 [--seconds 3600] [--folder DIR]

Each kill hits a real ``faying run`` with SIGKILL, SIGTERM or SIGINT, sooner or later. After each one the frames are
counted: never fewer than before. After some of them the run is left alone: its results are those of the run that
nobody touched, no file that it reads has changed, and no process and no work folder is left behind.
"""

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1])]

from faying.cli.session import work_folder  # noqa: E402
from faying.project.stage import target_of  # noqa: E402
from faying.project.stages import PIPELINE  # noqa: E402
from faying.project.store import ArtifactStore  # noqa: E402
from faying.results.results import Results  # noqa: E402
from faying.session import read_decisions  # noqa: E402
from support.plate_deck import STUDY, write_study  # noqa: E402

FRICTION = 'friction_law = { kind = "coulomb", friction_coefficient = 0.3 }'
MORE = """
[[analyses]]
kind = "transient"
name = "shake"
body = "plates"
support = "hold"
duration = 1e-3
frames = 100
loads = [{ interface = "tip", force = [0.0, 0.0, -5.0], time_history = { kind = "harmonic", frequency = 2000.0 } }]
integrator = { kind = "hht", tolerance = 1e-6, largest_step = 2e-6 }

[[systems]]
name = "pendulum"
gravity = [0.0, -9810.0, 0.0]
ground = [{ name = "pivot" }]
constraints = [{ kind = "revolute", name = "pivot", first = "ground.pivot", second = "bar.end" }]

[[systems.parts]]
kind = "rigid"
name = "bar"
mass = 1e-3
moments_of_inertia = [0.1, 10.0, 10.0]
placement = { position = [50.0, 0.0, 0.0] }
markers = [{ name = "end", position = [-50.0, 0.0, 0.0] }]

[[analyses]]
kind = "motion"
name = "fall"
system = "pendulum"
duration = 2.0
frames = 400
integrator = { kind = "hht", alpha = -0.05, tolerance = 1e-5, largest_step = 1e-3 }
"""
WAYS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


class Broken(AssertionError):  # noqa: N818 - what a fuzzer finds
    """A run that was killed did not end as it should."""


def write_project(folder: Path) -> Path:
    """Write a small study with statics in many steps, a transient with friction and a motion; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    text = STUDY.replace("load_steps = 3", "load_steps = 40")
    return write_study(
        folder, text.replace("stiffness = 5000.0 }", f"stiffness = 5000.0 }}\n{FRICTION}") + MORE
    )


def kill_again_and_again(
    folder: Path, *, kills: int, seed: int, seconds: float = float("inf"), most_in_a_row: int = 4
) -> int:
    """Return how many runs were killed; all ended well.

    Args:
        folder: for projects.
        kills: how many.
        seed: of the moments and ways.
        seconds: after which no further one is begun.
        most_in_a_row: before a run is left alone.

    Raises:
        Broken: otherwise; says with which seed and what happened.
    """
    dice, done, until = random.Random(seed), 0, time.monotonic() + seconds
    whole = write_project(folder / "whole")
    _run(whole, None, None)  # compiles, so its time says nothing
    began = time.monotonic()
    _run(write_project(folder / "again"), None, None)
    usual = time.monotonic() - began
    wanted, place = _results(whole), 0
    while done < kills and time.monotonic() < until:
        study = write_project(folder / f"killed {place}")
        place, told = place + 1, f"seed {seed}, {done} kills, project {place}"
        before, frames = _originals(study), dict.fromkeys(wanted, 0)
        for number in range(dice.randint(1, most_in_a_row)):
            way, began = dice.choice(WAYS), time.monotonic()
            killed = _run(study, dice.uniform(0.2, 1.1) * usual, way)
            done += killed
            if not killed and not number:  # the machine has become faster
                usual = time.monotonic() - began
            now = _frames(study)
            for name, count in now.items():
                _require(count >= frames[name], f"{told}: {name} has {count} frames, it had {frames[name]}")
            frames = now
            _require(_originals(study) == before, f"{told}: a file that is read was changed")
        _run(study, None, None)
        _require(_originals(study) == before, f"{told}: a file that is read was changed")
        _require(not work_folder(study.with_suffix(".faying")).exists(), f"{told}: the work folder is left")
        for name, (columns, values) in _results(study).items():
            _require(columns == wanted[name][0], f"{told}: {name} has other datasets")
            for column in columns:
                # To the last bit: all that a step hands over is stored, and nothing else is remembered.
                same = np.array_equal(values[column], wanted[name][1][column], equal_nan=True)
                _require(same, f"{told}: {name}: {column} differs from the run that nobody touched")
    return done


def _run(study: Path, after: float | None, way: signal.Signals | None) -> bool:
    """Run a study; kill it after some seconds, if it is still there. Return whether it was."""
    mark = uuid.uuid4().hex
    child = subprocess.Popen(
        [sys.executable, "-m", "faying", "run", study.name],
        cwd=study.parent, env={**os.environ, "FAYING_FUZZ": mark}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    try:
        _, errors = child.communicate(timeout=after)
        killed = False
    except subprocess.TimeoutExpired:
        assert way is not None
        child.send_signal(way)
        _, errors = child.communicate(timeout=120)
        killed = True
    # A signal may come in the last moment of a run, or before Python has begun to listen. Python ends itself by SIGINT
    # when KeyboardInterrupt was raised inside an exec of a text (as dataclasses are made), even if it was caught.
    usual = {0, 130, -int(way), -int(signal.SIGINT)} if killed and way is not None else {0}
    _require(child.returncode in usual, f"exit code {child.returncode} after {way}: {errors[-3000:]}")
    _require("Traceback" not in errors, f"a traceback after {way}: {errors[-3000:]}")
    if killed and child.returncode == 130:
        _require("error: " in errors, f"no sentence after {way}: {errors[-3000:]}")
    deadline = time.monotonic() + 10.0
    while left := list(_marked(mark)):
        _require(time.monotonic() < deadline, f"processes {left} are left after {way}")
        time.sleep(0.1)
    return killed


def _marked(mark: str) -> Iterator[int]:
    """Yield the numbers of living processes that a run has started, itself included."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"FAYING_FUZZ={mark}".encode() in (entry / "environ").read_bytes():
                yield int(entry.name)
        except OSError:
            continue


def _store_of(study: Path) -> ArtifactStore | None:
    out = study.with_suffix(".faying")
    work = work_folder(out)
    if not work.exists() and not out.exists():
        return None
    folder = work if work.exists() else study.parent / "nothing"
    return ArtifactStore(folder, out if out.exists() else None)


def _frames(study: Path) -> dict[str, int]:
    """Return how many frames each analysis has."""
    project, store, found = read_decisions(study)[0], _store_of(study), {}
    for analysis in project.analyses:
        key = PIPELINE.key_of(project, target_of(analysis), study.parent)
        place = None if store is None else store.results(key)
        if place is None:
            found[analysis.name] = 0
            continue
        with closing(place.open()) as results:
            found[analysis.name] = len(results.frames_there)
    return found


def _results(study: Path) -> dict[str, tuple[list[str], dict[str, np.ndarray]]]:
    """Return of each analysis the names of its datasets and their numbers."""
    project, found = read_decisions(study)[0], {}
    store = _store_of(study)
    assert store is not None
    for analysis in project.analyses:
        place = store.results(PIPELINE.key_of(project, target_of(analysis), study.parent))
        _require(place is not None and place.complete, f"{analysis.name} is not complete")
        assert place is not None
        results: Results = place.open()
        with closing(results):
            names = json.loads(results.root.attrs["checked"])
            found[analysis.name] = names, {name: np.asarray(results.root[name]) for name in names}
    return found


def _originals(study: Path) -> dict[str, str]:
    """Return checksums of what a run reads."""
    files = [path for path in study.parent.iterdir() if path.suffix in (".toml", ".inp")]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _require(well: bool, sentence: str) -> None:
    if not well:
        raise Broken(sentence)


def main() -> int:
    """Kill as often as asked; 0 when all ended well."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="faying-kills-"))
    began = time.monotonic()
    done = kill_again_and_again(folder, kills=arguments.kills, seed=arguments.seed, seconds=arguments.seconds)
    print(f"{done} kills in {time.monotonic() - began:.0f} s, all ended well; projects are in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
