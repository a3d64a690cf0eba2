"""One contact between two parts of a system, or within one, and its data from step to step."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from faying.joints.contact_damping import damping_ratio
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.pointwise import touches
from faying.joints.step_mean import ElasticLaw, PairsBefore, stored_energies
from faying.multibody.contacts.approach import approach_speeds, closing_rates, longest_approach, touch_speeds
from faying.multibody.contacts.force import NormalForces, RelativeMotion, normal_forces
from faying.multibody.contacts.friction import (
    FrictionForces,
    FrictionReferences,
    friction_forces,
    moved_references,
    no_references,
)
from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.gear_mesh import GearMeshSpec
from faying.multibody.contacts.pushes import ImpactDamping, find_pushes
from faying.multibody.contacts.rigid_shapes import RigidShape
from faying.multibody.contacts.search import NearFacets, closest_points, gaps_at, near_facets
from faying.multibody.contacts.surface import PartSurface, superposed
from faying.multibody.contacts.within_part import pairs_across_gaps
from faying.multibody.part import RIGID
from faying.records import record

_SLACK = 0.5  # of the master's mean edge: distance that points move before near facets are searched again
_DEPTH_OF_FACETS, _DEPTH_OF_REACH, _DEPTH_OF_SOLID = (
    0.5,
    0.5,
    0.2,
)  # of each: the most that a step may go beyond
_IMPACT = 0.12  # of the depth of a damped impact: the way of a step within it
_AT_REST = 0.02  # of the speed of an impact: slower nodes need no short steps
_OVERRUN = 2.0  # times that: a step that went further is rejected


@record("contact memory")
class ContactMemory:
    """Data of a contact between parts from the last accepted state.

    Attributes:
        places: (n, 3) the slave's nodes in the master's frame.
        displacements: (k, 3) of the master's nodes there.
        distances: (n,) of the slave's nodes from the master, or lower bounds; negative inside.
        normals: (n, 3) of the master where nodes press on it; zero elsewhere.
        near: pairs of nodes and facets; None on a shape by formula.
        references: friction references; None without friction.
        gaps: of the slave's nodes at these places, so that the next step does not search for them once more where it
            starts, which is a third of all evaluations; None where nothing is known.
        approach: (n, 3) of the slave's nodes in that state: gap, infinite without one; rate of the penetration, NaN
            where it is not known; speed with which the touch began or will begin, zero where it is not known. None
            for a contact without damping of impacts, and before the first step.
    """

    places: np.ndarray
    displacements: np.ndarray
    distances: np.ndarray
    normals: np.ndarray
    near: NearFacets | None = None
    references: FrictionReferences | None = None
    gaps: SurfaceGaps | None = None
    approach: np.ndarray | None = None

    def is_of(self, places: np.ndarray, displacements: np.ndarray) -> bool:
        """Whether the slave's nodes (n, 3) and the displacements (k, 3) of the master's are those of that state."""
        return np.array_equal(places, self.places) and np.array_equal(displacements, self.displacements)


class MeasuredGaps(NamedTuple):
    """Gaps of the slave's nodes, lower bounds of all distances, displacements of the master, pairs examined."""

    gaps: SurfaceGaps
    distances: np.ndarray
    displacements: np.ndarray
    near: NearFacets | None


