"""Edits of systems, names that follow, and findings about their motion."""

from pathlib import Path

import pytest

from faying.errors import ModelError
from faying.project import edits
from faying.project.assembled import assembled_system
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project

HINGE = {"kind": "revolute", "name": "hinge", "first": "ground.pivot", "second": "arm.left"}
ARM = {
    "kind": "rigid", "name": "arm", "moments_of_inertia": (0.01, 0.1, 0.1),
    "markers": [{"name": "left", "position": (-0.5, 0.0, 0.0)}, {"name": "right", "position": (0.5, 0.0, 0.0)}],
}  # fmt: skip


def made(*steps) -> Project:
    project = Project()
    for step in (
        edits.add_system({"name": "crane"}),
        edits.add_part("crane", ARM),
        edits.add_marker("crane", "ground", {"name": "pivot", "position": (-0.5, 0.0, 0.0)}),
        edits.add_constraint("crane", HINGE),
        edits.add_analysis({"kind": "motion", "name": "swing", "system": "crane"}),
        *steps,
    ):
        project = step(project)
    return project


def sentences(project) -> list[str]:
    assembled = {s.name: at for s in project.systems if (at := assembled_system(s, {})) is not None}
    found = run_checks(CheckedProject(project, Path(), assembled=assembled))
    return [f.sentence for f in found]


GRAVITY = edits.set_value(("systems", 0, "gravity"), (0.0, -9.81, 0.0))


def test_names_of_systems_parts_and_markers_are_followed():
    project = made(
        edits.add_force("crane", {"kind": "point_force", "name": "push", "marker": "arm.right"}),
        edits.rename(("systems", 0), "lift"),
        edits.rename(("systems", 0, "parts", 0), "boom"),
        edits.rename(("systems", 0, "parts", 0, "markers", 1), "tip"),
        edits.rename(("systems", 0, "ground", 0), "base"),
    )
    system = project.system("lift")
    assert system.constraints[0].marker_names() == ("ground.base", "boom.left")
    assert system.forces[0].marker == "boom.tip"
    assert project.analyses[0].system == "lift"
    assert set(system.forces[0].marker_names()) <= set(system.marker_names({}))


def test_markers_that_members_may_name_are_those_that_the_parts_have():
    system = made().systems[0]
    at = assembled_system(system, {})
    assert set(system.marker_names({})) == {
        f"{part.name}.{name}" for part in at.system.parts for name in part.marker_names()
    }


def test_a_marker_needs_a_part_that_is_there():
    with pytest.raises(ModelError, match="no part called 'leg'"):
        made(edits.add_marker("crane", "leg", {"name": "foot"}))


def test_removing_a_system_takes_its_analyses_along():
    assert edits.remove(("systems", 0))(made()).analyses == ()


def test_a_pendulum_has_one_degree_of_freedom_and_nothing_to_complain_of():
    project = made(GRAVITY)
    assert assembled_system(project.systems[0], {}).freedom.degrees == 1
    assert sentences(project) == []


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((), "no force acts on it"),
        ((GRAVITY, edits.set_value(("systems", 0, "gravity"), (9.81, 0.0, 0.0))), "in balance along everything"),
        ((GRAVITY, edits.replace_member(("systems", 0, "constraints", 0), "fixed")), "no degree of freedom"),
    ],
)  # fmt: skip
def test_why_a_system_does_not_move_is_said(steps, reason):
    assert any(reason in sentence and "will not move" in sentence for sentence in sentences(made(*steps)))


def test_a_driven_hinge_moves_without_any_degree_of_freedom():
    drive = {**HINGE, "kind": "prescribed_angle", "name": "drive"}
    project = made(edits.add_constraint("crane", drive))
    assert assembled_system(project.systems[0], {}).freedom.degrees == 0
    assert sentences(project) == []


def test_a_second_hinge_is_named_as_one_too_many():
    second = {**HINGE, "name": "second hinge"}
    found = sentences(made(GRAVITY, edits.add_constraint("crane", second)))
    assert len(found) == 1
    assert "over-constrained by 5 equations" in found[0]
    assert "displacement along x, displacement along y" in found[0]
    assert "of 'second hinge' follow from 'hinge'" in found[0]


def test_parts_that_do_not_fit_together_are_an_error():
    rod = {"kind": "distance", "name": "rod", "first": "ground.pivot", "second": "arm.right", "distance": 9.0}
    assert any(
        "cannot be put together" in s for s in sentences(made(GRAVITY, edits.add_constraint("crane", rod)))
    )
