"""Settings of the C library for memory that NumPy's temporaries free."""

import ctypes
import sys

_MAP_FROM, _GIVE_BACK_FROM, _ARENAS = -3, -1, -8  # options of mallopt


def keep_freed_memory() -> None:
    """Let large arrays reuse memory instead of requesting new pages each time; glibc only.

    Above 32 MB the C library maps every array separately, and the system first clears each of its pages: a tenth of
    the time from a deck of 38 000 nodes to its reduced body. All threads use one arena, because only the main arena
    can grow that far.
    """
    if libc := _library_with("mallopt"):
        for option, value in ((_MAP_FROM, 256 << 20), (_GIVE_BACK_FROM, 512 << 20), (_ARENAS, 1)):
            libc.mallopt(option, value)


def give_back_freed_memory() -> None:
    """Return memory freed by temporaries to the system, before work that needs a lot; glibc only."""
    if libc := _library_with("malloc_trim"):
        libc.malloc_trim(0)


def _library_with(function: str) -> ctypes.CDLL | None:
    """Return the C library if it is glibc, or has this function."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, function) else None
