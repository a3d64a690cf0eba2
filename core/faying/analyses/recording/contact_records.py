"""What a run of a system stores of contacts between parts: fields at the slave nodes, forces, curves, impulses."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from faying.analyses.recording.touches import PartMotion, Touches, time_of_crossing
from faying.multibody.contacts.approach import approach_speeds
from faying.multibody.contacts.contact import ContactResponse, PartContact
from faying.multibody.history import History
from faying.multibody.system import MultibodySystem
from faying.results.names import path_of
from faying.solvers.integrators import State


def contact_path(contact: PartContact, what: str) -> str:
    """Return the path of a contact's dataset in the results file."""
    return path_of("contacts", contact.name, what)


def surface_path(contact: PartContact, what: str) -> str:
    """Return the path of the dataset of values at a contact's slave nodes; it names their part and surface too."""
    return path_of("surfaces", contact.slave_part, contact.slave_surface, contact.name, what)


def contact_frame(
    system: MultibodySystem, q: np.ndarray, answers: Sequence[ContactResponse], history: History | None
) -> dict[str, np.ndarray]:
    """Return what is stored of each contact in a frame, by path.

    Force (3,) and moment (3,) about the origin of the inertial frame act on the slave's part. Gaps wider than the
    contact's reach are stored as its reach.

    Args:
        system: the multibody system.
        q: (n,) coordinates.
        answers: responses of all contacts there.
        history: committed history, for a state that no step led to; None to store the new history of the answers.
    """
    found: dict[str, np.ndarray] = {}
    known = zip(system.contacts.members, answers, system.contacts.slave_places(q), strict=True)
    for number, (contact, answer, places) in enumerate(known):
        forces = answer.nodal_forces
        force, moment = forces.sum(axis=0), np.cross(answer.acting_places(places), forces).sum(axis=0)
        gaps, friction = answer.gaps, answer.friction
        found |= {contact_path(contact, "force"): force, contact_path(contact, "moment"): moment}
        found |= {
            surface_path(contact, "pressure"): answer.over_nodes(gaps.slaves, answer.normal.pressures),
            surface_path(contact, "gap"): answer.over_nodes(gaps.slaves, gaps.gaps, contact.reach),
        }
        if friction is not None:
            found |= {
                surface_path(contact, "slip"): answer.over_nodes(friction.slaves, friction.slips),
                surface_path(contact, "friction_stress"): answer.over_nodes(
                    friction.slaves, friction.stresses
                ),
            }
            memory = answer.memory if history is None else history.contacts[number]
            assert memory.references is not None
            found[contact_path(contact, "anchors")] = memory.references.table()
    return found


