"""Pairs at integration points in the real window: new joints have them; table, points, picture, probe and curve."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from faying.fem.skin import find_skin
from faying.joints.pairing import find_contact_pairs
from faying.joints.search import SearchSpec
from faying.project import edits
from faying.results.fields import fields
from faying_app.item_models.pairs_table import PairsTableModel
from faying_app.scene.content import DisplayOptions
from faying_app.scene.frames import evaluate_frame
from faying_app.view_state import Probe
from support.loaded_bodies import ring
from support.windows import choose, plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window
JOINT = ("bodies", 0, "joints", 0)
SEARCH = (*JOINT, "search")


@pytest.fixture
def joined(qtbot, window, tmp_path):
    """The window with a new joint, its pairs and a computed static analysis."""
    plates_in(qtbot, window, tmp_path, joint=False, analysis=True)
    window.context.selection.select(("bodies", 0))
    choose(qtbot, window, "add_joint", "From two surfaces, chosen in the form")
    settle(qtbot)
    sides = {
        side: {"kind": "deck_surface", "name": name}
        for side, name in (("master", "LOWER"), ("slave", "UPPER"))
    }
    window.context.apply("Surfaces", edits.set_values(JOINT, sides))
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    return window


def test_a_new_joint_has_pairs_at_integration_points(qtbot, joined):
    window, context = joined, joined.context
    assert context.value(SEARCH).pairs_at == "integration_points"
    joint = context.project.bodies[0].joints[0].name
    model, pairs = context.computed.model("plates"), context.computed.pairs("plates", joint)
    assert pairs.slave_nodes is None and len(pairs) > 50
    # The table names element and face of each; the histogram and the summary count them.
    window.show_panel("pairs")
    settle(qtbot, 150)
    panel = window.docks.panels["pairs"]
    heads = [panel.model.headerData(i, Qt.Orientation.Horizontal) for i in range(panel.model.columnCount())]
    assert heads[:2] == ["Slave element", "Slave face"] and panel.model.rowCount() == len(pairs)
    slave = context.computed.surface("plates", context.project.bodies[0].joints[0], "slave")
    element = np.concatenate([b.elements for b in slave.blocks])[pairs.slave_points.facets[3]]
    assert panel.model.index(3, 0).data() == str(model.element_ids[element])
    # A pair is picked where it is drawn, and beside the pointer it says where that is.
    scene = window.presenter.scene
    x, y = scene.pixels(pairs.on_slave(model.nodes))[7]
    found = scene.pick(x, y)
    assert found.kind == "pair"
    window.hover.look(found, QPointF(0.0, 0.0))
    assert "integration point between nodes" in window.viewport.overlay.lit.words[1]
    # At nodes again, by the form's parameter; the pairs are others.
    context.apply("Nodes", edits.set_values(SEARCH, {"pairs_at": "nodes"}))
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    assert context.computed.pairs("plates", joint).slave_nodes is not None
    assert panel.model.headerData(0, Qt.Orientation.Horizontal) == "Slave node"


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_fields_are_drawn_at_points_and_nodes(qtbot, joined):
    window, context = joined, joined.context
    joint = context.project.bodies[0].joints[0].name
    trigger(qtbot, window, "run_all")
    wait_idle(qtbot, window)
    context.selection.select(("analyses", 0))
    settle(qtbot, 200)
    context.view.set(field="pressure")
    settle(qtbot, 200)
    scene, found = window.presenter.scene, window.presenter.field_context
    pairs, frame = scene.content.joint_pairs[joint], scene.content.frame
    pressure = fields["pressure"]().evaluate(found, joint, frame.number)
    assert pressure.max() > 0.0
    np.testing.assert_allclose(frame.values[pairs.nodes_with_values], pairs.at_nodes(pressure))
    np.testing.assert_array_equal(frame.of_pairs[joint], pressure)
    scene.set_visible("joint_points", True)
    settle(qtbot, 100)
    drawn = scene.visuals["joint_points"]._drawn
    assert drawn.n_points == len(pairs) + pairs.n_unpaired
    np.testing.assert_allclose(
        drawn.points[: len(pairs)], pairs.on_slave(frame.positions), rtol=1e-5, atol=1e-5
    )
    # States keep their numbers; an enlarged joint opens by what its pairs open.
    status = evaluate_frame(found, {joint: pairs}, scene.content.model.nodes, frame.number, field="status")
    assert set(status.values[np.isfinite(status.values)]) <= {0.0, 1.0, 2.0}
    wide = evaluate_frame(
        found,
        {joint: pairs},
        scene.content.model.nodes,
        frame.number,
        field=None,
        display=DisplayOptions(joint_scale=50.0),
    )
    assert np.abs(wide.positions - status.positions)[pairs.nodes_with_values].max() > 0.0
    # A probed node's curve is the mean of the pairs around it, as its picture is.
    node = int(pairs.nodes_with_values[4])
    number = int(scene.content.model.node_ids[node])
    window.show_panel("curves")  # the panels below the view are collapsed at first
    context.view.set(probes=(Probe(subject="plates", node=number),))
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=30000)
    settle(qtbot)
    name = f"Pressure at node {number}"
    curve = next(s for s in window.docks.panels["curves"].plot.plot.series if s.name == name)
    assert curve.y[frame.number] == pytest.approx(frame.values[node], rel=1e-9)


def test_the_deviation_on_a_curved_slave_is_the_angle_between_the_normals():
    """Between two corners the normals of a ring's facet run through the point itself, seen from its axis."""
    master, slave = (ring(*radii, 1.0, (1, 8, 1), "hex8") for radii in ((1.0, 2.0), (2.0, 3.0)))
    first = len(master.nodes)
    (block,) = slave.blocks
    nodes = np.vstack([master.nodes, slave.nodes])
    model = replace(
        master,
        nodes=nodes,
        node_ids=np.arange(1, len(nodes) + 1),
        blocks=(
            *master.blocks,
            replace(block, ids=block.ids + 1000, connectivity=block.connectivity + first),
        ),
        node_sets={}, couplings=(), surfaces={},
    )  # fmt: skip
    skin = find_skin(model)
    radii, across = np.linalg.norm(skin.centroids[:, :2], axis=1), np.abs(skin.normals[:, 2]) < 0.5
    outwards = np.einsum("ij,ij->i", skin.centroids[:, :2], skin.normals[:, :2]) > 0.0
    near = across & (np.abs(radii - 2.0) < 0.3)
    sides = (
        skin.chosen(np.flatnonzero(near & outwards), "M"),
        skin.chosen(np.flatnonzero(near & ~outwards), "S"),
    )
    pairs = find_contact_pairs(nodes, *sides, SearchSpec(pairs_at="integration_points"))
    table = PairsTableModel()
    table.show_pairs(pairs, model, *sides)
    heads = [table.headerData(i, Qt.Orientation.Horizontal) for i in range(table.columnCount())]
    told = [float(table.index(i, heads.index("Deviation [°]")).data()) for i in range(len(pairs))]
    radial = pairs.on_slave(nodes)[:, :2]
    cosines = np.einsum("ij,ij->i", radial, pairs.normals[:, :2]) / np.linalg.norm(radial, axis=1)
    assert len(pairs) >= 32 and max(told) < 20.0
    np.testing.assert_allclose(told, np.degrees(np.arccos(np.minimum(np.abs(cosines), 1.0))), atol=0.01)
