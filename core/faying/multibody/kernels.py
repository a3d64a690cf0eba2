"""The compiled arithmetic of parts, markers and constraints, loaded when it is first used."""

from functools import cache
from types import ModuleType


@cache
def kernels() -> ModuleType:
    """Return `faying.multibody.kernels_compiled`.

    Loading numba takes a second, and compiling for the first time some more: ask when there is work to do.
    """
    from faying.multibody import kernels_compiled

    return kernels_compiled
