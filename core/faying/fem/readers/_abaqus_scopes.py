"""Scopes of numbers and names: the deck itself, or one instance of a part."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_numbers import real
from faying.fem.readers._text_files import FileLine

# Cards and parameters that the reader supports: parameters by keyword. All others are listed as unread. Parameters
# whose effect depends on their value are checked where they are used.
_KNOWN = {
    "NODE": "NSET SYSTEM INPUT",
    "ELEMENT": "TYPE ELSET INPUT",
    "NGEN": "NSET LINE SYSTEM",
    "NFILL": "NSET BIAS SINGULAR TWOSTEP",
    "NCOPY": "OLDSET NEWSET CHANGENUMBER SHIFT MULTIPLE REFLECT POLE",
    "ELGEN": "ELSET ALLNODES",
    "ELCOPY": "OLDSET NEWSET ELEMENTSHIFT SHIFTNODES REFLECT",
    "SYSTEM": "",
    "NSET": "NSET GENERATE INSTANCE ELSET UNSORTED INTERNAL INPUT",
    "ELSET": "ELSET GENERATE INSTANCE UNSORTED INTERNAL INPUT",
    "SURFACE": "NAME TYPE COMBINE INTERNAL",
    "MATERIAL": "NAME",
    "ELASTIC": "TYPE",
    "DENSITY": "",
    "EXPANSION": "TYPE ZERO",
    "SOLIDSECTION": "ELSET MATERIAL ORIENTATION COMPOSITE",
    "SHELLSECTION": "ELSET MATERIAL OFFSET COMPOSITE ORIENTATION SYMMETRIC DENSITY",
    # POISSON of a general section changes the thickness only in large strains.
    "SHELLGENERALSECTION": "ELSET MATERIAL OFFSET COMPOSITE ORIENTATION SYMMETRIC DENSITY POISSON",
    # The last two affect stresses only with temperatures and large strains.
    "BEAMSECTION": "ELSET MATERIAL SECTION TEMPERATURE POISSON",
    "BEAMGENERALSECTION": "ELSET SECTION DENSITY POISSON MATERIAL",
    "TRANSVERSESHEARSTIFFNESS": "",
    "TRANSFORM": "NSET TYPE",
    "ORIENTATION": "NAME SYSTEM DEFINITION LOCALDIRECTIONS",
    "DISTRIBUTION": "NAME LOCATION TABLE",
    "DISTRIBUTIONTABLE": "NAME",
    "COUPLING": "CONSTRAINTNAME REFNODE SURFACE ORIENTATION",
    "KINEMATIC": "",
    "DISTRIBUTING": "COUPLING WEIGHTINGMETHOD",
    "KINEMATICCOUPLING": "REFNODE ORIENTATION",
    "DISTRIBUTINGCOUPLING": "ELSET",
    "RIGIDBODY": "REFNODE ROTNODE NSET TIENSET ELSET PINNSET POSITION",
    "MPC": "",
    "TIE": "NAME POSITIONTOLERANCE ADJUST TYPE NOTHICKNESS NOROTATION CYCLICSYMMETRY MULTISTAGE FLUIDPERIODIC",
    "EQUATION": "",
    "CONTACTPAIR": "INTERACTION TYPE TIED ADJUST",
    "SURFACEINTERACTION": "NAME",
    "FRICTION": "",
    "SURFACEBEHAVIOR": "PRESSURE-OVERCLOSURE",
    "MASS": "ELSET",
    "SPRING": "ELSET ORIENTATION NONLINEAR",
    "DASHPOT": "ELSET ORIENTATION NONLINEAR",
    "ROTARYINERTIA": "ELSET",
    "PRE-TENSIONSECTION": "SURFACE ELEMENT NODE",
}

_WORDS = re.compile(
    r"(?<=.)(SECTION|COUPLING|BODY|PAIR|INTERACTION|BEHAVIOR|INERTIA|GENERAL|SHEAR|STIFFNESS|CONDITIONS)"
)


def written(keywords: Iterable[str]) -> tuple[str, ...]:
    """Return keywords with blanks as usually written: "*SOLID SECTION"."""
    return tuple("*" + _WORDS.sub(r" \1", keyword) for keyword in keywords)


MODEL_CARDS = written(["HEADING", *_KNOWN, "PART", "INSTANCE", "ASSEMBLY", "INCLUDE", "PARAMETER"])
"""Cards that the model is made of."""

# Cards whose settings are made in Faying instead, or are irrelevant for a linear elastic body.
_REASONS = {
    "CLOAD": "loads act in steps",
    "DLOAD": "loads act in steps",
    "DSLOAD": "loads act in steps",
    "CONTACT": "choose joints by the search for faying surfaces",
    "CONTACTINCLUSIONS": "choose joints by the search for faying surfaces",
    "DAMPING": "damping is chosen in the analyses",
    "PLASTIC": "bodies are linear elastic",
    "INITIALCONDITIONS": "initial states are chosen in the analyses",
    "GAP": "gaps between bodies belong to a system",
    "CONNECTORSECTION": "connections between bodies belong to a system",
    "RESTART": "only the model is read",
}
_CONDITIONS = ("BOUNDARY", "CLOAD")
# Cards before the steps on which the steps depend.
_BEFORE_STEPS = {"BOUNDARY", "AMPLITUDE"}


@dataclass
class DeckScope:
    """One namespace of nodes, elements and sets: the deck and its assembly (name ""), or an instance.

    Attributes:
        name: name of the instance in capitals.
        place: of its card.
        cards: its cards; in an instance, those of its part come first.
        rotation: (3, 3) and `translation` (3,) of its nodes: x -> rotation x + translation.
    """

    name: str
    place: FileLine
    cards: list[Card] = field(default_factory=list)
    rotation: np.ndarray = field(default_factory=lambda: np.eye(3))
    translation: np.ndarray = field(default_factory=lambda: np.zeros(3))

    def having(self, *keywords: str) -> Iterator[Card]:
        """Yield its cards with one of the keywords."""
        return (card for card in self.cards if card.keyword in keywords)


def lines_in_words(count: int) -> str:
    """Return "1 line", "2 lines", …"""
    return f"{count} line{'s' if count > 1 else ''}"


class Unread:
    """Collects the cards and parameters that the reader does not support."""

    def __init__(self) -> None:
        self._notes: list[tuple[FileLine, str]] = []

    def card(self, card: Card, reason: str = "") -> None:
        """List a whole card, with the reason if given."""
        lines = f" ({lines_in_words(len(card.lines))})" if card.lines else ""
        self.note(card.place, f"{card.text}{lines}" + (f": {reason}" if reason else ""))

    def parameter(self, card: Card, name: str) -> None:
        """List one parameter of a card."""
        value = card.parameters[name]
        self.note(card.place, f"{name}{f'={value}' if value else ''} of {card.text}")

    def note(self, place: FileLine, text: str) -> None:
        """List one remark about a line."""
        self._notes.append((place, text))

    def sorted(self, main: FileLine) -> tuple[tuple[int, str], ...]:
        """Return (line, text) of all entries, the main file first; other files are named in the text."""
        notes = sorted(
            dict.fromkeys(self._notes), key=lambda n: (n[0].path != main.path, str(n[0].path), n[0].line)
        )
        return tuple(
            (place.line, text if place.path == main.path else f"{text} (in {place.path.name})")
            for place, text in notes
        )


@dataclass(frozen=True)
class Deck:
    """The cards of a deck by scope: instances in their order, then the deck itself (the last one).

    Attributes:
        title: its heading.
        scopes: its scopes.
        unread: input that is not read.
        conditions: all boundary conditions and nodal forces, for the tension of bolts.
        initial: boundary conditions and temperatures before the first step.
        amplitudes: factors over time.
        steps: for each step its card, then the cards inside it.
    """

    title: str
    scopes: tuple[DeckScope, ...]
    unread: Unread
    conditions: tuple[Card, ...] = ()
    initial: tuple[Card, ...] = ()
    amplitudes: tuple[Card, ...] = ()
    steps: tuple[tuple[Card, ...], ...] = ()

    @property
    def top(self) -> DeckScope:
        """The deck's own scope, including its assembly."""
        return self.scopes[-1]


