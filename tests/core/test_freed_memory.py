"""Memory of large arrays is used again where the C library can be asked to keep it."""

import platform
import subprocess
import sys

import pytest

_FAULTS_OF_THE_SECOND_ARRAY = """
import resource
import numpy as np
from faying.linalg.freed_memory import keep_freed_memory
{first}
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
np.ones(8_000_000)
before = faults()
np.ones(8_000_000)
print(faults() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such choice")
def test_a_second_large_array_takes_the_pages_of_the_first():
    assert _page_faults("keep_freed_memory()") < 10 < _page_faults("")


def _page_faults(first: str) -> int:
    code = _FAULTS_OF_THE_SECOND_ARRAY.format(first=first)
    return int(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    )
