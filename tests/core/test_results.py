"""The results file: round trip, readable while written, frames that survive a killed writer."""

import contextlib
import gc
import pathlib
import signal
import subprocess
import sys
import textwrap

import h5py
import numpy as np
import pytest

from faying.errors import ReadError
from faying.results.curve_key import CurveKey
from faying.results.results import Results
from faying.results.run_tables import full_cells, reaction_table
from faying.results.writer import ResultsWriter
from support.keys import keys_of


def writer(path, **choices):
    return ResultsWriter(
        path, axis="time", body="bar", frame="mounting", sizes={"coordinates": 7},
        joints={"lap/no": {}, "lap": {"history": (5, 3)}}, curves=(CurveKey("tip"),), settings={"a": 1}, **choices,
    )  # fmt: skip


def frame(i):
    return {
        "coordinates": np.arange(7) + i / 3.0,
        "joints/lap/history": np.full((5, 3), float(i)),
        "curves/tip": i**2,
    }


def test_round_trip_to_the_last_bit(tmp_path):
    with writer(tmp_path / "r.h5") as out:
        for i in range(40):
            out.append(0.1 * i, **frame(i))
        out.close({"steps": 40})
    results = Results(tmp_path / "r.h5")
    assert (results.axis.kind, results.body, results.frame_of_reference) == ("time", "bar", "mounting")
    assert results.complete
    assert results.report == {"steps": 40}
    assert results.settings == {"a": 1}
    assert results.n_frames == 40
    np.testing.assert_array_equal(results.values, 0.1 * np.arange(40))
    np.testing.assert_array_equal(results.coordinates(17), np.arange(7) + 17 / 3.0)
    np.testing.assert_array_equal(results.history("lap", 39), np.full((5, 3), 39.0))
    np.testing.assert_array_equal(results.curve("tip"), np.arange(40.0) ** 2)
    assert results.history("nowhere", 0) is None
    assert results.displacement(0) is None
    assert results.gap_and_slip("lap", 0) is None


def test_a_reader_sees_what_is_written_so_far(tmp_path):
    with writer(tmp_path / "r.h5", flush_every=4) as out:
        for i in range(8):
            out.append(float(i), **frame(i))
        results = Results(tmp_path / "r.h5")
        assert results.n_frames == len(results.values) == 8
        assert not results.complete
        for i in range(8, 16):
            out.append(float(i), **frame(i))
        results.refresh()
        assert results.n_frames == len(results.values) == len(results.curve("tip")) == 16
        np.testing.assert_array_equal(results.coordinates(15), np.arange(7) + 5.0)
        results.close()


