"""Changes the core in small ways and says which changes no test notices; exit code 1 if there are any.

Each mutant runs the test files that are nearest to its module by imports, without window, slow tests and examples. One
that survives them may still be noticed by a file further off: `--files` takes more of them. What takes far
longer than the tests do, such as a loop without end, counts as killed. Untried are those near which no test file is
quick enough.
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
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from mutants.mutations import Mutation, mutations  # noqa: E402

ROOMS = ("joints", "reduction", "solvers", "multibody", "project")
PLACE, CORE, TESTS = ROOT / "build" / "mutants", ROOT / "core", ROOT / "tests"
_LEFT_OUT = ("app", "architecture", "examples", "benchmarks", "fuzz", "mutants", "decks")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=ROOMS, help="packages of the core")
    parser.add_argument("--number", type=int, default=40, help="how many mutants, drawn at random")
    parser.add_argument("--seed", default="1", help="from which the sample follows")
    parser.add_argument("--files", type=int, default=6, help="test files for each, the nearest ones")
    parser.add_argument("--seconds", type=float, default=40.0, help="that a file may take to count")
    words = parser.parse_args()

    choice = random.Random(words.seed)
    every = [
        (path, change)
        for room in words.rooms
        for path in sorted((CORE / "faying" / room).rglob("*.py"))
        for change in mutations(path.read_text(encoding="utf-8"))
    ]
    sample = choice.sample(every, min(words.number, len(every)))
    near, copied = _nearest_tests(), PLACE / f"core-{os.getpid()}"
    shutil.copytree(CORE, copied)  # with the machine code of kernels
    try:
        chosen = {path: near(path)[: words.files] for path, _ in sample}
        times = _times({file for files in chosen.values() for file in files}, copied, words.seconds)
        tried, survivors = 0, []
        for number, (path, change) in enumerate(sample, 1):
            files = [f for f in chosen[path] if times.get(f, 1e9) <= words.seconds]
            outcome, seconds = _try(path, change, sorted(files, key=times.__getitem__), copied, times)
            place = f"{path.relative_to(CORE)}:{change.line}: {change.before} -> {change.after}"
            print(f"{number:3} {outcome:8} {seconds:4.0f} s  {place}", flush=True)
            tried += outcome != "untried"
            if outcome == "survived":
                survivors.append((place, files))
    finally:
        shutil.rmtree(copied, ignore_errors=True)
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


def _run(files: list[str], core: Path, words: list[str], seconds: float) -> int | None:
    """Return the exit code of the tests of some files on a copy of the core; None when they took too long."""
    own = {
        "PYTHONPATH": os.pathsep.join(map(str, (core, ROOT / "app", ROOT / "resources"))),
        "FAYING_HOME": str(core / "home"), "HYPOTHESIS_STORAGE_DIRECTORY": str(core / "hypothesis"),
    }  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *words, *files]
    process = subprocess.Popen(
        command, cwd=ROOT, env=os.environ | own, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return None


def _times(files: set[str], core: Path, most: float) -> dict[str, float]:
    """Return the seconds of each file whose tests pass without any mutant; measured once, and kept."""
    kept = PLACE / "seconds.json"
    times: dict[str, float] = json.loads(kept.read_text()) if kept.exists() else {}
    new = sorted(files - times.keys())
    if new:
        print(f"first {len(new)} test files as they are", flush=True)
        _run(new, core, [f"--junitxml={core / 'report.xml'}", f"--timeout={most}"], 1e5)
        times.update(dict.fromkeys(new, 0.0))
        for case in ET.parse(core / "report.xml").iter("testcase"):
            named = case.get("classname", "").split(".")
            file = next(f for f in new if Path(f).with_suffix("").parts == tuple(named[: f.count("/") + 1]))
            failed = case.find("failure") is not None or case.find("error") is not None
            times[file] += 1e9 if failed else float(case.get("time", 0))
        kept.write_text(json.dumps(times))
    for file in sorted(f for f in files if times[f] >= 1e9):
        print(f"left out, for its tests do not pass as it is: {file}", flush=True)
    return times


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
