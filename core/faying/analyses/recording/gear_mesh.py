"""Gears in mesh, from the contact of their flanks: transmission error, stiffness, load sharing, path.

Terms are those of Munro (1967) and ISO 21771: lengths count along the line of action, that is on the base circles; the
path of contact counts from the pitch point, positive towards the tip of the slave. The transmission error is positive
where the slave has turned too far in the positive sense about its axis; Munro's is so in the sense in which it turns.
"""

from dataclasses import dataclass
from math import acos, asin, degrees, sqrt, tan

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.errors import ModelError
from faying.multibody.contacts.contact import ContactResponse, PartContact
from faying.multibody.contacts.force import places_in_frame
from faying.multibody.contacts.gear_mesh import GearMeshSpec
from faying.multibody.contacts.surface import PartSurface
from faying.multibody.markers import MarkerMotion
from faying.multibody.part import RIGID
from faying.multibody.system import MultibodySystem

_PARALLEL = 2.0  # degrees that axes may lean, as badly aligned ones do


def gears_in_mesh(system: MultibodySystem, start: np.ndarray) -> dict[int, "MeshedGears"]:
    """Return the pairs of gears of a system by number of their contact.

    Args:
        system: the multibody system.
        start: (n,) coordinates at which transmission errors are zero.

    Raises:
        ModelError: when the markers of a pair are not on its wheels, not parallel, or too near each other.
    """
    return {
        number: MeshedGears.at(system, contact, contact.gears, start)
        for number, contact in enumerate(system.contacts.members)
        if contact.gears is not None
    }


@dataclass(frozen=True, eq=False)
class MeshedGears:
    """Two gears.

    Attributes:
        contact: of their flanks.
        gears: their teeth and axes.
        axes: (3, 3) of the markers of master and slave at the start.
        flanks: (n,) number of the connected piece of the slave's surface that each node belongs to, by angle.
        unrolled: (n,) values at the slave's undeformed nodes: number of the "flank", coordinate on the "path" of
            contact where the node touches, "roll" angle, and "width" along the axis.
    """

    contact: PartContact
    gears: GearMeshSpec
    axes: tuple[np.ndarray, np.ndarray]
    flanks: np.ndarray
    unrolled: dict[str, np.ndarray]

    @classmethod
    def at(
        cls, system: MultibodySystem, contact: PartContact, gears: GearMeshSpec, start: np.ndarray
    ) -> "MeshedGears":
        """Return the pair at the start of a run.

        Raises:
            ModelError: see `gears_in_mesh`.
        """
        sides = (gears.master_axis, contact.master_part), (gears.slave_axis, contact.slave_part)
        for marker, part in sides:
            if marker.partition(".")[0] != part:
                raise ModelError(
                    f"The gears of contact {contact.name!r} need a marker on {part!r} that defines its axis; "
                    f"{f'{marker!r} is none' if marker else 'none is given'}.",
                    f"Choose one of the markers of {part!r}, whose z axis is that of the wheel.",
                )
        master, slave = (system.motion(marker, start) for marker, _ in sides)
        across = np.linalg.norm(np.cross(master.axes[:, 2], slave.axes[:, 2]))
        leaning = degrees(asin(min(float(across), 1.0)))
        if leaning > _PARALLEL:
            raise ModelError(
                f"The axes of the gears of contact {contact.name!r} are at {leaning:.3g}° to each other; curves of "
                "gears are those of parallel axes.",
                f"The z axes of {gears.master_axis!r} and {gears.slave_axis!r} have to be those of the wheels.",
            )
        base, apart = sum(gears.base_radii), distance_of_axes(master, slave)
        if apart <= base:
            raise ModelError(
                f"The axes of the gears of contact {contact.name!r} are nearer to each other than their base circles "
                f"allow: at {100.0 * apart / base:.3g} % of the sum of their radii.",
                "Mend the centre distance, the module or the numbers of teeth.",
            )
        flanks, surface = _flanks(contact.slave), contact.slave
        still = system.of_part(contact.slave_part, start).copy()
        still[RIGID:] = 0.0
        away = places_in_frame(surface, still, np.zeros(0)) - slave.position
        along = away @ slave.axes[:, 2]
        lengths = _roll_lengths(away, slave.axes[:, 2], gears.base_radii[1])
        unrolled = {
            "flank": flanks + 1,
            "path": lengths - _pitch_length(master, slave, gears),
            "roll": lengths / gears.base_radii[1],
            "width": along,
        }
        return cls(contact, gears, (master.axes, slave.axes), flanks, unrolled)

    @property
    def n_flanks(self) -> int:
        """Number of flanks of the slave."""
        return int(self.flanks.max(initial=-1)) + 1

    def values(
        self, system: MultibodySystem, q: np.ndarray, answer: ContactResponse, places: np.ndarray
    ) -> list[float]:
        """Return the numbers of the pair, then share, path and pressure of each flank.

        Transmission error, deflection, stiffness, torque ratio and number of flanks in contact. The path of a flank
        without load is that of its node nearest to the master. Torque ratio and stiffness are zero without contact
        forces.

        Args:
            system: the multibody system.
            q: (n,) its coordinates.
            answer: response of the contact there.
            places: (n, 3) of the slave's nodes in space.
        """
        master, slave = (
            system.motion(marker, q) for marker in (self.gears.master_axis, self.gears.slave_axis)
        )
        forces, pressures = (
            answer.nodal_forces,
            answer.over_nodes(answer.gaps.slaves, answer.normal.pressures),
        )
        pushes = np.linalg.norm(forces, axis=1)
        load, deflection = float(pushes.sum()), self._overlap(system, q)
        moments = [
            float(np.cross(places - axis.position, forces).sum(axis=0) @ axis.axes[:, 2])
            for axis in (slave, master)
        ]
        path, count = self._path(master, slave, places), 0
        of_flanks: list[float] = []
        for flank in range(self.n_flanks):
            own = self.flanks == flank
            pushed = float(pushes[own].sum())
            count += pushed > 0.0
            nearest = path[own][answer.distances[own].argmin()]
            of_flanks += [
                pushed / load if load else 0.0,
                float(pushes[own] @ path[own] / pushed if pushed else nearest),
                float(pressures[own].max()),
            ]
        return [
            self._error(master, slave),
            deflection,
            load / deflection if deflection > 0.0 else 0.0,
            abs(moments[0] / moments[1]) if moments[1] else 0.0,
            float(count),
            *of_flanks,
        ]

    def _error(self, master: MarkerMotion, slave: MarkerMotion) -> float:
        """Return the transmission error, a length on the slave's base circle; whole pitches are left out.

        It is positive when the slave has turned further about its z axis, in the positive sense, than the ratio asks.
        """
        gears = self.gears
        alike = float(np.sign(master.axes[:, 2] @ slave.axes[:, 2]))
        turned = gears.slave_teeth * _turned(self.axes[1], slave.axes)
        turned += alike * gears.master_teeth * _turned(self.axes[0], master.axes)
        ahead = (turned + np.pi) % (2.0 * np.pi) - np.pi
        return gears.base_radii[1] / gears.slave_teeth * ahead

    def _overlap(self, system: MultibodySystem, q: np.ndarray) -> float:
        """Return the largest overlap of the flanks if both wheels were rigid (undeformed)."""
        contact = self.contact
        master, slave = (system.of_part(part, q).copy() for part in (contact.master_part, contact.slave_part))
        master[RIGID:], slave[RIGID:] = 0.0, 0.0
        answer = contact.evaluate(master, slave, contact.initial_memory(), 0.0, jacobian=False)
        return max(-float(answer.gaps.gaps.min(initial=0.0)), 0.0)

    def _path(self, master: MarkerMotion, slave: MarkerMotion, places: np.ndarray) -> np.ndarray:
        """Return (n,) coordinates of the slave's nodes on the path of contact, from the pitch point."""
        lengths = _roll_lengths(places - slave.position, slave.axes[:, 2], self.gears.base_radii[1])
        return lengths - _pitch_length(master, slave, self.gears)


