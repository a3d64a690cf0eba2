"""Contract of frame axes: names of frames, rows of tables, consistent properties."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import ClassVar, get_args

import numpy as np
import pytest

from faying.results.curve_key import CurveKey
from faying.results.curves import CurveView, axis_curve
from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying.testing.contracts.members import Contract
from faying.units import QUANTITIES

_VALUES = (0.5, 1.0, 2.0)
_NUMBERS = (1.0, 1.0, 2.0)


class FrameAxisContract(Contract):
    """Frames of every kind can be stored, named, counted and tabulated."""

    family: ClassVar = frame_axes

    @pytest.fixture
    def results(self, kind: str, tmp_path: Path) -> Iterator[Results]:
        """Three frames along the axis."""
        path, step, cycle = tmp_path / "run.h5", CurveKey("step"), CurveKey("cycle")
        with ResultsWriter(path, axis=kind, sizes={}, joints={}, curves=(step, cycle)) as writer:
            for value, number in zip(_VALUES, _NUMBERS, strict=True):
                writer.append(value, curves={step: number, cycle: 0.0})
            writer.close({})
        with closing(Results(path)) as stored:
            yield stored

    def test_it_is_stored(self, kind: str, results: Results) -> None:
        assert type(results.axis) is frame_axes[kind]
        assert results.axis.kind == kind
        np.testing.assert_array_equal(axis_curve(results).values, _VALUES)

    def test_it_says_what_its_values_are(self, kind: str) -> None:
        axis: FrameAxis = frame_axes[kind]()
        assert axis.title
        assert not axis.quantity or axis.quantity in QUANTITIES
        assert axis.views and set(axis.views) <= {*get_args(CurveView), "hysteresis"}

    def test_properties_agree(self, kind: str) -> None:
        axis: FrameAxis = frame_axes[kind]()
        assert axis.follows or not axis.in_time, "moments of a motion follow each other"
        assert not (axis.follows and (axis.swings or axis.several_cases))
        assert axis.has_size or axis.swings, "only shapes have no size"

    def test_frames_have_names(self, results: Results) -> None:
        axis, frames = results.axis, range(results.n_frames)
        assert all(results.label(i) for i in frames)
        assert all(axis.label_with_unit(results, i, "mm-t-s") for i in frames)
        assert all(axis.moment(results, i, "mm-t-s") for i in frames[:-1])
        texts = [axis.number_text(i, len(frames)) for i in frames]
        assert len(set(texts)) == len(frames)

    def test_tables_have_rows_of_frames_that_exist(self, results: Results) -> None:
        force = np.array([[0.0, 3.0, 1.0], [0.0, 0.0, np.nan], [0.0, 0.0, 0.0]])
        rows = results.axis.table_frames(results, force)
        assert rows and all(0 <= frame < results.n_frames and text for frame, text in rows)
