"""A ball on a rod by an explicit FE run, Hertz, and the reduced bodies: ``python tests/benchmarks/impact.py``.

The FE run has the meshes of the examples ``sphere-on-rod`` and ``sphere-on-cup`` with nothing reduced: central
differences (Newmark's β = 0, γ = 1/2) with lumped mass, K u by one sparse product in each step, and the examples'
contact law at the ball's nodes. It takes the motions that are symmetric, a quarter of the unknowns; its time is that of
as many steps with all of them. Displacements stay below 40 µm beside bricks of 105 µm, along the axis but for some
nanometres, so each node keeps the place on the rod's facets over which it starts, with their normal.

"undamped" and "DS" are the examples' reduced bodies with all inertia of their contact shapes, in the coordinates that
uncouple them: free vibrations are exact, and contact acts in kicks between steps (Verlet's scheme). DS damps modes
above the separation frequency as the paper does: all swing with a period of 0.5 µs, slower ones have a damping ratio
of 0.05. "QS" is Faying's own motion, whose contact shapes follow their statics.

"motions" is a table of its own: what separation saves in the same program, in large motion and with contact as it is.
All are Faying's own motion, as long as ``--blow`` says, the largest force and two thirds of contact among it; all steps
are measured. QS; with all inertia by the example's error per step ("adapts"); with all inertia by fixed steps, of which
5 ns are a tenth of the fastest mode's period; and with fast modes damped as the paper does, by fixed steps of a tenth
of their period, which is what ``faying check`` asks for. The last column is the time over that of QS; rows with the
same peak force compare at the same error of it.

Times are processor time of the steps alone. Not a test: nothing can fail here.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from _watch import say
from scipy.spatial import cKDTree

from faying.examples import ExampleRun
from faying.examples import _impact as impact
from faying.examples.sphere_on_cup import CONCAVE
from faying.examples.sphere_on_rod import PLANE
from faying.fem.surface import Surface, nodal_areas
from faying.linalg.threads import one_thread
from faying.project.store import ArtifactStore

_TIMED = 40  # steps with all unknowns
SEPARATION, PERIOD, BETWEEN = 200e3, 5e-7, 0.05  # Hz, s, damping ratio below that period


@dataclass(frozen=True, eq=False)
class Spot:
    """Nodes of the ball over facets of the rod: (n,) normal rows of both in vertical and lateral displacements.

    Attributes:
        ball, rod: CSR (n, 3 nodes) displacements of each along the normals.
        gaps: (n,) at the start.
        areas: (n,) of the ball's nodes.
    """

    ball: sp.csr_matrix
    rod: sp.csr_matrix
    gaps: np.ndarray
    areas: np.ndarray


@dataclass(frozen=True, eq=False)
class History:
    """What a way gives: times (n,), forces (n,), speeds of the ball and of the rod's far end (n,); seconds, steps."""

    times: np.ndarray
    forces: np.ndarray
    ball: np.ndarray
    far: np.ndarray
    seconds: float
    steps: int


def find_spot(rod: np.ndarray, rod_surface: Surface, ball: np.ndarray, ball_surface: Surface) -> Spot:
    """Return which facets of the rod (nodes (k, 3)) lie below nodes of the ball, seen along the axis."""
    (block,) = rod_surface.blocks
    quads = rod[block.connectivity]
    nodes = ball_surface.nodes
    signs = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    areas = nodal_areas(ball_surface, ball)
    entries: list[tuple[int, float, np.ndarray, np.ndarray, np.ndarray]] = []
    for i, node in enumerate(nodes.tolist()):
        point = ball[node]
        near = np.argsort(np.linalg.norm(quads.mean(axis=1) - point, axis=1))[:9]
        for facet in near.tolist():
            corners, xi = quads[facet], np.zeros(2)
            for _ in range(20):  # Newton for the bilinear map in the plane
                shape = 0.25 * np.prod(1.0 + signs * xi, axis=1)
                first = 0.25 * signs * (1.0 + signs * xi)[:, ::-1]
                xi = xi + la.solve((first.T @ corners[:, :2]).T, point[:2] - shape @ corners[:, :2])
            if np.abs(xi).max() <= 1.0 + 1e-3:
                shape = 0.25 * np.prod(1.0 + signs * xi, axis=1)
                first = 0.25 * signs * (1.0 + signs * xi)[:, ::-1]
                normal = np.cross(*(first.T @ corners))
                normal *= np.sign(normal[2]) / np.linalg.norm(normal)
                gap = float(normal[2] * (point[2] - shape @ corners[:, 2]))
                entries.append((i, gap, normal, block.connectivity[facet], shape))
                break
    chosen = np.array([i for i, *_ in entries])
    of_ball, of_rod = (sp.lil_matrix((len(entries), 3 * len(x))) for x in (ball, rod))
    for row, (i, _, normal, corners, shape) in enumerate(entries):
        for axis in range(3):
            of_ball[row, 3 * nodes[i] + axis] = normal[axis]
            for corner, share in zip(corners, shape, strict=True):
                of_rod[row, 3 * corner + axis] = share * normal[axis]
    gaps = np.array([gap for _, gap, *_ in entries])
    return Spot(of_ball.tocsr(), of_rod.tocsr(), gaps, areas[chosen])


