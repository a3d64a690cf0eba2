"""Reduced bodies of a convergence study: one for the most joint modes, of which the leading ones are used."""

from dataclasses import dataclass, replace

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.loads import LoadSpec, load_vectors
from faying.errors import ModelError
from faying.joints.interface import JointForce
from faying.joints.kinematics import gap_rows, slip_rows
from faying.progress import Part, Progress
from faying.reduction.body import ReducedBody, build_reduced_body
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
        kept: whether it comes from an interrupted run.
    """

    displacement: np.ndarray
    motion: np.ndarray
    gaps: tuple[np.ndarray, ...]
    slips: tuple[np.ndarray, ...]
    kept: bool = False


class LeadingBody:
    """A held body whose leading coordinates are a smaller basis of its own.

    Args:
        body: for the laws.
        held: clamped and preloaded.
        fixed: number of coordinates before the joint modes.
        preload: (r,) generalised force of the preload cases.
    """

    def __init__(self, body: BodyModel, held: ReducedBody, fixed: int, preload: np.ndarray) -> None:
        self._body, self._held, self._fixed, self._preload = body, held, fixed, preload

    def equilibrium(self, count: int, load: LoadSpec, progress: Progress) -> StudySolution:
        """Return the equilibrium under a load with so many joint modes (all of them when there are less).

        Raises:
            SolveError: without convergence.
        """
        held = self._held
        r = min(self._fixed + count, held.n_coordinates)
        rows = [
            replace(j, normal=j.normal[:, :r], tangential=np.ascontiguousarray(j.tangential[:, :, :r]))
            for j in held.joints
        ]
        laws = {joint.name: joint.contact_law for joint in self._body.joints}
        joints = [JointForce(joint, laws[joint.name]) for joint in rows]
        force = self._preload + load_vectors((load,), held.interfaces).sum(axis=1)
        q, responses, _ = solve_equilibrium(
            held.stiffness[:r, :r], force[:r], joints, [j.initial_history() for j in joints], np.zeros(r), progress
        )  # fmt: skip
        motion = np.zeros(6)
        motion[: len(held.interfaces[load.interface])] = held.interfaces[load.interface][:, :r] @ q
        slips = tuple(np.asarray(joint.tangential @ q) for joint in rows)
        return StudySolution(held.displacements[:, :r] @ q, motion, tuple(a.gap for a in responses), slips)


class StudyBodies:
    """Makes the reduced body of each method.

    Args:
        body: the body with its joint-mode problem and matrices.
        support: interface node that holds it.
        preloads: preload cases that act.
        count: the most joint modes.
        preload_modes: whether preload modes are trial vectors.
    """

    def __init__(
        self, body: BodyModel, support: str, preloads: tuple[str, ...], count: int, preload_modes: bool = True
    ) -> None:
        self._body, self._support, self._preloads, self._count = body, support, preloads, count
        problem = body.joint_problem
        assert problem is not None
        self._preload_cases = problem.preloads
        self._problem = problem if preload_modes else problem.without_preload_modes()

    def of(self, method: JointModeMethod, progress: Progress) -> LeadingBody:
        """Return the body with the joint modes of a method."""
        problem, reduced, matrices = self._problem, self._body.reduced, self._body.matrices
        assert matrices is not None
        problem.interior.prepare(Part(progress, 0.0, 0.2, "factorisation"))
        modes, values = method.with_count(self._count).build(problem, Part(progress, 0.2, 0.8))
        preload_modes = problem.preloads.modes if problem.preloads else None
        basis = extend_basis(problem.interior, problem.components, modes, values, preload_modes)
        before = [group.stop for group in basis.groups if group.name != "joint modes"]
        joints = [
            (
                j.name, gap_rows(j.pairs, matrices.dofs), slip_rows(j.pairs, matrices.dofs),
                j.pairs.weights, j.pairs.initial_gaps,
            )
            for j in self._body.joints
        ]  # fmt: skip
        body = build_reduced_body(
            reduced.nodes, matrices, basis, reduced.interface_nodes, joints, self._preload_cases
        )
        if self._support not in body.interfaces:
            raise ModelError(f"There is no interface node called {self._support!r}.")
        held = body.clamped_to(self._support).preloaded(self._preloads)
        return LeadingBody(self._body, held, max(before, default=0), held.preload_force(self._preloads))
