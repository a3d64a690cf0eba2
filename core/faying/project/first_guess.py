"""First proposal for a body, guessed from its deck; the window and ``faying new`` offer it."""

import re
from collections.abc import Iterable
from typing import TypeVar

import numpy as np

from faying.analyses.static import Static
from faying.errors import ModelError
from faying.fem.added_couplings import CouplingSpec
from faying.fem.model import BeamSection, ContactProposal, FeModel
from faying.fem.selections import SurfaceSelection
from faying.fem.selections.deck_set import DeckSetSelection
from faying.fem.skin import Skin, find_skin
from faying.fem.springs import loose_ends
from faying.fem.ties import TieSpec
from faying.joints.search import FOR_NEW_JOINTS
from faying.params import unused_name
from faying.project.specs import BodySpec, InterfaceSpec, JointSpec
from faying.reduction.body_loads.of_deck import LoadOfDeck
from faying.reduction.body_loads.of_file import LoadOfFile
from faying.reduction.contact_surfaces import ContactSurfaceSpec
from faying.reduction.preload import PreloadSpec

S = TypeVar("S", InterfaceSpec, JointSpec)


def with_guesses(body: BodySpec, model: FeModel) -> BodySpec:
    """Return the body with interface nodes, joints and a preload case guessed from its deck.

    Interface nodes: node sets of exactly one node that is the reference node of a coupling and not also
    held by a beam or the middle of a cut bolt; faces that the deck holds, which are coupled to a new node. The
    preload case tightens the deck's bolts with its forces. Loads: those of the deck's load cases. Joints: contact
    that the deck defines, and pairs of surfaces whose names differ only in MASTER and SLAVE. Of a body that was
    read reduced, all that its file names.
    """
    if body.model.is_reduced:
        return _of_reduced(body, model)
    # Ends of springs on ground are there to be held.
    references = {coupling.reference for coupling in model.couplings} | set(loose_ends(model).tolist())
    beams = [b.connectivity.ravel() for b in model.blocks if isinstance(b.section, BeamSection)]
    others = set(np.concatenate(beams).tolist()) if beams else set()
    others |= {centre for bolt in model.bolts for centre in bolt.centres}
    set_at: dict[int, str] = {}  # of several node sets at a node the first
    for name, rows in model.node_sets.items():
        if len(rows) == 1 and int(rows[0]) in references - others:
            set_at.setdefault(int(rows[0]), name)
    interfaces = [
        InterfaceSpec(name=name.removeprefix("REF_").lower() or name, node_set=name)
        for name in set_at.values()
    ]
    joints = [_joint_of(contact, model) for contact in model.contacts]
    taken = {contact.master for contact in model.contacts}
    for name in model.surfaces:
        if name in taken:
            continue
        slave = re.sub("MASTER", "SLAVE", name, flags=re.IGNORECASE)
        if slave != name and (found := _surface(model, slave)):
            title = re.sub(r"[_\- ]*MASTER[_\- ]*", "", name, flags=re.IGNORECASE).lower() or "joint"
            joints.append(
                JointSpec(
                    name=title,
                    master={"kind": "deck_surface", "name": name},
                    slave={"kind": "deck_surface", "name": found},
                    search=FOR_NEW_JOINTS,
                )
            )
    held = _held_faces(model)
    loads = [
        {"kind": "bolt_force", "bolt": bolt.name, "force": bolt.force} for bolt in model.bolts if bolt.force
    ]
    acting = dict.fromkeys(name for case in model.deck_cases for name, _ in case.loads)
    guessed: BodySpec = body.with_(
        interfaces=_numbered([*interfaces, *(InterfaceSpec(name=c.name, node_set=c.name) for c in held)]),
        couplings=held,
        joints=_numbered(joints),
        preloads=(PreloadSpec(name="bolts", loads=loads),) if loads else (),
        loads=tuple(LoadOfDeck(name=name, load=name) for name in acting),
    )
    return guessed