@dataclass(frozen=True, eq=False)
class ContactResponse:
    """Response of a contact between parts for one state.

    Attributes:
        n: number of the slave's nodes.
        gaps: of those that have one.
        normal: pressures and forces by the contact law.
        friction: friction stresses and forces; None without a law.
        pressing: (m,) which of the gaps are closed.
        places, displacements, distances, near: as in `ContactMemory`.
        before: memory of the last accepted state.
        arms: (m, 3) from the slave's nodes to the points where forces act, in the inertial frame; None for zero.
    """

    n: int
    gaps: SurfaceGaps
    normal: NormalForces
    friction: FrictionForces | None
    pressing: np.ndarray
    places: np.ndarray
    displacements: np.ndarray
    distances: np.ndarray
    near: NearFacets | None
    before: ContactMemory
    arms: np.ndarray | None = None

    @property
    def is_closed(self) -> np.ndarray:
        """(n,) which of the slave's nodes press."""
        mask = np.zeros(self.n, dtype=bool)
        mask[self.gaps.slaves[self.pressing]] = True
        return mask

    @property
    def acting_gaps(self) -> np.ndarray:
        """(n,) gaps of the slave's nodes; infinite for nodes without a gap."""
        return self.over_nodes(self.gaps.slaves, self.gaps.gaps, np.inf)

    @property
    def on_master(self) -> np.ndarray:
        """(n_m,) generalised force on the master's coordinates."""
        return (
            self.normal.on_master
            if self.friction is None
            else self.normal.on_master + self.friction.on_master
        )

    @property
    def on_slave(self) -> np.ndarray:
        """(n_s,) generalised force on the slave's coordinates."""
        return (
            self.normal.on_slave if self.friction is None else self.normal.on_slave + self.friction.on_slave
        )

    @property
    def sudden(self) -> np.ndarray:
        """(n_m + n_s,) generalised forces that act within a step, of nodes that come and go."""
        return self.normal.sudden if self.friction is None else self.normal.sudden + self.friction.sudden

    @property
    def going_on(self) -> np.ndarray:
        """(n_m + n_s,) generalised forces of nodes that last."""
        return (
            self.normal.going_on if self.friction is None else self.normal.going_on + self.friction.going_on
        )

    @property
    def change(self) -> np.ndarray | None:
        """(n_m + n_s, n_m + n_s) derivatives of both; None when not requested."""
        if self.friction is None or self.friction.change is None or self.normal.change is None:
            return self.normal.change
        return np.asarray(self.normal.change + self.friction.change)

    @cached_property
    def memory(self) -> ContactMemory:
        """The memory if this state is accepted."""
        return self._memory(self.pressing, self.moved_references(self.pressing))

    def moved_references(self, closed: np.ndarray) -> FrictionReferences | None:
        """Return the friction references of this state, for nodes (m,) that are closed; None without friction."""
        if self.friction is None or self.before.references is None:
            return None
        return moved_references(self.before.references, self.gaps, closed, self.friction, self.places)

    def _memory(self, pressing: np.ndarray, references: FrictionReferences | None) -> ContactMemory:
        normals = np.zeros((self.n, 3))
        normals[self.gaps.slaves[pressing]] = self.gaps.normals[pressing]
        return ContactMemory(
            self.places, self.displacements, self.distances, normals, self.near, references, self.gaps,
            self.before.approach,
        )  # fmt: skip

    def acting_places(self, places: np.ndarray) -> np.ndarray:
        """Return (n, 3) where forces act on the slave, whose nodes are at places (n, 3) in the inertial frame."""
        if self.arms is None:
            return places
        return np.asarray(places + self.over_nodes(self.gaps.slaves, self.arms))

    @property
    def nodal_forces(self) -> np.ndarray:
        """(n, 3) on the slave's nodes in the inertial frame, friction included."""
        forces = np.zeros((self.n, 3))
        forces[self.gaps.slaves] = self.normal.forces
        if self.friction is not None:
            forces[self.friction.slaves] += self.friction.forces
        return forces

    @property
    def sudden_forces(self) -> np.ndarray:
        """(n, 3) what acts at the end of a step on nodes that come and go, in the inertial frame."""
        forces = np.zeros((self.n, 3))
        forces[self.gaps.slaves] = self.normal.sudden_forces
        if self.friction is not None:
            forces[self.friction.slaves] += self.friction.shares[:, None] * self.friction.forces
        return forces

    def over_nodes(self, numbers: np.ndarray, values: np.ndarray, elsewhere: float = 0.0) -> np.ndarray:
        """Return an array (n, …) over all slave nodes: `values` at the nodes `numbers`, `elsewhere` at all others."""
        found = np.full((self.n, *values.shape[1:]), elsewhere)
        found[numbers] = values
        return found

    def at_rest(self, touching: np.ndarray) -> ContactMemory:
        """Return the memory of surfaces that lie on each other: friction counts from here on.

        Args:
            touching: (m,) which of the gaps are closed, whether there is pressure already or not.
        """
        return self._memory(self.pressing, self.moved_references(touching))


