"""The mesh of all scopes in one numbering: rows of nodes, elements in the order of reading."""

from dataclasses import dataclass

import numpy as np

from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_mesh import (
    LINE_ELEMENTS,
    POINT_ELEMENTS,
    element_kind,
    flat_nodes,
    numbers_of_unknown,
    place_of_number,
    read_elements,
    read_nodes,
    read_system,
)
from faying.fem.readers._abaqus_scopes import Deck, DeckScope, Unread, lines_in_words
from faying.fem.readers._number_index import NumberIndex
from faying.fem.readers._text_files import FileLine
from faying.progress import PartialProgress, Progress


@dataclass(frozen=True)
class ElementRun:
    """The elements of one card: consecutive in the order of reading."""

    scope: str
    card: Card
    kind: str
    label: str
    first: int
    ids: np.ndarray
    connectivity: np.ndarray


@dataclass(frozen=True)
class DeckMesh:
    """Nodes and elements of all scopes.

    `node_runs` are (scope, card, rows) of each `*NODE` card, `left_out` (scope, card, element numbers) of each skipped
    `*ELEMENT` card.
    """

    node_ids: np.ndarray
    nodes: np.ndarray
    node_runs: list[tuple[str, Card, np.ndarray]]
    node_tables: dict[str, NumberIndex]
    elements: list[ElementRun]
    element_ids: np.ndarray
    element_tables: dict[str, NumberIndex]
    left_out: list[tuple[str, Card, np.ndarray]]


def read_mesh(deck: Deck, progress: Progress, outlines: bool = False) -> DeckMesh:
    """Return the nodes and elements of all scopes.

    With `outlines`, elements of unsupported types are read as shapes, and those of unknown shape are listed as unread,
    as springs, dashpots, gaps and connectors always are. Numbers used by several scopes are shifted from the second
    scope on by a power of ten, so that the deck's number remains as the last digits; each shift is listed as unread.

    Raises:
        ReadError: for duplicate numbers, nodes that do not exist, a deck without nodes or elements.
    """
    node_numbers, coordinates, node_runs, node_tables = [], [], [], {}
    runs: list[ElementRun] = []
    element_numbers, element_tables = [], {}
    left_out: list[tuple[str, Card, np.ndarray]] = []
    n_nodes = n_elements = 0
    for at, scope in enumerate(deck.scopes):
        share = 0.4 / len(deck.scopes)
        part = PartialProgress(progress, 0.1 + share * at, 0.1 + share * (at + 1), scope.name)
        ids, points, rows = _scope_nodes(deck, scope, n_nodes, part)
        table = node_tables[scope.name] = NumberIndex.of(ids, n_nodes)
        _refuse_duplicate(table, list(scope.having("NODE")), "node", scope)
        node_numbers.append(ids)
        coordinates.append(points)
        node_runs += rows
        n_nodes += len(ids)
        found, unknown = _scope_elements(scope, table, n_elements, part, outlines, deck.unread)
        for strange, numbers in unknown:
            if strange.name("TYPE") not in POINT_ELEMENTS and not flat_nodes(strange.name("TYPE")):
                deck.unread.card(strange, f"{len(numbers)} elements of a type that is not taken over")
            left_out.append((scope.name, strange, numbers))
        runs += found
        numbers = np.concatenate([np.zeros(0, np.int64), *(run.ids for run in found)])
        element_tables[scope.name] = NumberIndex.of(numbers, n_elements)
        _refuse_duplicate(element_tables[scope.name], list(scope.having("ELEMENT")), "element", scope)
        element_numbers.append(numbers)
        n_elements += len(numbers)
    joined = {card.name("TYPE") for _, card, _ in left_out} & LINE_ELEMENTS.keys()
    if not n_nodes or not (n_elements or joined):
        types = ", ".join(dict.fromkeys(card.name("TYPE") for _, card, _ in left_out))
        if n_nodes and types:
            networks = " (D: CalculiX' networks of fluids)" if types == "D" else ""
            raise left_out[0][1].error(
                f"the deck holds no elements but those of type {types}{networks}, which make no body.",
                "Mesh the body in three dimensions, or join the masses by springs.",
            )
        what, card = ("nodes", "*NODE") if not n_nodes else ("elements", "*ELEMENT")
        raise deck.top.place.error(
            f"the deck holds no {what}, expected {card} cards with data.",
            "Write the deck again with its mesh.",
        )
    return DeckMesh(
        _unique(deck, node_numbers, "node"), np.concatenate(coordinates), node_runs, node_tables,
        runs, _unique(deck, element_numbers, "element"), element_tables, left_out,
    )  # fmt: skip


