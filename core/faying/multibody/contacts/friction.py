"""Friction between surfaces that slide on each other: slip from where each slave node last was on the master."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from faying.joints.friction_laws import FrictionLaw
from faying.joints.step_mean import ElasticLaw, PairsBefore
from faying.multibody.contacts.force import FacingAreas, RelativeMotion
from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.pushes import Pushes, find_pushes
from faying.multibody.contacts.surface import PartSurface
from faying.records import record


@record("friction anchors")
class FrictionReferences:
    """The friction reference points: last contact points of all slave nodes, as material points of the master.

    Slip grows by the motion of the node from its reference point, along two directions that are fixed in the master's
    frame for one step. After every accepted step the reference moves to the node's closest point, and the directions
    turn with the surface as little as possible, so that history components stay valid (parallel transport). A law with
    stress that grows with slip without limit, by a spring parallel to the slider, is unsuitable for large sliding.

    Attributes:
        has_reference: (n,) whether the nodes were in contact.
        nodes, shares: (n, k) the master's nodes of each point and their shares; (n, 0) on a shape by formula.
        fixed: (n, 3) the reference point in the master's frame on such a shape; zero otherwise.
        directions: (n, 2, 3) unit vectors along which slip counts.
        slips: (n, 2) since contact closed.
        histories: (n, h) of the friction law.
    """

    has_reference: np.ndarray
    nodes: np.ndarray
    shares: np.ndarray
    fixed: np.ndarray
    directions: np.ndarray
    slips: np.ndarray
    histories: np.ndarray

    def of(self, chosen: np.ndarray) -> "FrictionReferences":
        """Return those of some nodes."""
        return type(self)(*(value[chosen] for value in vars(self).values()))

    def table(self) -> np.ndarray:
        """Return all of them as numbers (n, columns), as frames of results store them."""
        return np.concatenate(
            [value.reshape(len(value), -1) for value in vars(self).values()], axis=1, dtype=float
        )

    def from_table(self, table: np.ndarray) -> "FrictionReferences":
        """Return the references stored in a table (n, columns)."""
        widths = [value[:1].size for value in vars(self).values()]
        columns = np.split(table, np.cumsum(widths)[:-1], axis=1)
        known = zip(columns, vars(self).values(), strict=True)
        return type(self)(*(own.reshape(was.shape).astype(was.dtype) for own, was in known))


@dataclass(frozen=True, eq=False)
class FrictionForces:
    """Stresses and forces of friction between two parts.

    Attributes:
        slaves: (m,) numbers of the slave nodes that are in contact and were so before; others slide freely for a step.
        stresses: (m, 2) along the directions of their references.
        slips: (m, 2) since contact closed.
        slipping: (m,) where the sticking limit is reached.
        histories: (m, h) new ones of the law.
        forces: (m, 3) on the slave nodes in the inertial frame; the opposite acts at the reference points.
        on_master, on_slave: (n,) generalised forces.
        shares: (m,) of the stresses that act at the end of a step of nodes that open or close; zero of others.
        sudden, going_on, change: as of `NormalForces`.
    """

    slaves: np.ndarray
    stresses: np.ndarray
    slips: np.ndarray
    slipping: np.ndarray
    histories: np.ndarray
    forces: np.ndarray
    on_master: np.ndarray
    on_slave: np.ndarray
    shares: np.ndarray
    sudden: np.ndarray
    going_on: np.ndarray
    change: np.ndarray | None = None


class ContactPatch(NamedTuple):
    """The patch in which a body touches around one point.

    Attributes:
        motion: of the points of which the gaps are measured.
        areas: (m,) of the patches.
        by_gap: (m,) their derivatives by the gaps.
    """

    motion: RelativeMotion
    areas: FacingAreas
    by_gap: np.ndarray


def no_references(count: int, width: int, history_size: int) -> FrictionReferences:
    """Return the references of slave nodes before any contact.

    Args:
        count: number of slave nodes.
        width: nodes of the master's facets; 0 for a shape by formula.
        history_size: of the friction law.
    """
    return FrictionReferences(
        np.zeros(count, bool), np.zeros((count, width), np.int64), np.zeros((count, width)), np.zeros((count, 3)),
        np.zeros((count, 2, 3)), np.zeros((count, 2)), np.zeros((count, history_size)),
    )  # fmt: skip


def friction_forces(
    motion: RelativeMotion,
    gaps: SurfaceGaps,
    law: ElasticLaw,
    friction: FrictionLaw,
    references: FrictionReferences,
    time_step: float,
    *,
    share: float = 1.0,
    before: PairsBefore | None = None,
    pushes: Pushes | None = None,
    patch: ContactPatch | None = None,
    areas: FacingAreas | None = None,
    derivatives: bool = True,
) -> FrictionForces:
    """Return the friction of slave nodes that were in contact at the last accepted state and are now.

    Slip is a function of the surfaces' relative place, so its forces leave no force or moment over.

    Args:
        motion, gaps, law, share, before, pushes, derivatives: as for `normal_forces`.
        friction: stress over slip.
        references: of the last accepted state.
        time_step: since then.
        patch: of a body that touches around one point; None for nodes with facets.
        areas: with which the nodes of the gaps face the master; None where they are not known.
    """
    if pushes is None:
        pushes = find_pushes(law, gaps.gaps, before)
    pressures, slopes, _, means = pushes
    acting = np.flatnonzero((pressures > 0.0) & references.has_reference[gaps.slaves])
    measured = motion if patch is None else patch.motion
    if areas is None:
        areas = measured.facing_areas(gaps) if patch is None else patch.areas
    if len(acting) < len(pressures):
        gaps, pressures, slopes, areas = gaps.of(acting), pressures[acting], slopes[acting], areas.of(acting)
    here = references.of(gaps.slaves)
    by_gap = np.zeros(len(acting)) if patch is None else share * patch.by_gap[acting]
    weights = share * areas.sizes
    points = motion.of(gaps.slaves, here.nodes)
    ways = points.places - _reference_places(motion, here)
    slips = here.slips + (here.directions @ ways[:, :, None])[:, :, 0]
    limits, limit_slopes = friction.sticking_limit(pressures)
    answer = friction.traction(slips, limits, here.histories, time_step, derivatives=derivatives)
    sizes = -weights[:, None] * answer.stress
    forces = (sizes[:, None] @ here.directions)[:, 0]
    inertial, sets = motion.inertial(forces), forces[None]
    own, d_shares = share * np.ones(len(acting)), np.zeros(len(acting))
    parts = np.ones((1, len(acting)))
    if before is not None and means is not None:
        before = before.of(acting)
        lasting, shares = before.lasting, means.friction[acting]
        parts = np.array([parts[0], np.where(lasting, 0.0, shares), lasting])
        sets = parts[:, :, None] * forces
        factors = np.where(lasting, before.factor, shares)
        d_shares = np.where(lasting, 0.0, weights * means.d_friction[acting])
        own, weights, forces = factors * own, factors * weights, factors[:, None] * forces
        by_gap = factors * by_gap
    found_sets = points.generalised(sets, here.shares)
    generalised = found_sets[0]
    n = motion.n_master
    found = FrictionForces(
        gaps.slaves, answer.stress, slips, answer.slipping, answer.history, inertial,
        generalised[:n], generalised[n:], parts[min(1, len(parts) - 1)],
        found_sets[min(1, len(sets) - 1)], found_sets[-1],
    )  # fmt: skip
    if not derivatives or answer.d_slip is None or answer.d_limit is None:
        return found
    rows = points.rows(here.directions, here.shares)  # (m, 2, n)
    by_slip = np.einsum("m,mab,mbn->man", weights, answer.d_slip, rows, optimize=True)
    closing = measured.of(gaps.slaves, gaps.nodes).rows(gaps.normals[:, None], gaps.shares)[:, 0]
    by_limit = (weights * limit_slopes * slopes)[:, None] * answer.d_limit
    by_limit += (d_shares + by_gap)[:, None] * answer.stress
    by_slip += by_limit[:, :, None] * closing[:, None]
    tilting = np.flatnonzero(areas.slopes.any(axis=1))
    if len(tilting):
        by_area = motion.turning_of(gaps.of(tilting), areas.of(tilting)).rows
        by_slip[tilting] += (own[:, None] * answer.stress)[tilting][:, :, None] * by_area[:, None]
    change = -np.tensordot(rows, by_slip, axes=([0, 1], [0, 1]))
    change += points.curvature(forces)
    return replace(found, change=change)


def moved_references(
    references: FrictionReferences,
    gaps: SurfaceGaps,
    closed: np.ndarray,
    friction: FrictionForces,
    places: np.ndarray,
) -> FrictionReferences:
    """Return the references after an accepted state.

    Args:
        references: of the state before.
        gaps: of the new state.
        closed: (m,) which of them press.
        friction: of the new state.
        places: (n, 3) all slave nodes in the master's frame.
    """
    gaps = gaps.of(closed)
    who, old = gaps.slaves, references.of(gaps.slaves)
    fresh = no_references(
        len(references.has_reference), references.nodes.shape[1], references.histories.shape[1]
    )
    # The first direction without its part along the new normal; for a new contact any direction.
    least = np.eye(3)[np.abs(gaps.normals).argmin(axis=1)]
    first = np.where(old.has_reference[:, None], old.directions[:, 0], least)
    first = first - np.einsum("mc,mc->m", first, gaps.normals)[:, None] * gaps.normals
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    fresh.has_reference[who] = True
    fresh.nodes[who], fresh.shares[who] = gaps.nodes, gaps.shares
    if not gaps.nodes.shape[1]:
        fresh.fixed[who] = places[who] - gaps.gaps[:, None] * gaps.normals
    fresh.directions[who, 0], fresh.directions[who, 1] = first, np.cross(gaps.normals, first)
    fresh.slips[friction.slaves], fresh.histories[friction.slaves] = friction.slips, friction.histories
    return fresh


def _reference_places(motion: RelativeMotion, references: FrictionReferences) -> np.ndarray:
    """Return (m, 3) the reference points in the master's frame."""
    if not isinstance(motion.master, PartSurface):
        return references.fixed
    nodes = motion.master_nodes[references.nodes]
    return np.asarray(references.fixed + np.einsum("mk,mkc->mc", references.shares, nodes))
