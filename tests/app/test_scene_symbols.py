"""Marks of the model: arrows follow load histories, spiders stay thin, axes of constraints have a sense."""

import math
from dataclasses import replace

import numpy as np
import pytest

from faying.exporters.shown_loads import ShownLoad
from faying.fem.model import Coupling, Spring
from faying.fem.selections.deck_set import DeckSetSelection
from faying.fem.skin import find_skin
from faying.fem.supports import SupportSpec, with_supports
from faying.load_histories.harmonic import Harmonic
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.project.specs import Project
from faying_app.scene.content import Symbols
from faying_app.scene.picture import photographer
from faying_app.scene.shapes import CONSTRAINTS, N_COIL, constraint_lines
from faying_app.scene.system_picture import picture_of
from faying_app.scene.visuals.couplings import MOST_SPOKES, spokes
from faying_app.scene.visuals.system import member_lines
from support.boxes import box

pytestmark = pytest.mark.window


def directions(visual):
    drawn = visual._forces.GetMapper().GetInput()
    return np.array(
        [drawn.GetPointData().GetArray("direction").GetTuple3(i) for i in range(drawn.GetNumberOfPoints())]
    )


def test_arrows_follow_the_history_of_their_load(plates):
    """Once round over the run: up at a quarter, none at half of it, and down at three quarters."""
    times = plates.run.frames.values
    time_history = Harmonic(frequency=1.0 / times[-1])
    follows = ShownLoad(plates.tip, (0.0, 0.0, 50.0), "50 N", "force", time_history, "N")
    stays = ShownLoad(0, (0.0, 20.0, 0.0), "20 N")
    with photographer((500, 360)) as camera:
        scene = camera.scene
        scene.set_model(plates.model, plates.skin)
        scene.change(symbols=Symbols({"tip": plates.tip}, (0,), (follows, stays)))
        visual = scene.visuals["symbols"]
        np.testing.assert_allclose(
            directions(visual), [[0, 0, 1], [0, 1, 0]], atol=1e-6
        )  # of the model: in full
        scene.set_frames(plates.run, {"joint": plates.pairs})
        factors = [time_history.factor(float(t)) for t in times]
        largest = max(abs(f) for f in factors)
        for frame in (0, 6, 12, 18):
            scene.show_frame(frame, field=None, scale=1.0)
            camera.take()
            found = directions(visual)
            np.testing.assert_allclose(found[0], [0, 0, factors[frame] / largest], atol=1e-6)
            np.testing.assert_allclose(found[1], [0, 1, 0], atol=1e-6)
            texts = [label.GetInput() for label in visual._labels if label.GetVisibility()]
            assert f"{50.0 * factors[frame]:.5g} N" in texts and "20 N" in texts
        assert directions(visual)[0, 2] < -0.9
        # A support is drawn below what it holds, its tip at the node.
        box = visual._supports.GetMapper().GetSource().GetBounds()
        assert box[5] == pytest.approx(0.0, abs=1e-6) and box[4] < -0.9


def test_springs_are_drawn_between_their_nodes_and_follow_the_frame(plates):
    """A coil from node to node, a cross where both are at one place; hidden with the other marks."""
    nodes = plates.model.nodes
    far = int(np.argmax(np.linalg.norm(nodes - nodes[plates.tip], axis=1)))
    none = np.zeros((12, 12))
    springs = (
        Spring("SPRINGA element 1", np.array([plates.tip, far]), none, none),
        Spring("CBUSH 2", np.array([far, far]), none, none),
    )
    model = replace(plates.model, springs=springs)
    with photographer((300, 200)) as camera:
        scene = camera.scene
        scene.set_model(plates.model, plates.skin)
        assert not scene.visuals["springs"].is_shown(scene.content)
        scene.set_model(model, plates.skin)
        visual = scene.visuals["springs"]
        assert visual.is_shown(scene.content)

        def points():
            drawn = visual._lines.GetMapper().GetInput()
            return np.array([drawn.GetPoint(i) for i in range(drawn.GetNumberOfPoints())])

        before = points()
        np.testing.assert_allclose(before[[0, N_COIL - 1]], nodes[[plates.tip, far]], atol=1e-4)
        cross = before[N_COIL:]
        np.testing.assert_allclose(cross.mean(axis=0), nodes[far], atol=1e-4)
        assert len(cross) == 6
        scene.set_frames(plates.run, {"joint": plates.pairs})
        scene.show_frame(10, field=None, scale=1.0)
        moved = scene.content.positions[plates.tip]
        assert np.linalg.norm(moved - nodes[plates.tip]) > 1e-3
        np.testing.assert_allclose(points()[0], moved, atol=1e-4)


