"""Errors that a user can cause: each is a sentence that names the thing, the place and the next step.

Programming mistakes remain ordinary exceptions (`ValueError`, `AssertionError`, …) and are never hidden;
a `FayingError` is shown to the user without a traceback.
"""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path


class FayingError(Exception):
    """A problem that the user can understand and fix.

    Args:
        message: one sentence: what is wrong, with the name of the thing and the place.
        hint: what to do next, as a sentence; may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def reword(self, change: Callable[[str], str]) -> None:
        """Replace message and hint by ``change(text)``; for callers that know more than the code that raised it."""
        self.message, self.hint = change(self.message), change(self.hint)
        self.args = tuple(change(each) if isinstance(each, str) else each for each in self.args)


class RefusedError(FayingError):
    """A computation that was refused before it began, but can be tried despite the reason.

    Args:
        message, hint: see `FayingError`.
        despite: how to try it from the command line, as a sentence; a window has a button for it.
    """

    def __init__(self, message: str, hint: str = "", despite: str = "") -> None:
        super().__init__(message, hint)
        self.args = (message, hint, despite)
        self.despite = despite

    def reword(self, change: Callable[[str], str]) -> None:
        """Replace all three texts by ``change(text)``."""
        super().reword(change)
        self.despite = change(self.despite)

    def __str__(self) -> str:
        return f"{super().__str__()} {self.despite}".strip()


class ReadError(FayingError):
    """A file with invalid content; names file, line and the expected content."""

    def __init__(self, path: str | Path, line: int | None, message: str, hint: str = "") -> None:
        place = f"{Path(path).name}, line {line}" if line is not None else f"{Path(path).name}"
        super().__init__(f"{place}: {message}", hint)
        self.args = (path, line, message, hint)


class ModelError(FayingError):
    """A model or a decision that cannot be computed in its present form."""


class SolveError(FayingError):
    """Equations without a solution; names them, where the solver stopped and what to try."""


class MissingDependencyError(FayingError):
    """A missing package or system library."""


class Cancelled(FayingError):  # noqa: N818 - an outcome, not an error
    """The user asked to stop."""

    def __init__(self, message: str = "Cancelled.", hint: str = "") -> None:
        super().__init__(message, hint)


def there_are(wrong: str, names: Iterable[str], words: str = "There are", most: int = 0) -> str:
    """Return a hint for an unknown name: the most similar known name, if any, and the list of all.

    Args:
        wrong: the name that was given.
        names: the existing names.
        words: beginning of the list.
        most: number of characters after which the list is cut; 0 for no limit.
    """
    known = list(names)
    alike = get_close_matches(wrong.lower(), [name.lower() for name in known], n=1)
    meant = next((name for name in known if alike and name.lower() == alike[0]), "")
    listed = ", ".join(known) or "none"
    return (
        f"Did you mean {meant!r}? " if meant else ""
    ) + f"{words}: {shortened(listed, most) if most else listed}."


def shortened(text: str, limit: int = 40) -> str:
    """Return a text for use in a sentence, cut when it is long."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