def test_readers_of_one_program_follow_another_one_beyond_the_first_block(tmp_path):
    """256 values make a block; where two handles of a dataset were open, the next one was never seen."""
    path = tmp_path / "r.h5"
    program = textwrap.dedent(f"""
        import sys
        sys.path[:0] = {sys.path!r}
        from pathlib import Path
        from test_results import frame, writer
        with writer(Path({str(path)!r}), flush_every=10) as out:
            print("begun", flush=True)
            for i in range(600):
                if i % 100 == 0:
                    out.flush()
                    input()
                out.append(float(i), **frame(i))
    """)
    command = [sys.executable, "-c", program]
    with subprocess.Popen(
        command, cwd=pathlib.Path(__file__).parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "begun\n"
        readers = [Results(path), Results(path)]
        for hundreds in range(1, 6):
            other.stdin.write("\n")
            other.stdin.flush()
            for results in readers:
                while results.n_frames < 100 * hundreds:
                    results.refresh()
                np.testing.assert_array_equal(results.values, np.arange(100.0 * hundreds))
                np.testing.assert_array_equal(results.curve("tip"), np.arange(100.0 * hundreds) ** 2)
        other.communicate("\n")


def test_frames_survive_a_killed_writer(tmp_path):
    path = tmp_path / "killed.h5"
    program = textwrap.dedent(f"""
        import os, signal, sys
        sys.path[:0] = {sys.path!r}
        from pathlib import Path
        from test_results import frame, writer
        out = writer(Path({str(path)!r}), flush_every=8)
        for i in range(50):
            out.append(float(i), **frame(i))
        os.kill(os.getpid(), signal.SIGKILL)
    """)

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=pathlib.Path(__file__).parent, capture_output=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    results = Results(path)
    assert results.n_frames >= 48
    assert not results.complete
    np.testing.assert_array_equal(results.coordinates(47), np.arange(7) + 47 / 3.0)
    np.testing.assert_array_equal(results.history("lap", 47), np.full((5, 3), 47.0))


@pytest.mark.parametrize("content", [b"", b"not HDF5 at all", b"\x89HDF\r\n\x1a\n" + b"\0" * 40])
def test_foreign_and_cut_off_files_are_a_sentence(tmp_path, content):
    path = tmp_path / "x.h5"
    path.write_bytes(content)
    with pytest.raises(ReadError, match="not a results file"):
        Results(path)


def test_a_file_that_is_refused_or_cannot_be_gone_on_from_is_not_left_open(tmp_path):
    def open_files():
        gc.collect()  # what tests before have left may go at any time
        return h5py.h5f.get_obj_count(h5py.h5f.OBJ_ALL, h5py.h5f.OBJ_FILE)

    before = open_files()
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = 1
    with pytest.raises(ReadError) as refused:
        Results(tmp_path / "other.h5")
    assert open_files() == before and "other.h5" in str(refused.value)
    with writer(tmp_path / "earlier.h5") as out:
        out.append(0.0, **frame(0))
    earlier = Results(tmp_path / "earlier.h5")
    with pytest.raises(KeyError) as failed:  # its curves are others
        ResultsWriter(
            tmp_path / "later.h5", axis="time", sizes={}, joints={}, curves=(CurveKey("root"),), after=earlier
        )
    earlier.close()
    assert open_files() == before and "root" in str(failed.value)


def test_a_curious_reader_never_stops_the_writer(tmp_path):
    """With file locks, a reader that opened the file at the wrong moment made the writer fail."""
    path = tmp_path / "r.h5"
    program = textwrap.dedent(f"""
        import sys
        sys.path[:0] = {sys.path!r}
        from pathlib import Path
        from test_results import frame, writer
        for i in range(60):
            with writer(Path({str(path)!r})) as out:
                out.append(0.0, **frame(0))
                out.close({{}})
    """)
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=pathlib.Path(__file__).parent, stderr=subprocess.PIPE
    )
    seen = 0
    while process.poll() is None:
        with contextlib.suppress(ReadError, FileNotFoundError):
            Results(path).close()
            seen += 1
    assert process.returncode == 0, process.communicate()[1].decode()
    assert seen > 0


def test_a_table_of_reactions_reads_each_curve_once(tmp_path):
    class Counted(Results):
        read = ()

        def curve(self, name):
            self.read = (*self.read, name)
            return super().curve(name)

    texts = [f"{owner} {what} {axis}" for owner in ("foot support", "tip reaction")
             for what in ("force", "moment") for axis in "xyz"]  # fmt: skip
    names = keys_of(texts, support=("foot",), interface=("tip",))
    with ResultsWriter(
        tmp_path / "r.h5", axis="case", sizes={}, joints={}, curves=names,
        labels=tuple(f"case {i}" for i in range(9)),
    ) as out:  # fmt: skip
        for i in range(9):
            out.append(float(i), curves={key: float(i + k) for k, key in enumerate(names)})
        out.close({})
    results = Counted(tmp_path / "r.h5")
    table = reaction_table(results)
    assert sorted(results.read, key=str) == sorted(names, key=str)
    rows = full_cells(table)
    assert len(rows) == 18 and rows[0][:3] == ["foot", "surface", "case 0"]
    assert rows[-1][:6] == ["tip", "interface node", "case 8", "14.0", "15.0", "16.0"]
    results.close()
