"""State of contacts between parts: shares, gap and penetration, forces and their centre."""

from collections.abc import Iterable, Sequence

import numpy as np

from faying.analyses.curve_sources import RecordedSystem, SystemCurveSource, SystemState, curve_sources
from faying.results.curve_key import AXES, Quantity


@curve_sources.register("contacts")
class Contacts(SystemCurveSource):
    """Forces are on the slave's part, in the inertial frame; shares are relative to the slave's area.

    The centre is that of pressure; of an open contact, the slave node nearest to the master.
    """

    title = "Contacts between parts"
    owners_kind = "contact"
    quantities = (
        Quantity("closed share", "", "Share of the slave's area that is closed."),
        Quantity("slipping share", "", "Share of the slave's area that slips."),
        Quantity("closed nodes", "", "Number of slave nodes that press."),
        Quantity("largest penetration", "length", "Deepest penetration of all slave nodes."),
        Quantity("smallest gap", "length", "Smallest gap of all slave nodes, its reach at most."),
        Quantity("normal force", "force", "Sum of the sizes of the normal forces."),
        Quantity("friction force", "force", "Sum of the sizes of the friction forces."),
        Quantity("stored energy", "energy", "Elastic energy of the contact law."),
        Quantity("force", "force", "Force on the slave's part.", AXES),
        Quantity("centre", "length", "Centre of pressure.", AXES),
    )

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the contacts."""
        return [contact.name for contact in subject.system.contacts.members]

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return the numbers of each contact."""
        contacts = subject.system.contacts
        known = zip(contacts.members, state.touched, contacts.slave_places(state.state.q), strict=True)
        for contact, answer, places in known:
            whole, gaps, friction = contact.slave.areas.sum(), answer.gaps, answer.friction
            areas = answer.over_nodes(gaps.slaves, answer.normal.areas)
            places = answer.acting_places(places)
            pushes = np.linalg.norm(answer.normal.forces, axis=1)
            smallest = float(answer.distances.min(initial=np.inf))
            rubbing = 0.0 if friction is None else float(np.linalg.norm(friction.forces, axis=1).sum())
            slipping = np.zeros(0, np.int64) if friction is None else friction.slaves[friction.slipping]
            slipping = gaps.slaves[answer.pressing] if friction is None else slipping
            centre = places[answer.distances.argmin()]
            if pushes.any():
                centre = pushes @ places[gaps.slaves] / pushes.sum()
            yield areas[answer.is_closed].sum() / whole
            yield areas[slipping].sum() / whole
            yield answer.pressing.sum()
            yield max(-smallest, 0.0)
            yield smallest if np.isfinite(smallest) else contact.reach
            yield pushes.sum()
            yield rubbing
            yield contact.stored_energy(answer)
            yield from (*answer.nodal_forces.sum(axis=0), *centre)
