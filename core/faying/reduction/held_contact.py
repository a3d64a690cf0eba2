"""Contact equilibrium of the unreduced body: its start, and load steps if it is not found at once.

Nothing here depends on a reduction basis, so results stay valid when the basis changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import SolveError
from faying.fem.matrices import StructuralMatrices
from faying.joints.contact_laws import ContactLaw
from faying.joints.interface import JointResponse, SparseJointForce
from faying.joints.kinematics import SparseRows
from faying.linalg.factor import SingularSystemError, factorize
from faying.linalg.symmetric import SymmetricPart
from faying.progress import PartialProgress, Progress
from faying.reduction.contact_start import contact_starts, pair_points
from faying.reduction.interior import InteriorProblem

_LOAD_STEPS = (1, 4, 16)
_FAR = 10.0  # displacement, relative to the body's size, above which the stiffness counts as singular
_TOUCH = 1e-4  # penetration, relative to a pair's size, at which a law's stiffness is taken for the start


@dataclass(frozen=True)
class FrictionlessJoint:
    """A joint of the unreduced body: rows over the body's dofs, and its contact law."""

    name: str
    rows: SparseRows
    contact_law: ContactLaw


class EquilibriumSolver(Protocol):
    """`faying.solvers.equilibrium.solve_equilibrium`, which this package may not import: it is in a higher layer."""

    def __call__(
        self, stiffness: Any, load: np.ndarray, joints: Sequence[SparseJointForce], histories: Sequence[np.ndarray],
        start: np.ndarray, progress: Progress, *, constraints: sp.csr_matrix | None,
    ) -> tuple[np.ndarray, list[JointResponse], Any]:  # fmt: skip
        """Return coordinates, responses, and a report with `iterations`."""


