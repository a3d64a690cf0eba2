"""An evaluation of a contact between parts: ``python tests/benchmarks/part_contact.py``.

A block lies a little deep and askew on a plate, both bent by random shapes. Times are the least processor time of an
evaluation, and of what it spends most of it with, in µs.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from faying.fem.skin import find_skin
from faying.joints.contact_laws import contact_laws
from faying.multibody.contacts.contact import PartContact
from faying.multibody.contacts.force import normal_forces
from faying.multibody.contacts.search import closest_points, gaps_at
from faying.multibody.contacts.surface import PartSurface, surface_of_mesh
from support.boxes import box

CASES = [(element, across) for element in ("hex8_full", "hex20") for across in (6, 21)]
MODES, REACH, ROUNDS = 8, 0.5, 100
QUADRATIC = {"hex20": 0.55}  # as many nodes on as many facets


def bent_skin(element: str, counts: tuple[int, int, int], size: tuple[float, float, float]) -> PartSurface:
    """Return the skin of a box that random smooth shapes bend."""
    model = box(element, counts, size)
    rng = np.random.default_rng(len(model.nodes))
    waves = np.sin(model.nodes @ rng.normal(size=(3, 3 * MODES)) / 20.0 + rng.uniform(0.0, 6.0, 3 * MODES))
    return surface_of_mesh(find_skin(model).surface, model.nodes, waves.reshape(len(model.nodes) * 3, MODES))


def best(work: Callable[[], object]) -> float:
    """Return the least processor time of some work, in µs."""
    least = np.inf
    for _ in range(ROUNDS):
        began = time.thread_time()
        work()
        least = min(least, time.thread_time() - began)
    return 1e6 * least


def measure(element: str, across: int) -> str:
    """Return a line of the table."""
    cells = max(int(across * QUADRATIC.get(element, 1.0)), 1)
    master = bent_skin(element, (2 * cells, 2 * cells, 1), (40.0, 40.0, 4.0))
    slave = bent_skin(element, (cells, cells, cells), (18.0, 18.0, 18.0))
    law = contact_laws["linear_penalty"](stiffness=50.0)
    contact = PartContact("contact", "plate", "block", master, slave, law, None, REACH)
    rng = np.random.default_rng(3)
    turned = np.array([1.0, 2e-4, -1e-4, 0.2])
    master_q = np.concatenate([np.zeros(3), [1.0, 0.0, 0.0, 0.0], 0.02 * rng.normal(size=MODES)])
    slave_q = np.concatenate([[15.2, 8.3, 3.95], turned, 0.02 * rng.normal(size=MODES)])
    answer = contact.evaluate(master_q, slave_q, contact.initial_memory(), 0.0, jacobian=True)
    memory, gaps, near = answer.memory, answer.gaps, answer.near
    assert near is not None
    closest = closest_points(master, master_q, answer.places, near)
    parts = master, slave, master_q, slave_q, gaps, law
    times = (
        best(lambda: contact.evaluate(master_q, slave_q, memory, 0.0, jacobian=True)),
        best(lambda: contact.evaluate(master_q, slave_q, memory, 0.0, jacobian=False)),
        best(lambda: closest_points(master, master_q, answer.places, near)),
        best(lambda: gaps_at(master, master_q, answer.places, closest, REACH)),
        best(lambda: normal_forces(*parts)),
    )
    counts = (len(gaps.slaves), int(answer.pressing.sum()), len(near.points))
    return f"{element:<10}" + "".join(f"{n:8d}" for n in counts) + "".join(f"{t:11.0f}" for t in times)


def main() -> None:
    sys.stdout.write(
        "               gaps pressing   pairs   Jacobian      force    closest       gaps   law and J\n"
    )
    for case in CASES:
        sys.stdout.write(measure(*case) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
