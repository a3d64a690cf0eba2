"""Iterative solver beside the factor, bulky and thin: ``python tests/benchmarks/iterative.py``. Not a test.

Of each body of bricks seconds to set up, seconds for a column of sixteen, iterations, the difference, and memory as
stored entries; ratios within one run.
"""

import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faying.cli import system

system.use_physical_cores()

import numpy as np  # noqa: E402
from _watch import ResidentMemory, say  # noqa: E402

from faying.fem.assembly import assemble, rigid_body_modes  # noqa: E402
from faying.linalg.backends.pyamg import PyamgSolver  # noqa: E402
from faying.linalg.factor import factorize  # noqa: E402
from faying.linalg.sparse_factor import ScaledSystem  # noqa: E402
from support.boxes import box  # noqa: E402

_BODIES = {
    "cube 20": ((20, 20, 20), (1.0, 1.0, 1.0)),
    "cube 30": ((30, 30, 30), (1.0, 1.0, 1.0)),
    "plate 60 x 60 x 3": ((60, 60, 3), (1.0, 1.0, 0.05)),
}
_COLUMNS = 16


def main() -> None:
    """Measure all bodies, or those whose names begin with a word given."""
    for name, (cells, size) in _BODIES.items():
        if len(sys.argv) > 1 and not name.startswith(tuple(sys.argv[1:])):
            continue
        model = box("hex8", cells, size)
        matrices = assemble(model)
        free = np.setdiff1d(
            np.arange(matrices.dofs.n_dofs), (3 * model.node_sets["XMIN"][:, None] + np.arange(3)).ravel()
        )
        stiffness = matrices.stiffness[free][:, free].tocsr()
        loads = np.random.default_rng(0).standard_normal((len(free), _COLUMNS))
        began = time.perf_counter()
        with ResidentMemory() as of_factor:
            factor = factorize(stiffness)
        factored = time.perf_counter() - began
        began = time.perf_counter()
        exact = factor.solve(loads)
        direct = time.perf_counter() - began
        scaled = ScaledSystem(stiffness, None)
        motions = rigid_body_modes(model.nodes, matrices.dofs, model.nodes.mean(axis=0))[free]
        began = time.perf_counter()
        with ResidentMemory() as of_iteration:
            solver = PyamgSolver(scaled.matrix, True, threading.Event(), motions / scaled.scale[:, None])
        set_up = time.perf_counter() - began
        began = time.perf_counter()
        found = scaled.scale[:, None] * solver.solve(scaled.scale[:, None] * loads)
        iterated = time.perf_counter() - began
        error = np.abs(found - exact).max() / np.abs(exact).max()
        say(f"{name}: {len(free)} equations, difference {error:.1e}")
        say(
            f"  factor ({factor.backend}) {factored:.1f} s, {direct / _COLUMNS:.3f} s a column, "
            f"{factor.entries:.3g} entries, {of_factor.growth / 2**20:.0f} MB"
        )
        say(
            f"  iterative {set_up:.1f} s, {iterated / _COLUMNS:.3f} s a column, {solver.iterations} iterations, "
            f"{solver.entries:.3g} entries (1 to {factor.entries / solver.entries:.1f}), "
            f"{of_iteration.growth / 2**20:.0f} MB"
        )


if __name__ == "__main__":
    main()