class HeldContactBody:
    """The unreduced body with some of its dofs held, and its joints.

    Args:
        matrices: of the free body.
        nodes: (n_nodes, 3) coordinates.
        held: the dofs that are held.
        joints: of the body, without friction.
    """

    def __init__(
        self,
        matrices: StructuralMatrices,
        nodes: np.ndarray,
        held: np.ndarray,
        joints: Sequence[FrictionlessJoint],
    ) -> None:
        self._matrices, self._joints, self._held = matrices, tuple(joints), held
        self._size = float(np.ptp(nodes, axis=0).max())
        self.free = np.setdiff1d(np.arange(matrices.dofs.n_dofs), held)
        self.stiffness = SymmetricPart(matrices.stiffness, self.free)
        self.constraints = matrices.constraints[:, self.free].tocsr()
        self._rows = [
            replace(
                j.rows,
                normal=j.rows.normal[:, self.free].tocsr(),
                tangential=j.rows.tangential[:0, self.free],
            )
            for j in self._joints
        ]
        self._points = [
            pair_points(j.rows.normal, matrices.dofs.displacement_rows, nodes) for j in self._joints
        ]

    def equilibrium(
        self,
        forces: np.ndarray,
        closings: np.ndarray,
        start: np.ndarray,
        solve: EquilibriumSolver,
        progress: Progress,
    ) -> tuple[np.ndarray, int]:
        """Return (displacements (n_dofs,), Newton corrections).

        Args:
            forces: (n_dofs,) loads; those on held dofs have no effect.
            closings: (n_joints,) interferences, subtracted from the initial gaps.
            start: (n_free,), see `starts`.
            solve: solver of the equilibrium.
            progress: reports and cancels.

        Raises:
            SolveError: when it is not found in any number of load steps.
        """
        for attempt, steps in enumerate(_LOAD_STEPS):
            x, total = start / steps, 0
            try:
                for step in range(steps):
                    share = (step + 1) / steps
                    part = PartialProgress(progress, step / steps, share, f"load step {step + 1} of {steps}")
                    joints = self.joint_forces(share * closings)
                    x, _, report = solve(
                        self.stiffness, share * forces[self.free], joints, [j.initial_history() for j in joints],
                        x, part, constraints=self.constraints,
                    )  # fmt: skip
                    total += report.iterations
                full = np.zeros(self._matrices.dofs.n_dofs)
                full[self.free] = x
                return full, total
            except SolveError:
                if attempt == len(_LOAD_STEPS) - 1:
                    raise
        raise AssertionError("unreachable")

    def reaction(self, x: np.ndarray, forces: np.ndarray, closings: np.ndarray) -> float:
        """Return the largest force at the held dofs as a share of the largest load or contact force."""
        matrices = self._matrices
        contact = np.zeros_like(x)
        for joint, law in zip(self._joints, self.joint_forces(closings), strict=True):
            gap = law.rows.initial_gaps + joint.rows.normal @ x
            contact += joint.rows.normal.T @ (joint.rows.weights * joint.contact_law.pressure(gap)[0])
        # Constraint forces of distributing couplings: the balance at the free dofs gives their multipliers.
        left = forces + contact - matrices.stiffness @ x
        if matrices.constraints.shape[0]:
            transposed = matrices.constraints.T.tocsr()
            multipliers = sp.linalg.lsqr(transposed[self.free], left[self.free], atol=1e-14, btol=1e-14)[0]
            left = left - transposed @ multipliers
        size = max(np.abs(forces).max(), np.abs(contact).max())
        return float(np.abs(left[self._held]).max() / size) if size else 0.0

    def joint_forces(self, closings: np.ndarray) -> list[SparseJointForce]:
        """Return the joint forces over the free dofs, with initial gaps minus the closings (n_joints,)."""
        return [
            SparseJointForce(replace(rows, initial_gaps=rows.initial_gaps - closing), joint.contact_law, None)
            for rows, joint, closing in zip(self._rows, self._joints, closings, strict=True)
        ]

    def starts(
        self, forces: np.ndarray, closings: np.ndarray, solve: EquilibriumSolver, progress: Progress
    ) -> np.ndarray:
        """Return (n_free, k) where Newton's method starts under k loads, which share one factor and its solutions.

        They are equilibria in few shapes, or linear solutions and one correction.

        Args:
            forces: (n_dofs, k) loads; those on held dofs have no effect.
            closings: (k, n_joints) interferences, subtracted from the initial gaps.
            solve: solver of the equilibrium.
            progress: reports and cancels.

        Raises:
            SolveError: when something can move away even with all pairs tied.
        """
        loads = forces[self.free]
        found, reached, held = self._in_shapes(loads, closings, solve, PartialProgress(progress, 0.0, 0.8))
        part = PartialProgress(progress, 0.8, 1.0)
        if not held.all():
            found[:, ~held] = self._tied(loads[:, ~held], part)
        for i in np.flatnonzero(~reached):
            found[:, i] = self._with_contact(found[:, i], loads[:, i], closings[i], part)
        return found

    def _in_shapes(
        self, loads: np.ndarray, closings: np.ndarray, solve: EquilibriumSolver, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return equilibria in few shapes (n_free, k), whether they were found (k,), and whether a part is held (k,).

        Where it is held and none was found they are the linear solutions.
        """
        count = loads.shape[1]
        found, reached, held = np.zeros_like(loads), np.zeros(count, bool), np.zeros(count, bool)
        progress.report(0.05, "linear start")
        try:
            factor = factorize(
                self.stiffness, self.constraints, progress=PartialProgress(progress, 0.05, 0.4)
            )
        except SingularSystemError:
            return found, reached, held
        linear = factor.solve(loads)
        # A part that only contact holds flies away.
        held = np.abs(linear).max(axis=0) <= _FAR * self._size
        if held.any():
            joints = [self.joint_forces(each) for each in closings[held]]
            part = PartialProgress(progress, 0.4, 1.0)
            found[:, held], reached[held] = contact_starts(
                factor, linear[:, held], joints, self._points, loads[:, held], solve, part
            )
        return found, reached, held

    def _with_contact(
        self, start: np.ndarray, forces: np.ndarray, closings: np.ndarray, progress: Progress
    ) -> np.ndarray:
        """Return the start after one full Newton correction.

        In the uncorrected start surfaces may penetrate deeply. Relative to that energy the solver's measure of
        convergence would take all later corrections for round-off.
        """
        residual, tangent = forces - self.stiffness @ start, self.stiffness
        for joint in self.joint_forces(closings):
            answer = joint.evaluate(start, joint.initial_history(), 0.0, jacobian=True)
            residual, tangent = residual + answer.force, tangent - answer.jacobian
        try:
            correction = factorize(tangent, self.constraints, progress=progress).solve(residual)
            return np.asarray(start + correction)
        except SingularSystemError:
            return start  # no pair is closed, and only contact holds a part; the solver will close some

    def _tied(self, forces: np.ndarray, progress: Progress) -> np.ndarray:
        """Return the linear solutions (n_free, k) with all pairs tied, of a body where only contact holds a part."""
        tied = self.stiffness
        for rows, joint in zip(self._rows, self._joints, strict=True):
            depth = _TOUCH * np.sqrt(np.median(rows.weights))
            gap = np.array([joint.contact_law.closing_gap() - depth])
            stiffness = -float(joint.contact_law.pressure(gap)[1][0])
            tied = tied + stiffness * rows.normal.T @ sp.diags(rows.weights) @ rows.normal
        try:
            return factorize(tied, self.constraints, progress=progress).solve(forces)
        except SingularSystemError as error:
            raise SolveError(
                "A part can slide or turn away although the joints press on it: only friction would hold it.",
                "Guide it by a coupling or a beam (a bolt's shaft, for instance), or take all parts of the bolts "
                "that hold it into the model.",
            ) from error


def statically_holding_dofs(interior: InteriorProblem) -> np.ndarray:
    """Return (6,) dofs that hold the body statically determinate, chosen for the best condition.

    They are interface dofs as far as these hold the body. Under loads in balance they have no reactions.
    """
    motions = interior.rigid_modes[interior.held_dofs]
    _, _, order = la.qr((motions / np.linalg.norm(motions, axis=0)).T, pivoting=True, mode="economic")
    return np.asarray(interior.held_dofs[order[:6]])
