"""Dense linear algebra on one thread, for as long as it is asked for."""

import subprocess
import sys

import numpy  # noqa: F401 - brings a library of dense linear algebra
from threadpoolctl import threadpool_info, threadpool_limits

from faying.linalg.threads import one_thread

# numpy's library first, scipy's later: what is loaded between two uses is limited as well.
_LATER = """
import numpy
from threadpoolctl import threadpool_info
from faying.linalg.threads import one_thread
with one_thread():
    pass
import scipy.linalg
with one_thread():
    print({each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"} <= {1})
"""


def counts() -> list[int]:
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


def test_one_thread_inside_and_as_many_as_before_after() -> None:
    with threadpool_limits(limits=2, user_api="blas"):
        before = counts()
        with one_thread():
            assert set(counts()) <= {1}
            with one_thread():
                pass
            assert set(counts()) <= {1}
        assert counts() == before
        assert set(before) <= {2}


def test_a_library_that_is_loaded_later_is_limited_too() -> None:
    found = subprocess.run([sys.executable, "-c", _LATER], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "True"