def test_spiders_have_few_spokes_that_go_all_round():
    for count in (5, MOST_SPOKES, MOST_SPOKES + 1, 1000):
        angle = 2 * np.pi * np.arange(count) / count
        nodes = np.concatenate([np.zeros((1, 3)), np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])])
        spider = Coupling("spider", "kinematic", 0, np.arange(1, count + 1), (1, 2, 3), np.ones(count))
        legs = spokes(spider, nodes)
        assert len(legs) == min(count, MOST_SPOKES)
        assert (legs[:, 0] == 0).all() and len(set(legs[:, 1])) == len(legs)
        gaps = np.diff(np.sort(angle[legs[:, 1] - 1]), append=2 * np.pi)
        assert gaps.max() <= 2 * 2 * np.pi / len(legs) + 1e-9


def test_axes_of_constraints_have_a_sense():
    for kind in ("revolute", "cylindrical", "translational"):
        pieces = CONSTRAINTS[kind]
        along = pieces[np.abs(pieces[:, :, :2]).max(axis=(1, 2)) < 1e-9]  # on the axis
        assert len(along) >= 1
        top = along[:, :, 2].max()
        heads = [
            p for p in pieces if math.isclose(p[0, 2], top) and p[1, 2] < top and abs(p[1, :2]).max() > 0.05
        ]
        assert len(heads) == 2, kind  # both sides of one arrow head, at the positive end
        assert not any(math.isclose(p[0, 2], -top) and abs(p[1, :2]).max() > 0.05 for p in pieces)


def test_supported_surfaces_stand_on_marks_of_their_kind():
    """Coils under springs, balls where it slides, pyramids where it is fixed, out along the normals; they follow."""
    size = (6.0, 4.0, 2.0)
    plain = box("hex8_incompatible", (6, 4, 2), size)
    springs = {"normal_stiffness": 10.0}
    specs = [
        SupportSpec(name=name, behaviour=kind, surface=DeckSetSelection(name=face), **more)
        for name, kind, face, more in (
            ("bed", "elastic", "ZMIN", springs), ("wall", "frictionless", "XMIN", {}), ("end", "fixed", "YMAX", {}),
        )
    ]  # fmt: skip
    model = with_supports(plain, specs)
    with photographer((400, 300)) as camera:
        scene = camera.scene
        scene.set_model(model, find_skin(model))
        visual = scene.visuals["supports"]
        camera.take()
        for name, kind, axis, sense in (
            ("bed", "elastic", 2, -1), ("wall", "sliding", 0, -1), ("end", "fixed", 1, 1),
        ):  # fmt: skip
            drawn = visual._actors_of[kind].GetMapper().GetInput()
            points = np.array([drawn.GetPoint(i) for i in range(drawn.GetNumberOfPoints())])
            assert 10 <= len(points) <= 24, name
            np.testing.assert_allclose(points[:, axis], 0.0 if sense < 0 else size[axis], atol=1e-6)
            arrows = drawn.GetPointData().GetArray("direction")
            for i in range(len(points)):
                assert arrows.GetTuple3(i)[axis] == pytest.approx(sense)
        seen = camera.take()
        scene.set_visible("supports", False)
        assert (seen != camera.take()).any(axis=-1).sum() > 300


def test_curves_of_constraints_are_drawn_in_their_true_size():
    """Those of `picture_of` a cam, at the marker that carries them, whatever the size of signs."""
    words = {
        "kind": "curve_on_curve", "name": "face", "first": "ground.axle", "second": "part.frame",
        "curve": {"kind": "cam_lift"}, "second_curve": {"kind": "formula", "x": "5*cos(s)", "y": "5*sin(s)"},
    }  # fmt: skip
    part = {"kind": "rigid", "name": "part"}
    ground = [{"name": "axle", "position": (3.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.5 * np.pi)}]
    spec = build(SystemSpec, {"name": "train", "ground": ground, "parts": [part], "constraints": [words]})
    still = (np.array([0.0, 30.0, 0.0]), np.eye(3))
    shown = picture_of(build(Project, {"name": "p", "systems": [spec]}), spec, {}, [still]).shown
    places, axes = shown.marker_poses((still,), np.zeros((0, 3)))
    pieces = member_lines(constraint_lines, shown.constraints[0], places, axes, 1e-3)
    (cam, outline), (follower, circle) = shown.constraints[0].outlines
    assert (cam, follower) == shown.constraints[0].markers
    count = len(outline) + len(circle) - 2
    ends = pieces[-count:].reshape(-1, 3)
    turned = np.column_stack([3.0 - outline[:, 1], outline[:, 0], outline[:, 2]])
    np.testing.assert_allclose(ends[0], turned[0], atol=1e-12)
    np.testing.assert_allclose(
        np.linalg.norm(ends[-2 * len(circle) + 2 :] - (0.0, 30.0, 0.0), axis=1), 5.0, rtol=1e-3
    )
