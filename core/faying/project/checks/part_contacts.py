"""Contacts between parts: two existing, compatible surfaces of two parts or of one flexible part."""

from collections.abc import Iterator

import numpy as np

from faying.errors import FayingError
from faying.multibody.contacts.spec import PartContactSpec
from faying.multibody.system_spec import NO_NODES_HINT, no_nodes
from faying.project.checks import CheckedProject, EntityPath, Finding, checks
from faying.project.contact_sides import ContactSide
from faying.units import unit_text

_COARSER = 2.0  # mean edge length of the slave's facets relative to the master's


@checks.register("part_contacts")
def part_contacts(checked: CheckedProject) -> Iterator[Finding]:
    """Check the surfaces of each contact, and whether master and slave should be exchanged."""
    surfaces = {body.name: [each.name for each in body.contact_surfaces] for body in checked.project.bodies}
    pairs: dict[tuple[str, frozenset[str]], str] = {}
    for path, system, contact in checked.contacts():
        name = f"Contact {contact.name!r} of system {system.name!r}"
        sides = checked.contact_sides(system, contact)
        known = system.surface_names(surfaces)
        for role, side in sides.items():
            # A surface that exists but cannot be chosen is reported at its definition.
            if isinstance(side, FayingError) and getattr(contact, role) not in known:
                yield Finding("error", (*path, role), f"{name}: {side.message}", side.hint)
        master, slave = sides["master"], sides["slave"]
        if isinstance(master, ContactSide) and isinstance(slave, ContactSide):
            yield from _together(path, name, contact, master, slave, checked.project.units)
            both = (system.name, frozenset((contact.master, contact.slave)))
            if both in pairs:
                yield Finding(
                    "warning", path,
                    f"{name} is between the same surfaces as {pairs[both]!r}: they press on each other twice.",
                    "Remove one of both contacts.",
                )  # fmt: skip
            pairs.setdefault(both, contact.name)


def _together(
    path: EntityPath, name: str, contact: PartContactSpec, master: ContactSide, slave: ContactSide, units: str
) -> Iterator[Finding]:
    if contact.master == contact.slave:
        yield Finding(
            "error", path, f"{name}: {contact.master!r} is master and slave at once.",
            "Choose surfaces of two parts.",
        )  # fmt: skip
        return
    if master.part == slave.part and master.rigid:
        yield Finding(
            "error", path,
            f"{name}: both surfaces belong to {master.part!r}, which does not deform and never touches itself.",
            "Choose surfaces of two parts, or of a flexible one.",
        )  # fmt: skip
        return
    if not slave.may_be_slave and not master.may_be_slave:
        yield Finding(
            "error", (*path, "slave"),
            f"{name}: {no_nodes(contact.master, contact.slave)}", NO_NODES_HINT,
        )  # fmt: skip
        return
    if slave.is_formula and slave.may_be_slave and not master.rigid:
        yield Finding(
            "warning", (*path, "slave"),
            f"{name}: the ball {contact.slave!r} presses on the flexible part {master.part!r} at one point, whose "
            "compliance depends on the mesh.",
            f"Make the ball the master, and {contact.master!r} the slave: then its nodes share the force.",
        )  # fmt: skip
    if master.part == slave.part and (shared := _shared(master, slave)):
        yield Finding(
            "warning" if shared == 1.0 else "note", path,
            f"{name}: of the slave's nodes {100.0 * shared:.0f} % belong to the master too, both being of "
            f"{master.part!r}; these press only on what lies across a gap of the undeformed body.",
            "Choose two surfaces that look at each other and share no facets.",
        )  # fmt: skip
    if master.is_formula and contact.two_pass:
        yield Finding(
            "warning", path,
            f"{name}: the master {contact.master!r} is a shape by formula, so that there is no second pass.",
            "Set the share of the second pass to zero.",
        )  # fmt: skip
    coarser = master.mean_edge and slave.mean_edge > _COARSER * master.mean_edge
    # Of rigid bodies corners of the master are looked at, too.
    if coarser and not contact.two_pass and not (master.rigid and slave.rigid):
        length = unit_text("length", units)
        yield Finding(
            "note", path,
            f"{name}: the slave's facets ({slave.mean_edge:.2g} {length}) are {slave.mean_edge / master.mean_edge:.1f} "
            f"times as large as the master's ({master.mean_edge:.2g} {length}): nodes of the master may lie below them "
            "unseen.",
            "Exchange master and slave, or give the second pass a share of a half.",
        )  # fmt: skip


def _shared(master: ContactSide, slave: ContactSide) -> float:
    """Return the share of the slave's nodes that belong to the master, for surfaces of one body; zero while unknown."""
    if master.surface is None or slave.surface is None or not len(slave.surface.nodes):
        return 0.0
    return float(np.isin(slave.surface.nodes, master.surface.nodes).mean())