def sort_cards(cards: list[Card]) -> Deck:
    """Return the cards sorted into scopes; parts are copied into their instances.

    Raises:
        ReadError: for an instance of an unknown part, a name used twice, or a part that is never closed.
    """
    top, unread, title = DeckScope("", cards[0].place), Unread(), ""
    parts: dict[str, DeckScope] = {}
    instances: dict[str, DeckScope] = {}
    current, opened, in_step = top, cards[0], False
    conditions = tuple(card for card in cards if card.keyword in _CONDITIONS)
    initial, steps = list[Card](), list[list[Card]]()
    for card in cards:
        match card.keyword:
            case "STEP":
                in_step = True
                steps.append([card])
            case "ENDSTEP":
                in_step = False
            case _ if in_step:
                steps[-1].append(card)
            case keyword if keyword in _BEFORE_STEPS:
                initial.append(card)
            case "INITIALCONDITIONS" if card.name("TYPE") == "TEMPERATURE":
                initial.append(card)
            case "NMAP":
                raise card.error(
                    "*NMAP puts nodes to other places, which is not taken over.", "Write the nodes out."
                )
            case "HEADING":
                title = title or " ".join(line.strip() for line in card.lines)
            case "PART" | "INSTANCE":
                known = parts if card.keyword == "PART" else instances
                name = card.needed("NAME")
                if current is not top:
                    raise card.error(
                        f"{opened.title} of line {opened.place.line} is not closed before this one."
                    )
                if name in known:
                    raise card.error(
                        f"the name {name} is used twice, first on line {known[name].place.line}.",
                        "Rename one.",
                    )
                current = known[name] = DeckScope(name, card.place)
                opened = card
                if card.keyword == "INSTANCE":
                    _place_instance(current, card, parts, unread)
            case "ENDPART" | "ENDINSTANCE":
                current = top
            case "ASSEMBLY":
                top.place = card.place
            case "ENDASSEMBLY":
                pass
            case keyword if keyword in _KNOWN:
                current.cards.append(card)
                for name in card.parameters:
                    if name not in _KNOWN[keyword].split():
                        unread.parameter(card, name)
                if card.unfinished:
                    unread.note(card.last_place, "the file ends within this line: is the deck complete?")
            case keyword:
                unread.card(card, _REASONS.get(keyword, ""))
    if current is not top:
        raise opened.error(
            f"{opened.title} is never closed.", "The deck seems to be cut off; write it again."
        )
    if parts and not instances:
        name, part = next(iter(parts.items()))
        raise part.place.error(
            f"the part {name} has no *INSTANCE, expected an *ASSEMBLY that places it.",
            "Write the deck of the whole assembly.",
        )
    used = {id(card) for scope in instances.values() for card in scope.cards}
    for part in parts.values():
        if part.cards and id(part.cards[0]) not in used:
            unread.note(part.place, f"*PART, NAME={part.name}: no instance uses it")
    amplitudes = tuple(card for card in cards if card.keyword == "AMPLITUDE")
    before = tuple(card for card in initial if card.keyword != "AMPLITUDE")
    scopes = (*instances.values(), top)
    return Deck(title, scopes, unread, conditions, before, amplitudes, tuple(map(tuple, steps)))


