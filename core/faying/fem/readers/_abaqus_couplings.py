"""Couplings of reference nodes: `*COUPLING`, `*KINEMATIC COUPLING`, `*RIGID BODY` and `*MPC` BEAM.

The older `*DISTRIBUTING COUPLING` is in `_abaqus_distributing`.

Weights of a distributing coupling: on an element surface the area that each node stands for, on a node
surface one for each node, as in Abaqus (Analysis Guide, "Coupling constraints").
"""

from dataclasses import dataclass, replace

import numpy as np

from faying.fem.facets import facet_kind
from faying.fem.model import Coupling, ElementBlock
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_directions import find_orientation
from faying.fem.readers._abaqus_distributing import read_distributing_coupling
from faying.fem.readers._abaqus_numbers import integer
from faying.fem.readers._abaqus_scopes import Deck, Scope
from faying.fem.readers._abaqus_sets import NamedSets, nodes_of_elements
from faying.fem.readers._abaqus_surfaces import NamedSurfaces
from faying.fem.readers._abaqus_tables import Mesh
from faying.fem.readers._text_files import Place
from faying.fem.skin import surface_of_faces

ALL = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Parts:
    """What couplings are made of; `positions` are those of the elements, in the order of reading, in the blocks."""

    deck: Deck
    mesh: Mesh
    blocks: tuple[ElementBlock, ...]
    positions: np.ndarray
    node_sets: NamedSets
    element_sets: NamedSets
    surfaces: NamedSurfaces


def read_couplings(parts: Parts) -> tuple[Coupling, ...]:
    """Return all couplings of the deck in its order.

    Raises:
        ReadError: for a reference that is no single node, an unknown surface or set, or no nodes at all.
    """
    found: list[Coupling] = []
    for scope in parts.deck.scopes:
        cards = list(
            scope.having(
                "COUPLING",
                "KINEMATIC",
                "DISTRIBUTING",
                "KINEMATICCOUPLING",
                "RIGIDBODY",
                "MPC",
                "DISTRIBUTINGCOUPLING",
            )
        )  # fmt: skip
        for at, card in enumerate(cards):
            match card.keyword:
                case "COUPLING":
                    found.append(
                        _coupling(parts, scope, card, cards[at + 1] if at + 1 < len(cards) else None)
                    )
                case "KINEMATIC" | "DISTRIBUTING":
                    if not at or cards[at - 1].keyword != "COUPLING":
                        raise card.error(f"{card.title} stands alone, expected *COUPLING before it.")
                case "KINEMATICCOUPLING":
                    found += _kinematic_coupling(parts, scope, card)
                case "DISTRIBUTINGCOUPLING":
                    found.append(
                        read_distributing_coupling(parts.deck, parts.mesh, parts.node_sets, scope, card)
                    )
                case "RIGIDBODY":
                    found += _rigid_body(parts, scope, card)
                case "MPC":
                    found += _multi_point(parts, scope, card)
    return tuple(_with_names(found))


def _coupling(parts: Parts, scope: Scope, card: Card, kind: Card | None) -> Coupling:
    name = card.needed("CONSTRAINTNAME", "CONSTRAINT NAME")
    reference = _reference(parts, scope, card)
    if kind is None or kind.keyword not in ("KINEMATIC", "DISTRIBUTING"):
        raise card.error(
            f"the coupling {name} has no kind, expected *KINEMATIC or *DISTRIBUTING next.", "Add it."
        )
    rows = _surface_rows(parts, scope, card)
    nodes, weights = (np.asarray(column)[rows[0] != reference] for column in rows)
    if not len(nodes):
        raise card.error(f"the coupling {name} couples no nodes.", "Name a surface that has some.")
    components = _components(kind)
    if kind.keyword == "KINEMATIC":
        own = _own_directions(parts, scope, card, nodes, components)
        return Coupling(name, "kinematic", reference, nodes, components, np.ones(len(nodes)), own)
    _note_unless(parts, kind, "COUPLING", "CONTINUUM")
    _note_unless(parts, kind, "WEIGHTINGMETHOD", "UNIFORM")
    # Translations are always coupled; only rotations can be released.
    components = tuple(sorted({1, 2, 3, *components}))
    if "ORIENTATION" in card.parameters and components not in (ALL, ALL[:3]):
        parts.deck.unread.parameter(card, "ORIENTATION")
    return Coupling(name, "distributing", reference, nodes, components, weights)


def _own_directions(
    parts: Parts, scope: Scope, card: Card, nodes: np.ndarray, components: tuple[int, ...]
) -> np.ndarray | None:
    """Return (n, 3, 3) the directions that a kinematic coupling's components count in; None where any will do."""
    orientation = find_orientation(parts.deck, scope, card)
    partial = any(len({*components} & {*group}) in (1, 2) for group in (ALL[:3], ALL[3:]))
    return orientation.at(parts.mesh.nodes[nodes]) if orientation is not None and partial else None


