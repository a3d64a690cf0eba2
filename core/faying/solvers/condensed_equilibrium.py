"""Equilibria of an FE model with contact, many near one reference, condensed to the pairs that differ from it.

At equilibrium K x + Cᵀ λ = f + Gᵀ s(G x), C x = d. The rows G give slips and gap of each contact pair, its law the
force s. With the tangent B of the laws in a reference state, factored once as K_ref = K − Gᵀ B G,

    K_ref x + Cᵀ λ = f + Gᵀ r(G x),    r(u) = s(u) − B u.

A pair whose law keeps the reference's tangent keeps its r: only those that opened, closed, slid or stuck since are
unknown. With the compliance W = G P Gᵀ, P the solution with the factor, their Newton iteration is a small dense one,
and a state costs two solutions with the factor, which many states share as blocks. Where many pairs have opened or
closed since, the reference follows without a new factor (`Compliances.refer_to`). The iteration is Newton's method
on the whole FE model, condensed to the contact as by Francavilla and Zienkiewicz (1975), and ends with its residual.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.errors import SolveError
from faying.joints.interface import JointResponse, SparseJointForce, pair_forces
from faying.joints.jacobian import local_blocks
from faying.joints.kinematics import SparseRows
from faying.joints.linearized import pair_springs
from faying.joints.pointwise import PointForces, joint_size, pointwise
from faying.linalg.factor import Factor, factorize
from faying.linalg.symmetric import SymmetricPart
from faying.linalg.threads import one_thread
from faying.progress import Progress
from faying.solvers.compliances import Compliances
from faying.solvers.kept_factor import Differing, KeptFactor
from faying.solvers.newton import search_line

# Above this number of differing components of pairs, a state from which half as many would differ becomes the
# reference: its compliances cost as much again, and a system of so many unknowns a second.
_MAX_DIFFERING = 2000
# A change of the reference: components that change, at least; their share of those that differ, and how large it is for
# a change that does not wait for so many states; components at most that are not as in the factor.
_LEAST_CHANGE, _CHANGE, _LARGE_CHANGE, _LEAST_AGE, _MOST_CHANGED = 48, 0.15, 0.5, 8, 1500
_FAR_OFF = 0.1  # share of the pair forces out of balance, of a state that was not found
_MAX_ITERATIONS = 40  # of the small Newton iteration
_EASY = 4  # iterations, after which steps are exact
_MAX_TRIALS = 12  # of a search along a step
_SHORT_STEP = 0.01  # share of a step that is short
_MAX_SHORT_STEPS = 8  # of an iteration, which ends then
# It ends, too, after so many steps without a residual smaller by this factor, once it is this share of the forces.
_PROGRESS, _PATIENCE, _JUMP = 0.95, 8, 1e-3
_MAX_ROUNDS = 12  # of pairs that turn out to differ
_ROUND_OFF = 1e-9  # difference of a force or tangent, relative to the largest, that is round-off
_INNER_ACCURACY = 0.1  # of the accuracy, for the inner iteration

_ORDER, _SIGNS = [1, 2, 0], (-1.0, -1.0, 1.0)  # of `pair_forces`: forces with the signs of slips and gap

Points = Sequence[PointForces]


@dataclass(frozen=True, eq=False)
class CondensedState:
    """An equilibrium of the FE model.

    Attributes:
        displacement: (n,).
        responses: of the joints.
        out_of_balance: pair forces by the laws minus those in balance with the body, relative to the largest so far,
            each by the root of its sum of squares.
    """

    displacement: np.ndarray
    responses: list[JointResponse]
    out_of_balance: float


@dataclass(eq=False)
class _Last:
    """The last state: slips and gaps without pair forces and with them, r, histories; how r and u changed with it.

    All but the histories are (n_pairs, 3); r is that of the reference, slips and gaps without forces are the factor's.
    The last entry is the share of the pair forces that is out of balance.
    """

    free: np.ndarray
    u: np.ndarray
    rest: np.ndarray
    histories: Sequence[np.ndarray]
    change: np.ndarray
    moved: np.ndarray
    off: float


class CondensedEquilibrium:
    """Solves for equilibria of an FE model with contact, one after the other.

    Args:
        stiffness: K (n, n).
        constraints: C (m, n), or None.
        rows: of each joint over the dofs.

    Attributes:
        factorisations: number of factors that were made.
        solutions: number of right-hand sides that were solved for.
        is_outdated: whether the last state would be a better reference than the one in use.
    """

    def __init__(
        self,
        stiffness: sp.csr_matrix | SymmetricPart,
        constraints: sp.csr_matrix | None,
        rows: Sequence[SparseRows],
    ) -> None:
        self._stiffness, self._constraints = stiffness, constraints
        self._rows = sp.vstack([_pair_rows(each) for each in rows]).tocsr()
        self._columns = self._rows.T.tocsr()
        ends = np.cumsum([0, *(len(each.weights) for each in rows)]).tolist()
        self._parts = [slice(*part) for part in pairwise(ends)]  # the pairs of each joint
        self.n_pairs = ends[-1]
        self.factorisations = self.solutions = 0
        self.is_outdated = True
        self._kept_factor = KeptFactor()
        self._compliances = Compliances(3 * self.n_pairs, self._answers)
        self._scale = 0.0

    @property
    def n_kept(self) -> int:
        """Number of components of pairs whose compliances were made: they differed from the reference in some state."""
        return self._compliances.count

    def refer_to(
        self,
        x: np.ndarray,
        joints: Sequence[SparseJointForce],
        histories: Sequence[np.ndarray],
        progress: Progress,
    ) -> None:
        """Make a state near equilibrium the reference, with all closed pairs stuck, and the last state.

        Args:
            x: (n,) its displacements.
            joints: with the rows of this solver but for their initial gaps.
            histories: (n_pairs, h) committed friction of each joint.
            progress: reports and cancels.

        Raises:
            SingularSystemError: when the body is loose in this state.
        """
        self._factor: Factor | None = None  # frees its memory before the next one is made
        u = self._over_pairs(x[:, None])[0]
        points = self._points(u, joints, histories)
        self._tangents = self._factored = self._stuck(points, joints)
        self.is_outdated, self._age = False, _LEAST_AGE
        n = self.n_pairs
        blocks = sp.bsr_matrix((self._tangents, np.arange(n), np.arange(n + 1)), shape=(3 * n, 3 * n))
        joined = sp.csr_matrix(self._columns @ (blocks.tocsr() @ self._rows))
        reference = SymmetricPart.whole(self._stiffness) - 0.5 * (joined + joined.T)
        self._factor = factorize(reference, self._constraints, progress=progress)
        self.factorisations += 1
        self._kept_factor, self._compliances = KeptFactor(), Compliances(3 * n, self._answers)
        rest = self._forces(points, joints) - _times(self._tangents, u)
        free = u - self._over_pairs(self._solved(self._on_dofs(rest[None]), None))[0]
        self._last = _Last(free, u, rest, histories, np.zeros_like(rest), np.zeros_like(rest), 0.0)

    def solve(
        self,
        loads: np.ndarray,
        values: np.ndarray | None,
        joints: Sequence[Sequence[SparseJointForce]],
        histories: Sequence[Sequence[np.ndarray] | None],
        accuracy: float,
        progress: Progress,
    ) -> list[CondensedState]:
        """Return the equilibria of k states or of the first of them, each by Newton's method from the one before.

        It ends early after a state that would be a better reference (`is_outdated`).

        Args:
            loads: (n, k).
            values: d (m, k); zero without them.
            joints: of each state; they differ in initial gaps and laws.
            histories: committed friction of each state; None for that of the state before.
            accuracy: largest `CondensedState.out_of_balance`.
            progress: reports and cancels.

        Raises:
            SolveError: when a state does not come into balance.
        """
        count = loads.shape[1]
        x = self._solved(loads, values)
        rest: list[np.ndarray] = []
        started: list[Sequence[np.ndarray]] = []
        free = self._over_pairs(x)
        steps = np.diff(free, axis=0, prepend=self._last.free[None])
        moves, reference = self._referred(steps), self._tangents
        for i in range(count):
            progress.report(0.9 * i / count, f"{self.n_kept} of {3 * self.n_pairs} forces of pairs differ")
            own = histories[i]
            started.append(self._last.histories if own is None else own)
            with one_thread():  # more of them wait for each other in systems of some hundred unknowns
                self._last = self._balanced(steps[i], moves[i], joints[i], started[i], accuracy, progress)
                self._last.free = free[i]
                rest.append(self._last.rest + _times(self._tangents - self._factored, self._last.u))
                if self._follow(joints[i]):
                    self.is_outdated = False
                if self._tangents is not reference:
                    moves, reference = self._referred(steps), self._tangents
            if self.is_outdated:
                break
        x = x[:, : len(rest)] + self._solved(self._on_dofs(np.stack(rest)), None)
        found = []
        for i, u in enumerate(self._over_pairs(x)):
            answers = [
                j.evaluate(x[:, i], h, 0.0, jacobian=False)
                for j, h in zip(joints[i], started[i], strict=True)
            ]
            forces = self._forces(answers, joints[i])
            off = forces - _times(self._factored, u) - rest[i]
            error = float(np.linalg.norm(off)) / self._scale_of(forces)
            self._scale = self._scale_of(forces)
            found.append(CondensedState(x[:, i], answers, error))
        # Free of the round-off of many small steps.
        self._last.u, self._last.rest = u, rest[-1] - _times(self._tangents - self._factored, u)
        return found

    def _balanced(
        self, step: np.ndarray, move: np.ndarray, joints: Sequence[SparseJointForce],
        histories: Sequence[np.ndarray], accuracy: float, progress: Progress,
    ) -> _Last:  # fmt: skip
        """Return the equilibrium of one state, from the last one; if need be with the factor's own reference.

        One in which all pairs are open is soft: a law whose stiffness grows with the pressure may not be reached.

        Args:
            step, move: (n_pairs, 3) change of slips and gaps by the loads alone, with the factor and the reference.
            joints, histories, accuracy, progress: as of `solve`.
        """
        scale = self._scale
        try:
            found = self._balance(move, joints, histories, accuracy, progress)
            if self._tangents is self._factored or found.off < _FAR_OFF:
                return found
        except SolveError:
            if self._tangents is self._factored:
                raise
        self._scale = scale
        self._refer(self._factored)
        return self._balance(step, joints, histories, accuracy, progress)

    def _balance(
        self, move: np.ndarray, joints: Sequence[SparseJointForce], histories: Sequence[np.ndarray],
        accuracy: float, progress: Progress,
    ) -> _Last:  # fmt: skip
        """Return the equilibrium of one state; see `_balanced`."""
        last, before = self._last, np.inf
        u, rest, moved = self._predicted(move, joints, histories)
        active = np.zeros(0, np.int64)  # components that differ
        for _ in range(_MAX_ROUNDS):
            points = self._points(u, joints, histories)
            forces, tangents = self._forces(points, joints), self._tangents_of(points, joints)
            off = forces - _times(self._tangents, u) - rest
            size, known = float(np.linalg.norm(off)) / self._scale_of(forces), len(active)
            if size > _INNER_ACCURACY * accuracy:
                active = np.union1d(active, self._differing(off, tangents - self._tangents, forces))
            if size <= _INNER_ACCURACY * accuracy or (size > 0.5 * before and len(active) == known):
                # Fewer than were solved for, since pairs differed on the way.
                self._n_differing = int(np.count_nonzero(self._differs(tangents - self._tangents)))
                self._judge_reference(points, tangents, joints, self._n_differing)
                self._scale = self._scale_of(forces)
                ended = [each.history for each in points]
                return _Last(last.free, u, rest, ended, rest - last.rest, moved, size)
            before = size
            self._compliances.keep(active, progress)
            pairs = np.unique(active // 3)
            spread = (3 * pairs[:, None] + np.arange(3)).ravel()
            at = Differing(
                pairs, active, np.searchsorted(spread, active), self._compliances.among(active, spread)
            )
            change = self._newton(at, u[pairs], rest[pairs], joints, histories, accuracy)
            rest.ravel()[active] += change
            step = self._compliances.moved(active, change).reshape(-1, 3)
            u, moved = u + step, moved + step
        raise SolveError(
            f"The FE model does not come into balance in {_MAX_ROUNDS} rounds.",
            "Correct frames that are nearer to each other, or use a softer contact law.",
        )

    def _predicted(
        self, move: np.ndarray, joints: Sequence[SparseJointForce], histories: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return slips and gaps, r, and how u changes with r: r of the last state, or changing as before if nearer."""
        last = self._last
        still = last.u + move, last.rest.copy(), np.zeros_like(last.u)
        if not last.change.any():
            return still
        ahead = still[0] + last.moved, last.rest + last.change, last.moved
        missed = []
        for u, rest, _ in (still, ahead):
            forces = self._forces(self._points(u, joints, histories), joints)
            missed.append(float(np.linalg.norm(forces - _times(self._tangents, u) - rest)))
        return ahead if missed[1] < missed[0] else still

    def _judge_reference(
        self, points: Points, tangents: np.ndarray, joints: Sequence[SparseJointForce], differing: int
    ) -> None:
        """Decide whether a state, in which so many components differ, would be a better reference."""
        if max(differing, self.n_kept // 3) > _MAX_DIFFERING:
            off = np.abs(tangents - self._stuck(points, joints)).max(axis=2, initial=0.0)
            would = np.count_nonzero(off > _ROUND_OFF * np.abs(tangents).max(initial=0.0))
            self.is_outdated = bool(would < 0.5 * differing)

    def _follow(self, joints: Sequence[SparseJointForce]) -> bool:
        """Let pairs be open in the reference that are so in the last state, and closed likewise, if they are many.

        Returns whether it was done: its work grows with the number of all pairs that are not as in the factor.
        """
        last, self._age = self._last, self._age + 1
        wanted = self._stuck(self._points(last.u, joints, last.histories), joints)
        changed = wanted.any(axis=(1, 2)) != self._tangents.any(axis=(1, 2))
        # A pair that has just closed does not slip yet: it lacks two compliances.
        needs = (wanted - self._factored).any(axis=2)
        changed &= (self._compliances.kept.reshape(-1, 3) | ~needs).all(axis=1)
        number = np.count_nonzero(wanted[changed].any(axis=2) | self._tangents[changed].any(axis=2))
        share = _CHANGE if self._age >= _LEAST_AGE else _LARGE_CHANGE
        if number < max(_LEAST_CHANGE, share * self._n_differing):
            return False
        tangents = np.where(changed[:, None, None], wanted, self._tangents)
        if len(_with_entries(tangents - self._factored)) > _MOST_CHANGED:
            return False
        self._refer(tangents)
        return True

    def _refer(self, tangents: np.ndarray) -> None:
        """Give the reference tangents (n_pairs, 3, 3) that differ from the factor's at kept components alone."""
        n, last, from_factor = self.n_pairs, self._last, tangents - self._factored
        components = _with_entries(from_factor)
        blocks = sp.bsr_matrix((from_factor, np.arange(n), np.arange(n + 1)), shape=(3 * n, 3 * n)).tocsr()
        self._compliances.refer_to(components, blocks[components][:, components].toarray())
        last.rest = last.rest - _times(tangents - self._tangents, last.u)
        last.change, last.moved = np.zeros_like(last.u), np.zeros_like(last.u)
        self._tangents, self._age, self._kept_factor = tangents, 0, KeptFactor()

    def _scale_of(self, forces: np.ndarray) -> float:
        """Return the root of the sum of squares of pair forces, or the largest one of the states found before."""
        return max(self._scale, float(np.linalg.norm(forces))) or 1.0

    def _stuck(self, points: Points, joints: Sequence[SparseJointForce]) -> np.ndarray:
        """Return the tangents (n_pairs, 3, 3) of a reference: closed pairs are springs, with friction stuck ones."""
        found = np.zeros((self.n_pairs, 3, 3))
        for joint, own, each in zip(joints, self._parts, points, strict=True):
            springs = pair_springs(joint.contact_law, joint.friction_law, each, joint.rows.weights, "stuck")
            found[own, :2, :2] = -springs.tangential
            found[own, 2, 2] = -springs.normal
        return found

    def _differing(self, off: np.ndarray, tangents: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """Return the components of pairs whose force, or its tangent, is not that of the reference."""
        force = np.abs(off) > _ROUND_OFF * np.abs(forces).max(initial=0.0)
        return np.flatnonzero(force | self._differs(tangents))

    def _differs(self, tangents: np.ndarray) -> np.ndarray:
        """Return (m, 3) which rows of differences of tangents (m, 3, 3) are more than round-off."""
        return np.asarray(np.abs(tangents).max(axis=2) > _ROUND_OFF * np.abs(self._tangents).max(initial=0.0))

    def _newton(
        self, differing: Differing, at: np.ndarray, base: np.ndarray,
        joints: Sequence[SparseJointForce], histories: Sequence[np.ndarray], accuracy: float,
    ) -> np.ndarray:  # fmt: skip
        """Return the change (c,) of r that differing components need.

        Args:
            differing: the components, and their compliances.
            at, base: (m, 3) slips and gaps of their pairs, and r there.
            joints, histories, accuracy: as of `solve`.
        """
        pairs, places = differing.pairs, differing.places
        reference, change = self._tangents[pairs], np.zeros(len(places))

        def left_over(at: np.ndarray, change: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            points = self._points(at, joints, histories, pairs)
            forces, tangents = self._forces(points, joints, pairs), self._tangents_of(points, joints, pairs)
            off = (forces - _times(reference, at) - base).ravel()[places] - change
            return off, tangents - reference, forces

        off, tangents, forces = left_over(at, change)
        best, smallest, short, idle = change, float(np.linalg.norm(off)), 0, 0
        for i in range(_MAX_ITERATIONS):
            rows = self._differs(tangents)
            step = self._kept_factor.solve(differing, tangents, off, rows, exact=i >= _EASY)
            moves = (step @ differing.compliance).reshape(-1, 3)

            def along(length: Any, start: Any = (at, change, moves, step)) -> np.ndarray:
                return left_over(start[0] + length * start[2], start[1] + length * start[3])[0]

            def rate(_: Any, off: np.ndarray, moves: np.ndarray = moves) -> float:
                return float(moves.ravel()[places] @ off)

            length, _, _ = search_line(along, np.zeros(1), np.ones(1), rate(None, off), _MAX_TRIALS, rate)
            # A stiff contact that closes on the way stops every search at once; the whole step finds the pairs that are
            # closed at its end, as active set methods do.
            short += length < _SHORT_STEP
            length = 1.0 if length < _SHORT_STEP else length
            at, change = at + length * moves, change + length * step
            off, tangents, forces = left_over(at, change)
            size = float(np.linalg.norm(off))
            idle = 0 if size < _PROGRESS * smallest else idle + 1
            if size < smallest:
                best, smallest = change, size
            # A law whose friction does not vanish with the pressure jumps where a pair opens: there may be no balance,
            # and steps go round and round.
            scale = self._scale_of(forces)
            goes_round = idle >= _PATIENCE and smallest <= _JUMP * self._scale
            if size <= _INNER_ACCURACY * accuracy * scale or short >= _MAX_SHORT_STEPS or goes_round:
                break
        return best

    def _points(
        self, u: np.ndarray, joints: Sequence[SparseJointForce], histories: Sequence[np.ndarray],
        pairs: np.ndarray | None = None,
    ) -> list[PointForces]:  # fmt: skip
        """Return the laws' response to slips and changes of gaps u (m, 3) of ascending pairs (m,), by default all."""
        found = []
        for joint, history, own in zip(joints, histories, self._parts, strict=True):
            rows = own if pairs is None else slice(*np.searchsorted(pairs, (own.start, own.stop)))
            which: Any = slice(None) if pairs is None else pairs[rows] - own.start
            at = u[rows]
            found.append(pointwise(
                joint.contact_law, joint.friction_law, joint.rows.initial_gaps[which] + at[:, 2],
                at[:, :2].__getitem__, history[which], 0.0, size=joint_size(joint.rows.weights),
                limits=None if joint.limits is None else joint.limits[which],
            ))  # fmt: skip
        return found

    def _forces(
        self, points: Points, joints: Sequence[SparseJointForce], pairs: np.ndarray | None = None
    ) -> np.ndarray:
        """Return forces (m, 3) on tangents and normal of pairs."""
        each = zip(points, self._weights(joints, pairs), strict=True)
        return np.concatenate([pair_forces(own, weights) for own, weights in each])[:, _ORDER] * _SIGNS

    def _tangents_of(
        self, points: Points, joints: Sequence[SparseJointForce], pairs: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the derivatives (m, 3, 3) of the forces over slips and gap."""
        found = []
        for own, weights in zip(points, self._weights(joints, pairs), strict=True):
            closed, tangents = own.closed, np.zeros((own.n, 3, 3))
            blocks = local_blocks(closed, weights[closed.pairs])
            size = blocks.shape[1]  # without friction the gap alone
            tangents[closed.pairs, -size:, -size:] = blocks
            found.append(tangents)
        return np.concatenate(found)

    def _weights(self, joints: Sequence[SparseJointForce], pairs: np.ndarray | None) -> list[np.ndarray]:
        """Return the areas of ascending pairs (m,) of each joint, by default of all."""
        every = [joint.rows.weights for joint in joints]
        if pairs is None:
            return every
        ends = [np.searchsorted(pairs, (own.start, own.stop)) for own in self._parts]
        parts = zip(every, self._parts, ends, strict=True)
        return [weights[pairs[first:end] - own.start] for weights, own, (first, end) in parts]

    def _referred(self, moves: np.ndarray) -> np.ndarray:
        """Return slips and gaps (k, n_pairs, 3) under given forces with the reference, of those with the factor."""
        return self._compliances.referred(moves.reshape(len(moves), -1)).reshape(moves.shape)

    def _over_pairs(self, x: np.ndarray) -> np.ndarray:
        """Return slips and changes of gaps (k, n_pairs, 3) at displacements x (n, k)."""
        return np.ascontiguousarray((self._rows @ x).T).reshape(-1, self.n_pairs, 3)

    def _on_dofs(self, forces: np.ndarray) -> np.ndarray:
        """Return (n, k) forces on the dofs of forces (k, n_pairs, 3) at the pairs."""
        return np.asarray(self._columns @ np.ascontiguousarray(forces.reshape(len(forces), -1).T))

    def _answers(self, components: np.ndarray) -> np.ndarray:
        """Return (3 n_pairs, k) slips and gaps under unit forces on components of pairs (k,)."""
        return np.asarray(self._rows @ self._solved(self._columns[:, components].toarray(), None))

    def _solved(self, loads: np.ndarray, values: np.ndarray | None) -> np.ndarray:
        """Return (n, k) solutions with the factor, in blocks."""
        assert self._factor is not None
        self.solutions += loads.shape[1]
        return np.asarray(self._factor.solve(loads, values))


def _with_entries(tangents: np.ndarray) -> np.ndarray:
    """Return the components (c,) of pairs whose rows of tangents (n, 3, 3) have entries."""
    return np.flatnonzero(tangents.any(axis=2))


def _times(tangents: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Return (n, 3) products of tangents (n, 3, 3) with u (n, 3)."""
    return np.asarray(np.einsum("nij,nj->ni", tangents, u))


def _pair_rows(rows: SparseRows) -> sp.csr_matrix:
    """Return CSR (3 n, n_dofs): tangent 1, tangent 2 and normal of each pair, one pair after the other."""
    n = len(rows.weights)
    order = np.empty((n, 3), np.int64)
    order[:, :2] = np.arange(2 * n).reshape(n, 2)
    order[:, 2] = 2 * n + np.arange(n)
    return sp.vstack([rows.tangential, rows.normal]).tocsr()[order.ravel()]