def _place_instance(scope: DeckScope, card: Card, parts: dict[str, DeckScope], unread: Unread) -> None:
    part = card.needed("PART")
    if part not in parts:
        known = ", ".join(parts) or "none"
        raise card.error(f"there is no part {part}.", f"Known are: {known}.")
    scope.cards = list(parts[part].cards)
    rows = [(place, [real(text, place, "a length or an angle") for text in f]) for place, f in card.rows()]
    if rows:
        scope.translation = np.array([*rows[0][1], 0.0, 0.0, 0.0][:3])
    if len(rows) > 1:
        place, numbers = rows[1]
        if len(numbers) != 7:
            raise place.error(
                f"found {len(numbers)} numbers, expected two points on the axis and an angle: 7 numbers.",
                "Mend this line.",
            )
        # The instance is translated first, then rotated about the axis through the two points.
        start, end, angle = np.array(numbers[:3]), np.array(numbers[3:6]), np.radians(numbers[6])
        if not np.linalg.norm(end - start) > 0.0:
            raise place.error("the two points of the axis coincide.", "Give two different points.")
        scope.rotation = rotation_about(end - start, float(angle))
        scope.translation = scope.rotation @ (scope.translation - start) + start
    for place, _ in rows[2:]:
        unread.note(place, "a third line below *INSTANCE")


def rotation_about(axis: np.ndarray, angle: float) -> np.ndarray:
    """Return (3, 3) the rotation about a nonzero axis by an angle in radians."""
    x, y, z = axis / np.linalg.norm(axis)
    # Rodrigues' formula.
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross))
