"""What examples measure on their project and on variants of it."""

import math
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from faying.analyses.static import Static
from faying.examples import ExampleRun
from faying.joints.interface import JointForce
from faying.joints.kinematics import gap_rows
from faying.progress import Silent
from faying.project.specs import Project
from faying.solvers.equilibrium import solve_equilibrium


@dataclass(frozen=True)
class MountedBody:
    """The unreduced body under its first preload case, as the preload mode was computed.

    Attributes:
        gap: (n_pairs,) of the first joint.
        normal_force: of the first joint.
        displacement: (3 n_nodes,).
    """

    gap: np.ndarray
    normal_force: float
    displacement: np.ndarray

    @property
    def gap_norm(self) -> float:
        """‖g_N‖₂ of the first joint."""
        return float(np.linalg.norm(self.gap))


def mounted_unreduced(run: ExampleRun, project: Project | None = None) -> MountedBody:
    """Return the equilibrium of the FE model from which the preload mode of the project or of a variant was made."""
    joint = run.project.bodies[0].joints[0]
    mode = run.value("preload", project=project).modes[:, 0]
    pairs, matrices = (
        run.value(stage, item, project) for stage, item in (("pairs", joint.name), ("matrices", ""))
    )
    dofs = matrices.dofs
    gap = pairs.initial_gaps + gap_rows(pairs, dofs) @ mode
    pressure, _ = joint.contact_law.pressure(gap)
    displacement = np.asarray(dofs.displacement_rows @ mode)
    return MountedBody(gap, float(pairs.weights @ pressure), displacement)


def gap_norm_without_preload_mode(run: ExampleRun, analysis: str, count: int) -> float:
    """Return ‖g_N‖₂ of the first joint under the preload alone, from a basis without preload mode.

    Args:
        run: of the example.
        analysis: a static analysis under the preload, which says where the body is held.
        count: number of joint modes; they come from all derivatives of the component modes.
    """
    body = run.project.bodies[0]
    methods = body.joint_modes.with_(derivatives={"kind": "all"}, count=count)
    variant = with_body(run.project, preloads=(), joint_modes=methods)
    preload = run.value("preload")
    force = run.value("basis", project=variant).modes.T @ preload.forces[:, 0]
    static = run.project.analysis(analysis)
    assert isinstance(static, Static)
    held = static.clamped_body(
        replace(
            run.value("body", project=variant),
            preload_forces={preload.names[0]: force},
            preload_closings={preload.names[0]: preload.closings[0]},
        )
    )
    joints = [JointForce(held.joints[0], body.joints[0].contact_law, None)]
    histories = [joint.initial_history() for joint in joints]
    _, responses, _ = solve_equilibrium(
        held.stiffness, held.preload_force(static.preloads), joints, histories, np.zeros(len(force)), Silent()
    )
    return float(np.linalg.norm(responses[0].gap))


def with_joint_modes(project: Project, **changes: object) -> Project:
    """Return the project with other settings of its (first) body's joint modes."""
    return with_body(project, joint_modes=project.bodies[0].joint_modes.with_(**changes))


def with_method(project: Project, kind: str, **settings: object) -> Project:
    """Return the project with another joint-mode method of its (first) body."""
    return with_body(project, joint_modes={"kind": kind, **settings})


def with_body(project: Project, **changes: object) -> Project:
    """Return the project with other decisions on its (first) body."""
    return project.with_(bodies=(project.bodies[0].with_(**changes), *project.bodies[1:]))


def without_estimates(project: Project) -> Project:
    """Return the project whose static analyses estimate no error: of variants that are compared with the FE model."""
    return project.with_(
        analyses=tuple(
            each.with_(error_estimate=False) if isinstance(each, Static) else each
            for each in project.analyses
        )
    )


def end_of_curve(run: ExampleRun, analysis: str, curve: str, project: Project | None = None) -> float:
    """Return the last value of a curve of an analysis of the project or of a variant of it."""
    with closing(run.results(analysis, project)) as results:
        return float(results.curve(curve)[-1])


def taken_by_integration(run: ExampleRun, analysis: str) -> float:
    """Return the energy lost by the time integration over the work of friction; infinite without the latter."""
    with closing(run.results(analysis)) as results:
        balance = results.report["energy_balance"]
    work = float(balance["friction work"])
    return float(balance["taken by the integration"]) / work if work else math.inf


def largest_difference(values: np.ndarray, reference: np.ndarray) -> float:
    """Return the largest difference between two curves (n,), as a share of the largest value of the reference."""
    return float(np.abs(values - reference).max() / np.abs(reference).max())


@dataclass(frozen=True, eq=False)
class BarMotion:
    """A run of the friction bar: time (n,), deflection z_L of the loaded end (n,), ‖g_N‖₂ (n,)."""

    time: np.ndarray
    tip: np.ndarray
    gaps: np.ndarray

    def tip_error(self, reference: "BarMotion") -> float:
        """Return the largest difference of z_L, as a share of its largest value in the reference."""
        return largest_difference(self.tip, reference.tip)

    def gap_error(self, reference: "BarMotion") -> float:
        """Return the largest difference of ‖g_N‖₂, likewise."""
        return largest_difference(self.gaps, reference.gaps)

    def swing_error(self, reference: "BarMotion") -> float:
        """Return the difference of the largest z_L, whenever it is reached: of the amplitude alone."""
        return abs(float(self.tip.max() / reference.tip.max()) - 1.0)

    def until(self, time: float) -> "BarMotion":
        """Return the run up to a time."""
        there = self.time <= time
        return BarMotion(self.time[there], self.tip[there], self.gaps[there])

    def period(self) -> float:
        """Return the mean time between peaks of z_L; not a number where fewer than two are within the run."""
        from scipy.signal import argrelmax  # late: it takes a second to import

        peaks = self.time[argrelmax(self.tip, order=3)[0]]
        return float((peaks[-1] - peaks[0]) / (len(peaks) - 1)) if len(peaks) > 1 else float("nan")
