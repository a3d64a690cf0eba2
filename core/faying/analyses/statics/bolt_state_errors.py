"""Errors of the bolt forces of a reduced body after each tightening step, estimated on the FE model.

Joint modes are computed for the states of the preload cases. In other states contact, and with it the force of a locked
bolt, may be far off, which the reduced equations cannot show. So Newton corrections on the FE model start from the
reduced state, with each locked bolt held at the overlap that it has on the FE model, and give the correct forces.
"""

from typing import Any

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.load_path import PathPoint
from faying.analyses.statics.step_sequence import StepSequence
from faying.errors import SolveError
from faying.progress import Progress
from faying.solvers.displacement_controlled_body import MotionStates
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

    def __init__(self, settings: StepSequence, body: BodyModel, progress: Progress) -> None:
        self._settings, self._progress = settings, progress
        self._fe = FeStructure(settings, body)
        self._columns = self._fe.columns()
        self._names = [self._fe.bolts[i].name for i in self._fe.controlled]
        # (b,) overlap on the FE model minus that of the reduced body, at which each bolt was locked.
        self._shifts = np.zeros(self._fe.equations.motions.shape[0])
        self.found: dict[int, dict[str, float]] = {}
        self.problem = ""

    def see(self, point: PathPoint) -> None:
        """Take a state; only those at the end of a tightening step count."""
        step = self._settings.steps[point.step - 1]
        if step.tightening is None or point.state.load != 1.0 or self.problem:
            return
        try:
            self._correct(point)
        except SolveError as error:
            # A body that is loose on the FE model, where nothing presses any more.
            self.problem = f"step {point.step}: {error.message}"

    def _correct(self, point: PathPoint) -> None:
        body, now, nodes = self._fe.equations, point.motions, self._fe.displaced_motions
        # Displaced nodes have the same displacement in both models; a locked bolt has its overlap on the FE model.
        values = now.values + np.where(nodes, 0.0, self._shifts)
        states = MotionStates(now.held, now.forces, values)
        loads = self._columns @ point.factors
        given = np.where(now.held, 0.0, now.forces)
        x, answers, _ = solve_equilibrium(
            body.stiffness, loads + body.motions.T @ given, body.joints, point.came_from,
            self._fe.displacement(point.state.coordinates)[self._fe.free], self._progress,
            constraints=body.constrained(now.held), tangent=body.tangent(now.held),
            values=body.given(now.held, values),
        )  # fmt: skip
        forces = body.forces(x, answers, loads, states)[: point.n_bolts]
        overlaps = np.asarray(body.motions @ x).ravel()
        self._shifts = np.where(nodes, 0.0, overlaps - now.values)
        largest = float(np.abs(forces).max(initial=0.0))
        off = point.tensions - forces
        self.found[point.step] = {
            name: float(abs(by / force))
            for name, by, force in zip(self._names, off, forces, strict=True)
            if abs(force) > _NONE * largest
        }

    def checkpoint(self) -> dict[str, Any]:
        """Return what `restore` needs."""
        found = {str(step): errors for step, errors in self.found.items()}
        return {"problem": self.problem, "shifts": self._shifts, "found": found}

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore the errors of an interrupted run."""
        self._shifts, self.problem = checkpoint["shifts"], checkpoint["problem"]
        self.found = {int(step): dict(errors) for step, errors in checkpoint["found"].items()}

    def summary(self) -> dict[str, Any]:
        """Return the run report's {"bolt_force_errors": {"<step>": {"<bolt>": error}}}, or why there are none."""
        words = {str(number): errors for number, errors in self.found.items() if errors}
        found: dict[str, Any] = {"bolt_force_errors": words} if words else {}
        return {**found, "no_error_estimate": self.problem} if self.problem else found
