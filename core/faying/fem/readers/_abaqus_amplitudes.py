"""`*AMPLITUDE` tables: factors of loads at the end of a step."""

from dataclasses import dataclass

import numpy as np

from faying.errors import ReadError
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_numbers import real
from faying.fem.readers._abaqus_scopes import Deck


@dataclass(frozen=True)
class Amplitude:
    """A table of factors over time.

    Attributes:
        times: (n,) ascending.
        factors: (n,).
        total: whether times count from the beginning of the analysis instead of the step.
        absolute: whether the values replace the load's magnitude.
    """

    times: np.ndarray
    factors: np.ndarray
    total: bool
    absolute: bool

    def end(self, begin: float, length: float) -> tuple[float, bool]:
        """Return the factor at the end of a step, and whether it changes monotonically during the step.

        Args:
            begin: time at which the step begins.
            length: duration of the step.
        """
        start = begin if self.total else 0.0
        inside = (self.times > start) & (self.times < start + length)
        ends = np.interp([start, start + length], self.times, self.factors)
        way = np.diff(np.concatenate([ends[:1], self.factors[inside], ends[1:]]))
        return float(ends[1]), bool((way >= 0.0).all() or (way <= 0.0).all())


def read_amplitudes(deck: Deck) -> dict[str, Amplitude | str]:
    """Return the tables by name; a text in place of a table tells why it is not read."""
    found: dict[str, Amplitude | str] = {}
    for card in deck.amplitudes:
        try:
            found[card.name("NAME")] = _read(card)
        except ReadError as error:
            found[card.name("NAME")] = error.message
    return found


def _read(card: Card) -> Amplitude | str:
    for name in ("DEFINITION", "SHIFTX", "SHIFTY", "USER", "SMOOTH"):
        if name in card.parameters and card.name(name) not in ("TABULAR", "0", "0.0"):
            return f"{name}={card.name(name)} of *AMPLITUDE {card.name('NAME')}"
    numbers = [real(text, place, "a number") for place, fields in card.rows() for text in fields]
    pairs = np.array(numbers[: len(numbers) // 2 * 2]).reshape(-1, 2)
    if not len(pairs) or (np.diff(pairs[:, 0]) < 0.0).any():
        return f"*AMPLITUDE {card.name('NAME')} is no table over growing times"
    total, absolute = card.name("TIME").startswith("TOTAL"), card.name("VALUE") == "ABSOLUTE"
    return Amplitude(pairs[:, 0], pairs[:, 1], total, absolute)
