"""Times of fields: ``python tests/benchmarks/fields.py``. Not a test: nothing can fail here.

A block of bricks with about 100 000 nodes and 100 random modes, stresses on about 50 000 nodes of each solid
element. Random modes cost what real ones do.
"""

import statistics
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
from faying.results.results import Results, ResultsWriter  # noqa: E402
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


def median_seconds(work: Callable[[], object], repeats: int = 7) -> float:
    """Return the median time of a few runs, after one that does not count."""
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


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
    copied = median_seconds(lambda: body.displacements.copy())
    spent = median_seconds(lambda: displacement.evaluate(context, "", 3))
    say(
        f"  displacement of a frame: {1e3 * spent:.1f} ms, {spent / copied:.2f} × copying the modes in memory"
    )
    began = time.perf_counter()
    over_run(displacement, context, "")
    spent = time.perf_counter() - began
    say(f"  its extremes over the run: {1e3 * spent / FRAMES:.1f} ms a frame")
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
    spent = median_seconds(lambda: recovery.at_nodes(u))
    tensors = recovery.at_nodes(u)
    measures = median_seconds(lambda: (von_mises(tensors), principal_stresses(tensors)))
    say(
        f"  {kind}, {len(model.nodes)} nodes: stress tensor of a frame {1e3 * spent:.0f} ms after {prepared:.2f} s "
        f"once; von Mises and principal stresses {1e3 * measures:.0f} ms"
    )


if __name__ == "__main__":
    main()
