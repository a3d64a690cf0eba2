"""The files that a project reads from: decks with what they include, matrices, tables, wherever they are named."""

import os
from pathlib import Path
from typing import Any

from faying.fem.matrix_files import dof_list_beside
from faying.fem.readers import files_of_model, model_endings
from faying.project.file_names import with_file_names


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
