"""Patterns of parts, copies whose links follow their own markers, and joints that bring parts together."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.face_shapes import FaceShape
from faying.multibody.assembly import assemble
from faying.multibody.joints_of_faces import JointOfFaces, joints_of_faces
from faying.project import edits
from faying.project.clipboard import copied_text, pasting
from faying.project.new_joints import JointSide, moved_side, new_joint
from faying.project.part_patterns import CirclePattern, LinePattern
from faying.project.specs import Project
from support.systems import system_of

PART = ("systems", 0, "parts", 0)
LINK = {
    "kind": "rigid_shape", "name": "spoke", "density": 7.85e-9,
    "shape": {"kind": "link", "first": "spoke.a", "second": "spoke.b"},
    "markers": [{"name": "a"}, {"name": "b", "position": (100.0, 0.0, 0.0)}],
    "placement": {"position": (10.0, 0.0, 0.0), "velocity": (1.0, 0.0, 0.0)},
}  # fmt: skip


def project_of(*parts, **more):
    return Project(name="p", systems=(system_of(parts=list(parts), **more),))


def test_a_row_of_links_has_names_and_markers_of_its_own():
    pattern = LinePattern(count=3, step=(0.0, 25.0, 0.0))
    system = pattern.edit(project_of(LINK), PART)(project_of(LINK)).systems[0]
    assert [part.name for part in system.parts] == ["spoke", "spoke 2", "spoke 3"]
    assert [part.placement.position for part in system.parts] == [(10, 0, 0), (10, 25, 0), (10, 50, 0)]
    for part in system.parts:
        assert (part.shape.first, part.shape.second) == (f"{part.name}.a", f"{part.name}.b")
        assert part.solid().volume == pytest.approx(2500.0)  # each from its own markers


def test_a_full_circle_is_shared_out_and_an_arc_has_both_ends():
    spokes = CirclePattern(count=4).edit(project_of(LINK), PART)(project_of(LINK)).systems[0].parts
    assert spokes[1].placement.position == pytest.approx((0.0, 10.0, 0.0), abs=1e-12)
    assert spokes[2].placement.position == pytest.approx((-10.0, 0.0, 0.0), abs=1e-12)
    assert spokes[1].placement.velocity == pytest.approx((0.0, 1.0, 0.0), abs=1e-12)
    at = assemble(system_of(parts=list(spokes)), {})
    tips = [at.system.motion(f"{part.name}.b", at.position).position for part in spokes]
    assert np.linalg.norm(tips, axis=1) == pytest.approx(110.0)
    arc = CirclePattern(count=3, angle=np.pi / 2, point=(10.0, 0.0, 0.0))
    ends = arc.edit(project_of(LINK), PART)(project_of(LINK)).systems[0].parts
    assert ends[2].placement.position == pytest.approx((10.0, 0.0, 0.0))
    assert ends[2].placement.rotation == pytest.approx((0.0, 0.0, np.pi / 2))


def test_patterns_without_a_step_or_axis_are_refused():
    with pytest.raises(ModelError, match="no length"):
        LinePattern(step=(0.0, 0.0, 0.0)).edit(project_of(LINK), PART)
    with pytest.raises(ModelError, match="direction"):
        CirclePattern(axis=(0.0, 0.0, 0.0)).edit(project_of(LINK), PART)


def test_duplicated_and_pasted_links_follow_their_own_markers():
    project = project_of(LINK)
    copied = edits.duplicate(PART, "other")(project).systems[0].parts[1]
    assert (copied.shape.first, copied.shape.second) == ("other.a", "other.b")
    text = copied_text(project, [PART], Path())
    pasted = pasting(text, project, [PART], (), ("systems", 0)).edit(project).systems[0].parts[-1]
    assert pasted.shape.first == f"{pasted.name}.a" != "spoke.a"


def test_a_new_joint_moves_the_free_part_to_the_other_one():
    box = {"kind": "rigid_shape", "density": 7.85e-9, "shape": {"kind": "box"}}
    project = project_of(
        {**box, "name": "one"}, {**box, "name": "two", "placement": {"position": (50.0, 0.0, 0.0)}}
    )
    turned = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # z along x
    places = np.array([[0.0, 0.0, 5.0], [45.0, 0.0, 0.0]])
    joint = JointOfFaces("revolute", places, np.array([np.eye(3), turned]), "two faces")
    sides = (
        JointSide("one", np.zeros(3), np.eye(3)),
        JointSide("two", np.array([50.0, 0.0, 0.0]), np.eye(3)),
    )
    assert moved_side(project.systems[0], joint, ("one", "two")) == 1
    made = new_joint(project, "system", joint, "pin", sides)(project)
    system = made.systems[0]
    at = assemble(system, {})
    assert not at.changes  # as placed, the markers meet
    one, two = (at.system.motion(f"{name}.pin", at.position) for name in ("one", "two"))
    assert one.position == pytest.approx([0.0, 0.0, 5.0], abs=1e-8)
    assert two.position == pytest.approx(one.position, abs=1e-8)
    assert two.axes[:, 2] == pytest.approx([0.0, 0.0, 1.0], abs=1e-8)
    # Where it stands: its face's normal x has become z, so that its middle is 5 above the face.
    assert system.parts[1].placement.position == pytest.approx((0.0, 0.0, 10.0), abs=1e-8)
    # A part that another joint holds is left to assembly.
    assert moved_side(system, joint, ("ground", "two")) is None


@pytest.mark.parametrize("kind", ["planar", "fixed", "translational"])
def test_a_face_that_looks_the_same_way_is_turned_over(kind):
    """The tops of two boxes of 10: the free box ends head down on the other one, not inside it."""
    box = {"kind": "rigid_shape", "density": 7.85e-9, "shape": {"kind": "box"}}
    project = project_of(
        {**box, "name": "one"}, {**box, "name": "two", "placement": {"position": (50.0, 0.0, 40.0)}}
    )

    def top(x, z):
        across, up = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
        return FaceShape("plane", np.array([x, 0.0, z]), up, across, 7.0)

    tops = top(0.0, 5.0), top(50.0, 45.0)
    joint = next(each for each in joints_of_faces(*tops) if each.kind == kind)
    sides = (
        JointSide("one", np.zeros(3), np.eye(3)),
        JointSide("two", np.array([50.0, 0.0, 40.0]), np.eye(3)),
    )
    system = new_joint(project, "system", joint, "seat", sides)(project).systems[0]
    at = assemble(system, {})
    middle = at.system.motion("two.centre of mass", at.position)
    assert middle.position[2] == pytest.approx(10.0, abs=1e-6)
    assert middle.axes[:, 2] == pytest.approx([0.0, 0.0, -1.0], abs=1e-6)
    flush = joints_of_faces(tops[0], top(50.0, 5.0))
    assert flush[0].tilt == 0.0  # both in one plane: they stay as they are
