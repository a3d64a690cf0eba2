"""Springs and dampers in place of dry friction: the common part of their three arrangements."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import FrictionLaw, LinearizedStep, Traction


class ViscousLaw(FrictionLaw):
    """A spring parallel to a branch with a damper (thesis fig. 2.12): stress depends on velocity, not on pressure.

    There is no sticking limit, so a closed pair always counts as sticking. Both directions follow the same law. A step
    without duration does not move the damper.

    History: stress of the branch (2), slip (2).
    """

    history_size: ClassVar[int] = 4

    @abstractmethod
    def branch(self, time_step: float) -> tuple[float, float]:
        """Return the share of the branch's stress that remains after a step, and the stress added per slip in it."""

    @abstractmethod
    def spring(self) -> float:
        """Return the stiffness of the spring in parallel to the branch."""

    def sticking_limit(self, pressure: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return zeros, twice (n,): there is no limit, and these laws do not use it."""
        return np.zeros_like(pressure), np.zeros_like(pressure)

    def traction(
        self,
        slip: np.ndarray,
        limit: np.ndarray,
        history: np.ndarray,
        time_step: float,
        *,
        derivatives: bool = True,
    ) -> Traction:
        """Return the stress of closed pairs."""
        kept, added = self.branch(time_step)
        stress = kept * history[:, :2] + added * (slip - history[:, 2:])
        n = len(slip)
        return Traction(
            stress=stress + self.spring() * slip,
            history=np.column_stack([stress, slip]),
            slipping=np.zeros(n, bool),
            d_slip=np.tile((added + self.spring()) * np.eye(2), (n, 1, 1)) if derivatives else None,
            d_limit=np.zeros((n, 2)) if derivatives else None,
        )

    def linearized_step(
        self, slip: np.ndarray, limit: np.ndarray, history: np.ndarray, time_step: float
    ) -> LinearizedStep:
        """Return a step with its derivatives, which are the same for all pairs."""
        kept, added = self.branch(time_step)
        n, unit, zero = len(slip), np.eye(2), np.zeros((2, 2))
        d_history = np.hstack([kept * unit, -added * unit])
        return LinearizedStep(
            self.traction(slip, limit, history, time_step),
            np.tile(d_history, (n, 1, 1)),
            np.tile(np.vstack([added * unit, unit]), (n, 1, 1)),
            np.zeros((n, 4)),
            np.tile(np.vstack([d_history, np.hstack([zero, zero])]), (n, 1, 1)),
        )


def maxwell_branch(stiffness: float, damping: float, time_step: float) -> tuple[float, float]:
    """Return the result of `branch` for a spring and a damper in series at constant velocity over the step."""
    relaxed = time_step * stiffness / damping
    if relaxed == 0.0:
        return 1.0, stiffness
    return float(np.exp(-relaxed)), float(-np.expm1(-relaxed) / relaxed) * stiffness


def maxwell_damping(stiffness: float, damping: float, frequency: float) -> float:
    """Return the imaginary part of c iωd/(c + iωd) over ω, of a spring and a damper in series."""
    return damping / (1.0 + (frequency * damping / stiffness) ** 2)
