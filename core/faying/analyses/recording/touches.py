"""Touches of two parts: approach and separation speeds, impulse, and coefficient of restitution."""

from typing import Any

import numpy as np

from faying.multibody.part import RIGID
from faying.spatial.rotations import spatial_rates

PartMotion = tuple[np.ndarray, np.ndarray]  # coordinates and velocities (7 + r,) of a part; (0,) of ground


class Touches:
    """The touches of one contact, one after the other.

    A touch begins when the first node closes and ends when the last one opens, within a step. Its speeds are relative
    velocities of the two parts' frames then, at the centre of the touch and along the direction of the normal impulse;
    vibrations of the parts do not count. Their ratio is Newton's coefficient of restitution, of the surfaces where they
    touch: of a part that spins it is not that of its centre of mass. A touch that exists when the run begins has none.

    Attributes:
        count: number of touches that have ended.
        restitution: of the last of them; zero before.
        strongest: times, impulse, speeds, … of the touch with the largest impulse; empty before.
    """

    def __init__(self, touching: bool) -> None:
        self.count, self.restitution = 0, 0.0
        self.strongest: dict[str, float] = {}
        self._open: dict[str, Any] | None = _beginning(0.0, None) if touching else None

    @property
    def is_open(self) -> bool:
        """Whether a touch goes on."""
        return self._open is not None

    def see(
        self, times: tuple[float, float], moments: tuple[float, float], before: tuple[PartMotion, PartMotion],
        after: tuple[PartMotion, PartMotion], pushes: np.ndarray, places: np.ndarray,
    ) -> None:  # fmt: skip
        """Take an accepted step.

        Args:
            times: of its start and its end.
            moments: in it, at which a touch begins or ends.
            before, after: motions of master and slave at these moments.
            pushes: (m, 3) normal forces on the slave's closed nodes at the end; (0, 3) without contact.
            places: (m, 3) places of these nodes in the inertial frame.
        """
        if len(pushes):
            if self._open is None:
                self._open = _beginning(moments[0], before)
            push, size = pushes.sum(axis=0), np.linalg.norm(pushes, axis=1)
            h = times[1] - times[0]
            self._open["impulse"] = self._open["impulse"] + h * push
            self._open["weighted"] = self._open["weighted"] + h * (size @ places)
            self._open["weight"] += h * float(size.sum())
            self._open["peak"] = max(self._open["peak"], float(np.linalg.norm(push)))
        elif self._open is not None:
            self._close(self._open, moments[1], after)
            self._open = None

    def _close(self, touch: dict[str, Any], time: float, after: tuple[PartMotion, PartMotion]) -> None:
        self.count += 1
        impulse = float(np.linalg.norm(touch["impulse"]))
        if touch["before"] is None or not impulse or not touch["weight"]:
            return
        direction, centre = touch["impulse"] / impulse, touch["weighted"] / touch["weight"]
        approach = -float(direction @ _relative_velocity(touch["before"], centre))
        separation = float(direction @ _relative_velocity(after, centre))
        if approach <= 0.0:
            return
        self.restitution = separation / approach
        if impulse > self.strongest.get("impulse", 0.0):
            self.strongest = {
                "begins": touch["begins"], "ends": time, "impulse": impulse, "peak_force": touch["peak"],
                "approach_speed": approach, "separation_speed": separation, "restitution": self.restitution,
            }  # fmt: skip

    def checkpoint(self) -> dict[str, Any]:
        """Return the state, for an interrupted run."""
        return {
            "count": self.count, "restitution": self.restitution, "strongest": self.strongest, "open": self._open,
        }  # fmt: skip

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore the state of an interrupted run with the same start."""
        self.count, self.restitution = checkpoint["count"], checkpoint["restitution"]
        self.strongest = dict(checkpoint["strongest"])
        self._open = None if checkpoint["open"] is None else dict(checkpoint["open"])

    def summary(self) -> dict[str, Any]:
        """Return the number of touches that ended, and the data of the strongest."""
        return {"touches": self.count, "strongest_touch": dict(self.strongest)}


def _beginning(time: float, before: tuple[PartMotion, PartMotion] | None) -> dict[str, Any]:
    none = np.zeros(3)
    return {
        "begins": time, "before": before, "impulse": none, "weighted": none, "weight": 0.0, "peak": 0.0,
    }  # fmt: skip


def _relative_velocity(motions: tuple[PartMotion, PartMotion], point: np.ndarray) -> np.ndarray:
    """Return (3,) velocity of the slave's frame relative to the master's, as rigid bodies, at a point (3,) in space."""
    master, slave = (_velocity(*motion, point) for motion in motions)
    return np.asarray(slave - master)


def _velocity(q: np.ndarray, v: np.ndarray, point: np.ndarray) -> np.ndarray:
    if not len(q):
        return np.zeros(3)
    spin = spatial_rates(q[3:RIGID]) @ v[3:RIGID]
    return np.asarray(v[:3] + np.cross(spin, point - q[:3]))


def time_of_crossing(depths: np.ndarray, rates: np.ndarray, changes: np.ndarray) -> np.ndarray:
    """Return (m,) times from a state at which depths are zero, the nearest ones: of closing or opening nodes.

    Args:
        depths: (m,) at the state.
        rates, changes: (m,) their first and second derivatives, the second constant.
    """
    root = np.sqrt(np.maximum(rates**2 - 2.0 * changes * depths, 0.0))
    over = rates + np.where(rates < 0.0, -root, root)
    return np.where(over == 0.0, 0.0, -2.0 * depths / np.where(over == 0.0, 1.0, over))
