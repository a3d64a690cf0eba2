"""What many columns span, in blocks; work in the background."""

import threading
import time

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import Cancelled
from faying.linalg.background import patiently
from faying.linalg.compression import add_rows, leading_directions
from faying.progress import CancelFlag, Silent


def columns_of_rank(n, rank, count, decay=0.3):
    rng = np.random.default_rng(0)
    left = la.orth(rng.standard_normal((n, rank)))
    right = la.orth(rng.standard_normal((count, rank)))
    made = left * decay ** np.arange(rank) @ right.T
    return made / np.linalg.norm(made, axis=0)


@pytest.mark.parametrize("size", [1, 7, 40, 500])
def test_blocks_span_what_all_columns_span_together(size):
    columns = columns_of_rank(90, 25, 120)
    blocks = (columns[:, i : i + size] for i in range(0, 120, size))
    found = leading_directions(blocks, 120, 1e-8, Silent())
    values = la.svdvals(columns)
    rank = int((values > 1e-8 * values[0]).sum())
    assert rank <= found.shape[1] <= rank + 3  # in many blocks some more than in one
    np.testing.assert_allclose(found.T @ found, np.eye(found.shape[1]), atol=1e-12)
    outside = columns - found @ (found.T @ columns)
    assert np.linalg.norm(outside, axis=0).max() < 1e-8 * values[0]


def test_columns_that_span_everything_leave_the_unit_vectors():
    columns = np.random.default_rng(0).standard_normal((30, 64))
    blocks = [columns[:, :16], columns[:, 16:32], columns[:, 32:]]
    np.testing.assert_array_equal(leading_directions(blocks, 64, 1e-8, Silent()).toarray(), np.eye(30))


def test_rows_added_in_blocks_keep_the_small_singular_values():
    rows = columns_of_rank(200, 12, 12, decay=0.1)
    triangle = np.zeros((0, 12))
    for start in range(0, 200, 5):
        triangle = add_rows(triangle, rows[start : start + 5].copy())
    assert triangle.shape == (12, 12)
    exact = la.svdvals(rows)
    assert exact[-1] < 1e-9 * exact[0]  # a Gram matrix would lose it
    np.testing.assert_allclose(la.svdvals(triangle), exact, rtol=1e-4, atol=1e-15)


def test_background_work_returns_or_raises_what_it_found():
    assert patiently(lambda: 42, Silent(), 0.0, "answer") == 42
    with pytest.raises(ZeroDivisionError):
        patiently(lambda: 1 / 0, Silent(), 0.0, "division")


def test_whoever_waits_for_background_work_can_stop():
    flag, release = CancelFlag(), threading.Event()
    threading.Timer(0.2, flag.cancel).start()
    begin = time.perf_counter()
    with pytest.raises(Cancelled):
        patiently(lambda: release.wait(30.0), flag, 0.0, "deaf work")
    assert time.perf_counter() - begin < 15.0  # of the half minute that the work would take
    release.set()
