"""The FE model of a body in statics."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from faying.analyses import BodyModel, needed
from faying.analyses.recording.curve_source import RecordedBody
from faying.analyses.recording.recorded_bodies import joint_data, recorded_fe_body
from faying.analyses.statics.displacements import displaced_in_steps
from faying.analyses.statics.load_path import Guess, PathPoint
from faying.analyses.statics.reactions import ReactionBalance, held_fe_node
from faying.analyses.statics.settings import SupportedAnalysis
from faying.analyses.statics.structure import Structure
from faying.analyses.statics.supports import interface_rows, support_rows
from faying.errors import SolveError
from faying.fem.assembly import rigid_body_modes
from faying.fem.densities import require_densities
from faying.joints.interface import JointResponse, SparseJointForce
from faying.joints.kinematics import sparse_rows
from faying.linalg.symmetric import SymmetricPart
from faying.progress import PartialProgress, Progress
from faying.reduction.bolts import BoltEquations, bolt_equations
from faying.reduction.held_contact import FrictionlessJoint, HeldContactBody
from faying.reduction.interior import InteriorProblem
from faying.results.names import path_of
from faying.solvers.displacement_controlled_body import DisplacementControlledBody
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.stuck import stuck_start


@dataclass(frozen=True, eq=False)
class FloatingRows:
    """Rows of motions of a free body over its free dofs, less its rigid body motion: those of its Buckens frame.

    The body is held statically determinate, and moves as a whole by what its elastic deformation does at these dofs.

    Attributes:
        rows: (m, n_free) CSR.
        rigid: (m, 6) of the rigid body motions.
        momentum: (6, n_free) M times the rigid body motions, of unit mass.
    """

    rows: sp.csr_matrix
    rigid: np.ndarray
    momentum: np.ndarray

    def __matmul__(self, x: np.ndarray) -> np.ndarray:
        """Return the motions (m,) at x (n_free,)."""
        return np.asarray(self.rows @ x - self.rigid @ (self.momentum @ x))

    def __getitem__(self, which: Any) -> np.ndarray:
        """Return some rows, dense."""
        return np.asarray(self.rows[which].toarray() - self.rigid[which] @ self.momentum)


class FeStructure(Structure):
    """The FE model of a body, held at a node or free: then its inertia balances the loads (inertia relief).

    Attributes:
        matrices: of the body.
        motions: (6, n_dofs) or (3, n_dofs), the motion of each interface node, by name.
        rows: gap and slip rows of each joint over all dofs.
        held, free: the dofs that are held, and the others, over which the equations are.
        joints: forces over the free dofs, their gaps those that the preload cases leave.

    Raises:
        ModelError: when the support or a preload case is not there, or nodes cannot be displaced.
    """

    begin_share: ClassVar[float] = 0.3
    bolts: Sequence[BoltEquations]

    def __init__(self, settings: SupportedAnalysis, model: BodyModel) -> None:
        super().__init__(settings, model)
        settings.require_support()
        self.matrices, fe_model = needed(model.matrices), needed(model.model)
        self._nodes, dofs = fe_model.nodes, self.matrices.dofs
        self.report["dofs"] = dofs.n_dofs
        self._relief = np.zeros((dofs.n_dofs, 0))  # rigid body motions of a free body, with unit mass
        if settings.support:
            self.held = support_rows(model, settings.support).indices
        else:
            # Inertia balances the loads, so statically determinate supports carry nothing.
            if model.has_elements:
                require_densities(fe_model, "inertia relief without a support")
            alone = InteriorProblem(self.matrices, self._nodes, np.zeros(0, np.int64))
            self.held, self._relief = alone.held_dofs, alone.rigid_modes
        self._momentum = self.matrices.mass @ self._relief
        self.free = free = np.setdiff1d(np.arange(dofs.n_dofs), self.held)
        self.loads, self.joint_rows, self.node = (
            model.loads,
            model.joints,
            held_fe_node(model, settings.support),
        )
        self._preload, self._closings = model.acting_preloads(settings.acting_preloads)
        self.base = self._preload[free]
        self.rows = [sparse_rows(joint.pairs, dofs) for joint in model.joints]
        self.joints = [
            SparseJointForce(
                replace(
                    rows, normal=rows.normal[:, free].tocsr(), tangential=rows.tangential[:, free].tocsr(),
                    initial_gaps=rows.initial_gaps - closing,
                ),
                joint.contact_law, law,
            )
            for joint, rows, law, closing in zip(model.joints, self.rows, self.laws, self._closings, strict=True)
        ]  # fmt: skip
        # Controlled motions: cuts of bolts, then displaced components.
        self.bolts = bolt_equations(fe_model, self.matrices, model.loads, elements=model.has_elements)
        self.preload_tensions = [
            None if bolt.overlap is None else bolt.tension(self._preload) for bolt in self.bolts
        ]
        self.motions = {name: rows.toarray() for name, rows in interface_rows(model).items()}
        of_free = {name: rows[:, free].tocsr() for name, rows in interface_rows(model).items()}
        self.displaced = displaced_in_steps(settings.step_displacements, of_free, settings.support)
        moved = [sp.csr_matrix((0, len(free))), *(cut[:, free] for cut in self.cuts())]
        moved += [self.displaced.imposed.rows] if self.displaced.imposed is not None else []
        constraints = self.matrices.constraints[:, free].tocsr()
        self.equations = DisplacementControlledBody(
            SymmetricPart(self.matrices.stiffness, free), self.joints, sp.vstack(moved, format="csr"),
            constraints if constraints.shape[0] else None,
        )  # fmt: skip
        self._path_matters = settings.counts_steps or any(law is not None for law in self.laws)
        self.mounts = bool(settings.acting_preloads) and (
            self._path_matters or bool(self.displaced.components)
        )

    @cached_property
    def load_columns(self) -> np.ndarray:
        """(n_dofs, k) forces of the loads of all steps; of a free body less what its inertia balances."""
        found = self.settings.path_loads.columns(
            self.motions, self.model.load_columns, self.matrices.dofs.n_dofs
        )
        return np.asarray(found - self._momentum @ (self._relief.T @ found))

    def columns(self) -> np.ndarray:
        """Return (n_free, k) forces of the loads of all steps on the free dofs."""
        return self.load_columns[self.free]

    def load(self, factors: np.ndarray) -> np.ndarray:
        """Return (n_dofs,) forces of the preload cases, and of the loads of all steps times factors (k,)."""
        return np.asarray(self._preload + self.load_columns @ factors)

    @cached_property
    def _contact(self) -> HeldContactBody:
        """The body without friction, for first guesses."""
        each = zip(self.model.joints, self.rows, strict=True)
        smooth = [FrictionlessJoint(joint.name, rows, joint.contact_law) for joint, rows in each]
        return HeldContactBody(self.matrices, self._nodes, self.held, smooth)

    def first_guess(self, force: np.ndarray, progress: Progress) -> Guess | None:
        """Return the equilibrium without friction, or where only friction holds a part, with touching pairs stuck.

        Raises:
            SolveError: when a part is held neither way.
        """
        if not force.any():
            return None
        body = self.equations
        solve = partial(solve_equilibrium, tangent=body.sparse_tangent(np.zeros(body.motions.shape[0], bool)))
        try:
            contact, forces, closings = self._contact, self.full(force), np.asarray(self._closings)
            start = contact.starts(
                forces[:, None], closings[None], solve, PartialProgress(progress, 0.0, 0.2)
            )
            part = PartialProgress(progress, 0.2, 1.0)
            x, iterations = contact.equilibrium(forces, closings, start[:, 0], solve, part)
            return Guess(x[self.free], iterations)
        except SolveError:
            pull, stuck = force - self.base, None
            if self._path_matters and pull.any():
                stuck = stuck_start(body.stiffness, pull, body.joints, progress, body.constraints)
            if stuck is None:
                raise
            return Guess(stuck)

    @cached_property
    def _supports(self) -> Sequence[Any]:
        return self.model.support_equations()

    def balance(self) -> ReactionBalance:
        """See `Structure.balance`."""
        return ReactionBalance(self.node, self._supports, self.model.node_equations(), self._nodes)

    def recorded(self, **more: Any) -> RecordedBody:
        """See `Structure.recorded`."""
        return recorded_fe_body(
            self.model, self.laws, self.settings.support, bolts=self.bolts, ties=self.model.tie_equations(),
            supports=self._supports, **more,
        )  # fmt: skip

    def full(self, x: np.ndarray) -> np.ndarray:
        """Return (n_dofs,) of values at the free dofs, zero at the held ones."""
        found = np.zeros(self.matrices.dofs.n_dofs)
        found[self.free] = x
        return found

    def frame(self, point: PathPoint) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return displacements (n_dofs,), of a free body in its Buckens frame, and what a frame stores."""
        x, found = self.full(point.state.coordinates), point.solution
        x = np.asarray(x - self._relief @ (self._momentum.T @ x))
        return x, self.frame_data(x, found.responses, found.offsets)

    def frame_data(
        self, x: np.ndarray, responses: Sequence[JointResponse], offsets: Sequence[np.ndarray]
    ) -> dict[str, np.ndarray]:
        """Return by path: displacements (3 n_nodes,), gaps (n_pairs,), slips (n_pairs, 2) and histories.

        Args:
            x: (n_dofs,) displacements.
            responses: of the joints there.
            offsets: (n_pairs,) of their gaps in hard contact; none without.
        """
        found = {"displacement": self.matrices.dofs.displacement_rows @ x}
        for name, answer, rows in zip(self.names, responses, self.rows, strict=True):
            slip = np.asarray(rows.tangential @ x).reshape(-1, 2)
            found |= {path_of("joints", name, "gap"): answer.gap, path_of("joints", name, "slip"): slip}
        return found | joint_data(self.names, [answer.history for answer in responses], offsets)

    def over_free(self, rows: Any) -> sp.csr_matrix | FloatingRows:
        """Return rows (m, n_dofs) of motions over the free dofs, of a free body those of its Buckens frame."""
        rows = sp.csr_matrix(rows)
        of_free: sp.csr_matrix = rows[:, self.free].tocsr()
        if not self._relief.shape[1]:
            return of_free
        return FloatingRows(of_free, np.asarray(rows @ self._relief), self._momentum[self.free].T)

    def at_held(self, x: np.ndarray) -> np.ndarray:
        """Return displacements (n_dofs,) of a free body less the rigid body motion of its held dofs; others as is."""
        rigid, held = self._relief, self.held
        return x - rigid @ np.linalg.solve(rigid[held], x[held]) if rigid.shape[1] else x

    @property
    def displaced_motions(self) -> np.ndarray:
        """(b,) which controlled motions are displaced components, and not cuts of bolts."""
        return np.arange(self.equations.motions.shape[0]) >= len(self.controlled)

    def given(self, x: np.ndarray) -> np.ndarray:
        """Return the values of the constraints that keep displaced nodes where they are at x (n,)."""
        return self.equations.given(self.displaced_motions, np.asarray(self.equations.motions @ x).ravel())

    def displacement(self, q: np.ndarray) -> np.ndarray:
        """Return (n_dofs,) displacements of coordinates q (r,) of the reduced body, relative to the support."""
        return self.relative(needed(self.model.basis).modes @ q)

    def relative(self, x: np.ndarray) -> np.ndarray:
        """Return displacements (n_dofs,) or (n_dofs, k) less the rigid body motion of the support."""
        rigid, support = self._support_motion
        return np.asarray(x - rigid @ np.linalg.solve(support @ rigid, support @ x))

    @cached_property
    def _support_motion(self) -> tuple[np.ndarray, Any]:
        """Rigid body motions (n_dofs, 6) of the body, and the rows of its support."""
        rigid = rigid_body_modes(self._nodes, self.matrices.dofs)
        return rigid, support_rows(self.model, self.settings.support)
