"""``faying run``: compute a study or project to its end, or to a stage, and write the project file."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from faying.cli.commands import Command, commands

if TYPE_CHECKING:  # the help of all commands must come at once
    from faying.project.pipeline import Pipeline
    from faying.project.specs import Project
    from faying.project.stage import Target


@commands.register("run")
class Run(Command):
    """Checks, then runs all analyses; after an interruption it goes on where it stopped."""

    summary = "check a study or project and run all its analyses"
    order = 20

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("file", type=Path, metavar="STUDY.toml|PROJECT.faying", help="what to run")
        parser.add_argument(
            "--out",
            type=Path,
            metavar="FILE",
            help="project file to write (default: beside the study, or itself)",
        )
        parser.add_argument(
            "--until", metavar="STAGE", help="stop after this stage (model, pairs, basis, body, …)"
        )
        parser.add_argument(
            "--despite-errors", action="store_true", help="compute although the checks find errors"
        )

    def run(self, words: argparse.Namespace) -> int:
        """Run; artifacts wait in FILE.work until the project file is whole."""
        from faying.cli.session import work_folder
        from faying.errors import FayingError
        from faying.project.file import EXTENSION
        from faying.project.lock import FolderInUse

        out: Path = words.out or words.file.with_suffix(EXTENSION)
        work = work_folder(out)
        try:
            written = self._compute(words.file, out, words.until, words.despite_errors)
        except FolderInUse:
            raise
        except (FayingError, KeyboardInterrupt):
            if any(work.glob("*.h5")):
                print(f"what is finished stays in {work}; run again to go on from there", file=sys.stderr)
            raise
        print(f"written: {written}")
        return 0

    def _compute(self, file: Path, out: Path, until: str | None, despite_errors: bool) -> Path:
        """Compute and return the file that was written."""
        from faying.cli.findings import SHARE, checked
        from faying.cli.session import opened, work_folder
        from faying.cli.terminal import TerminalProgress
        from faying.progress import Part
        from faying.project.deck import with_digests
        from faying.project.file import ProjectChanged, decisions_in, save_project, unused_file

        before = decisions_in(out)
        with opened(file, work_folder(out), out) as session, TerminalProgress() as progress:
            project = session.project = with_digests(session.project, session.base)
            targets = _targets(session.pipeline, project, until)
            with checked(session, targets, progress, despite_errors=despite_errors):
                rest = Part(progress, SHARE, 1.0)
                for i, target in enumerate(targets):
                    part = Part(rest, i / len(targets), (i + 1) / len(targets))
                    session.pipeline.run(project, target, session.store, session.base, part, session.memory)
            recipes = session.pipeline.reached(project, session.store, session.base)

            def save(path: Path, replaces: str) -> None:
                save_project(
                    path, project, session.view, session.store, recipes,
                    base=session.base, progress=progress, replaces=replaces,
                )  # fmt: skip

            try:
                save(out, before)
            except ProjectChanged as change:
                # Neither what somebody decided meanwhile nor what was computed may be lost.
                beside = unused_file(out)
                save(beside, "")
                print(f"{change.message} It stays as it is.", file=sys.stderr)
                return beside
            return out


def _targets(pipeline: "Pipeline", project: "Project", until: str | None) -> "tuple[Target, ...]":
    """Return what is to be computed: all of a stage, else all analyses, of bodies without any the reduced ones."""
    from faying.project.stage import target_of

    if until or not project.analyses:
        return pipeline.targets_of(project, until or "body")
    return tuple(target_of(analysis) for analysis in project.analyses)