def _surface_rows(parts: Parts, scope: Scope, card: Card) -> tuple[np.ndarray, np.ndarray]:
    """Return node rows and weights of the surface that a coupling names."""
    name = card.needed("SURFACE")
    found = parts.surfaces.find(scope.name, name, card.place)
    if len(found.nodes):
        return found.nodes, np.ones(len(found.nodes))
    surface = surface_of_faces(parts.blocks, name, *found.elements_and_faces)
    areas = np.zeros(len(parts.mesh.nodes))
    for block in surface.blocks:
        lumped = facet_kind(block.facet).lumped_areas(parts.mesh.nodes[block.connectivity])
        np.add.at(areas, block.connectivity, lumped)
    return surface.nodes, areas[surface.nodes]


def _reference(parts: Parts, scope: Scope, card: Card) -> int:
    rows = parts.node_sets.members(scope.name, card.needed("REFNODE", "REF NODE"), card.place)
    if len(rows) != 1:
        raise card.error(
            f"REF NODE={card.name('REFNODE')} means {len(rows)} nodes, expected one.", "Name a single node."
        )
    return int(rows[0])


def _components(card: Card) -> tuple[int, ...]:
    chosen: set[int] = set()
    for place, fields in card.rows():
        if fields:
            chosen |= _span(fields, place)
    return tuple(sorted(chosen)) or ALL


def _span(fields: list[str], place: Place) -> set[int]:
    numbers = [integer(text, place, "first and last of the components 1 to 6") for text in fields[:2]]
    first, last = numbers[0], numbers[-1]
    if not 1 <= first <= last <= 6:
        raise place.error(
            f"found {', '.join(fields)!r}, expected first and last of the components 1 to 6.", ""
        )
    return set(range(first, last + 1))


def _kinematic_coupling(parts: Parts, scope: Scope, card: Card) -> list[Coupling]:
    """Read the older card: lines of node or set, first and last component."""
    reference = _reference(parts, scope, card)
    by_components: dict[tuple[int, ...], list[np.ndarray]] = {}
    for place, fields in card.rows():
        components = tuple(sorted(_span(fields[1:], place))) if len(fields) > 1 else ALL
        nodes = parts.node_sets.members(scope.name, fields[0], place)
        by_components.setdefault(components, []).append(nodes)
    made = [
        _rigid("KINEMATIC COUPLING", card, reference, np.concatenate(nodes), components)
        for components, nodes in by_components.items()
    ]
    return [replace(c, directions=_own_directions(parts, scope, card, c.nodes, c.components)) for c in made]


def _rigid_body(parts: Parts, scope: Scope, card: Card) -> list[Coupling]:
    reference = _reference(parts, scope, card)
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
    _note_unless(parts, card, "POSITION", "INPUT")
    if card.name("ROTNODE"):
        parts.deck.unread.note(
            card.place,
            f"ROTNODE={card.name('ROTNODE')} of {card.text}: the reference node has the rotations here",
        )
    nodes = np.concatenate(tied)
    if not len(nodes) and not len(pinned):
        raise card.error(
            "the rigid body has no nodes, expected NSET=, TIE NSET=, PIN NSET= or ELSET=.", "Add one."
        )
    made = [_rigid("RIGID BODY", card, reference, nodes, ALL)] if len(nodes) else []
    if len(pinned):
        made.append(_rigid("RIGID BODY", card, reference, pinned, (1, 2, 3)))
    return made


def _multi_point(parts: Parts, scope: Scope, card: Card) -> list[Coupling]:
    """Read BEAM lines: dependent node or set, independent node or set; one coupling for each reference."""
    grouped: list[tuple[int, list[np.ndarray]]] = []
    for place, fields in card.rows():
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
    return [_rigid("MPC BEAM", card, reference, np.concatenate(nodes), ALL) for reference, nodes in grouped]


def _rigid(name: str, card: Card, reference: int, nodes: np.ndarray, components: tuple[int, ...]) -> Coupling:
    chosen = np.unique(nodes[nodes != reference])
    if not len(chosen):
        raise card.error(f"{card.title} couples its reference node to nothing else.", "Name other nodes.")
    return Coupling(name, "kinematic", reference, chosen, components, np.ones(len(chosen)))


def _note_unless(parts: Parts, card: Card, name: str, harmless: str) -> None:
    if name in card.parameters and card.name(name) != harmless:
        parts.deck.unread.parameter(card, name)


def _with_names(couplings: list[Coupling]) -> list[Coupling]:
    """Return the couplings with a number behind names that several have."""
    names = [c.name for c in couplings]
    counts: dict[str, int] = {}
    made = []
    for c in couplings:
        counts[c.name] = counts.get(c.name, 0) + 1
        name = f"{c.name} {counts[c.name]}" if names.count(c.name) > 1 else c.name
        made.append(replace(c, name=name))
    return made