def explicit(run: ExampleRun, spot: Spot, stiffness: float, far: int, end: float) -> History:
    """Return the FE run; `far` is the node at the rod's far end.

    Everything is symmetric about two planes: the run has the motions of the whole mesh that are so, u = S x with a
    quarter of the unknowns. Its time is that of as many steps with all unknowns, of which some are measured.
    """
    whole = [run.value("matrices", body=name) for name in ("rod", "ball")]
    meshes = [run.value("model", body=name).nodes for name in ("rod", "ball")]
    assert all(m.dofs.n_dofs == x.size for m, x in zip(whole, meshes, strict=True))  # nothing is coupled
    full = sp.block_diag([m.stiffness for m in whole]).tocsr()
    mass = np.concatenate([np.asarray(m.mass.sum(axis=1)).ravel() for m in whole])
    symmetric = sp.block_diag([symmetric_motions(x) for x in meshes]).tocsr()
    k, m = (symmetric.T @ full @ symmetric).tocsr(), symmetric.T.power(2) @ mass
    closing = (sp.hstack([-spot.rod, spot.ball]) @ symmetric).tocsr()
    opening, law = closing.T.tocsr(), stiffness * spot.areas
    # The largest frequency, contact springs closed: power iteration.
    x = np.random.default_rng(1).normal(size=len(m))
    for _ in range(60):
        x /= np.linalg.norm(x)
        x = (k @ x + opening @ (law * (closing @ x))) / m
    # Contact that opens and closes makes energy near the limit of stability.
    step = 0.6 * 2.0 / np.sqrt(np.linalg.norm(x))
    upward = np.concatenate([np.zeros(meshes[0].size), np.tile([0.0, 0.0, 1.0], len(meshes[1]))])
    momentum = symmetric.T @ (mass * upward)
    u, v = np.zeros(len(m)), -impact.SPEED * (symmetric.T @ (mass * upward)) / m
    at_far = int(symmetric[3 * far + 2].indices[0])
    count = int(np.ceil(end / step))
    kept = np.zeros((count, 4))
    for i in range(count):  # leapfrog: v at the middle of steps
        pressed = law * np.maximum(-(spot.gaps + closing @ u), 0.0)
        v += step / m * (opening @ pressed - k @ u) * (0.5 if i == 0 else 1.0)
        kept[i] = i * step, pressed.sum(), momentum @ v / (mass @ upward), v[at_far]
        u += step * v
    every, u, rows = symmetric @ u, symmetric @ u, sp.hstack([-spot.rod, spot.ball]).tocsr()
    back, v = rows.T.tocsr(), symmetric @ v
    began = time.process_time()
    for _ in range(_TIMED):
        pressed = law * np.maximum(-(spot.gaps + rows @ u), 0.0)
        v += step / mass * (back @ pressed - full @ every)
        u += step * v
    return History(*kept.T, (time.process_time() - began) / _TIMED * count, count)


def symmetric_motions(nodes: np.ndarray) -> sp.csr_matrix:
    """Return (3 n, m) displacements of nodes (n, 3) by those of a quarter, mirrored at the planes x = 0 and y = 0."""
    own = np.flatnonzero((nodes[:, 0] > -1e-6) & (nodes[:, 1] > -1e-6))
    distance, found = cKDTree(nodes[own]).query(np.column_stack([np.abs(nodes[:, :2]), nodes[:, 2]]))
    assert distance.max() < 1e-5
    signs = np.where(nodes < -1e-6, -1.0, np.where(nodes > 1e-6, 1.0, 0.0))
    signs[:, 2] = 1.0
    rows = np.arange(nodes.size)
    columns = (3 * found[:, None] + np.arange(3)).ravel()
    moved = sp.csc_matrix((signs.ravel(), (rows, columns)), shape=(nodes.size, 3 * len(own)))
    moved.eliminate_zeros()
    return moved[:, np.diff(moved.indptr) > 0].tocsr()


