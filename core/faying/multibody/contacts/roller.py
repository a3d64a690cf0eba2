"""Contact of a rigid roller, the round face of a cylinder: along a line of any surface.

At the distance x from its deepest line a roller of radius R on a surface of curvature κ has the gap
g + x² (1/R + κ)/2. The pressure of a law summed across that strip is the force per length

    f(g) = ∫ p(g + x² (1/R + κ)/2) dx,

exact for strips that are narrow compared with the radii (elastic foundation; Johnson 1985, section 4.3). It acts at
points along the axis, each at the lowest point of its section: a roller that sticks rolls, and one that is tilted
presses with one end. For what crosses it, an edge or another roller, it is as smooth as the points are close.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from faying.joints.contact_laws import ContactLaw
from faying.joints.step_mean import gauss
from faying.multibody.contacts.ball import curvature_sums
from faying.multibody.contacts.contact import ContactMemory, MeasuredGaps, PartContact, vars_of
from faying.multibody.contacts.force import RelativeMotion
from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.moving_points import MovingPointContact, points_as_surface
from faying.multibody.contacts.rigid_shapes import RigidCylinder, RigidShape
from faying.multibody.contacts.round_face import Roller
from faying.multibody.contacts.surface import PartSurface

_STEEP = 0.7  # cosine of the angle between axis and normal beyond which the end of the cylinder touches, not its round
_LEAST, _MOST = 3, 17  # points along the axis; closer than half a radius where these are enough
_POINTS, _WEIGHTS = gauss(8)


@dataclass(frozen=True, eq=False)
class FiniteCylinder(RigidCylinder):
    """A round bar that ends.

    Attributes:
        length: from `point` along the axis.
    """

    length: float = 0.0

    def gaps(self, places: np.ndarray, reach: float) -> SurfaceGaps:
        """Return gaps as of a bar without ends, of the points between both of them."""
        found = super().gaps(places, reach)
        along = (places[found.slaves] - self.point) @ self.axis
        return found.of((along >= 0.0) & (along <= self.length))


@dataclass(frozen=True)
class LineLaw:
    """A contact law summed across the strip of a roller.

    Attributes:
        law: pressure over gap.
        radius: 1/(1/R + κ).
    """

    law: ContactLaw
    radius: float

    def pressure(self, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (f, df/dgap), force per length."""
        depth = np.maximum(self.law.closing_gap() - gap, 0.0)
        half = np.sqrt(2.0 * self.radius * depth)
        pressures, slopes = self.law.pressure(gap[..., None] + depth[..., None] * _POINTS**2)
        return 2.0 * half * (pressures @ _WEIGHTS), 2.0 * half * (slopes @ _WEIGHTS)

    def closing_gap(self) -> float:
        """Return the gap below which the law has pressure."""
        return self.law.closing_gap()

    def corners(self) -> tuple[float, ...]:
        """Return the corners of the law."""
        return self.law.corners()


