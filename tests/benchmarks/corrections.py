"""Corrections of frames on the FE model, condensed and each by itself: ``python tests/benchmarks/corrections.py``.

On the friction bar of the first demo with 40 joint modes in motion, processor time of a frame: of the first block of
sixteen, which has the factors and the compliances, of a frame of later blocks, and of one that is corrected by itself;
the ratio of the last two; differences of pressures, and pair forces out of balance. One run.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from faying.cli import system

system.use_physical_cores()

import numpy as np  # noqa: E402
from _watch import say  # noqa: E402

from faying.analyses import BodyModel  # noqa: E402
from faying.analyses.fe_correction import FeCorrection  # noqa: E402
from faying.analyses.statics.corrected_body import CorrectedBody  # noqa: E402
from faying.examples import examples  # noqa: E402
from faying.params import build  # noqa: E402
from faying.progress import Silent  # noqa: E402
from faying.project.specs import Project  # noqa: E402
from faying.project.stage import target_of  # noqa: E402
from faying.project.stages import PIPELINE  # noqa: E402
from faying.project.store import ArtifactStore  # noqa: E402

FIRST, COUNT, BLOCK, SINGLE = 20, 96, 16, 3
MOST, ACCURACY = 10, 1e-3


def main() -> None:
    """Measure on the bar of the first demo."""
    words = examples["friction-bar"]().build().model_dump(mode="json")
    words["bodies"][0]["joint_modes"] = {"kind": "weighted_pod", "count": 40}
    corrected = {"kind": "fe_correction", "name": "true", "body": "bar", "corrects": "dynamic", "frames": []}
    project = build(Project, {**words, "analyses": [*words["analyses"], corrected]})
    with tempfile.TemporaryDirectory() as folder:
        FeCorrection.run = _measure  # type: ignore[method-assign, assignment] # it has the body with all it needs
        store = ArtifactStore(Path(folder))
        PIPELINE.run(project, target_of(project.analysis("true")), store, Path(folder), Silent())


def _measure(_: FeCorrection, body: BodyModel, target: Path, progress: Any) -> dict[str, Any]:
    assert body.start is not None
    together, alone = (CorrectedBody(body, body.start, MOST, ACCURACY) for _ in range(2))
    frames = list(range(FIRST, FIRST + COUNT))
    found = together.in_order(frames, Silent())
    pressures, left = [], []

    def take(count: int) -> None:
        for frame in islice(found, count):
            pressures.append(frame.responses[0].pressure)
            left.append(frame.changes[-1])

    first = _seconds(lambda: take(BLOCK))
    later = _seconds(lambda: take(COUNT - BLOCK)) / (COUNT - BLOCK)
    alone.corrected(FIRST, Silent())  # makes the factor
    singles: list[np.ndarray] = []

    def one_by_one() -> None:
        for frame in frames[1 : 1 + SINGLE]:
            singles.append(alone.corrected(frame, Silent()).responses[0].pressure)

    single = _seconds(one_by_one) / SINGLE
    off = [np.abs(a - b).max() / b.max() for a, b in zip(singles, pressures[1:], strict=False)]
    say(f"first {BLOCK} frames {first:.2f} s, later ones {1e3 * later:.0f} ms each, by itself {single:.2f} s")
    say(f"ratio {single / later:.0f}; pressures of frames by themselves {100 * max(off):.2f} % off")
    say(f"forces out of balance, in the median and at most: {np.median(left):.0e}, {max(left):.0e}")
    raise SystemExit


def _seconds(act: Callable[[], None]) -> float:
    began = time.process_time()
    act()
    return time.process_time() - began


if __name__ == "__main__":
    main()
