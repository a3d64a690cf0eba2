"""``faying search``: where parts of a deck face each other, as joints for a study."""

import argparse
from pathlib import Path

from faying.cli.commands import Command, commands


@commands.register("search")
class Search(Command):
    """Reads a deck and proposes joints, as the search of the window does (Ctrl+J)."""

    summary = "find where parts of a deck face each other, as joints to paste into a study"
    order = 28

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("deck", type=Path, metavar="DECK", help="an FE deck")
        parser.add_argument(
            "--distance",
            type=float,
            default=0.0,
            metavar="LENGTH",
            help="largest distance of faces, in the deck's unit (default: 4 %% of the usual edge of the mesh)",
        )
        parser.add_argument(
            "--angle", type=float, default=30.0, metavar="DEGREES", help="largest angle between them"
        )
        parser.add_argument("--json", action="store_true", help="write it as JSON")

    def run(self, args: argparse.Namespace) -> int:
        """Print the proposals, the largest first; 0."""
        from faying.cli.json_text import json_text
        from faying.cli.study_joints import joint_table
        from faying.cli.terminal import TerminalProgress
        from faying.fem.readers import read_model
        from faying.fem.skin import find_skin
        from faying.fem.unit_guess import likely_units
        from faying.progress import PartialProgress
        from faying.project.joint_proposals import in_words, proposed_joints
        from faying.project.specs import Project

        with TerminalProgress(quiet=args.json) as progress:
            model = read_model(args.deck, PartialProgress(progress, 0.0, 0.3))
            part = PartialProgress(progress, 0.3, 1.0)
            found = proposed_joints(model, find_skin(model), args.distance, args.angle, part)
        likely = likely_units(model)
        units = likely[0] if likely else Project.model_fields["units"].default
        if args.json:
            print(
                json_text(
                    [
                        {
                            "joint": each.joint.model_dump(mode="json", exclude_defaults=True),
                            "parts": list(each.parts),
                            "areas": list(each.areas),
                            "paired": None if each.measure is None else each.measure.paired,
                            "gaps": None if each.measure is None else list(each.measure.gaps),
                            "penetration": None if each.measure is None else each.measure.penetration,
                        }
                        for each in found
                    ]
                )
            )
            return 0
        for each in found:
            print(f"# {in_words(each, units)}\n{joint_table(each.joint)}")
        if not found:
            print("no two parts face each other; --distance looks farther")
        return 0
