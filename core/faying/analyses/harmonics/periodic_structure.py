"""A body or a system that vibrates periodically about an equilibrium, with contact and friction, in its stuck modes."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from faying.analyses import needed
from faying.joints.cycle import CycleResponse, over_cycle
from faying.joints.cycle_laws import OPENED
from faying.joints.fourier import FourierBasis
from faying.joints.interface import JointForce, JointResponse
from faying.solvers.harmonic import Damping
from faying.solvers.harmonic_balance import PeriodicForce, PeriodicProblem
from faying.solvers.load_steps import LoadState

WORK = "cycle_work"
"""Name of the work of friction per area and cycle, in the data of a joint."""

_RECENT = 4  # evaluations of the force: a correction and its shorter trials


@dataclass(frozen=True, eq=False)
class PeriodicFrame:
    """A periodic motion from an instant on, such as that at which its first harmonic is largest.

    Attributes:
        amplitudes: (r,) of the modes at that instant.
        coefficients: (2 H + 1, r) of the modes over the period that begins there.
        histories: of the pairs of each joint at that instant.
        works: (n_pairs,) work of friction per area in the period, of each joint.
    """

    amplitudes: np.ndarray
    coefficients: np.ndarray
    histories: list[np.ndarray]
    works: list[np.ndarray]


@dataclass(frozen=True, eq=False)
class PeriodicStructure:
    """Joints, equilibrium and matrices of a structure, over the amplitudes of its r modes with all closed pairs stuck.

    Attributes:
        shapes: (n, r) the modes over its coordinates, orthonormal in the mass.
        frequencies: (r,) natural frequencies of the modes, ascending.
        names: of the joints.
        joints: their forces over the modes.
        histories: of their pairs in the equilibrium.
        rest: (r,) the equilibrium.
        sticking: number of pairs that are closed in the equilibrium, of all joints with friction.
        stiffness: (r, r) over the modes, without the joints.
        own_damping: (r, r) over the modes, of the structure itself.
        stuck: (r, r) stiffness with all closed pairs stuck.
        recent: what each joint's pairs did in the last few evaluations of the force (`PairCycles.did`).
    """

    shapes: np.ndarray
    frequencies: np.ndarray
    names: tuple[str, ...]
    joints: tuple[JointForce, ...]
    histories: tuple[np.ndarray, ...]
    rest: np.ndarray
    sticking: int
    stiffness: np.ndarray
    own_damping: np.ndarray
    stuck: np.ndarray
    recent: deque[list[np.ndarray]] = field(default_factory=lambda: deque(maxlen=_RECENT))

    def coordinates(self, amplitudes: np.ndarray) -> np.ndarray:
        """Return (…, n) coordinates of the structure from amplitudes (…, r) of the modes."""
        return np.asarray(amplitudes @ self.shapes.T)

    def amplitudes(self, coordinates: np.ndarray) -> np.ndarray:
        """Return (…, r) amplitudes of the modes from coordinates (…, n) of the structure, as stored."""
        return np.asarray(np.linalg.lstsq(self.shapes, coordinates.T, rcond=None)[0].T)

    def problem(self, damping: Damping, basis: FourierBasis) -> PeriodicProblem:
        """Return the equations of periodic motion; the static load is that of the equilibrium.

        Args:
            damping: in addition to the structure's own; modal ratios are those of the stuck modes.
            basis: harmonics and samples.
        """
        unit = np.eye(len(self.stiffness))
        omega = 2.0 * np.pi * self.frequencies
        viscous = damping.mass * unit + damping.stiffness * self.stiffness
        viscous += np.diag(2.0 * damping.modal_ratios(len(omega)) * omega)
        viscous = viscous + self.own_damping
        structural = damping.structural * self.stiffness if damping.structural else None
        return PeriodicProblem(
            unit, viscous, self.stiffness, self._force, basis, self.static_load, structural
        )

    @property
    def static_load(self) -> np.ndarray:
        """(r,) load over the modes under which the structure is at rest."""
        forces = [answer.force for answer in self._at_rest()]
        return np.asarray(self.stiffness @ self.rest - sum(forces, np.zeros(len(self.rest))))

    @property
    def resting_state(self) -> LoadState:
        """The equilibrium as the beginning of a load path."""
        slips = tuple(joint.total_slip(self.rest) for joint in self.joints)
        status = tuple(answer.status for answer in self._at_rest())
        return LoadState(0.0, self.rest, slips, status, self.histories, None)

    def _at_rest(self) -> list[JointResponse]:
        return [
            joint.evaluate(self.rest, history, 0.0, jacobian=False)
            for joint, history in zip(self.joints, self.histories, strict=True)
        ]

    def responses(self, x: np.ndarray, basis: FourierBasis, omega: float) -> list[CycleResponse]:
        """Return each joint over a period with the coefficients (size, r) of the modes."""
        return self._over_cycle(x, basis, omega, False)

    def frame_of(
        self, x: np.ndarray, basis: FourierBasis, omega: float, told: list[CycleResponse]
    ) -> PeriodicFrame:
        """Return a frame of a periodic motion.

        Args:
            x: (size, r) coefficients of the modes over the period that begins with the frame.
            basis: of the coefficients.
            omega: angular frequency.
            told: each joint over a period of the motion, which may begin at another instant.
        """
        now = np.asarray(basis.values[0] @ x)
        step = 2.0 * np.pi / (omega * basis.samples)
        histories = []
        for joint, each in zip(self.joints, told, strict=True):
            after = each.pairs.history
            if after.shape[
                1
            ]:  # the pairs are in their periodic state, and another period leads to the instant
                after = over_cycle(joint, x, basis, omega, after, jacobian=False).pairs.history
                after = joint.evaluate(now, after, step, jacobian=False).history
            histories.append(after)
        return PeriodicFrame(now, x, histories, [each.work / each.weights for each in told])

    def _over_cycle(
        self, x: np.ndarray, basis: FourierBasis, omega: float, derivatives: bool
    ) -> list[CycleResponse]:
        return [
            over_cycle(joint, x, basis, omega, history, jacobian=derivatives)
            for joint, history in zip(self.joints, self.histories, strict=True)
        ]

    @property
    def n_pairs(self) -> int:
        """Number of contact pairs."""
        return sum(len(history) for history in self.histories)

    @property
    def notes(self) -> dict[str, Any]:
        """Entries of the report about all motions that `responses` was asked for."""
        return {}

    def losing_pressure(self, told: list[CycleResponse]) -> int:
        """Return how many of the pairs that are closed at rest open in a period."""
        at_rest = [answer.is_closed for answer in self._at_rest()]
        opened = [(each.pairs.did & OPENED) != 0 for each in told]
        return sum(
            int(np.count_nonzero(closed & opens)) for closed, opens in zip(at_rest, opened, strict=True)
        )

    @property
    def changing_pairs(self) -> str:
        """A sentence that names the joints whose pairs changed in the last evaluations of the force; "" for none."""
        parts = []
        for name, *did in zip(self.names, *self.recent, strict=True):
            count = int(np.count_nonzero(np.any([each != did[0] for each in did[1:]], axis=0)))
            if count:
                parts.append(f"{count} pair{'s' if count > 1 else ''} of {name!r}")
        if not parts:
            return ""
        return f"From correction to correction {' and '.join(parts)} changed between sticking, slipping and open. "

    def _force(self, x: np.ndarray, basis: FourierBasis, omega: float, derivatives: bool) -> PeriodicForce:
        found = self._over_cycle(x, basis, omega, derivatives)
        self.recent.append([each.pairs.did for each in found])
        force = sum((each.force for each in found), np.zeros_like(x))
        if not derivatives:
            return PeriodicForce(force)
        jacobian = np.zeros((x.size, x.size))
        by_frequency = np.zeros_like(x)
        for each in found:
            jacobian += needed(each.jacobian)
            by_frequency += each.by_frequency
        return PeriodicForce(force, jacobian, by_frequency)
