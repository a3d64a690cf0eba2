"""Looks of a rigid part given by numbers: they are drawn, and nothing is computed from them."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import FayingError
from faying.params import build
from faying.project import edits
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.stages import PIPELINE

WORDS = {
    "systems": [
        {
            "name": "swing",
            "parts": [
                {
                    "kind": "rigid",
                    "name": "arm",
                    "mass": 2.0,
                    "moments_of_inertia": [1.0, 5.0, 5.0],
                    "markers": [{"name": "a"}, {"name": "b", "position": [60.0, 0.0, 0.0]}],
                }
            ],
        }
    ],
    "analyses": [{"kind": "motion", "name": "fall", "system": "swing", "duration": 0.1}],
}
LOOKS = ("systems", 0, "parts", 0, "looks")
FALL = Target("motion", "swing", "fall")


@pytest.fixture
def project():
    return build(Project, WORDS)


def seen(project, words):
    return edits.set_value(LOOKS, words)(project)


@pytest.mark.parametrize(
    ("words", "extent"),
    [
        ({"kind": "box", "edges": (3.0, 4.0, 5.0)}, (3.0, 4.0, 5.0)),
        ({"kind": "sphere", "radius": 7.0}, (14.0, 14.0, 14.0)),
        ({"kind": "cylinder", "start": (0, 0, 0), "end": (0, 0, 9), "radius": 2.0}, (4.0, 4.0, 9.0)),
        ({"kind": "link", "first": "arm.a", "second": "arm.b", "width": 6.0, "depth": 3.0}, (60.0, 6.0, 3.0)),
    ],
)
def test_looks_are_drawn_and_weigh_nothing(project, words, extent):
    before = project.systems[0].parts[0]
    assert before.shown_solid() is None
    part = seen(project, words).systems[0].parts[0]
    solid = part.shown_solid()
    # A sphere and a cylinder are drawn with corners on the circle: a little inside of it.
    assert np.ptp(solid.points, axis=0) == pytest.approx(extent, rel=0.01)
    assert solid.triangles.max() < len(solid.points)
    assert part.without_looks() == before


def test_a_motion_stays_true_whatever_its_parts_look_like(project):
    before = PIPELINE.key_of(project, FALL)
    ball = seen(project, {"kind": "sphere", "radius": 7.0})
    assert PIPELINE.key_of(ball, FALL) == before
    assert PIPELINE.key_of(seen(project, {"kind": "mesh", "path": "nowhere.stl"}), FALL) == before
    heavier = edits.set_value((*LOOKS[:-1], "mass"), 3.0)(ball)
    assert PIPELINE.key_of(heavier, FALL) != before


def test_looks_that_cannot_be_made_hold_nothing_up(project):
    broken = seen(project, {"kind": "link", "first": "arm.a", "second": "arm.nowhere"})
    part = broken.systems[0].parts[0]
    with pytest.raises(FayingError, match="nowhere"):
        part.shown_solid()
    assert part.build({}).name == "arm"  # the computing part needs no looks
    (found,) = [f for f in run_checks(CheckedProject(broken, Path())) if f.check == "part_looks"]
    assert found.severity == "warning" and found.entity == LOOKS
    assert "nowhere" in found.sentence and found.sentence.endswith("inertia.")
    assert not [f for f in run_checks(CheckedProject(project, Path())) if f.check == "part_looks"]
