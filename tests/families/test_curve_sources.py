"""Sources of curves keep their contract, and a new one is in files, sweeps and reports without a list."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from faying.analyses.curve_sources import curve_sources
from faying.analyses.recording.curve_source import BodyCurveSource, BodyState, RecordedBody, RecordedRun
from faying.params import build
from faying.project.curve_catalogue import curves_called, possible_curves
from faying.project.specs import Project
from faying.results.curve_key import CurveKey, Quantity
from faying.session import Session
from faying.testing import CurveSourceContract
from faying.testing.plates import plates, write_plate_deck


class TestCurveSources(CurveSourceContract):
    pass


class MeanGaps(BodyCurveSource):
    """Mean gap of the pairs of each joint."""

    title = "Mean gaps"
    owners_kind = "joint"
    quantities = (Quantity("mean gap", "length", "Mean gap of all pairs."),)

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        return [rows.name for rows in subject.joints]

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        return (float(answer.gap.mean()) for answer in state.responses)

    def report(self, subject: RecordedBody, run: RecordedRun) -> dict[str, Any]:
        return {"mean_gaps": {key.owner: float(run.curve(key)[-1]) for key in self.keys(subject)}}


@pytest.fixture
def with_mean_gaps():
    curve_sources.discover()
    curve_sources.register("mean_gaps")(MeanGaps)
    yield
    del curve_sources._members["mean_gaps"]


def test_a_new_source_is_in_files_reports_and_sweeps(with_mean_gaps, tmp_path):
    project = build(Project, plates(write_plate_deck(tmp_path / "plates.inp")).model_dump(mode="json"))
    name, key = project.bodies[0].joints[0].name, CurveKey("mean gap", kind="joint", owner="lap")
    assert name == "lap" and curves_called("lap mean gap", possible_curves(project, "press")) == [key]
    results = Session(project, tmp_path / "artifacts").solve("press").results
    assert results.report["mean_gaps"] == {"lap": pytest.approx(results.curve(key)[-1])}
    assert results.curve_key("lap mean gap").dimension == "length"
    assert np.isfinite(results.curve("lap mean gap")).all()
