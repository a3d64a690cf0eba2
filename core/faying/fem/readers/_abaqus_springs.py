"""Springs, dashpots and trusses of Abaqus and CalculiX decks.

`*SPRING` with SPRINGA (along the line between two nodes), SPRING1 (to ground) and SPRING2 (between components),
`*DASHPOT` with DASHPOTA, DASHPOT1, DASHPOT2, and T3D2 with the area of its `*SOLID SECTION`.
"""

from dataclasses import replace

import numpy as np

from faying.fem.model import FeModel, Material, PointMass, Spring
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_directions import find_orientation
from faying.fem.readers._abaqus_mesh import LINE_ELEMENTS, read_elements
from faying.fem.readers._abaqus_numbers import integer, real
from faying.fem.readers._abaqus_scopes import Deck, DeckScope
from faying.fem.readers._abaqus_sets import sets_of_left_out
from faying.fem.readers._abaqus_tables import DeckMesh
from faying.fem.readers._springs import with_springs
from faying.fem.springs import axial_spring, bushing

_CARDS = {"SPRING": ("SPRINGA", "SPRING1", "SPRING2"), "DASHPOT": ("DASHPOTA", "DASHPOT1", "DASHPOT2")}


def with_deck_springs(deck: Deck, mesh: DeckMesh, model: FeModel) -> FeModel:
    """Return the model with the deck's springs, dashpots and trusses.

    A truss is a spring with half of its mass at each end. A spring to ground gets a separate ground node.

    Raises:
        ReadError: for missing nodes, sets, components or constants.
    """
    elements: list[tuple[str, int, tuple[int, ...], Card]] = []
    runs = []
    for scope in deck.scopes:
        for card in scope.having("ELEMENT"):
            label = card.name("TYPE")
            if label not in LINE_ELEMENTS:
                continue
            ids, numbers, _ = read_elements(card, LINE_ELEMENTS[label])
            rows = mesh.node_tables[scope.name].find(numbers.ravel()).reshape(numbers.shape)
            if (rows < 0).any():
                at = int(np.flatnonzero((rows < 0).any(axis=1))[0])
                raise card.error(f"element {ids[at]} uses a node that does not exist.", "Add the node.")
            elements += [
                (label, int(i), tuple(map(int, own)), card) for i, own in zip(ids, rows.tolist(), strict=True)
            ]
            runs.append((scope.name, card, ids))
    if not elements:
        return model
    sets = sets_of_left_out(deck, mesh, runs)
    made = _AbaqusSprings(deck, model)
    for scope in deck.scopes:
        for card in scope.having("SPRING", "DASHPOT", "SOLIDSECTION"):
            wanted = _CARDS.get(card.keyword, ("T3D2",))
            for index in sets.members(scope.name, card.needed("ELSET"), card.place):
                if elements[index][0] in wanted:
                    made.add(scope, card, index, *elements[index][:3])
    for at in sorted(set(range(len(elements))) - made.used):
        label, _, _, card = elements[at]
        deck.unread.note(card.place, f"{label} elements without a section or constant in {card.text}")
    grown = replace(
        model,
        nodes=np.concatenate([model.nodes, *made.ground_points]),
        node_ids=np.concatenate([model.node_ids, made.ground_ids()]),
        point_masses=(*model.point_masses, *made.masses),
    )
    return with_springs(
        grown,
        made.springs,
        len(model.nodes),
        lambda spring, why: deck.unread.note(made.places[spring.name].place, f"{spring.name}: {why}"),
    )


class _AbaqusSprings:
    """Springs and masses made from the elements, one element at a time."""

    def __init__(self, deck: Deck, model: FeModel) -> None:
        self._deck, self._model = deck, model
        self.springs: list[Spring] = []
        self.masses: list[PointMass] = []
        self.places: dict[str, Card] = {}
        self.used: set[int] = set()
        self.ground_points: list[np.ndarray] = []

    def ground_ids(self) -> np.ndarray:
        """Return (n,) numbers of the ground nodes."""
        return int(self._model.node_ids.max()) + 1 + np.arange(len(self.ground_points))

    def add(
        self, scope: DeckScope, card: Card, index: int, label: str, number: int, nodes: tuple[int, ...]
    ) -> None:
        """Add the spring of an element, with the constants of a card."""
        self.used.add(index)
        name = f"{label} element {number}"
        if "NONLINEAR" in card.parameters:
            self._deck.unread.card(card, "only linear springs and dampers are read; left out")
            return
        rows = [(place, fields) for place, fields in card.rows() if any(fields)]
        if not rows:
            raise card.error(f"{card.title} has no constant.", "Add the line with its number.")
        size = real(rows[-1][1][0], rows[-1][0], "a constant")
        self.places[name] = card
        points = self._model.nodes[list(nodes)]
        if label in ("T3D2", "SPRINGA", "DASHPOTA") and not np.linalg.norm(points[1] - points[0]) > 0.0:
            self._deck.unread.note(card.place, f"{name}: its ends are at the same place; left out")
        elif label == "T3D2":
            self._truss(card, name, nodes, points, size)
        elif label in ("SPRINGA", "DASHPOTA"):
            ends = (nodes[0], nodes[1])
            k, c = (size, 0.0) if label == "SPRINGA" else (0.0, size)
            self.springs.append(axial_spring(name, ends, points, k, c))
        else:
            self._between_components(scope, card, name, label, nodes, points, size)

    def _truss(self, card: Card, name: str, nodes: tuple[int, ...], points: np.ndarray, area: float) -> None:
        material: Material = self._model.materials[card.name("MATERIAL")]
        length = float(np.linalg.norm(points[1] - points[0]))
        ends = (nodes[0], nodes[1])
        self.springs.append(axial_spring(name, ends, points, material.youngs_modulus * area / length))
        half = 0.5 * material.density * area * length
        if half:
            self.masses += [PointMass(name, node, half, np.zeros((3, 3)), np.zeros(3)) for node in ends]

    def _between_components(
        self,
        scope: DeckScope,
        card: Card,
        name: str,
        label: str,
        nodes: tuple[int, ...],
        points: np.ndarray,
        size: float,
    ) -> None:
        place, fields = next(iter(card.rows()))
        chosen = [integer(text, place, "a component 1 to 6") for text in fields if text]
        if not chosen or not all(1 <= component <= 6 for component in chosen) or len(set(chosen)) > 1:
            self._deck.unread.card(card, "only equal components 1 to 6 of both ends are read; left out")
            return
        directions = find_orientation(self._deck, scope, card)
        axes = scope.rotation.T if directions is None else directions.at(points[:1])[0]
        if len(nodes) == 1:
            nodes = (nodes[0], len(self._model.nodes) + len(self.ground_points))
            self.ground_points.append(points[:1])
            points = np.concatenate([points, points])
        constants = np.zeros(6)
        constants[chosen[0] - 1] = size
        stiff, damped = (constants, np.zeros(6)) if label.startswith("SPRING") else (np.zeros(6), constants)
        if np.allclose(points[0], points[1]):
            made = bushing(name, (nodes[0], nodes[1]), points, points[0], axes, stiff, damped)
        else:
            # Without rigid arms; a warning reports that a rotation of both nodes strains it.
            same = np.broadcast_to(points[0], (2, 3))
            made = bushing(name, (nodes[0], nodes[1]), same, points[0], axes, stiff, damped)
        self.springs.append(made)