class ContactTally:
    """Sums over a run for each contact: impulse on the slave's part, largest number of closed nodes, touches.

    Impulses are integrated as the time integration applies the forces: of nodes that last as its scheme does with
    smooth forces (`ContinuedPairs`), of all others with their mean over the step (`faying.joints.step_mean`).

    Args:
        system: the multibody system.
        start: state at the start of the run.
    """

    def __init__(self, system: MultibodySystem, start: State) -> None:
        self._system = system
        answers = system.contacts.respond(start.q, start.history.contacts, 0.0)
        self._forces = tuple(answer.nodal_forces for answer in answers)
        self._ahead = tuple(np.zeros_like(forces) for forces in self._forces)
        self._last = self._sum = np.zeros((len(answers), 3))
        self._most = np.array([int(answer.pressing.sum()) for answer in answers])
        self._touches = tuple(Touches(bool(answer.pressing.any())) for answer in answers)
        self._start = [
            start_of(contact, answer, master)
            for contact, answer, master in zip(
                system.contacts.members, answers, system.contacts.master_axes(start.q), strict=True
            )
        ]

    def see(self, before: State, after: State) -> None:
        """Take an accepted step."""
        h, gained, ahead = after.time - before.time, np.zeros_like(self._sum), list(self._ahead)
        first = len(self._system.numbered_joints)  # pairs of joints come before the contacts'
        within = after.continued
        starts = None if within is None else within.before[first:]
        answers = self._system.contacts.respond(after.q, before.history.contacts, h, before=starts)
        forces = tuple(answer.nodal_forces for answer in answers)
        self._see_touches(before, after, answers)
        for k, (was, now) in enumerate(zip(self._forces, forces, strict=True)):
            self._most[k] = max(self._most[k], int(answers[k].pressing.sum()))
            if within is None or starts is None:
                gained[k] = h * now.sum(axis=0)
                continue
            lasting, ahead[k] = within.impulse(first + k, was, now, ahead[k])
            half = 0.5 * was[starts[k].halved].sum(axis=0)
            gained[k] = lasting.sum(axis=0) + h * (half + answers[k].sudden_forces.sum(axis=0))
        self._ahead = tuple(ahead)
        self._forces, self._last, self._sum = forces, self._sum, self._sum + gained

    def _see_touches(self, before: State, after: State, answers: Sequence[ContactResponse]) -> None:
        first = len(self._system.numbered_joints)
        contacts, times = self._system.contacts, (before.time, after.time)
        known = zip(self._touches, contacts.members, answers, contacts.slave_places(after.q), strict=True)
        for k, (touches, contact, answer, places) in enumerate(known):
            pressing = answer.pressing
            parts = contact.master_part, contact.slave_part
            shifts = (0.0, 0.0)
            if before.gaps is not None and touches.is_open != pressing.any():
                shifts = self._shifts(contact, before, after, before.gaps[first + k], answer)
            moments = times[0] + shifts[0], times[1] + shifts[1]
            ways = zip((before, after), shifts, strict=True)
            was, now = (tuple(self._motion(part, state, shift) for part in parts) for state, shift in ways)
            pushes, nodes = answer.normal.forces[pressing], answer.gaps.slaves[pressing]
            acting = answer.acting_places(places)[nodes]
            touches.see(times, moments, (was[0], was[1]), (now[0], now[1]), pushes, acting)

    def _shifts(
        self, contact: PartContact, before: State, after: State, gaps: np.ndarray, answer: ContactResponse
    ) -> tuple[float, float]:
        """Return how long after the start of a step the first node closes, and before its end the last one opens.

        Until the first touch, and from the last one on, nodes move by their smooth acceleration. Where none closes or
        opens the time is zero.

        Args:
            contact, before, after: the contact, and the states at the ends of the step.
            gaps: (n,) at its start.
            answer: at its end.
        """
        closing, h = contact.contact_law.closing_gap(), after.time - before.time
        nodes, shifts = answer.gaps.slaves, []
        now, was = answer.gaps.gaps - closing, gaps[nodes] - closing
        for state, depths, crosses in (
            (before, was, np.isfinite(was) & (was >= 0.0) & (now < 0.0)),
            (after, now, (was < 0.0) & (now >= 0.0)),
        ):
            place = [self._system.of_part(p, state.q) for p in (contact.slave_part, contact.master_part)]
            rates = []
            for vector in (state.v, state.a):
                own = [self._system.of_part(p, vector) for p in (contact.slave_part, contact.master_part)]
                speeds = approach_speeds(contact.slave, place[0], own[0], place[1], own[1])[nodes]
                rates.append(np.einsum("mc,mc->m", speeds, answer.gaps.normals)[crosses])
            shifts.append(time_of_crossing(depths[crosses], *rates))
        begins, ends = shifts
        return (
            float(np.clip(begins.min(), 0.0, h)) if len(begins) else 0.0,
            float(np.clip(ends.max(), -h, 0.0)) if len(ends) else 0.0,
        )

    def _motion(self, part: str, state: State, shift: float) -> PartMotion:
        """Return the motion of a part by its smooth acceleration, a time before or after a state."""
        q, v, a = (self._system.of_part(part, x) for x in (state.q, state.v, state.a))
        return q + shift * v, v + shift * a

    def checkpoint(self) -> dict[str, Any]:
        """Return all sums so far, and the forces at the last state, for an interrupted run."""
        touches = tuple(each.checkpoint() for each in self._touches)
        return {
            "forces": self._forces, "ahead": self._ahead, "last": self._last, "sum": self._sum,
            "most": self._most, "touches": touches,
        }  # fmt: skip

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore the sums of an interrupted run with the same start."""
        self._forces, self._ahead = checkpoint["forces"], checkpoint["ahead"]
        self._last, self._sum = checkpoint["last"], checkpoint["sum"]
        self._most = checkpoint["most"]
        for touches, known in zip(self._touches, checkpoint["touches"], strict=True):
            touches.restore(known)

    def impulses(self, share: float = 1.0) -> np.ndarray:
        """Return (n_contacts, 3) impulses at a fraction of the last step."""
        return np.asarray((1.0 - share) * self._last + share * self._sum)

    @property
    def restitutions(self) -> list[float]:
        """(n_contacts,) of the last touches that have ended."""
        return [touches.restitution for touches in self._touches]

    def summary(self) -> dict[str, Any]:
        """Return by contact its initial state, largest number of closed nodes, and touches; {} without contacts."""
        members = self._system.contacts.members
        if not members:
            return {}
        found = zip(members, self._most, self._start, self._touches, strict=True)
        return {
            "contacts": {
                c.name: {"most_closed": int(most), **start, **touches.summary()}
                for c, most, start, touches in found
            }
        }


def start_of(contact: PartContact, answer: ContactResponse, axes: np.ndarray) -> dict[str, Any]:
    """Return initial overlap, number of overlapping nodes, stored energy, and the shift of the slave that frees it.

    With the name of the contact that it completes, if it does.
    """
    gaps = answer.gaps
    inside = gaps.gaps < 0.0
    deepest = int(gaps.gaps.argmin()) if inside.any() else -1
    depth = -float(gaps.gaps[deepest]) if inside.any() else 0.0
    way = depth * gaps.normals[deepest] @ axes.T if inside.any() else np.zeros(3)
    return {
        "parts": [contact.master_part, contact.slave_part],
        "overlap": depth,
        "overlapping_nodes": int(inside.sum()),
        "stored_at_start": contact.stored_energy(answer),
        "way_out": [float(x) for x in way],
        **({"completes": contact.completes} if contact.completes else {}),
    }
