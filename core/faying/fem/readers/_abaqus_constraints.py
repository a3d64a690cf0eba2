"""Ties (`*TIE`) as equations between nodes; linear equations (`*EQUATION`) are in `_abaqus_equations`.

A tied node moves with the point of the master surface below it (node to surface). Shells touch at their outer faces;
their rotations also move the tied nodes, through the offset and directly (Abaqus Analysis Guide, "Mesh tie
constraints").
"""

from dataclasses import replace

import numpy as np

from faying.fem.facet_index import build_facet_index
from faying.fem.model import LARGEST_NUMBER, LinearEquations
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_directions import read_transforms
from faying.fem.readers._abaqus_equations import in_global_directions, read_equation
from faying.fem.readers._abaqus_numbers import real
from faying.fem.readers._abaqus_parts import Parts
from faying.fem.readers._abaqus_rigid_bodies import EQUAL_MOTIONS, rotation_nodes
from faying.fem.readers._abaqus_scopes import DeckScope
from faying.fem.shell_heights import facet_heights, nodal_heights
from faying.fem.skin import surface_of_faces
from faying.fem.tie_equations import nodes_that_turn, tie_equations
from faying.fem.tied_nodes import USUAL_DISTANCE, find_tied_nodes


def read_constraints(parts: Parts) -> tuple[tuple[LinearEquations, ...], np.ndarray]:
    """Return the equations, and (n, 3) coordinates in which tied nodes are moved onto their master, as in Abaqus.

    Raises:
        ReadError: for surfaces or nodes that do not exist, or invalid equations.
    """
    found: list[LinearEquations] = []
    nodes = np.array(parts.mesh.nodes)
    for scope in parts.deck.scopes:
        for card in scope.having("TIE", "EQUATION", "MPC"):
            if card.keyword == "MPC":
                found += _equal_motions(parts, scope, card)
            elif card.keyword == "EQUATION":
                found.append(read_equation(parts.node_sets, scope, card, parts.deck.unread))
            elif {"CYCLICSYMMETRY", "MULTISTAGE", "FLUIDPERIODIC"} & set(card.parameters):
                parts.deck.unread.card(card, "only ties of two surfaces are read")
            else:
                found += _ties(parts, scope, card, nodes)
    transforms = read_transforms(parts.deck, parts.node_sets, parts.mesh.nodes)
    in_global = in_global_directions(tuple(found), transforms, parts.deck.top.place.path)
    return _with_rotations(in_global, rotation_nodes(parts)), nodes


def _equal_motions(parts: Parts, scope: DeckScope, card: Card) -> list[LinearEquations]:
    """Return u_a - u_b = 0 for each pair of nodes of the PIN and TIE lines of `*MPC`; the first node is eliminated."""
    turning = nodes_that_turn(parts.blocks, len(parts.mesh.nodes))
    terms: list[tuple[int, int, float]] = []
    for place, fields in card.rows():
        components = EQUAL_MOTIONS.get(fields[0].upper(), ())
        if not components:
            continue
        if len(fields) < 3:
            raise place.error("found too few fields, expected the type and two nodes.", "Mend this line.")
        first, second = (parts.node_sets.members(scope.name, text, place) for text in fields[1:3])
        if len(second) not in (1, len(first)):
            raise place.error(
                f"found sets of {len(first)} and {len(second)} nodes, expected as many or one.",
                "Mend the sets.",
            )
        for i, dependent in enumerate(first.tolist()):
            other = int(second[min(i, len(second) - 1)])
            for component in components:
                if component <= 3 or (turning[dependent] and turning[other]):
                    terms += [(dependent, component, 1.0), (other, component, -1.0)]
    if not terms:
        return []
    nodes, numbers, coefficients = zip(*terms, strict=True)
    return [
        LinearEquations(
            f"MPC of line {card.place.line}", np.arange(0, len(terms) + 1, 2), np.array(nodes, np.int64),
            np.array(numbers, np.int64), np.array(coefficients),
        )
    ]  # fmt: skip


def _with_rotations(
    equations: tuple[LinearEquations, ...], rotation_nodes: dict[int, int]
) -> tuple[LinearEquations, ...]:
    """Return equations with displacements of rotation nodes replaced by rotations of their reference nodes."""
    if not rotation_nodes:
        return equations
    known = np.array(list(rotation_nodes))
    found = []
    for each in equations:
        at = np.isin(each.nodes, known) & (each.components <= 3)
        nodes = np.array([rotation_nodes.get(n, n) for n in each.nodes.tolist()], np.int64)
        found.append(
            replace(
                each, nodes=np.where(at, nodes, each.nodes), components=each.components + np.where(at, 3, 0)
            )
        )
    return tuple(found)


def _ties(parts: Parts, scope: DeckScope, card: Card, nodes: np.ndarray) -> list[LinearEquations]:
    """Return the ties of a card, and move their slave nodes in `nodes` unless ADJUST=NO."""
    made = []
    turning = nodes_that_turn(parts.blocks, len(nodes))
    for place, fields in card.rows():
        if len(fields) < 2:
            raise place.error("expected slave surface, master surface.", "Mend this line.")
        slave, master = (parts.surfaces.find(scope.name, text, place) for text in fields[:2])
        if not len(master.faces):
            raise place.error(f"the master surface {fields[1]} has no faces.", "Make it of element faces.")
        facets = surface_of_faces(parts.blocks, fields[1], *master.elements_and_faces)
        own, own_heights = slave.nodes, np.zeros(len(slave.nodes))
        if not len(own):
            faces = surface_of_faces(parts.blocks, fields[0], *slave.elements_and_faces)
            own, own_heights = faces.nodes, nodal_heights(faces, facet_heights(parts.blocks, faces), nodes)
        heights = facet_heights(parts.blocks, facets)
        if "NOTHICKNESS" in card.parameters:
            heights, own_heights = np.zeros_like(heights), np.zeros_like(own_heights)
        free = ~np.isin(own, facets.nodes)
        own, own_heights = own[free], own_heights[free]
        index = build_facet_index(nodes, facets)
        given = card.parameters.get("POSITIONTOLERANCE", "")
        distance = real(given, card.place, "a distance") if given else USUAL_DISTANCE * index.mean_edge
        distance = min(distance, LARGEST_NUMBER)
        found = find_tied_nodes(
            nodes, own, own_heights, index, heights, distance, adjust=card.name("ADJUST") != "NO"
        )
        lost = int((~found.within).sum())
        if lost:
            parts.deck.unread.note(
                place,
                f"*TIE: {lost} of {len(own)} nodes of {fields[0]} are farther than {distance:.3g} from {fields[1]}",
            )
        nodes[:] = found.nodes
        name = f"TIE {card.parameters.get('NAME', '').strip().upper()}".strip()
        turns = "NOROTATION" not in card.parameters
        made.append(
            tie_equations(
                name, nodes, own[found.within], found.shares, found.facets, turning, rotations=turns
            )
        )
    return made
