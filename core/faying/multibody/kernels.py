"""The compiled arithmetic of parts, markers and constraints, loaded when it is first used.

Loading numba takes a second, and compiling for the first time some more: ask when there is work to do.
"""

from functools import cache
from types import ModuleType


@cache
def kernels() -> ModuleType:
    """Return `faying.multibody.kernels_compiled`: parts and markers."""
    from faying.multibody import kernels_compiled

    return kernels_compiled


@cache
def term_kernels() -> ModuleType:
    """Return `faying.multibody.terms_compiled`: constraints."""
    from faying.multibody import terms_compiled

    return terms_compiled
