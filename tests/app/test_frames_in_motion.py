"""While frames of a large body are played only the nodes that are drawn are evaluated; what stays is exact."""

from pathlib import Path

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from faying.fem.skin import find_skin
from faying.reduction.body import ReducedBody
from faying.results.fields import FieldContext
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying_app.scene.content import CuttingPlane, DisplayOptions
from faying_app.scene.frames import evaluate_frame
from faying_app.scene.pace import Pace
from faying_app.scene.picture import photographer
from support.boxes import box

MODES, FRAMES, LIMITS = 6, 8, (0.0, 2.0)


@pytest.fixture(scope="module")
def plate(tmp_path_factory):
    """A plate with 40 000 triangles, six waves for modes, and eight frames of a motion."""
    model = box("hex8", (100, 100, 1), (10.0, 10.0, 0.1))
    rng = np.random.default_rng(3)
    waves = model.nodes @ rng.normal(size=(3, MODES)) * 0.4
    shapes = (np.sin(waves)[:, None, :] * rng.normal(size=(1, 3, MODES))).reshape(-1, MODES)
    eye = np.eye(MODES)
    body = ReducedBody("", eye, eye, np.eye(6), model.nodes, shapes, {}, {}, (), (), np.zeros(0))
    path: Path = tmp_path_factory.mktemp("motion") / "plate.h5"
    with ResultsWriter(path, axis="time", body="b", sizes={"coordinates": MODES}, joints={}) as writer:
        for i in range(FRAMES):
            writer.append(0.1 * i, coordinates=0.3 * np.sin(0.7 * i * (1 + np.arange(MODES) % 3) + 0.2))
        writer.close({})
    context = FieldContext(Results(path), body, {}, {}, {}, model)
    yield model, find_skin(model), context
    context.frames.close()


@pytest.fixture
def camera(plate):
    """A scene of the plate that draws what moves coarsely."""
    model, skin, context = plate
    with photographer((320, 240)) as found:
        found.scene.stage.rest_later = lambda: None
        found.scene.stage.pace = Pace(lambda: 0.0)  # no picture takes any time, however busy the machine is
        found.scene.set_model(model, skin)
        found.scene.set_frames(context, {})
        yield found


def play(camera, number: int, **words) -> None:
    """Show and draw a frame as if another picture had just been drawn."""
    camera.scene.stage.pace.note_drawn()
    camera.scene.show_frame(number, **{"field": "displacement", "limits": LIMITS, "scale": 2.0} | words)


@pytest.mark.parametrize(
    "field", ["displacement", "velocity", "acceleration", "displacement + 0.1 * velocity", None]
)
def test_a_frame_in_motion_is_exact_at_the_nodes_that_are_drawn(plate, camera, field) -> None:
    model, _, context = plate
    play(camera, 1, field=field)
    play(camera, 2, field=field)
    camera.draw()
    frame, drawn = camera.scene.content.frame, camera.scene.visuals["body"].skin.GetMapper().GetInput()
    assert not frame.is_whole
    rows = camera.scene.stage.nodes_in_motion()
    assert 3_000 < len(rows) < 0.75 * len(model.nodes)
    full = evaluate_frame(context, {}, model.nodes, 2, field=field, limits=LIMITS, scale=2.0)
    np.testing.assert_allclose(frame.positions_at[rows], full.positions[rows], atol=1e-12)
    # What VTK draws are these very nodes: each of its points lies where the whole frame has a node.
    nodes = camera.scene.visuals["body"]._coarse.nodes
    np.testing.assert_allclose(vtk_to_numpy(drawn.GetPoints().GetData()), full.positions[nodes], atol=1e-5)
    if field is not None:
        np.testing.assert_allclose(frame.values_at[rows], full.values[rows], atol=1e-12)
        coloured = vtk_to_numpy(drawn.GetPointData().GetScalars())
        np.testing.assert_allclose(coloured, full.values[nodes], rtol=1e-6)
        assert frame.limits == LIMITS


def test_the_frame_that_stays_is_drawn_in_full_with_its_extremes(plate, camera) -> None:
    model, skin, context = plate
    legend = camera.scene.visuals["legend"]
    for number in (1, 2, 3):
        play(camera, number)
        camera.draw()
    assert legend.text.remark == "max …\nmin …"
    stage = camera.scene.stage
    assert stage.visuals["body"].skin.GetMapper().GetInput().GetNumberOfCells() < 20_000
    camera.draw()  # nothing has moved since
    frame = camera.scene.content.frame
    assert frame.is_whole
    assert stage.visuals["body"].skin.GetMapper().GetInput().GetNumberOfCells() == 2 * len(skin.areas)
    moved = (context.body.displacements @ context.frames.coordinates(3)).reshape(-1, 3)
    sizes = np.linalg.norm(moved, axis=1)
    assert frame.extremes == pytest.approx((sizes.min(), sizes.max()), rel=1e-12)
    assert f"max {sizes.max():.2f}" in legend.text.remark
    np.testing.assert_allclose(frame.positions, model.nodes + 2.0 * moved, atol=1e-12)
    stayed = camera.take()
    with photographer((320, 240)) as other:
        other.scene.set_model(model, skin)
        other.scene.set_frames(context, {})
        other.scene.camera = camera.scene.camera
        other.scene.show_frame(3, field="displacement", limits=LIMITS, scale=2.0)
        other.scene.camera = camera.scene.camera
        assert np.array_equal(stayed, other.take())


def test_probes_are_exact_in_motion_and_asking_for_another_node_evaluates_all(plate, camera) -> None:
    model, _, context = plate
    play(camera, 1)
    camera.draw()
    drawn = camera.scene.stage.nodes_in_motion()
    probed = int(np.setdiff1d(np.arange(len(model.nodes)), drawn)[0])
    camera.scene.change(probes=(probed,))
    play(camera, 2)
    frame = camera.scene.content.frame
    full = evaluate_frame(context, {}, model.nodes, 2, field="displacement", limits=LIMITS)
    assert frame.values_at[probed] == pytest.approx(full.values[probed], rel=1e-12)
    assert not frame.is_whole, "a probed node is one of those that are drawn"
    known = camera.scene.stage.nodes_in_motion()
    other = int(np.setdiff1d(np.arange(len(model.nodes)), known)[0])
    assert frame.values_at[[probed, other]] == pytest.approx(full.values[[probed, other]], rel=1e-12)
    assert frame.values_at.is_whole


def test_what_needs_all_nodes_gets_them_in_motion_too(camera) -> None:
    cases = (
        ({"limits": None}, DisplayOptions()),  # the colours span the values of all nodes
        ({"field": "von_mises"}, DisplayOptions()),  # stresses come from elements
        ({"field": "displacement / maximum(displacement)"}, DisplayOptions()),
        ({}, DisplayOptions(joint_scale=3.0)),
        ({}, DisplayOptions(sections=(CuttingPlane((0.0, 0.0, 1.0), 0.5),))),
        ({}, DisplayOptions(isolines=5)),
    )
    for words, look in cases:
        camera.scene.change(display=look)
        for number in (1, 2):
            play(camera, number, **words)
            assert camera.scene.content.frame.is_whole, (words, look)
            camera.draw()
