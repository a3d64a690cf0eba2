"""A slider-crank with a flexible rod, run up to 1000 rpm: Faying beside Exudyn with the same modes."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from _watch import say

from faying.examples import ExampleRun, examples
from faying.fem.assembly import assemble
from faying.fem.model import FeModel
from faying.multibody.bodies import FlexibleBody
from faying.multibody.initial import assembled_position
from faying.progress import Silent
from faying.project.store import ArtifactStore
from faying.reduction.body import ReducedBody
from faying.solvers.integrators import consistent_start, integrators

CRANK, LENGTH, PISTON_MASS = 0.0375, 0.15, 0.71  # m, m, kg
SPEED, RISE, END = 2.0 * math.pi * 1000.0 / 60.0, 0.25, 0.3  # rad/s, s, s
FINEST, STEPS = 1e-5, (5e-4, 2e-4, 1e-4)  # s
# What the iterations leave comes back as noise of the multipliers: with 1e-6 m and steps of 0.1 ms it is five times
# the error of the step, with 0.5 ms nothing of it. So each program gets the loosest that leaves the error alone.
TOLERANCES = {"Faying": (1e-8, 1e-7, 1e-6), "Exudyn": (1e-8, 1e-6, 1e-5)}  # m; relative
MORE = 1.05  # of the error with the tightest
RADIUS = 0.8  # spectral radius of both programs' generalised-α
REPEATS = 5


@dataclass(frozen=True)
class Rod:
    """The rod of the example slider-crank-rod.

    Attributes:
        free: the reduced body.
        held: with its frame at the big end.
        model: its FE model.
        middle: node in the middle.
    """

    free: ReducedBody
    held: ReducedBody
    model: FeModel
    middle: int

    @property
    def bending(self) -> np.ndarray:
        """(r,) row of the deflection of the middle from the chord."""
        return self.held.displacements[3 * self.middle + 1] - 0.5 * self.held.interfaces["end"][1]


@dataclass(frozen=True)
class TimedRun:
    """What one run gave: seconds of the processor, and deflections (n,) in m at times (n,)."""

    seconds: float
    times: np.ndarray
    deflections: np.ndarray


@cache
def programs() -> "dict[str, Callable[[float, float], TimedRun]]":
    """Return the runs of a step and a tolerance by both programs; of Faying alone without Exudyn."""
    with TemporaryDirectory() as folder:
        run = ExampleRun(examples["slider-crank-rod"]().build(), ArtifactStore(Path(folder)))
        free, model = run.value("body"), run.value("model")
        spec = run.project.systems[0]
    held = free.clamped_to("start")
    middle = int(np.argmin(np.linalg.norm(held.nodes - (LENGTH / 2.0, 0.0, 0.0), axis=1)))
    rod = Rod(free, held, model, middle)
    say(f"slider-crank with a flexible rod of {held.n_coordinates} modes up to 1000 rpm, {END} s")
    found: dict[str, Callable[[float, float], TimedRun]] = {"Faying": _Faying(spec, rod).run}
    try:
        found["Exudyn"] = _Exudyn(rod).run
    except ImportError:
        say("  Exudyn is not installed.")
    return found


def rod_over_exudyn(step: float) -> float | None:
    """Return the ratio of processor times with the middle of the tolerances; None without Exudyn."""
    seconds = [
        min(run(step, TOLERANCES[name][1]).seconds for _ in range(REPEATS))
        for name, run in programs().items()
    ]
    return seconds[0] / seconds[1] if len(seconds) > 1 else None


def compare_slider_crank() -> None:
    """Print cost and error of both programs over the step size, each against its own run with a tiny step."""
    finest = {name: run(FINEST, TOLERANCES[name][0]) for name, run in programs().items()}
    largest = np.abs(finest["Faying"].deflections).max()
    if len(finest) > 1:
        apart = _difference(finest["Exudyn"], finest["Faying"]) / largest
        say(f"  finest steps: largest deflection {largest:.6e} m, programs {apart:.1e} of it apart")
    for step in STEPS:
        chosen = {
            name: _loosest(run, step, TOLERANCES[name], finest[name]) for name, run in programs().items()
        }
        seconds = dict.fromkeys(programs(), math.inf)
        for _ in range(REPEATS):  # in turns, so that both have the same machine
            for name, run in programs().items():
                seconds[name] = min(seconds[name], run(step, chosen[name][0]).seconds)
        for name, (tolerance, error) in chosen.items():
            say(
                f"  {name:<8} h = {step:g}, tolerance {tolerance:g}: {seconds[name] / END:6.3f} s per simulated "
                f"second, error {error / largest:.1e} of the largest deflection"
            )
        if len(chosen) > 1:
            say(f"  Faying takes {seconds['Faying'] / seconds['Exudyn']:.2f} times as long")


def _loosest(
    run: Callable[[float, float], TimedRun], step: float, tolerances: tuple[float, ...], finest: TimedRun
) -> tuple[float, float]:
    """Return the loosest tolerance that leaves the error of a step alone, and the error with it."""
    errors = [_difference(run(step, tolerance), finest) for tolerance in tolerances]
    return [found for found in zip(tolerances, errors, strict=True) if found[1] <= MORE * errors[0]][-1]


def _difference(one: TimedRun, other: TimedRun) -> float:
    """Return the largest difference over the last tenth of a second, which begins far from the start's ringing."""
    late = one.times > END - 0.1
    return float(np.abs(one.deflections - np.interp(one.times, other.times, other.deflections))[late].max())


