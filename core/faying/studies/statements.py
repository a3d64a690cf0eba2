"""Statements of the literature put to the test: what was said, what was found here, and whether that agrees.

The sources speak of figures; the limits of what counts as "alike" or "about" are ours and stand in each statement.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from faying.examples.tables import Table

MARGIN = 0.05
"""What is nearer to a limit than this share of it is undecided: another mesh or another round-off may turn it over."""


class Agreement(StrEnum):
    """Whether a statement agrees with what was found."""

    HOLDS = "holds"
    DOES_NOT = "does not"
    UNDECIDED = "undecided"


Judged = tuple[str, Agreement]
"""What was found, in words, and the verdict."""


@dataclass(frozen=True)
class Statement:
    """A statement and how it is judged.

    Attributes:
        said: by the source, with what counts here in brackets.
        where: section, figure or table of the source.
        judge: takes what was measured; returns what was found in words, and the verdict.
    """

    said: str
    where: str
    judge: Callable[[Any], Judged]


def statement_table(statements: Sequence[Statement], subjects: Mapping[str, Any]) -> Table:
    """Return a row for each statement: what was found on each subject, and the verdict.

    Args:
        statements: in the order of the rows.
        subjects: what was measured, by the name of the structure that it was measured on.
    """
    rows = []
    for statement in statements:
        found: list[str] = []
        for measured in subjects.values():
            text, verdict = statement.judge(measured)
            found += [text, str(verdict)]
        rows.append((statement.said, statement.where, *found))
    heads = [head for name in subjects for head in (name, "verdict")]
    return Table(("statement", "where", *heads), tuple(rows))


def less(value: float, limit: float, margin: float = MARGIN) -> Agreement:
    """Return whether a value is below a limit; undecided within the margin (a share of the larger) and for NaN."""
    apart = abs(value - limit)
    if not apart > margin * max(abs(value), abs(limit)):
        return Agreement.UNDECIDED
    return Agreement.HOLDS if value < limit else Agreement.DOES_NOT


def more(value: float, limit: float, margin: float = MARGIN) -> Agreement:
    """Return whether a value is above a limit, likewise."""
    return less(limit, value, margin)


def between(low: float, value: float, high: float) -> Agreement:
    """Return whether a value lies between two limits."""
    return every(less(low, value), less(value, high))


def ascending(*values: float) -> Agreement:
    """Return whether each value is below the next one."""
    return every(*(less(a, b) for a, b in pairwise(values)))


def alike(values: Sequence[float], factor: float = 2.0) -> Agreement:
    """Return whether positive values differ by less than a factor."""
    return less(max(values), factor * min(values))


def exactly(holds: bool) -> Agreement:
    """Return the verdict on a counted quantity, which needs no margin."""
    return Agreement.HOLDS if holds else Agreement.DOES_NOT


def every(*verdicts: Agreement) -> Agreement:
    """Return the worst of the verdicts on several parts of a statement."""
    for worst in (Agreement.DOES_NOT, Agreement.UNDECIDED):
        if worst in verdicts:
            return worst
    return Agreement.HOLDS
