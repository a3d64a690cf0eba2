"""Recorded edits: pure functions ``Project -> Project`` with their name and arguments."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from faying.project.specs import Project

P = ParamSpec("P")
Edit = Callable[[Project], Project]


@dataclass(frozen=True)
class RecordedEdit:
    """An edit with the data needed to write it as code and to repeat it.

    Attributes:
        name: of the function in `faying.project.edits`.
        arguments: by name, as given.
        function: the edit itself.
    """

    name: str
    arguments: Mapping[str, Any]
    function: Callable[..., Project]

    def __call__(self, project: Project) -> Project:
        """Return the edited project."""
        return self.function(project, **self.arguments)


def edit(function: Callable[Concatenate[Project, P], Project]) -> Callable[P, RecordedEdit]:
    """Turn ``f(project, …) -> Project`` into ``f(…) -> RecordedEdit``."""
    signature = inspect.signature(function)
    first = next(iter(signature.parameters))

    @wraps(function)
    def make(*args: P.args, **kwargs: P.kwargs) -> RecordedEdit:
        given = dict(signature.bind(None, *args, **kwargs).arguments)
        del given[first]
        return RecordedEdit(function.__name__, given, function)

    return make
