"""Errors of the bolt forces of a reduced body after each tightening step, estimated on the FE model.

Joint modes are computed for the states of the preload cases. In other states contact, and with it the force of a locked
bolt, may be far off, which the reduced equations cannot show. So Newton corrections on the FE model start from the
reduced state, with each locked bolt held at the overlap that it has on the FE model, and give the correct forces.
"""

from typing import Any

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.driven_fe_body import driven_fe_body
from faying.analyses.held import support_rows
from faying.analyses.row_of_steps import Reached, RowOfSteps
from faying.analyses.step_kinds.tighten import Tighten
from faying.errors import SolveError
from faying.fem.assembly import rigid_body_modes
from faying.joints.interface import SparseJointForce
from faying.progress import Progress
from faying.solvers.driven_body import MotionStates
from faying.solvers.equilibrium import solve_equilibrium

_NONE = 1e-3  # of the largest bolt force: smaller ones count as zero, and have no relative error


class BoltStateErrors:
    """Corrects the state at the end of each tightening step, one after the other.

    Args:
        settings: of the analysis; without hard contact.
        body: with basis and matrices.
        progress: reports and cancels.

    Attributes:
        found: relative error of each bolt's force against the FE model, by bolt name, by number (from 1) of the
            tightening step.
        problem: why the estimation stopped; "" while it works.
    """

    def __init__(self, settings: RowOfSteps, body: BodyModel, progress: Progress) -> None:
        assert body.basis is not None and body.matrices is not None and body.model is not None
        self._settings, self._progress, self._fe = settings, progress, driven_fe_body(settings, body)
        rigid = rigid_body_modes(body.model.nodes, body.matrices.dofs)
        support, modes = support_rows(body, settings.support), body.basis.modes
        self._modes = (modes - rigid @ np.linalg.solve(support @ rigid, support @ modes))[self._fe.free]
        self._columns = np.hstack([self._fe.columns(step) for step in settings.steps])
        self._names = [self._fe.bolts[i].name for i in self._fe.cut]
        # (b,) overlap on the FE model minus that of the reduced body, at which each bolt was locked.
        self._shifts = np.zeros(self._fe.body.motions.shape[0])
        self.found: dict[int, dict[str, float]] = {}
        self.problem = ""

    def see(self, reached: Reached) -> None:
        """Take a state; only those at the end of a tightening step count."""
        step = self._settings.steps[reached.step - 1]
        if not isinstance(step, Tighten) or reached.state.load != 1.0 or self.problem:
            return
        try:
            self._correct(reached)
        except SolveError as error:
            # A body that is loose on the FE model, where nothing presses any more.
            self.problem = f"step {reached.step}: {error.message}"

    def _correct(self, reached: Reached) -> None:
        body, now = self._fe.body, reached.motions
        joints = [joint for joint in body.joints if isinstance(joint, SparseJointForce)]
        nodes = np.arange(len(now.held)) >= reached.n_bolts
        # Displaced nodes have the same displacement in both models; a locked bolt has its overlap on the FE model.
        values = now.values + np.where(nodes, 0.0, self._shifts)
        states = MotionStates(now.held, now.forces, values)
        loads = self._columns @ reached.factors
        given = np.where(now.held, 0.0, now.forces)
        tangent = body.tangent(now.held)
        assert tangent is not None  # it is sparse
        x, answers, _ = solve_equilibrium(
            body.stiffness, loads + body.motions.T @ given, joints, reached.came_from,
            self._modes @ reached.state.coordinates, self._progress, constraints=body.constrained(now.held),
            tangent=tangent, values=body.given(now.held, values),
        )  # fmt: skip
        forces = body.forces(x, answers, loads, states)[: reached.n_bolts]
        overlaps = np.asarray(body.motions @ x).ravel()
        self._shifts = np.where(nodes, 0.0, overlaps - now.values)
        largest = float(np.abs(forces).max(initial=0.0))
        off = now.forces[: reached.n_bolts] - forces
        self.found[reached.step] = {
            name: float(abs(by / force))
            for name, by, force in zip(self._names, off, forces, strict=True)
            if abs(force) > _NONE * largest
        }

    def memory(self) -> dict[str, Any]:
        """Return what `recall` needs."""
        found = {str(step): errors for step, errors in self.found.items()}
        return {"problem": self.problem, "shifts": self._shifts, "found": found}

    def recall(self, memory: dict[str, Any] | None) -> None:
        """Take up what an interrupted run remembered."""
        if memory is not None:
            self._shifts, self.problem = memory["shifts"], memory["problem"]
            self.found = {int(step): dict(errors) for step, errors in memory["found"].items()}

    def summary(self) -> dict[str, Any]:
        """Return the run report's {"bolt_force_errors": {"<step>": {"<bolt>": error}}}, or why there are none."""
        words = {str(number): errors for number, errors in self.found.items() if errors}
        told: dict[str, Any] = {"bolt_force_errors": words} if words else {}
        return {**told, "no_error_estimate": self.problem} if self.problem else told
