"""Output file of a run: it may replace the file of an earlier run of the same study, but never edited decisions."""

import os
from pathlib import Path

from faying.errors import FayingError, ReadError
from faying.fingerprint import fingerprint
from faying.project.file import OpenedProject, numbered_files, open_project, same_decisions
from faying.project.specs import Project


def identity_of(study: Path | str, variant: str = "") -> str:
    """Return a digest that identifies a study (by its path) or an example (by its name), and its variant."""
    place = os.path.realpath(study) if isinstance(study, Path) else f"example {study}"
    return fingerprint(f"{variant} {place}" if variant else place)


def place_of_run(out: Path, project: Project, study: Path | str, variant: str = "") -> Path:
    """Return the file that a run may write without asking: `out`, or `out` with a number appended to the name.

    A file may be replaced if it contains the same decisions, or was written by a run of this study and not edited
    since.

    Args:
        out: the requested file.
        project: the project to run, with absolute deck paths.
        study: its study file, or the name of an example.
        variant: variant of the study; "" for the study itself.

    Raises:
        FayingError: when `out` exists but is not a project readable by this version; it may be valuable.
    """
    identity = identity_of(study, variant)
    try:
        if not out.exists() or _may_be_replaced(open_project(out), project, identity):
            return out
    except ReadError as error:
        raise FayingError(
            f"{error.message} It was to be written, and stays as it is.",
            "Choose another name, or replace it with --force.",
        ) from error
    return next(place for place in numbered_files(out) if _is_free(place, project, identity))


def _may_be_replaced(there: OpenedProject, project: Project, identity: str) -> bool:
    return there.run_of == identity or same_decisions(there.project, project)


def _is_free(place: Path, project: Project, identity: str) -> bool:
    try:
        return not place.exists() or _may_be_replaced(open_project(place), project, identity)
    except ReadError:
        return False
