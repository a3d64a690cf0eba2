"""What completes the contact of the slave's nodes, so that two rigid bodies carry each other wherever they touch."""

from collections.abc import Iterator, Sequence

from faying.multibody.contacts.contact import PartContact
from faying.multibody.contacts.edges import MOST_CROSSINGS, CornerContact, EdgeContact, SharpEdges
from faying.multibody.contacts.roller import RollerContact
from faying.multibody.contacts.surface import PartSurface


def completing(contact: PartContact, names: Sequence[str], *, both_ways: bool) -> Iterator[PartContact]:
    """Yield the contacts that complete one of nodes: of a round face, of corners of the master, of edges that cross.

    Args:
        contact: of the slave's nodes on the master.
        names: of slave and master, for errors.
        both_ways: whether there is a contact of the master's nodes on the slave, too.

    Raises:
        ModelError: when a round face does not fit into a hollow.
    """
    master, slave = contact.master, contact.slave
    if slave.roller is not None:
        yield RollerContact.completing(contact, slave.roller, names, of_master=False)
    if not isinstance(master, PartSurface) or not (master.is_rigid and slave.is_rigid) or contact.within_part:
        return
    if master.roller is not None and slave.roller is None:
        yield RollerContact.completing(contact, master.roller, (names[1], names[0]), of_master=True)
    if contact.gears is not None:
        return
    of_master, of_slave = SharpEdges.of(master), SharpEdges.of(slave)
    if len(of_master) and not both_ways:
        yield CornerContact.completing(contact, of_slave, of_master)
    if 0 < len(of_master) * len(of_slave) <= MOST_CROSSINGS:
        yield EdgeContact.completing(contact, of_slave, of_master)
