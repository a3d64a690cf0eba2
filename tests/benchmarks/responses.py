"""Times of frequency responses: ``python tests/benchmarks/responses.py``. Not a test: nothing can fail here.

A free block of bricks of about 54 000 dofs, loaded and read at 20 dofs each: the factorisation, the modal analysis and
the residual shapes, the modes of what they span, and 400 frequencies of the whole matrix of transfer functions, with
Rayleigh damping and with joints in it (where damping couples the modes).
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from _watch import say

from faying.fem.assembly import assemble
from faying.progress import Silent
from faying.reduction import interior as interiors
from faying.reduction import responses as of_responses
from faying.reduction.interior import InteriorProblem
from faying.solvers.harmonic import Damping, HarmonicModes
from support.boxes import box

T = TypeVar("T")
COLUMNS, FREQUENCIES = 20, 400


def timed(what: str, work: Callable[[], T]) -> T:
    began, worked = time.perf_counter(), time.process_time()
    found = work()
    say(
        f"{what:<60}{time.perf_counter() - began:8.2f} s, {time.process_time() - worked:8.2f} s of the processor"
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, nargs=3, default=(120, 16, 8), help="along x, y, z")
    parser.add_argument("--highest", type=float, default=6000.0, help="end of the range [Hz]")
    arguments = parser.parse_args()
    counts = tuple(arguments.cells)
    model = box("hex8_incompatible", counts, (240.0, 32.0, 16.0))
    matrices = assemble(model, Silent())
    corners = np.array([0, counts[2], len(model.nodes) // 2, len(model.nodes) - 1])
    body = InteriorProblem(matrices, model.nodes, corners)
    n = body.n_dofs
    say(f"{len(model.nodes)} nodes, {n} dofs, {COLUMNS} columns")
    at = np.linspace(0, n - 1, COLUMNS).astype(int)
    loads = np.zeros((n, COLUMNS))
    loads[at, np.arange(COLUMNS)] = 1.0
    factorised = mock.Mock(wraps=interiors.factorize)
    analysed = mock.Mock(wraps=of_responses.free_free_modes)
    with (
        mock.patch.object(interiors, "factorize", factorised),
        mock.patch.object(of_responses, "free_free_modes", analysed),
    ):
        timed("factorisation", lambda: body.prepare(Silent()))
        found = timed(
            "modes to three times the range, residual shapes",
            lambda: of_responses.free_responses(body, loads, arguments.highest, Silent()),
        )
        basis = timed("orthonormal basis", lambda: of_responses.response_basis(found, matrices.mass))
    say(
        f"{factorised.call_count} factorisations, {analysed.call_count} modal analyses, "
        f"{found.modes.shape[1]} modes, {basis.shape[1]} shapes"
    )
    stiffness = timed("projection", lambda: basis.T @ (matrices.stiffness @ basis))
    frequencies = np.linspace(1.0, arguments.highest, FREQUENCIES)
    for words, elastic in (("modes by themselves", None), ("coupled by damping", 0.9 * stiffness)):
        modes = HarmonicModes(stiffness, np.eye(len(stiffness)), Damping(stiffness=1e-6), elastic)
        shapes = basis[at] @ modes.shapes
        timed(
            f"{FREQUENCIES} frequencies of {COLUMNS} × {COLUMNS}, {words}",
            lambda modes=modes, shapes=shapes: [shapes @ modes.amplitudes(f, shapes.T) for f in frequencies],
        )


if __name__ == "__main__":
    main()
