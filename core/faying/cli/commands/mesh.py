"""``faying mesh``: a deck of a part of known shape, such as a gear."""

import argparse
import sys
from pathlib import Path
from typing import get_args

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force
from faying.cli.members import list_members, parameters_of
from faying.units import OF_DEFAULTS, UnitSystemName, unit_text


@commands.register("mesh")
class MeshCommand(Command):
    """Makes a part by rule: what File ▸ Make a mesh of the window does."""

    summary = "make the deck of a part of known shape, such as a plate, a bolted lap or an involute gear"
    order = 25

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "part",
            nargs="?",
            default="",
            metavar="KIND[:NAME=VALUE,…]",
            help="the part; numbers may have units, without one they are in those of the deck: "
            '"spur_gear:teeth=37,module=5mm" (none: kinds and parameters are listed)',
        )
        parser.add_argument("--to", type=Path, metavar="FILE.inp|.vtu", help="file to write")
        parser.add_argument(
            "--units", default=OF_DEFAULTS, choices=get_args(UnitSystemName), help="of the deck (%(default)s)"
        )
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Write the file, and say how large the model is."""
        from faying.errors import ModelError
        from faying.fem.mesh_makers import mesh_makers
        from faying.session.meshes import mesh

        if not args.part:
            list_members(mesh_makers, args.units)
            return 0
        if args.to is None:
            raise ModelError("A file is needed.", "Give --to with the name of a .inp or .vtu file.")
        kind, _, rest = args.part.partition(":")
        given = parameters_of(mesh_makers[kind], rest, args.units)
        made = mesh(kind, args.to, units=args.units, replace=args.force, **given)
        for sentence in made.left_out:
            print(sentence, file=sys.stderr)
        for name, value in made.facts:
            print(f"{name}: {value}")
        print(
            f"{len(made.model.nodes)} nodes, {len(made.model.element_ids)} elements; "
            f"lengths in {unit_text('length', args.units)}"
        )
        print(f"written: {made.path}")
        return 0