def _scope_nodes(
    deck: Deck, scope: DeckScope, first: int, progress: Progress
) -> tuple[np.ndarray, np.ndarray, list[tuple[str, Card, np.ndarray]]]:
    ids, points, runs = [np.zeros(0, np.int64)], [np.zeros((0, 3))], []
    frame = None
    for card in scope.having("NODE", "SYSTEM"):
        progress.report(0.0, "reading nodes")
        if card.keyword == "SYSTEM":
            frame = read_system(card)
            continue
        numbers, xyz, longer = read_nodes(card)
        if longer:
            deck.unread.note(
                longer[0], f"directions of nodal normals below *NODE ({lines_in_words(len(longer))})"
            )
        if frame is not None:
            xyz = xyz @ frame[1] + frame[0]
        runs.append((scope.name, card, first + np.arange(len(numbers))))
        first += len(numbers)
        ids.append(numbers)
        points.append(xyz)
    moved = np.concatenate(points)
    if scope.name:
        moved = moved @ scope.rotation.T + scope.translation
    return np.concatenate(ids), moved, runs


def _scope_elements(
    scope: DeckScope, nodes: NumberIndex, first: int, progress: Progress, outlines: bool, unread: Unread
) -> tuple[list[ElementRun], list[tuple[Card, np.ndarray]]]:
    runs, unknown = [], []
    cards = list(scope.having("ELEMENT"))
    for at, card in enumerate(cards):
        progress.report(0.3 + 0.7 * at / len(cards), "reading elements")
        found = element_kind(card, outlines)
        if found is None:
            unknown.append((card, numbers_of_unknown(card)))
            continue
        kind, member, label = found
        ids, numbers, longer = read_elements(card, member.n_nodes)
        if longer:
            unread.note(
                longer[0],
                f"surplus numbers behind the {member.n_nodes} nodes of {label} elements "
                f"({lines_in_words(len(longer))}): is the type right?",
            )
        rows = nodes.find(numbers.ravel()).reshape(numbers.shape)
        if (rows < 0).any():
            element, column = np.argwhere(rows < 0)[0]
            raise (place_of_number([card], int(ids[element])) or card.place).error(
                f"element {ids[element]} uses node {numbers[element, column]}, which does not exist.",
                "Add the node or fix the element.",
            )
        runs.append(ElementRun(scope.name, card, kind, label, first, ids, rows))
        first += len(ids)
    return runs, unknown


def _refuse_duplicate(table: NumberIndex, cards: list[Card], what: str, scope: DeckScope) -> None:
    number = table.duplicate()
    if number is not None:
        first, second = place_of_number(cards, number), place_of_number(cards, number, 2)
        elsewhere = f" of {first.path.name}" if first and second and first.path != second.path else ""
        raise (second or scope.place).error(
            f"{what} {number} is there twice"
            + (f", first on line {first.line}{elsewhere}." if first else "."),
            f"Renumber one of the two {what}s.",
        )


def _unique(deck: Deck, numbers: list[np.ndarray], what: str) -> np.ndarray:
    largest = max((int(n.max()) for n in numbers if len(n)), default=0)
    step = 10 ** len(str(largest))
    seen: np.ndarray = np.zeros(0, np.int64)
    shifted = []
    for at, (scope, own) in enumerate(zip(deck.scopes, numbers, strict=True)):
        if np.isin(own, seen).any():
            own = own + at * step
            name = f"instance {scope.name}" if scope.name else "the assembly's own part"
            place: FileLine = scope.place
            deck.unread.note(
                place, f"the {what} numbers of {name} are shifted by {at * step}: others use them too"
            )
        seen = np.concatenate([seen, own])
        shifted.append(own)
    return np.concatenate(shifted)
