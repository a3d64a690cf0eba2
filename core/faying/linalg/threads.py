"""How many threads a solver should use."""

import os
import sys
from functools import cache
from pathlib import Path


@cache
def physical_cores() -> int:
    """Return the number of physical cores that this process may use, at least one.

    Two threads of one core share its arithmetic units, so that more threads than cores slow a factor down.
    """
    if sys.platform == "linux":
        allowed = os.sched_getaffinity(0)
    else:
        allowed = set(range(os.cpu_count() or 1))
    cores = set()
    for processor in allowed:
        siblings = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
        cores.add(siblings.read_text().strip() if siblings.exists() else str(processor))
    return max(1, len(cores))
