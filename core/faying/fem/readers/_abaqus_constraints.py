"""Ties (`*TIE`) and linear equations (`*EQUATION`) as equations between nodes.

A tied node moves with the point of the master surface that it lies on (node to surface).
"""

import numpy as np

from faying.fem.facet_index import build_facet_index
from faying.fem.feet import find_feet
from faying.fem.model import Equations
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_couplings import Parts
from faying.fem.readers._abaqus_numbers import integer, real
from faying.fem.readers._abaqus_scopes import Scope
from faying.fem.readers._text_files import Place
from faying.fem.skin import surface_of_faces

_TOLERANCE = 0.05  # of the mean edge of the master's facets, as in Abaqus


def read_constraints(parts: Parts) -> tuple[tuple[Equations, ...], np.ndarray]:
    """Return equations, and (n, 3) coordinates in which tied nodes lie on their master, as Abaqus moves them.

    Raises:
        ReadError: for surfaces or nodes that do not exist, or equations that are none.
    """
    found: list[Equations] = []
    nodes = np.array(parts.mesh.nodes)
    for scope in parts.deck.scopes:
        for card in scope.having("TIE", "EQUATION"):
            if card.keyword == "EQUATION":
                found.append(_equation(parts, scope, card))
            elif {"CYCLICSYMMETRY", "MULTISTAGE", "FLUIDPERIODIC"} & set(card.parameters):
                parts.deck.unread.card(card, "only ties of two surfaces are read")
            else:
                found += _ties(parts, scope, card, nodes)
    return tuple(found), nodes


def _ties(parts: Parts, scope: Scope, card: Card, nodes: np.ndarray) -> list[Equations]:
    """Return the ties of a card, and move their slave nodes in `nodes` unless ADJUST=NO."""
    made = []
    for place, fields in card.rows():
        if len(fields) < 2:
            raise place.error("expected slave surface, master surface.", "Mend this line.")
        slave, master = (parts.surfaces.find(scope.name, text, place) for text in fields[:2])
        if not len(master.faces):
            raise place.error(f"the master surface {fields[1]} has no faces.", "Make it of element faces.")
        facets = surface_of_faces(parts.blocks, fields[1], *master.elements_and_faces)
        own = slave.nodes
        if not len(own):
            own = surface_of_faces(parts.blocks, fields[0], *slave.elements_and_faces).nodes
        own = np.setdiff1d(own, facets.nodes)
        index = build_facet_index(nodes, facets)
        given = card.parameters.get("POSITIONTOLERANCE", "")
        distance = real(given, card.place, "a distance") if given else _TOLERANCE * index.mean_edge
        # Which way the slave surface looks does not matter: normals of zero face everything.
        feet = find_feet(nodes[own], np.zeros((len(own), 3)), index, distance, 90.0)
        lost = int((feet.facets < 0).sum())
        if lost:
            parts.deck.unread.note(
                place,
                f"*TIE: {lost} of {len(own)} nodes of {fields[0]} are farther than {distance:.3g} from {fields[1]}",
            )
        dependents, members, weights = [], [], []
        for block, at, rows in index.blocks_of(feet.facets[feet.facets >= 0]):
            of_block = np.flatnonzero(feet.facets >= 0)[at]
            values = index.kinds[block].shape(*feet.local[of_block].T)
            masters = index.connectivity[block][rows]
            dependents += own[of_block].tolist()
            members += masters.tolist()
            weights += values.tolist()
            if card.name("ADJUST") != "NO":
                nodes[own[of_block]] = np.einsum("nk,nkx->nx", values, nodes[masters])
        name = card.parameters.get("NAME", "").strip().upper()
        made.append(_interpolations(f"TIE {name}".strip(), dependents, members, weights))
    return made


def _interpolations(
    name: str, dependents: list[int], members: list[list[int]], weights: list[list[float]]
) -> Equations:
    """Return u = Σ w u_master for the three displacements of each dependent node."""
    rows, components, coefficients, counts = [], [], [], []
    for node, masters, shares in zip(dependents, members, weights, strict=True):
        used = [(m, w) for m, w in zip(masters, shares, strict=True) if abs(w) > 1e-12]
        for component in (1, 2, 3):
            rows += [node, *(m for m, _ in used)]
            coefficients += [-1.0, *(w for _, w in used)]
            components += [component] * (len(used) + 1)
            counts.append(len(used) + 1)
    return Equations(
        name, np.cumsum([0, *counts]), np.array(rows, np.int64), np.array(components, np.int64),
        np.array(coefficients, float), yields=True,
    )  # fmt: skip


def _equation(parts: Parts, scope: Scope, card: Card) -> Equations:
    rows, components, coefficients, starts = [], [], [], [0]
    dependents: dict[tuple[int, int], Place] = {}
    lines = iter(list(card.rows()))
    for place, fields in lines:
        count = integer(fields[0], place, "the number of terms")
        terms: list[tuple[np.ndarray, int, float]] = []
        while len(terms) < count:
            at, texts = next(lines, (place, []))
            if len(texts) < 3:
                raise at.error(
                    f"expected {count} terms of node, component, coefficient.", "Mend the equation."
                )
            for k in range(0, len(texts) - 2, 3):
                nodes = parts.node_sets.members(scope.name, texts[k], at)
                component = integer(texts[k + 1], at, "a component 1 to 6")
                terms.append((nodes, component, real(texts[k + 2], at, "a coefficient")))
        # A term may be a set: the equation holds for its nodes one by one.
        size = max(len(nodes) for nodes, _, _ in terms)
        if terms[0][2] == 0.0 or any(len(nodes) not in (1, size) for nodes, _, _ in terms):
            raise place.error(
                "the first coefficient is zero, or its sets differ in size.", "Mend the equation."
            )
        for i in range(size):
            for nodes, component, coefficient in terms:
                rows.append(int(nodes[min(i, len(nodes) - 1)]))
                components.append(component)
                coefficients.append(coefficient)
            first = rows[starts[-1]], components[starts[-1]]
            if dependents.setdefault(first, place) is not place:
                raise place.error(
                    f"its first term is that of line {dependents[first].line} too.",
                    "Begin with another term.",
                )
            starts.append(len(rows))
    return Equations(
        f"EQUATION of line {card.place.line}", np.array(starts), np.array(rows, np.int64),
        np.array(components, np.int64), np.array(coefficients, float),
    )  # fmt: skip
