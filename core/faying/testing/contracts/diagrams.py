"""Contract of diagrams: plots of a run that has what they draw, and nothing of any other run."""

from contextlib import closing
from pathlib import Path
from typing import ClassVar

import pytest

from faying.analyses.diagrams import Diagram, diagrams
from faying.plot import Plot
from faying.results.curve_key import CurveKey
from faying.results.frame_axes import frame_axes
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying.testing.contracts.members import Contract


class DiagramContract(Contract):
    """A diagram draws nothing of runs that have nothing for it, and says what it draws."""

    family: ClassVar = diagrams

    @pytest.mark.parametrize("axis", sorted(frame_axes))
    def test_runs_without_its_curves_have_none(self, kind: str, axis: str, tmp_path: Path) -> None:
        make: Diagram = diagrams[kind]
        path, step = tmp_path / "run.h5", CurveKey("step")
        with ResultsWriter(path, axis=axis, sizes={}, joints={}, curves=(step,)) as writer:
            for value in (1.0, 2.0):
                writer.append(value, curves={step: value})
            writer.close({})
        with closing(Results(path)) as results:
            assert make(results, "mm-t-s", {}) == ()

    def test_it_says_what_it_draws(self, kind: str) -> None:
        assert (diagrams[kind].__doc__ or "").startswith("Return ")

    def are_whole(self, plots: tuple[Plot, ...]) -> None:
        """Assert that plots have titles, say how they are read, and name a frame and shape for each value or none."""
        for plot in plots:
            assert plot.title and plot.meaning.endswith(".") and plot.series
            for series in plot.series:
                assert len(series.x) == len(series.y)
                assert series.shows is None or series.shows.shape == (len(series.x), 2)
                assert len(series.texts) in (0, len(series.x))
