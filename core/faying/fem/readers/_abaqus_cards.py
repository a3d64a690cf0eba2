"""Keyword cards of an Abaqus or CalculiX deck, read from files with their line numbers.

A card is a keyword line (`*NODE, NSET=ALL`, possibly continued) with the data lines below it, which come from several
files if there is an `*INCLUDE` between them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from faying.errors import ReadError
from faying.fem.readers._abaqus_files import included_path
from faying.fem.readers._abaqus_parameters import DeckParameters
from faying.fem.readers._text_files import FileLine, read_text
from faying.progress import Progress

_COMMA = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')  # not inside a quoted name


@dataclass
class Card:
    """One keyword with its parameters and data lines.

    Attributes:
        keyword: in capitals without blanks: "SOLIDSECTION".
        title: the keyword as usually written: "*SOLID SECTION".
        parameters: values by name in capitals without blanks; flags have the value "".
        place: of the keyword line.
        text: the keyword line as written.
        segments: (file, number of the first line, lines) of the data below it.
        last_of_file: whether the data extend to the end of a file.
        unfinished: whether that file ends in a data line without a line break.
    """

    keyword: str
    title: str
    parameters: dict[str, str]
    place: FileLine
    text: str
    segments: list[tuple[Path, int, list[str]]] = field(default_factory=list)
    last_of_file: bool = False
    unfinished: bool = False

    def name(self, parameter: str) -> str:
        """Return the value of a parameter as a name in capitals; "" without the parameter."""
        return as_name(self.parameters.get(parameter, ""))

    def needed(self, parameter: str, written: str = "") -> str:
        """Return the value of a required parameter as a name.

        Raises:
            ReadError: when it is missing.
        """
        value = self.name(parameter)
        if not value:
            raise self.error(f"{self.title} lacks its parameter {written or parameter}=.", "Add it.")
        return value

    def error(self, message: str, hint: str = "") -> ReadError:
        """Return an error that refers to the keyword line."""
        return self.place.error(message, hint)

    @property
    def last_place(self) -> FileLine:
        """Line of the last data line, or of the keyword line."""
        return ([self.place, *(place for place, _ in self.places())])[-1]

    @property
    def lines(self) -> list[str]:
        """Data lines without comments and empty lines."""
        # Most lines begin with a digit or letter, which sort after the asterisk: one quick comparison.
        return [line for _, _, lines in self.segments for line in lines if line[:1] > "*" or is_data(line)]

    def places(self) -> Iterator[tuple[FileLine, str]]:
        """Yield (place, text) of every data line."""
        for path, first, lines in self.segments:
            for number, line in enumerate(lines, first):
                if is_data(line):
                    yield FileLine(path, number), line

    def rows(self) -> Iterator[tuple[FileLine, list[str]]]:
        """Yield (place, fields) of every data line, with fields stripped and trailing commas dropped.

        A line of commas only has one blank field.
        """
        for place, line in self.places():
            yield place, fields_of_line(line) or [""]


def is_data(line: str) -> bool:
    """Return whether a line below a keyword holds data: neither empty nor a comment."""
    return bool(line) and not line.isspace() and not line.lstrip().startswith("**")


def as_name(text: str) -> str:
    """Return a name in the form used for look-up: capitals, without quotes and surrounding blanks."""
    return text.strip().strip('"').strip().upper()


def fields_of_line(line: str) -> list[str]:
    """Return the comma-separated fields of a data line; empty ones at the end are dropped."""
    parts = _COMMA.split(line) if '"' in line else line.split(",")
    fields = [part.strip() for part in parts]
    while fields and not fields[-1]:
        fields.pop()
    return fields


def read_cards(path: Path, progress: Progress) -> list[Card]:
    """Return the cards of a deck and of all files that it includes, in the order of reading.

    Raises:
        ReadError: when a file is missing, not text, empty, or includes itself.
    """
    cards: list[Card] = []
    _read_file(path, read_text(path), (), cards, DeckParameters(), progress)
    if not cards:
        raise ReadError(
            path, None, "no keyword card was found, expected lines such as *NODE.",
            "Choose an Abaqus or CalculiX input deck.",
        )  # fmt: skip
    return cards


def _read_file(
    path: Path,
    text: str,
    within: tuple[Path, ...],
    cards: list[Card],
    parameters: DeckParameters,
    progress: Progress,
) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # Positions of keyword lines; lines beginning with two asterisks are comments.
    keywords = [i for i, line in enumerate(lines) if line[:1] in "* \t" and _is_keyword(line)]
    if keywords and not within and any(is_data(line) for line in lines[: keywords[0]]):
        number = next(i for i, line in enumerate(lines, 1) if is_data(line))
        raise ReadError(
            path, number, f"found {_shortened(lines[number - 1])!r}, expected a keyword card such as *NODE first.",
            "Choose an Abaqus or CalculiX input deck.",
        )  # fmt: skip
    # Lines before the first keyword of an included file continue the card that includes it.
    first = keywords[0] if keywords else len(lines)
    if parameters:
        lines[:first] = _filled(parameters, path, lines, 0, first)
    if within and cards and any(is_data(line) for line in lines[:first]):
        cards[-1].segments.append((path, 1, lines[:first]))
    for position, start in enumerate(keywords):
        if position % 50 == 0 and not within:
            progress.report(0.1 * start / len(lines), f"finding the cards of {path.name}")
        stop = keywords[position + 1] if position + 1 < len(keywords) else len(lines)
        place = FileLine(path, start + 1)
        written, data_start = _joined(lines, start, stop)
        card = _card(parameters.filled(written, place), place)
        if card.keyword == "PARAMETER":
            for number in range(data_start, stop):
                if is_data(lines[number]):
                    parameters.define(lines[number], FileLine(path, number + 1))
            continue
        if parameters:
            lines[data_start:stop] = _filled(parameters, path, lines, data_start, stop)
        body = (path, data_start + 1, lines[data_start:stop])
        if card.keyword == "INCLUDE":
            _include(card.parameters.get("INPUT", ""), card, (*within, path), cards, parameters, progress)
            # Data lines after an *INCLUDE belong to the card that was open.
            if any(is_data(line) for line in body[2]):
                if not cards:
                    raise FileLine(path, data_start + 1).error(
                        "found data without a keyword, expected a keyword card."
                    )
                cards[-1].segments.append(body)
            continue
        cards.append(card)
        if card.keyword in ("NODE", "ELEMENT", "NSET", "ELSET") and card.parameters.get("INPUT"):
            _include(card.parameters["INPUT"], card, (*within, path), cards, parameters, progress)
        card.segments.append(body)
        card.last_of_file = stop == len(lines)
        card.unfinished = card.last_of_file and is_data(lines[-1]) and stop > data_start


def _filled(parameters: DeckParameters, path: Path, lines: list[str], start: int, stop: int) -> list[str]:
    """Return lines with parameters replaced by their values."""
    return [
        parameters.filled(line, FileLine(path, number))
        for number, line in enumerate(lines[start:stop], start + 1)
    ]


def _include(
    name: str,
    card: Card,
    within: tuple[Path, ...],
    cards: list[Card],
    parameters: DeckParameters,
    progress: Progress,
) -> None:
    if not name:
        raise card.error(f"{card.title} lacks its parameter INPUT=.", "Name the file to include.")
    path = included_path(within[-1], name)
    if path.resolve() in [file.resolve() for file in within]:
        raise card.error(f"the file {name!r} includes itself.", "Remove one of the *INCLUDE cards.")
    _read_file(path, read_text(path, card.place), within, cards, parameters, progress)


def _is_keyword(line: str) -> bool:
    stripped = line.lstrip()
    return stripped.startswith("*") and not stripped.startswith("**")


def _joined(lines: list[str], start: int, stop: int) -> tuple[str, int]:
    """Return a keyword line joined with its continuation lines, and the index of the first data line."""
    text, at = lines[start].strip(), start + 1
    while text.endswith(",") and at < stop:
        line = lines[at].strip()
        # A parameter begins with a letter; a number is data below a keyword line with a superfluous comma.
        if line and not line.startswith("**"):
            if not line[0].isalpha():
                break
            text += " " + line
        at += 1
    return text, at


def _card(text: str, place: FileLine) -> Card:
    words, *parts = [part.strip() for part in _COMMA.split(text)]
    title = " ".join(words.upper().split())
    parameters = {}
    for part in parts:
        if part:
            name, _, value = part.partition("=")
            parameters["".join(name.upper().split())] = value.strip()
    return Card(title.lstrip("*").replace(" ", ""), title, parameters, place, text)


def _shortened(line: str) -> str:
    text = " ".join(line.split())
    return text if len(text) <= 30 else text[:29] + "…"
