"""The command ``faying gui``."""

import argparse
from pathlib import Path
from typing import ClassVar

from faying.cli.commands import Command, commands


@commands.register("gui")
class Gui(Command):
    """Open the window."""

    summary: ClassVar[str] = "open the window, with a project, study or deck"
    order: ClassVar[int] = 10

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Take an optional file."""
        parser.add_argument(
            "file", nargs="?", type=Path, help="a project (.faying), study (.toml) or deck (.inp)"
        )

    def run(self, args: argparse.Namespace) -> int:
        """Open it; without a usable display say what is missing."""
        from faying_app.main import main

        return main([str(args.file)] if args.file else [])
