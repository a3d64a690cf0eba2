"""Rigid bodies: `*RIGID BODY` and `*MPC` BEAM as kinematic couplings."""

import numpy as np

from faying.fem.model import Coupling
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_parts import ALL, Parts, note_unless, reference_node
from faying.fem.readers._abaqus_scopes import DeckScope
from faying.fem.readers._abaqus_sets import nodes_of_elements

# Multi-point constraints of equal motion of two nodes, with the equal components.
EQUAL_MOTIONS = {"PIN": (1, 2, 3), "TIE": (1, 2, 3, 4, 5, 6)}


def read_rigid_body(parts: Parts, scope: DeckScope, card: Card) -> list[Coupling]:
    """Return the couplings of one `*RIGID BODY`: for tied nodes, whose rotations follow it, and for pinned nodes.

    Raises:
        ReadError: for missing sets, or no nodes.
    """
    reference = reference_node(parts, scope, card)
    tied = [np.zeros(0, np.int64)]
    for name in ("NSET", "TIENSET"):
        if card.name(name):
            tied.append(parts.node_sets.members(scope.name, card.name(name), card.place))
    if card.name("ELSET"):
        elements = parts.element_sets.members(scope.name, card.name("ELSET"), card.place)
        tied.append(nodes_of_elements(parts.mesh, elements))
    pinned = np.zeros(0, np.int64)
    if card.name("PINNSET"):
        pinned = parts.node_sets.members(scope.name, card.name("PINNSET"), card.place)
    note_unless(parts, card, "POSITION", "INPUT")
    nodes = np.concatenate(tied)
    if not len(nodes) and not len(pinned):
        raise card.error(
            "the rigid body has no nodes, expected NSET=, TIE NSET=, PIN NSET= or ELSET=.", "Add one."
        )
    made = [rigid("RIGID BODY", card, reference, nodes, ALL)] if len(nodes) else []
    if len(pinned):
        made.append(rigid("RIGID BODY", card, reference, pinned, (1, 2, 3)))
    return made


def rotation_nodes(parts: Parts) -> dict[int, int]:
    """Return reference nodes (rows) by rotation node, whose displacements are the reference node's rotations.

    In CalculiX a rigid body has two nodes (ROT NODE=); here the reference node itself has rotations.

    Raises:
        ReadError: when one of them is not a single node.
    """
    found = {}
    for scope in parts.deck.scopes:
        for card in scope.having("RIGIDBODY"):
            if not card.name("ROTNODE"):
                continue
            rows = parts.node_sets.members(scope.name, card.name("ROTNODE"), card.place)
            if len(rows) != 1:
                raise card.error(
                    f"ROT NODE={card.name('ROTNODE')} means {len(rows)} nodes, expected one.",
                    "Name a single node.",
                )
            reference = reference_node(parts, scope, card)
            if rows[0] != reference:
                found[int(rows[0])] = reference
    return found


def read_multi_point(parts: Parts, scope: DeckScope, card: Card) -> list[Coupling]:
    """Return a coupling for each reference of the BEAM lines: dependent node or set, independent node or set.

    Raises:
        ReadError: for missing nodes, or sets of different size.
    """
    grouped: list[tuple[int, list[np.ndarray]]] = []
    for place, fields in card.rows():
        if fields[0].upper() in EQUAL_MOTIONS:
            continue  # read as equations
        if fields[0].upper() != "BEAM":
            parts.deck.unread.note(place, f"*MPC: {','.join(fields)}")
            continue
        if len(fields) < 3:
            raise place.error(
                "found too few fields, expected BEAM, dependent node, independent node.", "Mend this line."
            )
        dependent = parts.node_sets.members(scope.name, fields[1], place)
        references = parts.node_sets.members(scope.name, fields[2], place)
        if len(references) == 1:
            pairs = [(int(references[0]), dependent)]
        elif len(references) == len(dependent):
            pairs = [(int(r), dependent[i : i + 1]) for i, r in enumerate(references)]
        else:
            raise place.error(
                f"found {len(dependent)} dependent and {len(references)} independent nodes, "
                "expected one independent node or as many as there are dependent ones.",
                "Mend the sets.",
            )
        for reference, nodes in pairs:
            if grouped and grouped[-1][0] == reference:
                grouped[-1][1].append(nodes)
            else:
                grouped.append((reference, [nodes]))
    return [rigid("MPC BEAM", card, reference, np.concatenate(nodes), ALL) for reference, nodes in grouped]


def rigid(name: str, card: Card, reference: int, nodes: np.ndarray, components: tuple[int, ...]) -> Coupling:
    """Return a kinematic coupling of nodes, excluding the reference node.

    Raises:
        ReadError: when there is no other node.
    """
    chosen = np.unique(nodes[nodes != reference])
    if not len(chosen):
        raise card.error(f"{card.title} couples its reference node to nothing else.", "Name other nodes.")
    return Coupling(name, "kinematic", reference, chosen, components, np.ones(len(chosen)))
