"""Static equilibrium of the unreduced FE model with the same pairs and laws: the check of every reduction."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.analyses import BodyModel, analyses
from faying.analyses.curves import joint_curves
from faying.analyses.held import HeldStatics
from faying.analyses.loads import load_vectors
from faying.errors import SolveError
from faying.fem.matrices import StructuralMatrices
from faying.joints.interface import JointForce, JointResponse, SparseJointForce
from faying.joints.kinematics import SparseRows, sparse_rows
from faying.linalg.factor import factorize
from faying.progress import Part, Progress, Silent
from faying.reduction.contact_start import contact_start, pair_points
from faying.results.results import ResultsWriter
from faying.solvers.equilibrium import solve_equilibrium


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
    """Newton with line search on the FE degrees of freedom, started from the reduced solution; frictionless."""

    kind: ClassVar[str] = "unreduced_static"
    title: ClassVar[str] = "Static equilibrium, unreduced"
    needs_matrices: ClassVar[bool] = True

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve one load step and write it."""
        solution = self.solve(body, progress)
        assert body.matrices is not None
        self._write(body, body.matrices, target, solution)
        progress.report(1.0, "unreduced static equilibrium")
        return solution.summary

    def solve(self, body: BodyModel, progress: Progress) -> "UnreducedSolution":
        """Return the equilibrium under all loads; the reduced solution of the same load is the first guess.

        Raises:
            SolveError: without convergence.
        """
        matrices = body.matrices
        if matrices is None:
            raise ValueError("the unreduced analysis needs the body's matrices")
        progress.report(0.0, "reduced start")
        start = self._reduced_start(body, matrices)

        # Dofs without those of the support.
        transformation = matrices.dofs.transformation
        held = transformation[matrices.dofs.node_rows(body.interface_nodes[self.support])].indices
        free = np.setdiff1d(np.arange(matrices.dofs.n_dofs), held)
        preload, closings = self._preload(body, matrices.dofs.n_dofs)
        joints: list[SparseJointForce] = []
        for joint, closing in zip(body.joints, closings, strict=True):
            rows = sparse_rows(joint.pairs, matrices.dofs)
            kept = SparseRows(
                rows.normal[:, free].tocsr(),
                rows.tangential[:, free].tocsr(),
                rows.weights,
                rows.initial_gaps - closing,
            )
            joints.append(SparseJointForce(kept, joint.contact_law, None))
        motions = {
            name: transformation[matrices.dofs.node_rows(node)][:, free].toarray()
            for name, node in body.interface_nodes.items()
        }
        load = preload[free] + load_vectors(self.loads, motions).sum(axis=1)
        stiffness = matrices.stiffness[free][:, free].tocsr()
        constraints = matrices.constraints[:, free].tocsr()
        near = start[free]
        if self.preloads:  # a region that bolts press is small beside what joint modes see
            displacements, nodes = matrices.dofs.displacement_rows[:, free], body.reduced.nodes
            points = [pair_points(j.rows.normal, displacements, nodes) for j in joints]
            near = _nearer(stiffness, constraints, near, joints, points, load, Part(progress, 0.05, 0.3))
        found = self.equilibrium(
            stiffness, load, joints, near, Part(progress, 0.3, 0.98),
            histories=[j.initial_history() for j in joints], constraints=constraints,
        )  # fmt: skip
        x, responses = found.coordinates, found.responses
        slips = [(j.rows.tangential @ x).reshape(-1, 2) for j in joints]
        full = np.zeros(matrices.dofs.n_dofs)
        full[free] = x
        summary = {"iterations": found.report.iterations, "dofs": matrices.dofs.n_dofs}
        motion = {
            name: np.asarray(transformation[matrices.dofs.node_rows(node)] @ full)
            for name, node in body.interface_nodes.items()
        }
        return UnreducedSolution(
            matrices.dofs.displacement_rows @ full, motion, responses, slips, found.offsets, summary
        )

    def _write(
        self, body: BodyModel, matrices: StructuralMatrices, target: Path, solution: "UnreducedSolution"
    ) -> None:
        names, responses, slips = [j.name for j in body.joints], solution.responses, solution.slips
        curves = {
            f"{name} {component}": float(value)
            for name, motion in solution.motions.items()
            if name != self.support
            for component, value in zip(("ux", "uy", "uz", "rx", "ry", "rz"), motion, strict=False)
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
                **{f"curves__{k}": v for k, v in joint_curves(names, responses, body.reduced.joints).items()},
            )
            writer.close(solution.summary)

    def _preload(self, body: BodyModel, n_dofs: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (n_dofs,) forces of the preload cases and (n_joints,) by how much they close the joints."""
        force, closings = np.zeros(n_dofs), np.zeros(len(body.joints))
        for name in self.preloads:
            body.reduced.preload_force([name])  # says so when there is no such case
            if body.preloads is None:
                raise ValueError("the unreduced analysis needs the body's preloads")
            at = body.preloads.names.index(name)
            force, closings = force + body.preloads.forces[:, at], closings + body.preloads.closings[at]
        return force, closings

    def _reduced_start(self, body: BodyModel, matrices: StructuralMatrices) -> np.ndarray:
        """Return (n_dofs,) the reduced solution, translated back to the independent dofs."""
        held = self.held_body(body.reduced)
        rows = {r.name: r for r in held.joints}
        forces = [JointForce(rows[j.name], j.contact_law, None) for j in body.joints]
        load = held.preload_force(self.preloads) + self.load_columns(held).sum(axis=1)
        q, _, _ = solve_equilibrium(
            held.stiffness,
            load,
            forces,
            [f.initial_history() for f in forces],
            np.zeros(held.n_coordinates),
            Silent(),
        )
        return _independent(
            matrices, held.displacements @ q, {n: r @ q for n, r in held.interfaces.items()}, body
        )


def _nearer(
    stiffness: sp.csr_matrix,
    constraints: sp.csr_matrix,
    start: np.ndarray,
    joints: list[SparseJointForce],
    points: list[np.ndarray],
    load: np.ndarray,
    progress: Progress,
) -> np.ndarray:
    """Return what is nearer to the equilibrium than the start, or the start where contact alone holds a part."""
    try:
        factor = factorize(stiffness, constraints, progress=progress)
        return contact_start(factor, stiffness, start, joints, points, load, solve_equilibrium, progress)
    except SolveError:
        return start


def _independent(
    matrices: StructuralMatrices, displacement: np.ndarray, motions: dict[str, np.ndarray], body: BodyModel
) -> np.ndarray:
    """Return independent dofs from nodal displacements and the motions of the interface nodes.

    Rotations of other nodes are not stored; those that a coupling ties to displacements follow from them.
    """
    dofs = matrices.dofs
    x, known = np.zeros(dofs.n_dofs), np.zeros(dofs.n_dofs, dtype=bool)
    rows = dofs.displacement_rows
    counts = np.diff(rows.indptr)
    single = np.flatnonzero(counts == 1)
    at = rows.indices[rows.indptr[single]]
    x[at], known[at] = displacement[single] / rows.data[rows.indptr[single]], True
    for name, node in body.interface_nodes.items():
        at = dofs.transformation[dofs.node_rows(node)].indices
        x[at], known[at] = motions[name], True

    # The rest from the coupled nodes' displacements and from the constraints, by least squares.
    rest = np.flatnonzero(~known)
    coupled = np.flatnonzero(counts > 1)
    equations = sp.vstack([rows[coupled], matrices.constraints]).tocsr()
    wanted = np.concatenate([displacement[coupled], np.zeros(matrices.constraints.shape[0])])
    if len(rest) and equations.shape[0]:
        answer = spla.lsqr(equations[:, rest], wanted - equations @ x, atol=1e-14, btol=1e-14)
        x[rest] = answer[0]
    return x