def _roll_lengths(away: np.ndarray, axis: np.ndarray, base: float) -> np.ndarray:
    """Return (n,) √(r² − r_b²), the involute's unwound lengths, of places (n, 3) relative to a point of the axis."""
    radii = np.linalg.norm(away - np.outer(away @ axis, axis), axis=1)
    return np.asarray(np.sqrt(np.maximum(radii**2 - base**2, 0.0)))


def _pitch_length(master: MarkerMotion, slave: MarkerMotion, gears: GearMeshSpec) -> float:
    """Return the unwound length of the slave's involute at the pitch point."""
    return gears.base_radii[1] * tan(acos(sum(gears.base_radii) / distance_of_axes(master, slave)))


def distance_of_axes(master: MarkerMotion, slave: MarkerMotion) -> float:
    """Return the distance between the z axes of two markers, which are parallel."""
    way, axis = slave.position - master.position, master.axes[:, 2]
    return sqrt(max(float(way @ way - (way @ axis) ** 2), 0.0))


def _turned(before: np.ndarray, now: np.ndarray) -> float:
    """Return the angle in (−π, π] by which axes (3, 3) have turned about their z axis."""
    change = before.T @ now
    return float(np.arctan2(change[1, 0] - change[0, 1], change[0, 0] + change[1, 1]))


def _flanks(surface: PartSurface) -> np.ndarray:
    """Return (n,) number of the connected piece of a surface at each node; ordered by angle about the part's z axis."""
    n = len(surface.places)
    links = [
        (np.repeat(rows[:, :1], rows.shape[1] - 1, axis=1).ravel(), rows[:, 1:].ravel())
        for rows in surface.facets.connectivity
    ]
    one, other = (np.concatenate(side) for side in zip(*links, strict=True))
    count, labels = connected_components(
        sp.coo_matrix((np.ones(len(one)), (one, other)), shape=(n, n)), directed=False
    )
    angles = np.sort(np.arctan2(surface.places[:, 1], surface.places[:, 0]))
    # Angles count from behind the widest angular gap, so that neighbouring flanks have consecutive numbers.
    widest = int(np.diff(np.append(angles, angles[0] + 2.0 * np.pi)).argmax())
    first = angles[(widest + 1) % n]
    turned = (np.arctan2(surface.places[:, 1], surface.places[:, 0]) - first) % (2.0 * np.pi)
    middles = np.array([turned[labels == piece].mean() for piece in range(count)])
    numbers = np.empty(count, np.int64)
    numbers[np.argsort(middles)] = np.arange(count)
    return np.asarray(numbers[labels])
