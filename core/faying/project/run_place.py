"""Where a run writes: over what an earlier run of the same study wrote, never over what somebody decided."""

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
    """Return the file that a run may write without asking: `out`, or one beside it with a number behind its name.

    A file may be replaced when it holds the same decisions, or when a run of this study wrote it and nobody has decided
    anything in it since.

    Args:
        out: where the user wants it.
        project: what is run, decks absolute.
        study: the file it was read from, or the name of an example.
        variant: in which it is run; "" for the study as it is.

    Raises:
        FayingError: when `out` is there but no project that this version reads; it may be worth keeping.
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
