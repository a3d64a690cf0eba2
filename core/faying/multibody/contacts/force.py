"""Forces between surfaces that touch, and how they change with the coordinates of both parts."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from faying.fem.facing_areas import facing_areas
from faying.joints.step_mean import ElasticLaw, PairsBefore, stored_energies
from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.motion_kernels import write_on_frames
from faying.multibody.contacts.nodal_kernels import nodal_forces
from faying.multibody.contacts.pushes import Pushes, find_pushes
from faying.multibody.contacts.rigid_shapes import RigidShape
from faying.multibody.contacts.surface import PartSurface, generalised_forces
from faying.multibody.part import RIGID
from faying.spatial.rotations import IDENTITY, body_rates, rotation_matrix, skew, spatial_rates


@dataclass(frozen=True, eq=False)
class NormalForces:
    """Pressures and forces of contact between two parts.

    Attributes:
        pressures: (m,) at the slave nodes that have a gap.
        areas: (m,) that they represent there.
        forces: (m, 3) of the pressures on the slave nodes in the inertial frame; the opposite acts at their closest
            points. `sudden_forces` those that act within a step of nodes that come and go.
        on_master, on_slave: (n,) generalised forces.
        sudden, going_on: (n,) on both, master first, what acts within a step of nodes that come and go, and of those
            that last (`faying.joints.step_mean`).
        damping: (n,) on both, what the damping of impacts adds at the end of a step; None without it.
        change: (n, n) derivatives of both by the coordinates of both; None if not requested.
    """

    pressures: np.ndarray
    areas: np.ndarray
    forces: np.ndarray
    sudden_forces: np.ndarray
    on_master: np.ndarray
    on_slave: np.ndarray
    sudden: np.ndarray
    going_on: np.ndarray
    damping: np.ndarray | None = None
    change: np.ndarray | None = None


def places_in_frame(slave: PartSurface, slave_q: np.ndarray, master_q: np.ndarray) -> np.ndarray:
    """Return (n, 3) where the slave's nodes are in the master's frame.

    Args:
        slave: the surface.
        slave_q, master_q: coordinates (7 + r,) of both parts; (0,) for ground.
    """
    position, axes, _ = _frame(slave_q)
    origin, master_axes, _ = _frame(master_q)
    return np.asarray((position - origin + slave.deformed(slave_q) @ axes.T) @ master_axes)


def normal_forces(
    motion: "RelativeMotion",
    gaps: SurfaceGaps,
    law: ElasticLaw,
    *,
    share: float = 1.0,
    before: PairsBefore | None = None,
    pushes: Pushes | None = None,
    areas: "FacingAreas | None" = None,
    derivatives: bool = True,
) -> NormalForces:
    """Return the forces of a contact law at the slave's nodes.

    They derive from a potential, the sum of the law's stored energy at each node times the area that faces the master
    (`faying.fem.facing_areas`); so derivatives are symmetric, those of the surface's curvature and of its turning
    among them. Where areas change, at sharp edges that tilt, a small moment between the parts goes with that: less than
    those of the forces by penetration over size, but without it a body could gain energy as it tumbles. How areas
    change along a curved master makes no force; there alone the potential is missed, and derivatives are not symmetric.

    Args:
        motion: of both surfaces. They may be of one part, whose forces and changes are then the sums of all.
        gaps: of the slave's nodes in the master's frame.
        law: pressure over gap.
        share: of the force; a half where the surfaces are master and slave in turn (two passes).
        before: the nodes that have a gap, at the start of the step, None for forces at one place alone.
        pushes: of the law at them, with the damping of impacts; None for the law alone.
        areas: with which they face the master; None where they are not known.
        derivatives: whether to compute the changes.
    """
    if pushes is None:
        pushes = find_pushes(law, gaps.gaps, before)
    pressures, slopes = pushes.ends, pushes.slopes
    if areas is None:
        areas = motion.facing_areas(gaps)
    weights = areas.sizes if share == 1.0 else share * areas.sizes
    inertial = motion.inertial((weights * pressures)[:, None] * gaps.normals)
    lasting = np.zeros(len(pressures), bool) if before is None else before.lasting
    sudden, sudden_slopes = pressures, slopes
    if pushes.means is not None:
        sudden, sudden_slopes = (np.where(lasting, 0.0, x) for x in pushes.means[:2])
    acting = np.flatnonzero((pressures != 0.0) | (slopes != 0.0) | (sudden != 0.0) | (sudden_slopes != 0.0))
    normals, shares = gaps.normals[acting], gaps.shares[acting]
    points = motion.of(gaps.slaves[acting], gaps.nodes[acting])
    parts = [pressures] if before is None else [pressures, sudden, lasting * pressures]
    extra = None
    if pushes.elastic is not pressures:
        extra = points.generalised(
            ((weights * (pressures - pushes.elastic))[acting, None] * normals)[None], shares
        )[0]
    sets = (weights * np.array(parts))[:, acting, None] * normals
    found = points.generalised(sets, shares)
    # Where areas change as the parts turn.
    tilting = acting[areas.slopes[acting].any(axis=1)] if areas.slopes.any() else acting[:0]
    turning = None
    if len(tilting):
        turning = motion.turning_of(gaps.of(tilting), areas.of(tilting))
        stored = share * stored_energies(law, gaps.gaps[tilting])
        chosen = (
            [stored] if before is None else [stored, ~lasting[tilting] * stored, lasting[tilting] * stored]
        )
        found = found - np.stack(chosen) @ turning.by_turning
    n = motion.n_master
    ending = inertial
    if sudden is not pressures:
        ending = motion.inertial((weights * sudden)[:, None] * gaps.normals)
    answer = NormalForces(
        pressures, areas.sizes, inertial, ending, found[0][:n], found[0][n:], found[min(1, len(found) - 1)], found[-1],
        extra,
    )  # fmt: skip
    if not derivatives:
        return answer
    if len(acting) < len(gaps.slaves):
        gaps = gaps.of(acting)
    factors = np.ones(len(weights)) if before is None else before.factors
    tilted = factors[tilting]
    if before is not None:
        sudden, sudden_slopes = (
            np.where(lasting, factors * x, y) for x, y in ((pressures, sudden), (slopes, sudden_slopes))
        )
    sizes, slopes = (weights * sudden)[acting], (weights * sudden_slopes)[acting]
    rows = points.rows(gaps.normals[:, None], gaps.shares)[:, 0]
    second = points.second_rows(gaps)
    change = rows.T @ (slopes[:, None] * rows)
    bent = (sizes[:, None, None] * gaps.hessians) @ second
    change += second.reshape(-1, len(change)).T @ bent.reshape(-1, len(change))
    change += points.curvature(sizes[:, None] * gaps.normals)
    if turning is not None:
        opening = rows[np.searchsorted(acting, tilting)]
        change += (share * sudden[tilting, None] * opening).T @ turning.rows
        change += turning.by_turning.T @ ((share * tilted * pressures[tilting])[:, None] * opening)
        change -= turning.curvature(tilted * stored)
    return replace(answer, change=change)


def _frame(q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return position, axes and Euler parameters of a part's frame; those of the inertial one for ground."""
    if not len(q):
        return np.zeros(3), np.eye(3), IDENTITY
    return q[:3], rotation_matrix(q[3:RIGID]), q[3:RIGID]


