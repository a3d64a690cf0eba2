"""Contact at points that move along the slave, as those of a ball that rolls, or of an edge that slides on an edge."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from faying.fem.facet_index import build_facet_index
from faying.fem.facing_areas import nodal_facets
from faying.fem.surface import FacetBlock, Surface
from faying.joints.step_mean import ElasticLaw, PairsBefore, stored_energies
from faying.multibody.contacts.contact import (
    ContactMemory,
    ContactResponse,
    PartContact,
)
from faying.multibody.contacts.force import FacingAreas, NormalForces, RelativeMotion, normal_forces
from faying.multibody.contacts.friction import (
    ContactPatch,
    FrictionForces,
    FrictionReferences,
    friction_forces,
)
from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.pushes import Pushes, find_pushes
from faying.multibody.contacts.surface import PartSurface
from faying.records import record


@record("ball anchors")
class MovingReferences(FrictionReferences):
    """Friction references of points that move along the slave: the material points that were in contact, too.

    Attributes:
        arms: (n, 3) from the slave's nodes to them, along the axes of its part.
    """

    arms: np.ndarray


class PatchMotion(RelativeMotion):
    """Points relative to a master, with the sizes of their patches for areas."""

    sizes: np.ndarray

    def facing_areas(self, gaps: SurfaceGaps) -> FacingAreas:
        """Return the sizes, whichever way the slave is turned."""
        return constant_areas(self.sizes[gaps.slaves])


@dataclass(frozen=True, eq=False)
class MovingResponse(ContactResponse):
    """Response of a contact at moving points.

    Attributes:
        points: (m, 3) from the slave's nodes to the points of contact, along the axes of its part.
        shifts: (m, 3) the same along those of the master.
    """

    points: np.ndarray | None = None
    shifts: np.ndarray | None = None

    def moved_references(self, closed: np.ndarray) -> FrictionReferences | None:
        """Return the friction references at the points of contact."""
        assert self.points is not None and self.shifts is not None
        places = self.places + self.over_nodes(self.gaps.slaves, self.shifts)
        moved = replace(self, places=places)
        found = ContactResponse.moved_references(moved, closed)
        if found is None:
            return None
        return MovingReferences(**(vars(found) | {"arms": self.over_nodes(self.gaps.slaves, self.points)}))


class _PatchPushes(NamedTuple):
    """Pushes of whole patches, and of their middles, with (m,) areas and their derivatives by the gaps."""

    whole: Pushes
    middle: Pushes
    areas: np.ndarray
    by_gap: np.ndarray


@dataclass(frozen=True, eq=False)
class MovingPointContact(PartContact):
    """Contact at points of the slave that move along it; as `PartContact` with the slave's nodes as places from where.

    A point presses with a law summed over the patch around it, times its size. Friction acts at the point on the area
    F/p, with p the pressure in the middle of the patch.

    Attributes:
        sizes: (n,) of the patches, in the unit that makes the push of `patch_law` a force.
    """

    sizes: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def patch_law(self) -> ElasticLaw:
        """The law summed over a patch, for a size of one."""
        return self.contact_law

    def patch_areas(self) -> np.ndarray:
        """Return (n,) the sizes of the patches."""
        return self.sizes

    def initial_memory(self) -> ContactMemory:
        """Return the memory before any state was accepted."""
        memory = super().initial_memory()
        if memory.references is None:
            return memory
        own = MovingReferences(**vars(memory.references), arms=np.zeros((self.n, 3)))
        return replace(memory, references=own)

    def shifts(self, motion: RelativeMotion, gaps: SurfaceGaps) -> np.ndarray:
        """Return (m, 3) the ways from the slave's nodes to the points of contact, along the master's axes."""
        raise NotImplementedError

    def pressed(self, motion: RelativeMotion, points: np.ndarray, gaps: SurfaceGaps) -> PatchMotion:
        """Return the motion of what the gaps depend on: the points of contact, as points of the material.

        Args:
            motion: of the slave's nodes.
            points: (m, 3) from the nodes to the points of contact, along the axes of the slave's part.
            gaps: of m nodes.
        """
        places = np.array(self.slave.places)
        places[gaps.slaves] += points
        return self.with_patches(replace(self.slave, places=places), motion)

    def with_patches(self, slave: PartSurface, motion: RelativeMotion) -> PatchMotion:
        """Return a motion like another one, of points of the slave with the patches of this contact."""
        found = PatchMotion(self.master, slave, motion.master_q, motion.slave_q)
        found.sizes = self.patch_areas()
        return found

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
        """Return forces on both parts as `PartContact.evaluate`; a pure function."""
        nodes = RelativeMotion(self.master, self.slave, master_q, slave_q)
        found = self._gaps(nodes, master_q, memory)
        gaps = found.gaps
        shifts = self.shifts(nodes, gaps)
        points = nodes.along_slave(shifts)
        motion = self.pressed(nodes, points, gaps)
        own = None if before is None else before.of(gaps.slaves)
        pushes = self._pushes(gaps, memory, time_step, own)
        normal = normal_forces(
            motion, gaps, self.patch_law, share=self.share, before=own, pushes=pushes.whole,
            derivatives=jacobian,
        )  # fmt: skip
        friction = self._friction(motion, gaps, memory, time_step, own, pushes, jacobian)
        return MovingResponse(
            self.n, gaps, _in_the_middle(normal, pushes), friction,
            gaps.gaps < self.contact_law.closing_gap(), nodes.places, found.displacements, found.distances,
            found.near, memory, nodes.inertial(shifts), points, shifts,
        )  # fmt: skip

    def stored_energy(self, answer: ContactResponse) -> float:
        """Return the energy stored by the contact law over the patches."""
        stored = stored_energies(self.patch_law, answer.gaps.gaps)
        return float(self.share * self.patch_areas()[answer.gaps.slaves] @ stored)

    def _pushes(
        self, gaps: SurfaceGaps, memory: ContactMemory, time_step: float, before: PairsBefore | None
    ) -> _PatchPushes:
        damping, sizes = self._damping(memory, gaps, time_step), self.patch_areas()[gaps.slaves]
        whole = find_pushes(self.patch_law, gaps.gaps, before, damping)
        if self.patch_law is self.contact_law:
            return _PatchPushes(whole, whole, sizes, np.zeros(len(sizes)))
        middle = find_pushes(self.contact_law, gaps.gaps, before, damping)
        if whole.means is not None:
            middle = middle._replace(means=whole.means)
        # Area F/p and its derivative by the gap, of the elastic forces: damping acts on F and p alike.
        pressures, slopes = self.contact_law.pressure(gaps.gaps)
        presses = pressures > 0.0
        safe = np.where(presses, pressures, 1.0)
        areas = np.where(presses, sizes * whole.elastic / safe, 0.0)
        falling = sizes * self.patch_law.pressure(gaps.gaps)[1] - areas * slopes
        return _PatchPushes(whole, middle, areas, np.where(presses, falling / safe, 0.0))

    def _friction(
        self,
        motion: RelativeMotion,
        gaps: SurfaceGaps,
        memory: ContactMemory,
        time_step: float,
        before: PairsBefore | None,
        pushes: _PatchPushes,
        jacobian: bool,
    ) -> FrictionForces | None:
        references = memory.references
        if self.friction_law is None or references is None:
            return None
        assert isinstance(references, MovingReferences)
        # The material points that were in contact, on their way with the slave.
        rubbing = replace(self.slave, places=self.slave.places + references.arms)
        return friction_forces(
            RelativeMotion(self.master, rubbing, motion.master_q, motion.slave_q), gaps, self.contact_law,
            self.friction_law, references, time_step, share=self.share, before=before, pushes=pushes.middle,
            patch=ContactPatch(motion, constant_areas(pushes.areas), pushes.by_gap), derivatives=jacobian,
        )  # fmt: skip


def points_as_surface(places: np.ndarray, areas: np.ndarray) -> PartSurface:
    """Return points (n, 3) of a rigid part, with areas (n,) for shares of all, as the slave of contacts."""
    n, no_rows = len(places), np.zeros(0, np.int64)
    none = Surface("", (FacetBlock("tri3", np.zeros((0, 3), np.int64), no_rows, no_rows),))
    around = nodal_facets(none, places)._replace(starts=np.zeros(n + 1, np.int64))
    return PartSurface(
        places, np.zeros((n, 3, 0)), areas, build_facet_index(places, none), around, np.arange(n)
    )


def constant_areas(sizes: np.ndarray) -> FacingAreas:
    """Return areas (m,) that do not change."""
    return FacingAreas(sizes, np.zeros((len(sizes), 3)), np.zeros((len(sizes), 3, 3)))


def _in_the_middle(normal: NormalForces, pushes: _PatchPushes) -> NormalForces:
    """Return the forces with the pressures in the middle of the patches, and their areas."""
    return replace(normal, pressures=pushes.middle.ends, areas=pushes.areas)
