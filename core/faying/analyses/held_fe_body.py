"""The FE model of a body with the support and loads of an analysis of the reduced body."""

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.held import HeldAnalysis, support_rows
from faying.analyses.unreduced_frames import interface_rows
from faying.fem.assembly import rigid_body_modes
from faying.joints.kinematics import SparseRows, sparse_rows
from faying.linalg.symmetric import SymmetricPart
from faying.solvers.tangent import SparseTangent


class HeldFeBody:
    """The unreduced body, held at the support of an analysis, with its loads and preload cases.

    Args:
        body: with basis and matrices.
        settings: of the analysis.

    Attributes:
        matrices: of the body.
        free: the dofs that are not held.
        motions: (6, n_dofs) or (3, n_dofs), the motion of each interface node, by name.
        rows: of each joint over all dofs.
        free_rows: of each joint over the free dofs, their gaps those that the preload cases leave.
        tangent: tangent stiffness over the free dofs, with its last factor; displaced nodes are constrained.
        mounted_tangent: the same without these constraints, for the mounted body.

    Raises:
        ModelError: when an interface node or preload case is not there.
    """

    def __init__(self, body: BodyModel, settings: HeldAnalysis) -> None:
        if body.matrices is None or body.model is None or body.basis is None:
            raise ValueError("the FE model in a reduced state needs matrices and basis")
        matrices, dofs = body.matrices, body.matrices.dofs
        self.matrices, self._modes = matrices, body.basis.modes
        # Rigid body motions, and the rows of the support: both give the rigid motion that follows the support.
        self._rigid, self._support = (
            rigid_body_modes(body.model.nodes, dofs),
            support_rows(body, settings.support),
        )
        self.motions = {name: rows.toarray() for name, rows in interface_rows(body, dofs).items()}
        preload, closings = body.acting_preloads(settings.preloads)
        self._preload, self._loads = preload, settings.fe_load_columns(body, self.motions)
        self.free = free = np.setdiff1d(np.arange(dofs.n_dofs), self._support.indices)
        self.rows = [sparse_rows(joint.pairs, dofs) for joint in body.joints]
        self.free_rows = [
            SparseRows(
                rows.normal[:, free].tocsr(),
                rows.tangential[:, free].tocsr(),
                rows.weights,
                rows.initial_gaps - closing,
            )
            for rows, closing in zip(self.rows, closings, strict=True)
        ]
        constraints = matrices.constraints[:, free]
        others = constraints.tocsr() if constraints.shape[0] else None
        self.tangent = self.mounted_tangent = SparseTangent(SymmetricPart(matrices.stiffness, free), others)
        self._driven = settings.imposed(
            {name: rows[:, free].tocsr() for name, rows in interface_rows(body, dofs).items()}
        )
        if self._driven is not None:
            self.tangent = SparseTangent(self.tangent.stiffness, self._driven.beside(others))

    def displacement(self, q: np.ndarray) -> np.ndarray:
        """Return (n_dofs,) displacements of coordinates q (r,), relative to the support (`ReducedBody.clamped_to`)."""
        x = self._modes @ q
        amounts = np.linalg.solve(self._support @ self._rigid, self._support @ x)
        return np.asarray(x - self._rigid @ amounts)

    def given(self, x: np.ndarray) -> np.ndarray | None:
        """Return the values of the constraints of `tangent` that keep displaced nodes where they are in x (n_free,)."""
        if self._driven is None or self.tangent.constraints is None:
            return None
        found = np.zeros(self.tangent.constraints.shape[0])
        found[len(found) - len(self._driven.components) :] = self._driven.rows @ x
        return found

    def load(self, factors: np.ndarray) -> np.ndarray:
        """Return (n_dofs,) forces of the preload cases, and of the loads times factors (n_loads,)."""
        return np.asarray(self._preload + self._loads @ factors)
