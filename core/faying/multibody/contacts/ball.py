"""Contact of a rigid ball: at one point of any surface, by the law summed over the patch around it.

A ball of radius R on a surface with principal curvatures κ₁ and κ₂ touches it with the gap g + r² (1/R + κ)/2 at the
distance r from the deepest point. The pressure of a law summed over that patch is the force

    F(g) = 2π/√((1/R + κ₁)(1/R + κ₂)) Ψ(g),    Ψ(g) = ∫ p dg,

with Ψ the energy that the law stores per area: exact for patches that are small compared with the radii (elastic
foundation; Johnson 1985, section 4.3). Friction acts at the deepest point on an area F/p: a ball that sticks rolls, and
turns about the normal freely.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from faying.errors import ModelError
from faying.fem.facet_index import build_facet_index
from faying.fem.facing_areas import nodal_facets
from faying.fem.surface import FacetBlock, Surface
from faying.joints.contact_laws import ContactLaw
from faying.joints.step_mean import PairsBefore, stored_energies
from faying.multibody.contacts.contact import (
    ContactMemory,
    ContactResponse,
    MeasuredGaps,
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
from faying.multibody.contacts.rigid_shapes import RigidShape, RigidSphere
from faying.multibody.contacts.surface import PartSurface
from faying.records import record


@dataclass(frozen=True)
class PatchLaw:
    """A contact law summed over the patch of a ball, for a factor 2π/√((1/R + κ₁)(1/R + κ₂)) of one."""

    law: ContactLaw

    def pressure(self, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (Ψ, dΨ/dgap)."""
        return stored_energies(self.law, np.ravel(gap)).reshape(np.shape(gap)), -self.law.pressure(gap)[0]

    def closing_gap(self) -> float:
        """Return the gap below which the law has pressure."""
        return self.law.closing_gap()

    def corners(self) -> tuple[float, ...]:
        """Return the corners of the law."""
        return self.law.corners()


@record("ball anchors")
class BallReferences(FrictionReferences):
    """Friction references of a ball: its material points that were in contact, too.

    Attributes:
        arms: (n, 3) from its centre to them, along the axes of its part.
    """

    arms: np.ndarray


class _BallMotion(RelativeMotion):
    """The centre of a ball relative to a master, with the size of its patch for an area."""

    size: float

    def facing_areas(self, gaps: SurfaceGaps) -> FacingAreas:
        """Return the size, whichever way the ball is turned."""
        return _constant_areas(np.full(len(gaps.slaves), self.size))


