"""What a form needs of the place where it lives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from faying.project.paths import SpecPath
from faying.project.recorded import Edit


@dataclass(frozen=True)
class Suggestion:
    """A member's parameters as the program would choose them.

    Attributes:
        text: what is suggested, what it is based on, and its effect.
        label: of the step that takes it.
        edit: returns the edit that takes it, or raises ModelError when the member cannot follow; None when the
            member is as suggested.
    """

    text: str
    label: str
    edit: Callable[[], Edit] | None


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

    def picker(self, path: SpecPath, what: Literal["face", "node"]) -> Callable[[], None] | None:
        """Return what lets the user pick the surface or node at a path in the 3D view; None when one cannot."""

    def suggestion(self, path: SpecPath) -> Suggestion | None:
        """Return what is suggested for the member at a path; None when nothing is."""

    def duration(self, path: SpecPath) -> float:
        """Return the time over which the load history at a path is of interest."""

    def apply(self, label: str, edit: Edit) -> None:
        """Apply an edit.

        Raises:
            ModelError: when it is not allowed.
        """
