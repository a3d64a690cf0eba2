"""Statics of a body with bolts that are slack, pulled with a given tension, or locked at their length.

The overlap of a bolt's cut is a motion s = e · x of its own. A tension T does work on it, so that it is a load eᵀ T. A
bolt that is locked keeps its overlap, a linear constraint e · x = s; the tension is then the constraint's force, and
changes with the loads as that of a real bolt does (pre-tension sections of Abaqus and CalculiX).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.joints.interface import JointResponse
from faying.progress import Progress
from faying.solvers.hard_contact import AnyJointForce, HardContactSolution
from faying.solvers.load_steps import LoadState, Solve
from faying.solvers.tangent import SparseTangent


@dataclass(frozen=True, eq=False)
class BoltStates:
    """How the bolts stand that are cut.

    Attributes:
        locked: (b,) which keep their overlap.
        tensions: (b,).
        overlaps: (b,).
    """

    locked: np.ndarray
    tensions: np.ndarray
    overlaps: np.ndarray

    @classmethod
    def slack(cls, count: int) -> "BoltStates":
        """Return bolts that nobody has tightened."""
        return cls(np.zeros(count, bool), np.zeros(count), np.zeros(count))


@dataclass(frozen=True, eq=False)
class Leg:
    """One straight piece of way: all that acts goes linearly from what it was to what it is to be.

    Attributes:
        loads: (n,) of everything but the bolts, at its end.
        bolt: number of the bolt that is tightened; −1 for none.
        tension: to which it is pulled, or None where it is turned.
        turned: by how much its overlap grows, without a tension.
    """

    loads: np.ndarray
    bolt: int = -1
    tension: float | None = None
    turned: float = 0.0


@dataclass
class BoltedBody:
    """Equations of a held body with bolts, reduced (dense) or not (CSR).

    Attributes:
        stiffness: K (n, n).
        joints: joint forces over the same coordinates.
        overlaps: (b, n) rows e of the bolts; dense or CSR.
        dofs: (b,) coordinate of each bolt that nothing else moves; None where there is none (reduced).
        constraints: C, CSR (m, n), None without.
    """

    stiffness: Any
    joints: Sequence[AnyJointForce]
    overlaps: Any
    dofs: np.ndarray | None = None
    constraints: sp.csr_matrix | None = None
    _tangents: dict[bytes, SparseTangent] = field(default_factory=dict, repr=False)

    def constrained(self, locked: np.ndarray) -> Any:
        """Return the rows of all constraints while some bolts are locked; None without any."""
        rows = self.overlaps[np.flatnonzero(locked)]
        if self.constraints is None:
            return rows if locked.any() else None
        return sp.vstack([self.constraints, rows], format="csr")

    def tangent(self, locked: np.ndarray) -> SparseTangent | None:
        """Return what solves with sparse tangents while some bolts are locked, with the factor of last time."""
        if self.dofs is None:  # dense
            return None
        key = locked.tobytes()
        if key not in self._tangents:
            self._tangents = {key: SparseTangent(self.stiffness, self.constrained(locked))}
        return self._tangents[key]

    def tensions(
        self, x: np.ndarray, answers: Sequence[JointResponse], loads: np.ndarray, states: BoltStates
    ) -> np.ndarray:
        """Return (b,) tensions in an equilibrium: given ones, and those of locked bolts from what they hold.

        Args:
            x: (n,) coordinates.
            answers: of the joints there.
            loads: (n,) of everything but the bolts.
            states: the bolts, with the tensions of those that are not locked.
        """
        found, locked = states.tensions.copy(), np.flatnonzero(states.locked)
        if not len(locked):
            return found
        given = np.where(states.locked, 0.0, states.tensions)
        left = loads + self.overlaps.T @ given - self.stiffness @ x
        left = left + sum((answer.force for answer in answers), np.zeros(len(x)))
        if self.dofs is None:
            found[locked] = -np.linalg.lstsq(self.overlaps[locked].T, left, rcond=None)[0]
        else:
            at = self.dofs[locked]
            found[locked] = -left[at] / np.array(
                [self.overlaps[b, d] for b, d in zip(locked, at, strict=True)]
            )
        return found

    def solver(
        self, leg: Leg, loads: np.ndarray, states: BoltStates, equilibrium: Callable[..., Any]
    ) -> Solve:
        """Return what finds the equilibrium at a share of a leg.

        Args:
            leg: the leg.
            loads: (n,) at its start.
            states: the bolts at its start.
            equilibrium: `faying.analyses.held.ContactStatics.equilibrium`.
        """

        def solve(
            share: float, guess: np.ndarray, histories: list[np.ndarray], depths: list[np.ndarray] | None,
            progress: Progress,
        ) -> HardContactSolution:  # fmt: skip
            now = self.at(leg, states, share)
            given = np.where(now.locked, 0.0, now.tensions)
            force = loads + share * (leg.loads - loads) + self.overlaps.T @ given
            values = now.overlaps[now.locked]
            if self.constraints is not None:
                values = np.concatenate([np.zeros(self.constraints.shape[0]), values])
            found: HardContactSolution = equilibrium(
                self.stiffness, force, self.joints, guess, progress, histories=histories, depths=depths,
                constraints=self.constrained(now.locked), tangent=self.tangent(now.locked), values=values,
            )  # fmt: skip
            return found

        return solve

    def at(self, leg: Leg, states: BoltStates, share: float) -> BoltStates:
        """Return how the bolts are driven at a share of a leg; tensions of locked ones follow from equilibrium."""
        if leg.bolt < 0:
            return states
        locked, tensions, overlaps = states.locked.copy(), states.tensions.copy(), states.overlaps.copy()
        locked[leg.bolt] = leg.tension is None
        if leg.tension is None:
            overlaps[leg.bolt] += share * leg.turned
        else:
            tensions[leg.bolt] += share * (leg.tension - tensions[leg.bolt])
        return BoltStates(locked, tensions, overlaps)

    def after(self, leg: Leg, loads: np.ndarray, states: BoltStates, reached: LoadState) -> BoltStates:
        """Return the bolts in a state on a leg, with the tensions and overlaps that were found."""
        assert reached.solution is not None
        acting = loads + reached.load * (leg.loads - loads)
        now = self.at(leg, states, reached.load)
        x = reached.coordinates
        tensions = self.tensions(x, reached.solution.responses, acting, now)
        overlaps = np.where(now.locked, now.overlaps, np.asarray(self.overlaps @ x).ravel())
        return BoltStates(now.locked, tensions, overlaps)


def released(states: BoltStates, leg: Leg) -> BoltStates:
    """Return the bolts after a leg: the one that was tightened is locked, or slack where it carries nothing."""
    if leg.bolt < 0:
        return states
    locked = states.locked.copy()
    locked[leg.bolt] = leg.tension is None or leg.tension > 0.0
    return replace(states, locked=locked)
