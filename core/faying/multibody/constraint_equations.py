"""The constraints' equations of a system over the coordinates of all parts, and pᵀp = 1 of each part."""

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import scipy.linalg as la

from faying.multibody.block_matrix import MatrixBlock
from faying.multibody.connections import Connections, Place
from faying.multibody.constraints import Constraint, PairConstraint
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations
from faying.multibody.system_terms import SystemTerms

Angles = tuple[np.ndarray, ...]

_DEAD_POINT = 0.02  # smallest singular value of the equations, each of length one
_HEAVY = 0.02  # of the largest share in the dependence: constraints with smaller ones are not named


class TermTables(NamedTuple):
    """Equations as numbers, for `faying.multibody.step_kernels.newmark_step`.

    Attributes:
        arrays: of the terms and Euler parameters.
        space: (2, all equations).
        kept: (m,) which of them are met.
        turning: (c,) pairs whose angles are counted.
        wanting: constraints with a wanted value, and where their equations are.
        asks: whether there are constraints without terms, or with angles of their own.
    """

    arrays: tuple[np.ndarray, ...]
    space: np.ndarray
    kept: np.ndarray
    turning: np.ndarray
    wanting: list[tuple[PairConstraint, slice]]
    asks: bool

    def aims(self, time: float) -> np.ndarray:
        """Return (w, 3) equation, wanted value at a time, and whether it is an angle."""
        found = [
            (at.start + i, c.wanted(time), c.turns)
            for c, at in self.wanting
            for i in range(at.stop - at.start)
        ]
        return np.array(found, float).reshape(-1, 3)


