"""What a form needs of the place where it lives."""

from collections.abc import Callable
from typing import Any, Protocol

from faying.project.paths import SpecPath
from faying.project.recorded import Edit


class FormHost(Protocol):
    """Answers a form's questions about the project and takes its edits."""

    @property
    def units(self) -> str:
        """Unit system of the project."""

    def value(self, path: SpecPath) -> Any:
        """Return what is at a path of the project."""

    def names(self, choices: str, path: SpecPath) -> list[str]:
        """Return the names that a parameter at a path may refer to."""

    def opener(self, path: SpecPath) -> Callable[[], None] | None:
        """Return what opens a larger editor for the member at a path; None when there is none."""

    def apply(self, label: str, edit: Edit) -> None:
        """Apply an edit.

        Raises:
            ModelError: when it is not allowed.
        """
