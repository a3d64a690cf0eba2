"""The equations of motion of a system of parts with constraints and forces between their markers."""

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError, there_are
from faying.joints.interface import JointResponse
from faying.joints.jacobian import JointJacobian
from faying.multibody.block_matrix import MatrixBlock, SparsePattern
from faying.multibody.connections import Connections
from faying.multibody.constraint_equations import ConstraintEquations
from faying.multibody.constraints import Constraint
from faying.multibody.contacts.contact import PartContact
from faying.multibody.contacts.of_system import SystemContacts
from faying.multibody.followers import Followers
from faying.multibody.forces import Force
from faying.multibody.history import Answered, History
from faying.multibody.idle_force import acting, chosen
from faying.multibody.markers import MarkerMotion
from faying.multibody.part import RIGID, Part
from faying.multibody.part_table import PartTable
from faying.multibody.self_locking import LOCKED_HINT, locked_clause, locking_frictions
from faying.multibody.step_diagnosis import diagnose_motion, not_a_number
from faying.multibody.step_kernels import newmark_step
from faying.multibody.system_energies import SystemEnergies
from faying.multibody.system_tables import SystemTables
from faying.solvers.diagnosis import StepDiagnosis
from faying.solvers.integrators import Before, ContactForces, Forces, State, StepTables


