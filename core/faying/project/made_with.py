"""With what an outcome is made: the versions of the program and of what it computes with."""

import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from faying.linalg.backends import factor_backends
from faying.progress import Progress
from faying.version import __version__

SOLVER = "sparse solver"


def versions() -> dict[str, str]:
    """Return the versions of the program, of Python and of the libraries that compute, and the platform, by name."""
    found = {"Faying": __version__, "Python": platform.python_version()}
    for name in ("NumPy", "SciPy", "numba"):
        found |= {name: text} if (text := _version(name)) else {}
    return {**found, "platform": platform.platform()}


def with_solvers(
    made_with: dict[str, str], names: Iterable[str], needs: Iterable[dict[str, str]]
) -> dict[str, str]:
    """Return versions with the sparse solvers that were used, here and for what went in.

    Args:
        made_with: versions.
        names: of the solvers that factored something.
        needs: what the artifacts that went in were made with.
    """
    found = {f"{name} ({_library(name)})" for name in names}
    for other in (made_with, *needs):
        found |= set(other.get(SOLVER, "").split(", ")) - {""}
    return {**made_with, SOLVER: ", ".join(sorted(found))} if found else made_with


def _library(solver: str) -> str:
    library = factor_backends[solver].library
    return f"{library} {_version(library)}".strip()


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


class SolversNoted:
    """A progress that notes which sparse solvers factor, and passes everything else on."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.names: set[str] = set()

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Pass a report on."""
        solver = values.pop("solver", "")
        if solver:
            self.names.add(solver)
        self._progress.report(fraction, text, **values)