def guessed_analyses(body: BodySpec, model: FeModel, taken: Iterable[str] = ()) -> tuple[Static, ...]:
    """Return a static analysis for each load case of the deck whose support is an interface node of the body.

    Args:
        body: as `with_guesses` returned it.
        model: of its deck.
        taken: names that other analyses of the project have.
    """
    nodes = {_place(interface.node_set, model): interface.name for interface in body.interfaces}
    found, names = list[Static](), set(taken)
    for case in model.deck_cases:
        support = nodes.get(_place(case.support, model)) or nodes.get(_held_name(case.support))
        if support is None:
            continue
        name = unused_name(case.name, names)
        names.add(name)
        acting = [{"load": load, "factor": factor} for load, factor in case.loads]
        found.append(Static(name=name, body=body.name, support=support, body_loads=acting))
    return tuple(found)


def _place(node_set: str, model: FeModel) -> int | str:
    """Return the row of the only node of a set, the name of any other set."""
    rows = model.node_sets.get(node_set)
    return int(rows[0]) if rows is not None and len(rows) == 1 else node_set


def _numbered(found: Iterable[S]) -> tuple[S, ...]:
    """Return interface nodes or joints; names that were given before get numbers."""
    made: dict[str, S] = {}
    for each in found:
        name = unused_name(each.name, made)
        made[name] = each if name == each.name else each.with_(name=name)
    return tuple(made.values())


def _held_name(node_set: str) -> str:
    return f"{node_set.lower()} held"


def _of_reduced(body: BodySpec, model: FeModel) -> BodySpec:
    """Return the body with all that its file names."""
    joints = {contact.master for contact in model.contacts} | {contact.slave for contact in model.contacts}
    touched = [name for name in model.surfaces if name not in joints]
    guessed: BodySpec = body.with_(
        interfaces=tuple(InterfaceSpec(name=name, node_set=name) for name in model.node_sets),
        joints=_numbered(_joint_of(contact, model) for contact in model.contacts),
        preloads=tuple(PreloadSpec(name=case) for case in model.preload_cases),
        loads=tuple(LoadOfFile(name=load) for load in model.body_loads),
        contact_surfaces=tuple(
            ContactSurfaceSpec(name=name, surface={"kind": "deck_surface", "name": name}) for name in touched
        ),
    )
    return guessed


def _held_faces(model: FeModel) -> tuple[CouplingSpec, ...]:
    """Return a rigid coupling for each face that the deck holds, unless some of its nodes are coupled already."""
    coupled = np.zeros(len(model.nodes), bool)
    for coupling in model.couplings:
        coupled[coupling.nodes] = True
    found = []
    for support in model.supports:
        rows = model.node_sets[support.node_set]
        if len(rows) > 2 and not coupled[rows].any():
            coupled[rows] = True
            surface = DeckSetSelection(name=support.node_set)
            found.append(CouplingSpec(name=_held_name(support.node_set), surface=surface))
    if not found:
        return ()
    skin = find_skin(model)
    return tuple(spec for spec in found if _has_facets(spec.surface, model, skin))


def _has_facets(selection: SurfaceSelection, model: FeModel, skin: Skin) -> bool:
    try:
        selection.select(model, skin)
    except ModelError:
        return False
    return True


def _joint_of(contact: ContactProposal, model: FeModel) -> JointSpec:
    search, tie = FOR_NEW_JOINTS, TieSpec()
    if contact.adjustment is not None:
        # Nodes that penetrate are moved however deep they are: as deep as the body is large.
        depth = float(f"{np.linalg.norm(np.ptp(model.nodes, axis=0)):.1g}")
        search = search.with_(close_gaps_below=contact.adjustment, remove_penetration_below=depth)
        tie = TieSpec(distance=contact.adjustment, adjust=True)
    friction = {
        "kind": "coulomb",
        "friction_coefficient": contact.friction_coefficient,
        "sticking_stiffness": contact.sticking_stiffness or None,
    }
    law = {"kind": "linear_penalty", **({"stiffness": contact.stiffness} if contact.stiffness else {})}
    return JointSpec(
        name=contact.name,
        master={"kind": "deck_surface", "name": contact.master},
        slave={"kind": "deck_surface", "name": contact.slave},
        treatment="tied" if contact.tied else "contact",
        tie=tie,
        search=search,
        contact_law=law,
        friction_law=friction if contact.friction_coefficient else None,
    )


def _surface(model: FeModel, name: str) -> str:
    return next((known for known in model.surfaces if known.upper() == name.upper()), "")