class RelativeMotion:
    """Where the slave's nodes are relative to the master, and how they move by the coordinates of both parts.

    In the master's frame a slave node is at y = A_mᵀ (x − R_m) with x = R_s + A_s (X + Φ q), a node of the master at
    X_j + Φ_j q_m: only y depends on the frames.

    Args:
        master, slave: the surfaces; the master may be a shape by formula, of ground or of a rigid part.
        master_q, slave_q: coordinates (7 + r,) of their parts; (0,) for ground.

    Attributes:
        places: (n, 3) y of all slave nodes.
        master_nodes: (k, 3) all nodes of the master in its frame; (0, 3) of a shape by formula.
        master_q, slave_q: as given.
        n_master: number of the master's coordinates, which come before the slave's.
    """

    def __init__(
        self,
        master: PartSurface | RigidShape,
        slave: PartSurface,
        master_q: np.ndarray,
        slave_q: np.ndarray,
    ) -> None:
        self.master, self.slave = master, slave
        self.master_q, self.slave_q = master_q, slave_q
        self.n_master, self._all = len(master_q), len(master_q) + len(slave_q)
        origin, self._axes, self._p = _frame(master_q)
        position, self._slave_axes, self._slave_p = _frame(slave_q)
        self.master_nodes = master.deformed(master_q) if isinstance(master, PartSurface) else np.zeros((0, 3))
        self._arms = slave.deformed(slave_q)
        self._turned = self._arms @ self._slave_axes.T
        self._way = position - origin
        self._ways = self._way + self._turned
        self.places = np.asarray(self._ways @ self._axes)

    @property
    def displacements(self) -> np.ndarray:
        """(k, 3) of the master's nodes in its frame; (0, 3) of a shape by formula."""
        if not isinstance(self.master, PartSurface):
            return self.master_nodes
        return np.asarray(self.master_nodes - self.master.places)

    def inertial(self, vectors: np.ndarray) -> np.ndarray:
        """Return (m, 3) vectors of the master's frame along the axes of the inertial one."""
        return np.asarray(vectors @ self._axes.T)

    def along_slave(self, vectors: np.ndarray) -> np.ndarray:
        """Return (m, 3) vectors of the master's frame along the axes of the slave's part."""
        return np.asarray(self.inertial(vectors) @ self._slave_axes)

    def from_slave(self, vectors: np.ndarray) -> np.ndarray:
        """Return (…, 3) vectors along the axes of the slave's part along those of the master's."""
        return np.asarray((vectors @ self._slave_axes.T) @ self._axes)

    @property
    def place_of_slave(self) -> np.ndarray:
        """(3,) the origin of the slave's frame, in the master's frame."""
        return np.asarray(self._way @ self._axes)

    def facing_areas(self, gaps: SurfaceGaps) -> "FacingAreas":
        """Return with which areas nodes face the master; the slave's facets turn with its frame, undeformed."""
        directions = self.inertial(gaps.normals) @ self._slave_axes
        return FacingAreas(*facing_areas(*self.slave.nodal_facets, gaps.slaves, directions))

    def turning_of(self, gaps: SurfaceGaps, areas: "FacingAreas") -> "TurningAreas":
        """Return how areas change with the coordinates of both parts.

        Args:
            gaps: of nodes whose areas change.
            areas: theirs.
        """
        return TurningAreas(self, gaps, areas)

    def of(self, slaves: np.ndarray, nodes: np.ndarray) -> "RelativePoints":
        """Return how some slave nodes move relative to points of the master.

        Args:
            slaves: (m,) their numbers.
            nodes: (m, k) nodes of the master that the points lie between; (m, 0) on a shape by formula.
        """
        return RelativePoints(self, slaves, nodes)


