"""Cards of a Nastran deck: small-field, large-field and free format, continuations, includes, case control.

A card is a name with its fields; a line has eight fields in small-field and free format, four in large-field format.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from faying.fem.readers._text_files import FileLine, read_text
from faying.progress import Progress

_INCLUDE = re.compile(r"^\s*INCLUDE\s+['\"]?([^'\"\r\n$]+)['\"]?", re.IGNORECASE)
_BEGIN_BULK = re.compile(r"^\s*BEGIN\b.*", re.IGNORECASE)
_SET = re.compile(r"^\s*SET\s+(\d{1,18})\s*=\s*(.*)$", re.IGNORECASE)
_CASE = re.compile(
    r"^\s*(SUBCASE|SUBCOM|REPCASE|SYMCOM|SYM|LOAD|SPC|METHOD|SUBTITLE|LABEL|MPC|NSM|DLOAD|CLOAD|LOADSET|BOLTLD|PRETENSION"
    r"|BOLTPRE|BGSET|BCSET|BCONTACT|DEFORM|SUPORT1|TEMP\w*(?:\s*\([^)]*\))?)\s*(?:=|\s)\s*(.*?)\s*$",
    re.IGNORECASE,
)
_TEMPERATURE_LOAD = re.compile(r"TEMP\w*\s*\(\s*LOAD\s*\)")
CASE_WORDS = (
    "SUBCASE",
    "LOAD",
    "SPC",
    "METHOD",
    "SUBTITLE",
    "LABEL",
    "TEMP",
)  # supported words of a load case
_ADDED_UP = ("SUBCOM", "REPCASE", "SYMCOM", "SYM")  # cases that combine others
_PARAM = re.compile(r"^\s*PARAM\s*,\s*(\w+)\s*,\s*([^,\s]+)", re.IGNORECASE)
_SOLUTION = re.compile(r"^\s*SOL\s+(\w+)", re.IGNORECASE)
_TITLE = re.compile(r"^\s*TITLE\s*=?\s*(.*)$", re.IGNORECASE)


class BulkCard(NamedTuple):
    """One card of the bulk data.

    Attributes:
        name: in capitals without the asterisk of large-field format.
        fields: stripped texts without the name; trailing blank fields may be missing.
        file: file that contains the card.
        line: number of its first line.
    """

    name: str
    fields: list[str]
    file: Path
    line: int

    @property
    def place(self) -> FileLine:
        """Place of the card, for error messages."""
        return FileLine(self.file, self.line)

    def text(self, index: int) -> str:
        """Return a field, counted from 0 after the name; "" if it is missing."""
        return self.fields[index] if index < len(self.fields) else ""


@dataclass
class NastranDeck:
    """A deck's bulk cards by name, and the case control.

    Attributes:
        title: of the case control.
        cards: by name, in the order of the deck.
        sets: (place, number, text after the equals sign) of the case control's SETs.
        files: files read, the deck first.
        cases: LOAD, SPC, METHOD, TEMP(LOAD), SUBTITLE and LABEL of each SUBCASE; a single case if there are loads
            without SUBCASE. Other words of a case are included too: they mark unsupported actions.
        case_places: place of each case's first line.
        solution: number or name of the solution sequence (SOL), in capitals; "" without SOL.
        other_words: further words of cases, each as a card of the word and its value.
    """

    title: str = ""
    cards: dict[str, list[BulkCard]] = field(default_factory=dict)
    sets: list[tuple[FileLine, int, str]] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    cases: list[dict[str, str]] = field(default_factory=list)
    other_words: list[BulkCard] = field(default_factory=list)
    case_places: list[BulkCard] = field(default_factory=list)
    solution: str = ""

    def having(self, *names: str) -> Iterator[BulkCard]:
        """Yield the cards with one of the names, name by name."""
        for name in names:
            yield from self.cards.get(name, ())


def read_deck(path: Path, progress: Progress) -> NastranDeck:
    """Return the cards of a deck and of all files that it includes.

    Raises:
        ReadError: when a file is missing, not text, empty, or includes itself.
    """
    deck = NastranDeck()
    lines = list(_lines(path, (), deck, None))
    begin = next((i for i, (_, _, line) in enumerate(lines) if _BEGIN_BULK.match(line)), -1)
    if begin >= 0:
        _read_case_control(deck, lines[:begin])
    _read_bulk(deck, lines[begin + 1 :], progress)
    return deck


def included_files(file: Path) -> tuple[Path, ...]:
    """Return the files that this file of a deck includes directly."""
    lines = file.read_bytes().decode("latin-1").splitlines()
    return tuple(_included(file, found[1]) for found in map(_INCLUDE.match, lines) if found)


def _included(including: Path, name: str) -> Path:
    return including.parent / name.strip().replace("\\", "/")


def _lines(
    path: Path, within: tuple[Path, ...], deck: NastranDeck, place: FileLine | None
) -> Iterator[tuple[Path, int, str]]:
    """Yield (file, number, text without comment) of non-blank lines, with each INCLUDE replaced by its file's lines."""
    deck.files.append(path)
    for number, line in enumerate(read_text(path, place).splitlines(), 1):
        text = line if "$" not in line else line[: line.index("$")]
        if not text or text.isspace():
            continue
        match = _INCLUDE.match(text) if text.lstrip()[:7].upper() == "INCLUDE" else None
        if match is None:
            yield path, number, text
            continue
        here, file = FileLine(path, number), _included(path, match[1])
        if file.resolve() in [p.resolve() for p in (*within, path)]:
            raise here.error(f"the file {match[1]!r} includes itself.", "Remove one of the INCLUDE lines.")
        yield from _lines(file, (*within, path), deck, here)


