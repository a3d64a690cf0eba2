"""Sampled joints on the friction bar, with a pair at every node and at every integration point of the joint:

    python tests/benchmarks/sampling.py [--quick] [--bearing SIZE]

Motions with few pairs against the same motion with all of them: error of the tip over its largest deflection, what the
run itself says that it missed, and how much less time contact takes. Then the cost of the joint alone with 10 691 pairs
over 140 coordinates, as in the largest model of the thesis, rows drawn at random: of a time step of seven
evaluations, two of them with Jacobians, and of the history that it leaves. And what interpolation of pressures from few
points (DEIM; Chaturantabut and Sorensen 2010) makes of the same states, and of states that it has not seen.

``--bearing SIZE`` does the same, and no more, on the example `bearing-cap` under a force that turns once, with a pair
at every integration point: 0.96 (mm, of the elements at the joint) has 5408 of them, 0.68 about as many as the largest
model of the thesis. Samples are for the loads of this turn, for those of two statics with the force in two directions,
and a coarse one for one of these, which knows too little. All runs have the same steps, so that what is compared is the
joint.

Times are ratios within one run. Not a test: nothing can fail here.
"""

import argparse
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.linalg as la

sys.path.insert(0, str(Path(__file__).parents[1]))

from _watch import say

from faying.examples.bearing_cap import bearing_project
from faying.examples.projects import WIDE_BAR_DECK, friction_bar, project_of
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.joints.sampled import JointSample, SampledJointForce, SampledRows
from faying.progress import Silent
from faying.project.specs import Project
from faying.project.stage import Target
from faying.session import Session
from faying.solvers.equilibrium import solve_equilibrium

LOAD = {
    "interface": "load",
    "force": (0.0, 0.0, 50.0),
    "time_history": {"kind": "haversine", "rise_time": 0.01},
}
FINE = {"kind": "hht", "tolerance": 5e-6}  # so that what is compared is the joint, not the steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="nodes alone, and a shorter motion")
    parser.add_argument("--bearing", type=float, help="mm, of the elements at the joint of the bearing cap")
    arguments = parser.parse_args()
    quick = arguments.quick
    with tempfile.TemporaryDirectory() as folder:
        if arguments.bearing:
            _turn(arguments.bearing, Path(folder))
            return
        _cost()
        for pairs_at in ("nodes",) if quick else ("nodes", "integration_points"):
            _compare(pairs_at, Path(folder), 0.01 if quick else 0.03)


def _project(
    pairs_at: str, duration: float, tolerance: float | None, force: tuple[float, float, float]
) -> Project:
    body = friction_bar(friction_coefficient=0.15)
    lap = body["joints"][0]
    lap["search"] = {"pairs_at": pairs_at}
    if tolerance is not None:
        lap["sampling"] = {"active": True, "tolerance": tolerance}
    motion = {
        "kind": "transient", "name": "motion", "body": "bar", "support": "mounting",
        "loads": [{**LOAD, "force": force}], "duration": duration, "frames": 60, "integrator": FINE,
    }  # fmt: skip
    return project_of("Sampling", "", WIDE_BAR_DECK, body, [motion])


def _compare(pairs_at: str, folder: Path, duration: float) -> None:
    wanted: dict[str, tuple[np.ndarray, float]] = {}
    for way, force in (("bent", (0.0, 0.0, 50.0)), ("pulled and bent sideways", (400.0, 60.0, -20.0))):
        for tolerance in (None, 0.01, 0.003, 0.001):
            with Session(_project(pairs_at, duration, tolerance, force), folder / "store") as session:
                with closing(session.compute(Target("analysis", "bar", "motion")).open()) as results:
                    report, tip = (
                        results.report,
                        np.column_stack([results.curve(f"load u{x}") for x in "xyz"]),
                    )
                    seconds = report["seconds"]["contact"]
                if tolerance is None:
                    wanted[way] = tip, seconds
                    pairs = len(session.find_pairs())
                    say(f"\n{pairs} pairs at {pairs_at.replace('_', ' ')}, {way}: {report['steps']} steps, "
                        f"{report['iterations']} iterations, contact {_share(report):.0%} of the time")  # fmt: skip
                    continue
                full, whole = wanted[way]
                told = report["sampling"]
                error = np.linalg.norm(tip - full, axis=1).max() / np.linalg.norm(full, axis=1).max()
                acting = told["joints"]["lap joint"]["pairs"]
                say(
                    f"  tolerance {tolerance:<5g} {acting:5d} pairs act: tip {error:8.3%} "
                    f"off, it says {told['error']:8.3%}; {report['steps']} steps, {report['iterations']} iterations, "
                    f"contact {whole / seconds:.1f} x faster"
                )
    with Session(_project(pairs_at, duration, None, (0.0, 0.0, 50.0)), folder / "store") as session:
        _interpolated(session)


def _bearing(size: float, sampling: dict) -> Project:
    project = bearing_project(size, unreduced=False, estimates=False)
    (joint,) = project.bodies[0].joints
    search = joint.search.with_(pairs_at="integration_points")
    joint = joint.with_(search=search, sampling=joint.sampling.with_(**sampling))
    steps = {"kind": "hht", "tolerance": 1e-2, "first_step": 2e-5, "largest_step": 2e-5}
    analyses = tuple(
        each.with_(integrator=steps) if each.name == "turn" else each for each in project.analyses
    )
    return project.with_(bodies=(project.bodies[0].with_(joints=(joint,)),), analyses=analyses)