@dataclass(frozen=True, eq=False)
class PartContact:
    """Two surfaces of parts, or of one part, that may touch: slave nodes on a master.

    Attributes:
        name: of the contact.
        master_part, slave_part: names of the parts.
        master, slave: their surfaces.
        contact_law: pressure over gap.
        friction_law: friction stress over slip; None without friction.
        reach: distance from the surface, outside and inside, in which gaps are searched.
        share: of the force; a half where the surfaces are master and slave in turn.
        slave_surface: name of the slave's surface on its part.
        gears: data of both parts as gears, for curves; None for other parts.
        restitution: speed after an impact over the speed before it; 1 for elastic impacts.
        restitution_speed: speed of approach for which it holds; zero for that of each touch.
        impact_mass: 1/(1/m₁ + 1/m₂) of both parts, for the length of steps in damped impacts.
        completes: name of the contact of nodes that it completes (`faying.multibody.contacts.completing`); "" for none.
    """

    name: str
    master_part: str
    slave_part: str
    master: PartSurface | RigidShape
    slave: PartSurface
    contact_law: ContactLaw
    friction_law: FrictionLaw | None
    reach: float
    share: float = 1.0
    slave_surface: str = ""
    gears: GearMeshSpec | None = None
    restitution: float = 1.0
    restitution_speed: float = 0.0
    impact_mass: float = 0.0
    completes: str = field(default="", kw_only=True)

    @property
    def search_reach(self) -> float:
        """Distance from the surface, outside and inside, in which the slave's nodes are searched."""
        return self.reach

    @property
    def within_part(self) -> bool:
        """Whether a part touches itself."""
        return self.master_part == self.slave_part

    @property
    def n(self) -> int:
        """Number of the slave's nodes."""
        return len(self.slave.places)

    @cached_property
    def most_approach(self) -> float:
        """Depth to which a step may bring an outside node: half a facet, half the reach, a fifth of the solid."""
        facet = self.master.facets.mean_edge if isinstance(self.master, PartSurface) else np.inf
        return float(
            min(
                _DEPTH_OF_FACETS * facet,
                _DEPTH_OF_REACH * self.reach,
                _DEPTH_OF_SOLID * self.master.thickness,
            )
        )

    def initial_memory(self) -> ContactMemory:
        """Return the memory before any state was accepted."""
        references = None
        if self.friction_law is not None:
            width = self.master.width if isinstance(self.master, PartSurface) else 0
            references = no_references(self.n, width, self.friction_law.history_size)
        none = np.zeros((self.n, 3))
        still = np.zeros((len(self.master.displacements), 3))
        return ContactMemory(none, still, np.full(self.n, np.inf), none, None, references)

    def resting_memory(self, master_q: np.ndarray, slave_q: np.ndarray) -> ContactMemory:
        """Return the memory of parts at rest: touching nodes are closed, and slip counts from there."""
        answer = self.evaluate(master_q, slave_q, self.initial_memory(), 0.0, jacobian=False)
        gaps = answer.gaps
        return answer.at_rest(touches(self.contact_law, gaps.gaps, self.slave.areas[gaps.slaves]))

    def evaluate(
        self,
        master_q: np.ndarray,
        slave_q: np.ndarray,
        memory: ContactMemory,
        time_step: float,
        *,
        jacobian: bool,
        before: PairsBefore | None = None,
    ) -> ContactResponse:
        """Return forces on both parts and, if requested, their derivatives; a pure function.

        Args:
            master_q, slave_q: coordinates (7 + r,) of both parts; (0,) for ground.
            memory: of the last accepted state.
            time_step: since then.
            jacobian: whether to compute the derivatives.
            before: the slave's nodes at the start of the step; None for forces at one place alone.
        """
        motion = RelativeMotion(self.master, self.slave, master_q, slave_q)
        found = self._gaps(motion, master_q, memory)
        gaps = found.gaps
        own = None if before is None else before.of(gaps.slaves)
        pushes = find_pushes(self.contact_law, gaps.gaps, own, self._damping(memory, gaps, time_step))
        areas = motion.facing_areas(gaps)
        normal = normal_forces(
            motion, gaps, self.contact_law, share=self.share, before=own, pushes=pushes, areas=areas,
            derivatives=jacobian,
        )  # fmt: skip
        friction = None
        if self.friction_law is not None and memory.references is not None:
            friction = friction_forces(
                motion, gaps, self.contact_law, self.friction_law, memory.references, time_step,
                share=self.share, before=own, pushes=pushes, areas=areas, derivatives=jacobian,
            )  # fmt: skip
        pressing = gaps.gaps < self.contact_law.closing_gap()
        return ContactResponse(
            self.n,
            gaps,
            normal,
            friction,
            pressing,
            motion.places,
            found.displacements,
            found.distances,
            found.near,
            memory,
        )

    def longest_step(
        self,
        memory: ContactMemory,
        master_q: np.ndarray,
        slave_q: np.ndarray,
        master_v: np.ndarray,
        slave_v: np.ndarray,
    ) -> float:
        """Return the longest step that cannot miss a first contact at the present velocities.

        Args:
            memory: of the state.
            master_q, slave_q, master_v, slave_v: coordinates and velocities there.
        """
        velocities = approach_speeds(self.slave, slave_q, slave_v, master_q, master_v)
        bending = np.linalg.norm(superposed(self.master.displacements, master_v[RIGID:]), axis=1).max(
            initial=0.0
        )
        allowed = np.full(self.n, self.most_approach)
        if memory.approach is None:
            return longest_approach(memory.distances, velocities, float(bending), allowed)
        # No step goes from beyond the reach into an impact.
        far = ~np.isfinite(memory.approach[:, 0]) & (memory.distances > 0.5 * self.reach)
        allowed[far] = 0.0
        longest = longest_approach(memory.distances, velocities, float(bending), allowed)
        return min(longest, self._longest_in_impacts(memory.approach))

    def has_overrun(self, before: ContactMemory, after: ContactMemory) -> bool:
        """Return whether a node may have gone farther below the surface within a step than is allowed."""
        moved = np.linalg.norm(after.places - before.places, axis=1)
        bent = np.linalg.norm(after.displacements - before.displacements, axis=1).max(initial=0.0)
        allowed = np.maximum(before.distances, 0.0) + _OVERRUN * self.most_approach
        return bool((moved + bent > allowed).any())

    def remembered(
        self,
        memory: ContactMemory,
        master_q: np.ndarray,
        slave_q: np.ndarray,
        master_v: np.ndarray,
        slave_v: np.ndarray,
    ) -> ContactMemory:
        """Return the memory of an accepted state with its speeds of approach, where the damping of impacts asks.

        Args:
            memory: of that state, with the speeds of the one before.
            master_q, slave_q, master_v, slave_v: coordinates and velocities there.
        """
        if self.restitution >= 1.0 or memory.gaps is None:
            return memory
        gaps, law = memory.gaps, self.contact_law
        velocities = approach_speeds(self.slave, slave_q, slave_v, master_q, master_v)[gaps.slaves]
        bending = superposed(self.master.displacements, master_v[RIGID:])[gaps.nodes]
        rates = closing_rates(gaps, velocities, bending)
        last = np.full((self.n, 3), [np.inf, np.nan, 0.0]) if memory.approach is None else memory.approach
        speeds = touch_speeds(gaps.gaps - law.closing_gap(), rates, last[gaps.slaves])
        approach = np.full((self.n, 3), [np.inf, np.nan, 0.0])
        approach[gaps.slaves] = np.column_stack([gaps.gaps - law.closing_gap(), rates, speeds])
        return replace(memory, approach=approach)

    @property
    def patch_law(self) -> ElasticLaw:
        """The law whose push times `patch_areas` is the force."""
        return self.contact_law

    def patch_areas(self) -> np.ndarray:
        """Return (n,) the areas of the slave's nodes."""
        return self.slave.areas

    def _longest_in_impacts(self, approach: np.ndarray) -> float:
        """Return the longest step that follows the damped impacts of nodes, see `ContactMemory.approach`."""
        gaps, rates, speeds = approach.T
        known = np.isfinite(gaps) & (speeds > 0.0) & (self.patch_areas() > 0.0)
        hits = known & np.where(gaps >= 0.0, rates > 0.0, np.abs(rates) > _AT_REST * speeds)
        if not hits.any():
            return float("inf")
        # The depth to which the elastic law stops both parts; damping makes it smaller.
        roots, depths = self._depths
        mass = self.impact_mass / (1.0 + damping_ratio(self.restitution))
        wanted = speeds[hits] * np.sqrt(0.5 * mass / self.patch_areas()[hits].sum())
        reached = np.interp(wanted, roots, depths)
        return float(((np.maximum(gaps[hits], 0.0) + _IMPACT * reached) / speeds[hits]).min())

    @cached_property
    def _depths(self) -> tuple[np.ndarray, np.ndarray]:
        """Square roots of stored energies per area, rising, and the penetrations that store them."""
        depths = self.reach * np.geomspace(1e-9, 1.0, 181)
        return np.sqrt(stored_energies(self.patch_law, self.contact_law.closing_gap() - depths)), depths

    def _damping(self, memory: ContactMemory, gaps: SurfaceGaps, time_step: float) -> ImpactDamping | None:
        """Return the damping of impacts at gaps, None without it."""
        if self.restitution >= 1.0 or memory.approach is None:
            return None
        depths, rates, speeds = memory.approach[gaps.slaves].T
        speeds = np.full(len(rates), self.restitution_speed) if self.restitution_speed else speeds
        safe = np.where(speeds > 0.0, speeds, 1.0)
        damping = np.where(speeds > 0.0, damping_ratio(self.restitution) / safe, 0.0)
        return ImpactDamping(damping, depths + self.contact_law.closing_gap(), rates, time_step)

    def stored_energy(self, answer: ContactResponse) -> float:
        """Return the energy stored by the contact law: the integral of pressure over penetration and area."""
        pressing = answer.pressing
        stored = stored_energies(self.contact_law, answer.gaps.gaps[pressing])
        return float(self.share * answer.normal.areas[pressing] @ stored)

    def _gaps(self, motion: RelativeMotion, master_q: np.ndarray, memory: ContactMemory) -> MeasuredGaps:
        master, places, displacements = self.master, motion.places, motion.displacements
        if memory.gaps is not None and memory.is_of(places, displacements):
            return MeasuredGaps(memory.gaps, memory.distances, displacements, memory.near)
        if not isinstance(master, PartSurface):
            return MeasuredGaps(
                master.gaps(places, self.search_reach), master.distances(places), displacements, None
            )
        near = memory.near
        if near is None or not near.hold_for(places, displacements):
            near = near_facets(master, master_q, places, self.search_reach, _SLACK * master.facets.mean_edge)
            if self.within_part:
                near = pairs_across_gaps(master, self.slave, near)
        closest = closest_points(master, motion.master_nodes, places, near, memory.normals)
        gaps = gaps_at(master, motion.master_nodes, places, closest, self.search_reach)
        # Facets that are not in the list are farther away than this.
        beyond = (
            near.reach
            if len(near.points)
            else near.reach + max(near.slack - near.moved(places, displacements), 0.0)
        )
        distances = np.minimum(closest.distances, beyond)
        distances[gaps.slaves] = gaps.gaps
        return MeasuredGaps(gaps, distances, displacements, near)


def vars_of(contact: PartContact) -> dict[str, Any]:
    """Return the attributes that every contact between parts has."""
    return {each.name: getattr(contact, each.name) for each in fields(PartContact)}
