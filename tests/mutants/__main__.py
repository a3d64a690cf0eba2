"""Changes the core in small ways and says which changes no test notices; exit code 1 if there are any.

Each mutant runs the test files that run its line: the nearest to its module by imports for half of the time, then the
quickest ones, as many as fit, and if it survives these, the others; without window and slow tests. Which lines each
file runs and how long it takes is measured once, and again when the file changed (`--anew` after large changes of the
core). Where no file is seen to run it, the nearest files do. What takes far longer than the tests do, such as a loop
without end, counts as killed. Untried are those near which no test file is quick enough.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from mutants.mutations import Mutation, lines_that_name, lines_that_run, marks, mutations  # noqa: E402

ROOMS = ("joints", "reduction", "solvers", "multibody", "project")
PLACE, CORE, TESTS = ROOT / "build" / "mutants", ROOT / "core", ROOT / "tests"
_AT_ONCE = 12  # test files that are measured in one process
_TOLD_NOTHING: dict[str, Any] = {"seconds": 0.0, "passes": False, "lines": {}}
_LEFT_OUT = ("app", "architecture", "benchmarks", "fuzz", "mutants", "decks")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=ROOMS, help="packages of the core")
    parser.add_argument("--number", type=int, default=40, help="how many mutants, drawn at random")
    parser.add_argument("--seed", default="1", help="from which the sample follows")
    parser.add_argument("--files", type=int, default=6, help="that run where none is seen to run the line")
    parser.add_argument(
        "--together", type=float, default=90.0, help="seconds that those of a mutant may take"
    )
    parser.add_argument(
        "--rest", type=float, default=300.0, help="seconds of the others, if it survives these"
    )
    parser.add_argument("--jobs", type=int, default=1, help="mutants tried, and batches measured, at once")
    parser.add_argument("--anew", action="store_true", help="measure all test files anew")
    parser.add_argument("--seconds", type=float, default=90.0, help="that a file may take to count")
    arguments = parser.parse_args()

    choice = random.Random(arguments.seed)
    every = [
        (path, change)
        for room in arguments.rooms
        for path in sorted((CORE / "faying" / room).rglob("*.py"))
        for change in mutations(path.read_text(encoding="utf-8"))
    ]
    sample = choice.sample(every, min(arguments.number, len(every)))
    measured = _measured(_test_files(), arguments.seconds, jobs=arguments.jobs, anew=arguments.anew)
    copies = [PLACE / f"core-{os.getpid()}-{k}" for k in range(arguments.jobs)]
    free: SimpleQueue[Path] = SimpleQueue()
    for copied in copies:
        shutil.copytree(CORE, copied)  # with the machine code of kernels
        free.put(copied)
    try:
        times = {f: m["seconds"] if m["passes"] else 1e9 for f, m in measured.items()}
        choose = _chooser(measured, times, arguments)

        def tried_out(number: int, path: Path, change: Mutation) -> tuple[str, str, list[str]]:
            copied = free.get()
            first, rest = (sorted(files, key=times.__getitem__) for files in choose(path, change.line))
            try:
                outcome, seconds = _try(path, change, first, copied, times)
                if outcome == "survived" and rest:
                    outcome, more = _try(path, change, rest, copied, times)
                    seconds += more
            finally:
                free.put(copied)
            place = f"{path.relative_to(CORE)}:{change.line}: {change.before} -> {change.after}"
            print(f"{number:3} {outcome:8} {seconds:4.0f} s  {place}", flush=True)
            return outcome, place, first + rest

        with ThreadPoolExecutor(arguments.jobs) as pool:
            runs = [pool.submit(tried_out, k, path, change) for k, (path, change) in enumerate(sample, 1)]
            outcomes = [run.result() for run in runs]
    finally:
        for copied in copies:
            shutil.rmtree(copied, ignore_errors=True)
    tried = sum(outcome != "untried" for outcome, _, _ in outcomes)
    survivors = [(place, files) for outcome, place, files in outcomes if outcome == "survived"]
    killed = tried - len(survivors)
    print(
        f"\n{killed} of {tried} mutants killed ({killed / max(tried, 1):.0%}), of {len(every)} that there are"
    )
    for place, files in survivors:
        print(f"survived {place}\n    {' '.join(files)}")
    return 1 if survivors else 0


def _try(
    path: Path, change: Mutation, files: list[str], core: Path, times: dict[str, float]
) -> tuple[str, float]:
    """Return how a mutant ends, and after what time."""
    begin, place = time.monotonic(), core / path.relative_to(CORE)
    if not files:
        return "untried", 0.0
    place.write_text(change.text, encoding="utf-8")
    try:
        code = _run(files, core, ["-x"], 60.0 + 8.0 * sum(times[file] for file in files))
    finally:
        shutil.copy2(path, place)
    return {0: "survived", None: "timeout"}.get(code, "killed"), time.monotonic() - begin


def _run(
    files: list[str], core: Path, words: list[str], seconds: float, more: dict[str, str] | None = None
) -> int | None:
    """Return the exit code of the tests of some files on a core; None when they took too long."""
    home = PLACE if core == CORE else core
    own = {
        "PYTHONPATH": os.pathsep.join(map(str, (core, ROOT / "app", ROOT / "resources", TESTS))),
        "FAYING_HOME": str(home / "home"), "HYPOTHESIS_STORAGE_DIRECTORY": str(home / "hypothesis"),
    }  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *words, *files]
    process = subprocess.Popen(
        command, cwd=ROOT, env=os.environ | own | (more or {}), start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return None


def _measured(files: set[str], most: float, *, jobs: int, anew: bool) -> dict[str, dict[str, Any]]:
    """Return which lines each file runs and how long it takes (`mutants.calls`) as the core is, kept between runs."""
    kept = PLACE / "calls.json"
    known = json.loads(kept.read_text()) if kept.exists() and not anew else {}
    now = {file: zlib.crc32((ROOT / file).read_bytes()) for file in files}
    new = sorted(file for file in files if known.get(file, {}).get("stamp") != now[file])
    known = {file: known[file] for file in files - set(new)}
    PLACE.mkdir(parents=True, exist_ok=True)
    lock = Lock()

    def measure(start: int) -> None:
        some, told = new[start : start + _AT_ONCE], PLACE / f"calls-{start}.json"
        print(f"test files {start + 1} to {start + len(some)} of {len(new)} as they are", flush=True)
        own = {"MUTANTS_CALLS": str(told), "MUTANTS_CORE": str(CORE)}
        _run(some, CORE, ["-p", "mutants.calls", f"--timeout={4 * most}"], 1e5, own)
        # One that ends the process has told nothing, nor have those after it.
        found = json.loads(told.read_text()) if told.exists() else {}
        told.unlink(missing_ok=True)
        with lock:
            for file in some:
                known[file] = found.get(file, _TOLD_NOTHING) | {"stamp": now[file]}
            kept.write_text(json.dumps(known))

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(measure, range(0, len(new), _AT_ONCE)))
    for file in sorted(file for file in files if not known[file]["passes"]):
        print(f"left out, for its tests do not pass as it is: {file}", flush=True)
    return known


def _test_files() -> set[str]:
    tests = (p.relative_to(ROOT) for p in TESTS.rglob("test_*.py"))
    return {p.as_posix() for p in tests if p.parts[1] not in _LEFT_OUT}


def _chooser(
    measured: dict[str, dict[str, Any]], times: dict[str, float], arguments: argparse.Namespace
) -> Callable[[Path, int], tuple[list[str], list[str]]]:
    """Return a function that gives the test files for a line of a module: those to begin with, and the others."""
    near = _nearest_tests()
    texts = {path: path.read_text(encoding="utf-8") for path in (CORE / "faying").rglob("*.py")}
    ran = {
        f: {module: set(found) for module, found in m["lines"].items()}
        for f, m in measured.items()
        if times[f] <= arguments.seconds
    }

    def choose(path: Path, line: int) -> tuple[list[str], list[str]]:
        lines, name = lines_that_run(texts[path], line)
        places = {path: lines}
        if name:
            places |= {p: lines_that_name(text, name) for p, text in texts.items() if name in text}
        wanted = {}
        for place, own in places.items():
            all_marks = marks(texts[place])
            wanted[str(place.relative_to(CORE))] = {all_marks[k] for k in own}
        running = {
            f
            for f, modules in ran.items()
            if any(found & modules.get(m, set()) for m, found in wanted.items())
        }
        nearest = [f for f in near(path) if f in ran]
        if not running:
            return nearest[: arguments.files], []
        order = [f for f in nearest if f in running]
        order += sorted(running - set(order), key=times.__getitem__)
        found = _within(order, times, 0.5 * arguments.together)
        first = _within(
            found + sorted(running - set(found), key=times.__getitem__), times, arguments.together
        )
        left = sorted(running - set(first), key=times.__getitem__)
        return first, _within(left, times, arguments.rest)

    return choose


def _within(files: list[str], times: dict[str, float], seconds: float) -> list[str]:
    """Return the first files that take no longer together, at least one if there is any."""
    found, spent = files[:1], sum(times[file] for file in files[:1])
    for file in files[1:]:
        if spent + times[file] <= seconds:
            found.append(file)
            spent += times[file]
    return found


def _nearest_tests() -> Callable[[Path], list[str]]:
    """Return a function that gives the test files of a module, the nearest first.

    Near is what has its name or that of its family, then what imports it, before what imports what does; then what
    imports little else.
    """
    modules = {_module(path): path for path in (CORE / "faying").rglob("*.py")}
    tests = [p for p in TESTS.rglob("*.py") if p.relative_to(TESTS).parts[0] not in _LEFT_OUT]
    names = {path: name for name, path in modules.items()} | {
        p: ".".join(p.relative_to(TESTS).with_suffix("").parts) for p in tests
    }
    imported = {path: _imported(path) for path in names}
    users: dict[str, set[Path]] = {}
    for path, found in imported.items():
        for name in found:
            users.setdefault(name, set()).add(path)

    def near(path: Path) -> list[str]:
        seen, now, found = {path}, {path}, []
        while now:
            by_name = {user for each in now for user in users.get(names[each], ())}
            # A member of a family is used through its package.
            families = (names[each].rpartition(".")[0] for each in now if names[each].count(".") > 2)
            by_family = {user for name in families for user in users.get(name, ())} - by_name
            for group in (by_name - seen, by_family - seen):
                files = [p for p in group if p.name.startswith("test_")]
                found += sorted(
                    files, key=lambda p: (path.stem.strip("_") not in p.stem, len(imported[p]), p)
                )
            now = (by_name | by_family) - seen
            seen |= now
        # What holds every member of its family to the contract, and what has the module's name, comes first.
        family = path.parent.name if names[path].count(".") > 2 else path.stem
        named = (path.stem.strip("_"), family)
        found.sort(key=lambda p: not any(name in p.stem for name in named))
        return [p.relative_to(ROOT).as_posix() for p in found]

    return near


def _module(path: Path) -> str:
    return ".".join(path.relative_to(CORE).with_suffix("").parts).removesuffix(".__init__")


def _imported(path: Path) -> set[str]:
    """Return the modules that a file imports, and names of packages that may be modules."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


if __name__ == "__main__":
    sys.exit(main())
