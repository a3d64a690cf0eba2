"""Vibrations with friction, and what they save over motions in time: ``python tests/benchmarks/vibrations.py``.

The friction bar of *bar-backbone* (2 193 pairs). All ratios are of processor times of one thread within this run, so
that a busy machine changes them little. A transient is run for a short time, and its cost per step is that of a longer
one. Not a test: nothing can fail here.

With ``--tmdsimpy DIR`` also a residual with its derivative of an oscillator with two coordinates and one slider against
tmdsimpy (https://github.com/tmd-lab/tmdsimpy; its folder DIR, with jax installed), and both answers next to each other.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

# One thread, before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from _watch import say

from core.test_harmonic_balance import linear_start, rubbing
from faying.analyses import BodyModel, JointModel
from faying.analyses.harmonics.periodic_body import PeriodicBody, periodic_body
from faying.examples import ExampleRun, examples
from faying.joints.fourier import FourierBasis, samples_for
from faying.progress import Silent
from faying.project.friction_laws import friction_law_of
from faying.project.store import ArtifactStore
from faying.solvers.arc_length import StepLengths
from faying.solvers.harmonic import Damping
from faying.solvers.harmonic_balance import PeriodicMotion, forced_response, nonlinear_mode

SMALLEST, LARGEST, COUNT, HARMONICS = 0.003, 1.0, 20, 3  # mm
LONG = 0.1  # s, the transient that is compared
DECAYS = 1e-4  # damping ratio from which on a ring-down is counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--artifacts", type=Path, default=Path(tempfile.gettempdir()) / "faying-vibrations")
    parser.add_argument(
        "--duration", type=float, default=LONG, help="of the transient (s); its cost per time counts"
    )
    parser.add_argument("--tmdsimpy", type=Path, help="folder with tmdsimpy")
    arguments = parser.parse_args()
    report_residual(arguments.tmdsimpy)
    run = ExampleRun(examples["bar-backbone"]().build(), ArtifactStore(arguments.artifacts))
    found = bar(run)
    say(f"{len(found.joints[0].rows.weights)} pairs, {len(found.frequencies)} coordinates")
    motions, seconds = mode(found)
    report_cost(found, motions)
    report_transient(run, motions, seconds, arguments.duration)


def bar(run: ExampleRun) -> PeriodicBody:
    """Return the bar at rest under its bolts."""
    spec, model, reduced = run.project.bodies[0], run.value("model"), run.value("body")
    joints = tuple(
        JointModel(each.name, pairs, each.contact_law.loaded(), friction_law_of(each, model, pairs))
        for each in spec.contact_joints
        for pairs in [run.value("pairs", each.name)]
    )
    body = BodyModel(spec.name, reduced, joints, reduced.interface_nodes, model)
    return periodic_body(body, "mounting", ["bolts"], -1, Silent())


def timed(work: Callable[[], Any], rounds: int = 1) -> tuple[Any, float]:
    """Return what work returns, and its least processor time."""
    least, found = np.inf, None
    for _ in range(rounds):
        began = process_time()
        found = work()
        least = min(least, process_time() - began)
    return found, least


def mode(found: PeriodicBody) -> tuple[list[PeriodicMotion], float]:
    """Return the nonlinear mode at some amplitudes of the free end, and the processor time that it takes."""
    basis = FourierBasis(HARMONICS, samples_for(HARMONICS))
    problem = found.problem(Damping(), basis)
    row = found.shapes.T @ found.held.interfaces["load"][2]
    unit, omega = np.eye(problem.r)[0], 2.0 * np.pi * float(found.frequencies[0])
    amplitudes = np.geomspace(SMALLEST, LARGEST, COUNT).tolist()

    def follow(count: int) -> list[PeriodicMotion]:
        measure = np.outer(row, row)
        return list(nonlinear_mode(problem, amplitudes[:count], unit, omega, found.rest, measure=measure))

    follow(1)  # machine code is made
    motions, seconds = timed(lambda: follow(COUNT))
    for amplitude, motion in list(zip(amplitudes, motions, strict=True))[:: COUNT // 5]:
        hertz = motion.frequency / (2.0 * np.pi)
        say(f"  {amplitude:8.4f} mm {hertz:9.4f} Hz {100.0 * motion.damping:8.4f} %")
    say(f"nonlinear mode, {COUNT} amplitudes, H = {HARMONICS}: {seconds:.1f} s, {seconds / COUNT:.2f} s each")
    return motions, seconds


def report_cost(found: PeriodicBody, motions: list[PeriodicMotion]) -> None:
    """Tell what a residual with its derivative takes, over moving pairs, samples and harmonics."""
    say("\nresidual with derivative: moving pairs, samples, Nh, seconds, ns for each pair · sample · Nh²")
    for motion in motions[COUNT // 2 :: 3]:
        for harmonics, samples in ((3, 64), (3, 256), (7, 128), (11, 256)):
            basis = FourierBasis(harmonics, samples)
            problem = found.problem(Damping(), basis)
            x = basis.padded(motion.coefficients)
            told = found.responses(x, basis, motion.frequency)[0]
            moving = told.slipping
            _, seconds = timed(lambda p=problem, x=x, b=basis, w=motion.frequency: p.force(x, b, w, True), 3)
            each = 1e9 * seconds / (max(moving, 1) * samples * basis.size**2)
            say(f"  {moving:6d} {samples:6d} {basis.size:4d} {seconds:9.3f} {each:9.2f}")


def report_transient(run: ExampleRun, motions: list[PeriodicMotion], seconds: float, duration: float) -> None:
    """Tell what transients take over the same amplitudes; by cost alone, the errors of both are not compared."""
    words = run.project.model_dump(mode="json")
    swing = {
        "kind": "transient", "name": "ring down", "body": "bar", "support": "mounting", "preloads": ["bolts"],
        "duration": duration, "frames": 10,
        "loads": [{
            "interface": "load", "force": [0.0, 0.0, 5.0],
            "time_history": {"kind": "harmonic", "frequency": motions[0].frequency / (2.0 * np.pi)},
        }],
    }  # fmt: skip
    project = type(run.project).model_validate({**words, "analyses": [swing]})
    began = process_time()
    report = run.results("ring down", project).report
    spent = report.get("processor_seconds") or process_time() - began
    whole = spent * LONG / duration
    say(
        f"\ntransient: {spent:.1f} s for {1e3 * duration:g} ms and {report['steps']} steps; {whole:.0f} s for 0.1 s"
    )
    say(f"nonlinear mode over a transient of 0.1 s: {seconds / whole:.3f} (bound 0.2)")
    omega, zeta = np.array([m.frequency for m in motions]), np.array([m.damping for m in motions])
    falls = np.flatnonzero(zeta > DECAYS)
    sizes = np.geomspace(SMALLEST, LARGEST, COUNT)
    rate = 1.0 / (zeta * omega)
    time = float(np.trapezoid(rate[falls], np.log(sizes[falls])))
    say(
        f"a ring-down from {LARGEST:g} to {sizes[falls[0]]:.3g} mm lasts {time:.2f} s, at the transient's cost per "
        f"time {whole * time / LONG:.0f} s of processor time: {whole * time / LONG / seconds:.0f} times the mode "
        "(bound 100), an estimate of cost: no ring-down was run, and the errors of both are not compared"
    )


def report_residual(folder: Path | None) -> None:
    """Tell what a residual with its derivative of two coordinates and one slider takes."""
    harmonics, samples, force = 8, 128, 50.0
    problem, rest = rubbing(FourierBasis(harmonics, samples))
    load = np.array([1.0, 0.1]) * (1.0 + 0j)
    start = linear_start(problem, np.diag([17.0, 42.0]), force * load, 2.5)
    start[0] = rest
    *_, motion = forced_response(problem, load, force, (2.5, 3.6), start, size=25.0, steps=StepLengths())
    x, omega = motion.coefficients, motion.frequency

    def linearized() -> np.ndarray:
        answer = problem.force(x, problem.basis, omega, True)
        assert answer.jacobian is not None
        return problem.dynamic_stiffness(omega) - answer.jacobian

    for _ in range(10):
        ours = linearized()
    _, own = timed(lambda: [linearized() for _ in range(200)], 3)
    say(
        f"two coordinates, one slider, H = {harmonics}, {samples} samples: {5.0 * own:.3f} ms a residual "
        "with derivative"
    )
    if folder is None:
        return
    sys.path.insert(0, str(folder))
    from tmdsimpy.jax.nlforces.elastic_dry_fric_2d import ElasticDryFriction2D
    from tmdsimpy.vibration_system import VibrationSystem

    system = VibrationSystem(np.eye(2), np.diag([12.0, 21.0]), np.diag([0.34641, 2.0]))
    system.add_nl_force(ElasticDryFriction2D(np.eye(2), np.eye(2), kt=5.0, kn=21.0, mu=0.85, u0=0.0))
    static = np.zeros(x.shape)
    static[0] = [0.0, 100.0]
    forcing = (static + force * problem.load(load)).ravel()
    unknowns, orders = np.append(x.ravel(), omega), np.arange(harmonics + 1)

    def theirs() -> Any:
        return system.hbm_res(unknowns, forcing, orders, Nt=samples)

    for _ in range(10):
        residual, derivative, _ = theirs()
    _, other = timed(lambda: [theirs() for _ in range(200)], 3)
    wrong = np.abs(derivative - ours).max() / np.abs(ours).max()
    say(
        f"  tmdsimpy {5.0 * other:.3f} ms: {other / own:.0f} times as long (bound 20); its residual of our answer is "
        f"{np.abs(residual).max() / force:.1e} of the load, derivatives differ by {wrong:.1e}"
    )


if __name__ == "__main__":
    main()
