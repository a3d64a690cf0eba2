"""Node and element sets: lists, ranges, sets of sets, sets of instances."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_numbers import bulk_integers, integer, is_integer
from faying.fem.readers._abaqus_scopes import Deck
from faying.fem.readers._abaqus_tables import DeckMesh
from faying.fem.readers._number_index import NumberIndex
from faying.fem.readers._text_files import FileLine

_BOOKKEEPING = "GMSH:"  # meshio writes gmsh:bounding_entities as element sets of signed numbers
Piece = Callable[[], np.ndarray]


class NamedSets:
    """All node sets (or all element sets) of a deck, resolved on demand.

    Args:
        word: "node" or "element", for error messages.
        tables: the numbers of each scope.
        left_out: numbers by scope of elements that the model omits; sets skip them without an error.
    """

    def __init__(
        self, word: str, tables: dict[str, NumberIndex], left_out: dict[str, np.ndarray] | None = None
    ) -> None:
        self._word, self._tables, self._left_out = word, tables, left_out or {}
        self._pieces: dict[tuple[str, str], list[Piece]] = {}
        self._places: dict[tuple[str, str], FileLine] = {}
        self._unsorted: set[tuple[str, str]] = set()
        self._resolved: dict[tuple[str, str], np.ndarray] = {}
        self._open: list[tuple[str, str]] = []

    def add(self, scope: str, name: str, place: FileLine, piece: Piece, *, unsorted: bool = False) -> None:
        """Add members to a set, creating it if necessary."""
        self._pieces.setdefault((scope, name), []).append(piece)
        self._places.setdefault((scope, name), place)
        if unsorted:
            self._unsorted.add((scope, name))

    def members(self, scope: str, text: str, place: FileLine) -> np.ndarray:
        """Return the indices meant by a word: a number, a set, or either after "INSTANCE.".

        Raises:
            ReadError: when the number or set is unknown.
        """
        name = as_name(text)
        instance, _, rest = name.rpartition(".")
        if is_integer(name):
            return self.numbered(scope, np.array([integer(name, place, "a number")]), [place])
        if is_integer(rest) and instance in self._tables:
            return self.numbered(instance, np.array([integer(rest, place, "a number")]), [place])
        key = find_name(self._pieces, scope, name)
        if key is None:
            known = ", ".join(sorted(n for s, n in self._pieces if s in (scope, "")))
            raise place.error(
                f"there is no {self._word} set {name or 'without a name'}.",
                f"Known are: {shortened(known)}." if known else "Define it.",
            )
        return self._resolve(key, place)

    def numbered(self, scope: str, numbers: np.ndarray, places: list[FileLine]) -> np.ndarray:
        """Return the indices of numbers of a scope; `places` are their lines, for error messages.

        Raises:
            ReadError: for the first number that does not exist.
        """
        found = self._tables[scope].find(numbers)
        if scope in self._left_out:
            found, numbers, places = self._without_left_out(scope, found, numbers, places)
        if (found < 0).any():
            at = int(np.argmax(found < 0))
            raise places[at].error(
                f"{self._word} {numbers[at]} does not exist.", "Remove it here or add it to the mesh."
            )
        return found

    def _without_left_out(
        self, scope: str, found: np.ndarray, numbers: np.ndarray, places: list[FileLine]
    ) -> tuple[np.ndarray, np.ndarray, list[FileLine]]:
        keep = (found >= 0) | ~np.isin(numbers, self._left_out[scope])
        return found[keep], numbers[keep], [place for place, kept in zip(places, keep, strict=True) if kept]

    def count_left_out(self, scope: str, first: int, last: int, step: int) -> int:
        """Return how many of the numbers first, first + step, … last were left out."""
        numbers = self._left_out.get(scope, np.zeros(0, np.int64))
        inside = np.unique(numbers[(numbers >= first) & (numbers <= last)])
        return int(((inside - first) % step == 0).sum())

    def existing(self, scope: str, numbers: np.ndarray) -> np.ndarray:
        """Return (m,) the indices of the existing ones among numbers of a scope."""
        found = self._tables[scope].find(numbers)
        return found[found >= 0]

    def in_range(self, scope: str, first: int, last: int, step: int) -> np.ndarray:
        """Return (m,) the indices of the existing numbers among first, first + step, … last of a scope."""
        return self._tables[scope].between(first, last, step)

    def resolved(self) -> dict[str, np.ndarray]:
        """Return all sets (m,) by name; those of instances as "INSTANCE.SET", and also as "SET" if unique."""
        sets = {n: self._resolve((s, n), self._places[s, n]) for s, n in self._pieces if not s}
        inner = [key for key in self._pieces if key[0]]
        for scope, name in inner:
            members = self._resolve((scope, name), self._places[scope, name])
            sets[f"{scope}.{name}"] = members
            if ("", name) not in self._pieces and sum(n == name for _, n in inner) == 1:
                sets[name] = members
        return sets

    def _resolve(self, key: tuple[str, str], place: FileLine) -> np.ndarray:
        if key not in self._resolved:
            if key in self._open:
                raise place.error(
                    f"the {self._word} set {key[1]} contains itself.", "Remove it from its own list."
                )
            self._open.append(key)
            members = np.concatenate([np.zeros(0, np.int64), *(piece() for piece in self._pieces[key])])
            values, first = np.unique(members, return_index=True)
            self._resolved[key] = members[np.sort(first)] if key in self._unsorted else values
            self._open.pop()
        return self._resolved[key]


def find_name(known: Mapping[tuple[str, str], object], scope: str, name: str) -> tuple[str, str] | None:
    """Return (scope, name) for a name used within a scope, or None.

    Names of the scope itself take precedence, then "INSTANCE.NAME", then names that only one instance has.
    """
    if (scope, name) in known:
        return scope, name
    if not scope:
        by_prefix = [key for key in known if key[0] and f"{key[0]}.{key[1]}" == name]
        by_name = [key for key in known if key[1] == name]
        for found in (by_prefix, by_name):
            if len(found) == 1:
                return found[0]
    return None


def read_sets(deck: Deck, mesh: DeckMesh) -> tuple[NamedSets, NamedSets]:
    """Return the node sets and the element sets (indices in the order of reading) of a deck.

    Raises:
        ReadError: for text that is neither number nor name, or an instance that does not exist.
    """
    left_out: dict[str, np.ndarray] = {}
    for scope, _, ids in mesh.left_out:
        left_out[scope] = np.concatenate([left_out.get(scope, ids[:0]), ids])
    nodes = NamedSets("node", mesh.node_tables)
    elements = NamedSets("element", mesh.element_tables, left_out)
    for scope, card, _ in mesh.left_out:
        if card.name("ELSET"):
            elements.add(scope, card.name("ELSET"), card.place, partial(np.zeros, 0, np.int64))
    for scope, card, rows in mesh.node_runs:
        if card.name("NSET"):
            nodes.add(scope, card.name("NSET"), card.place, partial(np.asarray, rows))
    for run in mesh.elements:
        if run.card.name("ELSET"):
            positions = run.first + np.arange(len(run.ids))
            elements.add(run.scope, run.card.name("ELSET"), run.card.place, partial(np.asarray, positions))
    add_listed_sets(deck, mesh, nodes, elements)
    return nodes, elements


def add_listed_sets(deck: Deck, mesh: DeckMesh, nodes: NamedSets | None, elements: NamedSets) -> None:
    """Add the sets of `*NSET` and `*ELSET` cards; without `nodes` only element sets.

    Raises:
        ReadError: for text that is neither number nor name, or an instance that does not exist.
    """
    for scope in deck.scopes:
        for card in scope.having("NSET", "ELSET"):
            sets = nodes if card.keyword == "NSET" else elements
            if sets is None:
                continue
            name = card.needed(card.keyword)
            if name.startswith(_BOOKKEEPING):
                if sets is elements and nodes is not None:
                    deck.unread.card(card, "what Gmsh noted for itself")
                continue
            inner = card.name("INSTANCE") or scope.name
            if inner not in mesh.node_tables:
                known = ", ".join(n for n in mesh.node_tables if n) or "none"
                raise card.error(f"there is no instance {inner}.", f"Known are: {known}.")
            if card.keyword == "NSET" and card.name("ELSET"):
                piece = _nodes_of_elements(mesh, elements, inner, card)
            elif "GENERATE" in card.parameters:
                piece = _range(deck, sets, inner, card)
            else:
                piece = _list(sets, inner, card)
            sets.add(scope.name, name, card.place, piece, unsorted="UNSORTED" in card.parameters)


def sets_of_left_out(deck: Deck, mesh: DeckMesh, runs: Sequence[tuple[str, Card, np.ndarray]]) -> NamedSets:
    """Return the element sets restricted to chosen elements that are not in the mesh, such as masses.

    Args:
        deck: with the cards of the sets.
        mesh: of all scopes.
        runs: (scope, card, element numbers) of the chosen elements, scope by scope; indices run through all of them.
    """
    tables, others, first = {}, {}, 0
    chosen = {card.place for _, card, _ in runs}
    for scope in deck.scopes:
        own = [ids for name, _, ids in runs if name == scope.name]
        numbers = np.concatenate([np.zeros(0, np.int64), *own])
        tables[scope.name] = NumberIndex.of(numbers, first)
        rest = [ids for name, card, ids in mesh.left_out if name == scope.name and card.place not in chosen]
        others[scope.name] = np.concatenate([mesh.element_tables[scope.name].numbers, *rest])
        first += len(numbers)
    sets, at = NamedSets("element", tables, others), 0
    for owner, card, ids in runs:
        if card.name("ELSET"):
            sets.add(owner, card.name("ELSET"), card.place, partial(np.asarray, at + np.arange(len(ids))))
        at += len(ids)
    # Listed sets may contain sets of other elements.
    unchosen = [(owner, card) for owner, card, _ in mesh.left_out if card.place not in chosen]
    for owner, card in [*((run.scope, run.card) for run in mesh.elements), *unchosen]:
        if card.name("ELSET"):
            sets.add(owner, card.name("ELSET"), card.place, partial(np.zeros, 0, np.int64))
    add_listed_sets(deck, mesh, None, sets)
    return sets


def _list(sets: NamedSets, scope: str, card: Card) -> Piece:
    def piece() -> np.ndarray:
        # Usually all are existing numbers.
        lines = card.lines
        numbers = bulk_integers(lines) if lines else None
        if numbers is not None:
            found = sets.existing(scope, numbers)
            if len(found) == len(numbers):
                return found
        parts = [sets.members(scope, text, place) for place, fields in card.rows() for text in fields if text]
        return np.concatenate([np.zeros(0, np.int64), *parts])

    return piece


def _range(deck: Deck, sets: NamedSets, scope: str, card: Card) -> Piece:
    def piece() -> np.ndarray:
        parts = [np.zeros(0, np.int64)]
        for place, fields in card.rows():
            if not any(fields):
                continue
            numbers = [integer(text, place, "first, last, step of a range") for text in fields]
            first, last, step = [*numbers, numbers[0], 1][:3] if len(numbers) == 1 else [*numbers, 1][:3]
            if step < 1 or last < first:
                raise place.error(
                    f"found {', '.join(fields)!r}, expected first, last, step of a range.", "Mend this line."
                )
            found = sets.in_range(scope, first, last, step)
            known = len(found) + sets.count_left_out(scope, first, last, step)
            if not known:
                raise place.error(f"none of the numbers {first} to {last} exists.", "Mend the range.")
            wanted = (last - first) // step + 1
            if known < wanted:
                deck.unread.note(
                    place, f"{wanted - known} of the {wanted} numbers of this range do not exist"
                )
            parts.append(found)
        return np.concatenate(parts)

    return piece


def _nodes_of_elements(mesh: DeckMesh, elements: NamedSets, scope: str, card: Card) -> Piece:
    def piece() -> np.ndarray:
        chosen = elements.members(scope, card.name("ELSET"), card.place)
        return nodes_of_elements(mesh, chosen)

    return piece


def nodes_of_elements(mesh: DeckMesh, chosen: np.ndarray) -> np.ndarray:
    """Return (m,) the distinct node rows of elements, given by index in the order of reading."""
    rows = [np.zeros(0, np.int64)]
    for run in mesh.elements:
        inside = chosen[(chosen >= run.first) & (chosen < run.first + len(run.ids))] - run.first
        rows.append(run.connectivity[inside].ravel())
    return np.unique(np.concatenate(rows))


def shortened(text: str, limit: int = 200) -> str:
    """Return a text for a sentence, cut at a comma when it is long."""
    return text if len(text) <= limit else text[:limit].rsplit(",", 1)[0] + ", …"
