"""Files named by decisions (parameters with `choices="file"`): paths, contents and included files."""

import operator
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from faying.analyses.sweep import Sweep, VariedDecision
from faying.errors import ModelError
from faying.fem.matrix_files import dof_list_beside
from faying.fem.readers import files_of_model, model_endings
from faying.fingerprint import file_digest, fingerprint
from faying.params import Spec, fields_of
from faying.project.decisions import Decision, decision_of
from faying.project.deck import deck_digest
from faying.project.paths import field_at
from faying.project.specs import Project

T = TypeVar("T")


def with_file_names(value: T, change: Callable[[str], str]) -> T:
    """Return a spec, or a tuple of specs, with every file name replaced by ``change(name)``.

    Empty names mean no file and stay empty. In a project, file names among the values of sweeps are replaced too.
    """
    changed: Any = value
    if isinstance(value, tuple):
        items = tuple(with_file_names(item, change) for item in value)
        changed = value if all(map(operator.is_, items, value)) else items
    elif isinstance(value, Spec):
        changes: dict[str, Any] = {}
        for name, is_file in _looked_at(type(value)):
            inner = getattr(value, name)
            if is_file:
                after = change(inner) if inner else inner
                after = inner if after == inner else after
            else:
                after = with_file_names(inner, change) if isinstance(inner, (tuple, Spec)) else inner
            if (
                after is not inner
            ):  # specs that nothing has changed are the same ones: no need to compare them
                changes[name] = after
        changed = value.with_(**changes) if changes else value
    if isinstance(changed, Project):
        analyses = tuple(
            with_varied_files(a, changed, change) if isinstance(a, Sweep) else a for a in changed.analyses
        )
        changed = changed.with_(analyses=analyses) if analyses != changed.analyses else changed
    return changed  # type: ignore[no-any-return]


@cache
def _looked_at(kind: type[Spec]) -> tuple[tuple[str, bool], ...]:
    """Return the name of each parameter of a spec, and whether it is the name of a file."""
    return tuple((name, extra.get("choices") == "file") for name, _, extra in fields_of(kind))


def with_varied_files(sweep: Sweep, project: Project, change: Callable[[str], str]) -> Sweep:
    """Return a sweep with file names among the values of its decisions replaced by ``change(name)``.

    Args:
        sweep: sweep of the project; decisions missing in the project stay unchanged.
        project: project with the decisions.
        change: returns the new name.
    """

    def changed(varied: VariedDecision) -> VariedDecision:
        if not any(isinstance(value, str) for value in varied.values):
            return varied
        try:
            named = names_file(project, decision_of(project, varied.decision))
        except ModelError:  # reported when the sweep is computed
            return varied
        values = tuple(change(v) if named and v and isinstance(v, str) else v for v in varied.values)
        return varied.with_(values=values) if values != varied.values else varied

    variations = tuple(changed(varied) for varied in sweep.variations)
    return sweep.with_(variations=variations) if variations != sweep.variations else sweep


def names_file(project: Project, decision: Decision) -> bool:
    """Return whether a decision is the name of a file."""
    extra = field_at(project, decision.path).json_schema_extra
    return isinstance(extra, dict) and extra.get("choices") == "file"


def with_absolute_files(value: T, base: Path) -> T:
    """Return a spec with absolute file names; relative ones are relative to `base`."""
    return with_file_names(value, lambda name: os.path.normpath(base.absolute() / name))


def with_file_contents(value: T, base: Path) -> T:
    """Return a spec with file names replaced by content fingerprints, for keys.

    Raises:
        ModelError: when a file cannot be read.
    """
    return with_file_names(value, lambda name: file_content(name, base))


def file_content(name: str, base: Path) -> str:
    """Return the fingerprint of a file's contents.

    Files included by a deck, and a list of degrees of freedom found next to a file, belong to its contents.

    Raises:
        ModelError: when a file cannot be read.
    """
    path = Path(os.path.normpath(base.absolute() / name))
    try:
        beside = dof_list_beside(path)
        own = deck_digest(path)
        return own if beside is None else fingerprint(own, file_digest(beside))
    except OSError as error:
        reason = (
            "is not there" if isinstance(error, FileNotFoundError) else f"cannot be read ({error.strerror})"
        )
        raise ModelError(f"The file {path} {reason}.", "Put it there, or choose it again.") from None


def files_read(decisions: Any, base: Path) -> dict[Path, Path]:
    """Return each file to read, with the file that names it; a file named by a decision is its own.

    Missing files are included if a decision names them.

    Args:
        decisions: a project, or a tuple of other specs.
        base: folder of relative paths.
    """
    found: dict[Path, Path] = {}

    def collect(name: str) -> str:
        path = Path(os.path.normpath(base.absolute() / name))
        found[path] = path
        try:
            more: list[Path | None] = (
                [*files_of_model(path)] if path.suffix.lower() in model_endings() else []
            )
            if not more or path.suffix.lower() == ".npz":  # holds a reduced body, or a matrix
                more.append(dof_list_beside(path))
        except OSError:  # the reader will report the error
            more = []
        for file in more:
            if file is not None:
                found.setdefault(Path(os.path.normpath(file)), path)
        return name

    with_file_names(decisions, collect)
    return found
