"""The two friction bars on which the thesis's statements are tested, equal except for their holes."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from faying.examples import ExampleRun
from faying.examples.friction_bar_deck import NARROW_HOLES, WIDE_HOLES, write_friction_bar
from faying.examples.projects import project_of
from faying.progress import PartialProgress, Progress
from faying.project.store import ArtifactStore

WIDE, NARROW = "wide bar", "narrow bar"
HOLES = {WIDE: WIDE_HOLES, NARROW: NARROW_HOLES}
SIZE, QUICK_SIZE = 4.4, 6.5  # element size in mm

REASON = """\
The thesis does not print where the holes are. The wide bar has its beams 100 mm apart (holes at x = 33, 62.5, 162.5
and 192 mm), the narrow bar, this program's first guess, 50 mm (35, 87.5, 137.5 and 190 mm). Beyond its last beam a
sheet of the narrow bar is nearly twice as long; its free end lifts off, and its ‖g_N‖ under +100 N is four times as
large. It takes 30 joint modes from derivatives until that motion is among them, on the wide bar 20: there |z_L|
with 20 joint modes is within the printed 1 %."""


def bar_runs(
    work: Path,
    body: Mapping[str, Any],
    analyses: Sequence[Mapping[str, Any]],
    measure: Callable[[ExampleRun], dict[str, Any]],
    progress: Progress,
    quick: bool = False,
) -> dict[str, Any]:
    """Return the measurements on each bar by name; a quick run has coarser meshes.

    Args:
        work: folder for decks and artifacts.
        body: the bar's decisions, without its model.
        analyses: of the project.
        measure: returns the numbers measured on the run of one bar.
        progress: reports and cancels.
        quick: whether coarse meshes are sufficient.
    """
    found = {}
    for i, (name, holes) in enumerate(HOLES.items()):
        deck = work / f"{name.replace(' ', '_')}.inp"
        write_friction_bar(deck, holes, QUICK_SIZE if quick else SIZE)
        part = PartialProgress(progress, i / len(HOLES), (i + 1) / len(HOLES), name)
        run = ExampleRun(
            project_of(name, "", str(deck), body, analyses), ArtifactStore(work / "artifacts"), part
        )
        sizes = {"nodes": len(run.value("model").nodes), "pairs": len(run.value("pairs", "lap joint"))}
        found[name] = {**sizes, **measure(run)}
    return found
