"""Meshes, shapes and fields as files of other programs: read back by their readers and by the formats' words."""

from xml.etree import ElementTree

import numpy as np
import pytest

from faying.exporters import ExportSettings, exporters
from faying.exporters.output import at_nodes
from faying.fem.elements import element_kinds
from faying.fem.readers import read_model
from faying.fem.universal_elements import SOLIDS, descriptor_of
from faying.progress import Silent
from faying.results.fields import fields
from faying.testing.plates import plates_session, solved
from faying.units import factor_to_si


@pytest.fixture(scope="module")
def content():
    solved("press")
    return plates_session().shown_body("press")


def pressures(content, frame):
    """Return node numbers (n,) and pressures (n,) of the joint's slave nodes."""
    joint = next(iter(content.pairs))
    rows, values = at_nodes(content, fields["pressure"](), joint, frame)
    return content.model.node_ids[rows], values


def datasets(path):
    """Return (number, lines) of each dataset of a universal file."""
    found, lines = [], path.read_text().splitlines()
    fences = [k for k, line in enumerate(lines) if line.strip() == "-1"]
    for start, stop in zip(fences[::2], fences[1::2], strict=True):
        found.append((int(lines[start + 1]), lines[start + 2 : stop]))
    return found


def test_the_mesh_of_a_universal_file_is_read_back_in_metres(content, tmp_path):
    path = tmp_path / "plates.unv"
    exporters["unv"]().write(content, ExportSettings("pressure", (0,)), path, Silent())
    read, model = read_model(path), content.model
    metre = factor_to_si("length", content.units)
    used = np.isin(model.node_ids, read.node_ids)
    np.testing.assert_allclose(read.nodes, metre * model.nodes[used], rtol=1e-14)
    for old, new in zip(model.blocks, read.blocks, strict=True):
        np.testing.assert_array_equal(model.node_ids[old.connectivity], read.node_ids[new.connectivity])


def test_dataset_55_holds_displacements_and_pressures_in_si(content, tmp_path):
    path, frames = tmp_path / "plates.unv", (0, content.n_frames - 1)
    exporters["unv"]().write(content, ExportSettings("pressure", frames), path, Silent())
    shapes = [lines for number, lines in datasets(path) if number == 55]
    assert len(shapes) == 2 * len(frames)
    moved, pressed = shapes[-2:]
    assert [int(word) for word in moved[5].split()] == [1, 1, 2, 8, 2, 3]
    assert [int(word) for word in pressed[5].split()] == [1, 1, 1, 2, 2, 1]
    numbers = [int(line) for line in moved[8::2]]
    np.testing.assert_array_equal(numbers, content.model.node_ids)
    metre = factor_to_si("length", content.units)
    values = np.array([[float(word) for word in line.split()] for line in moved[9::2]])
    wanted = metre * content.body_context.displacement(frames[-1])
    np.testing.assert_allclose(values, wanted, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())
    ids, wanted = pressures(content, frames[-1])
    assert [int(line) for line in pressed[8::2]] == ids.tolist()
    values = np.array([float(line) for line in pressed[9::2]])
    pascal = factor_to_si("stress", content.units)
    assert values.max() > 0.0
    np.testing.assert_allclose(values, pascal * wanted, rtol=1e-5, atol=1e-5 * pascal * wanted.max())


def test_every_element_but_pyramids_has_a_descriptor_with_each_node_once():
    without = set()
    for name in element_kinds:
        n_nodes = element_kinds[name].n_nodes
        found = descriptor_of(name, n_nodes)
        if found is None:
            without.add(name)
        else:
            assert sorted(found[1]) == list(range(n_nodes))
    assert without == {"pyramid5", "pyramid13"}
    assert all(descriptor_of(kind, 0) == (number, order) for number, (kind, order) in SOLIDS.items())


def test_a_collection_names_a_grid_for_each_frame_with_its_time(content, tmp_path):
    path, frames = tmp_path / "plates.pvd", tuple(range(content.n_frames))
    exporters["pvd"]().write(content, ExportSettings("pressure", frames), path, Silent())
    sets = ElementTree.parse(path).getroot().findall("Collection/DataSet")
    times = [float(each.get("timestep")) for each in sets]
    np.testing.assert_array_equal(times, content.context.frames.values)
    read = read_model(tmp_path / sets[-1].get("file"))
    np.testing.assert_allclose(read.nodes, content.model.nodes)


def test_pyvista_reads_the_collection(content, tmp_path):
    pyvista = pytest.importorskip("pyvista")
    path, frames = tmp_path / "plates.pvd", tuple(range(content.n_frames))
    exporters["pvd"]().write(content, ExportSettings("pressure", frames), path, Silent())
    reader = pyvista.get_reader(path)
    reader.set_active_time_value(reader.time_values[-1])
    grid = reader.read()[0]
    np.testing.assert_allclose(
        grid.point_data["displacement [mm]"], content.body_context.displacement(frames[-1]), rtol=1e-12
    )
    ids, wanted = pressures(content, frames[-1])
    rows = np.flatnonzero(np.isin(grid.point_data["node"], ids))
    values = dict(zip(grid.point_data["node"][rows], grid.point_data["pressure [N/mm²]"][rows], strict=True))
    np.testing.assert_allclose([values[k] for k in ids.tolist()], wanted)
    assert np.isnan(grid.point_data["pressure [N/mm²]"]).sum() == len(content.model.nodes) - len(ids)