class _Faying:
    def __init__(self, spec: Any, rod: Rod) -> None:
        system = spec.build({"rod": FlexibleBody("rod", rod.free)})
        q, v = spec.start(system)
        history = system.initial_history()
        self._system = system
        self._start = consistent_start(system, 0.0, assembled_position(system, q, history), v, history)
        at = next(at for part, at in zip(system.parts, system.ranges, strict=True) if part.name == "rod")
        self._flexible, self._row = slice(at.start + 7, at.stop), rod.bending

    def run(self, step: float, tolerance: float) -> TimedRun:
        scheme = integrators["generalized_alpha"](
            tolerance=tolerance, fixed_step=True, largest_step=step, spectral_radius=RADIUS
        )
        times, deflections = [], []

        def accepted(before: Any, after: Any) -> None:
            times.append(after.time)
            deflections.append(self._row @ after.q[self._flexible])

        scheme.integrate(
            self._system, self._start, 5 * step, lambda before, after: None, Silent()
        )  # compiles
        began = time.process_time()
        scheme.integrate(self._system, self._start, END, accepted, Silent())
        return TimedRun(time.process_time() - began, np.array(times), np.array(deflections))


class _Exudyn:
    """The crank turns and the piston slides by a single coordinate each, which spares Exudyn their constraints.

    Raises:
        ImportError: where Exudyn is not installed.
    """

    def __init__(self, rod: Rod) -> None:
        import exudyn
        import exudyn.itemInterface

        exudyn.config.printToConsole = False
        self._exudyn, self._rod = exudyn, rod
        self._body = self._reduced_body()

    def _reduced_body(self) -> Any:
        from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface

        rod = self._rod
        # Exudyn projects nodal matrices: those of the elements, before couplings tie their nodes together.
        matrices = assemble(replace(rod.model, couplings=()), Silent())
        rows = matrices.dofs.displacement_rows
        fem = FEMinterface()
        fem.nodes = {"Position": np.array(rod.held.nodes)}
        fem.modeBasis = {"matrix": np.array(rod.held.displacements)}
        fem.massMatrix = (rows @ matrices.mass @ rows.T).tocsr()
        fem.stiffnessMatrix = (rows @ matrices.stiffness @ rows.T).tocsr()
        reduced = ObjectFFRFreducedOrderInterface(fem)
        np.testing.assert_allclose(
            reduced.massMatrixReduced, rod.held.mass, atol=1e-9 * np.abs(rod.held.mass).max()
        )
        return reduced

    def run(self, step: float, tolerance: float) -> TimedRun:
        exudyn, rod = self._exudyn, self._rod
        items = exudyn.itemInterface
        container = exudyn.SystemContainer()
        system = container.AddSystem()
        turn = system.AddNode(items.Node1D(referenceCoordinates=[0.0]))
        slide = system.AddNode(items.Node1D(referenceCoordinates=[0.0]))
        fixed = system.AddNode(items.NodePointGround())
        crank = system.AddObject(items.ObjectRotationalMass1D(inertia=1e-3, nodeNumber=turn))
        piston = system.AddObject(
            items.ObjectMass1D(mass=PISTON_MASS, nodeNumber=slide, referencePosition=[CRANK + LENGTH, 0, 0])
        )
        body = self._body.AddObjectFFRFreducedOrder(system, positionRef=[CRANK, 0, 0])
        # The frame is the big end, and the small end is rigid: one node of each says all, at the least cost.
        big = system.AddMarker(items.MarkerNodeRigid(nodeNumber=body["nRigidBody"]))
        tip = np.linalg.norm(rod.held.nodes - (LENGTH, 0.0, 0.0), axis=1)
        tip[list(rod.held.interface_nodes.values())] = np.inf
        small = system.AddMarker(
            items.MarkerSuperElementPosition(
                bodyNumber=body["oFFRFreducedOrder"],
                meshNodeNumbers=[int(np.argmin(tip))],
                weightingFactors=[1.0],
            )
        )
        pin = system.AddMarker(items.MarkerBodyRigid(bodyNumber=crank, localPosition=[CRANK, 0, 0]))
        wrist = system.AddMarker(items.MarkerBodyPosition(bodyNumber=piston))
        system.AddObject(items.GenericJoint(markerNumbers=[pin, big], constrainedAxes=[1, 1, 1, 1, 1, 0]))
        system.AddObject(items.SphericalJoint(markerNumbers=[wrist, small], constrainedAxes=[1, 1, 0]))
        drive = [
            system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
            for node in (fixed, turn)
        ]
        system.AddObject(
            items.CoordinateConstraint(
                markerNumbers=drive, offsetUserFunction=lambda system, t, item, offset: _angle(t)
            )
        )
        sensor = system.AddSensor(
            items.SensorNode(
                nodeNumber=body["nGenericODE2"], storeInternal=True,
                outputVariableType=exudyn.OutputVariableType.Coordinates,
            )
        )  # fmt: skip
        system.Assemble()
        settings = exudyn.SimulationSettings()
        integration, solution = settings.timeIntegration, settings.solution
        integration.endTime, integration.numberOfSteps = END, round(END / step)
        integration.verboseMode = 0
        integration.generalizedAlpha.spectralRadius = RADIUS
        integration.newton.useModifiedNewton = True
        integration.newton.relativeTolerance = tolerance
        solution.file.write, solution.sensors.writePeriod = False, step
        began = time.process_time()
        system.SolveDynamic(settings)
        seconds = time.process_time() - began
        found = system.GetSensorStoredData(sensor)
        return TimedRun(seconds, found[:, 0], found[:, 1:] @ rod.bending)


def _angle(time: float) -> float:
    """Return the crank's angle: its speed grows along a haversine."""
    phase = math.pi * min(time, RISE) / RISE
    return 0.5 * SPEED * RISE * (phase - math.sin(phase)) / math.pi + SPEED * max(time - RISE, 0.0)
