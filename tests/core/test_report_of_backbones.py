"""The report of backbones and harmonic balance: curves with measured points on one plot, tables, facts."""

import base64
import re
from contextlib import closing

import pytest

from faying.examples import ExampleRun, examples
from faying.project.store import ArtifactStore
from faying.results.run_tables import backbone_table, turning_point_table


@pytest.fixture(scope="module")
def jenkins(tmp_path_factory):
    """The example with levels and a backbone in its harmonic balance; all of it computed."""
    project = examples["jenkins-oscillator"]().build()
    analyses = tuple(
        a.with_(levels=(0.5, 1.0), backbone=True) if a.name == "swept" else a for a in project.analyses
    )
    run = ExampleRun(project.with_(analyses=analyses), ArtifactStore(tmp_path_factory.mktemp("artifacts")))
    run.run_analyses()
    return run


def test_points_and_backbones_are_on_one_plot_with_tables_and_facts(jenkins, tmp_path):
    path = tmp_path / "report.html"
    jenkins.session.write_report(path)
    page = path.read_text(encoding="utf-8")
    found = re.search(r'<img alt="nonlinear mode: histories[^>]*?base64,([^"]+)"', page)
    assert found is not None
    section = base64.b64decode(found[1]).decode("utf-8")
    for name in ("test: natural frequency", "quasi-static: damping by friction", "fit: damping ratio"):
        assert name in section, name
    for words in (
        "Identified parameters", "friction coefficient", "Harmonics and samples", "Missed by higher harmonics",
        "Work of the loads less that of friction and damping", "Points off the fitted curve", "Load level",
    ):  # fmt: skip
        assert words in page, words


def test_the_backbone_of_a_harmonic_balance_is_a_table(jenkins):
    with closing(jenkins.results("swept")) as results:
        columns = {column.title: column.values for column in backbone_table(results)}
        assert turning_point_table(results) == ()  # a slider that softens this little does not turn back
    assert set(columns) == {
        "Load level",
        "Frequency",
        "Largest amplitude",
        "Work of the loads per cycle",
        "Slipping pairs",
    }
    # The work of a load in phase resonance is π F a.
    for level, amplitude, work in zip(
        columns["Load level"],
        columns["Largest amplitude"],
        columns["Work of the loads per cycle"],
        strict=True,
    ):
        assert work == pytest.approx(3.14159265 * level * 0.0958938 * amplitude, rel=1e-3)
