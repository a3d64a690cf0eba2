"""Model ▸ System ▸ Contact between parts."""

from functools import partial
from itertools import combinations

from faying.fem.selections.grown import GrownSelection
from faying.multibody.system_spec import SystemSpec
from faying.project import edits
from faying.project.contact_sides import ContactSide
from faying.reduction.contact_surfaces import ContactSurfaceSpec
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import parts
from faying_app.actions._systems import add_and_select, unused_in_system
from faying_app.actions.add_contact_surface import contact_surface_of
from faying_app.context import Context
from faying_app.entities import system_path, system_surfaces
from faying_app.selection import SMOOTH_ANGLE, PickedSide

_MOST = 30  # pairs of surfaces that are offered


@actions.register("add_contact")
class AddContact(ChoosingAction):
    """Let two surfaces touch each other, of different parts or of one flexible part."""

    title = "Contact between parts"
    menu = "Model/System"
    order = 165
    icon = "pairs"
    meaning = (
        "Let the surfaces of two parts of the system, or of one flexible part, touch, slide on each other and part "
        "again: two that were picked in the 3D view (Ctrl+click), or two of a list."
    )
    entities = (
        "system",
        "contacts",
        "contact",
        "contact_surface",
        "rigid_surface",
        "picked_part",
        "picked_surface",
    )

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        why, system = parts(context), context.selected_system()
        if why or system is None:
            return why
        if len(_picked(context, system)) == 2 or _pairs(context, system):
            return ""
        return (
            "Ctrl+click two surfaces in the 3D view, or add contact surfaces to bodies and rigid surfaces to "
            "parts first."
        )

    def choices(self, context: Context) -> list[Choice]:
        """Offer pairs of surfaces, those without a contact first and those of one part last."""
        system = context.selected_system()
        if system is None:
            return []
        picked = []
        if len(_picked(context, system)) == 2:
            picked.append(Choice("The two picked surfaces", partial(_add_picked, context, system)))
        return picked + [
            Choice(f"{master} and {slave}", partial(_add, context, system, master, slave))
            for master, slave in _pairs(context, system)[:_MOST]
        ]


def _pairs(context: Context, system: SystemSpec) -> list[tuple[str, str]]:
    """Return (master, slave) of all pairs that may touch."""
    names = system_surfaces(context.project, system)
    sides = {name: context.computed.contact_side(system, name) for name in names}
    known = {frozenset((contact.master, contact.slave)) for contact in system.contacts}
    found = []
    for one, other in combinations(names, 2):
        first, second = sides[one], sides[other]
        if not isinstance(first, ContactSide) or not isinstance(second, ContactSide):
            continue
        within = first.part == second.part
        if (within and first.rigid) or not (first.may_be_slave or second.may_be_slave):
            continue
        pair = (other, one) if _is_better_slave(first, second) else (one, other)
        found.append(((frozenset(pair) in known, within), pair))
    return [pair for _, pair in sorted(found, key=lambda each: each[0])]


def _is_better_slave(first: ContactSide, second: ContactSide) -> bool:
    """Return whether the first of two surfaces is the better slave: a ball on a rigid part, nodes, the finer mesh."""
    if not (first.may_be_slave and second.may_be_slave):
        return first.may_be_slave
    if first.is_formula != second.is_formula:
        return (second.rigid and first.is_formula) or (not first.rigid and second.is_formula)
    return not first.is_formula and first.mean_edge < second.mean_edge


def _picked(context: Context, system: SystemSpec) -> list[PickedSide]:
    """Return the picked sides whose parts and surfaces are still there."""
    bodies, names = {body.name for body in context.project.bodies}, system_surfaces(context.project, system)
    parts = {part.name: part.body_name() for part in system.parts}

    def is_there(side: PickedSide) -> bool:
        if side.face is None:
            return f"{side.part}.{side.surface}" in names
        return side.face.body in bodies and parts.get(side.part) == side.face.body

    return [side for side in context.selection.sides if side.system == system.name and is_there(side)]


def _add_picked(context: Context, system: SystemSpec) -> None:
    """Add contact between what was picked; faces that are no contact surface yet become one, as the same step."""
    added: list[tuple[str, ContactSurfaceSpec]] = []
    names, sides = [], []
    for side in _picked(context, system):
        name = side.surface
        if side.face is not None:
            body = context.project.body(side.face.body)
            taken = {each.name for each in body.contact_surfaces}
            taken |= {each.name for owner, each in added if owner == body.name}
            name = next(n for i in range(1, len(taken) + 2) if (n := f"surface {i}") not in taken)
            chosen = GrownSelection(element=side.face.element, face=side.face.face, angle=SMOOTH_ANGLE)
            added.append((body.name, contact_surface_of(context, body, name, chosen)))
        names.append(f"{side.part}.{name}")
        sides.append(context.computed.contact_side(system, names[-1]))
    # The first one is the master, unless only the second can be it.
    first, second = sides
    turned = (
        isinstance(second, ContactSide) and not second.may_be_slave and getattr(first, "may_be_slave", True)
    )
    master, slave = reversed(names) if turned else names
    _add(context, system, master, slave, added)


def _add(
    context: Context,
    system: SystemSpec,
    master: str,
    slave: str,
    surfaces: list[tuple[str, ContactSurfaceSpec]] | None = None,
) -> None:
    name = unused_in_system(context, system.name, "contacts", "contact")
    words = {"name": name, "master": master, "slave": slave}
    path = (*system_path(context.project, system.name), "contacts")
    edit = (
        edits.add_contact(system.name, words, surfaces) if surfaces else edits.add_contact(system.name, words)
    )
    context.selection.drop_sides()
    add_and_select(context, f"Add {name!r}", edit, path)
