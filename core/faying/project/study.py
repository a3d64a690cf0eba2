"""Study files: a project's decisions as TOML, with the same names as in forms and the project file."""

import re
import tomllib
from pathlib import Path
from typing import Any

import tomli_w

from faying.atomic import write_text
from faying.errors import FayingError, ModelError, ReadError
from faying.input_files import content_of_file
from faying.project.file_names import with_absolute_files, with_file_names
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.specs import Project
from faying.project.study_edited import edited_text, has_comments, same_project
from faying.project.toml_lines import TomlLines


def read_study(path: str | Path) -> Project:
    """Return the project of a study file; deck paths become absolute, relative to the file's folder.

    Raises:
        ReadError: when the file is missing, is not TOML (with the line), or a parameter is invalid (with its path).
    """
    path = Path(path)
    try:
        text = content_of_file(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise ReadError(
            path, None, "there is no such study file.", f"Looked in {path.absolute().parent}."
        ) from None
    except IsADirectoryError:
        raise ReadError(path, None, "this is a folder.", "Name the study file in it.") from None
    except UnicodeDecodeError:
        raise ReadError(path, None, "this is not a text file.", "A study file is TOML text.") from None
    except OSError as error:
        raise ReadError(path, None, f"the file cannot be read ({error.strerror}).") from None
    return study_of(text, path)


def study_of(text: str, path: Path) -> Project:
    """Return the project of a study's text; `path` is its file.

    Raises:
        ReadError: as `read_study`.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, error) from None
    except (RecursionError, ValueError) as error:  # an integer of thousands of digits is a ValueError
        why = (
            "its lists or tables are nested too deep"
            if isinstance(error, RecursionError)
            else "a number is too long"
        )
        raise ReadError(path, None, f"{why}.", "Correct the file.") from None
    try:
        project = project_from_dict(table, lambda place: TomlLines(text).line(place))
    except ModelError as error:
        raise ReadError(path, None, error.message, error.hint) from None
    return with_absolute_decks(project, path.absolute().parent)


def write_study(project: Project, path: str | Path, base: Path | None = None) -> None:
    """Write a study file; decks inside the file's folder get relative paths, all others absolute ones.

    Default values are written too, so that a study does not change its meaning with later defaults. A study of the same
    project in that place, with comments, keeps them: there only what differs is written again.

    Args:
        project: the project to write.
        path: the file; it is replaced in one step.
        base: folder of the project's relative deck paths; the current one by default.

    Raises:
        FayingError: when it cannot be written.
    """
    path = Path(path)
    text = _edited(project, path, base) or study_text(
        project, path.absolute().parent, base, complete=True, empty=False
    )
    try:
        write_text(path, text)
    except OSError as error:
        raise FayingError(
            f"The study could not be written to {path} ({error.strerror or error}).",
            "Choose another place, or free some space there.",
        ) from error


def study_text(
    project: Project,
    folder: Path | None,
    base: Path | None = None,
    *,
    complete: bool = False,
    empty: bool = True,
) -> str:
    """Return the text of a study file in `folder`; None writes all decks with absolute paths.

    Default values are omitted unless `complete`; empty ones only if `empty` is set.
    """
    return tomli_w.dumps(
        _plain(project, folder, base, complete=complete, empty=empty), multiline_strings=True
    )


def _plain(
    project: Project, folder: Path | None, base: Path | None, *, complete: bool, empty: bool
) -> dict[str, Any]:
    absolute = with_absolute_decks(project, base or Path.cwd())
    if folder is not None:
        absolute = with_file_names(absolute, lambda file: _relative(file, folder))
    return project_to_dict(absolute, complete=complete, empty=empty)


def _edited(project: Project, path: Path, base: Path | None) -> str:
    """Return the text of the study that is in a place with a project's decisions; "" when it has no comments to keep.

    It is read again, so that comments never cost a decision.
    """
    try:
        text = content_of_file(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""
    if not has_comments(text):
        return ""
    wanted = with_absolute_decks(project, base or Path.cwd())
    try:
        there = study_of(text, path)
        folder = path.absolute().parent
        before, after = (_plain(each, folder, None, complete=True, empty=False) for each in (there, wanted))
        if not same_project(before, after):
            return ""
        edited = edited_text(text, before, after)
        return edited if study_of(edited, path) == wanted else ""
    except ReadError:
        return ""


def with_absolute_decks(project: Project, base: Path) -> Project:
    """Return the project with absolute paths of decks and other files."""
    return with_absolute_files(project, base)


def _relative(file: str, folder: Path) -> str:
    try:
        return Path(file).relative_to(folder).as_posix()
    except ValueError:
        return file


def _syntax_error(path: Path, error: tomllib.TOMLDecodeError) -> ReadError:
    """Python 3.14 has attributes for it; before, the place is in the message: "… (at line 3, column 5)"."""
    found = re.match(r"(.*) \(at line (\d+), column (\d+)\)$", str(error))
    if not found:
        return ReadError(path, None, f"this is not TOML: {error}.", "Check the end of the file.")
    message, line, column = found.groups()
    return ReadError(
        path,
        int(line),
        f"this is not TOML (column {column}): {message}.",
        "Check quotes, brackets and commas.",
    )
