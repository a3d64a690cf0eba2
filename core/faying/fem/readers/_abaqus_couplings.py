"""Couplings of reference nodes: `*COUPLING` and `*KINEMATIC COUPLING`; other cards have separate modules.

Weights of a distributing coupling are lumped areas on an element surface and one on a node surface, as in Abaqus
(Analysis Guide, "Coupling constraints").
"""

from dataclasses import replace

import numpy as np

from faying.fem.facets import facet_kind
from faying.fem.model import Coupling
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_directions import find_orientation
from faying.fem.readers._abaqus_distributing import read_distributing_coupling
from faying.fem.readers._abaqus_numbers import integer
from faying.fem.readers._abaqus_parts import ALL, Parts, note_unless, reference_node
from faying.fem.readers._abaqus_rigid_bodies import read_multi_point, read_rigid_body, rigid
from faying.fem.readers._abaqus_scopes import DeckScope
from faying.fem.readers._text_files import FileLine
from faying.fem.skin import surface_of_faces


def read_couplings(parts: Parts) -> tuple[Coupling, ...]:
    """Return all couplings of the deck in its order.

    Raises:
        ReadError: when the reference is not a single node, a surface or set is unknown, or there are no nodes.
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
                    found += read_rigid_body(parts, scope, card)
                case "MPC":
                    found += read_multi_point(parts, scope, card)
    return tuple(_with_names(found))


def _coupling(parts: Parts, scope: DeckScope, card: Card, kind: Card | None) -> Coupling:
    name = card.needed("CONSTRAINTNAME", "CONSTRAINT NAME")
    reference = reference_node(parts, scope, card)
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
    note_unless(parts, kind, "COUPLING", "CONTINUUM")
    note_unless(parts, kind, "WEIGHTINGMETHOD", "UNIFORM")
    # Translations are always coupled; only rotations can be released.
    components = tuple(sorted({1, 2, 3, *components}))
    if "ORIENTATION" in card.parameters and components not in (ALL, ALL[:3]):
        parts.deck.unread.parameter(card, "ORIENTATION")
    return Coupling(name, "distributing", reference, nodes, components, weights)


def _own_directions(
    parts: Parts, scope: DeckScope, card: Card, nodes: np.ndarray, components: tuple[int, ...]
) -> np.ndarray | None:
    """Return (n, 3, 3) the directions of a kinematic coupling's components; None if they are irrelevant."""
    orientation = find_orientation(parts.deck, scope, card)
    partial = any(len({*components} & {*group}) in (1, 2) for group in (ALL[:3], ALL[3:]))
    return orientation.at(parts.mesh.nodes[nodes]) if orientation is not None and partial else None


def _surface_rows(parts: Parts, scope: DeckScope, card: Card) -> tuple[np.ndarray, np.ndarray]:
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


def _components(card: Card) -> tuple[int, ...]:
    chosen: set[int] = set()
    for place, fields in card.rows():
        if fields:
            chosen |= _span(fields, place)
    return tuple(sorted(chosen)) or ALL


def _span(fields: list[str], place: FileLine) -> set[int]:
    numbers = [integer(text, place, "first and last of the components 1 to 6") for text in fields[:2]]
    first, last = numbers[0], numbers[-1]
    if not 1 <= first <= last <= 6:
        raise place.error(
            f"found {', '.join(fields)!r}, expected first and last of the components 1 to 6.", ""
        )
    return set(range(first, last + 1))


def _kinematic_coupling(parts: Parts, scope: DeckScope, card: Card) -> list[Coupling]:
    """Read the older card: lines of node or set, first and last component."""
    reference = reference_node(parts, scope, card)
    by_components: dict[tuple[int, ...], list[np.ndarray]] = {}
    for place, fields in card.rows():
        components = tuple(sorted(_span(fields[1:], place))) if len(fields) > 1 else ALL
        nodes = parts.node_sets.members(scope.name, fields[0], place)
        by_components.setdefault(components, []).append(nodes)
    made = [
        rigid("KINEMATIC COUPLING", card, reference, np.concatenate(nodes), components)
        for components, nodes in by_components.items()
    ]
    return [replace(c, directions=_own_directions(parts, scope, card, c.nodes, c.components)) for c in made]


def _with_names(couplings: list[Coupling]) -> list[Coupling]:
    """Return the couplings, with repeated names numbered."""
    names = [c.name for c in couplings]
    counts: dict[str, int] = {}
    made = []
    for c in couplings:
        counts[c.name] = counts.get(c.name, 0) + 1
        name = f"{c.name} {counts[c.name]}" if names.count(c.name) > 1 else c.name
        made.append(replace(c, name=name))
    return made
