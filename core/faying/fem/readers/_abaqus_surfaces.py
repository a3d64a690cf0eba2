"""`*SURFACE` cards: element faces, free faces of element sets, nodes, and combinations of surfaces."""

from dataclasses import dataclass

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.model import DeckSurface, ElementBlock
from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_numbers import integer, is_integer, real
from faying.fem.readers._abaqus_scopes import Deck
from faying.fem.readers._abaqus_sets import NamedSets, find_name, shortened
from faying.fem.readers._text_files import FileLine
from faying.fem.skin import exterior_faces

# Factor for unique numbers of element faces; larger than the number of faces of any element.
_FACES = 8
# Sides of a shell; the numbers are CalculiX's names.
_SHELL_SIDES = {"SPOS": 0, "SNEG": 1, "S2": 0, "S1": 1}


@dataclass(frozen=True)
class FoundSurface:
    """A surface in the model's running element order.

    Attributes:
        faces: running position of the element times `_FACES`, plus the face number.
        nodes: rows of nodes of a TYPE=NODE surface.
    """

    faces: np.ndarray
    nodes: np.ndarray

    @property
    def elements_and_faces(self) -> tuple[np.ndarray, np.ndarray]:
        """Return running positions (m,) and face numbers (m,)."""
        return self.faces // _FACES, self.faces % _FACES


