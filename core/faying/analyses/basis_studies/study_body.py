"""Reduced bodies of a convergence study: one with the most joint modes, whose leading ones make smaller bases."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from faying.analyses import BodyModel, needed
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.loads import LoadSpec, load_vectors
from faying.analyses.statics.settings import HeldAnalysis
from faying.joints.interface import JointForce
from faying.joints.kinematics import projected_gaps
from faying.linalg.background import patiently
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.extend import extend_basis
from faying.reduction.joint_modes import JointModeMethod
from faying.solvers.equilibrium import solve_equilibrium


@dataclass(frozen=True, eq=False)
class StudySolution:
    """One solution of a study.

    Attributes:
        displacement: (3 n_nodes,).
        motion: (6,) of the loaded interface node.
        gaps, slips: (n_pairs,) and (n_pairs, 2) of each joint.
        ratio: w(g) of its joint modes; NaN if the method has none.
        kept: whether it comes from an interrupted run.
    """

    displacement: np.ndarray
    motion: np.ndarray
    gaps: tuple[np.ndarray, ...]
    slips: tuple[np.ndarray, ...]
    ratio: float = float("nan")
    kept: bool = False


class LeadingBody:
    """A held body in statics; the leading ones of its trial vectors are used as smaller bases.

    Args:
        fe: the FE model.
        basis: trial vectors of the free body, joint modes last.
        acting: (n_dofs,) force of the preload cases and loads of the body.
    """

    def __init__(self, fe: FeStructure, basis: ReductionBasis, acting: np.ndarray) -> None:
        self._fe, self._basis, modes = fe, basis, basis.modes
        self._modes = fe.relative(modes)
        self._stiffness = modes.T @ (fe.matrices.stiffness @ modes)
        self._fixed = max((group.stop for group in basis.groups if group.name != "joint modes"), default=0)
        self._interfaces = {name: rows @ self._modes for name, rows in fe.motions.items()}
        self._gaps = [
            replace(projected_gaps(rows, self._modes), initial_gaps=joint.rows.initial_gaps)
            for rows, joint in zip(fe.rows, fe.joints, strict=True)
        ]
        self._laws = [joint.contact_law for joint in fe.joints]
        self._acting = self._modes.T @ acting

    def equilibrium(self, count: int, load: LoadSpec, progress: Progress) -> StudySolution:
        """Return the equilibrium under a load with `count` joint modes (or all, if there are fewer).

        Raises:
            SolveError: without convergence.
        """
        r = min(self._fixed + count, self._modes.shape[1])
        joints = [JointForce(gaps.leading(r), law) for gaps, law in zip(self._gaps, self._laws, strict=True)]
        force = self._acting + load_vectors((load,), self._interfaces).sum(axis=1)
        histories = [joint.initial_history() for joint in joints]
        q, responses, _ = solve_equilibrium(
            self._stiffness[:r, :r], force[:r], joints, histories, np.zeros(r), progress
        )
        x = self._modes[:, :r] @ q
        motion, rows = np.zeros(6), self._interfaces[load.interface]
        motion[: len(rows)] = rows[:, :r] @ q
        return StudySolution(
            np.asarray(self._fe.matrices.dofs.displacement_rows @ x),
            motion,
            tuple(answer.gap for answer in responses),
            tuple((rows.tangential @ x).reshape(-1, 2) for rows in self._fe.rows),
            self._basis.pod_ratio(count) if count and len(self._basis.singular_values) else float("nan"),
        )


class StudyBodies:
    """Makes the reduced body of each method.

    Args:
        body: the body with its model, matrices and joint-mode problem.
        settings: with the support, preload cases and loads of the body; loads at nodes are those of the points.
        count: the most joint modes.
        preload_modes: whether preload modes are trial vectors.
    """

    def __init__(
        self, body: BodyModel, settings: HeldAnalysis, count: int, preload_modes: bool = True
    ) -> None:
        alone = replace(body, references=(), starts=())  # opened files cannot go to other processes
        self._fe, self._count, problem = FeStructure(settings, alone), count, needed(body.joint_problem)
        self._acting = self._fe.load(np.repeat([0.0, 1.0], [len(settings.loads), len(settings.body_loads)]))
        self._problem = problem if preload_modes else problem.without_preload_modes()

    def of(self, method: JointModeMethod, progress: Progress) -> LeadingBody:
        """Return the body with the joint modes of a method."""
        problem = self._problem
        problem.interior.prepare(PartialProgress(progress, 0.0, 0.2, "factorisation"))
        modes, values = method.with_count(self._count).build(problem, PartialProgress(progress, 0.2, 0.8))

        def project() -> LeadingBody:
            basis = extend_basis(problem.interior, problem.components, modes, values, problem.preload_modes)
            return LeadingBody(self._fe, basis, self._acting)

        return patiently(project, progress, 0.8, "projection")


@dataclass(frozen=True)
class MethodPoints:
    """Points of one method; each has its number, name, number of joint modes, and load."""

    method: JointModeMethod
    points: tuple[tuple[int, str, int, LoadSpec], ...]


def solve_points(
    bodies: StudyBodies, wanted: MethodPoints, progress: Progress
) -> Iterator[tuple[int, StudySolution]]:
    """Yield number and solution of each point of a method."""
    share = 0.8  # of the time goes into the joint modes
    leading = bodies.of(wanted.method, PartialProgress(progress, 0.0, share, wanted.method.title))
    for k, (i, name, count, load) in enumerate(wanted.points):
        begin, end = (share + (1.0 - share) * at / len(wanted.points) for at in (k, k + 1))
        part = PartialProgress(progress, begin, end, name)
        part.report(0.0)
        yield i, leading.equilibrium(count, load, part)
