"""``faying plot-law``: contact and friction laws as curves, overlaid and matched to one another."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any, get_args

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force
from faying.cli.members import list_members, parameters_of
from faying.units import UnitSystemName, read_quantity


@commands.register("plot-law")
class PlotLaw(Command):
    """Draws laws without a project, as the law editor of the window does."""

    summary = "draw contact or friction laws, matched to one another, as picture or table"
    order = 60

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        add = parser.add_argument
        add(
            "laws",
            nargs="*",
            metavar="KIND[:NAME=VALUE,…]",
            help='laws of one family; parameters may have units: "linear_penalty:stiffness=400N/mm^3" '
            "(none: their kinds and parameters are listed)",
        )
        add("--to", type=Path, metavar="FILE.png|.svg|.csv", help="file to write")
        add("--penetration", default="5um", metavar="LENGTH", help="largest penetration (default: 5um)")
        add("--opening", default="1um", metavar="LENGTH", help="largest gap (default: 1um)")
        add("--slip", default="10um", metavar="LENGTH", help="amplitude of a sinusoidal slip (default: 10um)")
        add(
            "--pressure",
            default="1MPa",
            metavar="STRESS",
            help="constant pressure while slipping (default: 1MPa)",
        )
        add("--cycles", type=int, default=1, metavar="N", help="cycles of slip (default: 1)")
        add("--frequency", default="1Hz", metavar="FREQUENCY", help="of the slip (default: 1Hz)")
        add(
            "--match",
            default="",
            metavar="PENETRATION:PRESSURE|WORK",
            help="scale the laws so that they meet: 2.5um:1MPa for contact, 0.2J/m^2 per cycle for friction",
        )
        add(
            "--units",
            default="mm-t-s",
            choices=get_args(UnitSystemName),
            help="unit system of numbers without a unit (default: mm-t-s)",
        )
        add("--length-unit", default="µm", metavar="UNIT", help="of the axis (default: µm)")
        add("--stress-unit", default="MPa", metavar="UNIT", help="of the axis (default: MPa)")
        add("--dark", action="store_true", help="dark background")
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Write the file, and print the parameters of laws that were matched."""
        from faying.errors import ModelError
        from faying.exporters.plots import PictureSettings, plot_writer_for, plot_writers
        from faying.joints.law_plots import PlotUnits
        from faying.project.file_names import files_read
        from faying.project.outputs import writing

        if not args.laws:
            _list_laws(args.units)
            return 0
        if args.to is None:
            raise ModelError("A file is needed.", "Give --to with the name of a .png, .svg or .csv file.")
        units = PlotUnits(args.units, args.length_unit, args.stress_unit)
        laws = [read_law(text, args.units) for text in args.laws]
        endings, reads = tuple(f".{kind}" for kind in plot_writers), files_read(tuple(laws), Path())
        with writing(args.to, endings=endings, reads=reads, replace=args.force):
            plot = _plot(laws, args, units)
            plot_writer_for(args.to).write(plot, args.to, PictureSettings(dark=args.dark))
        print(f"written: {args.to}")
        return 0


def read_law(text: str, system: str) -> Any:
    """Return the law that a text such as "coulomb:friction_coefficient=0.2" describes.

    Raises:
        ModelError: when there is no such law or parameter, or a value is not allowed.
    """
    from faying.errors import ModelError
    from faying.joints.contact_laws import contact_laws
    from faying.joints.friction_laws import friction_laws
    from faying.params import build

    kind, _, rest = text.partition(":")
    family: Any = friction_laws if kind in friction_laws else contact_laws
    if kind not in family:
        known = ", ".join([*contact_laws, *friction_laws])
        raise ModelError(f"There is no contact or friction law called {kind!r}.", f"Known are: {known}.")
    law: Any = family[kind]
    return build(law, parameters_of(law, rest, system))


def _plot(laws: list[Any], args: argparse.Namespace, units: Any) -> Any:
    from faying.errors import ModelError
    from faying.joints.contact_laws import ContactLaw
    from faying.joints.friction_laws import FrictionLaw

    if all(isinstance(law, ContactLaw) for law in laws):
        return _pressures(laws, args, units)
    if all(isinstance(law, FrictionLaw) for law in laws):
        return _loops(laws, args, units)
    raise ModelError(
        "Contact and friction laws do not share axes.", "Draw them one after the other, into two files."
    )


def _pressures(laws: list[Any], args: argparse.Namespace, units: Any) -> Any:
    from faying.errors import ModelError
    from faying.joints.law_curves import GapRange, pressure_at
    from faying.joints.law_plots import pressure_plot
    from faying.params import build

    length, stress = (partial(read_quantity, quantity=q, system=args.units) for q in ("length", "stress"))
    span = build(GapRange, {"penetration": length(args.penetration), "opening": length(args.opening)})
    point = None
    if args.match:
        penetration, colon, pressure = args.match.partition(":")
        if not colon:
            raise ModelError(f"{args.match!r} is no point.", "Write penetration and pressure: 2.5um:1MPa.")
        point = (-length(penetration), stress(pressure))
        laws = _matched(laws, lambda law: pressure_at(law, point[0]), point[1])
    return pressure_plot(_named(laws), span, units, point)


def _loops(laws: list[Any], args: argparse.Namespace, units: Any) -> Any:
    from faying.joints.law_curves import SlipCycles, hysteresis_loop
    from faying.joints.law_plots import hysteresis_plot, usually
    from faying.params import build

    for law in laws:
        if law.leaves_open:
            name = law.stiffness_name
            print(f"{law.kind}: {name} = {getattr(usually(law), name):g}, as beside the usual contact law")
    laws = [usually(law) for law in laws]
    drive = build(
        SlipCycles,
        {
            "amplitude": read_quantity(args.slip, "length", args.units),
            "pressure": read_quantity(args.pressure, "stress", args.units),
            "frequency": read_quantity(args.frequency, "frequency", args.units),
            "cycles": args.cycles,
        },
    )
    if args.match:
        work = read_quantity(args.match, "energy_per_area", args.units)
        laws = _matched(laws, lambda law: hysteresis_loop(law, drive).work, work)
    loops = [(name, hysteresis_loop(law, drive)) for name, law in _named(laws)]
    return hysteresis_plot(loops, units)


def _matched(laws: list[Any], measure: Any, target: float) -> list[Any]:
    """Return the laws scaled until each measures the target, and print the parameters that changed."""
    from faying.joints.law_curves import matched

    after = [matched(law, measure, target) for law in laws]
    for before, law in zip(laws, after, strict=True):
        for name in type(law).model_fields:
            old, new = getattr(before, name), getattr(law, name)
            if old != new:
                print(f"{law.kind}: {name} = {new} (was {old})")
    return after


def _named(laws: list[Any]) -> list[tuple[str, Any]]:
    """Return (name, law): the title, with a number where a kind comes more than once."""
    from faying.joints.law_plots import names_of

    return list(zip(names_of(laws), laws, strict=True))


def _list_laws(system: str) -> None:
    from faying.joints.contact_laws import contact_laws
    from faying.joints.friction_laws import friction_laws

    families: tuple[Any, ...] = (contact_laws, friction_laws)
    for family in families:
        list_members(family, system)
