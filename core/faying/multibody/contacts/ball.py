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

import numpy as np

from faying.errors import ModelError
from faying.joints.contact_laws import ContactLaw
from faying.joints.step_mean import stored_energies
from faying.multibody.contacts.contact import ContactMemory, MeasuredGaps
from faying.multibody.contacts.force import RelativeMotion
from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.moving_points import MovingPointContact, PatchMotion, points_as_surface
from faying.multibody.contacts.rigid_shapes import RigidShape, RigidSphere
from faying.multibody.contacts.surface import PartSurface


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


@dataclass(frozen=True, eq=False)
class BallContact(MovingPointContact):
    """A ball, the slave, that may touch a surface: as `PartContact` with one node, the ball's centre.

    Attributes:
        radius: of the ball.
        sizes: (1,) 2π/√((1/R + κ₁)(1/R + κ₂)), a length.
    """

    radius: float = 0.0

    @property
    def search_reach(self) -> float:
        """Distance from the surface in which the centre is searched."""
        return self.reach + self.radius

    @property
    def patch_law(self) -> PatchLaw:
        """The law summed over the patch."""
        return PatchLaw(self.contact_law)

    def shifts(self, motion: RelativeMotion, gaps: SurfaceGaps) -> np.ndarray:
        """Return (m, 3) the ways from the centre to the point of contact."""
        return np.asarray(-self.radius * gaps.normals)

    def pressed(self, motion: RelativeMotion, points: np.ndarray, gaps: SurfaceGaps) -> PatchMotion:
        """Return the motion of the centre: as the ball turns, the gap stays."""
        return self.with_patches(self.slave, motion)

    def _gaps(self, motion: RelativeMotion, master_q: np.ndarray, memory: ContactMemory) -> MeasuredGaps:
        if memory.gaps is not None and memory.is_of(motion.places, motion.displacements):
            return super()._gaps(motion, master_q, memory)
        found = super()._gaps(motion, master_q, replace(memory, gaps=None))
        gaps = replace(found.gaps, gaps=found.gaps.gaps - self.radius)
        return found._replace(gaps=gaps, distances=found.distances - self.radius)


def ball_surface(ball: RigidSphere) -> PartSurface:
    """Return the surface of a ball as the slave of contacts: its centre, with the area of its largest section."""
    return points_as_surface(ball.centre[None], np.array([np.pi * ball.radius**2]))


def patch_size(ball: RigidSphere, master: PartSurface | RigidShape, names: Sequence[str]) -> float:
    """Return 2π/√((1/R + κ₁)(1/R + κ₂)) of a ball on a master; its facets are flat.

    Args:
        ball: the slave.
        master: the other surface.
        names: of ball and master, for the error.

    Raises:
        ModelError: when the ball does not fit into a hollow.
    """
    one, other = curvature_sums(ball.radius, master, names)
    return float(2.0 * np.pi / np.sqrt(one * other))


def curvature_sums(
    radius: float, master: PartSurface | RigidShape, names: Sequence[str]
) -> tuple[float, float]:
    """Return 1/R + κ₁ and 1/R + κ₂ of a round body on a master; arguments and errors as of `patch_size`."""
    curvatures = (0.0, 0.0) if isinstance(master, PartSurface) else master.curvatures
    sums = (1.0 / radius + curvatures[0], 1.0 / radius + curvatures[1])
    if min(sums) <= 1e-9 / radius:
        raise ModelError(
            f"{names[0]!r} does not fit into the hollow {names[1]!r}: its radius is not smaller.",
            "Make it smaller, or the hollow larger.",
        )
    return sums
