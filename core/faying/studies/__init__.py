"""Studies measure: they need no project of a user. A member is one file with a class.

Like an example, a study is a test: it gives numbers that somebody can look up, and the kind of each reference is
named (see `faying.examples`).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from faying.examples import Expected
from faying.examples.tables import Table as Table
from faying.plot import Plot
from faying.progress import Progress
from faying.registry import Registry
from faying.units import UnitSystemName

studies: Registry[type["Study"]] = Registry("study", __name__)


@dataclass(frozen=True, eq=False)
class StudyOutcome:
    """What a study found.

    Attributes:
        values: the expected quantities by name; a quick run may leave some out.
        plots, tables: what is to be written to files, by the ends of their names.
        seconds: computing time by part of the study.
        counts: sizes by name, to be told beside the numbers.
    """

    values: dict[str, float]
    plots: dict[str, Plot] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)


class Study(ABC):
    """One study; has no state.

    Attributes:
        title: for listings.
        summary: one sentence on what it shows.
        units: unit system of all numbers.
        expected: the numbers that a whole run must give.
    """

    title: ClassVar[str]
    summary: ClassVar[str]
    units: ClassVar[UnitSystemName]
    expected: ClassVar[tuple[Expected, ...]]

    @abstractmethod
    def run(self, progress: Progress, quick: bool = False) -> StudyOutcome:
        """Return what it found; quick computes a part of the numbers only, with the same accuracy."""
