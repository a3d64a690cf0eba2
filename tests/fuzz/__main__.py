"""Opens broken inputs: ``python -m tests.fuzz --inputs 10000 --seed 1``; exit code 1 when one was taken badly.

A failure is named by its subject and number; ``--only "deck med" --number 17`` runs it alone, with its file kept.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[_name] = "1"  # an import starts none either

import argparse  # noqa: E402 - the variables above count at import
import collections  # noqa: E402
import functools  # noqa: E402
import shutil  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.guard import Verdict, made_elsewhere, run_guarded  # noqa: E402
from fuzz.subjects import Subject, subjects  # noqa: E402

KEPT = Path(__file__).parents[2] / "build" / "fuzz"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=500, help="how many in all")
    parser.add_argument("--seed", default="1", help="from which all else follows")
    parser.add_argument("--only", nargs="*", help=f"of: {', '.join(subjects())}")
    parser.add_argument("--number", type=int, help="one case of the subject")
    parser.add_argument("--verbose", action="store_true", help="print every sentence once, and slow cases")
    arguments = parser.parse_args()
    chosen = {name: kind for name, kind in subjects().items() if not arguments.only or name in arguments.only}
    shares = sum(kind.share for kind in chosen.values())
    bad = 0
    with tempfile.TemporaryDirectory(prefix="faying-fuzz-") as folder:
        for name, kind in chosen.items():
            own = Path(folder) / name.replace(" ", "_")
            own.mkdir()
            subject = made_elsewhere(functools.partial(kind, own))
            if arguments.number is not None:
                return _run_one(subject, f"{arguments.seed}/{name}/{arguments.number}")
            count = max(1, round(arguments.inputs * kind.share / shares))
            bad += _run_many(subject, arguments.seed, count, Path(folder), arguments.verbose)
    return 1 if bad else 0


def _run_many(subject: Subject, seed: str, count: int, folder: Path, verbose: bool) -> int:
    """Run the cases of a subject, say how they ended, and return how many were taken badly."""

    def work_of(number: int) -> Path:  # the child is at the next case already while this one is looked at
        return folder / f"case-{number}"

    def case(number: int) -> str:
        shutil.rmtree(work_of(number), ignore_errors=True)
        work_of(number).mkdir()
        return subject.run_case(f"{seed}/{subject.name}/{number}", work_of(number))

    begin, ended = time.monotonic(), collections.Counter[str]()
    seen: collections.Counter[str] = collections.Counter()
    for number, verdict in run_guarded(count, case, folder, subject.seconds):
        ended[verdict.outcome] += 1
        if not verdict.is_good:
            _tell(subject, number, verdict, seen)
            _keep(work_of(number), subject, number)
        elif verbose and (verdict.seconds > 2.0 or (verdict.detail and verdict.detail not in seen)):
            seen[verdict.detail] += 1
            print(f"  {number}: {verdict.seconds:.1f} s {verdict.detail[:300]}")
        shutil.rmtree(work_of(number), ignore_errors=True)
    bad = sum(n for outcome, n in ended.items() if not Verdict(outcome).is_good)
    parts = ", ".join(f"{n} {outcome}" for outcome, n in ended.most_common())
    print(f"{subject.name}: {count} inputs in {time.monotonic() - begin:.0f} s: {parts}", flush=True)
    return bad


def _tell(subject: Subject, number: int, verdict: Verdict, seen: collections.Counter[str]) -> None:
    """Print what went wrong; of failures that end alike the first in full."""
    lines = verdict.detail.strip().splitlines()
    place = next((line.strip() for line in reversed(lines) if line.startswith("  File")), "")
    kind = f"{verdict.outcome} {place}"
    seen[kind] += 1
    if seen[kind] == 1:
        print(
            f"{subject.name} {number}: {verdict.outcome}\n"
            + "\n".join(f"    {line}" for line in _ends(lines) if "Extension modules" not in line)
        )
    else:
        print(f"{subject.name} {number}: {verdict.outcome} {place} (as before)")


def _ends(lines: list[str]) -> list[str]:
    """Return the first lines, of the thread that crashed, and the last ones."""
    return lines if len(lines) <= 60 else [*lines[:20], "…", *lines[-40:]]


def _keep(work: Path, subject: Subject, number: int) -> None:
    kept = KEPT / f"{subject.name.replace(' ', '_')}-{number}"
    shutil.rmtree(kept, ignore_errors=True)
    if work.exists():
        shutil.copytree(work, kept)


def _run_one(subject: Subject, key: str) -> int:
    work = KEPT / key.replace("/", "-").replace(" ", "_")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    print(f"its file is in {work}")
    print(subject.run_case(key, work) or "a right result")
    return 0


if __name__ == "__main__":
    sys.exit(main())
