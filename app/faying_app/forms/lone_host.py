"""A place for a form outside of any project: one spec, whose edits stay there."""

from collections.abc import Callable, Sequence
from typing import Any

from faying.errors import FayingError
from faying.params import Spec, parameter
from faying.project.paths import SpecPath, value_at
from faying.project.recorded import Edit
from faying.project.specs import Project
from faying.units import with_units
from faying_app.forms.host import Suggestion

LONE: SpecPath = ("lone",)
"""Path of the spec."""


class _Around(Project):
    """The spec's container: forms edit projects."""

    lone: Any = parameter(None, title="Edited", meaning="What is edited.")


class LoneHost:
    """Takes the edits of a stand-alone form; the window's project does not change.

    Args:
        spec: what is edited first.
        units: in which it is.
        names: what its parameters may refer to.
        edited: called after each edit.
    """

    def __init__(
        self,
        spec: Spec,
        units: str = "mm-t-s",
        names: Sequence[str] = (),
        edited: Callable[[], None] | None = None,
    ) -> None:
        self.units, self._names, self._edited = units, list(names), edited
        self.project: Project = _Around.model_validate({"name": "lone", "units": units, "lone": spec})
        self.edits = 0

    @property
    def spec(self) -> Spec:
        """The spec as it is now."""
        found = self.value(LONE)
        assert isinstance(found, Spec)
        return found

    def value(self, path: SpecPath) -> Any:
        """Return what is at a path."""
        return value_at(self.project, path)

    def names(self, choices: str, path: SpecPath) -> list[str]:
        """Return the same names for whatever a parameter refers to."""
        return self._names

    def picker(self, path: SpecPath, what: str) -> Callable[[], None] | None:
        """Return None: nothing is picked for it."""
        return None

    def opener(self, path: SpecPath) -> Callable[[], None] | None:
        """Return None: there is no larger editor."""
        return None

    def suggestion(self, path: SpecPath) -> Suggestion | None:
        """Return None: nothing is suggested."""
        return None

    def duration(self, path: SpecPath) -> float:
        """Return 1: nothing says how long a load history is of interest."""
        return 1.0

    def apply(self, label: str, edit: Edit) -> None:
        """Edit the spec; raises ModelError when it is not allowed."""
        try:
            self.project = edit(self.project)
        except FayingError as error:
            error.reword(lambda text: with_units(text, self.units))
            raise
        self.edits += 1
        if self._edited is not None:
            self._edited()
