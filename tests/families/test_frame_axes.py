"""Contract of the axes of frames, and an axis from elsewhere."""

from contextlib import closing

import numpy as np
import pytest

from faying.errors import ModelError
from faying.results.frame_axes import FrameAxis, frame_axes, frame_axis
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying.testing import FrameAxisContract


class TestFrameAxes(FrameAxisContract):
    pass


def test_an_unknown_axis_is_refused() -> None:
    with pytest.raises(ModelError, match="axis of frames"):
        frame_axis("colour")


def test_an_axis_of_an_installed_package_is_one_class(tmp_path, monkeypatch) -> None:
    class Speed(FrameAxis):
        """Frames of a run-up."""

        kind, title, quantity, follows = "speed", "Speed", "frequency", True

    frame_axis("time")  # discovers the members before the family is changed
    monkeypatch.setitem(frame_axes._members, "speed", Speed)
    with ResultsWriter(tmp_path / "run.h5", axis="speed", sizes={}, joints={}) as writer:
        writer.append(12.5)
        writer.append(20.0)
        writer.close({})
    with closing(Results(tmp_path / "run.h5")) as results:
        axis = results.axis
        assert axis.title == "Speed" and axis.label_with_unit(results, 0, "mm-t-s") == "speed 12.5 Hz"
        assert (
            axis.moment(results, 0, "mm-t-s") == "speed 12.5 Hz" and axis.moment(results, 1, "mm-t-s") == ""
        )
        assert axis.table_frames(results, np.zeros((3, 2))) == [(1, "speed 20")]
