"""Contract of plot writers: a complete file or none, with the previous file kept after an error."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.errors import FayingError
from faying.exporters.plots import PictureSettings, PlotWriter, plot_writer_for, plot_writers
from faying.plot import Axis, Plot, ResponsePlace, Series
from faying.testing.contracts.members import Contract


class PlotWriterContract(Contract):
    """It is found by its ending, writes one file, and names the file that it cannot write."""

    family: ClassVar[Any] = plot_writers

    @pytest.fixture
    def writer(self, kind: str) -> PlotWriter:
        """The tested writer."""
        made: PlotWriter = self.family[kind]()
        return made

    @pytest.fixture
    def plot(self) -> Plot:
        """A receptance of an oscillator, which every writer supports."""
        f = np.linspace(1.0, 50.0, 40)
        response = 1.0 / (1.0 - (f / 20.0) ** 2 + 0.05j)
        series = Series(
            "tip uz", f, np.abs(response), frequencies=f, response=response, place=ResponsePlace(7, 3, 7, 3),
            quantity="length",
        )  # fmt: skip
        return Plot("Receptance", Axis("Frequency", "Hz"), Axis("Displacement", "m"), (series,))

    def test_it_says_what_it_writes(self, kind: str, writer: PlotWriter) -> None:
        assert writer.title
        assert type(plot_writer_for(Path(f"x.{kind.upper()}"))) is type(writer)

    def test_one_whole_file_in_place_of_the_old_one(
        self, kind: str, writer: PlotWriter, plot: Plot, tmp_path: Path
    ) -> None:
        target = tmp_path / f"x.{kind}"
        target.write_text("old")
        writer.write(plot, target, PictureSettings((320, 240)))
        assert [path.name for path in tmp_path.iterdir()] == [target.name]
        assert target.stat().st_size > 40
        assert target.read_bytes() != b"old"

    def test_what_cannot_be_written_is_a_sentence(
        self, kind: str, writer: PlotWriter, plot: Plot, tmp_path: Path
    ) -> None:
        with pytest.raises(FayingError) as caught:
            writer.write(plot, tmp_path / "nowhere" / f"x.{kind}", PictureSettings((320, 240)))
        assert "nowhere" in str(caught.value) or f"x.{kind}" in str(caught.value)
        assert not list(tmp_path.iterdir())
