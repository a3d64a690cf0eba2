"""Provenance of an outcome: versions of the program and its libraries, and sparse solvers."""

import platform
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from faying.linalg.backends import factor_backends
from faying.progress import Progress
from faying.version import __version__

SOLVER, RESIDUAL = "sparse solver", "largest residual"


def versions() -> dict[str, str]:
    """Return the versions of the program, of Python and of the libraries that compute, and the platform, by name."""
    found = {"Faying": __version__, "Python": platform.python_version()}
    for name in ("NumPy", "SciPy", "numba"):
        found |= {name: text} if (text := _version(name)) else {}
    return {**found, "platform": platform.platform()}


def compared(made_with: dict[str, str]) -> dict[str, str]:
    """Return the provenance of an outcome, with the present version added where it differs.

    Args:
        made_with: as `with_solvers` returns it.
    """
    here, found = versions(), {}
    for name, then in made_with.items():
        now = here.get(name, "not here") if name not in (SOLVER, RESIDUAL) else ""
        if name == SOLVER:
            solvers = [word.partition(" (")[0] for word in then.split(", ")]
            now = ", ".join(
                f"{s} ({_library(s)})" if s in factor_backends else f"{s} not here" for s in solvers
            )
        found[name] = f"{then}, now {now}" if now and now != then else then
    return found


def with_solvers(
    made_with: dict[str, str], noted: "SolversNoted | None", needs: Iterable[dict[str, str]]
) -> dict[str, str]:
    """Return the versions, and the sparse solvers used here and for the inputs.

    For an iterative solver the largest residual is included.

    Args:
        made_with: versions.
        noted: the solvers used.
        needs: provenance of the inputs.
    """
    found = {f"{name} ({_library(name)})" for name in noted.names} if noted else set()
    left = [noted.residual] if noted else []
    for other in (made_with, *needs):
        found |= set(other.get(SOLVER, "").split(", ")) - {""}
        left.append(float(other.get(RESIDUAL, 0.0)))
    words = {SOLVER: ", ".join(sorted(found))} if found else {}
    return {**made_with, **words, **({RESIDUAL: f"{max(left):.1e}"} if max(left, default=0.0) else {})}


def _library(solver: str) -> str:
    library = factor_backends[solver].library
    return f"{library} {_version(library)}".strip()


@cache  # cached, since it is needed for every outcome and reads a long file
def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


class SolversNoted:
    """A progress that records the sparse solvers used, and passes everything else on."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.names: set[str] = set()
        self.residual = 0.0  # the largest one reported by iterative solvers

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Pass a report on."""
        solver = values.pop("solver", "")
        if solver:
            self.names.add(solver)
        self.residual = max(self.residual, values.pop("residual", 0.0))
        self._progress.report(fraction, text, **values)
