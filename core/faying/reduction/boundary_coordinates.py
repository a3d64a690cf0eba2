"""A free reduced body in terms of its interface motions and further coordinates: a superelement in FE programs.

Of coordinates y = (z, q), six rigid motions and the trial vectors, the interface nodes have the motion u = B y. The
transformation is y = (B⁺ − N (Nᵀ K N)⁻¹ Nᵀ K B⁺) u + N V η, with N the null space of B and V the vibration modes of the
body held at its interface nodes (Craig and Bampton 1968): K has no terms between u and η, and is diagonal in η.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError
from faying.reduction.body import ReducedBody, rigid_rows

_RANK = 1e-9


@dataclass(frozen=True, eq=False)
class Superelement:
    """Matrices over the motions of interface nodes, then over the other coordinates.

    Attributes:
        nodes, components: (b,) row of the interface node, and component 1 … 6, of each of the first b coordinates.
        mass, stiffness: (b + s, b + s) of the free body; rigid motions have no stiffness.
        damping: in the same form; None without damping.
        frequencies: (s,) natural frequencies of the other s coordinates, whose mass is one.
    """

    nodes: np.ndarray
    components: np.ndarray
    mass: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray | None
    frequencies: np.ndarray


def superelement(body: ReducedBody, damping: np.ndarray | None = None) -> Superelement:
    """Return a free body as a superelement of its interface nodes.

    Args:
        body: free, with inertia integrals.
        damping: (r, r).

    Raises:
        ModelError: when the body has no interface node, or its trial vectors cannot move all of them independently.
    """
    if body.frame or body.inertia is None:
        raise ModelError("Only a free body with its inertia is a superelement.", "Export the body itself.")
    if not body.interfaces:
        raise ModelError("The body has no interface node to be joined at.", "Add interface nodes to it.")
    mixed = body.inertia.rigid_content
    mass = np.block([[body.rigid_mass, mixed], [mixed.T, body.mass]])
    stiffness = la.block_diag(np.zeros((6, 6)), body.stiffness)
    rows: list[np.ndarray] = []
    nodes, components = list[int](), list[int]()
    for name, own in body.interfaces.items():
        row = body.interface_nodes[name]
        rows.append(np.hstack([rigid_rows(body.nodes[row], len(own)), own]))
        nodes += [row] * len(own)
        components += range(1, len(own) + 1)
    boundary = np.vstack(rows)
    # Rotations, displacements and coordinates have different units: columns are scaled to a largest entry of one.
    weights = 1.0 / np.maximum(np.abs(boundary).max(axis=0), 1e-300 + 1e-12 * np.abs(boundary).max())
    left, sizes, right = np.linalg.svd(boundary * weights)
    rank = int((sizes > _RANK * sizes[0]).sum())
    if rank < len(boundary):
        raise ModelError(
            f"The trial vectors let the {len(boundary)} motions of the interface nodes be in {rank} ways only.",
            "Reduce the body by Craig-Bampton, Guyan or free-interface modes with its constraint modes.",
        )
    inverse = weights[:, None] * (right[:rank].T / sizes[:rank] @ left.T)
    null = weights[:, None] * right[rank:].T
    inner = null.T @ stiffness @ null
    values, modes = la.eigh(inner, null.T @ mass @ null)
    values = np.where(values > 1e-10 * values.max(initial=0.0), values, 0.0)
    held = null @ modes
    share = np.divide(1.0, values, out=np.zeros_like(values), where=values > 0.0)
    to_all = np.hstack([inverse - held @ (share[:, None] * (held.T @ (stiffness @ inverse))), held])

    def projected(matrix: np.ndarray) -> np.ndarray:
        found = to_all.T @ matrix @ to_all
        return np.asarray(0.5 * (found + found.T))

    return Superelement(
        np.array(nodes), np.array(components), projected(mass), projected(stiffness),
        None if damping is None else projected(la.block_diag(np.zeros((6, 6)), damping)),
        np.sqrt(values) / (2.0 * np.pi),
    )  # fmt: skip
