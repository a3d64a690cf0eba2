"""``faying check``: errors and warnings about a study or project."""

import argparse
from pathlib import Path

from faying.cli.commands import Command, commands


@commands.register("check")
class Check(Command):
    """Reads the decks, finds the contact pairs, runs all checks."""

    summary = "report errors and warnings about a study or project"
    order = 30

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("file", type=Path, metavar="STUDY.toml|PROJECT.faying", help="the file to check")
        parser.add_argument("--json", action="store_true", help="write the findings as JSON")

    def run(self, args: argparse.Namespace) -> int:
        """Print a line per finding; 1 when one of them is an error."""
        from faying.cli.findings import finding_line
        from faying.cli.json_text import json_text
        from faying.cli.session import opened
        from faying.cli.terminal import TerminalProgress

        with opened(args.file) as session, TerminalProgress(quiet=args.json) as progress:
            findings = session.check(progress)
        if args.json:
            print(json_text([vars(finding) for finding in findings]))
        else:
            for finding in findings:
                print(finding_line(session.project, finding))
            if not findings:
                print("nothing found")
        return 1 if any(finding.severity == "error" for finding in findings) else 0
