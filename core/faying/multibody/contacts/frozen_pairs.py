"""Contact between parts in small motion about a rest: each node of the slave on the point of the master that it faces.

Gaps and slips are then linear in the coordinates, as those of a joint inside a body, and the laws act on them as they
are. What is of second order in the motion is missed: nodes that go to other facets, and normals that turn. The change
of the forces at rest is that of the pairs and a rest, of curvature and turning under pressure, which is linear.
"""

from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError
from faying.joints.interface import DenseJointRows, JointForce
from faying.joints.pointwise import CLOSURE_SIZE, history_size
from faying.multibody.contacts.contact import ContactMemory, PartContact
from faying.multibody.contacts.force import RelativeMotion


@dataclass(frozen=True, eq=False)
class FrozenPairs:
    """The pairs of a contact between parts in a state.

    Attributes:
        name: of the contact.
        force: of the pairs, over motions about the state.
        history: (n, h) of the pairs there.
        facet: mean edge of the master's facets, against which slips are small; infinite on a shape by formula.
    """

    name: str
    force: JointForce
    history: np.ndarray
    facet: float


def frozen_pairs(
    contact: PartContact,
    master_q: np.ndarray,
    slave_q: np.ndarray,
    memory: ContactMemory,
    motions: tuple[np.ndarray, np.ndarray],
) -> FrozenPairs:
    """Return the pairs of a contact about a state of rest.

    Args:
        contact: of nodes of the slave with the master.
        master_q, slave_q: coordinates (7 + r,) of both parts there; (0,) for ground.
        memory: of the state.
        motions: (7 + r, k) changes of both by the k coordinates of the pairs.

    Raises:
        ModelError: for points that move along their bodies, and for damped impacts.
    """
    _require_sound(contact)
    motion = RelativeMotion(contact.master, contact.slave, master_q, slave_q)
    gaps = contact.evaluate(master_q, slave_q, memory, 0.0, jacobian=False).gaps
    weights = contact.share * motion.facing_areas(gaps).sizes
    acting = np.flatnonzero(weights > 0.0)
    gaps, weights = gaps.of(acting), weights[acting]
    # Any two directions along the surface, but for nodes whose slip has been counted along their own.
    least = np.eye(3)[np.abs(gaps.normals).argmin(axis=1)]
    first = least - np.einsum("mc,mc->m", least, gaps.normals)[:, None] * gaps.normals
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    directions = np.stack([first, np.cross(gaps.normals, first)], axis=1)
    slips = np.zeros((len(acting), 2))
    history = np.zeros((len(acting), history_size(contact.friction_law)))
    if memory.references is not None and contact.friction_law is not None:
        known = memory.references.of(gaps.slaves)
        directions[known.has_reference] = known.directions[known.has_reference]
        slips = np.where(known.has_reference[:, None], known.slips, 0.0)
        history[:, 0] = known.has_reference
        history[:, CLOSURE_SIZE:] = np.where(known.has_reference[:, None], known.histories, 0.0)
    points = motion.of(gaps.slaves, gaps.nodes)
    along = np.concatenate([gaps.normals[:, None], directions], axis=1)
    by_parts = points.rows(along, gaps.shares)
    rows = by_parts[:, :, : len(master_q)] @ motions[0] + by_parts[:, :, len(master_q) :] @ motions[1]
    force = JointForce(
        DenseJointRows(rows[:, 0], rows[:, 1:], weights, gaps.gaps), contact.contact_law, contact.friction_law,
        initial_slips=slips,
    )  # fmt: skip
    facets = getattr(contact.master, "facets", None)
    return FrozenPairs(contact.name, force, history, np.inf if facets is None else float(facets.mean_edge))


def _require_sound(contact: PartContact) -> None:
    if type(contact) is not PartContact:
        raise ModelError(
            f"In contact {contact.name!r} balls, round faces, edges or corners touch at points that move along them, "
            "and no pairs follow them.",
            "Take the contacts between parts with their tangents, or find the answer by a motion.",
        )
    if contact.restitution < 1.0:
        raise ModelError(
            f"Contact {contact.name!r} has a restitution of {contact.restitution:g}: it damps impacts, and a vibration "
            "about a rest has none.",
            "Set the restitution to 1, or find the answer by a motion.",
        )
