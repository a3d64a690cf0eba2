"""A joint with pairs at integration points, from a study file to fields, tables and findings."""

import csv
from contextlib import closing

import h5py
import numpy as np
import pytest

import faying
from faying.exporters import ExportSettings, export_content, exporters
from faying.joints.pairs_file import write_pairs
from faying.joints.search import SearchSpec
from faying.progress import Silent
from faying.project.findings import find_findings
from faying.project.pipeline import Pipeline
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.stage import Target
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.project.study import read_study, write_study
from faying.results.fields import fields
from support.plate_deck import STUDY
from support.plate_deck import write_study as write_plates

POINTS = (
    STUDY.replace(
        "contact_law =",
        'search = { pairs_at = "integration_points" }\nfriction_law = { kind = "coulomb" }\ncontact_law =',
    )
    + """
[[analyses]]
kind = "unreduced_static"
name = "full"
body = "plates"
support = "hold"
load_steps = 3
loads = [{ interface = "tip", force = [0.0, 0.0, -20.0] }]

[[analyses]]
kind = "fe_correction"
name = "corrected"
body = "plates"
corrects = "press"
frames = [-1]

[[analyses]]
kind = "transient"
name = "blow"
body = "plates"
support = "hold"
duration = 2e-5
frames = 4
loads = [{ interface = "tip", force = [0.0, 0.0, -20.0] }]

[[analyses]]
kind = "fe_correction"
name = "blow corrected"
body = "plates"
corrects = "blow"
frames = []
"""
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Project, store and folder after all analyses."""
    folder = tmp_path_factory.mktemp("points")
    project, store = read_study(write_plates(folder, POINTS)), ArtifactStore(folder / "store")
    for analysis in project.analyses:
        Pipeline(STAGES).run(project, Target("analysis", "plates", analysis.name), store, folder)
    return project, store, folder


def content_of(run, name):
    project, store, folder = run
    return export_content(project, store, name, base=folder)


@pytest.mark.parametrize("name", ["press", "full", "corrected", "blow", "blow corrected"])
def test_every_joint_field_has_a_value_per_pair(run, name):
    content = content_of(run, name)
    pairs, last = content.pairs["lap"], content.context.frames.n_frames - 1
    assert pairs.slave_nodes is None and len(pairs) == 6 * 5 * 2 * 2  # six points on each of the slave facets
    for kind in ("gap", "pressure", "status", "slip", "friction_stress", "contact_force"):
        values = fields[kind]().evaluate(content.context, "lap", last)
        assert len(values) == len(pairs) and np.isfinite(values).all(), kind


def test_reduced_and_unreduced_agree_on_the_force(run):
    # The reduced one is corrected on the FE model: both then are the same equilibrium.
    pressures = []
    for name in ("corrected", "full"):
        content = content_of(run, name)
        last = content.context.frames.n_frames - 1
        pressures.append(fields["pressure"]().evaluate(content.context, "lap", last))
    weights = content.pairs["lap"].weights
    assert weights @ pressures[0] == pytest.approx(weights @ pressures[1], rel=1e-2)
    assert weights @ pressures[1] > 5.0


def test_frames_that_share_a_factor_come_into_balance(run):
    project, store, folder = run
    target = Target("analysis", "plates", "blow corrected")
    with closing(Pipeline(STAGES).run(project, target, store, folder).open()) as results:
        assert results.n_frames == 5 and results.report["factorisations"] <= 3
        assert results.curve("last correction").max() < 1e-5 < 0.01 < results.curve("correction").max()


def test_the_run_says_how_good_it_is(run):
    project, store, folder = run
    results = Pipeline(STAGES).run(project, Target("analysis", "plates", "press"), store, folder).open()
    with closing(results):
        assert results.report["error_estimate"]["pressure"] > 0.0
    sentences = [f.sentence for f in find_findings(project, store, folder, compute=True)]
    assert not [s for s in sentences if "slave node" in s or "stiffer" in s or "softer" in s]


def test_tables_of_fields(run, tmp_path):
    content = content_of(run, "press")
    pairs = content.pairs["lap"]
    exporters["csv"]().write(content, ExportSettings("pressure", (2,)), tmp_path / "p.csv", Silent())
    with (tmp_path / "p.csv").open(encoding="utf-8") as stream:
        heads, *rows = csv.reader(stream)
    assert heads[1] == "node or pair" and [int(row[1]) for row in rows] == list(range(1, len(pairs) + 1))
    numbers = np.array([row[2:] for row in rows], float)
    np.testing.assert_allclose(numbers[:, :3], pairs.on_slave(content.model.nodes), atol=1e-7)
    np.testing.assert_allclose(numbers[:, 3], pairs.weights, rtol=1e-8)
    pressure = fields["pressure"]().evaluate(content.context, "lap", 2)
    np.testing.assert_allclose(numbers[:, 4], pressure, rtol=1e-7, atol=1e-9)


def test_grids_have_values_at_the_nodes(run, tmp_path):
    content = content_of(run, "press")
    pairs = content.pairs["lap"]
    exporters["vtkhdf"]().write(content, ExportSettings("pressure", (2,)), tmp_path / "p.vtkhdf", Silent())
    with h5py.File(tmp_path / "p.vtkhdf") as file:
        found = file["VTKHDF/PointData/pressure"][()]
    pressure = fields["pressure"]().evaluate(content.context, "lap", 2)
    assert np.flatnonzero(np.isfinite(found)).tolist() == pairs.nodes_with_values.tolist()
    np.testing.assert_allclose(found[pairs.nodes_with_values], pairs.at_nodes(pressure), rtol=1e-5, atol=1e-6)


def test_tables_of_pairs(run, tmp_path):
    project, *_ = run
    content = content_of(run, "press")
    pairs = content.pairs["lap"]
    write_pairs(tmp_path / "pairs.csv", pairs, content.model, project.units)
    with (tmp_path / "pairs.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [int(row["slave facet"]) for row in rows] == pairs.slave_points.facets.tolist()
    pyvista = pytest.importorskip("pyvista")
    write_pairs(tmp_path / "pairs.vtu", pairs, content.model, project.units)
    grid = pyvista.read(tmp_path / "pairs.vtu")
    ends = grid.points[grid.cell_connectivity].reshape(-1, 2, 3)
    np.testing.assert_allclose(ends[:, 0], pairs.on_slave(content.model.nodes), atol=1e-12)
    np.testing.assert_array_equal(grid["slave facet"], pairs.slave_points.facets)


def test_the_public_face_says_where_pairs_are(run):
    _, store, folder = run
    with faying.read(folder / "plates.toml", store.folder) as session:
        press = session.solve("press")
        pairs = session.find_pairs("lap")
        np.testing.assert_allclose(press.points("lap"), pairs.on_slave(session.read_model().nodes))
        with pytest.raises(faying.FayingError, match="integration points"):
            press.node_numbers("lap")


# ---- what files of today mean


def test_studies_that_do_not_say_so_mean_nodes(tmp_path):
    project = read_study(write_plates(tmp_path))
    assert project.bodies[0].joints[0].search.pairs_at == "nodes" == SearchSpec().pairs_at
    # Projects and studies that are written say it, so that no later default changes them.
    write_study(project, tmp_path / "again.toml")
    assert 'pairs_at = "nodes"' in (tmp_path / "again.toml").read_text(encoding="utf-8")


def test_the_choice_goes_through_files(tmp_path):
    project = read_study(write_plates(tmp_path, POINTS))
    assert project.bodies[0].joints[0].search.pairs_at == "integration_points"
    assert project_from_dict(project_to_dict(project)) == project
    assert project_from_dict(project_to_dict(project, complete=True)) == project
