"""The equations of one time step over its unknowns, for any scheme of `faying.solvers.integrators._scheme`.

The unknowns are (a, Λ), n accelerations and m multipliers. With the factors of the scheme's `Rule`

    q₁ = free_q + by_q a        v₁ = free_v + by_v a + contact_speed a_c
    M(q₁) (weight a + rest) + C_q(q₁)ᵀ Λ − Q(t₁, q₁, v₁) − contact_weight f_c(q₁) = 0
    C(t₁, q₁) / by_q = 0                                            (scaled: thesis eq. 2.60)

Contact that lasts is part of Q there, and its acceleration at the start part of the scheme's memory; f_c is the force
of all other pairs, their mean over the step (`faying.joints.step_mean`). With it the unknowns are a = a_s + share a_c
and Λ = λ_s + weight · share λ_c. The parts by contact solve M a_c + C_qᵀ λ_c = f_c, C_q a_c = 0, with M and C_q at
the start of the step while it is solved, and at its end once it is: otherwise, where a part turns within the step, a
share of the contact force (half of the turn) would remain in the smooth multipliers.

Coordinates without inertia (`faying.solvers.separation`) change from q₀ by their unknown alone. Their equations

    contact_weight (C_qᵀ λ₁ − Q(t₁, q₁, v₁) − f_c(q₁)) = 0

hold at the end with the whole force there. The factor keeps the equations of contact alone symmetric.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from faying.joints.step_mean import PairsBefore
from faying.records import record
from faying.solvers.integrators import (
    LASTING,
    Before,
    ConstrainedInertia,
    ContactForces,
    DynamicSystem,
    Forces,
    Pairs,
    State,
    given,
    pressed,
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
    """All pairs at the start of a step; lasting pairs act like smooth forces until its end.

    Lasting pairs have been closed for some steps. All others act with their mean force over the step; pairs closed at
    the start contribute half of their force there. A closed pair that opens within the step is left out in the next try
    (`StepEquations.without_opened`): it then acts like a closing pair, and without friction.

    Attributes:
        before: the pairs at the start.
        force, acceleration, multipliers: (n,), (n,) and (m,) of lasting pairs at the start.
        push: (n,) acceleration by half the force of the others.
    """

    before: Before
    force: np.ndarray
    acceleration: np.ndarray
    multipliers: np.ndarray
    push: np.ndarray

    @classmethod
    def of_pairs(
        cls, system: DynamicSystem, start: State, at_start: ConstrainedInertia, before: Before
    ) -> "ContinuedContact":
        """Return the contact of a step, with the force of lasting pairs at its start."""
        force = half = np.zeros(system.n)
        if any((pairs.lasting | pairs.halved).any() for pairs in before):
            known = _told(system.contact(start.q, start.history, 0.0, jacobian=False, before=before))
            force = force if known.going_on is None else known.going_on
            half = known.force - acting(known) - force
        acceleration, multipliers = at_start.accelerations(force)
        push = at_start.accelerations(half)[0]
        fast = system.without_inertia
        return cls(before, force, but(fast, acceleration), multipliers, but(fast, push))

    def holds(self, contact: ContactForces) -> bool:
        """Return whether all pairs that act with a force at the start are still closed."""
        known = zip(self.before, _closed(contact), strict=True)
        return not any(((pairs.lasting | pairs.halved) & ~now).any() for pairs, now in known)


def continued_contact(
    system: DynamicSystem, start: State, at_start: ConstrainedInertia | None, rule: Rule
) -> ContinuedContact | None:
    """Return the contact of a step in which all pairs that lasted so far continue; None for a system without pairs.

    No prediction of the pairs that stay closed is reliable: the velocity at the end of a step contains vibrations of
    closed pairs that are too fast for it, so that a third of the pairs of a joint that never opens seem to open.

    Gaps also change by quasi-static coordinates, which does no work: the change of a gap is not that of the motion.
    Therefore all closed pairs last in systems with such coordinates, and others act with their force at the end.
    """
    if at_start is None or rule.of_start is None or start.gaps is None:
        return None
    if start.lasted is None or start.closed is None:
        return None
    gaps, lasting = start.gaps, tuple(steps >= LASTING for steps in start.lasted)
    if system.without_inertia is not None:
        gaps, lasting = tuple(np.full_like(own, np.inf) for own in gaps), start.closed
    halved = tuple(mask & ~lasts for mask, lasts in zip(start.closed, lasting, strict=True))
    # So that times `contact_weight` changes are one for lasting pairs.
    factor = 1.0 / rule.contact_weight
    before = tuple(PairsBefore(*own, factor) for own in zip(gaps, lasting, halved, strict=True))
    return ContinuedContact.of_pairs(system, start, at_start, before)


class StepEquations(NamedTuple):
    """The discretised equations of one step. All methods are pure functions.

    Attributes:
        system: the moving system.
        start: accepted state that the step starts from.
        time: at its end.
        at_start: accelerations by forces there; None for a system without contact.
        plain: rule of the scheme.
        rule: the same under the push of continued contact.
        continued: contact continued from the start; None without it.
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
        rule = plain
        if continued is not None:
            rule = plain.pushed(continued.acceleration).driven(continued.push)
        return cls(system, start, start.time + plain.length, at_start, plain, rule, continued)

    # --- evaluate: kinematics, contact, forces, constraints

    def evaluate(
        self,
        unknowns: np.ndarray,
        held: np.ndarray | None = None,
        known: tuple[np.ndarray, ContactForces] | None = None,
    ) -> Evaluation:
        """Return the evaluation at the unknowns (n + m,).

        Args:
            unknowns: see above.
            held: (n,) replaces the force of contact.
            known: coordinates (n,) that the unknowns lead to, and the forces of contact there, where these are known.
        """
        system, rule, history = self.system, self.rule, self.start.history
        # Kinematics: the scheme's formulas.
        a = unknowns[: system.n]
        q = rule.free_q + rule.by_q * a
        v = rule.free_v + rule.by_v * a
        # Contact and friction, of joints and between parts; their acceleration adds to the velocities.
        contact, by_contact, smooth_v = None, None, v
        if self.continued is not None:
            smooth_v = v - rule.contact_speed * self.continued.push
        if self.at_start is not None:
            if known is not None:
                q, contact = known
            else:
                contact = self.contact(q) if held is None else self._held(q, held)
            by_contact = self.at_start.accelerations(acting(contact))
            v = v + rule.contact_speed * by_contact[0]
        # Smooth forces, then constraints. If all contact except the new one is continued, they do not get this share of
        # its velocity: damping of fast coordinates would turn it into many times the contact force.
        if rule.of_start is None or self.start.closed is None:
            smooth_v = v
        more = self._pressing(unknowns)
        forces = pressed(system).forces(self.time, q, smooth_v, history, jacobian=False, **more)
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

    def residual_at(self, unknowns: np.ndarray) -> np.ndarray:
        """Return the residual (n + m,) at unknowns (n + m,) of a system without contact.

        It is that of an evaluation there. Where a system sums it up part by part, no matrix is made for it.
        """
        system, rule = self.system, self.rule
        a, multipliers = unknowns[: system.n], unknowns[system.n :]
        q, v = rule.free_q + rule.by_q * a, rule.free_v + rule.by_v * a
        found = system.residual(self.time, q, v, rule.weight * a + rule.rest, multipliers, self.start.history)
        if found is None:
            return self.residual(self.evaluate(unknowns))
        found[system.n :] *= 1.0 / rule.by_q
        return found

    def matrix_at(self, unknowns: np.ndarray) -> np.ndarray | sp.csc_matrix:
        """Return the iteration matrix (n + m, n + m) at unknowns (n + m,) of a system without contact."""
        system, rule = self.system, self.rule
        a, multipliers = unknowns[: system.n], unknowns[system.n :]
        q, v = rule.free_q + rule.by_q * a, rule.free_v + rule.by_v * a
        weights, history = (rule.by_q, rule.by_v, rule.weight), self.start.history
        found = system.tangent(self.time, q, v, rule.weight * a + rule.rest, multipliers, history, weights)
        return self.smooth_matrix(self.evaluate(unknowns)).matrix if found is None else found

    def residual(self, at: Evaluation) -> np.ndarray:
        """Return the residual (n + m,) at an evaluation."""
        rule, n, fast = self.rule, self.system.n, self.system.without_inertia
        residual = np.empty(n + len(at.violation))
        forces = residual[:n]
        # Inertia − forces − contact, then the forces of constraints.
        np.dot(at.mass, rule.weight * at.unknowns[:n] + rule.rest, out=forces)
        if fast is not None:
            forces[fast] = 0.0
        forces -= at.forces.force if fast is None else self._weighed(at.forces.force)
        if at.contact is not None:
            forces -= self.pushing(at.contact)
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
        more = self._pressing(at.unknowns)
        forces = pressed(system).forces(self.time, at.q, at.v, history, jacobian=True, **more)
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

    def contact_tangent(self, q: np.ndarray, last: Any) -> tuple[np.ndarray | None, Any]:
        """Return the tangent (n, n) of the contact force at q, None for zero, and the data for its next update.

        Args:
            q: (n,).
            last: data for an update; None to compute it in full.
        """
        known = given(None if self.continued is None else self.continued.before, last)
        contact = _told(self.system.contact(q, self.start.history, self.rule.length, jacobian=True, **known))
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
        rest[: self.system.n] += self.pushing(_told(at.contact))
        return rest

    def drift(self, residual: np.ndarray) -> np.ndarray:
        """Return (n,) the displacement that unbalanced forces cause within the step, from its start."""
        if self.at_start is None:
            return np.zeros(self.system.n)
        # Quasi-static coordinates are judged by the size of a correction alone.
        free = self.at_start.accelerations(but(self.system.without_inertia, residual[: self.system.n]))[0]
        return np.asarray(self.rule.length**2 / self.rule.weight * but(self.system.without_inertia, free))

    def _pressing(self, unknowns: np.ndarray) -> dict[str, np.ndarray]:
        """Return the multipliers (m,) for a system whose constraints rub; {} for any other."""
        return {"multipliers": unknowns[self.system.n :]} if self.system.rubs else {}

    # --- continued contact

    def contact_goes_on(self, at: Evaluation) -> bool:
        """Return whether all pairs of continued contact are closed at an evaluation."""
        return self.continued is None or at.contact is None or self.continued.holds(at.contact)

    def without_opened(self, at: Evaluation) -> tuple["StepEquations", np.ndarray]:
        """Return the equations without continued contact that opened, and unknowns (n + m,) with the same q there."""
        if self.continued is None or self.at_start is None:
            return self, at.unknowns
        known = zip(self.continued.before, _closed(_told(at.contact)), strict=True)
        before = tuple(pairs.closed_only(now) for pairs, now in known)
        left = ContinuedContact.of_pairs(self.system, self.start, self.at_start, before)
        changed = StepEquations.of_step(self.system, self.start, self.at_start, self.plain, left)
        moved = at.unknowns.copy()
        moved[: self.system.n] += (self.rule.free_q - changed.rule.free_q) / changed.rule.by_q
        return changed, moved

    def contact(self, q: np.ndarray) -> ContactForces:
        """Return the forces of contact at q."""
        known = given(None if self.continued is None else self.continued.before, None)
        return _told(self.system.contact(q, self.start.history, self.rule.length, jacobian=False, **known))

    def _held(self, q: np.ndarray, held: np.ndarray) -> ContactForces:
        """Return a given force of contact, with lasting forces as they are at q."""
        going_on = None if self.continued is None else self.continued.force
        acting = held if going_on is None else held - going_on
        if not self.system.has_lasting_contact:
            return ContactForces(held, None, sudden=acting, going_on=going_on)
        contact = _told(self.system.contact(q, self.start.history, self.rule.length, jacobian=False))
        return replace(contact, force=held, sudden=acting, going_on=going_on, d_position=None)

    def pushing(self, contact: ContactForces) -> np.ndarray:
        """Return (n,) the contact force in the equations."""
        weight = self.rule.contact_weight
        force = weight * acting(contact)
        if self.continued is not None and contact.going_on is not None:
            force = force + contact.going_on
        if self.system.without_inertia is not None:
            # All of it, as it is at the end.
            force = np.where(self.system.without_inertia, weight * contact.force, force)
        return force if contact.lasting is None else np.asarray(force + self._weighed(contact.lasting.force))

    def _weighed(self, forces: np.ndarray) -> np.ndarray:
        """Return forces (n, …), with the rows without inertia times `contact_weight`, see the module."""
        fast = self.system.without_inertia
        if fast is None:
            return forces
        found = forces.copy()
        found[fast] *= self.rule.contact_weight
        return found

    def _multipliers_of_statics(self, at: Evaluation) -> np.ndarray | float:
        """Return (n,) the terms of rows without inertia by which multipliers by contact act there in full."""
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
    """Return (n,) the force of contact: within a step, of pairs that open or close."""
    return contact.force if contact.sudden is None else contact.sudden


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
