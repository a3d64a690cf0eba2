"""``faying export``: results as pictures, films and tables; models and pairs; decisions as a study file."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force


@commands.register("export")
class Export(Command):
    """Writes what a project file holds in another form; computes no results."""

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
            metavar="FILE.png|.mp4|.gif|.csv|.vtkhdf|.inp|.vtu|.toml",
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
            "--field",
            default="",
            help="pressure, gap, von_mises, …, a formula of them, or over the run: maximum(pressure), mean, range; "
            "may be left out for the motion of a system",
        )
        add(
            "--analysis",
            default="",
            metavar="NAME",
            help="whose results (default: the last that has some; or: modes)",
        )
        add(
            "--joint",
            default="",
            metavar="NAME",
            help="the joint of a joint's field (default: all, or the first)",
        )
        add("--frame", type=int, metavar="N", help="a single frame from 0, or from the end when negative")
        add("--size", type=_size, default=(1280, 720), metavar="WxH", help="pixels (default: 1280x720)")
        add(
            "--fps", type=_positive, default=25, metavar="N", help="frames per second of a film (default: 25)"
        )
        add("--view", default="iso", help="where the camera stands: iso, +x, -x, … -z (default: iso)")
        add(
            "--scale",
            type=float,
            metavar="X",
            help="factor of the displacements (default: chosen to be seen)",
        )
        add("--dark", action="store_true", help="dark background")
        add("--transparent", action="store_true", help="picture without background")
        add("--series", action="store_true", help="a picture of every frame: FILE_0000.png, …")
        add("--minus", default="", metavar="ANALYSIS", help="show the field less that of another analysis")
        add(
            "--curves",
            default="",
            metavar="NAME[,NAME…]",
            help="write curves instead of a field (.csv, .svg, .pdf, .png); a wrong name lists them",
        )
        add("--over", default="", metavar="NAME", help="curve that the others are drawn over (default: time)")
        add(
            "--as",
            dest="view",
            default="values",
            choices=("values", "envelope", "spectrum", "orders"),
            help="what is drawn of the curves",
        )
        declare_force(parser)

    def run(self, words: argparse.Namespace) -> int:
        """Write the file."""
        from faying.cli.session import opened
        from faying.project.outputs import writing
        from faying.project.sources import files_read

        with opened(words.file) as session:
            reads = (words.file, *files_read(session.project, session.base))
            if _is_of_fields(words):
                _export_fields(session, words, reads)
            else:
                write, paths, endings = _chosen(words)
                with writing(*paths, endings=endings, reads=reads, replace=words.force):
                    write(session, words)
        print(f"written: {words.to}")
        return 0


def _is_of_fields(words: argparse.Namespace) -> bool:
    named = (words.matrices, words.model, words.pairs)
    return named == (None,) * 3 and not words.curves and words.to.suffix.lower() != ".toml"


def _chosen(
    words: argparse.Namespace,
) -> tuple[Callable[[Any, argparse.Namespace], None], Sequence[Path], tuple[str, ...]]:
    """Return what writes, the files that it writes, and what their names may end in."""
    from faying.errors import FayingError
    from faying.exporters.plots import plot_writers
    from faying.fem.matrix_export import files_of_export
    from faying.fem.writers import writers
    from faying.joints.pairs_file import PAIRS_FILES

    if words.matrices is not None:
        if words.to.exists() and not words.to.is_dir():
            raise FayingError(f"{words.to} is a file.", "Give the name of a folder.")
        _require_folder(words.to)
        return _export_matrices, files_of_export(words.to) if words.to.exists() else (), (".npz",)
    if words.model is not None:
        return (
            _export_model,
            (words.to,),
            tuple(e for _, writer in writers.items() for e in writer.extensions),
        )
    if words.pairs is not None:
        return _export_pairs, (words.to,), tuple(PAIRS_FILES)
    if words.curves:
        return _export_curves, (words.to,), tuple(f".{kind}" for kind in plot_writers)
    return _export_study, (words.to,), (".toml",)


def _require_folder(path: Path) -> None:
    from faying.errors import FayingError

    if not path.absolute().parent.is_dir():
        raise FayingError(f"The folder {path.parent} does not exist.", "Make it first.")


def _export_study(session: Any, words: argparse.Namespace) -> None:
    from faying.project.study import write_study

    write_study(session.project, words.to, session.base)


def _export_fields(session: Any, words: argparse.Namespace, reads: Sequence[Path]) -> None:
    from faying.cli.terminal import TerminalProgress
    from faying.errors import ModelError
    from faying.exporters import ExportSettings, SystemContent, export_content, exporters
    from faying.exporters.systems import moved_system, shown_content, write_content
    from faying.project.outputs import check_output, writing
    from faying.results.fields import fields
    from faying.results.formula import find_field

    endings = tuple(f".{kind}" for kind in exporters)
    check_output(words.to, (*endings, ".toml"), reads, replace=words.force or words.series)
    if words.field:
        find_field(words.field)  # an unknown field is named before anything is loaded
    exporter = _exporter(words.to)
    analysis = words.analysis or _last_with_results(session)
    if not words.field and moved_system(session.project, analysis) is None:
        raise ModelError("A field is needed.", f"Give --field with one of: {', '.join(fields)}.")
    with TerminalProgress() as progress:
        content = shown_content(
            session.project, session.store, analysis,
            base=session.base, pipeline=session.pipeline, memory=session.memory, progress=progress,
        )  # fmt: skip
        if words.minus:
            if isinstance(content, SystemContent):
                raise ModelError(
                    f"Analysis {analysis!r} moves a whole system, whose fields are not compared.",
                    "Leave out --minus.",
                )
            other = export_content(
                session.project, session.store, words.minus,
                base=session.base, pipeline=session.pipeline, memory=session.memory, progress=progress,
            )  # fmt: skip
            content = replace(content, minus=(words.minus, other.body_context))
        settings = ExportSettings(
            field=words.field, joint=words.joint,
            frames=_frames(words.frame, content.n_frames, exporter.many_frames or words.series),
            size=words.size, frames_per_second=words.fps, scale=words.scale, view=words.view, dark=words.dark,
            transparent=words.transparent, series=words.series,
        )  # fmt: skip
        paths = exporter.files(settings, words.to)
        with writing(*paths, endings=endings, reads=reads, replace=words.force):
            write_content(exporter, content, settings, words.to, progress)


def _export_curves(session: Any, words: argparse.Namespace) -> None:
    from faying.errors import ModelError
    from faying.exporters.earlier import analysis_of, earlier_recipe
    from faying.exporters.plots import PictureSettings, plot_writer_for
    from faying.project.stage import target_of
    from faying.results.curves import Curve, axis_curve, curve_plot, curve_quantity, run_title

    name = words.analysis or _last_with_results(session)
    if (out_of_date := analysis_of(session.project, name)) is not None:
        recipe = earlier_recipe(session.project, out_of_date, session.store, session.pipeline, session.base)
        key = recipe.key if recipe is not None else ""
    else:
        target = target_of(session.project.analysis(name))
        key = session.pipeline.state(session.project, target, session.store, session.base).key
    place = session.store.results(key) if key else None
    if place is None:
        raise ModelError(f"Analysis {name!r} has no results yet.", "Run the project first.")
    results = place.open()
    try:

        def curve(wanted: str, style: int = 0) -> Curve:
            if wanted not in results.curve_names:
                raise ModelError(
                    f"Analysis {name!r} has no curve {wanted!r}.",
                    f"It has: {', '.join(results.curve_names)}.",
                )
            return Curve(wanted, results.curve(wanted), curve_quantity(wanted), style)

        chosen = tuple(curve(wanted.strip(), i) for i, wanted in enumerate(words.curves.split(",")))
        over = curve(words.over) if words.over else axis_curve(results)
        plot = curve_plot(run_title(name, results), over, chosen, session.project.units, words.view)
    finally:
        results.close()
    plot_writer_for(words.to).write(plot, words.to, PictureSettings(words.size, words.dark))


def _export_matrices(session: Any, words: argparse.Namespace) -> None:
    import sys

    from faying.errors import FayingError
    from faying.fem.matrix_export import write_matrices
    from faying.project.outputs import remember_outputs

    body = _body(session, words.matrices).name
    model, matrices = (_value(session, stage, body) for stage in ("model", "matrices"))
    try:
        # The folder may be new; then there was nothing to ask about.
        remember_outputs(write_matrices(words.to, model, matrices))
    except OSError as error:
        raise FayingError(
            f"{words.to} cannot be written: {error.strerror}.", "Choose another folder."
        ) from error
    if matrices.constraints.shape[0]:
        print(
            "Distributing couplings and cut bolts are not in stiffness and mass but beside them, as rows C x = 0 of "
            "constraints.npz: K and M alone let them move freely.",
            file=sys.stderr,
        )


def _export_model(session: Any, words: argparse.Namespace) -> None:
    import sys

    from faying.errors import FayingError
    from faying.fem.writers import write_model

    model = _value(session, "model", _body(session, words.model).name)
    try:
        left_out = write_model(model, words.to)
    except OSError as error:
        raise FayingError(
            f"{words.to} cannot be written: {error.strerror}.", "Choose another place."
        ) from error
    for sentence in left_out:
        print(sentence, file=sys.stderr)


def _export_pairs(session: Any, words: argparse.Namespace) -> None:
    from faying.errors import ModelError
    from faying.joints.pairs_file import write_pairs

    joints = [(body.name, joint.name) for body in session.project.bodies for joint in body.joints]
    chosen = [found for found in joints if words.pairs in ("", found[1])]
    if not chosen:
        known = ", ".join(name for _, name in joints) or "none"
        raise ModelError(f"There is no joint called {words.pairs!r}.", f"There are: {known}.")
    body, joint = chosen[0]
    pairs, model = _value(session, "pairs", body, joint), _value(session, "model", body)
    write_pairs(words.to, pairs, model, session.project.units)


def _body(session: Any, name: str) -> Any:
    """Return the body of that name; the first without a name."""
    from faying.errors import ModelError

    if not session.project.bodies:
        raise ModelError("The project has no body.", "Import a deck first.")
    return session.project.body(name or session.project.bodies[0].name)


def _value(session: Any, stage: str, body: str, item: str = "") -> Any:
    """Return what a stage computes, from the project file or computed now."""
    from faying.cli.terminal import TerminalProgress
    from faying.project.stage import Target

    target = Target(stage, body, item)
    with TerminalProgress() as progress:
        return session.pipeline.run(
            session.project, target, session.store, session.base, progress, session.memory
        )


def _exporter(path: Path) -> Any:
    """Return the exporter; for pictures only where OpenGL works, which a child process has tried."""
    import os

    from faying.cli import system
    from faying.errors import MissingDependencyError
    from faying.exporters import exporter_for

    if path.suffix.lower() in (".png", ".mp4", ".gif"):
        renderer, why = system.graphics_renderer()
        if not renderer:
            raise MissingDependencyError("No picture can be drawn on this machine.", why)
        os.environ.update(system.headless_environment())
    return exporter_for(path)


def _frames(chosen: int | None, count: int, many: bool) -> tuple[int, ...]:
    if chosen is None:
        return tuple(range(count)) if many else (count - 1,)
    return (chosen if chosen >= 0 else count + chosen,)


def _last_with_results(session: Any) -> str:
    import sys

    from faying.errors import ModelError
    from faying.exporters.earlier import EARLIER
    from faying.project.stage import target_of

    for analysis in reversed(session.project.analyses):
        target = target_of(analysis)
        state = session.pipeline.state(session.project, target, session.store, session.base)
        if state.key and session.store.results(state.key) is not None:
            return str(analysis.name)
    for analysis in reversed(session.project.analyses):
        state = session.pipeline.state(session.project, target_of(analysis), session.store, session.base)
        if state.earlier:
            why = "; ".join(state.why)
            print(f"The results of {analysis.name!r} are out of date: {why}.", file=sys.stderr)
            return f"{analysis.name}{EARLIER}"
    raise ModelError(f"{session.path.name} holds no results.", f"Run it first: faying run {session.path}")


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit()) or not (
        16 <= int(width) <= 16384 and 16 <= int(height) <= 16384
    ):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1280x720")
    return int(width), int(height)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)
