"""Interface nodes of an FE model, and the one that holds it in an analysis."""

import scipy.sparse as sp

from faying.analyses import BodyModel, needed
from faying.errors import ModelError
from faying.reduction.body import cannot_hold, no_interface_node


def interface_rows(body: BodyModel) -> dict[str, sp.csr_matrix]:
    """Return (6, n_dofs) or (3, n_dofs), the motion of each interface node of an unreduced body, by name."""
    dofs = needed(body.matrices).dofs
    return {name: dofs.transformation[dofs.node_rows(node)] for name, node in body.interface_nodes.items()}


def support_rows(body: BodyModel, support: str) -> sp.csr_matrix:
    """Return CSR (6, n_dofs), the motion of the interface node that holds an unreduced body.

    Raises:
        ModelError: when there is no such interface node, or it has no rotations.
    """
    if not support:
        raise held_nowhere()
    if support not in body.interface_nodes:
        raise no_interface_node(support, body.interface_nodes)
    rows = interface_rows(body)[support]
    if rows.shape[0] < 6:
        raise cannot_hold(support)
    return rows


def held_nowhere() -> ModelError:
    """Return the error that an analysis needs a support and has none."""
    return ModelError(
        "The analysis holds the body nowhere, which only statics can do: inertia relief.",
        "Choose an interface node that holds the body.",
    )


def no_motion_as_a_whole() -> ModelError:
    """Return the error that a body of condensed matrices cannot move as a whole."""
    return ModelError(
        "The body's file has no motion of it as a whole, so it cannot be held nowhere.",
        "Hold it at the frame of its coordinates.",
    )
