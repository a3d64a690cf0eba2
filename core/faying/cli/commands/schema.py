"""``faying schema``: the JSON schema of study files."""

import argparse
import json
from pathlib import Path

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force


@commands.register("schema")
class StudySchema(Command):
    """For editors: all decisions of a study file, with meanings, units and bounds."""

    summary = "write the JSON schema of study files, by which editors complete and check them"
    order = 85

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "--to", type=Path, metavar="FILE.json", help="file to write (default: the terminal)"
        )
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Write the schema; 0."""
        from faying.atomic import write_text
        from faying.project.outputs import writing
        from faying.project.study_schema import study_schema

        text = json.dumps(study_schema(), ensure_ascii=False, indent=1) + "\n"
        if args.to is None:
            print(text, end="")
            return 0
        with writing(args.to, endings=(".json",), reads=(), replace=args.force):
            write_text(args.to, text)
        print(f"written: {args.to}; first line of a study that uses it: #:schema {args.to.name}")
        return 0
