"""Cost of motion: ``python tests/benchmarks/motion.py``.

A double pendulum of rigid parts (also what a step of it costs in units of its own evaluation, forces, constraints and
mass: the rest is what the program adds, and a system without contacts is to pay nothing for them) and a slider-crank
with a flexible rod, beside Exudyn where that is installed (``pip install "exudyn==1.13.*"``): seconds per simulated
second at the same error, both of one run. Then the step of a held body with joint contact over pairs and modes,
linear in pairs and at most quadratic in modes, which ``--plot step.svg`` draws. Times are processor seconds of one
thread. Not a test: nothing can fail here.
"""

import argparse
import os
import time
from pathlib import Path

# One thread each, before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from _slider_crank import compare_slider_crank
from _step_cost import report_step_cost
from _watch import say

from faying.multibody.initial import assembled_position
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.progress import Silent
from faying.solvers.integrators import State, consistent_start, integrators

ANGLES = np.array([-2.778512564986, -2.385187349886])  # of both bars after one second, to 1e-12
BAR = {"kind": "rigid", "mass": 1.0, "moments_of_inertia": (1e-3, 1 / 12, 1 / 12)}
SETTINGS = {
    "hht": {"alpha": -0.05},
    "generalized_alpha": {"spectral_radius": 0.8},
    "bdf": {},
}  # fmt: skip


def pendulum() -> SystemSpec:
    markers = [{"name": "left", "position": (-0.5, 0, 0)}, {"name": "right", "position": (0.5, 0, 0)}]
    parts = [
        BAR | {"name": name, "markers": markers, "placement": {"position": (x, 0, 0)}}
        for name, x in (("one", 0.5), ("two", 1.5))
    ]
    ends = (("pivot", "ground.pivot", "one.left"), ("elbow", "one.right", "two.left"))
    hinges = [{"kind": "revolute", "name": n, "first": a, "second": b} for n, a, b in ends]
    return build(
        SystemSpec,
        {
            "name": "double pendulum", "gravity": (0, -9.81, 0), "ground": [{"name": "pivot"}],
            "parts": parts, "constraints": hinges,
        },
    )  # fmt: skip


def measure_pendulum(kind: str, step: float) -> None:
    """Print cost and error of one second with fixed steps."""
    spec = pendulum()
    system = spec.build({})
    q, v = spec.start(system)
    history = system.initial_history()
    q = assembled_position(system, q, history)
    scheme = integrators[kind](tolerance=1e-6, fixed_step=True, largest_step=step, **SETTINGS[kind])
    start, ends = consistent_start(system, 0.0, q, v, history), []
    scheme.integrate(system, start, 5 * step, lambda before, after: None, Silent())  # compiles
    began = time.process_time()
    report = scheme.integrate(system, start, 1.0, lambda before, after: ends.append(after), Silent())
    seconds = time.process_time() - began
    axes = [system.motion(f"{name}.left", ends[-1].q).axes for name in ("one", "two")]
    found = np.array([np.arctan2(a[1, 0], a[0, 0]) for a in axes])
    split = ", ".join(f"{what} {100 * part / sum(report.seconds.values()):.0f} %" for what, part in
                      sorted(report.seconds.items(), key=lambda item: -item[1])[:4])  # fmt: skip
    say(
        f"  {kind:<18} h = {step:g}: {seconds:6.3f} s, error {np.abs(found - ANGLES).max():.1e} rad, "
        f"{report.iterations / report.steps:.2f} corrections and {report.jacobians / report.steps:.3f} Jacobians "
        f"per step, {1e3 * seconds / report.iterations:.3f} ms per correction; {split}; a step costs "
        f"{seconds / report.steps / evaluation(system, ends[-1]):.1f} evaluations"
    )


def evaluation(system: MultibodySystem, state: State) -> float:
    """Return the least seconds of what each correction asks of a system: forces, constraints, mass."""
    least = np.inf
    for _ in range(20):
        began = time.process_time()
        for _ in range(100):
            system.forces(state.time, state.q, state.v, state.history, jacobian=False)
            system.constraints(state.time, state.q, state.history)
            system.mass(state.q)
        least = min(least, (time.process_time() - began) / 100)
    return least


def measure_exudyn(step: float) -> None:
    """Print the same of Exudyn's generalised-α."""
    try:
        import exudyn
        from exudyn.utilities import ObjectGround, RigidBodyInertia
    except ImportError:
        say("  Exudyn is not installed.")
        return
    exudyn.config.printToConsole = False
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    ground = system.AddObject(ObjectGround())
    inertia = RigidBodyInertia(mass=1.0, inertiaTensor=np.diag([1e-3, 1 / 12, 1 / 12]))
    bars = [
        system.CreateRigidBody(inertia=inertia, referencePosition=[x, 0, 0], gravity=[0, -9.81, 0])
        for x in (0.5, 1.5)
    ]
    for bodies, x in (((ground, bars[0]), 0.0), ((bars[0], bars[1]), 1.0)):
        system.CreateRevoluteJoint(itemNumbers=list(bodies), position=[x, 0, 0], axis=[0, 0, 1])
    system.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.endTime, settings.timeIntegration.numberOfSteps = 1.0, round(1.0 / step)
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.solution.file.write = False
    began = time.process_time()
    system.SolveDynamic(settings)
    seconds = time.process_time() - began
    found = [
        np.reshape(system.GetObjectOutputBody(bar, exudyn.OutputVariableType.RotationMatrix), (3, 3))
        for bar in bars
    ]
    error = np.abs(np.array([np.arctan2(a[1, 0], a[0, 0]) for a in found]) - ANGLES).max()
    say(f"  {'Exudyn ' + exudyn.__version__:<18} h = {step:g}: {seconds:6.3f} s, error {error:.1e} rad")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plot", type=Path, metavar="FILE.svg|.png|.csv", help="draw the cost of a step")
    arguments = parser.parse_args()
    say("double pendulum, one second")
    for kind in SETTINGS:
        measure_pendulum(kind, 1e-3)
    measure_exudyn(1e-3)
    say()
    compare_slider_crank()
    report_step_cost(arguments.plot)


if __name__ == "__main__":
    main()
