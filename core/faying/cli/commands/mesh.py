"""``faying mesh``: a deck of a parametric part, such as a gear, or of a CAD file."""

import argparse
import re
import sys
from pathlib import Path
from typing import get_args

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force
from faying.cli.members import list_members, parameters_of
from faying.units import OF_DEFAULTS, UnitSystemName, unit_text

_FILE = re.compile(r"(.*\.(?:step|stp|iges|igs|brep|stl))(?::(.*))?", re.IGNORECASE)
_COMMON = {
    "size": ("LENGTH", "of the elements, about"),
    "order": ("1|2", "of the elements: straight edges, or midside nodes"),
    "refinement": ("FACTOR", "of CAD files: how much finer elements are where bodies touch, and round holes"),
}


@commands.register("mesh")
class MeshCommand(Command):
    """Meshes a parametric part or a CAD file, as File ▸ Make a mesh and Mesh a CAD file of the window do."""

    summary = "make a deck of a part of known shape, such as a bolted lap or a gear, or of a CAD file"
    order = 25

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "part",
            nargs="?",
            default="",
            metavar="KIND|FILE[:NAME=VALUE,…]",
            help="the part, or a STEP, IGES, BREP or STL file, which Gmsh meshes (pip install faying[cad]); numbers "
            'may have units, without one they are in those of the deck: "spur_gear:teeth=37,module=5mm" '
            "(none: kinds and parameters are listed)",
        )
        for name, (what, meaning) in _COMMON.items():
            parser.add_argument(f"--{name}", default="", metavar=what, help=meaning)
        parser.add_argument("--to", type=Path, metavar="FILE.inp|.vtu", help="file to write")
        parser.add_argument(
            "--units", default=OF_DEFAULTS, choices=get_args(UnitSystemName), help="of the deck (%(default)s)"
        )
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Write the file, and print the size of the model."""
        from faying.cli.terminal import TerminalProgress
        from faying.errors import ModelError
        from faying.fem.mesh_makers import mesh_makers
        from faying.session.meshes import kind_of_mesh, mesh

        if not args.part:
            list_members(mesh_makers, args.units)
            return 0
        if args.to is None:
            raise ModelError("A file is needed.", "Give --to with the name of a .inp or .vtu file.")
        file = _FILE.fullmatch(args.part)  # its path may have colons
        what, _, rest = (file[1], "", file[2] or "") if file else args.part.partition(":")
        common = [f"{name}={getattr(args, name)}" for name in _COMMON if getattr(args, name)]
        given = parameters_of(kind_of_mesh(what), ",".join(filter(None, [rest, *common])), args.units)
        with TerminalProgress() as progress:
            made = mesh(what, args.to, units=args.units, replace=args.force, progress=progress, **given)
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
