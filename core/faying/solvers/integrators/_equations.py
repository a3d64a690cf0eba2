"""The equations of one time step over its unknowns, for any scheme of `faying.solvers.integrators._scheme`.

The unknowns are (a, Λ), n accelerations and m multipliers. With the factors of the scheme's `Rule`

    q₁ = free_q + by_q a        v₁ = free_v + by_v a + contact_speed a_c
    M(q₁) (weight a + rest) + C_q(q₁)ᵀ Λ − Q(t₁, q₁, v₁) − contact_weight f_c(q₁) = 0
    C(t₁, q₁) / by_q = 0                                            (scaled: thesis eq. 2.60)

Contact that goes on from the start of the step is part of Q there, and its acceleration at the start part of the
scheme's memory; f_c is the force of all other closed pairs. With it the unknowns are a = a_s + share a_c and
Λ = λ_s + weight · share λ_c. The parts by contact solve M a_c + C_qᵀ λ_c = f_c, C_q a_c = 0, with M and C_q at the
start of the step while it is solved, and at its end once it is: otherwise, where a part turns within the step, a share
of the contact force (half of the turn) would remain in the smooth multipliers.

Coordinates without inertia (`faying.solvers.separation`) change from q₀ by their unknown alone. Their equations

    contact_weight (C_qᵀ λ₁ − Q(t₁, q₁, v₁) − f_c(q₁)) = 0

hold at the end with the whole force there. The factor keeps the equations of contact alone symmetric.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from faying.records import record
from faying.solvers.integrators import (
    ConstrainedInertia,
    ContactForces,
    DynamicSystem,
    Forces,
    Pairs,
    State,
    given,
)
from faying.solvers.integrators._scheme import Rule


class Evaluation(NamedTuple):  # made at each correction: a frozen dataclass takes longer
    """Kinematics and forces at trial unknowns of a step.

    Attributes:
        unknowns, q, v, mass: there.
        violation, rows: C and C_q.
        contact: forces of contact, None for none; `by_contact` accelerations and multipliers by the weighted ones.
        forces: the smooth forces.
    """

    unknowns: np.ndarray
    q: np.ndarray
    v: np.ndarray
    mass: np.ndarray
    violation: np.ndarray
    rows: np.ndarray
    contact: ContactForces | None
    by_contact: tuple[np.ndarray, np.ndarray] | None
    forces: Forces


@record("smooth iteration matrix")
class SmoothMatrix:
    """The iteration matrix (n + m, n + m) of everything but contact, and the rule that it was made for."""

    matrix: np.ndarray
    rule: Rule

    def is_of(self, rule: Rule) -> bool:
        """Whether it was made for such a rule."""
        own = self.rule
        return (own.by_q, own.by_v, own.weight) == (rule.by_q, rule.by_v, rule.weight)


@dataclass(frozen=True, eq=False)
class ContinuedContact:
    """Contact that goes on from the start of a step to its end, and acts like a smooth force.

    These are the pairs that are closed at the start. A pair that opens within the step is left out in the next try
    (`StepEquations.without_opened`) and then acts at the end alone, like one that closes: a force of the past never
    pushes a pair that is open.

    Attributes:
        pairs: of each joint (n_pairs,) which ones.
        others: (n_pairs,) zero for them, one for all other pairs.
        force, acceleration: (n,) theirs at the start.
    """

    pairs: Pairs
    others: Pairs
    force: np.ndarray
    acceleration: np.ndarray

    @classmethod
    def of_pairs(
        cls, system: DynamicSystem, start: State, at_start: ConstrainedInertia, pairs: Pairs
    ) -> "ContinuedContact":
        """Return continued contact of some pairs, with their force at the start."""
        chosen = tuple(mask.astype(float) for mask in pairs)
        force = acting(_told(system.contact(start.q, start.history, 0.0, jacobian=False, factors=chosen)))
        others = tuple(1.0 - mask for mask in chosen)
        return cls(pairs, others, force, but(system.without_inertia, at_start.accelerations(force)[0]))

    def holds(self, contact: ContactForces) -> bool:
        """Return whether all of the pairs are closed."""
        return not any((mask & ~now).any() for mask, now in zip(self.pairs, _closed(contact), strict=True))


def continued_contact(
    system: DynamicSystem, start: State, at_start: ConstrainedInertia | None
) -> ContinuedContact | None:
    """Return the contact of all pairs that are closed at the start of a step; None for none.

    No prediction tells which of them stay closed: the velocity at the end of a step holds vibrations of closed pairs
    that are too fast for it, so that a third of the pairs of a joint that never opens would be expected to open.
    """
    if at_start is None or start.closed is None or not any(mask.any() for mask in start.closed):
        return None
    return ContinuedContact.of_pairs(system, start, at_start, start.closed)


class StepEquations(NamedTuple):
    """The discretised equations of one step. Values and pure functions of them: nothing here remembers a call.

    Attributes:
        system: what moves.
        start: accepted state that the step starts from.
        time: at its end.
        at_start: accelerations by forces there; None for a system without contact.
        plain: rule of the scheme.
        rule: the same under the push of continued contact.
        continued: contact that goes on; None for none.
    """

    system: DynamicSystem
    start: State
    time: float
    at_start: ConstrainedInertia | None
    plain: Rule
    rule: Rule
    continued: ContinuedContact | None

    @classmethod
    def of_step(
        cls,
        system: DynamicSystem,
        start: State,
        at_start: ConstrainedInertia | None,
        plain: Rule,
        continued: ContinuedContact | None,
    ) -> "StepEquations":
        """Return the equations; continued contact has accelerated the system at the start, too."""
        if system.without_inertia is not None:
            plain = plain.from_rest(system.without_inertia, start.q)
        rule = plain if continued is None else plain.pushed(continued.acceleration)
        return cls(system, start, start.time + plain.length, at_start, plain, rule, continued)

    # --- evaluate: kinematics, contact, forces, constraints

    def evaluate(self, unknowns: np.ndarray, held: np.ndarray | None = None) -> Evaluation:
        """Return the evaluation at the unknowns (n + m,); `held` (n,), if given, replaces the force of contact."""
        system, rule, history = self.system, self.rule, self.start.history
        # Kinematics: the scheme's formulas.
        a = unknowns[: system.n]
        q = rule.free_q + rule.by_q * a
        v = rule.free_v + rule.by_v * a
        # Contact and friction, of joints and whatever else touches; their acceleration adds to the velocities.
        contact, by_contact, smooth_v = None, None, v
        if self.at_start is not None:
            contact = self._contact(q) if held is None else self._held(q, held)
            by_contact = self.at_start.accelerations(acting(contact))
            v = v + rule.contact_speed * by_contact[0]
        # Forces that change smoothly, then constraints. Where all contact but that which comes goes on, they do not see
        # this share of its velocity: damping of fast coordinates would make many times the force of contact of it.
        if rule.of_start is None or self.start.closed is None:
            smooth_v = v
        forces = system.forces(self.time, q, smooth_v, history, jacobian=False)
        violation, rows = system.constraints(self.time, q, history)
        return Evaluation(unknowns, q, v, system.mass(q), violation, rows, contact, by_contact, forces)

    def evaluate_held(self, unknowns: np.ndarray) -> Evaluation:
        """Return the evaluation at the unknowns (n + m,) with the contact force of the start.

        A guess may be off by micrometres, where the true force of a stiff contact would be far too large.
        """
        system, state = self.system, self.start
        force = np.zeros(system.n)
        if state.contact_a is not None and state.contact_multipliers is not None:
            # f_c = M a_c + C_qᵀ λ_c at the start.
            force = system.mass(state.q) @ state.contact_a
            if system.n_constraints and state.contact_multipliers.any():
                rows = system.constraints(state.time, state.q, state.history)[1]
                force = force + rows.T @ state.contact_multipliers
        return self.evaluate(unknowns, held=np.asarray(force))

    def residual(self, at: Evaluation) -> np.ndarray:
        """Return what is out of balance (n + m,) at an evaluation."""
        rule, n, fast = self.rule, self.system.n, self.system.without_inertia
        residual = np.empty(n + len(at.violation))
        forces = residual[:n]
        # Inertia − forces − contact, then the forces of constraints.
        np.dot(at.mass, rule.weight * at.unknowns[:n] + rule.rest, out=forces)
        if fast is not None:
            forces[fast] = 0.0
        forces -= at.forces.force if fast is None else self._weighed(at.forces.force)
        if at.contact is not None:
            forces -= self._pushing(at.contact)
        if len(at.violation):
            pulling = at.unknowns[n:] @ at.rows
            forces += pulling if fast is None else self._weighed(pulling) + self._multipliers_of_statics(at)
            residual[n:] = at.violation * (1.0 / rule.by_q)
        return residual

    def smooth_matrix(self, at: Evaluation) -> SmoothMatrix:
        """Return the iteration matrix of all but contact at an evaluation.

        [weight M − by_q ∂Q/∂q − by_v ∂Q/∂v + by_q ∂(M q̈ + C_qᵀ Λ)/∂q,  C_qᵀ;  C_q,  0]: thesis eq. 2.60 without h².
        """
        rule, system, n, history = self.rule, self.system, self.system.n, self.start.history
        forces = system.forces(self.time, at.q, at.v, history, jacobian=True)
        m = len(at.rows)
        whole = np.zeros((n + m, n + m))
        whole[:n, n:], whole[n:, :n] = at.rows.T, at.rows
        matrix = whole[:n, :n]
        matrix += rule.weight * at.mass
        if system.without_inertia is not None:
            matrix[system.without_inertia] = 0.0
        if forces.d_position is not None:
            matrix -= rule.by_q * forces.d_position
        if forces.d_velocity is not None:
            matrix -= rule.by_v * forces.d_velocity
        # The unknowns hold shares by contact too: near enough for a matrix of Newton's.
        a, multipliers = rule.weight * at.unknowns[:n] + rule.rest, at.unknowns[n:]
        extra = system.inertia_and_constraint_jacobian(self.time, at.q, a, multipliers, history)
        if extra is not None:
            matrix += rule.by_q * extra
        if system.without_inertia is not None:
            whole[:n][system.without_inertia] *= rule.contact_weight
        return SmoothMatrix(whole, rule)

    def contact_force(self, q: np.ndarray) -> np.ndarray:
        """Return (n,) what contact adds to the forces of the equations at q."""
        return self._pushing(self._contact(q))

    def contact_tangent(self, q: np.ndarray, last: Any) -> tuple[np.ndarray | None, Any]:
        """Return the tangent (n, n) of what contact adds at q, None for zero, and what the next one is made from.

        Args:
            q: (n,).
            last: what this one is made from; None for nothing.
        """
        factors, rule = None, self.rule
        if self.continued is not None:  # so that times `contact_weight` they are one for contact that goes on
            share = 1.0 - 1.0 / rule.contact_weight
            factors = tuple(1.0 - share * mask for mask in self.continued.pairs)
        known = given(factors, last)
        contact = _told(self.system.contact(q, self.start.history, rule.length, jacobian=True, **known))
        change = None
        if contact.d_position is not None:
            change = self.rule.contact_weight * contact.d_position
        if contact.lasting is not None and contact.lasting.d_position is not None:
            lasting = self._weighed(contact.lasting.d_position)
            change = lasting if change is None else change + lasting
        return change, contact.last

    def out_of_balance_but_contact(self, at: Evaluation) -> np.ndarray:
        """Return the residual (n + m,) without the forces of contact."""
        rest = self.residual(at)
        rest[: self.system.n] += self._pushing(_told(at.contact))
        return rest

    def drift(self, residual: np.ndarray) -> np.ndarray:
        """Return (n,) how far forces out of balance would move the system within the step, from its start."""
        if self.at_start is None:
            return np.zeros(self.system.n)
        # Quasi-static coordinates are judged by the size of a correction alone.
        free = self.at_start.accelerations(but(self.system.without_inertia, residual[: self.system.n]))[0]
        return np.asarray(self.rule.length**2 / self.rule.weight * but(self.system.without_inertia, free))

    # --- continued contact

    def contact_goes_on(self, at: Evaluation) -> bool:
        """Return whether all pairs of continued contact are closed at an evaluation."""
        return self.continued is None or at.contact is None or self.continued.holds(at.contact)

    def without_opened(self, at: Evaluation) -> tuple["StepEquations", np.ndarray]:
        """Return the equations without continued contact that opened, and unknowns (n + m,) with the same q there."""
        if self.continued is None or self.at_start is None:
            return self, at.unknowns
        pairs = _both(self.continued.pairs, _closed(_told(at.contact)))
        left = ContinuedContact.of_pairs(self.system, self.start, self.at_start, pairs)
        changed = StepEquations.of_step(self.system, self.start, self.at_start, self.plain, left)
        moved = at.unknowns.copy()
        moved[: self.system.n] += (self.rule.free_q - changed.rule.free_q) / changed.rule.by_q
        return changed, moved

    def _contact(self, q: np.ndarray) -> ContactForces:
        """Return the forces of contact at q; `weighted` is that of contact which does not go on."""
        known = given(None if self.continued is None else self.continued.others, None)
        return _told(self.system.contact(q, self.start.history, self.rule.length, jacobian=False, **known))

    def _held(self, q: np.ndarray, held: np.ndarray) -> ContactForces:
        """Return a given force of contact, with lasting forces as they are at q."""
        acting = held if self.continued is None else held - self.continued.force
        if not self.system.has_lasting_contact:
            return ContactForces(held, None, weighted=acting)
        contact = _told(self.system.contact(q, self.start.history, self.rule.length, jacobian=False))
        return replace(contact, force=held, weighted=acting, d_position=None)

    def _pushing(self, contact: ContactForces) -> np.ndarray:
        """Return (n,) what contact adds to the forces of the equations."""
        weight, sudden = self.rule.contact_weight, acting(contact)
        force = contact.force + (weight - 1.0) * sudden
        if self.system.without_inertia is not None:
            # All of it, as it is at the end.
            force = np.where(self.system.without_inertia, weight * contact.force, force)
        return force if contact.lasting is None else np.asarray(force + self._weighed(contact.lasting.force))

    def _weighed(self, forces: np.ndarray) -> np.ndarray:
        """Return forces (n, …), in the rows without inertia times `contact_weight`, see the module."""
        fast = self.system.without_inertia
        if fast is None:
            return forces
        found = forces.copy()
        found[fast] *= self.rule.contact_weight
        return found

    def _multipliers_of_statics(self, at: Evaluation) -> np.ndarray | float:
        """Return (n,) what to add in the rows without inertia, so that multipliers by contact act there in full."""
        fast = self.system.without_inertia
        if fast is None or at.by_contact is None:
            return 0.0
        if not at.rows[:, fast].any():
            return 0.0
        weight = self.rule.contact_weight
        # Λ holds those by other than continued contact times the weight.
        return np.where(fast, weight * ((1.0 - weight) * at.by_contact[1] @ at.rows), 0.0)


def but(which: np.ndarray | None, vector: np.ndarray) -> np.ndarray:
    """Return a vector (n,) with zeros where a mask (n,) is true; unchanged for None."""
    return vector if which is None else np.where(which, 0.0, vector)


def acting(contact: ContactForces) -> np.ndarray:
    """Return (n,) the force of contact with each pair's factor: within a step that of contact which does not go on."""
    return contact.force if contact.weighted is None else contact.weighted


def _told(contact: ContactForces | None) -> ContactForces:
    """Return forces of contact that must not be None.

    Raises:
        TypeError: where it has none; it had some at the start of the step.
    """
    if contact is None:
        raise TypeError("A system with contact at the start of a step answered None within it.")
    return contact


def _closed(contact: ContactForces) -> Pairs:
    """Return which pairs are closed.

    Raises:
        TypeError: where the system does not report them, though it did at the start of the step.
    """
    if contact.closed is None:
        raise TypeError("A system that told its closed pairs at the start of a step did not within it.")
    return contact.closed


def _both(first: Pairs, second: Pairs) -> Pairs:
    return tuple(a & b for a, b in zip(first, second, strict=True))
