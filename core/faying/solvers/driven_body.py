"""Statics of a body some of whose motions are driven: cuts of bolts, and nodes whose displacements are given.

A motion s = e · x is free under a given force T, which does work on it and so is a load eᵀ T, or it is held at a given
value, a linear constraint e · x = s whose force follows from equilibrium. A bolt that is pulled with a tension is the
first; locked at its length it is the second, and its tension changes with the loads as that of a real bolt does
(pre-tension sections of Abaqus and CalculiX). So are a displaced node that is set free, and one that is held.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.joints.interface import JointResponse
from faying.linalg.symmetric import is_sparse
from faying.progress import Progress
from faying.solvers.hard_contact import AnyJointForce, HardContactSolution
from faying.solvers.load_steps import LoadState, Solve
from faying.solvers.tangent import SparseTangent


@dataclass(frozen=True, eq=False)
class MotionStates:
    """State of the driven motions.

    Attributes:
        held: (b,) which are held at their values.
        forces: (b,) that act along them: tensions of bolts, reactions at displaced nodes.
        values: (b,) overlaps of bolts, displacements and rotations of nodes.
    """

    held: np.ndarray
    forces: np.ndarray
    values: np.ndarray

    @classmethod
    def free(cls, count: int) -> "MotionStates":
        """Return motions that nothing drives: slack bolts, free nodes."""
        return cls(np.zeros(count, bool), np.zeros(count), np.zeros(count))


@dataclass(frozen=True, eq=False)
class Leg:
    """A straight part of the load path: loads, forces and held values change linearly up to those given here.

    Attributes:
        loads: (n,) of everything but the driven motions, at its end.
        held: (b,) which motions are held on it.
        forces: (b,) at its end along those that are free.
        values: (b,) at its end of those that are held.
    """

    loads: np.ndarray
    held: np.ndarray
    forces: np.ndarray
    values: np.ndarray


def constraint_forces(rows: Any, unbalanced: np.ndarray) -> np.ndarray:
    """Return (m,) forces λ of constraints C x = d in an equilibrium, those that act on the body: Cᵀ λ = K x − f.

    Args:
        rows: C (m, n), few rows; dense or CSR.
        unbalanced: (n,) K x − f, elastic forces without all others.
    """
    # C Cᵀ is a small dense matrix; rows are scaled to length one.
    product = rows @ rows.T
    gram = np.asarray(product.toarray() if is_sparse(product) else product)
    sizes = np.sqrt(np.diag(gram))
    gram = gram / np.outer(sizes, sizes)
    return np.asarray(np.linalg.lstsq(gram, (rows @ unbalanced) / sizes, rcond=None)[0] / sizes)


@dataclass
class DrivenBody:
    """Equations of a held body with driven motions, reduced (dense) or not (CSR).

    Attributes:
        stiffness: K (n, n).
        joints: joint forces over the same coordinates.
        motions: (b, n) rows e; dense or CSR.
        constraints: C, CSR (m, n) of full row rank, None without.
    """

    stiffness: Any
    joints: Sequence[AnyJointForce]
    motions: Any
    constraints: sp.csr_matrix | None = None
    _tangents: dict[bytes, SparseTangent] = field(default_factory=dict, repr=False)

    def constrained(self, held: np.ndarray) -> Any:
        """Return the rows of all constraints while some motions are held; None without any."""
        rows = self.motions[np.flatnonzero(held)]
        if self.constraints is None:
            return rows if held.any() else None
        return sp.vstack([self.constraints, rows], format="csr")

    def given(self, held: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the values of these constraints, from those of all motions (b,)."""
        others = 0 if self.constraints is None else self.constraints.shape[0]
        return np.concatenate([np.zeros(others), values[held]])

    def tangent(self, held: np.ndarray) -> SparseTangent | None:
        """Return the solver for sparse tangents while some motions are held, which keeps its factor; None if dense."""
        if not is_sparse(self.stiffness):
            return None
        key = held.tobytes()
        if key not in self._tangents:
            self._tangents = {key: SparseTangent(self.stiffness, self.constrained(held))}
        return self._tangents[key]

    def forces(
        self, x: np.ndarray, answers: Sequence[JointResponse], loads: np.ndarray, states: MotionStates
    ) -> np.ndarray:
        """Return (b,) forces in an equilibrium: given ones, and along held motions those that hold them.

        Args:
            x: (n,) coordinates.
            answers: of the joints there.
            loads: (n,) of everything but the driven motions.
            states: the motions, with the forces along those that are free.
        """
        found, held = states.forces.copy(), np.flatnonzero(states.held)
        if not len(held):
            return found
        given = np.where(states.held, 0.0, states.forces)
        left = self.stiffness @ x - loads - self.motions.T @ given
        left = left - sum((answer.force for answer in answers), np.zeros(len(x)))
        of_all = constraint_forces(self.constrained(states.held), left)
        found[held] = of_all[len(of_all) - len(held) :]
        return found

    def solver(
        self, leg: Leg, loads: np.ndarray, states: MotionStates, equilibrium: Callable[..., Any]
    ) -> Solve:
        """Return a function that finds the equilibrium at a share (0 to 1) of a leg.

        Args:
            leg: the leg.
            loads: (n,) at its start.
            states: the driven motions at its start.
            equilibrium: `faying.analyses.held.ContactStatics.equilibrium`.
        """

        def solve(
            share: float, guess: np.ndarray, histories: list[np.ndarray], depths: list[np.ndarray] | None,
            progress: Progress,
        ) -> HardContactSolution:  # fmt: skip
            now = self.at(leg, states, share)
            given = np.where(now.held, 0.0, now.forces)
            force = loads + share * (leg.loads - loads) + self.motions.T @ given
            found: HardContactSolution = equilibrium(
                self.stiffness, force, self.joints, guess, progress, histories=histories, depths=depths,
                constraints=self.constrained(now.held), tangent=self.tangent(now.held),
                values=self.given(now.held, now.values),
            )  # fmt: skip
            return found

        return solve

    def at(self, leg: Leg, states: MotionStates, share: float) -> MotionStates:
        """Return the motions at a share of a leg; forces along held ones are still those at its start."""
        forces = states.forces + share * (leg.forces - states.forces)
        values = states.values + share * (leg.values - states.values)
        return MotionStates(
            leg.held,
            np.where(leg.held, states.forces, forces),
            np.where(leg.held, values, states.values),
        )

    def after(self, leg: Leg, loads: np.ndarray, states: MotionStates, reached: LoadState) -> MotionStates:
        """Return the motions in a state on a leg, with the forces and values that were found."""
        assert reached.solution is not None
        acting = loads + reached.load * (leg.loads - loads)
        now = self.at(leg, states, reached.load)
        x = reached.coordinates
        forces = self.forces(x, reached.solution.responses, acting, now)
        values = np.where(now.held, now.values, np.asarray(self.motions @ x).ravel())
        return MotionStates(now.held, forces, values)
