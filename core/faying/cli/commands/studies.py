"""``faying studies``: which statements of the literature hold here; as recorded, or measured again."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force

if TYPE_CHECKING:
    from faying.studies import StatementStudy


@commands.register("studies")
class Studies(Command):
    """Prints the tables of studies: statements of the literature, put to the test."""

    summary = "print which statements of the literature hold here, with the measured numbers"
    order = 15

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        add = parser.add_argument
        add("names", metavar="NAME", nargs="*", help="studies (none: they are listed)")
        add(
            "--measure",
            action="store_true",
            help="measure again, for minutes to an hour; otherwise the recorded numbers are printed",
        )
        add("--quick", action="store_true", help="with --measure: coarser meshes, shorter time")
        add(
            "--to", type=Path, metavar="DIR",
            help="write tables (NAME.md) and numbers (NAME.json) there, and keep what --measure computes in NAME.work, "
            "where a later run finds it; with _ for each - of the name",
        )  # fmt: skip
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Print the recorded tables, or measure; 0 when all were printed."""
        from faying.errors import FayingError, there_are
        from faying.studies import statement_studies

        known = statement_studies()
        unknown = [name for name in args.names if name not in known]
        if unknown:
            raise FayingError(
                f"There is no study of statements called {unknown[0]!r}.",
                there_are(unknown[0], known, "Known are"),
            )
        if args.quick and not args.measure:
            raise FayingError("What is recorded is from whole runs.", "Add --measure, or leave out --quick.")
        if not args.names:
            _list(known)
        for name in args.names:
            _tell(name, known[name](), args)
        return 0


def _list(known: "dict[str, type[StatementStudy]]") -> None:
    """Print each study with the count of its recorded verdicts, on the first of its subjects."""
    from faying.cli.terminal import table
    from faying.studies import recorded
    from faying.studies.statements import Agreement

    rows = []
    for name, study in known.items():
        told = study().tables(recorded(name))["Statements"].rows
        rows.append(
            (name, study.summary, *(str(sum(row[3] == verdict for row in told)) for verdict in Agreement))
        )
    print(table(rows, ("study", "what it puts to the test", *Agreement)))


def _tell(name: str, study: "StatementStudy", args: argparse.Namespace) -> None:
    """Print one study, and write its files if requested."""
    from contextlib import ExitStack

    from faying.atomic import write_text
    from faying.cli.terminal import TerminalProgress
    from faying.project.outputs import make_folder, writing
    from faying.studies import recorded, text_of

    stem, folder = name.replace("-", "_"), args.to
    with ExitStack() as stack:
        if folder is not None:
            make_folder(folder, "Choose another with --to.")
            files = [folder / f"{stem}{ending}" for ending in (".md", ".json")]
            stack.enter_context(writing(*files, replace=args.force))  # before a run of hours, not after it
        if args.measure:
            progress = stack.enter_context(TerminalProgress())
            work = folder / f"{stem}.work" if folder is not None else None
            record = study.run(progress, args.quick, work).record
        else:
            record = recorded(name)
        text = text_of(study, record)
        if folder is not None:
            for file, content in zip(
                files, (text, json.dumps(record, ensure_ascii=False) + "\n"), strict=True
            ):
                write_text(file, content)
    print(text)
