"""Exporters of tables: read back by other programs, whole or not there at all."""

import csv
import re

import numpy as np
import pytest

from faying.errors import FayingError, ModelError
from faying.exporters import ExportSettings, export_content, exporter_for, exporters
from faying.exporters.systems import shown_content
from faying.progress import Silent
from faying.project.pipeline import Pipeline
from faying.project.serialization import project_from_dict
from faying.project.stage import Target
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.results.field import CYCLE
from faying.results.fields import FRICTION, STRENGTH, TIME, fields
from faying.results.surface_values import CONTACTS, RUBBING
from faying.results.tie_tractions import TIES
from faying.testing import ExporterContract
from support.plate_deck import write_study

TABLES = ("csv", "vtkhdf")


@pytest.fixture(scope="module")
def press(tmp_path_factory):
    """The pressed plates: what there is to export of their three load steps."""
    folder = tmp_path_factory.mktemp("press")
    project, store = read_study(write_study(folder)), ArtifactStore(folder / "store")
    pipeline = Pipeline(STAGES)
    pipeline.run(project, Target("analysis", "plates", "press"), store, folder)
    return export_content(project, store, "press", base=folder), project, store, folder


class TestTables(ExporterContract):
    kinds = TABLES


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("field", sorted(fields))
def test_every_field_can_be_exported_or_says_why_not(press, kind, field, tmp_path):
    content, *_ = press
    target = tmp_path / f"x.{kind}"
    refused = fields[field]().refusal(content.context)
    # A frictionless static run of one deck alone, without strengths.
    assert (refused is not None) == bool(
        {FRICTION, TIME, STRENGTH, CONTACTS, RUBBING, TIES, CYCLE} & set(fields[field].needs)
    )
    if refused is not None:
        with pytest.raises(ModelError, match=re.escape(refused.message)):
            exporters[kind]().write(content, ExportSettings(field, (0, 1, 2)), target, Silent())
        assert not list(tmp_path.iterdir())
        return
    exporters[kind]().write(content, ExportSettings(field, (0, 1, 2)), target, Silent())
    assert [p.name for p in tmp_path.iterdir()] == [target.name]


def test_csv_holds_the_values_of_the_field(press, tmp_path):
    content, *_ = press
    target = tmp_path / "gap.csv"
    exporters["csv"]().write(content, ExportSettings("gap", (1, 2)), target, Silent())
    with target.open(encoding="utf-8") as stream:
        heads, *rows = csv.reader(stream)
    pairs = content.pairs["lap"]
    numbers = np.array([row[2:] for row in rows], float)
    assert [int(row[1]) for row in rows] == content.model.node_ids[pairs.slave_nodes].tolist()
    np.testing.assert_allclose(numbers[:, :3], content.model.nodes[pairs.slave_nodes], atol=1e-8)
    np.testing.assert_allclose(numbers[:, 3], pairs.weights, rtol=1e-8)
    for column, frame in ((4, 1), (5, 2)):
        expected = fields["gap"]().evaluate(content.context, "lap", frame)
        np.testing.assert_allclose(numbers[:, column], expected, rtol=1e-7, atol=1e-12)
    assert heads[6].startswith("gap [mm] at ")


def test_vtkhdf_is_read_by_vtk(press, tmp_path):
    """Independent reader: VTK's own, over pyvista."""
    pyvista = pytest.importorskip("pyvista")
    from vtkmodules.vtkIOHDF import vtkHDFReader

    content, *_ = press
    target = tmp_path / "x.vtkhdf"
    exporters["vtkhdf"]().write(content, ExportSettings("pressure", (0, 1, 2)), target, Silent())
    reader = vtkHDFReader()
    reader.SetFileName(str(target))
    reader.UpdateInformation()
    assert reader.GetNumberOfSteps() == 3
    for step in range(3):
        reader.SetStep(step)
        reader.Update()
        grid = pyvista.wrap(reader.GetOutput())
        assert (grid.n_points, grid.n_cells) == (302, 108)
        assert set(grid.celltypes.tolist()) == {24}  # quadratic tetrahedra
        expected = fields["displacement"]().evaluate(content.context, "", step)
        np.testing.assert_allclose(grid.point_data["displacement"], expected, atol=1e-6 * abs(expected).max())
        pressure = fields["pressure"]().evaluate(content.context, "lap", step)
        nodes = content.pairs["lap"].slave_nodes
        np.testing.assert_allclose(grid.point_data["pressure"][nodes], pressure, rtol=1e-5, atol=1e-6)
        assert np.isnan(np.delete(grid.point_data["pressure"], nodes)).all()
    # Cells have the right shape: VTK finds the volume of the plates, 2 × 40 × 10 × 2.
    assert grid.compute_cell_sizes(area=False, length=False).cell_data["Volume"].sum() == pytest.approx(
        1600.0
    )


def test_modes_can_be_exported(press, tmp_path):
    _, project, store, folder = press
    content = export_content(project, store, "modes", base=folder)
    assert content.context.frames.n_frames == content.context.body.n_coordinates == 16
    target = tmp_path / "modes.csv"
    exporters["csv"]().write(content, ExportSettings("displacement", tuple(range(16))), target, Silent())
    with target.open(encoding="utf-8") as stream:
        heads = next(csv.reader(stream))
    assert len(heads) == 4 + 3 * 16 and "mode 1" in heads[4]


@pytest.mark.parametrize("content", [export_content, shown_content])
def test_an_analysis_of_a_system_that_is_not_there_is_told(content, tmp_path):
    words = {"analyses": [{"kind": "motion", "name": "fall", "system": "mechanism"}]}
    with pytest.raises(ModelError, match="There is no system called 'mechanism'"):
        content(project_from_dict(words), ArtifactStore(tmp_path / "empty"), "fall", base=tmp_path)


@pytest.mark.parametrize("kind", TABLES)
def test_places_and_projects_that_cannot_be_exported_are_told(press, kind, tmp_path):
    content, project, _, folder = press
    with pytest.raises(FayingError, match="cannot be written"):
        exporters[kind]().write(content, ExportSettings("gap", (0,)), tmp_path / "no" / f"x.{kind}", Silent())
    with pytest.raises(ModelError, match="nothing here writes"):
        exporter_for(tmp_path / "x.doc")
    with pytest.raises(ModelError, match="has not been reduced"):
        export_content(project, ArtifactStore(tmp_path / "empty"), "press", base=folder)