class ConstraintEquations:
    """Equations of the constraints in their order, then of the parts' Euler parameters.

    Attributes:
        count: number of equations m that are kept.
        kept: (m,) their numbers among all.
        left_out: numbers of those that follow from others; those of constraints that are not active do not count.
        is_kept: of all equations.

    Args:
        members: the constraints.
        connections: of the system.
        rotations: where the Euler parameters of each moving part are among the coordinates.
        start: (n,) any position with unit Euler parameters.
        left_out: numbers of equations that are not to be met, because they follow from others.
    """

    def __init__(
        self,
        members: Sequence[Constraint],
        connections: Connections,
        rotations: Sequence[slice],
        start: np.ndarray,
        left_out: Sequence[int],
    ) -> None:
        self.members, self._connections, self._rotations = tuple(members), connections, tuple(rotations)
        self._places = [connections.places(c.marker_names(), f"constraint {c.name!r}") for c in members]
        self._n = len(start)
        first = [equations for equations, _, _ in self._found(0.0, start, self.first_angles())]
        self._counts = [len(equations.values) for equations in first]
        ends = np.cumsum([0, *self._counts])
        at = [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]
        self._pairs = [(c, own) for c, own in zip(members, at, strict=True) if isinstance(c, PairConstraint)]
        self._others = [(k, at[k]) for k, c in enumerate(members) if not isinstance(c, PairConstraint)]
        places = [
            place
            for member, own in zip(members, self._places, strict=True)
            if isinstance(member, PairConstraint)
            for place in own
        ]
        self._terms = SystemTerms(self._pairs, places, connections.ranges, self._rotations)
        # Most have the target zero and are skipped.
        self._wanting = [(c, own) for c, own in self._pairs if type(c).wanted is not PairConstraint.wanted]
        # Whose angle is that between their two markers, and whose angles are their own matter.
        own_angles = [k for k, c in enumerate(members) if len(c.first_angles())]
        self._turning = [k for k in own_angles if type(members[k]).angles is PairConstraint.angles]
        self._others_turning = [k for k in own_angles if k not in self._turning]
        number = {
            k: i for i, k in enumerate(k for k, c in enumerate(members) if isinstance(c, PairConstraint))
        }
        self._turning_pairs = np.array([number[k] for k in self._turning], dtype=np.int64)
        self.names = [
            f"{member.name}: {word}"
            for member, equations in zip(self.members, first, strict=True)
            for word in equations.words
        ]
        self._total = sum(self._counts) + len(self._rotations)
        self._parameters = np.array(
            [i for at in self._rotations for i in range(at.start, at.stop)], dtype=np.int64
        )
        self.left_out = np.array(sorted(left_out), dtype=np.int64)
        idle = [
            i for c, own in zip(members, at, strict=True) if not c.active for i in range(own.start, own.stop)
        ]
        self.kept = np.setdiff1d(np.arange(self._total), [*self.left_out, *idle])
        self.count = len(self.kept)
        self.is_kept = np.isin(np.arange(self._total), self.kept)
        # Where `tangent` has them: below the coordinates.
        begin = self._n + sum(self._counts)
        self._of_parameters = np.repeat(np.arange(begin, self._n + self._total), 4)
        self._alone = [connections.alone(self._places[k]) for k, _ in self._others]

    def first_angles(self) -> Angles:
        """Return reference angles; those of the start are taken within half a turn of them."""
        return tuple(member.first_angles() for member in self.members)

    def angles(self, q: np.ndarray, last: Angles) -> Angles:
        """Return the angles at a position, next to the last ones."""
        found = list(last)
        if self._turning:
            # Those of all pairs in one go: marker by marker they took almost half of a step of 60 bars.
            new = self._terms.angles(q)[self._turning_pairs]
            new += 2.0 * np.pi * np.round((self.turning_angles(last) - new) / (2.0 * np.pi))
            found = list(self.with_angles(last, new))
        for k in self._others_turning:
            found[k] = self.members[k].angles(self._connections.motions(self._places[k], q), last[k])
        return tuple(found)

    def turning_angles(self, angles: Angles) -> np.ndarray:
        """Return (c,) those of the pairs that are counted together."""
        return np.array([angles[k][0] for k in self._turning])

    def with_angles(self, last: Angles, new: np.ndarray) -> Angles:
        """Return the last angles with new ones (c,) of the pairs that are counted together."""
        if len(new) == len(last):
            return tuple(new[:, None])
        found = list(last)
        for k, angle in zip(self._turning, new[:, None], strict=True):
            found[k] = angle
        return tuple(found)

    def tables(self) -> "TermTables":
        """Return the equations of terms, and of Euler parameters, as numbers."""
        space, asks = np.zeros((2, self._total)), bool(self._others or self._others_turning)
        return TermTables(self._terms.arrays, space, self.kept, self._turning_pairs, self._wanting, asks)

    def evaluate(self, time: float, q: np.ndarray, angles: Angles) -> tuple[np.ndarray, np.ndarray]:
        """Return C (m,) and C_q (m, n)."""
        values, rows = self.evaluate_all(time, q, angles)
        return (values[self.kept], rows[self.kept]) if self.count < self._total else (values, rows)

    def evaluate_all(self, time: float, q: np.ndarray, angles: Angles) -> tuple[np.ndarray, np.ndarray]:
        """Return values (m,) and rows (m, n) of all equations, those left out included."""
        values, rows = np.zeros(self._total), np.zeros((self._total, self._n))
        self._terms.evaluate(q, values, rows)
        for member, at in self._wanting:
            values[at] = member.less_wanted(values[at], time)
        for k, at in self._others:
            equations, places, motions = self._found_of(k, time, q, angles)
            values[at] = equations.values
            self._connections.carry(equations.rows, places, motions, rows[at])
        return values, rows

    def add_forces(
        self, time: float, q: np.ndarray, multipliers: np.ndarray, angles: Angles, force: np.ndarray
    ) -> np.ndarray:
        """Add C_qᵀ λ to forces (n,), without the matrix, and return C (m,)."""
        spread, values = self.spread(multipliers), np.zeros(self._total)
        self._terms.add_forces(q, spread, force, values)
        for member, at in self._wanting:
            values[at] = member.less_wanted(values[at], time)
        self.add_others(time, q, multipliers, angles, force, values)
        return values[self.kept] if self.count < self._total else values

    def add_others(
        self,
        time: float,
        q: np.ndarray,
        multipliers: np.ndarray,
        angles: Angles,
        force: np.ndarray,
        values: np.ndarray,
    ) -> None:
        """Add C_qᵀ λ of constraints without terms to forces (n,), and write their C into values of all equations."""
        spread = self.spread(multipliers)
        for k, at in self._others:
            equations, places, motions = self._found_of(k, time, q, angles)
            values[at] = equations.values
            self._connections.carry((spread[at] @ equations.rows)[None], places, motions, force[None])

    def unit_rows(self, time: float, q: np.ndarray, angles: Angles, scales: np.ndarray) -> np.ndarray:
        """Return C_q (m, n) over lengths (n,), each row of length one."""
        rows = self.evaluate(time, q, angles)[1] / scales
        sizes = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(sizes > 0.0, sizes, 1.0))

    def constraints_of(self, equations: np.ndarray) -> tuple[str, ...]:
        """Return the constraints of some equations, each once; equations of Euler parameters have no constraint."""
        names = (self.names[i].rsplit(": ", 1)[0] for i in equations if i < len(self.names))
        return tuple(dict.fromkeys(names))

    def stuck(self, time: float, q: np.ndarray, angles: Angles, scales: np.ndarray) -> tuple[str, ...]:
        """Return the constraints whose equations are nearly dependent at a position; empty if all are independent.

        At such a dead point a singular value of the unit rows is small; its left vector has the shares of each.
        """
        scaled = self.unit_rows(time, q, angles, scales)
        if not len(scaled) or not np.isfinite(scaled).all():
            return ()
        left, values, _ = la.svd(scaled, full_matrices=False)
        if values[-1] > _DEAD_POINT:
            return ()
        weights = self.spread(np.linalg.norm(left[:, values <= _DEAD_POINT], axis=1))
        return self.constraints_of(np.flatnonzero(weights[: len(self.names)] > _HEAVY * weights.max()))

    def departed(self, time: float, q: np.ndarray, angles: Angles, scales: np.ndarray) -> tuple[str, float]:
        """Return the equation left out that is violated most, and the violation as a length; ("", 0.0) for none."""
        left = self.left_out
        if not len(left):
            return "", 0.0
        values, rows = self.evaluate_all(time, q, angles)
        sizes = np.linalg.norm(rows[left] / scales, axis=1)
        missed = np.abs(values[left]) / np.where(sizes > 0.0, sizes, 1.0)
        worst = int(np.argmax(missed))
        return self.names[left[worst]], float(missed[worst])

    def missed(
        self,
        time: float,
        q: np.ndarray,
        angles: Angles,
        scales: np.ndarray,
        of: Collection[str] | None = None,
    ) -> tuple[str, float]:
        """Return the kept equation that is violated most, and the violation as a length; ("", 0.0) without any.

        Args:
            time, q, angles, scales: the state, and lengths of the coordinates.
            of: names of the constraints that are looked at; None for all.
        """
        values, rows = self.evaluate(time, q, angles)
        if of is not None:
            own = [i < len(self.names) and self.names[i].rsplit(": ", 1)[0] in of for i in self.kept]
            values = np.where(own, values, 0.0)
        if not len(values) or (of is not None and not of):
            return "", 0.0
        sizes = np.linalg.norm(rows / scales, axis=1)
        missed = np.abs(values) / np.where(sizes > 0.0, sizes, 1.0)
        worst = int(np.argmax(missed))
        number = int(self.kept[worst])
        return self.names[number] if number < len(self.names) else "Euler parameters", float(missed[worst])

    def rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return ∂C/∂t and ∂²C/∂t² (m,); only prescribed motions have them, in their last equation."""
        rates = np.zeros((2, self._total))
        for member, end in zip(self.members, np.cumsum(self._counts), strict=True):
            rates[:, end - 1] = member.rates(time)
        first, second = rates[:, self.kept]
        return first, second

    def powers(self, time: float, multipliers: np.ndarray) -> dict[str, float]:
        """Return the power that each prescribed motion gives to the parts, by name: λ ∂C/∂t."""
        spread, ends = self.spread(multipliers), np.cumsum(self._counts)
        return {
            member.name: float(spread[end - 1] * member.rates(time)[0])
            for member, end in zip(self.members, ends, strict=True)
            if member.drives
        }

    def add_changes(
        self, matrix: np.ndarray, time: float, q: np.ndarray, multipliers: np.ndarray, angles: Angles
    ) -> None:
        """Add ∂(C_qᵀ λ)/∂q at constant λ to a matrix (n, n)."""
        for block in self.tangent(time, q, multipliers, angles)[0]:
            block.add_to(matrix)

    def tangent(
        self, time: float, q: np.ndarray, multipliers: np.ndarray, angles: Angles
    ) -> tuple[list[MatrixBlock], list[MatrixBlock]]:
        """Return ∂(C_qᵀ λ)/∂q at constant λ, and C_q of all equations, whose rows are counted from n on."""
        spread = self.spread(multipliers)
        *changes, of_terms = self._terms.tangent(q, spread)
        rows = [of_terms]
        for (k, at), alone in zip(self._others, self._alone, strict=True):
            connections, places, columns = alone
            own = q[columns]
            motions = connections.motions(places, own)
            equations = self.members[k].equations(motions, time, angles[k])
            moving = connections.virtual(places, motions)
            change = moving.T @ self.members[k].row_changes(motions, time, angles[k], spread[at]) @ moving
            connections.add_curvature(change, places, own, equations.rows.T @ spread[at])
            changes.append(alone.block(change))
            over = equations.rows @ moving
            numbers = self._n + np.arange(at.start, at.stop)[:, None]
            rows.append(
                MatrixBlock(np.broadcast_to(numbers, over.shape), np.broadcast_to(columns, over.shape), over)
            )
        # Euler parameters: (pᵀp − 1)/2.
        parameters, own = self._parameters, np.repeat(spread[sum(self._counts) :], 4)
        changes.append(MatrixBlock(parameters, parameters, own))
        rows.append(MatrixBlock(self._of_parameters, parameters, q[parameters]))
        return changes, rows

    def spread(self, multipliers: np.ndarray) -> np.ndarray:
        """Return (m,) multipliers of all equations; zero for those left out."""
        if self.count == self._total:
            return np.array(multipliers)
        full = np.zeros(self._total)
        full[self.kept] = multipliers
        return full

    def reactions(
        self, time: float, q: np.ndarray, multipliers: np.ndarray, angles: Angles
    ) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return force (3,) and moment (3,) of each constraint on its second marker, along the first one's axes."""
        reactions = {}
        wrenches = self.wrenches(time, q, multipliers, angles)
        for member, (_, motions, wrench) in zip(self.members, wrenches, strict=True):
            axes = motions[0].axes
            reactions[member.name] = axes.T @ wrench[6:9], axes.T @ wrench[9:12]
        return reactions

    def reaction(
        self, number: int, time: float, q: np.ndarray, multipliers: np.ndarray, angles: Angles
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,) of one constraint by its number, see `reactions`."""
        equations, _, motions = self._found_of(number, time, q, angles)
        start = sum(self._counts[:number])
        own = self.spread(multipliers)[start : start + len(equations.values)]
        wrench, axes = -(equations.rows.T @ own)[6:12], motions[0].axes
        return axes.T @ wrench[:3], axes.T @ wrench[3:]

    def wrenches(
        self, time: float, q: np.ndarray, multipliers: np.ndarray, angles: Angles
    ) -> Iterator[tuple[tuple[Place, ...], list[MarkerMotion], np.ndarray]]:
        """Yield the m markers of each constraint, and force and moment (6 m,) on them, in the inertial frame."""
        spread, start = self.spread(multipliers), 0
        for equations, places, motions in self._found(time, q, angles):
            own = spread[start : start + len(equations.values)]
            start += len(own)
            yield places, motions, -(equations.rows.T @ own)

    def without_number(self, time: float, q: np.ndarray, angles: Angles) -> str:
        """Return the name of the first constraint whose value is not finite; "" if there is none."""
        for member, (equations, _, _) in zip(self.members, self._found(time, q, angles), strict=True):
            if not np.isfinite(equations.values).all():
                return member.name
        return ""

    def _found(
        self, time: float, q: np.ndarray, angles: Angles
    ) -> list[tuple[Equations, tuple[Place, ...], list[MarkerMotion]]]:
        return [self._found_of(k, time, q, angles) for k in range(len(self.members))]

    def _found_of(
        self, k: int, time: float, q: np.ndarray, angles: Angles
    ) -> tuple[Equations, tuple[Place, ...], list[MarkerMotion]]:
        motions = self._connections.motions(self._places[k], q)
        return self.members[k].equations(motions, time, angles[k]), self._places[k], motions
