"""Benches: under which conditions the laws of one family are compared, and where they are matched."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from faying.joints.law_plots import PlotUnits
from faying.plot import Plot
from faying.progress import Progress
from faying.registry import Registry

benches: Registry[type["Bench"]] = Registry("bench of laws", __name__)


@dataclass
class Condition:
    """A number that says how laws are compared.

    Attributes:
        title, meaning: for people.
        quantity: physical dimension.
        value: in the unit system of the laws.
        whole: a whole number.
        may_be_zero: else it is positive.
    """

    title: str
    meaning: str
    quantity: str
    value: float
    whole: bool = False
    may_be_zero: bool = False


class Bench(ABC):
    """Compares the laws of one family.

    Attributes:
        title: of the editor.
        family: the laws.
        conditions: what the curves depend on.
        aims: where laws are matched; the last one is the value that a law has to reach.

    Args:
        law: the first law, from which the conditions are chosen so that they show something; may be None.
        units: of the laws and of the plot.
    """

    title: ClassVar[str]
    family: ClassVar[Registry[Any]]

    def __init__(self, law: Any, units: PlotUnits) -> None:
        self.conditions: list[Condition] = []
        self.aims: list[Condition] = []
        self.choose(law, units)

    @abstractmethod
    def choose(self, law: Any, units: PlotUnits) -> None:
        """Choose conditions and aims for a law."""

    @abstractmethod
    def measure(self, law: Any, progress: Progress) -> float:
        """Return the value of a law that matching has to bring to the last aim: a pressure, a work per cycle."""

    @abstractmethod
    def plot(self, laws: Sequence[tuple[str, Any]], units: PlotUnits, progress: Progress) -> Plot:
        """Return the curves of (name, law) in their order.

        Raises:
            FayingError: when a law has no answer.
        """

    def move_mark(self, x: float, y: float, units: PlotUnits) -> bool:
        """Take a place in the plot, in the plot's units, as the aims; return False when it means nothing."""
        return False