class NamedSurfaces:
    """All surfaces of a deck, resolved on demand."""

    def __init__(
        self,
        deck: Deck,
        node_sets: NamedSets,
        element_sets: NamedSets,
        blocks: tuple[ElementBlock, ...],
        positions: np.ndarray,
    ) -> None:
        self._deck, self._node_sets, self._element_sets = deck, node_sets, element_sets
        self._blocks, self._positions = blocks, positions
        self._starts = np.cumsum([0, *(len(b.ids) for b in blocks)])
        self._cards: dict[tuple[str, str], Card] = {}
        self._left_out: dict[tuple[str, str], Card] = {}
        self._found: dict[tuple[str, str], FoundSurface] = {}
        self._open: list[tuple[str, str]] = []
        self._exterior: np.ndarray | None = None
        for scope in deck.scopes:
            for card in scope.having("SURFACE"):
                kind = "" if card.parameters.get("COMBINE") else card.name("TYPE") or "ELEMENT"
                if kind not in ("", "ELEMENT", "NODE"):
                    deck.unread.card(card, "expected TYPE=ELEMENT or TYPE=NODE")
                    self._left_out[scope.name, card.name("NAME")] = card
                    continue
                key = scope.name, card.needed("NAME")
                known = self._cards.get(key)
                if known is not None and (known.name("TYPE") or "ELEMENT") == kind:
                    raise card.error(
                        f"the surface {key[1]} is there twice, first on line {known.place.line}.",
                        "Rename one of the two.",
                    )
                # In CalculiX, nodes and faces may share a name; faces take precedence.
                if known is not None:
                    deck.unread.card(known if kind == "ELEMENT" else card, "the faces of that name count")
                if known is None or kind == "ELEMENT":
                    self._cards[key] = card

    def find(self, scope: str, text: str, place: FileLine) -> FoundSurface:
        """Return the surface of that name within a scope.

        Raises:
            ReadError: when there is none, or its definition refers to missing items.
        """
        name = as_name(text)
        key = find_name(self._cards, scope, name)
        if key is None:
            known = shortened(", ".join(dict.fromkeys(n for _, n in self._cards))) or "none"
            raise place.error(f"there is no surface {name}.", f"Known are: {known}.")
        if key not in self._found:
            if key in self._open:
                raise place.error(f"the surface {key[1]} is made of itself.", "Remove it from its own list.")
            self._open.append(key)
            self._found[key] = self._resolve(key[0], self._cards[key])
            self._open.pop()
        return self._found[key]

    def pressed_faces(self, elements: np.ndarray, number: str, place: FileLine) -> list[tuple[int, int]]:
        """Return (running position, face) of elements loaded by a distributed load on a numbered face.

        Without a number, pressure acts on shells along their normal, that is on their lower side.

        Raises:
            ReadError: when an element has no such face.
        """
        found = list[tuple[int, int]]()
        at_block = np.searchsorted(self._starts, elements, side="right") - 1
        for i in np.unique(at_block):
            own = elements[at_block == i].tolist()
            label = "S1" if element_kinds[self._blocks[i].element].is_shell and not number else f"S{number}"
            face = self._face(self._blocks[i], label, place)
            found += [(element, face) for element in own]
        return found

    def full_name(self, scope: str, text: str, place: FileLine) -> str:
        """Return the name of a surface in the model.

        Raises:
            ReadError: when there is none of that name.
        """
        self.find(scope, text, place)
        key = find_name(self._cards, scope, as_name(text))
        assert key is not None
        return f"{key[0]}.{key[1]}" if key[0] else key[1]

    def is_left_out(self, scope: str, text: str) -> bool:
        """Return whether a name means a surface of an unsupported type, such as an analytical one."""
        name = as_name(text)
        return find_name(self._cards, scope, name) is None and bool(find_name(self._left_out, scope, name))

    def resolved(self) -> dict[str, DeckSurface]:
        """Return all surfaces by name; those of instances as "INSTANCE.SURFACE", and also as "SURFACE" if unique."""
        keys = list(self._cards)
        surfaces = {}
        for scope, name in keys:
            found = self.find(scope, name, self._cards[scope, name].place)
            names = [name] if not scope else [f"{scope}.{name}"]
            if scope and ("", name) not in keys and sum(n == name for _, n in keys) == 1:
                names.append(name)
            for written in names:
                elements, faces = found.elements_and_faces
                surfaces[written] = DeckSurface(written, elements, faces, found.nodes)
        return surfaces

    def _resolve(self, scope: str, card: Card) -> FoundSurface:
        nothing = np.zeros(0, np.int64)
        if card.parameters.get("COMBINE"):
            return self._combined(scope, card)
        if card.name("TYPE") == "NODE":
            lines = [(at, fields) for at, fields in card.rows() if any(fields)]
            nodes = [self._node_sets.members(scope, fields[0], at) for at, fields in lines]
            areas = {real(fields[1], at, "an area") for at, fields in lines if len(fields) > 1}
            if areas - {0.0, 1.0}:
                self._deck.unread.note(card.place, f"areas of the nodes of {card.text}")
            return FoundSurface(nothing, np.unique(np.concatenate([nothing, *nodes])))
        single: list[tuple[int, str, FileLine]] = []
        parts = []
        for at, fields in card.rows():
            if not any(fields):
                continue
            label = fields[1].upper() if len(fields) > 1 else ""
            if is_integer(fields[0]):
                single.append((integer(fields[0], at, "the number of an element"), label, at))
            else:
                parts.append(self._faces(self._element_sets.members(scope, fields[0], at), label, at))
        # Lists of single elements are long, so process all elements with one label at once.
        for label in dict.fromkeys(label for _, label, _ in single):
            rows = [(number, at) for number, own, at in single if own == label]
            members = self._element_sets.numbered(
                scope, np.array([number for number, _ in rows]), [at for _, at in rows]
            )
            parts.append(self._faces(members, label, rows[0][1]))
        faces = np.concatenate([nothing, *parts])
        _, first = np.unique(faces, return_index=True)
        return FoundSurface(faces[np.sort(first)], nothing)

    def _faces(self, members: np.ndarray, label: str, place: FileLine) -> np.ndarray:
        """Return the faces of elements (in the order of reading) for a label; "" means the free faces."""
        elements = self._positions[members]
        if not label:
            if self._exterior is None:
                free_elements, free_faces = exterior_faces(self._blocks)
                self._exterior = free_elements * _FACES + free_faces
            return np.asarray(self._exterior[np.isin(self._exterior // _FACES, elements)])
        at_block = np.searchsorted(self._starts, elements, side="right") - 1
        faces = np.empty(len(elements), np.int64)
        for i in np.unique(at_block):
            faces[at_block == i] = self._face(self._blocks[i], label, place)
        return np.asarray(elements * _FACES + faces)

    @staticmethod
    def _face(block: ElementBlock, label: str, place: FileLine) -> int:
        kind = element_kinds[block.element]
        if kind.is_shell:
            known = _SHELL_SIDES
        else:
            known = {f"S{face + 1}": face for face in range(len(kind.faces))}
        if label not in known:
            wanted = f"one of S1 to S{len(known)}" if known else "no face: beams have none"
            if kind.is_shell:
                wanted = "SPOS or SNEG"
            raise place.error(
                f"found face {label!r} of an element of type {block.label}, expected {wanted}.",
                "Mend this line.",
            )
        return known[label]

    def _combined(self, scope: str, card: Card) -> FoundSurface:
        how = card.name("COMBINE")
        parts = [self.find(scope, text, at) for at, fields in card.rows() for text in fields if text]
        if not parts:
            raise card.error("the surface combines nothing, expected names of surfaces.", "Add them.")
        faces, nodes = parts[0].faces, parts[0].nodes
        for part in parts[1:]:
            match how:
                case "UNION":
                    faces, nodes = np.union1d(faces, part.faces), np.union1d(nodes, part.nodes)
                case "INTERSECTION":
                    faces, nodes = np.intersect1d(faces, part.faces), np.intersect1d(nodes, part.nodes)
                case "DIFFERENCE":
                    faces, nodes = np.setdiff1d(faces, part.faces), np.setdiff1d(nodes, part.nodes)
                case _:
                    raise card.error(
                        f"found COMBINE={how}, expected UNION, INTERSECTION or DIFFERENCE.", "Mend this line."
                    )
        return FoundSurface(faces, nodes)
