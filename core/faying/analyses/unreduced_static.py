"""Static equilibrium of the unreduced FE model with the same pairs and laws: the check of every reduction."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.held import HeldStatics, support_rows
from faying.analyses.loads import load_vectors
from faying.analyses.unreduced_frames import UnreducedFrames, UnreducedSolution, interface_rows, solution_of
from faying.joints.kinematics import sparse_rows
from faying.progress import Part, Progress
from faying.reduction.held_contact import FrictionlessJoint, HeldContactBody
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.hard_contact import solve_hard_contact


@analyses.register("unreduced_static")
class UnreducedStatic(HeldStatics):
    """Newton with line search on the FE degrees of freedom; frictionless.

    It starts from an equilibrium in few contact responses of its own, so the solution has nothing to do with the
    reduction basis: it stays true when joint modes change, and costs fewer corrections than from the reduced
    solution (friction bar of 19 000 nodes: three instead of five to nine).
    """

    kind: ClassVar[str] = "unreduced_static"
    title: ClassVar[str] = "Static equilibrium, unreduced"
    needs_reduced: ClassVar[bool] = False
    needs_matrices: ClassVar[bool] = True
    has_friction: ClassVar[bool] = False

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve one load step and write it."""
        solution = self.solve(body, progress)
        words = self.model_dump(mode="json")
        with UnreducedFrames(target, body, axis="load", support=self.support, settings=words) as frames:
            frames.append(1.0, solution, {})
            frames.close(solution.summary)
        progress.report(1.0, "unreduced static equilibrium")
        return solution.summary

    def solve(self, body: BodyModel, progress: Progress) -> UnreducedSolution:
        """Return the equilibrium under all loads and preload cases.

        Raises:
            ModelError: when the support, a loaded interface node or a preload case does not exist.
            SolveError: without convergence.
        """
        if body.matrices is None or body.model is None:
            raise ValueError("the unreduced analysis needs the body's matrices")
        matrices, dofs = body.matrices, body.matrices.dofs
        motions = {name: rows.toarray() for name, rows in interface_rows(body, dofs).items()}
        preload, closings = body.acting_preloads(self.preloads)
        load = preload + load_vectors(self.loads, motions).sum(axis=1)
        joints = [
            FrictionlessJoint(joint.name, sparse_rows(joint.pairs, dofs), joint.contact_law)
            for joint in body.joints
        ]
        held = HeldContactBody(matrices, body.model.nodes, support_rows(body, self.support).indices, joints)
        part = Part(progress, 0.0, 0.5 if self.allowed_penetration else 0.98)
        x, iterations = held.equilibrium(load, closings, solve_equilibrium, part)
        forces = held.joint_forces(closings)
        offsets: list[np.ndarray] = []
        if self.allowed_penetration:
            found = solve_hard_contact(
                held.stiffness, load[held.free], forces, [f.initial_history() for f in forces], x[held.free],
                Part(progress, 0.5, 0.98), allowed_penetration=self.allowed_penetration, constraints=held.constraints,
            )  # fmt: skip
            x[held.free], responses, offsets = found.coordinates, found.responses, found.offsets
            iterations += found.report.iterations
        else:
            responses = [f.evaluate(x[held.free], f.initial_history(), 0.0, jacobian=False) for f in forces]
        report = {"iterations": iterations, "dofs": dofs.n_dofs}
        return solution_of(body, dofs, x, [joint.rows for joint in joints], responses, offsets, report)
