"""What joint modes save: ``python tests/benchmarks/all_pairs.py``.

The car pendulum with joint modes, and with every contact pair kept in the basis: processor seconds of both for the
same simulated time, law and allowed error, from the built system to the written results. The source needs 0.2 % of
the time with 60 joint modes (thesis of the ContactDefiner, appendix F.2), and does not say whether its pairs keep their
friction too: ``--shear`` does. Not a test: nothing can fail here. All pairs take about a minute for 0.02 s, with shear
many times that.
"""

import argparse
import os
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

# One thread, before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from _watch import say

from faying.examples import ExampleRun, examples
from faying.examples.contact_law_benchmark import CASES, LAWS
from faying.project.specs import Project
from faying.project.store import ArtifactStore

FRAMES_PER_SECOND = 1000.0
WARM_UP = 1e-5  # s of a motion that compiles


@dataclass(frozen=True)
class Run:
    """What one basis cost, and the way of the point mass (n_frames,)."""

    coordinates: int
    seconds: float
    report: dict[str, Any]
    way: np.ndarray


def measure(run: ExampleRun, project: Project, case: str, duration: float) -> Run:
    """Return what a motion of some duration costs; the body is computed and the kernels are compiled before."""
    body = run.value("body", project=project)
    for time_to_run in (WARM_UP, duration):
        motion = project.analysis(case).with_(
            duration=time_to_run, frames=max(1, round(FRAMES_PER_SECOND * time_to_run))
        )
        others = tuple(motion if other.name == case else other for other in project.analyses)
        began = time.process_time()
        results = run.results(case, project.with_(analyses=others))
        seconds = time.process_time() - began
        with closing(results):
            way, report = np.asarray(results.curve("sheets.mass z")), results.report
    return Run(body.n_coordinates, seconds, report, way)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", choices=list(CASES), default="gravity")
    parser.add_argument("--law", choices=list(LAWS), default="A", help="contact law of table 4.6")
    parser.add_argument("--duration", type=float, default=0.02, metavar="SECONDS", help="simulated time")
    parser.add_argument("--counts", type=int, nargs="*", default=[60], help="numbers of joint modes")
    parser.add_argument("--without-all-pairs", action="store_true", help="joint modes alone")
    parser.add_argument("--shear", action="store_true", help="keep tangential responses of all pairs too")
    arguments = parser.parse_args()
    project = examples["contact-law-benchmark"]().build()
    body = project.bodies[0]
    body = body.with_(joints=tuple(joint.with_(contact_law=LAWS[arguments.law]) for joint in body.joints))
    methods = {f"{count} joint modes": {"kind": "weighted_pod", "count": count} for count in arguments.counts}
    if not arguments.without_all_pairs:
        methods["every pair"] = {"kind": "every_pair", "shear": arguments.shear}
    say(f"car pendulum, {arguments.case}, law {arguments.law}, {arguments.duration:g} s")
    found: dict[str, Run] = {}
    with TemporaryDirectory() as folder:
        run = ExampleRun(project, ArtifactStore(Path(folder)))
        for name, words in methods.items():
            kept = project.with_(bodies=(body.with_(joint_modes=words),))
            found[name] = one = measure(run, kept, arguments.case, arguments.duration)
            report = one.report
            say(
                f"  {name:<16}{one.coordinates:>5} coordinates {one.seconds:9.2f} s, "
                f"{one.seconds / arguments.duration:9.1f} s per simulated second; {report['steps']} steps, "
                f"{report['iterations']} iterations, {report['jacobians']} Jacobians"
            )
    if not arguments.without_all_pairs:
        all_of_them = found.pop("every pair")
        for name, one in found.items():
            apart = np.abs(one.way - all_of_them.way).max() / np.ptp(all_of_them.way)
            share = 100.0 * one.seconds / all_of_them.seconds
            say(f"  {name}: {share:.2f} % of the time; the point mass {100.0 * apart:.4f} % of its way apart")


if __name__ == "__main__":
    main()
