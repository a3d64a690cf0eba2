"""Cost of a step of systems, and of first use: ``python tests/benchmarks/rigid_chains.py [--quick]``.

Chains of hinged bars that fall from level, and a ring of bars with ball joints that hangs from one of them, by
generalised-α with fixed steps of 1 ms; a slab that slides down a rough plane on its four corners; and the processor
time that two bars take until their third step with an empty cache of machine code. All numbers are ratios of processor
times of one run: of chains and ring to Exudyn's generalised-α with the same steps, the faster of its dense and sparse
solvers, where that is installed (``pip install "exudyn==1.13.*"``); else, and of the slab, to the same number of steps
of plain NumPy (`plain_step`); of first use to the import of Faying. Without ``--quick`` also a slider-crank with a
flexible rod of 26 modes, over Exudyn with the same modes, of which ``motion.py`` tells more.

The command fails when a ratio is above its limit; limits are generous, for busy machines.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from _slider_crank import rod_over_exudyn
from _watch import say

from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.progress import Silent
from faying.solvers.integrators import consistent_start, integrators
from faying.spatial.rotations import skew

STEP, TENSOR = 1e-3, (1e-3, 1 / 12, 1 / 12)
GRAVITY = (0.0, -9.81, 0.0)
# Bars of a chain, steps of a run, and the limits over Exudyn and over plain NumPy.
CHAINS = (
    (2, 200, 2.5, 1.5),
    (5, 150, 1.5, 1.5),
    (20, 60, 2.0, 6.0),
    (60, 40, 2.0, 9.0),
    (200, 10, 2.5, 20.0),
    (500, 6, 2.5, 25.0),
)
RING = (20, 60, 2.0, 6.0)
# Steps of the rod, and limits over Exudyn.
ROD = ((5e-4, 1.2), (1e-4, 0.6))
QUICK = (2, 20)
SLAB_LIMIT, FIRST_USE_LIMIT = 120.0, 25.0
ROUNDS, _MANY = 3, 200
MASS, EDGE, STIFFNESS = 2e-3, 10.0, 500.0  # of the slab: t, mm, N/mm³


@dataclass(frozen=True)
class Ratio:
    """A measured ratio and its limit."""

    what: str
    value: float
    limit: float

    @property
    def line(self) -> str:
        """A line of the table."""
        mark = "" if self.value <= self.limit else "  too slow"
        return f"  {self.what:<46} {self.value:7.2f}  (at most {self.limit:g}){mark}"


def chain(bars: int) -> SystemSpec:
    """Return bars of 1 m and 1 kg, hinged to each other and to ground, level at the start."""
    ends = [{"name": name, "position": (x, 0, 0)} for name, x in (("left", -0.5), ("right", 0.5))]
    parts = [
        {
            "kind": "rigid", "name": f"bar{k}", "mass": 1.0, "moments_of_inertia": TENSOR, "markers": ends,
            "placement": {"position": (k + 0.5, 0, 0)},
        }
        for k in range(bars)
    ]  # fmt: skip
    hinges = [
        {
            "kind": "revolute", "name": f"hinge{k}", "first": f"bar{k - 1}.right" if k else "ground.pivot",
            "second": f"bar{k}.left",
        }
        for k in range(bars)
    ]  # fmt: skip
    ground = [{"name": "pivot"}]
    words = {"name": "chain", "gravity": GRAVITY, "ground": ground, "parts": parts, "constraints": hinges}
    return build(SystemSpec, words)


def corners_of_ring(bars: int) -> np.ndarray:
    """Return (bars, 3) corners of a polygon with sides of 1 m that stands on edge below its first corner."""
    angles = 2.0 * np.pi * np.arange(bars) / bars
    radius = 0.5 / np.sin(np.pi / bars)
    return radius * np.column_stack([np.sin(angles), np.cos(angles) - 1.0, 0.0 * angles])


def ring(bars: int) -> SystemSpec:
    """Return bars of 1 m and 1 kg with ball joints in a closed ring, of which one hangs from ground."""
    ends = [{"name": name, "position": (x, 0, 0)} for name, x in (("left", -0.5), ("right", 0.5))]
    corners = corners_of_ring(bars)
    parts, joints = [], [{"first": "ground.pivot", "second": "bar0.left"}]
    for k in range(bars):
        start, end = corners[k], corners[(k + 1) % bars]
        turn = float(np.arctan2(end[1] - start[1], end[0] - start[0]))
        parts.append({
            "kind": "rigid", "name": f"bar{k}", "mass": 1.0, "moments_of_inertia": TENSOR, "markers": ends,
            "placement": {"position": tuple(0.5 * (start + end)), "rotation": (0, 0, turn)},
        })  # fmt: skip
        joints.append({"first": f"bar{k}.right", "second": f"bar{(k + 1) % bars}.left"})
    balls = [{"kind": "spherical", "name": f"joint{k}", **joint} for k, joint in enumerate(joints)]
    words = {
        "name": "ring",
        "gravity": GRAVITY,
        "ground": [{"name": "pivot"}],
        "parts": parts,
        "constraints": balls,
    }
    return build(SystemSpec, words)


def slab(folder: Path) -> SystemSpec:
    """Return a slab that presses with its weight on a rough plane, and begins to slide."""
    half = 0.5 * EDGE
    corners = [
        f"v {x} {y} {z}"
        for z in (-0.5, 0.5)
        for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))
    ]
    sides = ("1 4 3 2", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8")
    path = folder / "slab.obj"
    path.write_text("\n".join([*corners, *(f"f {side}" for side in sides), ""]))
    slope = np.arctan(0.45)
    pull = 9810.0 * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    depth = -MASS * pull[2] / EDGE**2 / STIFFNESS
    moments = MASS / 12.0 * np.array([EDGE**2 + 1.0, EDGE**2 + 1.0, 2.0 * EDGE**2])
    part = {
        "kind": "rigid", "name": "slab", "mass": MASS, "moments_of_inertia": tuple(moments),
        "placement": {"position": (0.0, 0.0, 0.5 - depth)},
        "contact_surfaces": [{"kind": "surface_mesh", "name": "skin", "path": str(path)}],
    }  # fmt: skip
    rub = {
        "name": "rub", "master": "ground.floor", "slave": "slab.skin", "reach": 2.0,
        "contact_law": {"kind": "linear_penalty", "stiffness": STIFFNESS},
        "friction_law": {"kind": "coulomb", "friction_coefficient": 0.3, "sticking_stiffness": 1e4},
    }  # fmt: skip
    floor = [{"kind": "plane", "name": "floor"}]
    words = {
        "name": "slide",
        "gravity": tuple(pull),
        "parts": [part],
        "ground_surfaces": floor,
        "contacts": [rub],
    }
    return build(SystemSpec, words)


def least(work: Callable[[], object]) -> float:
    """Return the least processor time of some rounds of work."""
    best = np.inf
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def seconds_of_step(spec: SystemSpec, steps: int, length: float, **settings: object) -> float:
    """Return the processor time of a step of fixed length."""
    system = spec.build({})
    q, v = spec.start(system)
    history = system.resting_history(q, system.initial_history())
    scheme = integrators["generalized_alpha"](
        fixed_step=True, largest_step=length, spectral_radius=0.8, **settings
    )
    start = consistent_start(system, 0.0, q, v, history)

    def run(count: int) -> int:
        return scheme.integrate(system, start, count * length, lambda before, after: None, Silent()).steps

    run(3)  # compiles
    return least(lambda: run(steps)) / steps


def plain_step(bars: int) -> Callable[[], None]:
    """Return a function that does in NumPy, for all bars at once, what two corrections of a step do at least."""
    rng = np.random.default_rng(bars)
    p, blocks = rng.normal(size=(bars, 3)), rng.normal(size=(bars, 13, 13))
    vector, near = rng.normal(size=(bars, 13)), np.ones(13 * bars)
    factors = spla.splu(
        sp.csc_matrix(sp.diags_array([near[13:], 30.0 * near, near[13:]], offsets=[-13, 0, 13]))
    )

    def step() -> None:
        for _ in range(2):
            turns = np.eye(3) + skew(p) + skew(p) @ skew(p)
            turned = (turns @ p[..., None])[..., 0]
            residual = (blocks @ vector[..., None])[..., 0] + np.sqrt(np.vecdot(turned, turned))[:, None]
            factors.solve(residual.ravel())

    return step


def seconds_of_plain_step(bars: int, steps: int) -> float:
    """Return the processor time of a plain step."""
    step = plain_step(bars)
    return least(lambda: [step() for _ in range(steps)]) / steps


def exudyn_chain(system: Any, bars: int) -> None:
    """Add the bodies and joints of a chain to a system of Exudyn."""
    from exudyn.utilities import ObjectGround, RigidBodyInertia

    last = system.AddObject(ObjectGround())
    inertia = RigidBodyInertia(mass=1.0, inertiaTensor=np.diag(TENSOR))
    for k in range(bars):
        bar = system.CreateRigidBody(
            inertia=inertia, referencePosition=[k + 0.5, 0, 0], gravity=list(GRAVITY)
        )
        system.CreateRevoluteJoint(itemNumbers=[last, bar], position=[k, 0, 0], axis=[0, 0, 1])
        last = bar


def exudyn_ring(system: Any, bars: int) -> None:
    """Add the bodies and joints of a ring to a system of Exudyn."""
    from exudyn.utilities import ObjectGround, RigidBodyInertia, RotationMatrixZ

    corners, made = corners_of_ring(bars), []
    inertia = RigidBodyInertia(mass=1.0, inertiaTensor=np.diag(TENSOR))
    for k in range(bars):
        start, end = corners[k], corners[(k + 1) % bars]
        turn = np.arctan2(end[1] - start[1], end[0] - start[0])
        made.append(
            system.CreateRigidBody(
                inertia=inertia, referencePosition=list(0.5 * (start + end)),
                referenceRotationMatrix=RotationMatrixZ(turn), gravity=list(GRAVITY),
            )
        )  # fmt: skip
    ground = system.AddObject(ObjectGround())
    for pair, place in [([ground, made[0]], corners[0])] + [
        ([made[k], made[(k + 1) % bars]], corners[(k + 1) % bars]) for k in range(bars)
    ]:
        system.CreateSphericalJoint(itemNumbers=pair, position=list(place))


def seconds_of_exudyn(bars: int, steps: int, fill: Callable[[Any, int], None] = exudyn_chain) -> float | None:
    """Return the processor time of a step of the same bars by Exudyn; None where that is not installed."""
    try:
        import exudyn
    except ImportError:
        return None
    exudyn.config.printToConsole = False
    found, solvers = [], [exudyn.LinearSolverType.EigenSparse]
    if bars < _MANY:  # full matrices of more take minutes
        solvers.append(exudyn.LinearSolverType.EXUdense)
    for solver in solvers:
        container = exudyn.SystemContainer()
        system = container.AddSystem()
        fill(system, bars)
        system.Assemble()
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.endTime, settings.timeIntegration.numberOfSteps = steps * STEP, steps
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.solution.file.write = False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            settings.linearSolverType = solver
        found.append(least(lambda system=system, settings=settings: system.SolveDynamic(settings)) / steps)
    return min(found)


def first_use() -> float:
    """Return the processor time of two bars until their third step from an empty cache, over that of the imports."""
    lines = (
        "import sys, time; begun = time.process_time(); sys.path.insert(0, sys.argv[1])\n"
        "from rigid_chains import STEP, chain, consistent_start, integrators, Silent\n"
        "ready = time.process_time(); spec = chain(2); system = spec.build({}); q, v = spec.start(system)\n"
        "start = consistent_start(system, 0.0, q, v, system.initial_history())\n"
        "scheme = integrators['hht'](fixed_step=True, largest_step=STEP)\n"
        "scheme.integrate(system, start, 3 * STEP, lambda before, after: None, Silent())\n"
        "print((time.process_time() - ready) / (ready - begun))"
    )
    with tempfile.TemporaryDirectory() as folder:
        answer = subprocess.run(
            [sys.executable, "-c", lines, str(Path(__file__).parent)],
            env={**os.environ, "NUMBA_CACHE_DIR": folder}, capture_output=True, text=True, check=True,
        )  # fmt: skip
    return float(answer.stdout)


def ratios(quick: bool) -> Iterator[Ratio]:
    """Yield all ratios, or those of short runs."""
    systems = [("chain", chain, exudyn_chain, case) for case in CHAINS]
    for what, spec_of, fill, (bars, steps, over_exudyn, over_plain) in (
        *systems, ("ring", ring, exudyn_ring, RING),
    ):  # fmt: skip
        if quick and (bars not in QUICK or what == "ring"):
            continue
        own = seconds_of_step(spec_of(bars), steps, STEP, tolerance=1e-6)
        other = seconds_of_exudyn(bars, steps, fill)
        if other is not None:
            yield Ratio(f"{what} of {bars} bars over Exudyn", own / other, over_exudyn)
        yield Ratio(
            f"{what} of {bars} bars over plain NumPy", own / seconds_of_plain_step(bars, steps), over_plain
        )
    if not quick:
        for step, limit in ROD:
            ratio = rod_over_exudyn(step)
            if ratio is not None:
                yield Ratio(f"flexible rod, steps of {1e3 * step:g} ms, over Exudyn", ratio, limit)
    with tempfile.TemporaryDirectory() as folder:
        own = seconds_of_step(slab(Path(folder)), 50, 5e-4, tolerance=1e-4)
    yield Ratio("sliding slab over plain NumPy", own / seconds_of_plain_step(1, 50), SLAB_LIMIT)
    yield Ratio("first use over the import of Faying", first_use(), FIRST_USE_LIMIT)


def main() -> int:
    """Print the table; return the number of ratios above their limits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="chains of 2 and 20 bars alone")
    quick, behind = parser.parse_args().quick, 0
    say("processor time of a step, as ratios")
    for ratio in ratios(quick):
        say(ratio.line)
        behind += ratio.value > ratio.limit
    return behind


if __name__ == "__main__":
    sys.exit(main())
