"""Times of reading, skin and pairs: ``python tests/benchmarks/model.py [deck] [nastran] [skin] [pairs]``. Not a test.

A deck of tetrahedra with 300 000 nodes is written, for Abaqus and for Nastran, and read in a process of its own, so
that the memory is the reader's alone; the skin of a million tetrahedra; 20 000 slave nodes against 40 000 master
facets. Seconds of the processor, which another program beside does not lengthen. Each with its growth from a quarter
of the size, as an exponent: n log n has about 1.1.
"""

import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faying.cli import system

system.use_physical_cores()

import numpy as np  # noqa: E402
from _watch import Watch, say  # noqa: E402

from faying.fem.model import FeModel  # noqa: E402
from faying.fem.skin import Skin, find_skin  # noqa: E402
from faying.fem.writers import write_model  # noqa: E402
from faying.joints.pairing import find_contact_pairs  # noqa: E402
from faying.joints.search import SearchSpec  # noqa: E402
from support.boxes import box  # noqa: E402

_READ = """
import resource, sys, time
from faying.fem.readers import read_model
began = time.process_time()
model = read_model(sys.argv[1])
seconds = time.process_time() - began
print(len(model.nodes), seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def deck(watch: Watch) -> None:
    """Read decks of 75 000 and 300 000 nodes of quadratic tetrahedra."""
    _decks(watch, ".inp", write_model)


def nastran(watch: Watch) -> None:
    """Read the same as bulk data in small fields."""
    _decks(watch, ".bdf", _write_bulk_data)


def _decks(watch: Watch, ending: str, write: Callable[[FeModel, Path], object]) -> None:
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        for cells in (21, 33):
            path = Path(folder) / f"deck_{cells}{ending}"
            write(box("tet10", (cells, cells, cells), (1.0, 1.0, 1.0)), path)
            say(f"  {path.stat().st_size / 1e6:.0f} MB")
            found = subprocess.run(
                [sys.executable, "-c", _READ, str(path)], capture_output=True, text=True, check=True
            )
            nodes, took, memory = found.stdout.split()
            watch.add(f"deck of {nodes} nodes", float(took))
            say(f"  {'memory':<34}{float(memory):10.0f} MB")
            seconds.append((int(nodes), float(took)))
    _growth(seconds)


def _write_bulk_data(model: FeModel, path: Path) -> None:
    """Write nodes and quadratic tetrahedra as GRID and CTETRA cards."""
    (block,) = model.blocks
    with path.open("w") as file:
        file.write("BEGIN BULK\nMAT1    1       2.1+5           0.3     7.85-9\nPSOLID  1       1\n")
        for number, (x, y, z) in zip(model.node_ids.tolist(), model.nodes.tolist(), strict=True):
            file.write(f"GRID    {number:<8d}        {x:<8.6f}{y:<8.6f}{z:<8.6f}\n")
        for number, nodes in zip(
            block.ids.tolist(), model.node_ids[block.connectivity].tolist(), strict=True
        ):
            fields = [f"{field:<8d}" for field in (number, 1, *nodes)]
            file.write(f"CTETRA  {''.join(fields[:8])}+\n+       {''.join(fields[8:])}\n")
        file.write("ENDDATA\n")


def skin(watch: Watch) -> None:
    """Find the skin of 250 000 and a million linear tetrahedra."""
    seconds = []
    for cells in (35, 55):
        model = box("tet4", (cells, cells, cells), (1.0, 1.0, 1.0))
        count = len(model.element_ids)
        began = time.process_time()
        find_skin(model)
        took = time.process_time() - began
        watch.add(f"skin of {count} tetrahedra", took)
        seconds.append((count, took))
    _growth(seconds)


def pairs(watch: Watch) -> None:
    """Pair 5000 and 20 000 slave nodes with 10 000 and 40 000 master facets, near and more than an edge away."""
    for gap in (0.001, 0.01):
        say(f"  gap {gap:g}, search distance 0.05, edges 0.007 in the finer mesh")
        _pairs(watch, gap)


def _pairs(watch: Watch, gap: float) -> None:
    seconds = []
    for master, slave in ((71, 70), (141, 140)):
        lower, upper = _plate(master, 0.0), _plate(slave, gap)
        skins = find_skin(lower), find_skin(upper)
        # One model with both plates: the second's rows follow the first's.
        nodes = np.concatenate([lower.nodes, upper.nodes])
        top = _facing(skins[0], 1.0, 0)
        bottom = _facing(skins[1], -1.0, len(lower.nodes))
        began = time.process_time()
        found = find_contact_pairs(nodes, top, bottom, SearchSpec(distance=0.05))
        took = time.process_time() - began
        watch.add(f"{len(found)} nodes, {top.n_facets} facets", took)
        seconds.append((len(found), took))
    _growth(seconds)


def _plate(cells: int, height: float) -> FeModel:
    """Return a plate of one layer of tetrahedra, slightly uneven so that no node meets another."""
    from dataclasses import replace

    plain = box("tet4", (cells, cells, 1), (1.0, 1.0, 0.1), distortion=0.2)
    lift = height + (0.1 if height else 0.0)
    wave = 1e-3 * np.sin(7.0 * plain.nodes[:, 0]) * np.cos(5.0 * plain.nodes[:, 1])
    return replace(plain, nodes=plain.nodes + np.column_stack([np.zeros((len(wave), 2)), lift + wave]))


def _facing(of: Skin, sign: float, shift: int):
    """Return the facets that look up or down, their nodes counted behind `shift`."""
    from faying.fem.surface import FacetBlock, Surface

    chosen = of.chosen(np.flatnonzero(sign * of.normals[:, 2] > 0.9), "side")
    blocks = [FacetBlock(b.facet, b.connectivity + shift, b.elements, b.faces) for b in chosen.blocks]
    return Surface("side", tuple(blocks))


def _growth(seconds: list[tuple[int, float]]) -> None:
    (small, first), (large, second) = seconds
    say(f"  {'growth: exponent over size':<34}{math.log(second / first) / math.log(large / small):10.2f}")


def main() -> None:
    """Run the benchmarks that are named, or all."""
    known = {"deck": deck, "nastran": nastran, "skin": skin, "pairs": pairs}
    for name in sys.argv[1:] or known:
        say(name)
        known[name](Watch())


if __name__ == "__main__":
    main()
