"""The FE model of a body for an analysis in steps: held, with its joints, bolts and displaced nodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from faying.analyses import BodyModel
from faying.analyses.displacements import DisplacedInSteps
from faying.analyses.held import support_rows
from faying.analyses.row_of_steps import RowOfSteps
from faying.analyses.step_kinds import Step
from faying.analyses.unreduced_frames import interface_rows
from faying.joints.interface import SparseJointForce
from faying.joints.kinematics import SparseRows, sparse_rows
from faying.linalg.symmetric import SymmetricPart
from faying.reduction.bolts import BoltEquations, bolt_equations
from faying.solvers.driven_body import DrivenBody


@dataclass(frozen=True, eq=False)
class DrivenFeBody:
    """What steps need of the FE model.

    Attributes:
        body: equations over the free dofs; its driven motions are the cuts of bolts, then the displaced components.
        free: the dofs that the support does not hold.
        held: (6,) the dofs that it holds.
        rows: gap and slip rows of each joint over all dofs.
        bolts: all bolts and bolt-like beams of the body.
        cut: numbers of those that are cut.
        displaced: the components of interface nodes that steps displace.
        columns: function that returns the forces (n_free, k) of the loads of a step.
    """

    body: DrivenBody
    free: np.ndarray
    held: np.ndarray
    rows: list[SparseRows]
    bolts: tuple[BoltEquations, ...]
    cut: list[int]
    displaced: DisplacedInSteps
    columns: Callable[[Step], np.ndarray]


def driven_fe_body(settings: RowOfSteps, body: BodyModel) -> DrivenFeBody:
    """Return the FE model with the support, joints, bolts and displaced nodes of an analysis in steps.

    Raises:
        ModelError: when the support is not there, or nodes cannot be displaced.
    """
    if body.matrices is None or body.model is None:
        raise ValueError("steps on the FE model need the body's matrices")
    matrices, dofs = body.matrices, body.matrices.dofs
    bolts = bolt_equations(body.model, matrices, body.loads, elements=body.has_elements)
    held = support_rows(body, settings.support).indices
    free = np.setdiff1d(np.arange(dofs.n_dofs), held)
    rows = [sparse_rows(joint.pairs, dofs) for joint in body.joints]
    forces = [
        SparseJointForce(
            replace(own, normal=own.normal[:, free].tocsr(), tangential=own.tangential[:, free].tocsr()),
            joint.contact_law, settings.acting_friction(joint),
        )
        for joint, own in zip(body.joints, rows, strict=True)
    ]  # fmt: skip
    every = [bolt.overlap for bolt in bolts if bolt.overlap is not None]
    overlaps = sp.vstack(every, format="csr") if every else sp.csr_matrix((0, dofs.n_dofs))
    constraints = matrices.constraints[:, free].tocsr() if matrices.constraints.shape[0] else None
    at_nodes = {name: own[:, free].tocsr() for name, own in interface_rows(body, dofs).items()}
    dense = {name: own.toarray() for name, own in at_nodes.items()}
    displaced, driven = settings.displaced(at_nodes), [overlaps[:, free]]
    if displaced.imposed is not None:
        driven.append(displaced.imposed.rows)

    def on_body(names: Sequence[str]) -> np.ndarray:
        return np.asarray(body.load_columns(names)[free])

    return DrivenFeBody(
        DrivenBody(
            SymmetricPart(matrices.stiffness, free), forces, sp.vstack(driven, format="csr"), constraints
        ),
        free,
        held,
        rows,
        bolts,
        [i for i, bolt in enumerate(bolts) if bolt.overlap is not None],
        displaced,
        lambda step: settings.columns(step, dense, on_body),
    )
