"""Number of threads for a solver."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path

from threadpoolctl import ThreadpoolController

from faying.child_process import CORES_VARIABLE


@cache
def physical_cores() -> int:
    """Return the number of physical cores that this process may use, at least one; FAYING_CORES overrides it.

    Two threads of one core share its arithmetic units, so more threads than cores slow a factorisation down.
    """
    told = os.environ.get(CORES_VARIABLE, "")
    if told.isdecimal() and int(told):
        return int(told)
    if sys.platform == "linux":
        allowed = os.sched_getaffinity(0)
    else:
        allowed = set(range(os.cpu_count() or 1))
    cores = set()
    for processor in allowed:
        siblings = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
        cores.add(siblings.read_text().strip() if siblings.exists() else str(processor))
    return max(1, len(cores))


@contextmanager
def one_thread() -> Iterator[None]:
    """Run the dense linear algebra in the block on one thread.

    For thousands of matrices of a few hundred rows, starting and joining threads costs more than it gains: the
    transient run of the friction bar took 3.7 times as long with two threads on a busy machine.
    """
    with _libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
        yield


@lru_cache(maxsize=1)
def _libraries(modules: int) -> ThreadpoolController:
    """Return the libraries loaded at this number of modules; cached, since a search takes milliseconds.

    MKL, which is not a module, gets its number of threads with each call (`backends.pardiso`).
    """
    return ThreadpoolController()
