"""``faying report``: what a project is and how it stands, as one HTML file."""

import argparse
from pathlib import Path

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force


@commands.register("report")
class ReportCommand(Command):
    """Writes model, pairs, basis, runs, pictures, curves and findings; computes nothing."""

    summary = "write a report of a project as one HTML file"
    order = 55

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("file", type=Path, metavar="PROJECT.faying", help="the project")
        parser.add_argument("--to", type=Path, metavar="FILE.html", help="default: beside the project")
        parser.add_argument("--no-pictures", action="store_true", help="leave the 3D pictures out")
        declare_force(parser)

    def run(self, words: argparse.Namespace) -> int:
        """Write the HTML file; 0 when it is there."""
        import os

        from faying.cli import system
        from faying.cli.session import opened
        from faying.cli.terminal import TerminalProgress
        from faying.exporters.report import ENDINGS, Report
        from faying.project.outputs import writing
        from faying.project.sources import files_read

        target: Path = words.to or words.file.with_suffix(".html")
        pictures = not words.no_pictures and bool(system.graphics_renderer()[0])
        if pictures:
            os.environ.update(system.headless_environment())
        with opened(words.file) as session, TerminalProgress() as progress:
            reads = (words.file, *files_read(session.project, session.base))
            report = Report(
                session.project, session.store, session.base, pipeline=session.pipeline, memory=session.memory,
                pictures=pictures,
            )  # fmt: skip
            with writing(target, endings=ENDINGS, reads=reads, replace=words.force):
                report.write(target, progress)
        print(f"written: {target}")
        return 0