class MultibodySystem(SystemEnergies):
    """Parts in motion: a `DynamicSystem` over the coordinates of all parts, one after the other.

    The constraints' equations come first, in their order, then pᵀp = 1 of each part.

    Attributes:
        numbered_joints: joint forces in the order of their answers, each with the number of its part.
        may_meet: whether there are contacts between parts.
        followers: forces that follow measures and controllers.

    Args:
        parts: the parts; their names are unique.
        constraints: between markers "part.marker".
        forces: likewise.
        gravity: (3,) acceleration in the inertial frame.
        left_out: rows of the constraints' equations that follow from others, see `faying.multibody.redundancy`.
        contacts: between surfaces of the parts.

    Raises:
        ModelError: when a marker or part is named that does not exist.
    """

    has_lasting_contact = False

    def __init__(
        self,
        parts: Sequence[Part],
        constraints: Sequence[Constraint] = (),
        forces: Sequence[Force] = (),
        gravity: np.ndarray | Sequence[float] = (0.0, 0.0, 0.0),
        left_out: Sequence[int] = (),
        contacts: Sequence[PartContact] = (),
    ) -> None:
        self.parts, self.constraint_members = tuple(parts), tuple(constraints)
        idle = {constraint.name for constraint in constraints if not constraint.active}
        self.force_members = tuple(acting(force, idle) for force in forces)
        self.gravity = np.array(gravity, float)
        ends = np.cumsum([0, *(part.n for part in parts)])
        self.ranges = tuple(slice(int(a), int(b)) for a, b in itertools.pairwise(ends))
        self.n = int(ends[-1])
        self.scales = np.concatenate([part.scales for part in parts]) if parts else np.zeros(0)
        self._table = PartTable([part.numbers() for part in self.parts if part.n])
        self._mass_at = b"", np.zeros((0, 0))  # the last coordinates as bytes, and M there
        self._connections = Connections(self.parts, self.ranges)
        numbers = {constraint.name: k for k, constraint in enumerate(constraints)}
        # For friction in constraints the number of its constraint.
        members = self.force_members
        self._pressed_by = [numbers.get(getattr(f, "constraint", "")) if f.rubs else None for f in members]
        self.rubs = any(f.rubs for f in members)
        self._at_forces = [self._connections.places(f.marker_names(), f"force {f.name!r}") for f in members]
        self._alone = [self._connections.alone(places) for places in self._at_forces]
        self.followers = Followers(self.force_members, self._alone)
        self._pattern: SparsePattern | None = None  # of `tangent`
        self.contacts = SystemContacts(
            contacts, {p.name: at for p, at in zip(self.parts, self.ranges, strict=True)}
        )
        self.may_meet = len(self.contacts) > 0
        self._moving = [k for k, part in enumerate(parts) if part.n]
        self.numbered_joints = [(k, joint) for k, part in enumerate(self.parts) for joint in part.joints]
        start = np.concatenate([self._unit_rotation(k) for k in range(len(parts))]) if parts else np.zeros(0)
        rotations = [self._rotation(k) for k in self._moving]
        self._equations = ConstraintEquations(constraints, self._connections, rotations, start, left_out)
        self.n_constraints = self._equations.count

    # --- called by integrators

    @property
    def separable_stiffness(self) -> np.ndarray:
        """(n,) of the parts' joint modes."""
        found = np.zeros(self.n)
        for part, at in self._of_parts():
            found[at] = part.separable_stiffness
        return found

    @property
    def without_inertia(self) -> None:
        """None: all has inertia."""

    def initial_history(self) -> History:
        """Return the history when every pair is open and every angle near its first one."""
        joints = tuple(joint.initial_history() for part in self.parts for joint in part.joints)
        of_forces = tuple(f.first_angles() for f in self.force_members)
        return History(joints, self._equations.first_angles(), of_forces, self.contacts.initial())

    def resting_history(self, q: np.ndarray, history: History) -> History:
        """Return the history with all pairs that touch at q closed, at rest on each other there."""
        joints = tuple(j.resting_history(q[self.ranges[k]][RIGID:]) for k, j in self.numbered_joints)
        return replace(history, joints=joints, contacts=self.contacts.resting(q))

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n), block by block."""
        key = q.tobytes()
        if key != self._mass_at[0]:
            self._mass_at = key, self._table.mass_and_forces(q, np.zeros(self.n), self.gravity)[0]
        return self._mass_at[1]

    def forces(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        history: History,
        *,
        jacobian: bool,
        multipliers: np.ndarray | None = None,
    ) -> Forces:
        """Return the parts' own forces and those between markers, whose turns count from the history.

        Friction in constraints takes their reactions from the multipliers (m,), without any from the history.
        """
        mass, force = self._table.mass_and_forces(q, v, self.gravity)
        self._mass_at = q.tobytes(), mass  # it is needed next
        d_position = d_velocity = None
        if jacobian:
            d_position, d_velocity = self._table.force_changes(q, v, self.gravity)
        angles_of = self._under_reactions(time, q, history, multipliers)
        for member, places, angles in zip(self.force_members, self._at_forces, angles_of, strict=True):
            motions = self._connections.motions(places, q, v)
            wrenches = member.wrenches(motions, time, angles)
            self._connections.carry(wrenches[None], places, motions, force[None])
        if d_position is not None and d_velocity is not None:
            for by_place, by_speed in self._force_changes(time, q, v, angles_of):
                by_place.add_to(d_position)
                by_speed.add_to(d_velocity)
        return Forces(force, d_position, d_velocity)

    def force_tangents(
        self, time: float, q: np.ndarray, v: np.ndarray, history: History
    ) -> Iterator[tuple[Force, np.ndarray, np.ndarray]]:
        """Yield each force between markers with its stiffness and damping (n, n) at a state."""
        changes = self._force_changes(time, q, v, history.force_angles)
        for member, blocks in zip(self.force_members, changes, strict=True):
            stiffness, damping = np.zeros((2, self.n, self.n))
            for block, matrix in zip(blocks, (stiffness, damping), strict=True):
                block._replace(values=-block.values).add_to(matrix)
            yield member, stiffness, damping

    def _force_changes(
        self, time: float, q: np.ndarray, v: np.ndarray, angles_of: Sequence[np.ndarray]
    ) -> Iterator[tuple[MatrixBlock, MatrixBlock]]:
        """Yield the derivatives of each force between markers over q and v."""
        for member, alone, angles in zip(self.force_members, self._alone, angles_of, strict=True):
            connections, places, columns = alone
            own_q, own_v = q[columns], v[columns]
            motions = connections.motions(places, own_q, own_v)
            by_place, by_speed = member.changes(motions, time, angles)
            rows = connections.virtual(places, motions)
            change = rows.T @ by_place @ rows
            if by_speed.any():
                change += rows.T @ by_speed @ connections.rate_changes(places, own_q, own_v)
            connections.add_curvature(change, places, own_q, member.wrenches(motions, time, angles))
            yield alone.block(change), alone.block(rows.T @ by_speed @ rows)

    def tangent(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        multipliers: np.ndarray,
        history: History,
        weights: tuple[float, float, float],
    ) -> sp.csc_matrix:
        """Return the derivative of `residual`: the weighted sum of those over q, v and a, next to C_qᵀ, over C_q."""
        by_q, by_v, _ = weights
        blocks = self._table.tangent(q, v, a, self.gravity, weights)
        changes, rows = self._equations.tangent(time, q, multipliers, history.angles)
        blocks += [block._replace(values=by_q * block.values) for block in changes]
        angles_of = self._under_reactions(time, q, history, multipliers if self.rubs else None)
        for by_place, by_speed in self._force_changes(time, q, v, angles_of):
            blocks.append(by_place._replace(values=-by_q * by_place.values - by_v * by_speed.values))
        blocks += rows
        blocks += [MatrixBlock(block.columns, block.rows, block.values) for block in rows]
        if self._pattern is None:
            kept = np.concatenate([np.ones(self.n, bool), self._equations.is_kept])
            self._pattern = SparsePattern(blocks, kept)
        return self._pattern.sum(blocks)

    def tables(self) -> StepTables | None:
        """Return what a kernel takes whole steps with; None with contact, and where there is no compiler."""
        touches = bool(self.numbered_joints) or self.may_meet
        if touches or not self.n or newmark_step.machine is None:
            return None
        return SystemTables(
            self.gravity, self._table, self._equations, bool(self.force_members), self.add_member_forces, self.accepted,
        )  # fmt: skip

    def inertia_forces(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return M a (n,)."""
        return self._table.inertia_forces(q, a)

    def residual(
        self,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        multipliers: np.ndarray,
        history: History,
    ) -> np.ndarray:
        """Return M a + C_qᵀ λ − Q over C (n + m,)."""
        found = np.empty(self.n + self.n_constraints)
        force = found[: self.n]
        self._table.write_imbalance(force, q, v, a, self.gravity)
        self.add_member_forces(force, time, q, v, multipliers, history)
        found[self.n :] = self._equations.add_forces(time, q, multipliers, history.angles, force)
        return found

    def add_member_forces(
        self,
        residual: np.ndarray,
        time: float,
        q: np.ndarray,
        v: np.ndarray,
        multipliers: np.ndarray,
        history: History,
    ) -> None:
        """Subtract the forces between markers from a residual (n,)."""
        angles_of = self._under_reactions(time, q, history, multipliers if self.rubs else None)
        for member, places, angles in zip(self.force_members, self._at_forces, angles_of, strict=True):
            motions = self._connections.motions(places, q, v)
            wrenches = member.wrenches(motions, time, angles)
            self._connections.carry(-wrenches[None], places, motions, residual[None])

    def contact(
        self,
        q: np.ndarray,
        history: History,
        time_step: float,
        *,
        jacobian: bool,
        before: Before | None = None,
        last: Sequence[JointJacobian | None] | None = None,
    ) -> ContactForces | None:
        """Return the forces of all joints and of all contacts between parts.

        A joint acts on the flexible coordinates of its part alone, a contact on all coordinates of both parts.
        """
        if not self.numbered_joints and not len(self.contacts):
            return None
        force, sudden, going_on = np.zeros((3, self.n))
        change = np.zeros((self.n, self.n)) if jacobian else None
        count = len(self.numbered_joints)
        of_joints, of_contacts = (None, None) if before is None else (before[:count], before[count:])
        answers = self.respond(q, history, time_step, jacobian=jacobian, before=of_joints, last=last)
        for (k, _), answer in zip(self.numbered_joints, answers, strict=True):
            at = slice(self.ranges[k].start + RIGID, self.ranges[k].stop)
            force[at] += answer.force
            sudden[at] += answer.sudden
            going_on[at] += answer.going_on
            if change is not None:
                change[at, at] += answer.jacobian
        touched = self.contacts.respond(q, history.contacts, time_step, jacobian=jacobian, before=of_contacts)
        self.contacts.add(touched, force, sudden, going_on, change)
        closed = (*(answer.is_closed for answer in answers), *(answer.is_closed for answer in touched))
        answered = Answered(answers, history.angles, history.force_angles, touched)
        made = tuple(answer.last for answer in answers) if jacobian else None
        gaps = (*(answer.acting_gaps for answer in answers), *(answer.acting_gaps for answer in touched))
        return ContactForces(
            force, answered, change, sudden=sudden, going_on=going_on, closed=closed, gaps=gaps, last=made
        )  # fmt: skip

    def weight(self, q: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        """Return (n,) the generalised forces of a uniform acceleration (3,) of the weight at q, as of gravity."""
        still = np.zeros(self.n)
        under, without = (self._table.mass_and_forces(q, still, g)[1] for g in (acceleration, np.zeros(3)))
        return np.asarray(under - without)

    def contact_stiffnesses(self, q: np.ndarray, history: History) -> Iterator[tuple[str, np.ndarray]]:
        """Yield name and stiffness (n, n) of each contact between parts at a state."""
        touched = self.contacts.respond(q, history.contacts, 0.0, jacobian=True)
        changes = self.contacts.changes(touched, self.n)
        for contact, change in zip(self.contacts.members, changes, strict=True):
            yield contact.name, -change

    def respond(
        self,
        q: np.ndarray,
        history: History,
        time_step: float,
        *,
        jacobian: bool = False,
        before: Before | None = None,
        last: Sequence[JointJacobian | None] | None = None,
    ) -> list[JointResponse]:
        """Return the response of each joint, part by part."""
        none = (None,) * len(self.numbered_joints)
        known = zip(self.numbered_joints, history.joints, last or none, before or none, strict=True)
        return [
            joint.evaluate(
                q[self.ranges[k]][RIGID:], old, time_step, jacobian=jacobian, last=made, before=own
            )
            for (k, joint), old, made, own in known
        ]

    def constraints(self, time: float, q: np.ndarray, history: History) -> tuple[np.ndarray, np.ndarray]:
        """Return C (m,) and C_q (m, n)."""
        return self._equations.evaluate(time, q, history.angles)

    def constraint_rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return ∂C/∂t and ∂²C/∂t² (m,); only prescribed motions have them."""
        return self._equations.rates(time)

    def inertia_and_constraint_jacobian(
        self, time: float, q: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: History
    ) -> np.ndarray:
        """Return ∂(M a + C_qᵀ λ)/∂q (n, n)."""
        change = self._table.mass_change(q, a)
        self._equations.add_changes(change, time, q, multipliers, history.angles)
        return change

    def accepted(
        self,
        time: float,
        q: np.ndarray,
        history: History | Answered,
        v: np.ndarray | None = None,
        multipliers: np.ndarray | None = None,
    ) -> History:
        """Return the history with the angles of an accepted state, and the forces' memories of it."""
        under = self._under_reactions(time, q, history, multipliers)
        of_forces = tuple(
            member.remembered(self._connections.motions(places, q, v), time, last) if len(last) else last
            for member, places, last in zip(self.force_members, self._at_forces, under, strict=True)
        )
        contacts = self.contacts.remembered(q, v, history.contacts) if self.may_meet else history.contacts
        return History(history.joints, self._equations.angles(q, history.angles), of_forces, contacts)

    def fastest_spin(self, v: np.ndarray) -> float:
        """Return the largest angular speed of a part: twice the rate of its Euler parameters."""
        fastest = 0.0
        for k in self._moving:
            rate = v[self._rotation(k)]
            fastest = max(fastest, 2.0 * math.sqrt(rate @ rate))
        return fastest

    def longest_approach(self, state: State) -> float:
        """Return the longest step from a state that cannot miss a first contact; infinity without contacts."""
        return self.contacts.longest_step(state.q, state.v, state.history.contacts)

    def has_overrun(self, before: State, after: State) -> bool:
        """Return whether a step may have missed a first contact."""
        return self.contacts.has_overrun(before.history.contacts, after.history.contacts)

    def next_jump(self, state: State) -> float:
        """Return the time at which a controller takes its next sample; infinity where none does."""
        return self.followers.next_sample(state.history)

    def after_jump(self, state: State) -> History:
        """Return the history of a state with the samples that are due taken."""
        return self.followers.after_samples(state)

    def diagnose(
        self, time: float, q: np.ndarray, v: np.ndarray, history: History, change: np.ndarray
    ) -> StepDiagnosis:
        """Return the diagnosis of a step that does not converge."""
        unreal = self.without_number(time, q, v, history)
        if unreal:
            return not_a_number(unreal, time)
        if self.rubs:
            rubbing = list(self.rubbing(q, v, history))
            if locking := locking_frictions(self, rubbing, time, q, v, history):
                return StepDiagnosis(locked_clause(locking), LOCKED_HINT)

        def stuck() -> tuple[str, ...]:
            return self._equations.stuck(time, q, history.angles, self.scales)

        return diagnose_motion(self.parts, self.ranges, q, change, self.scales, stuck)

    # --- called by analyses

    def without(self, equations: Sequence[int]) -> "MultibodySystem":
        """Return the system without some of its constraints' equations, such as redundant ones."""
        return MultibodySystem(
            self.parts,
            self.constraint_members,
            self.force_members,
            self.gravity,
            equations,
            self.contacts.members,
        )

    def switched(
        self,
        constraints: Mapping[str, bool],
        forces: Mapping[str, bool],
        held: Mapping[str, float] | None = None,
    ) -> "MultibodySystem":
        """Return the system with some constraints and forces active or not, by name, and no equation left out.

        Args:
            constraints, forces: whether they are to be active.
            held: values of the parameters by which constraints hold parts where they are (`Constraint.held_by`).
        """
        members = []
        for c in self.constraint_members:
            changes: dict[str, Any] = {}
            if constraints.get(c.name, c.active) != c.active:
                changes["active"] = constraints[c.name]
            if c.held_by and held and held.get(c.name, getattr(c, c.held_by)) != getattr(c, c.held_by):
                changes[c.held_by] = held[c.name]
            members.append(c.with_(**changes) if changes else c)
        elements = [chosen(f, forces.get(f.name)) for f in self.force_members]
        return MultibodySystem(self.parts, members, elements, self.gravity, contacts=self.contacts.members)

    def with_constraints_as_placed(self, q: np.ndarray) -> "MultibodySystem":
        """Return the system whose constraints refer to the placed start q (n,); itself if none needs it."""
        members = [
            member.as_placed([self.motion(name, q) for name in member.marker_names()])
            for member in self.constraint_members
        ]
        if all(now is was for now, was in zip(members, self.constraint_members, strict=True)):
            return self
        left = self._equations.left_out.tolist()
        return MultibodySystem(
            self.parts, members, self.force_members, self.gravity, left, self.contacts.members
        )

    def with_forces_as_placed(self, q: np.ndarray) -> "MultibodySystem":
        """Return the system whose forces refer to the assembled start q (n,); itself if none needs it."""
        placed = [
            member.as_placed(self._connections.motions(places, q))
            for member, places in zip(self.force_members, self._at_forces, strict=True)
        ]
        if all(now is was for now, was in zip(placed, self.force_members, strict=True)):
            return self
        return MultibodySystem(
            self.parts, self.constraint_members, placed, self.gravity, self._equations.left_out.tolist(),
            self.contacts.members,
        )  # fmt: skip

    def force_elements(
        self, q: np.ndarray, v: np.ndarray, history: History
    ) -> Iterator[tuple[Force, list[MarkerMotion], np.ndarray]]:
        """Yield each force between markers with the motions of its markers, and its continuous angles (k,)."""
        known = zip(self.force_members, self._at_forces, history.force_angles, strict=True)
        for member, places, angles in known:
            yield member, self._connections.motions(places, q, v), angles

    def rubbing(self, q: np.ndarray, v: np.ndarray, history: History) -> Iterator["RubbingJoint"]:
        """Yield each friction in a constraint at a state."""
        for k, number in enumerate(self._pressed_by):
            if number is not None:
                yield RubbingJoint(self, k, number, q, v, history)

    def of_part(self, name: str, vector: np.ndarray) -> np.ndarray:
        """Return the coordinates (or velocities, …) of one part."""
        for part, at in zip(self.parts, self.ranges, strict=True):
            if part.name == name:
                return np.asarray(vector[at])
        names = [part.name for part in self.parts]
        raise ModelError(f"The system has no part called {name!r}.", there_are(name, names))

    def motion(self, marker: str, q: np.ndarray, v: np.ndarray | None = None) -> MarkerMotion:
        """Return where a marker "part.marker" is and how it moves."""
        return self._connections.motions(self._connections.places((marker,), "a curve"), q, v)[0]

    def marker_accelerations(
        self, marker: str, q: np.ndarray, v: np.ndarray, a: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return acceleration (3,) and angular acceleration (3,) of a marker "part.marker", in the inertial frame."""
        places = self._connections.places((marker,), "a measure")
        rows = self._connections.virtual(places, self._connections.motions(places, q))
        found = rows @ a + self._connections.rate_changes(places, q, v) @ v
        return found[:3], found[3:]

    def equation_names(self) -> list[str]:
        """Return a name for each equation of the constraints, those left out included."""
        return self._equations.names

    @property
    def equation_owners(self) -> np.ndarray:
        """(m,) the name of the constraint of each kept equation; "" for the lengths of Euler parameters."""
        names = self._equations.names
        return np.array([names[i].rsplit(": ", 1)[0] if i < len(names) else "" for i in self.kept_equations])

    @property
    def kept_equations(self) -> np.ndarray:
        """(m,) which of all equations count: not those left out, nor those of constraints that are not active."""
        return self._equations.kept

    def unit_rows(self, time: float, q: np.ndarray, history: History) -> np.ndarray:
        """Return C_q (m, n) over lengths, so that rotations count like displacements; each row of length one."""
        return self._equations.unit_rows(time, q, history.angles, self.scales)

    def constraints_of(self, equations: np.ndarray) -> tuple[str, ...]:
        """Return the numbers of the constraints of some equations, each once."""
        return self._equations.constraints_of(equations)

    def departed(self, time: float, q: np.ndarray, history: History) -> tuple[str, float]:
        """Return the equation left out that is violated most, and the violation as a length; ("", 0.0) for none."""
        return self._equations.departed(time, q, history.angles, self.scales)

    def missed(
        self, time: float, q: np.ndarray, history: History, of: Collection[str] | None = None
    ) -> tuple[str, float]:
        """Return the kept equation that is violated most, and the violation as a length; of some constraints or all."""
        return self._equations.missed(time, q, history.angles, self.scales, of)

    def spread(self, multipliers: np.ndarray) -> np.ndarray:
        """Return (m,) multipliers of all equations; zero for those left out."""
        return self._equations.spread(multipliers)

    def reactions(
        self, time: float, q: np.ndarray, multipliers: np.ndarray, history: History
    ) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return force (3,) and moment (3,) of each constraint on its second marker, along the first one's axes."""
        return self._equations.reactions(time, q, multipliers, history.angles)

    def wrenches_on(self, part: str, state: State) -> dict[str, np.ndarray]:
        """Return force and moment (6,) on each marker of a part that bears any, in the inertial frame.

        They are of constraints and of forces between markers, at a state with its multipliers.
        """
        time, q, v, history = state.time, state.q, state.v, state.history
        multipliers, found = state.all_multipliers, dict[str, np.ndarray]()
        memories = self._under_reactions(time, q, history, multipliers)
        members = zip(self.force_members, self._at_forces, memories, strict=True)
        forces = (
            (places, member.wrenches(self._connections.motions(places, q, v), time, memory))
            for member, places, memory in members
        )
        constraints = self._equations.wrenches(time, q, multipliers, history.angles)
        held = ((places, wrenches) for places, _, wrenches in constraints)
        for places, wrenches in itertools.chain(held, forces):
            for place, wrench in zip(places, wrenches.reshape(-1, 6), strict=True):
                if self.parts[place.part].name == part:
                    found[place.marker.name] = found.get(place.marker.name, 0.0) + wrench
        return found

    def drive_powers(self, time: float, multipliers: np.ndarray) -> dict[str, float]:
        """Return the power that each prescribed motion gives to the parts, by name."""
        return self._equations.powers(time, multipliers)

    def without_number(self, time: float, q: np.ndarray, v: np.ndarray, history: History) -> str:
        """Return the first force or constraint whose value is not finite; "" if there is none."""
        members = zip(self.force_members, self._at_forces, history.force_angles, strict=True)
        for force, places, angles in members:
            motions = self._connections.motions(places, q, v)
            if not np.isfinite(force.wrenches(motions, time, angles)).all():
                return f"force {force.name!r}"
        constraint = self._equations.without_number(time, q, history.angles)
        return f"constraint {constraint!r}" if constraint else ""

    # --- small things

    def _under_reactions(
        self, time: float, q: np.ndarray, history: History | Answered, multipliers: np.ndarray | None
    ) -> tuple[np.ndarray, ...]:
        """Return the memories of all forces (k,), with friction under the reactions of these multipliers."""
        if multipliers is None or not self.rubs:
            return history.force_angles
        found = list(history.force_angles)
        for k, number in enumerate(self._pressed_by):
            if number is not None:
                reaction = self._equations.reaction(number, time, q, multipliers, history.angles)
                found[k] = self.force_members[k].under(*reaction, found[k])
        return tuple(found)

    def _rotation(self, k: int) -> slice:
        return slice(self.ranges[k].start + 3, self.ranges[k].start + RIGID)

    def _unit_rotation(self, k: int) -> np.ndarray:
        q = np.zeros(self.parts[k].n)
        if len(q):
            q[3] = 1.0
        return q


@dataclass(frozen=True, eq=False)
class RubbingJoint:
    """Friction in a constraint at a state.

    Attributes:
        system: its system.
        force: number of the friction among the forces.
        constraint: number of the constraint that presses it.
        q, v, history: the state.
    """

    system: MultibodySystem
    force: int
    constraint: int
    q: np.ndarray
    v: np.ndarray
    history: History

    @property
    def name(self) -> str:
        """Name of the friction."""
        return self.system.force_members[self.force].name

    def press(self, time: float, multipliers: np.ndarray) -> float:
        """Return the normal force for multipliers (m,)."""
        member: Any = self.system.force_members[self.force]
        found = self.system._equations.reaction(
            self.constraint, time, self.q, multipliers, self.history.angles
        )
        return float(member.press(*found))

    def unit_force(self, time: float) -> np.ndarray:
        """Return (n,) the friction per normal force at its limit, over all coordinates; zeros where nothing slips."""
        system, member = self.system, self.system.force_members[self.force]
        places, target = system._at_forces[self.force], np.zeros(system.n)
        motions = system._connections.motions(places, self.q, self.v)
        wrench = member.at_unit_press(motions, time, self.history.force_angles[self.force])  # type: ignore[attr-defined]
        system._connections.carry(wrench[None], places, motions, target[None])
        return target
