"""Studies that compare laws, methods and sizes over several projects. A member is one file.

The measurements of a study are stored as plain numbers, its record, from which tables are made. The records of complete
runs are part of the program, as are their tables (`faying_resources/studies`).

Studies and examples have different purposes: an example is a project that a user opens and develops further, with
expected results; a study tests statements.
"""

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

from faying.examples import Expected
from faying.examples.tables import Table as Table
from faying.plot import Plot
from faying.progress import Progress
from faying.registry import Registry
from faying.units import UnitSystemName

studies: Registry[type["Study"]] = Registry("study", __name__)


@dataclass(frozen=True, eq=False)
class StudyOutcome:
    """Outcome of a study.

    Attributes:
        values: the expected quantities by name; a quick run may omit some.
        plots, tables: to be written to files; keys are the ends of the file names.
        seconds: computing time by part of the study.
        counts: sizes by name, printed with the numbers.
        record: measurements as numbers and texts in lists and dictionaries; empty for studies with tables only.
    """

    values: dict[str, float] = field(default_factory=dict)
    plots: dict[str, Plot] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    record: dict[str, Any] = field(default_factory=dict)


class Study(ABC):
    """One study; has no state.

    Attributes:
        title: for listings.
        summary: one sentence about its result.
        units: unit system of all numbers.
        expected: the expected numbers of a complete run.
    """

    title: ClassVar[str]
    summary: ClassVar[str]
    units: ClassVar[UnitSystemName]
    expected: ClassVar[tuple[Expected, ...]] = ()

    @abstractmethod
    def run(self, progress: Progress, quick: bool = False, work: Path | None = None) -> StudyOutcome:
        """Compute the study and return its outcome.

        Args:
            progress: reports and cancels.
            quick: compute only part of the numbers, or on coarser meshes.
            work: folder for computed results, reused by later runs; None stores nothing.
        """


class StatementStudy(Study):
    """A study of statements: a record, and tables that are made from it.

    Attributes:
        note: text before the tables: models, loads, kinds of reference.
        verdicts: text after the table of statements: why some do not hold.
    """

    units: ClassVar[UnitSystemName] = "mm-t-s"
    note: ClassVar[str]
    verdicts: ClassVar[str] = ""

    @abstractmethod
    def measure(self, work: Path, progress: Progress, quick: bool = False) -> dict[str, Any]:
        """Return the record: numbers and texts in lists and dictionaries. Computed artifacts are kept in `work`."""

    @abstractmethod
    def tables(self, record: dict[str, Any]) -> dict[str, Table]:
        """Return the tables made from a record, by title; the first is that of the statements, "Statements"."""

    def run(self, progress: Progress, quick: bool = False, work: Path | None = None) -> StudyOutcome:
        """Measure, and make the tables."""
        from tempfile import TemporaryDirectory

        if work is not None:
            work.mkdir(parents=True, exist_ok=True)
            record = self.measure(work, progress, quick)
        else:
            with TemporaryDirectory(prefix="faying-study-") as folder:
                record = self.measure(Path(folder), progress, quick)
        record = json.loads(json.dumps(record))  # as if read from a file: keys become texts, tuples lists
        return StudyOutcome(tables=self.tables(record), record=record)


def statement_studies() -> dict[str, type[StatementStudy]]:
    """Return the studies of statements by kind."""
    return {kind: study for kind, study in studies.items() if issubclass(study, StatementStudy)}


def recorded(kind: str) -> dict[str, Any]:
    """Return the record of a complete run that is part of the program."""
    path = files("faying_resources") / "studies" / f"{kind.replace('-', '_')}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def text_of(study: StatementStudy, record: dict[str, Any]) -> str:
    """Return the study as Markdown: note, statements and the supporting numbers."""
    parts = [f"# {study.title}\n\n{study.note}\n"]
    for name, table in study.tables(record).items():
        rows = [table.heads, ("---",) * len(table.heads), *table.rows]
        lines = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
        parts.append(f"## {name}\n\n" + "\n".join(lines) + "\n")
        if name == "Statements" and study.verdicts:
            parts.append(f"{study.verdicts}\n")
    return "\n".join(parts)


def _cell(cell: str | int | float) -> str:
    # A bar would end the cell.
    return cell.replace("|", "\\|") if isinstance(cell, str) else f"{cell:g}"
