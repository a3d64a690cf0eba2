"""How fast flexible parts spin compared with how fast they vibrate: whether geometric stiffening was needed."""

from typing import Any

import numpy as np
import scipy.linalg as la

from faying.multibody.part import RIGID
from faying.multibody.parts.flexible import FlexiblePart
from faying.multibody.system import MultibodySystem
from faying.solvers.integrators import State
from faying.spatial.rotations import body_rates


class SpinCheck:
    """The largest angular speed of each flexible part without geometric stiffening, over its lowest vibration.

    Args:
        system: whose parts are watched.
    """

    def __init__(self, system: MultibodySystem) -> None:
        self._slowest = {
            part.name: frequency
            for part in system.parts
            if isinstance(part, FlexiblePart) and part.body.second_order is None
            for frequency in [_slowest_vibration(part)]
            if frequency
        }
        self._ranges = {part.name: at for part, at in zip(system.parts, system.ranges, strict=True)}
        self._largest = dict.fromkeys(self._slowest, 0.0)

    def see(self, before: State, after: State) -> None:
        """Look at the state at the end of a step."""
        for name in self._largest:
            at = self._ranges[name].start + 3
            spin = body_rates(after.q[at : at + 4]) @ after.v[at : at + 4]
            self._largest[name] = max(self._largest[name], float(np.sqrt(spin @ spin)))

    def checkpoint(self) -> dict[str, float]:
        """Return the largest angular speeds so far."""
        return dict(self._largest)

    def restore(self, checkpoint: dict[str, float]) -> None:
        """Go on from those of an interrupted run."""
        self._largest = {name: checkpoint[name] for name in self._largest}

    def summary(self) -> dict[str, Any]:
        """Return angular speed and lowest angular frequency of each watched part that turned."""
        spun = {
            name: [largest, self._slowest[name]] for name, largest in self._largest.items() if largest > 0.0
        }
        return {"spins": spun} if spun else {}


def _slowest_vibration(part: FlexiblePart) -> float:
    """Return the lowest angular frequency of a part in its frame with nothing else to hold it; zero without modes."""
    if part.n == RIGID:
        return 0.0
    squares = la.eigh(part.body.stiffness, part.body.mass, eigvals_only=True, subset_by_index=(0, 0))
    return float(np.sqrt(max(squares[0], 0.0)))
