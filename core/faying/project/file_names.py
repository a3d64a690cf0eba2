"""Files that decisions name (parameters with `choices="file"`): their paths, contents, and what they include."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from faying.errors import ModelError
from faying.fem.matrix_files import dof_list_beside
from faying.fem.readers import files_of_model, model_endings
from faying.fingerprint import file_digest, fingerprint
from faying.params import Spec, fields_of

T = TypeVar("T")


def with_file_names(value: T, change: Callable[[str], str]) -> T:
    """Return a spec, or a tuple of specs, in which every file name is replaced by ``change(name)``.

    Empty names stay empty: they say that there is no file.
    """
    changed: Any = value
    if isinstance(value, tuple):
        items = tuple(with_file_names(item, change) for item in value)
        changed = items if items != value else value
    elif isinstance(value, Spec):
        changes = {}
        for name, _, extra in fields_of(value):
            inner = getattr(value, name)
            if extra.get("choices") == "file":
                after = change(inner) if inner else inner
            else:
                after = with_file_names(inner, change)
            if after != inner:
                changes[name] = after
        changed = value.with_(**changes) if changes else value
    return changed  # type: ignore[no-any-return]


def with_absolute_files(value: T, base: Path) -> T:
    """Return a spec whose file names are absolute paths; relative ones count from `base`."""
    return with_file_names(value, lambda name: os.path.normpath(base.absolute() / name))


def with_file_contents(value: T, base: Path) -> T:
    """Return a spec in which the fingerprints of the files' contents stand for their names; for keys.

    A list of degrees of freedom that stands beside a file belongs to its contents.

    Raises:
        ModelError: when a file cannot be read.
    """

    def digest(name: str) -> str:
        path = Path(os.path.normpath(base.absolute() / name))
        try:
            beside = dof_list_beside(path)
            own = file_digest(path)
            return own if beside is None else fingerprint(own, file_digest(beside))
        except OSError as error:
            reason = (
                "is not there"
                if isinstance(error, FileNotFoundError)
                else f"cannot be read ({error.strerror})"
            )
            raise ModelError(f"The file {path} {reason}.", "Put it there, or choose it again.") from None

    return with_file_names(value, digest)


def files_read(decisions: Any, base: Path) -> dict[Path, Path]:
    """Return each file that is read from, with the file that names it, which is itself for decisions.

    Files that are not there count, too, as far as a decision names them.

    Args:
        decisions: a project, or a tuple of other specs.
        base: folder from which relative paths count.
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
        except OSError:  # a reader says what is wrong
            more = []
        for file in more:
            if file is not None:
                found.setdefault(Path(os.path.normpath(file)), path)
        return name

    with_file_names(decisions, collect)
    return found