class RelativePoints:
    """How slave nodes move relative to points of the master, see `RelativeMotion.of`.

    Attributes:
        places: (m, 3) y of the slave nodes.
    """

    def __init__(self, motion: RelativeMotion, slaves: np.ndarray, nodes: np.ndarray) -> None:
        self._motion, self._slaves, self._nodes = motion, slaves, nodes
        self._n, self._all = motion.n_master, motion._all
        self._axes, self._p = motion._axes, motion._p
        self._slave_axes, self._slave_p = motion._slave_axes, motion._slave_p
        self._turned, self._ways = motion._turned[slaves], motion._ways[slaves]
        self.places = motion.places[slaves]

    @cached_property
    def _master_shapes(self) -> np.ndarray:
        """(m, k, 3, r)."""
        return np.asarray(self._motion.master.displacements[self._nodes])

    @cached_property
    def _shapes(self) -> np.ndarray:
        """(m, 3, r)."""
        return np.asarray(self._motion.slave.displacements[self._slaves])

    def generalised(self, forces: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Return (s, n) Σ f · ∂(y − Σ share_j x_j)/∂q, generalised forces on both parts; `rows` without the rows.

        Args:
            forces: (s, m, 3) sets of forces on the slave nodes in the master's frame; the opposite acts on the points.
            shares: (m, k) of the master's nodes.
        """
        found, n, motion = np.zeros((len(forces), self._all)), self._n, self._motion
        write_on_frames(
            found, forces, self.places, self._turned, self._axes, body_rates(self._p),
            spatial_rates(self._slave_p), n,
        )  # fmt: skip
        if n > RIGID:
            shapes = motion.master.displacements
            onto = nodal_forces(-forces, self._nodes, shares, len(shapes))
            found[:, RIGID:n] = generalised_forces(shapes, onto)
        if self._all > n + RIGID:
            shapes = motion.slave.displacements
            on_slave = np.zeros((len(forces), len(shapes), 3))
            # Each node has one gap at most.
            on_slave[:, self._slaves] = (forces @ self._axes.T) @ self._slave_axes
            found[:, n + RIGID :] = generalised_forces(shapes, on_slave.reshape(len(forces), -1))
        return found

    def rows(self, directions: np.ndarray, shares: np.ndarray, *, moving: bool = True) -> np.ndarray:
        """Return (m, d, n) d · (δy − Σ share_j δx_j); without the slave's motion −d · Σ share_j δx_j.

        Args:
            directions: (m, d, 3) in the master's frame.
            shares: (m, k) of the master's nodes.
            moving: whether the slave node's motion counts.
        """
        found = np.zeros((*directions.shape[:2], self._all))
        n = self._n
        if n:
            shapes = self._master_shapes
            flat = shapes.reshape(*shapes.shape[:2], shapes.shape[2] * shapes.shape[3])
            of_nodes = (shares[:, None] @ flat).reshape(len(shapes), *shapes.shape[2:])
            found[:, :, RIGID:n] = -directions @ of_nodes
        if not moving:
            return found
        inertial = directions @ self._axes.T
        if n:
            found[:, :, :3] = -inertial
            found[:, :, 3:RIGID] = directions @ skew(self.places) @ body_rates(self._p)
        if self._all > n:
            found[:, :, n : n + 3] = inertial
            found[:, :, n + 3 : n + RIGID] = -inertial @ skew(self._turned) @ spatial_rates(self._slave_p)
            found[:, :, n + RIGID :] = inertial @ (self._slave_axes @ self._shapes)
        return found

    def second_rows(self, gaps: SurfaceGaps) -> np.ndarray:
        """Return (m, 4, n) the rows U of the gaps' second derivatives, see `SurfaceGaps`."""
        tilts = [self.rows(gaps.normals[:, None], gaps.slopes[:, a], moving=False)[:, 0] for a in (0, 1)]
        return np.stack(
            [*np.moveaxis(self.rows(gaps.directions, gaps.shares), 1, 0), *(-t for t in tilts)], axis=1
        )

    def curvature(self, forces: np.ndarray) -> np.ndarray:
        """Return (n, n) Σ f · ∂²y/∂q² for constant f (m, 3) in the master's frame."""
        change, n = np.zeros((self._all, self._all)), self._n
        inertial = forces @ self._axes.T
        if n:
            # f · A_mᵀ (x − R_m): with itself by turning the frame, and by turning and moving.
            change[3:RIGID, 3:RIGID] = _second_of_rotation(self._p, self._ways.T @ forces)
            turning = -skew(inertial) @ spatial_rates(self._p)  # ∂(A_m f)/∂p
            mixed = np.zeros((4, self._all))
            mixed[:, :3] = -turning.sum(axis=0).T
            if self._all > n:
                mixed[:, n : n + 3] = turning.sum(axis=0).T
                rows = turning.reshape(-1, 4).T
                along = rows @ -skew(self._turned).reshape(-1, 3)
                mixed[:, n + 3 : n + RIGID] = along @ spatial_rates(self._slave_p)
                of_shapes = self._slave_axes.T @ turning
                mixed[:, n + RIGID :] = of_shapes.reshape(-1, 4).T @ self._shapes.reshape(
                    3 * len(self._shapes), self._shapes.shape[2]
                )
            change[3:RIGID] += mixed
            change[:, 3:RIGID] += mixed.T
        if self._all > n:
            at = n + 3, n + RIGID
            change[at[0] : at[1], at[0] : at[1]] = _second_of_rotation(
                self._slave_p, inertial.T @ self._motion._arms[self._slaves]
            )
            # f · A_s Φ_k: by turning the slave's frame and deforming it.
            flat = self._shapes.reshape(len(self._shapes), 3 * self._shapes.shape[2])
            products = np.moveaxis((inertial.T @ flat).reshape(3, *self._shapes.shape[1:]), 2, 0)
            mixed = _first_of_rotation(self._slave_p, products)
            change[at[1] :, at[0] : at[1]] += mixed
            change[at[0] : at[1], at[1] :] += mixed.T
        return change


class FacingAreas(NamedTuple):
    """Areas (m,) of slave nodes, and their first (m, 3) and second (m, 3, 3) derivatives.

    They are by the master's normals along the slave's axes, see `faying.fem.facing_areas`.
    """

    sizes: np.ndarray
    slopes: np.ndarray
    bends: np.ndarray

    def of(self, chosen: np.ndarray) -> "FacingAreas":
        """Return those of some nodes."""
        return FacingAreas(*(value[chosen] for value in self))


class TurningAreas:
    """How the areas of slave nodes change, see `RelativeMotion.turning_of`.

    The master's normal N in space is A_m n, along the slave's axes ν = A_sᵀ N; an area's slope h in space is a = A_s h.

    Attributes:
        by_turning: (m, n) changes as the frames turn and n stays.
        rows: (m, n) all changes: with n, which changes along a curved master, and as it deforms.
    """

    def __init__(self, motion: RelativeMotion, gaps: SurfaceGaps, areas: FacingAreas) -> None:
        self._motion, self._gaps, self._areas = motion, gaps, areas
        self._normals, self._slopes = motion.inertial(gaps.normals), areas.slopes @ motion._slave_axes.T
        n, every = motion.n_master, motion._all
        bent = gaps.hessians[:, :2] @ motion.of(gaps.slaves, gaps.nodes).second_rows(gaps)
        # δN with the frames held, δν with n held.
        self._of_normals = motion._axes @ np.swapaxes(gaps.directions, 1, 2) @ bent
        self._turned = np.zeros((len(gaps.slaves), 3, every))
        if n:
            turning = skew(self._normals) @ spatial_rates(motion._p)
            self._turned[:, :, 3:RIGID] = -motion._slave_axes.T @ turning
        if every > n:
            self._turned[:, :, n + 3 : n + RIGID] = skew(self._normals @ motion._slave_axes) @ body_rates(
                motion._slave_p
            )
        self.by_turning = np.einsum("mc,mcn->mn", areas.slopes, self._turned)
        self.rows = self.by_turning + np.einsum("mc,mcn->mn", self._slopes, self._of_normals)

    def curvature(self, weights: np.ndarray) -> np.ndarray:
        """Return (n, n) Σ weight · ∂`by_turning`/∂q, for weights (m,); rows are those of `by_turning`."""
        motion, every = self._motion, self._turned.shape[2]
        n, change = motion.n_master, np.zeros((every, every))
        whole = self._turned + motion._slave_axes.T @ self._of_normals
        bent = (weights[:, None, None] * self._areas.bends) @ whole
        change += self._turned.reshape(-1, every).T @ bent.reshape(-1, every)
        # a · N with h and n held: by turning one frame twice, both, and one while n changes.
        slopes, normals = weights[:, None] * self._slopes, self._normals
        with_normals = (skew(slopes) @ self._of_normals).sum(axis=0)
        if n:
            change[3:RIGID, 3:RIGID] += _second_of_rotation(motion._p, slopes.T @ self._gaps.normals)
            change[3:RIGID] -= spatial_rates(motion._p).T @ with_normals
        if every > n:
            at, own = slice(n + 3, n + RIGID), spatial_rates(motion._slave_p)
            change[at, at] += _second_of_rotation(
                motion._slave_p, normals.T @ (weights[:, None] * self._areas.slopes)
            )
            change[at] += own.T @ with_normals
            if n:
                both = np.swapaxes(skew(slopes), 1, 2) @ skew(normals)
                mixed = own.T @ both.sum(axis=0) @ spatial_rates(motion._p)
                change[at, 3:RIGID] += mixed
                change[3:RIGID, at] += mixed.T
        return change


def _quadratic_form(products: np.ndarray) -> np.ndarray:
    """Return (…, 4, 4) K with Σ A_ij(p) S_ij = pᵀ K p / pᵀ p for S (…, 3, 3) (Davenport 1968)."""
    s = np.asarray(products)
    form = np.empty((*s.shape[:-2], 4, 4))
    trace = np.trace(s, axis1=-2, axis2=-1)
    form[..., 0, 0] = trace
    axial = np.stack(
        [s[..., 2, 1] - s[..., 1, 2], s[..., 0, 2] - s[..., 2, 0], s[..., 1, 0] - s[..., 0, 1]], axis=-1
    )
    form[..., 0, 1:] = form[..., 1:, 0] = axial
    form[..., 1:, 1:] = s + np.swapaxes(s, -1, -2) - trace[..., None, None] * np.eye(3)
    return form


def _first_of_rotation(p: np.ndarray, products: np.ndarray) -> np.ndarray:
    """Return (…, 4) ∂/∂p of Σ A_ij(p) S_ij for S (…, 3, 3)."""
    form, square = _quadratic_form(products), float(p @ p)
    value = np.einsum("i,...ij,j->...", p, form, p) / square
    return np.asarray(2.0 * (form @ p - value[..., None] * p) / square)


def _second_of_rotation(p: np.ndarray, products: np.ndarray) -> np.ndarray:
    """Return (4, 4) ∂²/∂p² of Σ A_ij(p) S_ij for S (3, 3)."""
    form, square = _quadratic_form(products), float(p @ p)
    value, slope = float(p @ form @ p) / square, _first_of_rotation(p, products)
    both = np.outer(p, slope)
    return np.asarray(2.0 * (form - value * np.eye(4) - both - both.T) / square)
