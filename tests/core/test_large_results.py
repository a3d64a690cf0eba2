"""Results larger than memory open at once and give any frame without reading the others."""

import tracemalloc

import h5py
import numpy as np

from faying.results.results import Results
from faying.results.writer import ResultsWriter

FRAMES, SIZE = 4_000, 400_000  # 12.8 GB of displacements


def test_a_run_of_13_gigabytes_is_opened_and_scrubbed(tmp_path):
    """Sparse: frames that nobody wrote take no place on the disk, but count when somebody reads them all."""
    path = tmp_path / "large.h5"
    with ResultsWriter(path, axis="time", body="b", sizes={"displacement": SIZE}, joints={}) as writer:
        writer.append(0.0, displacement=np.ones(SIZE))
        writer.close({})
    with h5py.File(path, "r+", libver="latest") as file:
        file["displacement"].resize(FRAMES, axis=0)
        file["axis_values"].resize(FRAMES, axis=0)
        file["checks"].resize(FRAMES, axis=0)  # zero: nobody knows what is right
        file["axis_values"][:] = 1e-3 * np.arange(FRAMES)
        file["displacement"][FRAMES - 1] = 2.0
        file["written"][0] = FRAMES
        assert file["displacement"].nbytes > 12e9
    assert path.stat().st_size < 50e6
    tracemalloc.start()
    results = Results(path)
    assert results.n_frames == FRAMES and results.values[-1] == 1e-3 * (FRAMES - 1)
    for frame, value in ((0, 1.0), (1234, 0.0), (FRAMES - 1, 2.0)):
        assert (results.displacement(frame) == value).all()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    results.close()
    assert peak < 6 * 8 * SIZE  # a few frames, never the run
