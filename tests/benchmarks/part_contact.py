"""Cost of contact between parts: ``python tests/benchmarks/part_contact.py``.

First an evaluation: a block lies a little deep and askew on a plate, both bent by random shapes. Times are the least
processor time of an evaluation, and of what it spends most of it with, in µs.

Then a whole step of a motion, over closed pairs: a lid of bricks on a base, both flexible, all of whose nodes press,
and more of them the wider it is. Steps of one size, sizes in turn; the least processor time of a step, and as much for
each closed pair, and which share of a step goes into the search (facets near nodes, closest points), which is to be a
fifth at most. The last line says what a pair costs at 2000 over what it costs at 500, which is to be 1.1 at most.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from faying.fem.assembly import assemble
from faying.fem.skin import find_skin
from faying.fem.surface import part_of_surface
from faying.joints.contact_laws import contact_laws
from faying.multibody.contacts import contact as evaluated
from faying.multibody.contacts.contact import PartContact
from faying.multibody.contacts.force import RelativeMotion, normal_forces
from faying.multibody.contacts.search import closest_points, gaps_at
from faying.multibody.contacts.surface import PartSurface, surface_of_body, surface_of_mesh
from faying.multibody.parts.flexible import FlexiblePart
from faying.multibody.system import MultibodySystem
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.solvers.integrators import consistent_start, integrators
from support.boxes import box

CASES = [(element, across) for element in ("hex8_full", "hex20") for across in (6, 21, 44)]
MODES, REACH, ROUNDS = 8, 0.5, 100
CLOSED, STEPS, TURNS, HEIGHT, LENGTH = (125, 250, 500, 1000, 2000), 20, 8, 4.0, 2e-8  # mm, s
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
    nodes = master.deformed(master_q)
    closest = closest_points(master, nodes, answer.places, near)
    motion = RelativeMotion(master, slave, master_q, slave_q)
    times = (
        best(lambda: contact.evaluate(master_q, slave_q, memory, 0.0, jacobian=True)),
        best(lambda: contact.evaluate(master_q, slave_q, memory, 0.0, jacobian=False)),
        best(lambda: closest_points(master, nodes, answer.places, near)),
        best(lambda: gaps_at(master, nodes, answer.places, closest, REACH)),
        best(lambda: normal_forces(motion, gaps, law)),
    )
    counts = (len(gaps.slaves), int(answer.pressing.sum()), len(near.points))
    return f"{element:<10}" + "".join(f"{n:8d}" for n in counts) + "".join(f"{t:11.0f}" for t in times)


def plate(name: str, cells: int, side: float) -> tuple[FlexiblePart, PartSurface]:
    """Return a plate of bricks of 1 mm as a flexible part, and its upper (1) or lower (−1) face."""
    model = box("hex8", (cells, cells, 1), (float(cells), float(cells), HEIGHT))
    matrices, count = assemble(model, Silent()), len(model.nodes)
    rows = np.array([0, count // 2, count - 1])
    interior = InteriorProblem(matrices, model.nodes, rows)
    basis = CraigBampton(vibration_modes=MODES).build(interior, Silent())
    interfaces = {f"node {k}": int(row) for k, row in enumerate(rows)}
    body = build_reduced_body(model.nodes, matrices, basis, interfaces, [])
    skin = find_skin(model)
    face = part_of_surface(skin.surface, side * skin.normals[:, 2] > 0.9)
    return FlexiblePart(name, body, origin=np.zeros(3)), surface_of_body(face, body)


def pressed(closed: int) -> Callable[[], tuple[float, int, float]]:
    """Return what takes steps of a lid of so many nodes: seconds of a step, closed pairs, corrections of a step."""
    cells = round(closed**0.5) - 1
    (base, top), (lid, bottom) = plate("base", cells + 3, 1.0), plate("lid", cells, -1.0)
    law = contact_laws["linear_penalty"](stiffness=50.0)
    touch = PartContact("touch", "base", "lid", top, bottom, law, None, REACH)
    system = MultibodySystem((base, lid), contacts=(touch,))
    q = np.zeros(system.n)
    q[[3, base.n + 3]] = 1.0
    q[base.n : base.n + 3] = 1.37, 1.21, HEIGHT - 1e-3
    history = system.resting_history(q, system.initial_history())
    start = consistent_start(system, 0.0, q, np.zeros(system.n), history)
    scheme = integrators["hht"](fixed_step=True, first_step=LENGTH, largest_step=LENGTH)

    def steps() -> tuple[float, int, float]:
        pairs: list[int] = []
        began = time.thread_time()
        report = scheme.integrate(
            system, start, STEPS * LENGTH, lambda _, after: pairs.append(int(after.closed[0].sum())), Silent()
        )
        return (time.thread_time() - began) / STEPS, min(pairs), report.iterations / STEPS

    return steps


@contextmanager
def timed_search() -> Iterator[list[float]]:
    """Give what the search took within the context, in seconds, one call after the other."""
    seconds: list[float] = []

    def timed(search: Callable[..., Any]) -> Callable[..., Any]:
        def run(*words: Any) -> Any:
            began = time.thread_time()
            found = search(*words)
            seconds.append(time.thread_time() - began)
            return found

        return run

    own = {name: getattr(evaluated, name) for name in ("near_facets", "closest_points")}
    for name, search in own.items():
        setattr(evaluated, name, timed(search))
    try:
        yield seconds
    finally:
        for name, search in own.items():
            setattr(evaluated, name, search)


def share_of_search(run: Callable[[], tuple[float, int, float]]) -> float:
    """Return which share of a run's steps the search takes."""
    with timed_search() as seconds:
        whole = STEPS * run()[0]
    return sum(seconds) / whole


def measure_steps() -> None:
    """Print the cost of a step over closed pairs."""
    runs = [pressed(closed) for closed in CLOSED]
    found = np.array([[run() for run in runs] for _ in range(TURNS + 1)])[1:]  # the first makes machine code
    seconds, (pairs, corrections) = found[:, :, 0].min(axis=0), found[0, :, 1:].T
    shares = [float(np.median([share_of_search(run) for _ in range(3)])) for run in runs]
    sys.stdout.write("\na step: closed pairs, corrections, ms, µs for each pair, and % of search\n")
    for row in zip(
        pairs, corrections, 1e3 * seconds, 1e6 * seconds / pairs, 100.0 * np.array(shares), strict=True
    ):
        sys.stdout.write("{:21.0f}{:13.2f}{:8.2f}{:15.1f}{:17.1f}\n".format(*row))
    each = dict(zip(CLOSED, seconds / pairs, strict=True))
    sys.stdout.write(f"a pair at 2000 over one at 500: {each[2000] / each[500]:.2f}\n")


def main() -> None:
    sys.stdout.write(
        "               gaps pressing   pairs   Jacobian      force    closest       gaps   law and J\n"
    )
    for case in CASES:
        sys.stdout.write(measure(*case) + "\n")
        sys.stdout.flush()
    measure_steps()


if __name__ == "__main__":
    main()
