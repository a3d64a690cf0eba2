"""The equations of one time step over its unknowns, for any scheme of `faying.solvers.integrators._scheme`."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from faying.solvers.integrators import (
    ConstrainedInertia,
    ContactForces,
    DynamicSystem,
    Forces,
    Laps,
    State,
)
from faying.solvers.integrators._contact_inertia import ContactInertia
from faying.solvers.integrators._contact_problem import ContactProblem
from faying.solvers.integrators._continued import ContinuedContact
from faying.solvers.integrators._extrapolation import Extrapolation
from faying.solvers.integrators._iteration_matrix import Smooth
from faying.solvers.integrators._scheme import Rule


class Point(NamedTuple):  # made at each correction: a frozen dataclass takes longer
    """Where the unknowns of a step lead: kinematics and forces there.

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


class Step:
    """The discretised equations over (a, Λ): M q̈₁ + C_qᵀ λ = Q, and C = 0 scaled by 1/`by_q`.

    With contact the unknowns are a = a_s + share a_c and Λ = λ_s + weight · share λ_c; the parts by contact solve
    M a_c + C_qᵀ λ_c = f_c, C_q a_c = 0 at the start of the step while it is solved, at its end once it is: what turns
    within a step would else leave a share of a contact force, half of the turn, in the multipliers. Of continued
    contact f_c has half, the other half acts with its force at the start.

    Args:
        system: what moves.
        state: accepted state that the step starts from.
        ahead: tells the unknowns at its end, without contact.
        rule: of the scheme.
        inertia: accelerations by contact.
        laps: gets the time that everything takes.
    """

    def __init__(
        self,
        system: DynamicSystem,
        state: State,
        ahead: Extrapolation,
        rule: Rule,
        inertia: ContactInertia,
        laps: Laps,
    ) -> None:
        self.system, self._inertia, self._laps = system, inertia, laps
        self.start, self._ahead, self.time = state, ahead, state.time + rule.length
        self.rule = self._plain_rule = rule
        self.last: Point | None = None
        self._continued: ContinuedContact | None = None
        self._ended: np.ndarray | None = None  # acceleration by the weighted contact at the accepted end
        if rule.averages_contact:
            self._continue(ContinuedContact.expected(system, state, inertia, rule.length))
        laps.end("contact")

    def _continue(self, continued: ContinuedContact | None) -> None:
        self._continued = continued
        self.rule = self._plain_rule if continued is None else self._plain_rule.pushed(continued.acceleration)

    @property
    def holds(self) -> bool:
        """Whether continued contact did continue in the last residual."""
        if self._continued is None or self.last is None or self.last.contact is None:
            return True
        return self._continued.holds(self.last.contact)

    def let_go(self, unknowns: np.ndarray) -> np.ndarray:
        """Take back what did not continue; return the unknowns that lead to the same place as before."""
        assert self._continued is not None and self.last is not None and self.last.contact is not None
        before = self.rule.free_q
        self._continue(self._continued.without(self.last.contact))
        moved = unknowns.copy()
        moved[: self.system.n] += (before - self.rule.free_q) / self.rule.by_q
        return moved

    @property
    def touches(self) -> bool:
        """Whether the system has contact."""
        return self.start.contact_a is not None

    @property
    def is_pushed(self) -> bool:
        """Whether contact acts at the start."""
        return self.start.contact_a is not None and bool(self.start.contact_a.any())

    def guess(self) -> np.ndarray:
        """Return the unknowns to start from: those expected; with contact those of the start are kept."""
        state, rule = self.start, self.rule
        if state.contact_a is None or state.contact_multipliers is None:
            return self._ahead.at(self.time)
        pushing = state.contact_a
        if self._continued is not None:
            pushing = pushing - self._continued.acceleration
        pushed = [rule.share * pushing, rule.contact_weight * state.contact_multipliers]
        return np.concatenate([state.a, state.multipliers]) + np.concatenate(pushed)

    def hold(self, unknowns: np.ndarray) -> None:
        """Look where the unknowns lead under the contact force of the start.

        A guess may be micrometres off, where the true force of a stiff contact would throw the system away.
        """
        state = self.start
        assert state.contact_a is not None and state.contact_multipliers is not None
        force = self.system.mass(state.q) @ state.contact_a
        if self.system.n_constraints and state.contact_multipliers.any():
            rows = self.system.constraints(state.time, state.q, state.history)[1]
            force = force + rows.T @ state.contact_multipliers
        self.last = self._at(unknowns, held=np.asarray(force))

    def residual(self, unknowns: np.ndarray) -> np.ndarray:
        """Return what is out of balance (n + m,)."""
        self.last = self._at(unknowns)
        return self._out_of_balance(self.last)

    def smooth(self) -> Smooth:
        """Return the iteration matrix of all but contact at the last look."""
        point, rule, system, n = self.last, self.rule, self.system, self.system.n
        assert point is not None
        forces = system.forces(self.time, point.q, point.v, self.start.history, jacobian=True)
        m = len(point.rows)
        whole = np.zeros((n + m, n + m))
        whole[:n, n:], whole[n:, :n] = point.rows.T, point.rows
        matrix = whole[:n, :n]
        matrix += rule.weight * point.mass
        if forces.d_position is not None:
            matrix -= rule.by_q * forces.d_position
        if forces.d_velocity is not None:
            matrix -= rule.by_v * forces.d_velocity
        # The unknowns hold shares by contact too: near enough for a matrix of Newton's.
        a, multipliers = rule.weight * point.unknowns[:n] + rule.rest, point.unknowns[n:]
        extra = system.inertia_and_constraint_jacobian(self.time, point.q, a, multipliers, self.start.history)
        if extra is not None:
            matrix += rule.by_q * extra
        self._laps.end("Jacobians")
        return Smooth(whole, rule)

    def contact_problem(self, smooth: Smooth) -> ContactProblem:
        """Return the equations about the unknowns of the last look, linear but for contact."""
        point = self.last
        assert point is not None and point.contact is not None
        rest = self._out_of_balance(point)
        rest[: self.system.n] += self._pushed(point.contact)
        return ContactProblem(smooth, rest, point.q, self.rule, self._contact_force)

    @property
    def place(self) -> np.ndarray:
        """(n,) coordinates of the last look."""
        assert self.last is not None
        return self.last.q

    def violation(self) -> float:
        """Return the largest violation of a constraint at the last look."""
        assert self.last is not None
        return float(np.abs(self.last.violation).max(initial=0.0))

    def drift(self, residual: np.ndarray) -> np.ndarray:
        """Return (n,) how far the forces out of balance would move the system within the step."""
        free = self._at_start.accelerations(residual[: self.system.n])[0]
        return np.asarray(self.rule.length**2 / self.rule.weight * free)

    def end(self, unknowns: np.ndarray) -> State:
        """Return the state at the unknowns; with contact they are those of the last residual."""
        point, n, rule = self.last, self.system.n, self.rule
        assert point is not None
        a, multipliers = unknowns[:n], unknowns[n:]
        if point.contact is None or point.by_contact is None:
            q, v = rule.free_q + rule.by_q * a, rule.free_v + rule.by_v * a
            history = self.system.accepted(self.time, q, self.start.history)
            return State(self.time, q, v, a, multipliers, history)
        assert point.unknowns is unknowns
        # Split anew with mass and constraints of the end, where the next step goes on.
        inertia = self._inertia.at(self.time, point.q, self.start.history)
        contact_a, contact_multipliers = inertia.accelerations(_acting(point.contact))
        self._ended = contact_a
        a = a - rule.share * contact_a
        multipliers = multipliers - rule.contact_weight * contact_multipliers
        if self._continued is not None:  # the state has all of the force at the end
            contact_a, contact_multipliers = inertia.accelerations(point.contact.force)
        history = self.system.accepted(self.time, point.q, point.contact.history)
        return State(
            self.time, point.q, point.v, a, multipliers, history, contact_a, contact_multipliers,
            point.contact.closed,
        )  # fmt: skip

    def contact_error(self, after: State) -> np.ndarray:
        """Return an estimate (n,) of the local error of q by contact that is averaged, or comes and goes.

        h² (a₁ − a₀)/12 of the mean of start and end, a third where all acts at the end.
        """
        point, before, h2 = self.last, self.start.contact_a, self.rule.length**2
        if not self.rule.averages_contact or after.contact_a is None or point is None or before is None:
            return np.zeros(self.system.n)
        start = end = np.zeros(self.system.n)
        if self._continued is not None and self._ended is not None:
            start, end = 2.0 * self._continued.acceleration, 2.0 * (after.contact_a - self._ended)
        sudden = (after.contact_a - end) - (before - start)
        return np.asarray(h2 * ((end - start) / 12.0 + sudden / 3.0))

    @property
    def _at_start(self) -> ConstrainedInertia:
        return self._inertia.at(self.start.time, self.start.q, self.start.history)

    def _at(self, unknowns: np.ndarray, held: np.ndarray | None = None) -> Point:
        """Return where the unknowns lead; `held` stands in for the force of contact there."""
        system, rule, n, laps = self.system, self.rule, self.system.n, self._laps
        a = unknowns[:n]
        q = rule.free_q + rule.by_q * a
        v = rule.free_v + rule.by_v * a
        laps.end("iteration")
        contact, by_contact = self._contact(q, False, held), None
        if contact is not None:
            by_contact = self._at_start.accelerations(_acting(contact))
            v = v + rule.contact_speed * by_contact[0]
            laps.end("contact")
        forces = system.forces(self.time, q, v, self.start.history, jacobian=False)
        laps.end("forces")
        violation, rows = system.constraints(self.time, q, self.start.history)
        laps.end("constraints")
        return Point(unknowns, q, v, system.mass(q), violation, rows, contact, by_contact, forces)

    def _contact(self, q: np.ndarray, jacobian: bool, held: np.ndarray | None) -> ContactForces | None:
        if held is None:
            # A system that does not tell which pairs are closed knows no factors either.
            factors = {} if self._continued is None else {"factors": self._continued.factors}
            return self.system.contact(q, self.start.history, self.rule.length, jacobian=jacobian, **factors)
        acting = held if self._continued is None else held - self._continued.force
        if not self.system.has_lasting_contact:
            return ContactForces(held, None, weighted=acting)
        contact = self.system.contact(q, self.start.history, self.rule.length, jacobian=jacobian)
        return None if contact is None else replace(contact, force=held, weighted=acting, d_position=None)

    def _contact_force(self, q: np.ndarray, jacobian: bool) -> tuple[np.ndarray, np.ndarray | None]:
        self._laps.end("iteration")
        contact = self._contact(q, jacobian, None)
        assert contact is not None
        force, change = self._pushed(contact), None
        if contact.d_position is not None:
            change = self.rule.contact_weight * contact.d_position
        if contact.lasting is not None and contact.lasting.d_position is not None:
            lasting = contact.lasting.d_position
            change = lasting if change is None else change + lasting
        self._laps.end("contact")
        return force, change

    def _pushed(self, contact: ContactForces) -> np.ndarray:
        """Return (n,) what contact adds to the forces of the equations."""
        force = self.rule.contact_weight * _acting(contact)
        return force if contact.lasting is None else np.asarray(force + contact.lasting.force)

    def _out_of_balance(self, point: Point) -> np.ndarray:
        rule, n = self.rule, self.system.n
        residual = np.empty(n + len(point.violation))
        forces = residual[:n]
        np.dot(point.mass, rule.weight * point.unknowns[:n] + rule.rest, out=forces)
        forces -= point.forces.force
        if point.contact is not None:
            forces -= self._pushed(point.contact)
        if len(point.violation):
            forces += point.unknowns[n:] @ point.rows
            residual[n:] = point.violation * (1.0 / rule.by_q)
        return residual


def _acting(contact: ContactForces) -> np.ndarray:
    return contact.force if contact.weighted is None else contact.weighted
