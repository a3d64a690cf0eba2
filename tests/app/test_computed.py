"""What was computed, as the window sees it while another process writes it."""

import subprocess
import sys

import numpy as np
import pytest

from faying.project.document import Document
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from faying_app.computed import Computed
from support.jointed_deck import plates, write_plate_deck

WRITER = """
import sys
from pathlib import Path
import numpy as np
from faying.results.writer import ResultsWriter

writer = ResultsWriter(
    Path(sys.argv[1]), axis="load", body="plates", frame="hold", sizes={"coordinates": 3}, joints={},
    curves=("tip uz",), tables={"points": (2, ("a", "b"))},
)
for frame in (1.0, 2.0):
    print("ready", flush=True)
    sys.stdin.readline()
    writer.append(frame, coordinates=np.full(3, frame), **{"curves__tip uz": frame})
    writer.write_table("points", np.full((2, 2), frame))
    writer.flush()
print("ready", flush=True)
sys.stdin.readline()
writer.close({"iterations": 7})
"""


class Writer:
    """Another process that goes on by one step when told."""

    def __init__(self, path):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], text=True, **pipes)
        self._process.stdout.readline()

    def step(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._process.stdout.readline()  # the next "ready", or its end

    def end(self):
        self._process.communicate()


@pytest.fixture
def computed(qapp, tmp_path):
    project = plates(write_plate_deck(tmp_path / "plates.inp"))
    return Computed(Document(project), ArtifactStore(tmp_path / "store"))


def test_results_seen_before_their_first_frame_are_whole_at_the_end(computed):
    """A second handle of a file shares what the first one remembers of it, which is no frame at all."""
    target = Target("analysis", "plates", "press")
    key = computed.pipeline.key_of(computed.project, target, computed.base)
    writer = Writer(computed.store.begin_results(key))
    released = []
    computed.releasing.connect(lambda: released.append(True))
    assert computed.results("press") is None  # opened, but without a frame
    writer.step()
    growing = computed.results("press")
    assert growing.n_frames == 1
    np.testing.assert_array_equal(growing.table("points")[1], 1.0)
    assert not released
    writer.step()
    writer.step()
    writer.end()
    computed.store.complete_results(key)
    computed.refresh()
    whole = computed.results("press")
    assert released == [True]
    assert whole is not growing and whole.complete and whole.n_frames == 2
    assert whole.report == {"iterations": 7}
    np.testing.assert_array_equal(whole.table("points")[1], 2.0)
    assert computed.results("press") is whole
    computed.release()
