"""What a run of a system stores of contacts between parts: fields at the slave's nodes, forces, curves, impulses."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from faying.multibody.contacts.contact import ContactResponse, PartContact
from faying.multibody.history import History
from faying.multibody.system import MultibodySystem
from faying.results.names import path_of
from faying.solvers.integrators import State

_AXES = ("x", "y", "z")


def contact_path(contact: PartContact, what: str) -> str:
    """Return where the frames of a contact are among the datasets of results."""
    return path_of("contacts", contact.name, what)


def surface_path(contact: PartContact, what: str) -> str:
    """Return where values at a contact's slave nodes are: with the part and the surface that they belong to."""
    return path_of("parts", contact.slave_part, "surfaces", contact.slave_surface, contact.name, what)


def contact_sizes(system: MultibodySystem) -> dict[str, int | tuple[int, ...]]:
    """Return the shapes of what is stored of each contact in each frame, by path."""
    sizes: dict[str, int | tuple[int, ...]] = {}
    for contact in system.contacts.members:
        sizes |= {contact_path(contact, "force"): 3, contact_path(contact, "moment"): 3}
        sizes |= {surface_path(contact, what): contact.n for what in ("pressure", "gap")}
        anchors = contact.initial_memory().anchors
        if anchors is not None:
            sizes |= {surface_path(contact, what): (contact.n, 2) for what in ("slip", "friction_stress")}
            sizes[contact_path(contact, "anchors")] = anchors.table().shape
    return sizes


def contact_frame(
    system: MultibodySystem, q: np.ndarray, answers: Sequence[ContactResponse], history: History | None
) -> dict[str, np.ndarray]:
    """Return what is stored of each contact in a frame, by path.

    Force (3,) and moment (3,) about the origin of space act on the slave's part. Gaps that are wider than a contact
    reaches are stored as its reach.

    Args:
        system: what moves.
        q: (n,) where it is.
        answers: of all contacts there.
        history: of the state itself, where it was not reached by a step; None for what the answers would remember.
    """
    found: dict[str, np.ndarray] = {}
    known = zip(system.contacts.members, answers, system.contacts.slave_places(q), strict=True)
    for number, (contact, answer, places) in enumerate(known):
        forces = answer.nodal_forces
        force, moment = forces.sum(axis=0), np.cross(places, forces).sum(axis=0)
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
            assert memory.anchors is not None
            found[contact_path(contact, "anchors")] = memory.anchors.table()
    return found


def contact_curves(
    system: MultibodySystem, q: np.ndarray, answers: Sequence[ContactResponse]
) -> dict[str, float]:
    """Return "<contact> <curve>" of each contact; forces on the slave's part, in space.

    Shares are of the slave's area. The centre is that of the pressure; of open contacts the node nearest the master.
    """
    values: dict[str, float] = {}
    known = zip(system.contacts.members, answers, system.contacts.slave_places(q), strict=True)
    for contact, answer, places in known:
        areas, gaps, friction = contact.slave.areas, answer.gaps, answer.friction
        pushes = np.linalg.norm(answer.normal.forces, axis=1)
        smallest = float(answer.distances.min(initial=np.inf))
        rubbing = 0.0 if friction is None else float(np.linalg.norm(friction.forces, axis=1).sum())
        slipping = np.zeros(0, np.int64) if friction is None else friction.slaves[friction.slipping]
        slipping = gaps.slaves[answer.pressing] if friction is None else slipping
        numbers = {
            "closed share": float(areas[answer.is_closed].sum() / areas.sum()),
            "slipping share": float(areas[slipping].sum() / areas.sum()),
            "closed nodes": float(answer.pressing.sum()),
            "largest penetration": max(-smallest, 0.0),
            "smallest gap": smallest if np.isfinite(smallest) else contact.reach,
            "normal force": float(pushes.sum()),
            "friction force": rubbing,
            "stored energy": contact.stored_energy(answer),
        }
        values |= {f"{contact.name} {curve}": number for curve, number in numbers.items()}
        force = answer.nodal_forces.sum(axis=0)
        centre = places[answer.distances.argmin()]
        if pushes.any():
            centre = pushes @ places[gaps.slaves] / pushes.sum()
        for what, vector in (("force", force), ("centre", centre)):
            values |= {f"{contact.name} {what} {a}": float(x) for a, x in zip(_AXES, vector, strict=True)}
    return values


class ContactImpulses:
    """The impulse of each contact on its slave's part since the start of a run.

    As the time integration applies it: nodes that press at both ends of a step with the mean of their forces, those
    that close within it with the force at its end.

    Args:
        system: what moves.
        start: where the run begins.
    """

    def __init__(self, system: MultibodySystem, start: State) -> None:
        self._system = system
        answers = system.contacts.respond(start.q, start.history.contacts, 0.0)
        self._forces = tuple(answer.nodal_forces for answer in answers)
        self._last = self._sum = np.zeros((len(answers), 3))

    def see(self, before: State, after: State) -> None:
        """Take an accepted step."""
        h, gained = after.time - before.time, np.zeros_like(self._sum)
        answers = self._system.contacts.respond(after.q, before.history.contacts, h)
        forces = tuple(answer.nodal_forces for answer in answers)
        for k, (was, now) in enumerate(zip(self._forces, forces, strict=True)):
            pressed, presses = (np.asarray(each.any(axis=1)) for each in (was, now))
            mean = 0.5 * (was + now)[pressed & presses].sum(axis=0)
            gained[k] = h * (mean + now[presses & ~pressed].sum(axis=0))
        self._forces, self._last, self._sum = forces, self._sum, self._sum + gained

    def memory(self) -> dict[str, Any]:
        """Return the impulses so far, and what the next step goes on from."""
        return {"forces": self._forces, "last": self._last, "sum": self._sum}

    def recall(self, memory: dict[str, Any]) -> None:
        """Take up the impulses of a run from the same start."""
        self._forces, self._last, self._sum = memory["forces"], memory["last"], memory["sum"]

    def curves(self, share: float = 1.0) -> dict[str, float]:
        """Return the impulses at a share of the last step."""
        found = (1.0 - share) * self._last + share * self._sum
        return {
            f"{contact.name} impulse {axis}": float(value)
            for contact, own in zip(self._system.contacts.members, found, strict=True)
            for axis, value in zip(_AXES, own, strict=True)
        }