def _read_case_control(deck: NastranDeck, lines: list[tuple[Path, int, str]]) -> None:
    at, common, cases = 0, dict[str, str](), list[dict[str, str]]()
    while at < len(lines):
        path, number, text = lines[at]
        at += 1
        if told := _CASE.match(text):
            word = "TEMP" if _TEMPERATURE_LOAD.fullmatch(told[1].upper()) else told[1].upper()
            if word == "SUBCASE" or word in _ADDED_UP:
                cases.append({})
                deck.case_places.append(BulkCard(word, [told[2]], path, number))
            if word not in CASE_WORDS:
                deck.other_words.append(BulkCard(word, [told[2]], path, number))
            (cases[-1] if cases else common)[word] = told[2]
        if parameter := _PARAM.match(text):
            deck.cards.setdefault("PARAM", []).append(BulkCard("PARAM", [*parameter.groups()], path, number))
        if solution := _SOLUTION.match(text):
            deck.solution = solution[1].upper()
        title, chosen = _TITLE.match(text), _SET.match(text)
        if title and not deck.title:
            deck.title = title[1].strip()
        if chosen:
            listed = chosen[2].strip()
            while listed.endswith(",") and at < len(lines):
                listed += " " + lines[at][2].strip()
                at += 1
            deck.sets.append((FileLine(path, number), int(chosen[1]), listed))
    # Words before the first subcase are defaults for all subcases.
    acting = common.keys() - {"SPC", "SUBTITLE", "LABEL"}
    deck.cases = [common | case for case in cases] or ([common] if acting else [])
    if acting and not cases:
        deck.case_places.append(BulkCard("case control", [], *lines[0][:2]))


def _read_bulk(deck: NastranDeck, lines: list[tuple[Path, int, str]], progress: Progress) -> None:
    card: BulkCard | None = None
    begun = 0  # fields in the card's lines so far, including blank ones
    for position, (path, number, line) in enumerate(lines):
        if position % 20000 == 0:
            progress.report(0.5 * position / len(lines), f"finding the cards of {path.name}")
        name, fields = _split(line)
        if name == "ENDDATA":
            break
        if not name or name[0] in "+*":
            if card is None:
                raise FileLine(path, number).error(
                    "found a continuation line, expected a card such as GRID first.",
                    "Choose a Nastran deck with its bulk data.",
                )
            # Pad the preceding lines with blank fields, so that fields keep their numbers.
            own = card.fields
            own.extend([""] * (begun - len(own)))
            own.extend(fields)
        else:
            begun = 0
            card = BulkCard(name.rstrip("*"), fields, path, number)
            deck.cards.setdefault(card.name, []).append(card)
        begun += 4 if "*" in name else 8


def _split(line: str) -> tuple[str, list[str]]:
    """Return name (with its asterisk; "", "+…" or "*…" on continuations) and fields of a line."""
    if "," in line:
        name, *texts = [text.strip() for text in line.split(",")]
        name = name.upper()
        return name, texts[: 4 if "*" in name else 8]
    if "\t" in line:
        line = line.expandtabs(8)
    name = line[:8].strip().upper()
    width, end = (16 if "*" in name else 8), min(len(line.rstrip()), 72)
    return name, [line[start : start + width].strip() for start in range(8, end, width)]
