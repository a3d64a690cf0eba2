"""The joint force against the memory traffic it cannot avoid: ``python tests/benchmarks/joint_force.py``.

One evaluation (gap, slip, laws, generalised force) has to read all normal rows once and the closed pairs'
tangential rows once. The limit is that many bytes over the bandwidth at which a dot product reads a block of
the same size, measured in turns with the evaluations, so that a busy machine slows both; times are the processor
seconds of the one thread. Where the rows fit into the cache the limit is that of the cache.
"""

import os
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

# One thread each: the limit of one core. Before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce, JointResponse
from faying.joints.pointwise import CLOSURE_SIZE, ContactStatus

CASES = [(pairs, modes) for pairs in (3000, 12_000) for modes in (120, 300)]
CLOSED = 0.2
PATCHES = {"scattered": 1, "in patches": 30}  # neighbouring rows that are closed together
AIM = 2.5
ROUNDS = 200


def case(pairs: int, modes: int, patch: int) -> tuple[JointForce, np.ndarray, np.ndarray, JointResponse]:
    """Return (joint, coordinates, committed history, response): the given share closed, half of it slipping."""
    rng = np.random.default_rng(pairs + modes)
    rows = SimpleNamespace(
        normal=rng.standard_normal((pairs, modes)), tangential=rng.standard_normal((pairs, 2, modes)),
        weights=rng.uniform(0.5, 2.0, pairs), initial_gaps=np.zeros(pairs),
    )  # fmt: skip
    q = 1e-5 * rng.standard_normal(modes)
    closed = np.repeat(rng.permutation(pairs // patch) < CLOSED * pairs // patch, patch)
    rows.initial_gaps = np.where(closed, -1.0, 1.0) * rng.uniform(1e-5, 3e-4, pairs) - rows.normal @ q
    joint = JointForce(
        rows, LinearPenalty(stiffness=50_000.0), Coulomb(sticking_stiffness=1e4, sliding_stiffness=500.0)
    )
    history = joint.evaluate(q, joint.initial_history(), 0.0, jacobian=False).history
    # Where the sliders stand: some within the sticking limit, some beyond it.
    history[history[:, 0] > 0.0, CLOSURE_SIZE:] += 6e-5 * rng.standard_normal(2)
    return joint, q, history, joint.evaluate(q, history, 1e-5, jacobian=True)


def best(*works: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Return the least seconds of each work, taken in turns."""
    least = [np.inf] * len(works)
    for _ in range(rounds):
        for i, work in enumerate(works):
            began = time.thread_time()
            work()
            least[i] = min(least[i], time.thread_time() - began)
    return least


def measure(pairs: int, modes: int, pattern: str) -> str:
    """Return a line of the table."""
    joint, q, history, answer = case(pairs, modes, PATCHES[pattern])
    closed = len(answer.closed.pairs)
    numbers = pairs * modes + closed * 2 * modes
    block = np.random.default_rng(0).standard_normal(numbers)
    last = joint.evaluate(q, history, 1e-5, jacobian=True).last
    nudged = q + 1e-12

    def few() -> None:
        nonlocal q, nudged, last
        q, nudged = nudged, q
        last = joint.evaluate(q, history, 1e-5, jacobian=True, last=last).last

    read, force, remembered = best(
        lambda: block @ block,
        lambda: joint.evaluate(q, history, 1e-5, jacobian=False),
        lambda: joint.evaluate(q, history, 1e-5, jacobian=False).history,
    )
    new, updated = best(lambda: joint.evaluate(q, history, 1e-5, jacobian=True), few, rounds=10)
    slipping = np.mean(answer.status[answer.closed.pairs] == ContactStatus.SLIPPING)
    return (
        f"{pairs:>6} {modes:>6} {closed:>7} {pattern:>11} {100 * slipping:>8.0f} % {8e-9 * numbers / read:>8.1f} "
        f"{1e6 * read:>8.0f} {1e6 * force:>8.0f} {force / read:>7.2f} {remembered / read:>9.2f} "
        f"{1e9 * force / pairs:>8.1f} {1e6 * new:>9.0f} {1e6 * updated:>9.0f}"
    )


def main() -> None:
    sys.stdout.write(
        f"times in µs; aim: force at most {AIM} × limit\n"
        " pairs  modes  closed              slipping     GB/s    limit    force × limit"
        "  +history  ns/pair  Jacobian   updated\n"
    )
    for pairs, modes in CASES:
        for pattern in PATCHES:
            sys.stdout.write(measure(pairs, modes, pattern) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
