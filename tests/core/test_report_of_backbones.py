"""The report of backbones and harmonic balance: curves with measured points on one plot, tables, facts."""

import re
from contextlib import closing

import pytest

from faying.examples import ExampleRun, examples
from faying.exporters.report import report_html
from faying.project.store import ArtifactStore
from faying.results.results import Results
from faying.results.run_tables import backbone_table, turning_point_table


@pytest.fixture(scope="module")
def jenkins(tmp_path_factory):
    """The example with levels and a backbone in its harmonic balance; all of it computed."""
    project = examples["jenkins-oscillator"]().build()
    analyses = tuple(
        a.with_(levels=(0.5, 1.0), backbone=True) if a.name == "swept" else a for a in project.analyses
    )
    run = ExampleRun(
        project.with_(analyses=analyses), ArtifactStore(tmp_path_factory.mktemp("artifacts"))
    )
    run.run_analyses()
    return run
