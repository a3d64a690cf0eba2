"""Times of fields: ``python tests/benchmarks/fields.py``. Not a test: nothing can fail here.

A block of bricks with about 100 000 nodes and 100 random modes, stresses on about 50 000 nodes of each solid
element. Random modes cost what real ones do. All times are the least of a few runs, by the clock and of the processors.
"""

import itertools
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faying.cli import system

system.use_physical_cores()

import numpy as np  # noqa: E402
from _watch import say  # noqa: E402

from faying.fem.stress import StressRecovery  # noqa: E402
from faying.fem.stress_measures import principal_stresses, von_mises  # noqa: E402
from faying.reduction.body import ReducedBody  # noqa: E402
from faying.results.fields import FieldContext, fields  # noqa: E402
from faying.results.over_run import over_run  # noqa: E402
from faying.results.results import Results  # noqa: E402
from faying.results.writer import ResultsWriter  # noqa: E402
from support.boxes import box  # noqa: E402

MODES, FRAMES = 100, 100
BLOCK = (60, 40, 39)
STRESSED = {
    "hex8": (60, 28, 27),
    "hex8_incompatible": (60, 28, 27),
    "hex20": (30, 20, 19),
    "tet4": (60, 28, 27),
    "tet10": (30, 14, 13),
}


def least_seconds(work: Callable[[], object], repeats: int = 9) -> tuple[float, float]:
    """Return the least time of a few runs by the clock and of the processors, after one that does not count."""
    work()
    times, spent = [], []
    for _ in range(repeats):
        began, worked = time.perf_counter(), time.process_time()
        work()
        times.append(time.perf_counter() - began)
        spent.append(time.process_time() - worked)
    return min(times), min(spent)


def shown(seconds: tuple[float, float]) -> str:
    """Return both times in milliseconds."""
    return f"{1e3 * seconds[0]:.0f} ms ({1e3 * seconds[1]:.0f} ms of the processors)"


def main() -> None:
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "fields_benchmark.h5")
    rng = np.random.default_rng(0)
    model = box("hex8", BLOCK, (60.0, 40.0, 39.0))
    n, eye, none = len(model.nodes), np.eye(MODES), np.zeros(0)
    body = ReducedBody(
        "", eye, eye, np.eye(6), model.nodes, rng.normal(size=(3 * n, MODES)), {}, {}, (), (), none
    )
    with ResultsWriter(path, axis="time", body="b", sizes={"coordinates": MODES}, joints={}) as writer:
        for i in range(FRAMES):
            writer.append(0.01 * i, coordinates=rng.normal(size=MODES))
        writer.close({})
    context = FieldContext(Results(path), body, {}, {}, {}, model)
    say(f"{n} nodes, {MODES} modes, {FRAMES} frames")
    displacement = fields["displacement"]()
    # The last frame's displacements are kept: another frame every time.
    frames = itertools.cycle(range(FRAMES))
    spent = least_seconds(lambda: displacement.evaluate(context, "", next(frames)))
    copied = least_seconds(lambda: body.displacements.copy())
    say(f"  displacement of a frame: {shown(spent)}; copying the modes in memory: {shown(copied)}")
    began, worked = time.perf_counter(), time.process_time()
    over_run(displacement, context, "")
    spent = (time.perf_counter() - began) / FRAMES, (time.process_time() - worked) / FRAMES
    say(f"  its extremes over the run: {shown(spent)} a frame")
    for kind, counts in STRESSED.items():
        report_stresses(kind, counts)
    context.frames.close()
    path.unlink()


def report_stresses(kind: str, counts: tuple[int, int, int]) -> None:
    """Say how long the stress tensor of a frame takes, first and from then on."""
    model = box(kind, counts, tuple(map(float, counts)))
    began = time.perf_counter()
    recovery = StressRecovery(model)
    prepared = time.perf_counter() - began
    u = np.random.default_rng(1).normal(size=model.nodes.shape)
    spent = least_seconds(lambda: recovery.at_nodes(u))
    tensors = recovery.at_nodes(u)
    measures = least_seconds(lambda: (von_mises(tensors), principal_stresses(tensors)))
    say(
        f"  {kind}, {len(model.nodes)} nodes: stress tensor of a frame {shown(spent)} after {prepared:.2f} s "
        f"once; von Mises and principal stresses {shown(measures)}"
    )


if __name__ == "__main__":
    main()