def _turn(size: float, folder: Path) -> None:
    """Print what samples make of one turn of the force on the bearing cap."""
    full, stiffness = np.zeros((0, 0)), np.zeros((0, 0))
    seconds = worked = 0.0

    def norms(states: np.ndarray) -> np.ndarray:
        return np.sqrt(np.einsum("ij,jk,ik->i", states, stiffness, states))

    for tolerance, loads in (
        (None, ()), (0.005, ("turn",)), (0.002, ("turn",)), (0.001, ("turn",)), (0.0005, ("turn",)),
        (0.001, ("down", "across")), (0.05, ("down",)),
    ):  # fmt: skip
        sampling = {} if tolerance is None else {"active": True, "tolerance": tolerance, "analyses": loads}
        with Session(_bearing(size, sampling), folder / "store") as session:
            stiffness = session.compute(Target("body", "bearing")).stiffness
            began = time.process_time()
            if sampling:
                session.compute(Target("sampling", "bearing"))
            trained = time.process_time() - began
            with closing(session.compute(Target("analysis", "bearing", "turn")).open()) as results:
                report = results.report
                found = np.array([results.coordinates(frame) for frame in range(results.n_frames)])
            spent = report["seconds"]["contact"]
            if tolerance is None:
                full, seconds, worked = found, spent, report["processor_seconds"]
                say(f"{len(session.find_pairs())} pairs: {report['steps']} steps, {report['iterations']} iterations, "
                    f"contact {_share(report):.0%} of {sum(report['seconds'].values()):.1f} s")  # fmt: skip
                continue
        error = norms(found - full).max() / norms(full - full[0]).max()
        told = report["sampling"]
        (joint,) = told["joints"].values()
        say(
            f"  for {' and '.join(loads):<16} tolerance {tolerance:<6g} {joint['pairs']:5d} pairs act (found in "
            f"{trained:.0f} s): motion {error:7.3%} off, it says {told['error']:7.3%}; "
            f"{report['iterations']} iterations, contact {seconds / spent:.1f} x faster, the run "
            f"{worked / report['processor_seconds']:.1f} x by the time of processors"
        )


def _cost() -> None:
    random, n, r, acting = np.random.default_rng(0), 10691, 140, 300
    rows = SampledRows(
        "joint", random.standard_normal((n, r)), random.standard_normal((n, 2, r)), np.ones(n), np.zeros(n)
    )
    q = 1e-3 * random.standard_normal(r)
    law, friction = (
        LinearPenalty(stiffness=5e4),
        Coulomb(friction_coefficient=0.15, sticking_stiffness=1e4, sliding_stiffness=500.0),
    )
    say(f"{n} pairs over {r} coordinates, {acting} of them sampled")
    for share in (0.07, 0.5):
        open_by = -np.quantile(rows.normal @ q, share)
        full = JointForce(replace(rows, initial_gaps=np.full(n, open_by)), law, friction)
        pairs = np.sort(random.choice(n, acting, replace=False))
        few = SampledJointForce(full, JointSample(pairs, np.full(acting, n / acting), n))
        history, found = full.resting_history(q), []
        for joint in (full, few):
            best = np.inf
            for _ in range(10):
                start, last = time.perf_counter(), None
                for k in range(7):
                    answer = joint.evaluate(
                        q * (1 + 1e-6 * k), history, 1e-5, jacobian=k in (0, 3), last=last
                    )
                    last = answer.last or last
                assert answer.history.any()
                best = min(best, time.perf_counter() - start)
            found.append(best)
        whole, sampled = (1e3 * seconds for seconds in found)
        say(f"  {share:4.0%} closed: {whole:6.2f} ms and {sampled:6.2f} ms a step, {whole / sampled:.1f} x")


def _share(report: dict) -> float:
    return report["seconds"]["contact"] / sum(report["seconds"].values())


def _interpolated(session: Session) -> None:
    """Say what DEIM makes of pressures: from as many points as modes, in states it was made from and in others."""
    body, joint = session.reduce(), session.project.bodies[0].joints[0]
    held = body.clamped_to("mounting")
    force = JointForce(held.joints[0], joint.contact_law, None)
    random = np.random.default_rng(2)
    rows, pressures = held.interfaces["load"], []
    for _ in range(48):
        load = rows.T @ (random.standard_normal(6) * [50, 50, 50, 1e3, 1e3, 1e3])
        _, (answer,), _ = solve_equilibrium(
            held.stiffness, load, [force], [force.initial_history()], np.zeros(held.n_coordinates), Silent()
        )
        pressures.append(answer.pressure / max(float(np.linalg.norm(answer.pressure)), 1e-300))
    known, unknown = np.column_stack(pressures[:24]), np.column_stack(pressures[24:])
    modes = la.svd(known, full_matrices=False)[0]
    for count in (8, 16, 24):
        kept = modes[:, :count]
        points: list[int] = []
        for k in range(count):  # where the next mode is worst interpolated from the points so far
            column = kept[:, k]
            if points:
                column = column - kept[:, :k] @ np.linalg.solve(kept[points, :k], column[points])
            points.append(int(np.abs(column).argmax()))
        errors = []
        for states in (known, unknown):
            guess = kept @ np.linalg.solve(kept[points], states[points])
            errors.append(float(np.median(np.linalg.norm(guess - states, axis=0))))
        say(
            f"  DEIM from {count} points: pressures {errors[0]:.1%} off in its own states, {errors[1]:.0%} in others"
        )


if __name__ == "__main__":
    main()