@dataclass(frozen=True, eq=False)
class BallResponse(ContactResponse):
    """Response of a ball.

    Attributes:
        points: (m, 3) from its centre to the points of contact, along the axes of its part.
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
        return BallReferences(**(vars(found) | {"arms": self.over_nodes(self.gaps.slaves, self.points)}))


class _PatchPushes(NamedTuple):
    """Pushes of the whole patch, and of its middle, with (m,) areas and their derivatives by the gaps."""

    whole: Pushes
    middle: Pushes
    areas: np.ndarray
    by_gap: np.ndarray


@dataclass(frozen=True, eq=False)
class BallContact(PartContact):
    """A ball, the slave, that may touch a surface: as `PartContact` with one node, the ball's centre.

    Attributes:
        radius: of the ball.
        size: 2π/√((1/R + κ₁)(1/R + κ₂)), a length.
    """

    radius: float = 0.0
    size: float = 0.0

    @property
    def search_reach(self) -> float:
        """Distance from the surface in which the centre is searched."""
        return self.reach + self.radius

    @property
    def patch_law(self) -> PatchLaw:
        """The law summed over the patch."""
        return PatchLaw(self.contact_law)

    def patch_areas(self) -> np.ndarray:
        """Return (1,) the size of the patch."""
        return np.array([self.size])

    def initial_memory(self) -> ContactMemory:
        """Return the memory before any state was accepted."""
        memory = super().initial_memory()
        if memory.references is None:
            return memory
        own = BallReferences(**vars(memory.references), arms=np.zeros((self.n, 3)))
        return replace(memory, references=own)

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
        motion = _BallMotion(self.master, self.slave, master_q, slave_q)
        motion.size = self.size
        found = self._gaps(motion, master_q, memory)
        gaps = found.gaps
        own = None if before is None else before.of(gaps.slaves)
        pushes = self._pushes(gaps, memory, time_step, own)
        normal = normal_forces(
            motion, gaps, self.patch_law, share=self.share, before=own, pushes=pushes.whole,
            derivatives=jacobian,
        )  # fmt: skip
        friction = self._friction(motion, gaps, memory, time_step, own, pushes, jacobian)
        return self._response(motion, found, memory, _in_the_middle(normal, pushes), friction)

    def stored_energy(self, answer: ContactResponse) -> float:
        """Return the energy stored by the contact law over the patch."""
        return float(self.share * self.size * stored_energies(self.patch_law, answer.gaps.gaps).sum())

    def _pushes(
        self, gaps: SurfaceGaps, memory: ContactMemory, time_step: float, before: PairsBefore | None
    ) -> _PatchPushes:
        damping = self._damping(memory, gaps, time_step)
        whole = find_pushes(self.patch_law, gaps.gaps, before, damping)
        middle = find_pushes(self.contact_law, gaps.gaps, before, damping)
        if whole.means is not None:
            middle = middle._replace(means=whole.means)
        # Area F/p, its derivative by the gap with F′ = −size p.
        pressures, slopes = self.contact_law.pressure(gaps.gaps)
        presses = pressures > 0.0
        safe = np.where(presses, pressures, 1.0)
        areas = np.where(presses, self.size * whole.elastic / safe, 0.0)
        by_gap = np.where(presses, -self.size - areas * slopes / safe, 0.0)
        return _PatchPushes(whole, middle, areas, by_gap)

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
        assert isinstance(references, BallReferences)
        # The material points that were in contact, on their way with the ball.
        rubbing = replace(self.slave, places=self.slave.places + references.arms)
        return friction_forces(
            RelativeMotion(self.master, rubbing, motion.master_q, motion.slave_q), gaps, self.contact_law,
            self.friction_law, references, time_step, share=self.share, before=before, pushes=pushes.middle,
            patch=ContactPatch(motion, _constant_areas(pushes.areas), pushes.by_gap), derivatives=jacobian,
        )  # fmt: skip

    def _response(
        self,
        motion: RelativeMotion,
        found: MeasuredGaps,
        memory: ContactMemory,
        normal: NormalForces,
        friction: FrictionForces | None,
    ) -> ContactResponse:
        gaps = found.gaps
        shifts = -self.radius * gaps.normals
        return BallResponse(
            self.n, gaps, normal, friction, gaps.gaps < self.contact_law.closing_gap(), motion.places,
            found.displacements, found.distances, found.near, memory, motion.inertial(shifts),
            motion.along_slave(shifts), shifts,
        )  # fmt: skip

    def _gaps(self, motion: RelativeMotion, master_q: np.ndarray, memory: ContactMemory) -> MeasuredGaps:
        if memory.gaps is not None and memory.is_of(motion.places, motion.displacements):
            return super()._gaps(motion, master_q, memory)
        found = super()._gaps(motion, master_q, replace(memory, gaps=None))
        gaps = replace(found.gaps, gaps=found.gaps.gaps - self.radius)
        return found._replace(gaps=gaps, distances=found.distances - self.radius)


def ball_surface(ball: RigidSphere) -> PartSurface:
    """Return the surface of a ball as the slave of contacts: its centre, with the area of its largest section."""
    place, no_rows = ball.centre[None], np.zeros(0, np.int64)
    none = Surface("", (FacetBlock("tri3", np.zeros((0, 3), np.int64), no_rows, no_rows),))
    return PartSurface(
        place, np.zeros((1, 3, 0)), np.array([np.pi * ball.radius**2]), build_facet_index(place, none),
        nodal_facets(none, place), np.zeros(1, np.int64),
    )  # fmt: skip


def patch_size(ball: RigidSphere, master: PartSurface | RigidShape, names: Sequence[str]) -> float:
    """Return 2π/√((1/R + κ₁)(1/R + κ₂)) of a ball on a master; its facets are flat.

    Args:
        ball: the slave.
        master: the other surface.
        names: of ball and master, for the error.

    Raises:
        ModelError: when the ball does not fit into a hollow.
    """
    curvatures = (0.0, 0.0) if isinstance(master, PartSurface) else master.curvatures
    sums = [1.0 / ball.radius + curvature for curvature in curvatures]
    if min(sums) <= 1e-9 / ball.radius:
        raise ModelError(
            f"The ball {names[0]!r} does not fit into the hollow {names[1]!r}: its radius is not smaller.",
            "Make the ball smaller, or the hollow larger.",
        )
    return float(2.0 * np.pi / np.sqrt(sums[0] * sums[1]))


def _in_the_middle(normal: NormalForces, pushes: _PatchPushes) -> NormalForces:
    """Return the forces with the pressures in the middle of the patches, and their areas."""
    return replace(normal, pressures=pushes.middle.ends, areas=pushes.areas)


def _constant_areas(sizes: np.ndarray) -> FacingAreas:
    return FacingAreas(sizes, np.zeros((len(sizes), 3)), np.zeros((len(sizes), 3, 3)))
