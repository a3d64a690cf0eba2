"""``faying remesh``: which nodes, surfaces and sets of a study another mesh keeps."""

import argparse
from pathlib import Path

from faying.cli.commands import Command, commands


@commands.register("remesh")
class Remesh(Command):
    """Compares by names and places; changes nothing."""

    summary = "say which nodes, surfaces and sets of a study another mesh keeps, changes or loses"
    order = 45

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "file", type=Path, metavar="STUDY.toml|PROJECT.faying", help="the study or project"
        )
        parser.add_argument("--deck", type=Path, required=True, metavar="DECK", help="the new deck")
        parser.add_argument(
            "--body", default="", metavar="BODY", help="whose deck it is; the only body needs no name"
        )
        parser.add_argument("--json", action="store_true", help="write it as JSON")

    def run(self, args: argparse.Namespace) -> int:
        """Print a line for each thing; 1 when something is lost."""
        from faying.cli.json_text import json_text
        from faying.cli.session import opened
        from faying.cli.terminal import TerminalProgress
        from faying.project.deck import deck_path
        from faying.project.deck_changes import analyses_of_body, compare_decks

        with opened(args.file) as session, TerminalProgress(quiet=args.json) as progress:
            body = session.body(args.body)
            present, units = deck_path(body.model, session.base), session.project.units
            found = compare_decks(body, present, args.deck, units, progress)
            stale = analyses_of_body(session.project, body.name)
        if args.json:
            print(json_text([vars(change) for change in found.changes]))
        else:
            sizes = [f"{n} nodes, {e} elements" for n, e in zip(found.nodes, found.elements, strict=True)]
            print(f"body {body.name}: {sizes[1]}, so far {sizes[0]}")
            for change in found.changes:
                print(change)
            if stale:
                print(
                    f"to be computed again: {', '.join(stale)}; results so far stay in the project to compare with"
                )
        return 1 if any(change.state == "lost" for change in found.changes) else 0
