"""A load of a body on a flexible part that moves: it turns with the part, as pressures on its surfaces do."""

from collections.abc import Sequence

import numpy as np

from faying.load_histories import LoadHistory
from faying.multibody.forces import Force
from faying.multibody.markers import Marker, MarkerMotion
from faying.multibody.parts.markers import FrameMarker, NodeMarker
from faying.reduction.load_modes import ReducedLoads, numbers_of

_AXIS = np.array([1.0, 0.0, 0.0])


class BodyLoadForce(Force):
    """The force of a load that is fixed to a part's frame: f on the deformed body, in the frame's axes.

    Its virtual work is A F · δR + (M + Σ q_j τ_j) · δπ + g · δq, with the resultants F and M about the origin of the
    frame, the moments τ_j = ∫ φ_j × f that come with the deformation, and the generalised forces g_j = ∫ φ_j · f. It
    acts at three markers in that origin: one stays there; one is carried along the frame's x axis by g · q, where a
    force of one does the work of g; and one is carried by Σ q_j τ_j, which its place then tells.
    """

    part: str
    acting: tuple[float, float, float]
    moment: tuple[float, float, float]
    sizes: tuple[float, float]
    factor: float
    time_history: LoadHistory

    def marker_names(self) -> tuple[str, ...]:
        """Return the three markers."""
        return tuple(f"{self.part}.{name}" for name in marker_names_of(self.name))

    def wrenches(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (18,) force and moment on each of the three markers."""
        still, _, levered = markers
        amount = self.factor * float(self.time_history.factor(time))
        work, lever = self.sizes
        along = still.axes[:, 0] * work
        force = still.axes @ np.array(self.acting)
        moment = still.axes @ np.array(self.moment) + lever * (levered.position - still.position)
        none = np.zeros(3)
        return amount * np.concatenate([force - along, moment, along, none, none, none])


def body_load_force(
    part: str, loads: ReducedLoads | None, name: str, factor: float, time_history: LoadHistory
) -> BodyLoadForce:
    """Return the force of a load on a part whose frame has its origin in that of the body.

    Raises:
        ModelError: when the body has no such load, or it cannot act in motion.
    """
    (number,) = numbers_of((name,), loads.names if loads else ())
    assert loads is not None
    force, moment = loads.resultants[:3, number], loads.resultants[3:, number]
    return BodyLoadForce(
        name=name,
        part=part,
        acting=tuple(force.tolist()),
        moment=tuple(moment.tolist()),
        sizes=(_size(loads.forces[:, number]), _size(loads.torques[number])),
        factor=factor,
        time_history=time_history,
    )


def body_load_markers(loads: ReducedLoads, name: str) -> list[Marker]:
    """Return the markers of a load, see `BodyLoadForce`."""
    (number,) = numbers_of((name,), loads.names)
    still, worked, levered = marker_names_of(name)
    work, torques = loads.forces[:, number], loads.torques[number]
    return [
        FrameMarker(still, np.zeros(3)),
        NodeMarker(worked, np.zeros(3), np.outer(_AXIS, work / _size(work)), None),
        NodeMarker(levered, np.zeros(3), torques / _size(torques), None),
    ]


def marker_names_of(name: str) -> tuple[str, str, str]:
    """Return the names of a load's markers on its part; no marker of a user has a dot in its name."""
    return f"load.{name}", f"work.{name}", f"lever.{name}"


def _size(values: np.ndarray) -> float:
    """Return the norm of values, by which they are scaled to length one; one for zeros."""
    return float(np.linalg.norm(values)) or 1.0
