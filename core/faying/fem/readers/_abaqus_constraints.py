"""Ties (`*TIE`) as equations between nodes; linear equations (`*EQUATION`) are in `_abaqus_equations`.

A tied node moves with the point of the master surface that it lies on (node to surface). Shells touch at their
outsides, turn the nodes that are tied to them, and carry them at an arm (Abaqus Analysis Guide, "Mesh tie
constraints").
"""

import numpy as np

from faying.fem.couplings import cross_matrices
from faying.fem.elements import element_kinds
from faying.fem.facet_index import build_facet_index
from faying.fem.model import LinearEquations
from faying.fem.projection import project_points
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_directions import read_transforms
from faying.fem.readers._abaqus_equations import in_global_directions, read_equation
from faying.fem.readers._abaqus_numbers import real
from faying.fem.readers._abaqus_parts import Parts
from faying.fem.readers._abaqus_scopes import DeckScope
from faying.fem.shell_heights import facet_heights, nodal_heights
from faying.fem.skin import surface_of_faces

_TOLERANCE = 0.05  # of the mean edge of the master's facets, as in Abaqus


def read_constraints(parts: Parts) -> tuple[tuple[LinearEquations, ...], np.ndarray]:
    """Return equations, and (n, 3) coordinates in which tied nodes lie on their master, as Abaqus moves them.

    Raises:
        ReadError: for surfaces or nodes that do not exist, or equations that are none.
    """
    found: list[LinearEquations] = []
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


def _ties(parts: Parts, scope: DeckScope, card: Card, nodes: np.ndarray) -> list[LinearEquations]:
    """Return the ties of a card, and move their slave nodes in `nodes` unless ADJUST=NO."""
    made = []
    turning = _turning(parts)
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
        distance = real(given, card.place, "a distance") if given else _TOLERANCE * index.mean_edge
        reach = distance + float(heights.max(initial=0.0)) + float(own_heights.max(initial=0.0))
        # Which way the slave surface looks does not matter: normals of zero face everything.
        projections = project_points(nodes[own], np.zeros((len(own), 3)), index, reach, 90.0)
        tied = projections.facets >= 0
        tied[tied] = (
            projections.distances[tied] <= distance + heights[projections.facets[tied]] + own_heights[tied]
        )
        lost = int((~tied).sum())
        if lost:
            parts.deck.unread.note(
                place,
                f"*TIE: {lost} of {len(own)} nodes of {fields[0]} are farther than {distance:.3g} from {fields[1]}",
            )
        terms = _Ties(turning, "NOROTATION" not in card.parameters)
        chosen = np.flatnonzero(tied)
        for block, at, rows in index.blocks_of(projections.facets[chosen]):
            of_block = chosen[at]
            values = index.kinds[block].shape(*projections.local[of_block].T)
            masters = index.connectivity[block][rows]
            points = np.einsum("nk,nkx->nx", values, nodes[masters])
            arms = nodes[own[of_block]] - points
            if card.name("ADJUST") != "NO":
                # A node nearer than the outsides allow stays: meshes of middle surfaces may meet.
                allowed = heights[projections.facets[of_block]] + own_heights[of_block]
                lengths = np.linalg.norm(arms, axis=1)
                arms = arms * np.minimum(1.0, allowed / np.maximum(lengths, 1e-300))[:, None]
                nodes[own[of_block]] = points + arms
            for node, row, shares, arm in zip(
                own[of_block].tolist(), masters.tolist(), values.tolist(), arms, strict=True
            ):
                terms.tie(node, row, shares, arm)
        name = card.parameters.get("NAME", "").strip().upper()
        made.append(terms.equations(f"TIE {name}".strip()))
    return made


def _turning(parts: Parts) -> np.ndarray:
    """Return (n,) whether a node has rotations from shells or beams."""
    found = np.zeros(len(parts.mesh.nodes), bool)
    for block in parts.blocks:
        if element_kinds[block.element].rotations:
            found[block.connectivity] = True
    return found


class _Ties:
    """Collects the equations of tied nodes.

    Args:
        turning: (n,) whether a node has rotations.
        rotations: whether a tied node turns with its master.
    """

    def __init__(self, turning: np.ndarray, rotations: bool) -> None:
        self._turning, self._rotations = turning, rotations
        self._terms: list[list[tuple[int, int, float]]] = []

    def tie(self, node: int, masters: list[int], shares: list[float], arm: np.ndarray) -> None:
        """Tie a node at an arm from its point on the master: u = Σ w (u_m + θ_m × arm), θ = Σ w θ_m.

        A master without rotations, such as a solid, has no θ.
        """
        used = [(m, w) for m, w in zip(masters, shares, strict=True) if abs(w) > 1e-12]
        turns = all(self._turning[m] for m, _ in used)
        across = cross_matrices(arm)[0]
        for c in range(3):
            terms = [(node, c + 1, -1.0), *((m, c + 1, w) for m, w in used)]
            if turns:
                terms += [(m, j + 4, w * across[c, j]) for m, w in used for j in range(3) if across[c, j]]
            self._terms.append(terms)
        if turns and self._rotations and self._turning[node]:
            self._terms += [[(node, c, -1.0), *((m, c, w) for m, w in used)] for c in (4, 5, 6)]

    def equations(self, name: str) -> LinearEquations:
        """Return what was collected; equations of nodes that something else moves are passed over."""
        terms = [term for equation in self._terms for term in equation]
        return LinearEquations(
            name, np.cumsum([0, *(len(equation) for equation in self._terms)]),
            np.array([node for node, _, _ in terms], np.int64), np.array([c for _, c, _ in terms], np.int64),
            np.array([value for _, _, value in terms], float), yields=True,
        )  # fmt: skip
