"""Statics of a body some of whose motions are controlled: cuts of bolts, and nodes whose displacements are given.

A motion s = e · x is free under a given force T, which does work on it and so is a load eᵀ T, or it is held at a given
value, a linear constraint e · x = s whose force follows from equilibrium. A bolt that is pulled with a tension is the
first; locked at its length it is the second, and its tension changes with the loads as that of a real bolt does
(pre-tension sections of Abaqus and CalculiX). So are a displaced node that is set free, and one that is held.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.joints.interface import JointResponse
from faying.linalg.symmetric import is_sparse
from faying.progress import Progress
from faying.records import record
from faying.solvers.hard_contact import AnyJointForce, HardContactSolution
from faying.solvers.load_steps import Arrays, Solve, SolvedState
from faying.solvers.tangent import SparseTangent


@record("motion states")
class MotionStates:
    """State of the controlled motions.

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
        """Return motions that nothing controls: slack bolts, free nodes."""
        return cls(np.zeros(count, bool), np.zeros(count), np.zeros(count))


@dataclass(frozen=True, eq=False)
class LoadSegment:
    """A straight part of a load path, on which loads, forces and held values change linearly.

    Attributes:
        first_loads, last_loads: (n,) of everything but the controlled motions, at its start and end.
        first: the controlled motions at its start.
        last: at its end; `held` are those that are held on it, `forces` count for the others, `values` for the held.
    """

    first_loads: np.ndarray
    last_loads: np.ndarray
    first: MotionStates
    last: MotionStates

    def loads(self, share: float) -> np.ndarray:
        """Return (n,) loads at a share of the segment."""
        return np.asarray(self.first_loads + share * (self.last_loads - self.first_loads))

    def motions(self, share: float) -> MotionStates:
        """Return the motions at a share of the segment; forces along held ones are still those at its start."""
        first, last = self.first, self.last
        forces = first.forces + share * (last.forces - first.forces)
        values = first.values + share * (last.values - first.values)
        return MotionStates(
            last.held,
            np.where(last.held, first.forces, forces),
            np.where(last.held, values, first.values),
        )


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
class DisplacementControlledBody:
    """Equations of a held body with controlled motions, reduced (dense) or not (CSR).

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
        return self.sparse_tangent(held) if is_sparse(self.stiffness) else None

    def sparse_tangent(self, held: np.ndarray) -> SparseTangent:
        """Return the solver for tangents of a sparse stiffness while some motions are held; it keeps its factor."""
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
            loads: (n,) of everything but the controlled motions.
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

    def solver(self, segment: LoadSegment, equilibrium: Callable[..., HardContactSolution]) -> Solve:
        """Return a function that finds the equilibrium at a share (0 to 1) of a segment.

        Args:
            segment: of the load path.
            equilibrium: with the arguments of `solve_hard_contact`.
        """

        def solve(
            share: float, guess: np.ndarray, histories: Arrays, depths: Arrays | None, progress: Progress
        ) -> HardContactSolution:
            now = segment.motions(share)
            given = np.where(now.held, 0.0, now.forces)
            return equilibrium(
                self.stiffness, segment.loads(share) + self.motions.T @ given, self.joints, guess, progress,
                histories=histories, depths=depths, constraints=self.constrained(now.held),
                tangent=self.tangent(now.held), values=self.given(now.held, now.values),
            )  # fmt: skip

        return solve

    def motions_at(self, segment: LoadSegment, solved: SolvedState) -> MotionStates:
        """Return the motions in a state on a segment, with the forces and values that were found."""
        now, x = segment.motions(solved.state.load), solved.state.coordinates
        forces = self.forces(x, solved.solution.responses, segment.loads(solved.state.load), now)
        values = np.where(now.held, now.values, np.asarray(self.motions @ x).ravel())
        return replace(now, forces=forces, values=values)
