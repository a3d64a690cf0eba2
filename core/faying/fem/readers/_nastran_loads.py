"""Loads, supports and load cases of a Nastran deck.

Loads: FORCE, MOMENT, PLOAD, PLOAD2, PLOAD4 of constant normal pressure, GRAV, TEMP and TEMPD by load set, combined by
LOAD. Supports: SPC1, SPC, SPCADD and permanent constraints of grid points (PS). Each SUBCASE is a load case; in SOL 103
each METHOD with EIGRL or EIGR requests natural frequencies. A deck without case control has a case for each load set
and LOAD card. A case with unsupported actions is not read.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import DeckCase, DeckLoad, DeckSupport, DeckSurface, ElementBlock, element_numbers
from faying.fem.readers._coordinate_systems import BASIC
from faying.fem.readers._deck_supports import Held, shared_support
from faying.fem.readers._nastran_cards import CASE_WORDS, BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import components, integer, numbers, real
from faying.fem.readers._nastran_frames import GridPoints
from faying.fem.readers._number_index import NumberIndex
from faying.fem.whole_numbers import is_whole_number

LOAD_CARDS = ("FORCE", "MOMENT", "PLOAD", "PLOAD2", "PLOAD4", "GRAV", "TEMP", "TEMPD", "LOAD")
SUPPORT_CARDS = ("SPC", "SPC1", "SPCADD")
MODE_CARDS = ("EIGRL", "EIGR")
_MODES = ("103", "SEMODES")  # solutions that compute natural frequencies
_NONLINEAR = ("106", "NLSTATIC", "400", "401", "402")
_FEW_MODES = 10  # if a deck gives only a frequency range
# Beginnings of cards of other loads, temperatures and supports, whose first field is the set.
_OTHERS = {
    "LOAD": (
        "ACCEL", "FORCE", "MOMENT", "MOMAX", "PLOAD", "PRESAX", "RFORCE", "SLOAD", "SPCD", "DEFORM", "GMLOAD", "LOAD",
        "RLOAD", "TLOAD", "DAREA",
    ),
    "TEMP": ("TEMP",),
    "SPC": ("SPC", "GMSPC"),
}  # fmt: skip
Remarks = list[tuple[BulkCard, str]]


class NastranLoads:
    """Loads, supports and load cases of the deck; unsupported input is added to `remarks`.

    Attributes:
        loads: by name, "LOAD 5", temperatures as "TEMP 5".
        surfaces: surfaces under pressure, by name.
        node_sets: rows of nodes with three displacements fixed at zero, "SPC 1".
        support: common support of all cases; None if nothing is held.
        cases: load cases with supported input only.
    """

    def __init__(
        self, deck: NastranDeck, grid: GridPoints, blocks: tuple[ElementBlock, ...], remarks: Remarks
    ) -> None:
        self._deck, self._grid, self._blocks, self._remarks = deck, grid, blocks, remarks
        self._broken: set[str] = set()  # names of loads and supports that are only partly supported
        ids = element_numbers(blocks)
        self._elements, self._starts = NumberIndex.of(ids, 0), np.cumsum([0, *(len(b.ids) for b in blocks)])
        self.surfaces: dict[str, DeckSurface] = {}
        self.loads = {name: load for name, load in self._all_loads() if not load.is_empty}
        self._held = self._held_by_set()
        self.node_sets = {
            f"SPC {number}": rows for number, held in self._held.items() if len(rows := _all_held(held))
        }
        self._break_other_sets()
        self.support, self.cases = self._shared()

    def _break_other_sets(self) -> None:
        """Record the load sets and supports that contain unsupported cards."""
        for name, cards in self._deck.cards.items():
            if name in (*LOAD_CARDS, *SUPPORT_CARDS):
                continue
            # SPCD is a load although its name begins like that of a support.
            kind = next((kind for kind, begins in _OTHERS.items() if name.startswith(begins)), "")
            if kind:
                self._broken.update(f"{kind} {_plain(card.text(0))}" for card in cards)
        self._remarks += [(card, "load cases with it are not taken over") for card in self._deck.other_words]

    def _held_always(self) -> Held:
        """Return the permanent constraints of grid points (PS), valid in all load cases."""
        preset = next(self._deck.having("GRDSET"), None)
        common = preset.text(6) if preset is not None else ""
        found: Held = {}
        for row, card in enumerate(self._deck.having("GRID")):
            which = card.text(6) or common
            if which not in ("", "0"):
                own = components(card if card.text(6) or preset is None else preset, 6)
                found |= {(row, component): 0.0 for component in own}
        return found

    def _all_loads(self) -> Iterator[tuple[str, DeckLoad]]:
        n = len(self._grid.ids)
        forces: dict[int, dict[int, np.ndarray]] = {}
        for card in self._deck.having("FORCE", "MOMENT"):
            row, vector = self._grid.row(card, 1), self._vector(card, 2, 3, 4, self._grid.row(card, 1))
            at = forces.setdefault(self._set(card), {}).setdefault(row, np.zeros(6))
            at[slice(0, 3) if card.name == "FORCE" else slice(3, 6)] += vector
        gravity: dict[int, np.ndarray] = {}
        for card in self._deck.having("GRAV"):
            number = self._set(card)
            gravity[number] = gravity.get(number, np.zeros(3)) + self._vector(card, 1, 2, 3, None)
        pressures = self._pressures()
        for number in sorted({*forces, *gravity, *pressures}):
            own = forces.get(number, {})
            yield f"LOAD {number}", DeckLoad(
                f"LOAD {number}", np.array([*own], np.int64), np.array([*own.values()], float).reshape(-1, 6),
                tuple(pressures.get(number, ())), gravity.get(number, np.zeros(3)), np.zeros(0),
            )  # fmt: skip
        for number, values in self._temperatures().items():
            nothing = np.zeros(0, np.int64), np.zeros((0, 6)), (), np.zeros(3)
            if len(values) == n:
                yield f"TEMP {number}", DeckLoad(f"TEMP {number}", *nothing, values)

    def _set(self, card: BulkCard) -> int:
        return integer(card, 0, "a load set's number")

    def _vector(self, card: BulkCard, system: int, size: int, first: int, node: int | None) -> np.ndarray:
        """Return (3,) magnitude times direction of a card, given in a coordinate system at a grid point."""
        number = integer(card, system, "a coordinate system", 0)
        frame = self._grid.frame(card, number) if number else BASIC
        direction = np.array([real(card, first + i, "a direction") for i in range(3)])
        if node is None and frame.kind != "R":
            raise card.place.error(
                f"{card.name} {card.text(0)} is given in a coordinate system with angles.",
                "Give it in a rectangular one.",
            )
        place = np.zeros((1, 3)) if node is None else self._grid.coordinates[node][None]
        return np.asarray(real(card, size, "a size") * direction @ frame.directions(place)[0])

    def _pressures(self) -> dict[int, list[tuple[str, float]]]:
        """Return (surface name, pressure) pairs by load set; faces of equal pressure form one surface."""
        faces: dict[int, dict[float, list[tuple[int, int]]]] = {}
        for card in self._deck.having("PLOAD2"):
            number, size = self._set(card), real(card, 1, "a pressure")
            for position in numbers(card.fields[2:], card.place).find(self._elements).tolist():
                at = int(np.searchsorted(self._starts, position, side="right")) - 1
                if element_kinds[self._blocks[at].element].is_shell:
                    faces.setdefault(number, {}).setdefault(size, []).append((position, 1))
                else:
                    self._miss(f"LOAD {number}", card, "a pressure on an element that is no shell")
        for card in self._deck.having("PLOAD"):
            number, size = self._set(card), real(card, 1, "a pressure")
            corners = [self._grid.row(card, i) for i in range(2, 6) if card.text(i) not in ("", "0")]
            pressed = self._face_of_corners(corners)
            if pressed is None:
                self._miss(f"LOAD {number}", card, "a pressure on grid points that are no face")
                continue
            position, side, along = pressed
            faces.setdefault(number, {}).setdefault(-size * along, []).append((position, side))
        for card in self._deck.having("PLOAD4"):
            number = self._set(card)
            sizes = [real(card, 2 + i, "a pressure") if card.text(2 + i) else None for i in range(4)]
            first = sizes[0] or 0.0
            if any(size is not None and size != first for size in sizes) or any(map(card.text, range(8, 12))):
                self._miss(f"LOAD {number}", card, "a pressure that varies, or with a direction of its own")
                continue
            through = card.text(6).upper() == "THRU"
            last = (
                integer(card, 7, "an element's number")
                if through
                else integer(card, 1, "an element's number")
            )
            found = self._elements.between(integer(card, 1, "an element's number"), last)
            if not len(found):
                raise card.place.error(
                    f"PLOAD4 {number} presses on an element that is not there.", "Mend it."
                )
            for position in found.tolist():
                at = int(np.searchsorted(self._starts, position, side="right")) - 1
                block = self._blocks[at]
                if element_kinds[block.element].faces and block.section is None:
                    face, size = self._face(card, block, position - int(self._starts[at]), through), first
                else:
                    # Pressure on a shell acts along its normal, that is on its lower side.
                    face, size = 1, first
                faces.setdefault(number, {}).setdefault(size, []).append((position, face))
        found_by: dict[int, list[tuple[str, float]]] = {}
        for number, by_size in faces.items():
            for i, (size, own) in enumerate(by_size.items()):
                name = f"{self._pressing(number)} {number}" + (f" ({i + 1})" if len(by_size) > 1 else "")
                elements, sides = np.array(own, np.int64).T
                self.surfaces[name] = DeckSurface(name, elements, sides, np.zeros(0, np.int64))
                found_by.setdefault(number, []).append((name, size))
        return found_by

    def _pressing(self, number: int) -> str:
        """Return the name of the pressure cards in a load set."""
        return next(
            name
            for name in ("PLOAD4", "PLOAD2", "PLOAD")
            for card in self._deck.having(name)
            if self._set(card) == number
        )

    def _face_of_corners(self, corners: list[int]) -> tuple[int, int, float] | None:
        """Return element, face, and 1 or −1: sign of the grid points' right-hand normal along the outward normal.

        None if there is no such face.
        """
        wanted = set(corners)
        for block, start in zip(self._blocks, self._starts[:-1], strict=True):
            kind = element_kinds[block.element]
            for side, (positions, facet) in enumerate(zip(kind.faces, kind.facets, strict=True)):
                own = block.connectivity[:, list(positions[: facet_kind(facet).n_corners])]
                if own.shape[1] != len(wanted):
                    continue
                rows = np.flatnonzero(np.isin(own, corners).all(axis=1))
                if len(rows):
                    places = self._grid.coordinates
                    given, outward = (_normal(places[nodes]) for nodes in (corners, own[rows[0]]))
                    return int(start + rows[0]), side, float(np.sign(given @ outward) or 1.0)
        return None

    def _face(self, card: BulkCard, block: ElementBlock, row: int, through: bool) -> int:
        """Return the face of a solid that a PLOAD4 defines by grid points.

        These are two opposite corners of a quadrilateral, one corner of a wedge's triangle, or for a tetrahedron one
        corner of the face and the opposite corner.
        """
        kind = element_kinds[block.element]
        points = [] if through else [self._grid.row(card, i) for i in (6, 7) if card.text(i) not in ("", "0")]
        corners = [
            set(block.connectivity[row, list(positions[: facet_kind(facet).n_corners])].tolist())
            for positions, facet in zip(kind.faces, kind.facets, strict=True)
        ]
        is_tetrahedron = len(corners) == 4
        for face, own in enumerate(corners):
            if len(points) == 2 and is_tetrahedron:
                fits = points[0] in own and points[1] not in own
            elif len(points) == 2:
                fits = len(own) == 4 and own >= set(points)
            else:
                fits = len(points) == 1 and len(own) == 3 and points[0] in own
            if fits:
                return face
        raise card.place.error(
            f"PLOAD4 {card.text(0)} names no face of element {card.text(1)} by its grid points.",
            "Mend this line.",
        )

    def _temperatures(self) -> dict[int, np.ndarray]:
        """Return (n_nodes,) changes from the materials' reference temperature for each temperature set."""
        found: dict[int, np.ndarray] = {}
        references = {real(card, 6, "a reference temperature") for card in self._deck.having("MAT1")}
        cards = [*self._deck.having("TEMPD"), *self._deck.having("TEMP")]
        if cards and len(references) > 1:
            for card in cards:
                self._broken.add(f"TEMP {self._set(card)}")
            self._remarks.append(
                (cards[0], "temperatures, for materials with different reference temperatures")
            )
            return {}
        reference = next(iter(references), 0.0)
        unknown = np.full(len(self._grid.ids), np.nan)
        for card in self._deck.having("TEMPD"):
            for i in range(0, 8, 2):
                if card.text(i):
                    number = integer(card, i, "a temperature set's number")
                    found[number] = np.full(len(unknown), real(card, i + 1, "a temperature") - reference)
        for card in self._deck.having("TEMP"):
            values = found.setdefault(self._set(card), unknown.copy())
            for i in range(1, 7, 2):
                if card.text(i):
                    values[self._grid.row(card, i)] = real(card, i + 1, "a temperature") - reference
        used = np.unique(
            np.concatenate([np.zeros(0, np.int64), *(block.connectivity.ravel() for block in self._blocks)])
        )
        used = used[used < len(unknown)]  # others are added midside nodes
        for number, values in found.items():
            if np.isnan(values[used]).any():
                first = next(c for c in self._deck.having("TEMP") if self._set(c) == number)
                self._miss(f"TEMP {number}", first, "not all grid points have a temperature")
                found[number] = np.zeros(0)
            else:
                found[number] = np.nan_to_num(values)
        return found

    def _held_by_set(self) -> dict[int, Held]:
        """Return the held and displaced components of each set of supports."""
        held: dict[int, Held] = {}
        for card in self._deck.having("SPC1"):
            if card.text(1) == "0":  # for scalar points, which are not part of a body
                continue
            which = components(card, 1)
            members = numbers(card.fields[2:], card.place)
            # Grid points in a range need not exist.
            is_range = "THRU" in [text.upper() for text in card.fields]
            rows = members.find(self._grid.table) if is_range else self._grid.listed_rows(card, members)
            own = held.setdefault(self._set(card), {})
            own.update({(row, component): 0.0 for row in rows.tolist() for component in which})
        for card in self._deck.having("SPC"):
            own = held.setdefault(self._set(card), {})
            for i in (1, 4):
                if not card.text(i) or card.text(i + 1) in ("", "0"):  # of a scalar point
                    continue
                row, value = self._grid.row(card, i), real(card, i + 2, "a displacement")
                own.update({(row, component): value for component in components(card, i + 1)})
        for card in self._deck.having("SPCADD"):
            own = held.setdefault(self._set(card), {})
            for part in numbers(card.fields[1:], card.place).runs:
                for number in range(part[0], part[1] + 1):
                    if f"SPC {number}" in self._broken:
                        self._broken.add(f"SPC {self._set(card)}")
                    own.update(held.get(number, {}))
        return held

    def _miss(self, name: str, card: BulkCard, why: str) -> None:
        self._broken.add(name)
        self._remarks.append((card, why))

    def _shared(self) -> tuple[DeckSupport | None, tuple[DeckCase, ...]]:
        """Return the common support and the cases."""
        always = self._held_always()
        found = list(self._cases())
        held = [always | self._held.get(number, {}) for number, _, _ in found]
        if not found:  # for a deck without cases, all its constraints in one set
            sets = list(self._held.values())
            held = [always | sets[0]] if len(sets) == 1 else [always] if always else []
        shared = shared_support(held, self._grid.coordinates, self._directions())
        cases = list[DeckCase]()
        for (_, case, card), displacements, i in zip(
            found, shared.displacements, range(len(found)), strict=False
        ):
            if displacements is not None:
                cases.append(replace(case, displacements=displacements))
            else:
                self._remarks.append((card, self._no_analysis(case.name, shared.reasons[i])))
        if cases and self._deck.solution in _NONLINEAR:
            told = f"SOL {self._deck.solution}: each case is taken by itself, and displacements as small"
            card = next(iter(self._deck.case_places), next(self._deck.having("GRID")))
            self._remarks.append((card, told))
        return shared.support, tuple(cases)

    def _directions(self) -> dict[int, np.ndarray]:
        """Return (3, 3) displacement directions, as rows, of grid points with their own."""
        found = {}
        for point, system in self._grid.displacement_systems.items():
            row = int(self._grid.table.find(np.array([point]))[0])
            card = self._deck.cards["GRID"][row]
            frame = self._grid.frame(card, system)
            found[row] = frame.directions(self._grid.coordinates[row][None])[0]
        return found

    def _cases(self) -> Iterator[tuple[int, DeckCase, BulkCard]]:
        """Yield for each fully supported case its support set number, the case, and its place."""
        sets = [int(name.split()[1]) for name in self.loads if name[:4] == "LOAD"]
        sets += [self._set(card) for card in self._deck.having("LOAD")]
        told = self._deck.cases or [{"LOAD": str(number)} for number in sorted(set(sets))]
        only = f"{next(iter(self._held))}" if len(self._held) == 1 and not self._deck.cases else ""
        first = next(self._deck.having(*LOAD_CARDS, "GRID"))
        for i, words in enumerate(told):
            name = words.get("SUBTITLE") or words.get("LABEL")
            title = (
                f"subcase {words.get('SUBCASE', str(i + 1))}" if self._deck.cases else f"load {words['LOAD']}"
            )
            card = self._deck.case_places[i] if self._deck.cases else first
            number = _plain(words.get("SPC", only))
            parts = [
                *self._summed(_plain(words.get("LOAD", ""))),
                *self._named("TEMP", _plain(words.get("TEMP", ""))),
            ]
            modes = self._modes(_plain(words["METHOD"])) if "METHOD" in words else 0
            if reason := self._reason(words, number, parts, modes):
                if set(words) - {"SUBTITLE", "LABEL", "SUBCASE"}:
                    self._remarks.append((card, self._no_analysis(title, reason)))
                continue
            case = DeckCase(f"{title}: {name}" if name else title, () if modes else tuple(parts), modes=modes)
            yield int(number) if number else -1, case, card

    def _no_analysis(self, title: str, reason: str) -> str:
        """Return the remark about a case, preceded by the words of the case control, if any."""
        return f"no analysis: {reason}" if self._deck.cases else f"{title} is no analysis: {reason}"

    def _reason(self, words: dict[str, str], number: str, parts: list[tuple[str, float]], modes: int) -> str:
        """Return why a case is not read; "" if it is.

        Args:
            words: of the case control.
            number: its support set.
            parts: its loads with factors.
            modes: number of requested natural frequencies.
        """
        others = words.keys() - set(CASE_WORDS)
        if others:
            return ", ".join(sorted(others))
        if "METHOD" in words and not modes:
            return f"METHOD in SOL {self._deck.solution or '101'}"
        if not parts and not modes:
            return "it has no load"
        # The set of a LOAD card may contain further cards.
        acting = [*(name for name, _ in parts), f"LOAD {_plain(words.get('LOAD', ''))}", f"SPC {number}"]
        wrong = [name for name in acting if name in self._broken]
        wrong += [name for name, _ in parts if name not in self.loads and name not in wrong]
        if wrong and not modes:
            return f"{', '.join(dict.fromkeys(wrong))} is not there, or not all of it is taken over"
        if number and not (is_whole_number(number) and int(number) in self._held):
            return f"there is no SPC {number}"
        return ""

    def _modes(self, number: str) -> int:
        """Return the number of natural frequencies requested by a set; 0 if the solution does not compute any."""
        if self._deck.solution not in _MODES:
            return 0
        for card in self._deck.having(*MODE_CARDS):
            if _plain(card.text(0)) == number:
                at = 3 if card.name == "EIGRL" else 5
                return integer(card, at, "a number of modes", 0) or _FEW_MODES
        return 0

    def _named(self, kind: str, number: str) -> list[tuple[str, float]]:
        return [(f"{kind} {number}", 1.0)] if number else []

    def _summed(self, number: str) -> list[tuple[str, float]]:
        """Return the loads of a load set with factors: the set itself, or the terms of a LOAD card."""
        found = self._named("LOAD", number)
        for card in self._deck.having("LOAD"):
            if str(self._set(card)) == number:
                whole = real(card, 1, "a factor", 1.0)
                found += [
                    (f"LOAD {integer(card, i + 1, 'a load set')}", whole * real(card, i, "a factor", 1.0))
                    for i in range(2, len(card.fields) - 1, 2)
                    if card.text(i + 1)
                ]
                if f"LOAD {number}" not in self.loads:
                    found = found[1:]
        return found


def _normal(corners: np.ndarray) -> np.ndarray:
    """Return a right-hand normal vector of three or four corners (n, 3), not normalised."""
    return np.asarray(np.cross(corners[1] - corners[0], corners[2] - corners[0]))


def _all_held(held: Held) -> np.ndarray:
    """Return the rows of nodes with three displacements fixed at zero."""
    counts: dict[int, int] = {}
    for (row, component), value in held.items():
        counts[row] = counts.get(row, 0) + (component <= 3 and not value)
    return np.array(sorted(row for row, count in counts.items() if count == 3), np.int64)


def _plain(number: str) -> str:
    """Return the number of a set without leading zeros; other text unchanged."""
    return str(int(number)) if is_whole_number(number) and len(number) < 20 else number
