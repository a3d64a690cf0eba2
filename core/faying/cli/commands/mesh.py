"""``faying mesh``: a deck of a part of known shape, such as a gear."""

import argparse
import sys
from pathlib import Path

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force
from faying.cli.members import list_members, parameters_of


@commands.register("mesh")
class MeshCommand(Command):
    """Makes a part by rule: what File ▸ Make a mesh of the window does."""

    summary = "make the deck of a part of known shape, such as an involute gear"
    order = 25

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "part",
            nargs="?",
            default="",
            metavar="KIND[:NAME=VALUE,…]",
            help='the part; numbers may have units, without one they are in mm, t, s: "spur_gear:teeth=37,module=5mm" '
            "(none: kinds and parameters are listed)",
        )
        parser.add_argument("--to", type=Path, metavar="FILE.inp|.vtu", help="file to write, in mm, t, s")
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Write the file, and say how large the model is."""
        from faying.errors import ModelError
        from faying.fem.mesh_makers import UNITS, mesh_makers
        from faying.fem.writers import write_model, writers
        from faying.params import build
        from faying.project.outputs import writing

        if not args.part:
            list_members(mesh_makers, UNITS)
            return 0
        if args.to is None:
            raise ModelError("A file is needed.", "Give --to with the name of a .inp or .vtu file.")
        kind, _, rest = args.part.partition(":")
        maker = build(mesh_makers[kind], parameters_of(mesh_makers[kind], rest, UNITS))
        endings = tuple(ending for _, writer in writers.items() for ending in writer.extensions)
        with writing(args.to, endings=endings, replace=args.force):
            model = maker.model()
            left_out = write_model(model, args.to)
        for sentence in left_out:
            print(sentence, file=sys.stderr)
        for name, value in maker.facts():
            print(f"{name}: {value}")
        print(f"{len(model.nodes)} nodes, {len(model.element_ids)} elements; lengths in mm")
        print(f"written: {args.to}")
        return 0
