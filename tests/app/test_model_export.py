"""The window's model: exported, weighed, and given materials through the form."""

import csv
import zipfile

import numpy as np
import pytest
import pyvista
from PySide6.QtWidgets import QFileDialog, QMessageBox

from faying.examples import examples
from faying.fem.mass_properties import mass_properties
from faying.fem.readers import read_model
from faying.project import edits
from support.systems import chain
from support.windows import choose, plates_in, trigger, wait_idle

pytestmark = pytest.mark.window


def test_the_model_is_exported_as_deck_and_grid(qtbot, window, tmp_path, monkeypatch):
    plates_in(qtbot, window, tmp_path)
    body = window.context.project.bodies[0]
    model = window.context.computed.model(body.name)
    for name in ("again.inp", "again.vtu"):
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *args, name=name: (str(tmp_path / name), "")
        )
        trigger(qtbot, window, "export_model")
        assert len(read_model(tmp_path / name).element_ids) == len(model.element_ids)
    read = read_model(tmp_path / "again.inp")
    assert mass_properties(read).mass == mass_properties(model).mass


def test_contact_pairs_are_exported_as_table_and_grid(qtbot, window, tmp_path, monkeypatch):
    plates_in(qtbot, window, tmp_path)
    action = window.menus.actions["export_pairs"]
    assert "Update contact pairs" in action.why_disabled(window.context)
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    pairs = window.context.computed.pairs("plates", "lap")
    model = window.context.computed.model("plates")
    for name in ("lap.csv", "lap.vtu", "lap.txt"):
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *args, name=name: (str(tmp_path / name), "")
        )
        trigger(qtbot, window, "export_pairs")
    assert "Known are: .csv, .vtu" in window.problems[-1].informativeText()
    with (tmp_path / "lap.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [int(row["slave node"]) for row in rows[: len(pairs)]] == model.node_ids[
        pairs.slave_nodes
    ].tolist()
    assert len(rows) == len(pairs) + len(pairs.unpaired_nodes)
    grid = pyvista.read(tmp_path / "lap.vtu")
    lines = grid.extract_cells(grid.celltypes == 3)
    np.testing.assert_array_equal(lines["slave node"], model.node_ids[pairs.slave_nodes])
    np.testing.assert_allclose(lines["initial gap"], pairs.initial_gaps)
    ends = grid.points[grid.cell_connectivity[: 2 * len(pairs)]].reshape(-1, 2, 3)
    np.testing.assert_allclose(ends[:, 0], model.nodes[pairs.slave_nodes])
    np.testing.assert_allclose(ends[:, 1], pairs.points)
    assert (grid["reason"] > 0).sum() == len(pairs.unpaired_nodes)


def test_materials_of_the_library_are_chosen_in_the_window(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context = window.context
    body = context.project.bodies[0]
    heavy = context.computed.model(body.name)
    names = list(heavy.element_sets)
    choice = {"kind": "library", "name": "aluminium", "element_set": names[0]}
    assert context.apply("Choose a material", edits.set_value(("bodies", 0, "materials"), (choice,)))
    # The deck is read again by itself, so that the part stays in the scene.
    wait_idle(qtbot, window)
    light = context.computed.model(body.name)
    assert "aluminium" in {block.material for block in light.blocks}
    assert mass_properties(light).mass < mass_properties(heavy).mass


def test_a_reduced_body_is_exported_and_imported_again(qtbot, window, tmp_path, monkeypatch):
    plates_in(qtbot, window, tmp_path)
    action, context = window.menus.actions["export_body"], window.context
    assert "has not been reduced yet" in action.why_disabled(context)
    trigger(qtbot, window, "compute_basis")
    wait_idle(qtbot, window)
    path = tmp_path / "again.npz"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    trigger(qtbot, window, "export_body")
    assert not window.problems
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(path), ""))
    trigger(qtbot, window, "import_deck")
    qtbot.waitUntil(lambda: len(context.project.bodies) == 2, timeout=20000)
    wait_idle(qtbot, window)
    first, second = context.project.bodies
    assert [i.name for i in second.interfaces] == [i.name for i in first.interfaces]
    assert [j.name for j in second.joints] == ["lap"]
    context.selection.select(("bodies", 1))
    trigger(qtbot, window, "compute_basis")
    wait_idle(qtbot, window)
    assert not window.problems
    assert (
        context.computed.skin(second.name).surface.n_facets
        == context.computed.skin(first.name).surface.n_facets
    )


@pytest.mark.slow
@pytest.mark.needs("pythonfmu")
def test_a_motion_is_exported_as_fmu(qtbot, window, tmp_path, monkeypatch):
    action, context = window.menus.actions["export_fmu"], window.context
    assert "Select the motion" in action.why_disabled(context)
    choose(qtbot, window, "open_example", examples["double-pendulum"]().title)
    qtbot.waitUntil(lambda: bool(context.project.systems), timeout=20000)
    wait_idle(qtbot, window)
    (motion,) = (i for i, each in enumerate(context.project.analyses) if each.kind == "motion")
    context.selection.select(("analyses", motion))
    path = tmp_path / "pendulum.fmu"
    asked = []

    def write_it(box):
        asked.append(box.informativeText())
        return QMessageBox.StandardButton.Ok

    monkeypatch.setattr(QMessageBox, "exec", write_it)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    trigger(qtbot, window, "export_fmu")
    assert not window.problems and "has no inputs" in asked[0]
    with zipfile.ZipFile(path) as made:
        description = made.read("modelDescription.xml").decode()
    assert 'causality="output"' in description and "CoSimulation" in description
    choose(qtbot, window, "open_example", examples["flexible-pendulum"]().title)
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    context.selection.select(("analyses", 0))
    assert "run the motion first" in action.why_disabled(context)


def test_a_state_space_is_exported_as_fmu_and_matrices(qtbot, window, tmp_path, monkeypatch):
    action, context = window.menus.actions["export_fmu"], window.context
    plant = {"kind": "state_space", "name": "plant", "system": "system", "highest_frequency": 20.0}
    study = {"name": "Chain", "systems": [chain().model_dump()], "analyses": [plant]}
    context.document.apply("chain", edits.replace_project(study))
    context.selection.select(("analyses", 0))
    assert "run it first" in action.why_disabled(context)
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    assert not window.problems and not action.why_disabled(context)
    for name in ("plant.fmu", "plant.mat"):
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *args, name=name: (str(tmp_path / name), "")
        )
        trigger(qtbot, window, "export_fmu")
        assert not window.problems and (tmp_path / name).is_file()
    with zipfile.ZipFile(tmp_path / "plant.fmu") as made:
        assert "sources/linear.c" in made.namelist()