def reduced(run: ExampleRun, spot: Spot, stiffness: float, far: int, end: float, *, damped: bool) -> History:
    """Return the run of the reduced bodies in modal coordinates, with all of their inertia."""
    squares, gains, speeds, masses, far_row = [], [], [], [], np.zeros(0)
    for name, rows in (("rod", -spot.rod), ("ball", spot.ball)):
        body = run.value("body", body=name)
        values, shapes = la.eigh(body.stiffness, body.mass)
        # One rigid motion matters, along the axis; it comes first.
        rigid = np.zeros(body.displacements.shape[0])
        rigid[2::3] = 1.0 / np.sqrt(body.total_mass)
        squares.append(np.concatenate([[0.0], values]))
        vectors = np.column_stack([rigid, body.displacements @ shapes])
        gains.append(rows @ vectors)
        masses.append(body.total_mass)
        speeds.append(np.zeros(len(values) + 1))
        if name == "rod":
            far_row = vectors[3 * far + 2]
    speeds[1][0] = -impact.SPEED * np.sqrt(masses[1])
    omega = np.sqrt(np.concatenate(squares))
    gain, v = np.hstack(gains), np.concatenate(speeds)
    ratio = np.zeros(len(omega))
    if damped:
        wanted = 2.0 * np.pi / PERIOD
        high = omega > 2.0 * np.pi * SEPARATION
        ratio[high] = BETWEEN
        fast = omega > wanted
        ratio[fast] = np.sqrt(1.0 - (wanted / omega[fast]) ** 2)
    step = 0.2 / omega.max()  # a fifth of what central differences would need, over two
    moves = exact_steps(omega, ratio, step)
    law, n = stiffness * spot.areas, len(squares[0])
    x, count = np.zeros(len(omega)), int(np.ceil(end / step))
    kept, every = [], max(1, count // 3000)
    began = time.process_time()
    for i in range(count):
        pressed = law * np.maximum(-(spot.gaps + gain @ x), 0.0)
        force = pressed @ gain
        if i % every == 0:
            kept.append((i * step, pressed.sum(), v[n] / np.sqrt(masses[1]), far_row @ v[:n]))
        v += step * force
        x, v = moves[0, 0] * x + moves[0, 1] * v, moves[1, 0] * x + moves[1, 1] * v
    return History(*np.array(kept).T, time.process_time() - began, count)


def in_motion(
    run: ExampleRun, end: float, step: float = 0.0, *, separate: bool = False, damped: bool = False
) -> History:
    """Return Faying's own motion until then, with the example's settings but for those that are given here.

    Args:
        run: the example.
        end: simulated time.
        step: of fixed length, with little damping by the scheme; by the example's tolerance where it is zero.
        separate: whether contact shapes follow their statics.
        damped: whether they are damped as the paper's.
    """
    parts = {"damped_period": PERIOD, "damped_above": SEPARATION} if damped else {}
    project = run.project
    (system,) = (s for s in project.systems if s.name == impact.IMPACT)
    (motion,) = (a for a in project.analyses if a.name == impact.IMPACT)
    integrator = motion.integrator.with_(separate_modes=separate)
    if step:
        integrator = integrator.with_(alpha=-0.05, fixed_step=True, largest_step=step, first_step=step)
    changed = project.with_(
        systems=(system.with_(parts=tuple(part.with_(**parts) for part in system.parts)),),
        analyses=(motion.with_(integrator=integrator, duration=end, frames=max(round(end / 1e-6), 1)),),
    )
    results = ExampleRun(changed, run.store).results(impact.IMPACT)
    curves = (results.curve(name) for name in ("hit normal force", "ball.frame vz", "rod.far end vz"))
    return History(results.values, *curves, results.report["processor_seconds"], results.report["steps"])


def exact_steps(omega: np.ndarray, ratio: np.ndarray, step: float) -> np.ndarray:
    """Return (2, 2, n): x and v of free vibrations after a step by those before."""
    moves = np.zeros((2, 2, len(omega)))
    for i, (w, z) in enumerate(zip(omega.tolist(), ratio.tolist(), strict=True)):
        moves[:, :, i] = la.expm(step * np.array([[0.0, 1.0], [-w * w, -2.0 * z * w]]))
    return moves


def told(name: str, history: History, beside: History | None = None) -> None:
    """Print a line of the table, with the time over that of another history.

    Forces are means over 4 µs: light nodes rattle without damping.
    """
    t = np.arange(0.0, history.times[-1], 4e-6)
    cuts = np.searchsorted(history.times, t)
    cuts = cuts[: np.searchsorted(cuts, len(history.times) - 1)]
    force = np.add.reduceat(history.forces, cuts) / np.diff([*cuts, len(history.forces)])
    middle = np.add.reduceat(history.times, cuts) / np.diff([*cuts, len(history.times)])
    closed = history.times[history.forces > 1e-3 * force.max()]
    far = history.far[np.abs(history.far).argmax()]
    say(
        f"{name:<11}{force.max():7.1f}{1e6 * middle[force.argmax()]:9.1f}{1e6 * closed[-1]:9.1f}{history.ball[-1]:9.2f}"
        f"{-far:9.1f}{history.steps:9d}{history.seconds:9.1f}{1e-3 * history.seconds / history.times[-1]:8.0f}"
        + ("" if beside is None else f"{history.seconds / beside.seconds:8.1f}")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--end", choices=("plane", "concave"), default="plane")
    parser.add_argument("--ways", nargs="*", default=["Hertz", "FE", "undamped", "DS", "QS", "motions"])
    parser.add_argument("--until", type=float, default=300e-6, help="simulated time in s")
    parser.add_argument("--store", type=Path, help="a folder that keeps the bodies for the next time")
    parser.add_argument("--damped-steps", type=float, nargs="*", default=[PERIOD / 10.0], metavar="S")
    parser.add_argument("--full-steps", type=float, nargs="*", default=[0.0, 2e-7, 5e-9], metavar="S")
    parser.add_argument(
        "--blow", type=float, default=120e-6, help="simulated time of the table of motions in s"
    )
    arguments = parser.parse_args()
    setting = {"plane": PLANE, "concave": CONCAVE}[arguments.end]
    own = tempfile.TemporaryDirectory()  # goes at the end
    store = arguments.store or Path(own.name)
    run = ExampleRun(impact.project(setting, "impact", "", quick=False), ArtifactStore(store))
    bodies = [run.value("body", body=name) for name in ("rod", "ball")]
    spot = find_spot(*(x for body in bodies for x in (body.nodes, body.surfaces["spot"])))
    far = bodies[0].interface_nodes["far end"]
    say(
        f"{arguments.end} end, {sum(3 * len(b.nodes) for b in bodies)} equations, {len(spot.gaps)} contact nodes"
    )
    say("           peak N  at, µs  end, µs  rebound  far end    steps  seconds    s/ms   (speeds in mm/s)")
    if "Hertz" in arguments.ways:
        hertz = impact.hertz_impact(setting.radius)
        far_end = 2.0 * hertz.forces.max() / impact.rod_impedance()
        say(
            f"{'Hertz':<9}{hertz.forces.max():9.1f}{1e6 * hertz.time_of_peak:9.1f}{1e6 * hertz.end:9.1f}"
            f"{hertz.rebound:9.2f}{far_end:9.1f}"
        )
    with one_thread():
        if "FE" in arguments.ways:
            told("FE", explicit(run, spot, setting.stiffness, far, arguments.until))
        for way in ("undamped", "DS"):
            if way in arguments.ways:
                told(way, reduced(run, spot, setting.stiffness, far, arguments.until, damped=way == "DS"))
    if "QS" in arguments.ways:
        told("QS", in_motion(run, arguments.until, separate=True))
    if "motions" in arguments.ways:
        tell_motions(run, arguments.blow, arguments.full_steps, arguments.damped_steps)


def tell_motions(run: ExampleRun, end: float, full: list[float], damped: list[float]) -> None:
    """Print the table of Faying's own motions until then, by steps of given lengths (0: by the error per step)."""
    say(f"Faying's own motions until {1e6 * end:.0f} µs; the last column is the time over that of QS")
    separated = in_motion(run, end, separate=True)
    told("QS", separated, separated)
    for step in full:
        told(f"all {f'{1e9 * step:.0f} ns' if step else 'adapts'}", in_motion(run, end, step), separated)
    for step in damped:
        told(f"DS {1e9 * step:.0f} ns", in_motion(run, end, step, damped=True), separated)


if __name__ == "__main__":
    sys.exit(main())
