"""Section forces of ties: the forces that masters exert on tied slave surfaces.

A tied node follows its master, so the force between them does not appear in the body's equations. It is computed from
the body without ties: f = K' u − f', the elastic force of the slave's elements at the tied nodes minus loads, contact
and inertia forces there.
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from faying.fem.assembly import assemble
from faying.fem.couplings import cross_matrices
from faying.fem.matrices import DofMap, StructuralMatrices
from faying.fem.model import FeModel
from faying.progress import Progress


@dataclass(frozen=True, eq=False)
class TieSection:
    """A tie of a body as a section through it.

    Attributes:
        middle: (3,) reference point of moments: the mean of the tied nodes.
        sums: CSR (6, n) from forces on the dofs of the untied body to their resultant force and moment.
        rows: CSR (6, n_dofs) from displacements of the tied body to the resultant of the elastic forces.
        inertia: CSR (6, n_dofs) from accelerations to the resultant of the inertia forces.
    """

    middle: np.ndarray
    sums: sp.csr_matrix
    rows: sp.csr_matrix
    inertia: sp.csr_matrix


def untied_body(model: FeModel, progress: Progress | None = None) -> tuple[FeModel, StructuralMatrices]:
    """Return the body without its ties, and its matrices."""
    ties = {tie.equations for tie in model.ties}
    apart = replace(model, equations=tuple(e for e in model.equations if e.name not in ties), ties=())
    return apart, assemble(apart, progress)


def tie_sections(model: FeModel, dofs: DofMap, untied: StructuralMatrices) -> tuple[TieSection, ...]:
    """Return the sections of a model's ties, in their order.

    Args:
        model: with its ties.
        dofs: of its matrices.
        untied: matrices of the body without its ties (`untied_body`).
    """
    own = untied.dofs.own_rows  # all of them, since element matrices have no other dofs
    tied_together = dofs.transformation[own]
    return tuple(_section(model, tie.nodes, tied_together, untied, own) for tie in model.ties)


def _section(
    model: FeModel,
    nodes: np.ndarray,
    tied_together: sp.csr_matrix,
    untied: StructuralMatrices,
    own: np.ndarray,
) -> TieSection:
    n = len(model.nodes)
    middle = model.nodes[nodes].mean(axis=0) if len(nodes) else np.zeros(3)
    moves = own < 3 * n
    node = np.where(moves, own // 3, -1)
    node[~moves] = untied.dofs.rotation_nodes[(own[~moves] - 3 * n) // 3]
    at = np.flatnonzero(np.isin(node, nodes))
    sums = np.zeros((6, len(at)))
    arms = cross_matrices(model.nodes[node[at]] - middle)
    for i, (dof, arm) in enumerate(zip(at, arms, strict=True)):
        component = own[dof] % 3
        if moves[dof]:
            sums[component, i] = 1.0
            sums[3:, i] = arm.T[:, component]
        else:
            sums[3 + component, i] = 1.0
    select = sp.csr_matrix((np.ones(len(at)), (np.arange(len(at)), at)), shape=(len(at), len(own)))
    chosen = sp.csr_matrix(sp.csr_matrix(sums) @ select)
    rows, inertia = (sp.csr_matrix(chosen @ of @ tied_together) for of in (untied.stiffness, untied.mass))
    return TieSection(middle, chosen, rows, inertia)