@dataclass(frozen=True, eq=False)
class RollerContact(MovingPointContact):
    """The round face of a cylinder, the slave, that may touch a surface: as `PartContact` with points on its axis.

    Attributes:
        roller: the slave.
        strip: 1/(1/R + κ), see `LineLaw`.
        sizes: (n,) the lengths that the points represent.
    """

    roller: Roller = field(kw_only=True)
    strip: float = field(kw_only=True)

    @classmethod
    def completing(
        cls, contact: PartContact, roller: Roller, names: Sequence[str], *, of_master: bool
    ) -> "RollerContact":
        """Return the contact of a round face that completes that of the nodes of its part.

        Args:
            contact: of the nodes.
            roller: on its slave, or on its master.
            names: of roller and other surface, for the error.
            of_master: whether it is on the master.

        Raises:
            ModelError: when the roller does not fit into a hollow.
        """
        points, lengths = _points(roller)
        own = vars_of(contact) | {
            "name": f"{contact.name} (roller)", "slave": points, "share": 1.0, "gears": None,
            "completes": contact.name,
            "slave_surface": f"{contact.slave_surface} roller",
        }  # fmt: skip
        if of_master:
            own |= {
                "master": contact.slave, "master_part": contact.slave_part,
                "slave_part": contact.master_part,
            }  # fmt: skip
        master = own["master"]
        if isinstance(master, PartSurface) and master.roller is not None:
            own["master"] = master = _as_master(master.roller)
        strip = strip_radius(roller, master, names)
        return cls(**own, sizes=lengths, roller=roller, strip=strip)

    @property
    def search_reach(self) -> float:
        """Distance from the surface in which the axis is searched."""
        return self.reach + self.roller.radius

    @property
    def patch_law(self) -> LineLaw:
        """The law summed across the strip."""
        return LineLaw(self.contact_law, self.strip)

    def shifts(self, motion: RelativeMotion, gaps: SurfaceGaps) -> np.ndarray:
        """Return (m, 3) the ways from the axis to the lowest points of its sections."""
        across, sizes = self._across(motion, gaps)
        return np.asarray(-(self.roller.radius / np.where(sizes > 0.0, sizes, 1.0))[:, None] * across)

    def _across(self, motion: RelativeMotion, gaps: SurfaceGaps) -> tuple[np.ndarray, np.ndarray]:
        """Return (m, 3) the parts of the normals across the axis, and their lengths (m,)."""
        axis = motion.from_slave(self.roller.axis)
        across = gaps.normals - np.outer(gaps.normals @ axis, axis)
        return across, np.linalg.norm(across, axis=1)

    def _gaps(self, motion: RelativeMotion, master_q: np.ndarray, memory: ContactMemory) -> MeasuredGaps:
        found = super()._gaps(motion, master_q, replace(memory, gaps=None))
        radius = self.roller.radius
        sizes = self._across(motion, found.gaps)[1]
        gaps = replace(found.gaps, gaps=found.gaps.gaps - radius * sizes)
        distances = found.distances - radius
        distances[gaps.slaves] = gaps.gaps
        lies = sizes > np.sqrt(1.0 - _STEEP**2)
        return found._replace(gaps=gaps.of(lies), distances=distances)


def with_roller(surface: PartSurface, roller: Roller) -> PartSurface:
    """Return the triangles of a cylinder whose round face touches as a roller: only its ends keep their areas."""
    around = surface.nodal_facets
    areas = np.where(np.abs(around.normals @ roller.axis) > _STEEP, around.areas, 0.0)
    owners = np.repeat(np.arange(len(surface.places)), np.diff(around.starts))
    return replace(
        surface, roller=roller, areas=np.bincount(owners, areas, len(surface.places)),
        nodal_facets=around._replace(areas=areas),
    )  # fmt: skip


def _as_master(roller: Roller) -> FiniteCylinder:
    """Return the shape on which others press."""
    return FiniteCylinder(roller.start, roller.axis, roller.radius, length=roller.length)


def _points(roller: Roller) -> tuple[PartSurface, np.ndarray]:
    """Return points on its axis as the slave of contacts, and the length (n,) that each of them represents."""
    count = int(np.clip(np.ceil(2.0 * roller.length / roller.radius) + 1, _LEAST, _MOST))
    places = np.linspace(roller.start, roller.end, count)
    lengths = np.full(count, roller.length / (count - 1))
    lengths[[0, -1]] *= 0.5
    return points_as_surface(places, 2.0 * roller.radius * lengths), lengths


def strip_radius(roller: Roller, master: PartSurface | RigidShape, names: Sequence[str]) -> float:
    """Return 1/(1/R + κ) of a roller along a master; arguments and errors as of `patch_size` of a ball."""
    return 1.0 / max(curvature_sums(roller.radius, master, names), key=lambda x: abs(x - 1.0 / roller.radius))
