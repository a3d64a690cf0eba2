"""Ties (`*TIE`) as equations between nodes; linear equations (`*EQUATION`) are in `_abaqus_equations`.

A tied node moves with the point of the master surface that it lies on (node to surface).
"""

import numpy as np

from faying.fem.facet_index import build_facet_index
from faying.fem.feet import find_feet
from faying.fem.model import Equations
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_couplings import Parts
from faying.fem.readers._abaqus_directions import read_transforms
from faying.fem.readers._abaqus_equations import in_global_directions, read_equation
from faying.fem.readers._abaqus_numbers import real
from faying.fem.readers._abaqus_scopes import Scope
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
                found.append(read_equation(parts.node_sets, scope, card))
            elif {"CYCLICSYMMETRY", "MULTISTAGE", "FLUIDPERIODIC"} & set(card.parameters):
                parts.deck.unread.card(card, "only ties of two surfaces are read")
            else:
                found += _ties(parts, scope, card, nodes)
    transforms = read_transforms(parts.deck, parts.node_sets, parts.mesh.nodes)
    return in_global_directions(tuple(found), transforms, parts.deck.top.place.path), nodes


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
