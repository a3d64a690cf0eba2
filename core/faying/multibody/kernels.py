"""The compiled arithmetic of parts, markers and constraints, loaded when it is first used.

Loading numba takes a second, and compiling for the first time some more: ask when there is work to do.
"""

from functools import cache
from types import ModuleType


@cache
def kernels() -> ModuleType:
    """Return `faying.multibody.kernels_compiled`: markers."""
    from faying.multibody import kernels_compiled

    return kernels_compiled


@cache
def inertia_kernels() -> ModuleType:
    """Return `faying.multibody.inertia_compiled`: one deformed body."""
    from faying.multibody import inertia_compiled

    return inertia_compiled


@cache
def part_kernels() -> ModuleType:
    """Return `faying.multibody.parts_compiled`: all parts."""
    from faying.multibody import parts_compiled

    return parts_compiled


@cache
def term_kernels() -> ModuleType:
    """Return `faying.multibody.terms_compiled`: constraints."""
    from faying.multibody import terms_compiled

    return terms_compiled
