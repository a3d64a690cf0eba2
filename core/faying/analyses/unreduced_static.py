"""Static equilibrium of the unreduced FE model with the same pairs and laws: the check of every reduction."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.curves import joint_curves
from faying.analyses.held import HeldStatics, support_rows
from faying.analyses.loads import load_vectors
from faying.fem.matrices import StructuralMatrices
from faying.joints.interface import JointResponse
from faying.joints.kinematics import sparse_rows
from faying.progress import Part, Progress
from faying.reduction.held_contact import FrictionlessJoint, HeldContactBody
from faying.results.results import ResultsWriter
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.hard_contact import solve_hard_contact

_COMPONENTS = ("ux", "uy", "uz", "rx", "ry", "rz")


@dataclass(frozen=True, eq=False)
class UnreducedSolution:
    """An equilibrium of the FE model.

    Attributes:
        displacement: (3 n_nodes,).
        motions: (6,) or (3,) of each interface node by name.
        responses: of the joints.
        slips: (n_pairs, 2) of the joints.
        offsets: (n_pairs,) of the joints, by how much the laws see less than the true gaps; empty without hard contact.
        summary: plain numbers for the run report.
    """

    displacement: np.ndarray
    motions: dict[str, np.ndarray]
    responses: list[JointResponse]
    slips: list[np.ndarray]
    offsets: list[np.ndarray]
    summary: dict[str, Any]


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
        assert body.matrices is not None
        self._write(body, body.matrices, target, solution)
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
        motions = {
            name: dofs.transformation[dofs.node_rows(node)] for name, node in body.interface_nodes.items()
        }
        preload, closings = body.acting_preloads(self.preloads)
        load = preload + load_vectors(self.loads, {n: rows.toarray() for n, rows in motions.items()}).sum(
            axis=1
        )
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
        return UnreducedSolution(
            dofs.displacement_rows @ x,
            {name: np.asarray(rows @ x) for name, rows in motions.items()},
            responses,
            [(joint.rows.tangential @ x).reshape(-1, 2) for joint in joints],
            offsets,
            {"iterations": iterations, "dofs": dofs.n_dofs},
        )

    def _write(
        self, body: BodyModel, matrices: StructuralMatrices, target: Path, solution: UnreducedSolution
    ) -> None:
        names, responses, slips = [j.name for j in body.joints], solution.responses, solution.slips
        curves = {
            f"{name} {component}": float(value)
            for name, motion in solution.motions.items()
            if name != self.support
            for component, value in zip(_COMPONENTS, motion, strict=False)
        }
        with ResultsWriter(
            target, axis="load", body=body.name, frame=self.support,
            sizes={"displacement": 3 * matrices.dofs.n_nodes},
            joints={
                n: {"gap": (len(s),), "slip": (len(s), 2)}
                | ({"gap_offset": (len(s),)} if solution.offsets else {})
                for n, s in zip(names, slips, strict=True)
            },
            curves=(*curves, *joint_curves(names, [])), settings=self.model_dump(mode="json"),
        ) as writer:  # fmt: skip
            writer.append(
                1.0,
                displacement=solution.displacement,
                **{f"joints__{n}__gap": r.gap for n, r in zip(names, responses, strict=True)},
                **{f"joints__{n}__slip": s for n, s in zip(names, slips, strict=True)},
                **{f"joints__{n}__gap_offset": o for n, o in zip(names, solution.offsets, strict=False)},
                **{f"curves__{k}": v for k, v in curves.items()},
                **{f"curves__{k}": v for k, v in joint_curves(names, responses, body.joints).items()},
            )
            writer.close(solution.summary)
