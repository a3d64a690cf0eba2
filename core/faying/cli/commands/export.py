"""``faying export``: results as pictures, films and tables; models and pairs; decisions as a study file."""

import argparse
import math
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force

if TYPE_CHECKING:  # imported later: commands have to start quickly
    from faying.progress import Progress
    from faying.session import Session


@commands.register("export")
class Export(Command):
    """Writes contents of a project file in other formats; computes no results except true fields."""

    summary = "write results as picture, film or table, or the decisions as a study"
    order = 50

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        add = parser.add_argument
        add("file", type=Path, metavar="PROJECT.faying", help="the project")
        add(
            "--to",
            type=Path,
            required=True,
            metavar="FILE.png|.mp4|.gif|.csv|.vtkhdf|.pvd|.unv|.inp|.vtu|.toml",
            help="file to write; a folder with --matrices",
        )
        add(
            "--matrices",
            metavar="BODY",
            nargs="?",
            const="",
            help="write a body's stiffness, mass and constraints into the folder (.npz with degrees of freedom)",
        )
        add(
            "--model",
            metavar="BODY",
            nargs="?",
            const="",
            help="write a body's model (.inp, .vtu)",
        )
        add(
            "--pairs",
            metavar="JOINT",
            nargs="?",
            const="",
            help="write the contact pairs of a joint as a table or grid (.csv, .vtu)",
        )
        add(
            "--body",
            metavar="BODY",
            nargs="?",
            const="",
            help="write a reduced body (.npz, .h5 and for other programs); with --analysis also the damping that this "
            "analysis gives it; with --pairs only says whose joint",
        )
        add(
            "--state-space",
            action="store_true",
            help="write the matrices A, B, C, D of an analysis of the kind state_space (.npz, .mat), or an FMU of them "
            "that needs no Python (.fmu)",
        )
        add("--bolts", action="store_true", help="write the table of bolts of an analysis (.csv)")
        add(
            "--table",
            metavar="NAME",
            nargs="?",
            const="",
            help="write a table (.csv): of a study that of all bases or points by default; of other analyses "
            "'modes' and their 'assurance', 'backbone' over amplitude, 'reactions' of supports, 'steps' in a "
            "row, 'touches' of parts, 'flanks' of gears (.svg draws them); a wrong name lists them",
        )
        add(
            "--field",
            default="",
            help="pressure, gap, von_mises, …, a formula of them, or over the run: maximum(pressure), mean, range; "
            "may be left out for the motion of a system",
        )
        add(
            "--analysis",
            default="",
            metavar="NAME",
            help="analysis with the results (default: the last that has some; or: modes)",
        )
        add(
            "--joint",
            default="",
            metavar="NAME",
            help="the joint of a joint's field (default: all, or the first)",
        )
        add(
            "--true",
            action="store_true",
            help="pressures and stresses as the FE model has them: all frames are corrected on it first, unless they "
            "are already (an analysis with true_fields = true in its study needs no --true)",
        )
        add(
            "--shape",
            type=_count,
            default=1,
            metavar="N",
            help="of frames with several shapes, as of a Campbell diagram: the mode that is shown, from 1",
        )
        add("--frame", type=int, metavar="N", help="a single frame from 0, or from the end when negative")
        add(
            "--frames",
            default="",
            metavar="FIRST:LAST[:EVERY]",
            help="some frames of a film or table, by numbers or times: 10:200:5, 5ms:20ms, 100:",
        )
        add(
            "--size",
            type=_size,
            default=(1280, 720, ""),
            metavar="WxH",
            help="pixels, or on paper: 85x60mm (default: 1280x720)",
        )
        add(
            "--dpi",
            type=_up_to(_MOST_DPI, "pixels per inch"),
            default=0,
            metavar="N",
            help="pixels per inch on paper (with mm: 300)",
        )
        add(
            "--style",
            default="",
            choices=("journal",),
            help="journal: on white, without caption, letters of 8 points",
        )
        add("--font", default="sans", choices=("sans", "serif"), help="letters of a picture or film")
        add(
            "--fps",
            type=_up_to(_MOST_FPS, "frames per second"),
            default=25,
            metavar="N",
            help="frames per second of a film (default: 25)",
        )
        add(
            "--seconds",
            type=_length,
            default=0.0,
            metavar="S",
            help="length of a film, its moments evenly spread over time",
        )
        add(
            "--play",
            default="loop",
            choices=("loop", "once", "swing"),
            help="an endless GIF (default) or once; swing: back and forth",
        )
        add(
            "--repeat",
            type=_up_to(_MOST_REPEATS, "repetitions"),
            default=1,
            metavar="N",
            help="how often a film shows all of it",
        )
        add(
            "--turn", type=_finite, default=0.0, metavar="DEG", help="turn the camera in the course of a film"
        )
        add(
            "--view",
            default="iso",
            help="where the camera is: iso, +x, -x, … -z (default: iso); several side by side: iso,+x",
        )
        add(
            "--beside",
            default="",
            metavar="ANALYSIS[,…]",
            help="show other analyses of the same body or system next to this one, on one scale",
        )
        add(
            "--limits", type=_limits, metavar="LOW:HIGH", help="limits of the colours, in the project's units"
        )
        add("--title", default="", help="title at the top of a picture or film")
        add("--logo", default="", metavar="FILE", help="picture (.png, .jpg, .svg) at the top right")
        add("--reference", default="", metavar="PART", help="part of a system that appears at rest")
        add(
            "--joint-scale", type=_finite, default=1.0, metavar="X", help="enlarge motion in joints once more"
        )
        add("--opened", type=_finite, default=0.0, metavar="DEG", help="open a body's joints like books")
        add(
            "--section",
            default="",
            metavar="PLACE[,…]",
            help="cut the model: x=12mm, z=50%%; -y=3mm leaves out the side of smaller y; several with commas",
        )
        add("--ghost", action="store_true", help="with --section: show the part that is cut away faintly")
        add(
            "--isolines",
            type=_up_to(_MOST_ISOLINES, "lines"),
            default=0,
            metavar="N",
            help="lines of equal value with their numbers",
        )
        add(
            "--no-marks",
            action="store_true",
            help="leave out interface nodes, markers, supports, constraints, loads and names",
        )
        add("--centre-of-mass", action="store_true", help="mark it, of a body or of each part of a system")
        add(
            "--scale",
            type=_finite,
            metavar="X",
            help="factor of the displacements (default: chosen to be seen)",
        )
        add("--dark", action="store_true", help="dark background")
        add("--transparent", action="store_true", help="picture without background")
        add("--series", action="store_true", help="a picture of every frame: FILE_0000.png, …")
        add(
            "--minus",
            default="",
            metavar="ANALYSIS",
            help="show field or curves less those of another analysis; of curves tell mean and largest difference",
        )
        add(
            "--curves",
            default="",
            metavar="NAME[,NAME…]",
            help="write curves instead of a field (.csv, .svg, .pdf, .png, .unv), or with --field or a film under "
            "the picture, with a running mark; a wrong name lists them; a field at "
            'an element or node is a curve, too: "rod.el 12 von_mises", "node 7 stress_xx"',
        )
        add(
            "--diagram",
            metavar="TITLE",
            nargs="?",
            const="",
            help="write a diagram of a whole run (.svg, .pdf, .png, .csv): Campbell diagram, pole map, energies of "
            "modes, main effects of a sweep; the first one by default, a wrong title lists them",
        )
        add(
            "--outputs",
            default="",
            metavar="NAME[,NAME…]",
            help="of an FMU (.fmu) of a motion or state space, in place of all; inputs are load histories of kind "
            "input",
        )
        add("--over", default="", metavar="NAME", help="curve that the others are drawn over (default: time)")
        add(
            "--as",
            dest="view",
            default="values",
            choices=("values", "envelope", "spectrum", "orders", "decay", "bode", "nyquist"),
            help="what is drawn of the curves; decay: damping ratio and frequency of a free vibration over amplitude",
        )
        add(
            "--also",
            default="",
            metavar="ANALYSIS[,…]",
            help="lay curves of other analyses over these: measured points, other backbones, the decay of a transient",
        )
        add("--log", default="", choices=("x", "y", "xy"), help="logarithmic axes of curves")
        add("--db", action="store_true", help="curves as levels in decibel over one unit")
        add(
            "--up-to",
            type=_frequency,
            default=0.0,
            metavar="F",
            help="end of the axis of spectra and responses",
        )
        add("--peaks", type=_count, default=0, metavar="N", help="name the N highest peaks of each curve")
        add(
            "--statistics",
            action="store_true",
            help="print smallest, largest, mean and root mean square of the curves, too",
        )
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Write the picture, film, table, model or matrices; 0 when the file is there."""
        from faying.cli.session import opened
        from faying.project.outputs import writing

        named = _require_one(args)
        with opened(args.file) as session:
            if args.to.suffix.lower() == ".fmu" and (args.state_space or not named):
                _export_fmu(session, args)
            elif not named and _is_of_fields(args):
                _export_fields(session, args)
            else:
                write, paths, endings = _chosen(args)
                with writing(*paths, endings=endings, reads=session.reads(), replace=args.force):
                    write(session, args)
        print(f"written: {args.to}")
        return 0


def _require_one(args: argparse.Namespace) -> bool:
    """Return whether an option chooses the output; without one a field, curves or the decisions are written.

    Raises:
        FayingError: when several do, since all but one would be ignored.
    """
    from faying.errors import FayingError

    of_pairs = args.pairs is not None  # then --body names their body
    kinds = ("matrices", "model", "pairs", *(() if of_pairs else ("body",)), "table", "diagram")
    named = [f"--{kind}" for kind in kinds if getattr(args, kind) is not None]
    named += ["--bolts"] if args.bolts else []
    named += ["--state-space"] if args.state_space else []
    named += [f"--{kind}" for kind in ("field", "curves") if named and getattr(args, kind)]
    if len(named) > 1:
        raise FayingError(
            f"{' and '.join(named)} are not written together.",
            "Give one of them, and run it again for another.",
        )
    return bool(named)


def _is_of_fields(args: argparse.Namespace) -> bool:
    ending = args.to.suffix.lower()
    under = bool(args.field) or ending in (".mp4", ".gif")  # else curves are written instead of a field
    return (not args.curves or under) and ending != ".toml"


def _chosen(
    args: argparse.Namespace,
) -> tuple[Callable[["Session", argparse.Namespace], None], Sequence[Path], tuple[str, ...]]:
    """Return the function that writes, the files that it writes, and the endings that are allowed."""
    from faying.errors import FayingError
    from faying.exporters.bodies import body_writer_for
    from faying.exporters.plots import plot_writers
    from faying.fem.matrix_export import files_of_export
    from faying.fem.writers import writers
    from faying.joints.pairs_file import PAIRS_FILES

    if args.matrices is not None:
        if args.to.exists() and not args.to.is_dir():
            raise FayingError(f"{args.to} is a file.", "Give the name of a folder.")
        _require_folder(args.to)
        return _export_matrices, files_of_export(args.to) if args.to.exists() else (), (".npz",)
    if args.model is not None:
        return (
            _export_model,
            (args.to,),
            tuple(e for _, writer in writers.items() for e in writer.extensions),
        )
    if args.pairs is not None:
        return _export_pairs, (args.to,), tuple(PAIRS_FILES)
    if args.body is not None:
        # The writer has refused other endings; additional files may have any.
        return _export_body, body_writer_for(args.to).files(args.to), ()
    if args.bolts:
        return _export_bolts, (args.to,), (".csv",)
    if args.state_space:
        return _export_state_space, (args.to,), (".npz", ".mat")
    if args.table is not None:
        return _export_table, (args.to,), (".csv", ".svg") if args.table == "flanks" else (".csv",)
    if args.diagram is not None:
        return _export_diagram, (args.to,), tuple(f".{kind}" for kind in plot_writers)
    if args.curves:
        return _export_curves, (args.to,), tuple(f".{kind}" for kind in plot_writers)
    return _export_study, (args.to,), (".toml",)


def _require_folder(path: Path) -> None:
    from faying.errors import FayingError

    if not path.absolute().parent.is_dir():
        raise FayingError(f"The folder {path.parent} does not exist.", "Make it first.")


def _export_study(session: "Session", args: argparse.Namespace) -> None:
    from faying.project.study import write_study

    write_study(session.project, args.to, session.base)


def _export_fields(session: "Session", args: argparse.Namespace) -> None:
    from faying.cli.terminal import TerminalProgress
    from faying.exporters import ExportSettings
    from faying.session.export import write_fields

    size, dpi = _pixels(args)
    settings = ExportSettings(
        args.field, (), args.joint, size, args.fps, args.scale, args.view, args.dark,
        args.transparent, args.series, limits=args.limits, seconds=args.seconds, play=args.play,
        repeat=args.repeat, turn=args.turn, title=args.title, logo=args.logo, dpi=dpi, style=args.style,
        font=args.font, reference=args.reference, joint_scale=args.joint_scale, opened=args.opened,
        section=args.section, ghost=args.ghost, isolines=args.isolines, centre_of_mass=args.centre_of_mass,
        marks=not args.no_marks, shape=max(args.shape - 1, 0),
    )  # fmt: skip
    curves = _names(args.curves) if args.curves else []
    analysis = args.analysis or _last_with_results(session)
    with TerminalProgress() as progress:
        run, analysis = analysis, _with_true_fields(session, analysis, compute=args.true, progress=progress)
        if analysis != run:
            print("Gaps, pressures and stresses are those of the FE model (true fields).", file=sys.stderr)
        write_fields(
            session, args.to, analysis, settings, frame=args.frame,
            frames=args.frames, minus=session.name_with_true_fields(args.minus),
            beside=[session.name_with_true_fields(name) for name in (_names(args.beside) if args.beside else [])],
            curves=curves, over=args.over, replace_others=args.force, progress=progress,
        )  # fmt: skip


def _with_true_fields(
    session: "Session", analysis: str, *, compute: bool, progress: "Progress | None" = None
) -> str:
    """Return the name under which fields are written: that of true fields where they are there or asked for."""
    from faying.analyses.recording.true_fields import TRUE_FIELDS

    if not compute:
        return session.name_with_true_fields(analysis)
    session.compute_true_fields(analysis, progress)
    return f"{analysis}{TRUE_FIELDS}"


def _export_fmu(session: "Session", args: argparse.Namespace) -> None:
    from faying.errors import FayingError
    from faying.session.fmu import why_no_inputs, write_fmu

    kinds = ("state_space",) if args.state_space else ("motion", "state_space")
    known = [analysis.name for analysis in session.project.analyses if analysis.kind in kinds]
    if not args.analysis and len(known) != 1:
        raise FayingError(
            "It is not said which motion or state space is to become an FMU.",
            f"Name one with --analysis. There are: {', '.join(known) or 'none'}.",
        )
    outputs = [name.strip() for name in args.outputs.split(",") if name.strip()]
    name = args.analysis or known[0]
    if why := why_no_inputs(session.project, name):
        print(why, file=sys.stderr)
    print(write_fmu(session, name, args.to, outputs, replace=args.force), file=sys.stderr)


def _export_state_space(session: "Session", args: argparse.Namespace) -> None:
    from contextlib import closing

    from faying.exporters.state_spaces import stored_state_space, write_state_space

    name = args.analysis or _last_with_results(session)
    with closing(session.results(name)) as results:
        write_state_space(stored_state_space(results, name), args.to)


def _export_bolts(session: "Session", args: argparse.Namespace) -> None:
    from faying.atomic import write_text
    from faying.errors import FayingError
    from faying.results.bolt_table import csv_text

    name = args.analysis or _last_with_results(session)
    rows = session.shown(name).bolt_table()
    if not rows:
        raise FayingError(
            f"Analysis {name!r} has no bolts to make a table of.",
            "Choose an analysis of a body whose bolts are cut, or that beams hold together.",
        )
    write_text(args.to, csv_text(rows, session.project.units))


def _export_table(session: "Session", args: argparse.Namespace) -> None:
    from contextlib import closing

    from faying.atomic import write_text
    from faying.results.table_file import table_text

    name = args.analysis or _last_with_results(session)
    units = session.project.units
    with closing(session.results(name)) as results:
        if args.to.suffix.lower() == ".svg":
            from faying.exporters.flank_picture import flank_picture
            from faying.results.run_tables import flank_table

            write_text(args.to, flank_picture(flank_table(results), units))
        else:
            write_text(args.to, table_text(results, args.table, units))


def _export_diagram(session: "Session", args: argparse.Namespace) -> None:
    from contextlib import closing

    from faying.analyses.diagrams import diagram_called
    from faying.exporters.plots import PictureSettings, plot_writer_for

    with closing(session.results(args.analysis or _last_with_results(session))) as results:
        plot = diagram_called(results, args.diagram, session.project.units)
    plot_writer_for(args.to).write(plot, args.to, PictureSettings(_pixels(args)[0], args.dark))


def _export_curves(session: "Session", args: argparse.Namespace) -> None:
    from faying.cli.terminal import table
    from faying.exporters.plots import PictureSettings, plot_writer_for
    from faying.results.curve_statistics import HEADS, rows_of, statistics_of
    from faying.results.curves import CurveScales
    from faying.session.export import curve_differences, curves_drawn
    from faying.units import unit_text

    names = _names(args.curves)
    analysis = args.analysis or _last_with_results(session)
    scales = CurveScales("x" in args.log, "y" in args.log, args.db, args.up_to, args.peaks)
    also = _names(args.also) if args.also else ()
    fields_of = _with_true_fields(session, analysis, compute=args.true)
    plot = curves_drawn(session, analysis, names, args.over, args.view, args.minus, scales, also, fields_of)
    plot_writer_for(args.to).write(plot, args.to, PictureSettings(_pixels(args)[0], args.dark))
    if args.statistics:
        print(table(rows_of(statistics_of(plot)), HEADS))
    for found in curve_differences(session, analysis, names, args.minus) if args.minus else ():
        unit = unit_text(found.curve.quantity, session.project.units) if found.curve.quantity else ""
        sizes = (f"{size:.6g} {unit}".strip() for size in (found.mean, found.largest))
        print("{}: {} in the mean, {} at most".format(found.curve.name, *sizes))


def _export_matrices(session: "Session", args: argparse.Namespace) -> None:
    import sys

    from faying.errors import FayingError
    from faying.fem.matrix_export import write_matrices
    from faying.project.outputs import remember_outputs

    body = session.body(args.matrices).name
    model, matrices = (_value(session, stage, body) for stage in ("model", "matrices"))
    try:
        # In a new folder `writing` found no files; so they are recorded here.
        remember_outputs(write_matrices(args.to, model, matrices))
    except OSError as error:
        raise FayingError(
            f"{args.to} cannot be written: {error.strerror}.", "Choose another folder."
        ) from error
    if matrices.constraints.shape[0]:
        print(
            "Distributing couplings and cut bolts are not in stiffness and mass but separate, as rows C x = 0 of "
            "constraints.npz: K and M alone let them move freely.",
            file=sys.stderr,
        )


def _export_model(session: "Session", args: argparse.Namespace) -> None:
    import sys

    from faying.errors import FayingError
    from faying.fem.writers import write_model

    model = _value(session, "model", session.body(args.model).name)
    try:
        left_out = write_model(model, args.to)
    except OSError as error:
        raise FayingError(
            f"{args.to} cannot be written: {error.strerror}.", "Choose another place."
        ) from error
    for sentence in left_out:
        print(sentence, file=sys.stderr)


def _export_body(session: "Session", args: argparse.Namespace) -> None:
    import sys

    from faying.cli.terminal import TerminalProgress
    from faying.exporters.bodies import write_body
    from faying.session.bodies import reduced_body_file

    with TerminalProgress() as progress:
        body = reduced_body_file(
            session.project, session.body(args.body), lambda target: session.compute(target, progress),
            args.analysis,
        )  # fmt: skip
    for sentence in write_body(body, args.to):
        print(sentence, file=sys.stderr)


def _export_pairs(session: "Session", args: argparse.Namespace) -> None:
    from faying.errors import ModelError, there_are
    from faying.joints.pairs_file import write_pairs

    bodies = [session.body(args.body)] if args.body else session.project.bodies
    joints = [(body.name, joint.name) for body in bodies for joint in body.contact_joints]
    chosen = [found for found in joints if args.pairs in ("", found[1])]
    if not chosen:
        of_body = f" of body {args.body!r}" if args.body else ""
        named = f"joint{of_body} called {args.pairs!r}" if args.pairs else f"joint{of_body} with contact"
        raise ModelError(f"There is no {named}.", there_are(args.pairs, [name for _, name in joints]))
    body, joint = chosen[0]
    others = [name for name, _ in chosen]
    if args.pairs and len(others) > 1:
        raise ModelError(
            f"Several bodies have a joint called {joint!r}.", f"Add --body with one of: {', '.join(others)}."
        )
    pairs, model = _value(session, "pairs", body, joint), _value(session, "model", body)
    write_pairs(args.to, pairs, model, session.project.units)


def _value(session: "Session", stage: str, body: str, item: str = "") -> Any:
    """Return the value of a stage, from the project file or computed now."""
    from faying.cli.terminal import TerminalProgress
    from faying.project.stage import Target

    target = Target(stage, body, item)
    with TerminalProgress() as progress:
        return session.compute(target, progress)


def _last_with_results(session: "Session") -> str:
    """Return the last analysis that has results; if they are out of date, report why on stderr."""
    import sys

    from faying.exporters.earlier import analysis_of
    from faying.project.stage import target_of

    name = session.last_with_results()
    if (out_of_date := analysis_of(session.project, name)) is not None:
        why = "; ".join(session.state(target_of(out_of_date)).why)
        print(f"The results of {out_of_date.name!r} are out of date: {why}.", file=sys.stderr)
    return name


def _names(text: str) -> list[str]:
    # Commas inside brackets are those of formulas.
    return [name.strip() for name in re.split(r",(?![^()]*\))", text)]


_MM_PER_INCH, _PRINT_DPI, _MOST_DPI = 25.4, 300, 2400
_MOST_FPS, _MOST_REPEATS, _MOST_ISOLINES = 240, 100, 50
_LEAST, _MOST = 16, 16384  # pixels of a side


def _size(text: str) -> tuple[float, float, str]:
    """Return width, height, and "mm" or "" for pixels."""
    words = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)\s*(mm|)", text.lower().strip())
    if words is None or (not words[3] and not all(_LEAST <= float(words[i]) <= _MOST for i in (1, 2))):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1280x720 or 85x60mm")
    return float(words[1]), float(words[2]), words[3]


def _pixels(args: argparse.Namespace) -> tuple[tuple[int, int], int]:
    """Return width and height in pixels, and pixels per inch, 0 for a screen."""
    from faying.errors import FayingError

    width, height, unit = args.size
    if not unit:
        return (round(width), round(height)), args.dpi
    dpi = args.dpi or _PRINT_DPI
    size = round(width / _MM_PER_INCH * dpi), round(height / _MM_PER_INCH * dpi)
    if not all(_LEAST <= side <= _MOST for side in size):
        raise FayingError(
            f"{width:g} x {height:g} mm at {dpi} dpi are {size[0]} x {size[1]} pixels.",
            f"Each side may have {_LEAST} to {_MOST}.",
        )
    return size, dpi


def _limits(text: str) -> tuple[float, float]:
    low, _, high = text.partition(":")
    try:
        found = float(low), float(high)
    except ValueError:
        found = (0.0, 0.0)
    if not -math.inf < found[0] < found[1] < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} are no limits such as 0:250")
    return found


def _length(text: str) -> float:
    try:
        found = float(text.removesuffix("s"))
    except ValueError:
        found = 0.0
    if not 0.0 < found <= 3600.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no length in seconds, of an hour at most")
    return found


def _finite(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return found


def _frequency(text: str) -> float:
    found = _finite(text)
    if found < 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} is less than zero")
    return found


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from zero")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def _up_to(most: int, what: str) -> Callable[[str], int]:
    """Return a parser of positive whole numbers up to a maximum that can be computed in reasonable time."""

    def read(text: str) -> int:
        found = _positive(text)
        if found > most:
            raise argparse.ArgumentTypeError(f"{text} {what} are more than {most}")
        return found

    return read
