"""Times, memory and errors of every step from mesh to solution: ``python tests/benchmarks/run.py``.

Bodies are two stacked plates of bricks of about 20 000, 40 000 and 120 000 nodes, the largest of quadratic
tetrahedra as well, and the friction bar (``--deck`` takes any deck with its sets and surfaces). Times of one run
compare with each other; those of two runs only on a quiet machine. Not a test: nothing can fail here.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faying.cli import system
from faying.linalg.freed_memory import keep_freed_memory

system.use_physical_cores()
keep_freed_memory()

from _accuracy import report_accuracy, report_angle, report_many_derivatives  # noqa: E402
from _bodies import BRICKS, Subject, brick_plates, friction_bar, tetrahedra_plates  # noqa: E402
from _steps import Measured, measure  # noqa: E402
from _watch import Watch, report_growth, say  # noqa: E402

ROOT = Path(__file__).parents[2]
DECK = ROOT / "resources/faying_resources/examples/friction_bar_19k.inp"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=list(BRICKS), choices=list(BRICKS))
    parser.add_argument("--tetrahedra", type=int, nargs="*", default=[120], choices=list(BRICKS))
    parser.add_argument("--deck", type=Path, default=DECK, help="a friction bar deck")
    parser.add_argument("--without-deck", action="store_true", help="leave out the deck and all errors")
    parser.add_argument("--without-unreduced", action="store_true", help="leave out the slow comparison")
    parser.add_argument(
        "--many", action="store_true", help="many derivatives on the deck too: some minutes more"
    )
    arguments = parser.parse_args()
    if not arguments.without_deck:
        measured = _measure_deck(arguments.deck, not arguments.without_unreduced)
        if arguments.many:
            report_many_derivatives(measured)
    runs = []
    for size in sorted(arguments.sizes):
        measured = _measure(brick_plates(size), Watch(), not arguments.without_unreduced)
        if not runs:
            report_many_derivatives(measured)
        runs.append((measured.nodes, measured.seconds))
    if len(runs) > 1:
        report_growth(runs[0], runs[-1])
    for size in sorted(arguments.tetrahedra):
        _measure(tetrahedra_plates(size), Watch(), not arguments.without_unreduced)


def _measure_deck(deck: Path, unreduced: bool) -> Measured:
    watch = Watch()
    say(f"\n{deck.name}")
    subject = watch.time("reading the deck", lambda: friction_bar(deck))
    measured = measure(subject, watch, unreduced=unreduced)
    report_angle(measured.problem)
    if unreduced:
        report_accuracy(measured)
    return measured


def _measure(subject: Subject, watch: Watch, unreduced: bool) -> Measured:
    say(f"\n{subject.name}")
    return measure(subject, watch, unreduced=unreduced)


if __name__ == "__main__":
    main()
