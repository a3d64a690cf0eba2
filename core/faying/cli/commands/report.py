"""``faying report``: a project, its results and whether they can be trusted, as one HTML file or PDF."""

import argparse
from pathlib import Path

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force


@commands.register("report")
class ReportCommand(Command):
    """Writes model, results with verdicts, comparison, method, findings and settings; computes no results."""

    summary = "write a report of a project as one HTML file or PDF, for reading and for print"
    order = 55

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        add = parser.add_argument
        add("file", type=Path, metavar="PROJECT.faying", nargs="?", help="the project")
        add(
            "--to",
            type=Path,
            metavar="FILE.html|.pdf",
            help="default: .html next to the project; a PDF is printed by Chromium, Chrome or Edge",
        )
        add("--author", default="", help="who answers for it")
        add("--revision", default="", help="of the report")
        add("--paper", default="A4", choices=("A4", "letter"), help="for print (default: A4)")
        add("--logo", type=Path, metavar="FILE", help="picture (.png, .jpg, .svg) at the head")
        add(
            "--template",
            type=Path,
            metavar="FILE.html",
            help="a page of one's own, with $title, $sections, …",
        )
        add(
            "--write-template",
            type=Path,
            metavar="FILE.html",
            help="write the shipped template, to be changed, and no report",
        )
        add("--paths", action="store_true", help="say where the files of decks are")
        add("--no-pictures", action="store_true", help="leave the 3D pictures out")
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Write the file; 0 when it is there."""
        import os

        from faying.cli import system
        from faying.cli.session import opened
        from faying.cli.terminal import TerminalProgress
        from faying.errors import FayingError
        from faying.exporters.report import ENDINGS, Report, ReportTexts
        from faying.exporters.report_parts.printing import require_browser
        from faying.project.file_names import files_read
        from faying.project.outputs import writing

        if args.write_template is not None:
            _write_template(args.write_template, replace=args.force)
            return 0
        if args.file is None:
            raise FayingError(
                "It is not said of which project.", "Name its file: faying report PROJECT.faying"
            )
        target: Path = args.to or args.file.with_suffix(".html")
        if target.suffix.lower() == ".pdf":
            require_browser()
        pictures = not args.no_pictures and bool(system.graphics_renderer()[0])
        if pictures:
            os.environ.update(system.headless_environment())
        said = ReportTexts(args.author, args.revision, args.paper, args.logo, args.template, args.paths)
        own = [path for path in (args.logo, args.template) if path is not None]
        with opened(args.file) as session, TerminalProgress() as progress:
            reads = (args.file, *own, *files_read(session.project, session.base))
            report = Report(
                session.project, session.store, session.base, pipeline=session.pipeline, memory=session.memory,
                pictures=pictures, words=said,
            )  # fmt: skip
            with writing(target, endings=ENDINGS, reads=reads, replace=args.force):
                report.write(target, progress)
        print(f"written: {target}")
        return 0


def _write_template(path: Path, *, replace: bool) -> None:
    from faying.atomic import write_text
    from faying.exporters.report_parts.template import ENDINGS, PAGE
    from faying.project.outputs import writing

    with writing(path, endings=ENDINGS, replace=replace):
        write_text(path, PAGE)
    print(f"written: {path}")
