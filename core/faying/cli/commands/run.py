"""``faying run``: compute a study or project to its end, or to a stage, and write the project file."""

import argparse
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from faying.cli.commands import Command, commands
from faying.cli.force import declare_force

if TYPE_CHECKING:  # imported later: commands have to start quickly
    from faying.project.specs import Project
    from faying.project.store import ArtifactStore


@commands.register("run")
class Run(Command):
    """Checks, then runs all analyses; after an interruption it continues where it stopped."""

    summary = "check a study or project and run all its analyses"
    order = 20

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("file", type=Path, metavar="STUDY.toml|PROJECT.faying", help="the file to run")
        parser.add_argument(
            "--out",
            type=Path,
            metavar="FILE",
            help="project file to write (default: next to the study, or the project itself)",
        )
        parser.add_argument(
            "--until", metavar="STAGE", help="stop after this stage (model, pairs, basis, body, …)"
        )
        parser.add_argument(
            "--despite-errors",
            action="store_true",
            help="compute although the checks find errors, or memory seems too small",
        )
        parser.add_argument(
            "--restart",
            action="store_true",
            help="begin interrupted analyses at their start instead of going on from their last frame",
        )
        parser.add_argument(
            "--cluster",
            default="",
            metavar="ADDRESS|FILE",
            help="compute points of studies and sweeps on a cluster of dask.distributed: the address of its scheduler "
            "(tcp://node7:8786), or its scheduler file",
        )
        parser.add_argument(
            "--tied",
            action="store_true",
            help="first linear answer: all joints tied, whatever the file says; writes NAME-tied.faying",
        )
        declare_force(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Run; artifacts wait in FILE.work until the project file is whole."""
        from faying.cli.session import work_folder
        from faying.errors import FayingError
        from faying.project.lock import FolderInUse

        out = _place(args)
        work = work_folder(out)
        try:
            written, doubtful = self._compute(args, out)
        except FolderInUse:
            raise
        except (FayingError, KeyboardInterrupt):
            if any(work.glob("*.h5")):
                print(
                    f"computed results are kept in {work}; run again to continue from there", file=sys.stderr
                )
            raise
        print(f"written: {written}")
        if doubtful:
            print(f"doubtful: {', '.join(doubtful)}", file=sys.stderr)
        return 1 if doubtful else 0

    def _compute(self, args: argparse.Namespace, out: Path) -> tuple[Path, list[str]]:
        """Compute and return the file that was written, and the analyses whose results cannot be trusted."""
        from faying.cli.findings import SHARE, checked
        from faying.cli.session import opened, work_folder
        from faying.cli.terminal import TerminalProgress
        from faying.errors import FayingError
        from faying.linalg.room import tried_all_the_same
        from faying.parallel import computing_on
        from faying.parallel.cluster_address import address_of, who_else_may_use
        from faying.progress import PartialProgress, Progress, Silent
        from faying.project.deck import with_digests
        from faying.project.file import (
            ProjectChanged,
            decisions_in,
            open_project,
            save_project,
            unused_file,
        )
        from faying.project.outputs import is_same_file
        from faying.project.run_place import identity_of

        if args.cluster and (sentence := who_else_may_use(address_of(args.cluster))):
            print(f"warning {sentence}", file=sys.stderr)
        run_of = None if is_same_file(args.file, out) else identity_of(args.file, _variant(args))
        below = out if out.exists() else _wanted(args)  # its results are reused where the decisions agree
        with opened(args.file, work_folder(out), below) as session, TerminalProgress() as progress:
            before = decisions_in(out)
            # A study has no view state; that of the replaced project file is kept.
            view = session.view or (open_project(out).view if before not in ("", "unreadable") else "")
            project = session.project = with_digests(_decided(session.project, args), session.base)
            targets = session.targets(args.until)

            def save(path: Path, replaces: str, progress: Progress) -> None:
                recipes = session.pipeline.reached(project, session.store, session.base)
                save_project(
                    path, project, view, session.store, recipes,
                    base=session.base, progress=progress, replaces=replaces, run_of=run_of,
                )  # fmt: skip

            def saved(progress: Progress) -> Path:
                try:
                    save(out, before, progress)
                except ProjectChanged as change:
                    # Neither decisions made in the meantime nor computed results may be lost.
                    beside = unused_file(out)
                    save(beside, "", progress)
                    print(f"{change.message} It stays as it is.", file=sys.stderr)
                    return beside
                return out

            try:
                with (
                    checked(session, targets, progress, despite_errors=args.despite_errors),
                    tried_all_the_same() if args.despite_errors else nullcontext(),
                    computing_on(args.cluster),
                ):
                    session.compute_all(targets, PartialProgress(progress, SHARE, 1.0), restart=args.restart)
            except (FayingError, KeyboardInterrupt):
                if _has_frames(session.store):
                    progress.finish()
                    with suppress(FayingError):  # a full disk: files so far stay in the work folder
                        print(f"computed results and the frames so far: {saved(Silent())}", file=sys.stderr)
                raise
            return saved(progress), session.doubtful(targets)


def _has_frames(store: "ArtifactStore") -> bool:
    """Return whether there are results in the folder, of finished runs or of interrupted ones."""
    return any(store.folder.glob("*.results.h5")) or any(store.folder.glob("*.partial.h5*"))


def _wanted(args: argparse.Namespace) -> Path:
    """Return the output file that the user requested."""
    from faying.project.file import EXTENSION

    file: Path = args.file
    if args.out is None and args.tied:
        return file.with_name(f"{file.stem}-tied{EXTENSION}")
    return args.out or file.with_suffix(EXTENSION)  # type: ignore[no-any-return]


def _variant(args: argparse.Namespace) -> str:
    return "all joints tied" if args.tied else ""


def _decided(project: "Project", args: argparse.Namespace) -> "Project":
    """Return the project to run: that of the file, or with all joints tied (--tied), which is reported on stderr.

    Raises:
        FayingError: for joints to be tied in a project without any.
    """
    from faying.errors import FayingError
    from faying.project.tied import all_tied

    if not args.tied:
        return project
    if not any(body.joints for body in project.bodies):
        raise FayingError(f"{args.file.name} has no joints to tie.", "Run it without --tied.")
    found, left_out = all_tied(project)
    print("All joints are tied: a first answer without contact and friction.", file=sys.stderr)
    if left_out:
        print(f"Left out, since they need contact: {', '.join(left_out)}.", file=sys.stderr)
    return found


def _place(args: argparse.Namespace) -> Path:
    """Return the file to write; another one than requested if that has decisions made since its last run.

    Raises:
        FayingError: when it cannot be written; nothing has been computed then.
    """
    from faying.errors import FayingError
    from faying.project.file import EXTENSION
    from faying.project.file_names import files_read
    from faying.project.outputs import check_output, is_same_file, make_folder
    from faying.project.run_place import place_of_run
    from faying.project.tied import all_tied
    from faying.session import read_decisions

    out = _wanted(args)
    project = read_decisions(args.file)[0]
    if args.tied:
        if is_same_file(args.file, out):
            raise FayingError(
                f"{out} decides what its joints do; --tied does not write into it.", "Choose another --out."
            )
        project = all_tied(project)[0]
    reads = files_read(project, args.file.absolute().parent)
    make_folder(out.parent, "Choose another --out.")
    check_output(out, (EXTENSION,), reads, replace=True)  # an existing file is examined below
    if args.force or is_same_file(args.file, out):
        return out
    place = place_of_run(out, project, args.file, _variant(args))
    if place != out:
        print(
            f"{out} holds decisions that are not those of {args.file.name} and were not left there by its last run. "
            f"It stays as it is, and this run writes {place}; --force replaces it.",
            file=sys.stderr,
        )
        check_output(place, (EXTENSION,), reads, replace=True)
    return place
