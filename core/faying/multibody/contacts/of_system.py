"""All contacts between the parts of a system, with where the parts' coordinates are among all."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from faying.errors import ModelError
from faying.joints.step_mean import PairsBefore
from faying.multibody.contacts.contact import ContactMemory, ContactResponse, PartContact
from faying.multibody.contacts.force import places_in_frame
from faying.multibody.contacts.frozen_pairs import FrozenPairs, frozen_pairs
from faying.multibody.part import RIGID
from faying.spatial.rotations import rotation_matrix

Memories = tuple[ContactMemory, ...]


class SystemContacts:
    """The contacts of a system; constant while it is solved.

    Args:
        contacts: the contacts.
        ranges: of each part's coordinates among all, by name; empty for ground.

    Attributes:
        members: the contacts.

    Raises:
        ModelError: when a part is named that does not exist.
    """

    def __init__(self, contacts: Sequence[PartContact], ranges: Mapping[str, slice]) -> None:
        self.members = tuple(contacts)
        for contact in contacts:
            for part in (contact.master_part, contact.slave_part):
                if part not in ranges:
                    raise ModelError(
                        f"Contact {contact.name!r} is with a part {part!r} that is not there.",
                        f"There are: {', '.join(ranges)}.",
                    )
        self._at = [(ranges[contact.master_part], ranges[contact.slave_part]) for contact in contacts]

    def __len__(self) -> int:
        return len(self.members)

    def initial(self) -> Memories:
        """Return the memories before any state was accepted."""
        return tuple(contact.initial_memory() for contact in self.members)

    def resting(self, q: np.ndarray) -> Memories:
        """Return the memories of a system at rest at q (n,): touching nodes are closed."""
        return tuple(
            contact.resting_memory(q[master], q[slave])
            for contact, (master, slave) in zip(self.members, self._at, strict=True)
        )

    def respond(
        self,
        q: np.ndarray,
        memories: Memories,
        time_step: float,
        *,
        jacobian: bool = False,
        before: Sequence[PairsBefore | None] | None = None,
    ) -> list[ContactResponse]:
        """Return the response of each contact; arguments as of `PartContact.evaluate`."""
        starts = before or (None,) * len(self.members)
        known = zip(self.members, self._at, memories, starts, strict=True)
        return [
            contact.evaluate(q[master], q[slave], memory, time_step, jacobian=jacobian, before=own)
            for contact, (master, slave), memory, own in known
        ]

    def frozen(self, q: np.ndarray, memories: Memories, motions: np.ndarray) -> list[FrozenPairs]:
        """Return the pairs of all contacts that press or may press about a rest at q (n,).

        Contacts that complete those of nodes, and balls, do not count where nothing of them is within reach.

        Args:
            q: coordinates of the system.
            memories: of the state.
            motions: (n, k) changes of q by the k coordinates of the pairs.

        Raises:
            ModelError: as `frozen_pairs`.
        """
        found = []
        for contact, (master, slave), memory in zip(self.members, self._at, memories, strict=True):
            answer = contact.evaluate(q[master], q[slave], memory, 0.0, jacobian=False)
            if type(contact) is PartContact or answer.pressing.any():
                moved = motions[master], motions[slave]
                found.append(frozen_pairs(contact, q[master], q[slave], memory, moved))
        return found

    def slave_places(self, q: np.ndarray) -> list[np.ndarray]:
        """Return where in space the slave's nodes (n, 3) of each contact are, for coordinates (n,) of the system."""
        still = np.zeros(0)
        return [
            places_in_frame(contact.slave, q[slave], still)
            for contact, (_, slave) in zip(self.members, self._at, strict=True)
        ]

    def master_axes(self, q: np.ndarray) -> list[np.ndarray]:
        """Return the axes (3, 3) of each master's frame in space, unit vectors in the columns; those of ground too."""
        return [
            rotation_matrix(q[master][3:RIGID]) if master.stop > master.start else np.eye(3)
            for master, _ in self._at
        ]

    def add(
        self,
        answers: Sequence[ContactResponse],
        force: np.ndarray,
        sudden: np.ndarray | None = None,
        going_on: np.ndarray | None = None,
        change: np.ndarray | None = None,
    ) -> None:
        """Add responses to a force (n,), and to their parts (n,) and derivatives (n, n) if these are given."""
        for (master, slave), answer in zip(self._at, answers, strict=True):
            force[master] += answer.on_master
            force[slave] += answer.on_slave
            m = len(answer.on_master)
            for total, own_part in ((sudden, answer.sudden), (going_on, answer.going_on)):
                if total is not None:
                    total[master] += own_part[:m]
                    total[slave] += own_part[m:]
            if change is not None:
                _add_change(change, answer, master, slave)

    def changes(self, answers: Sequence[ContactResponse], n: int) -> list[np.ndarray]:
        """Return the derivative (n, n) of each contact's force by all coordinates."""
        found = []
        for (master, slave), answer in zip(self._at, answers, strict=True):
            found.append(np.zeros((n, n)))
            _add_change(found[-1], answer, master, slave)
        return found

    def add_friction(self, answers: Sequence[ContactResponse], force: np.ndarray) -> None:
        """Add the forces of responses that take energy, of friction and of damped impacts, to a force (n,)."""
        for (master, slave), answer in zip(self._at, answers, strict=True):
            if answer.normal.damping is not None:
                m = len(answer.on_master)
                force[master] += answer.normal.damping[:m]
                force[slave] += answer.normal.damping[m:]
            if answer.friction is not None:
                force[master] += answer.friction.on_master
                force[slave] += answer.friction.on_slave

    def with_references(self, q: np.ndarray, tables: Sequence[np.ndarray | None]) -> Memories:
        """Return the memories at q (n,), with stored friction references; of bodies at rest without these.

        Args:
            q: coordinates of the system.
            tables: of each contact, see `FrictionReferences.table`; None for references at rest.
        """
        found = []
        for memory, table in zip(self.resting(q), tables, strict=True):
            references = memory.references
            if references is not None and table is not None:
                memory = replace(memory, references=references.from_table(table))
            found.append(memory)
        return tuple(found)

    def remembered(self, q: np.ndarray, v: np.ndarray | None, memories: Memories) -> Memories:
        """Return the memories of an accepted state (q, v) with its speeds of approach; as they are without v."""
        if v is None or all(contact.restitution >= 1.0 for contact in self.members):
            return memories
        return tuple(
            contact.remembered(memory, q[master], q[slave], v[master], v[slave])
            for contact, (master, slave), memory in zip(self.members, self._at, memories, strict=True)
        )

    def longest_step(self, q: np.ndarray, v: np.ndarray, memories: Memories) -> float:
        """Return the longest step from a state that cannot miss a first contact; infinity without contacts."""
        if not self.members:
            return float("inf")
        steps = [
            contact.longest_step(memory, q[master], q[slave], v[master], v[slave])
            for contact, (master, slave), memory in zip(self.members, self._at, memories, strict=True)
        ]
        return min(steps)

    def has_overrun(self, before: Memories, after: Memories) -> bool:
        """Return whether a first contact may have been missed between two states."""
        known = zip(self.members, before, after, strict=True)
        return any(contact.has_overrun(one, other) for contact, one, other in known)


def _add_change(change: np.ndarray, answer: ContactResponse, master: slice, slave: slice) -> None:
    """Add the derivative of a contact's force to one over all coordinates (n, n)."""
    own, m = answer.change, len(answer.on_master)
    if own is not None:
        # Both surfaces may be of one part: then all four blocks are of the same coordinates.
        change[master, master] += own[:m, :m]
        change[master, slave] += own[:m, m:]
        change[slave, master] += own[m:, :m]
        change[slave, slave] += own[m:, m:]
