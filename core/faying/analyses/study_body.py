"""Reduced bodies of a convergence study: one with the most joint modes, whose leading ones make smaller bases."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.held import support_rows
from faying.analyses.loads import LoadSpec, load_vectors
from faying.fem.assembly import rigid_body_modes
from faying.joints.interface import JointForce
from faying.joints.kinematics import projected_gaps, sparse_rows
from faying.linalg.background import patiently
from faying.progress import PartialProgress, Progress
from faying.reduction.acting_loads import ActingLoadSpec
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
        body: joints, interface nodes and matrices.
        support: interface node that holds it.
        basis: trial vectors of the free body, joint modes last.
        preload: (n_dofs,) force of the preload cases and loads of the body.
        closings: (n_joints,) by how much they close the joints.
    """

    def __init__(
        self, body: BodyModel, support: str, basis: ReductionBasis, preload: np.ndarray, closings: np.ndarray
    ) -> None:
        assert body.matrices is not None and body.model is not None
        matrices, modes = body.matrices, basis.modes
        # Each shape less the rigid body motion of its support, so that the support does not move.
        rigid, held = rigid_body_modes(body.model.nodes, matrices.dofs), support_rows(body, support)
        self._modes = modes - rigid @ np.linalg.solve(held @ rigid, held @ modes)
        self._stiffness = modes.T @ (matrices.stiffness @ modes)
        self._matrices, self._basis = matrices, basis
        self._fixed = max((group.stop for group in basis.groups if group.name != "joint modes"), default=0)
        self._interfaces = {
            name: np.asarray(matrices.dofs.transformation[matrices.dofs.node_rows(node)] @ self._modes)
            for name, node in body.interface_nodes.items()
        }
        self._rows = [sparse_rows(joint.pairs, matrices.dofs) for joint in body.joints]
        gaps = [projected_gaps(rows, self._modes) for rows in self._rows]
        self._gaps = [
            replace(found, initial_gaps=found.initial_gaps - closing)
            for found, closing in zip(gaps, closings, strict=True)
        ]
        self._laws = [joint.contact_law for joint in body.joints]
        self._preload = self._modes.T @ preload

    def equilibrium(self, count: int, load: LoadSpec, progress: Progress) -> StudySolution:
        """Return the equilibrium under a load with `count` joint modes (or all, if there are fewer).

        Raises:
            SolveError: without convergence.
        """
        r = min(self._fixed + count, self._modes.shape[1])
        joints = [JointForce(gaps.leading(r), law) for gaps, law in zip(self._gaps, self._laws, strict=True)]
        force = self._preload + load_vectors((load,), self._interfaces).sum(axis=1)
        histories = [joint.initial_history() for joint in joints]
        q, responses, _ = solve_equilibrium(
            self._stiffness[:r, :r], force[:r], joints, histories, np.zeros(r), progress
        )
        x = self._modes[:, :r] @ q
        motion, rows = np.zeros(6), self._interfaces[load.interface]
        motion[: len(rows)] = rows[:, :r] @ q
        return StudySolution(
            np.asarray(self._matrices.dofs.displacement_rows @ x),
            motion,
            tuple(answer.gap for answer in responses),
            tuple((rows.tangential @ x).reshape(-1, 2) for rows in self._rows),
            self._basis.pod_ratio(count) if count and len(self._basis.singular_values) else float("nan"),
        )


class StudyBodies:
    """Makes the reduced body of each method.

    Args:
        body: the body with its model, matrices and joint-mode problem.
        support: interface node that holds it.
        preloads: preload cases that act.
        count: the most joint modes.
        preload_modes: whether preload modes are trial vectors.
        body_loads: loads of the body that act besides.
    """

    def __init__(
        self,
        body: BodyModel,
        support: str,
        preloads: tuple[str, ...],
        count: int,
        preload_modes: bool = True,
        body_loads: tuple[ActingLoadSpec, ...] = (),
    ) -> None:
        self._support, self._count = support, count
        self._preload, self._closings = body.acting_preloads(preloads)
        on_body = body.load_columns([acting.load for acting in body_loads])
        self._preload = self._preload + on_body @ np.array([acting.factor for acting in body_loads])
        problem = body.joint_problem
        assert problem is not None
        self._body = replace(body, references=(), starts=())  # opened files cannot go to other processes
        self._problem = problem if preload_modes else problem.without_preload_modes()

    def of(self, method: JointModeMethod, progress: Progress) -> LeadingBody:
        """Return the body with the joint modes of a method."""
        problem = self._problem
        problem.interior.prepare(PartialProgress(progress, 0.0, 0.2, "factorisation"))
        modes, values = method.with_count(self._count).build(problem, PartialProgress(progress, 0.2, 0.8))

        def project() -> LeadingBody:
            basis = extend_basis(problem.interior, problem.components, modes, values, problem.preload_modes)
            return LeadingBody(self._body, self._support, basis, self._preload, self._closings)

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
