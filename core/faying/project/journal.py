"""The journal: a session as a Python script that repeats it."""

from collections.abc import Iterable
from pprint import pformat
from typing import Any, Protocol

import numpy as np
from pydantic import BaseModel

from faying.project.recorded import RecordedEdit
from faying.project.specs import Project

_HEAD = """{title}

import faying
from faying import edits

document = faying.Document(faying.Project{start})
"""
_FOOT = """
project = document.project
session = faying.Session(project)  # goes on: session.check(), session.solve("name of an analysis").field("pressure")
"""


class JournalEntry(Protocol):
    """Properties of a history entry used by the journal."""

    @property
    def label(self) -> str:
        """Label of the step."""

    @property
    def project(self) -> Project:
        """The project after it."""

    @property
    def edit(self) -> RecordedEdit | None:
        """The edit, if it can be written as code."""


def write_script(entries: Iterable[JournalEntry]) -> str:
    """Return a runnable script whose ``session`` has the last entry's project and can compute it.

    The first entry is the initial project. An edit without a record is replaced by one that sets the whole project.
    """
    first, *steps = entries
    table = _plain(first.project)
    start = "()" if not table else f".model_validate({_text(table, 4)})"
    last = steps[-1] if steps else first
    # Written as a literal, since an arbitrary name must not end the docstring.
    title = repr(f"Rebuilds the project {last.project.name!r}, step by step.")
    lines = [_HEAD.format(title=title, start=start)]
    for step in steps:
        lines.append(f"document.apply(\n    {step.label!r},\n    {_call(step)},\n)\n")
    lines.append(_FOOT)
    return "".join(lines)


class _Code(str):
    """Text that a script holds as it is, without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def _call(step: JournalEntry) -> str:
    if step.edit is None:
        return f"edits.replace_project({_text(step.project, 8)})"
    return _call_of(step.edit)


def _call_of(edit: RecordedEdit) -> str:
    arguments = ", ".join(f"{name}={_text(value, 8)}" for name, value in edit.arguments.items())
    return f"edits.{edit.name}({arguments})"


def _text(value: Any, indent: int) -> str:
    text = pformat(_plain(value), width=100, sort_dicts=False)
    return text.replace("\n", "\n" + " " * indent)


def _plain(value: Any) -> Any:
    if isinstance(value, RecordedEdit):
        return _Code(_call_of(value))
    if isinstance(value, BaseModel):
        return _plain(value.model_dump(exclude_unset=True))
    if isinstance(value, (np.generic, np.ndarray)):  # in the form used by scripts
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return type(value)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
