"""``faying demo``: an example to the end: numbers, project, picture, film, and the window if there is a screen."""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force

MOST_FILM_FRAMES, QUICK_FILM_FRAMES = 120, 40


@commands.register("demo")
class Demo(Command):
    """Runs an example and compares its numbers with the expected ones."""

    summary = "run an example to the end and compare its numbers"
    order = 10

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "name",
            metavar="NAME",
            nargs="?",
            default="",
            help="the example or study, for instance friction-bar; without a name all are listed",
        )
        parser.add_argument(
            "--out", type=Path, metavar="DIR", help="where files go (default: ./faying-demo/NAME)"
        )
        parser.add_argument("--quick", action="store_true", help="fewer frames, shorter time, every station")
        parser.add_argument(
            "--size",
            default="",
            metavar="SIZE",
            help="of an example that comes in several: small, medium, full",
        )
        parser.add_argument("--no-window", action="store_true", help="do not open the window at the end")
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Run; 0 only when every expected number held and every file is there."""
        from faying.errors import FayingError, there_are
        from faying.examples import examples
        from faying.project.outputs import check_output, make_folder, remember_outputs, stamps, written_since
        from faying.studies import studies

        if not args.name:
            titles = {name: each.title for name, each in studies.items()}
            titles |= {name: each.title for name, each in examples.items()}
            width = max(map(len, titles))
            print("\n".join(f"{name:{width}}  {titles[name]}" for name in sorted(titles)))
            return 0
        if args.name not in studies and args.name not in examples:
            raise FayingError(
                f"There is no example called {args.name!r}.",
                there_are(args.name, sorted([*examples, *studies]), "Known are"),
            )
        sizes = examples[args.name]().sizes if args.name in examples else ()
        if args.size and args.size not in sizes:
            raise FayingError(
                f"{args.name} does not come in the size {args.size!r}.",
                there_are(args.size, sizes, "Its sizes are") if sizes else "Leave --size out.",
            )
        # Everything that can be refused is checked before anything is written.
        folder: Path = args.out or Path("faying-demo") / args.name
        make_folder(folder, "Choose another with --out.")
        there = _files(args.name, folder)
        for path in there:  # before a run of hours, not after it
            check_output(path, replace=args.force)
        before = stamps(there)
        # A study may have the name of the example that it is about; `faying studies` runs it.
        run = _demonstrate_project if args.name in examples else _demonstrate_study
        try:
            return run(args, folder)
        finally:
            # A file of the user's that is named like an output and was not replaced stays the user's.
            remember_outputs(written_since(before, _files(args.name, folder)))


def _files(name: str, folder: Path) -> list[Path]:
    """Return the existing files that are named like outputs of a demo, without the project file."""
    patterns = ("summary.json", f"{name}.png", f"{name}.mp4", f"{name}-*.csv", f"{name}-*.png")
    return sorted(path for pattern in patterns for path in folder.glob(pattern))


def _demonstrate_study(args: argparse.Namespace, folder: Path) -> int:
    """Run a study; it has no project, so no window opens."""
    from faying.cli.study_demo import run_study
    from faying.cli.terminal import TerminalProgress
    from faying.studies import studies

    study = studies[args.name]
    print(f"{study.title}: {study.summary}", flush=True)
    with TerminalProgress() as progress:
        summary = run_study(args.name, folder, args.quick, progress)
    return 0 if _finish(summary, folder) else 1


def _demonstrate_project(args: argparse.Namespace, folder: Path) -> int:
    """Run the project of an example and draw it."""
    from faying.cli import system
    from faying.cli.findings import checked
    from faying.cli.session import work_folder, working_in
    from faying.cli.study_demo import write_plots, write_tables
    from faying.cli.terminal import TerminalProgress
    from faying.examples import ExampleRun, examples, summary_of
    from faying.project.file import save_project
    from faying.project.outputs import check_output
    from faying.project.run_place import identity_of, place_of_run
    from faying.project.store import ArtifactStore

    example = examples[args.name]()
    project = example.of_size(args.size, args.quick) if args.size else example.build(args.quick)
    wanted = file = folder / f"{args.name}.faying"
    if not args.force:
        file = place_of_run(wanted, project, args.name)
    check_output(file, replace=True)
    print(f"{example.title}: {example.summary}", flush=True)
    if file != wanted:
        print(f"{wanted} holds other decisions and stays as it is; this run writes {file}.", file=sys.stderr)
    with working_in(work_folder(file)) as work, TerminalProgress() as progress:
        run = ExampleRun(project, ArtifactStore(work), progress)
        session = run.session
        targets = session.targets()
        # Findings do not stop an example: its expected numbers decide whether it passes.
        with checked(session, targets, progress, despite_errors=True, on_step=run.count_time):
            run.run_analyses()
        tables = example.tables(run)
        summary = summary_of(args.name, run, example.measure(run), tables, args.quick)
        write_tables(args.name, tables, folder)
        write_plots(args.name, {plot.name: plot.draw(run) for plot in example.plots}, folder)
        recipes = session.pipeline.reached(run.project, run.store, session.base)
        identity = identity_of(args.name)
        save_project(file, run.project, "", run.store, recipes, progress=progress, run_of=identity)
        missing = _draw(example, run, folder / args.name, args.quick, summary, progress)
        doubtful = session.doubtful(targets)
    passed = _finish(summary, folder)
    if doubtful:
        print(f"doubtful: {', '.join(doubtful)}", file=sys.stderr)
    if missing and not system.has_window():
        print(f"no picture and no film: {missing}", file=sys.stderr)
        missing = ""
    if missing:
        print(f"error: there is no picture and no film. {missing}", file=sys.stderr)
    if not args.no_window and not os.environ.get("CI"):
        _open_window(file)
    return 0 if passed and not missing and not doubtful else 1


def _finish(summary: dict[str, Any], folder: Path) -> bool:
    """Write the summary and print it; return whether all numbers held."""
    from faying.atomic import write_text
    from faying.cli.json_text import json_text

    write_text(folder / "summary.json", json_text(summary) + "\n")
    passed = _tell(summary)
    print(f"files are in {folder.absolute()}")
    return passed


def _draw(example: Any, run: Any, stem: Path, quick: bool, summary: dict[str, Any], progress: Any) -> str:
    """Write picture and film (of a quick run a shorter one); return why they cannot be drawn, "" when they are."""
    import time

    from faying.cli import system
    from faying.exporters import ExportSettings, exporter_for
    from faying.exporters.systems import write_content
    from faying.progress import PartialProgress
    from faying.results.results import swings

    renderer, why = system.graphics_renderer()
    if not renderer:
        return why if example.picture or example.film else ""
    os.environ.update(system.headless_environment())
    most = QUICK_FILM_FRAMES if quick else MOST_FILM_FRAMES
    for name, shown, extension in (("picture", example.picture, ".png"), ("film", example.film, ".mp4")):
        if shown is None:
            continue
        analysis, field = shown
        began = time.perf_counter()
        content = run.session.shown(analysis)
        count = content.n_frames
        # A film of some seconds is enough: of a long run every second frame, or fewer; of periodic motions the last.
        plays = name == "film" and not swings(content.frames)
        frames = range(0, count, -(-count // most)) if plays else (count - 1,)
        path = stem.with_name(stem.name + extension)
        settings, part = ExportSettings(field, tuple(frames)), PartialProgress(progress, 0.0, 1.0, name)
        write_content(exporter_for(path), content, settings, path, part)
        summary["seconds"][name] = round(time.perf_counter() - began, 3)
    return ""


def _tell(summary: dict[str, Any]) -> bool:
    """Print the quantities as a table; return whether all held."""
    from faying.cli.terminal import table

    heads = ("quantity", "value", "reference", "kind of reference", "tolerance", "held")
    rows = [
        (
            q["name"],
            f"{q['value']:.6g} {q['unit']}".rstrip(),
            f"{q['reference']:.6g}",
            q["reference_kind"],
            f"{100 * q['tolerance']:.3g} %" if q["reference"] else f"{q['tolerance']:.3g}",
            "yes" if q["passed"] else "NO",
        )
        for q in summary["quantities"]
    ]
    print(table(rows, heads))
    for found in summary.get("tables", {}).values():
        print(table([[str(cell) for cell in row] for row in found[1:]], tuple(found[0])))
    print(", ".join(f"{count} {name.replace('_', ' ')}" for name, count in summary["counts"].items()))
    return all(q["passed"] for q in summary["quantities"])


def _open_window(file: Path) -> None:
    """Open the window in a separate process, so that its end does not change the exit code."""
    from faying.cli import system

    why = system.why_no_window()
    if why:
        print(f"no window: {why}")
        return
    subprocess.run([sys.executable, "-m", "faying", "gui", str(file)], check=False)
