"""A part that nothing holds is reported before it falls through everything; the study of a first user is accepted."""

from pathlib import Path

import pytest

from faying.params import build
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project

BALL = {
    "kind": "rigid_shape", "name": "ball", "density": 7.85e-9, "shape": {"kind": "sphere", "radius": 10.0},
    "placement": {"position": [0.0, 0.0, 20.0]},
    "contact_surfaces": [{"kind": "sphere", "name": "skin", "radius": 10.0}],
}  # fmt: skip
OTHER = {**BALL, "name": "other", "placement": {"position": [0.0, 0.0, 60.0]}}
FALL = [{"kind": "motion", "name": "drop", "system": "system", "duration": 0.1}]


def free_parts(parts=(BALL,), gravity=(0.0, 0.0, -9806.65), analyses=FALL, **words):
    system = {
        "name": "system", "gravity": gravity, "parts": list(parts),
        "ground_surfaces": [{"kind": "plane", "name": "floor"}], **words,
    }  # fmt: skip
    decided = build(Project, {"units": "mm-t-s", "systems": [system], "analyses": list(analyses)})
    return [
        f
        for f in run_checks(CheckedProject(decided, Path(), {}))
        if f.check in ("free_parts", "part_contacts")
    ]


def between(master, slave):
    return {"contacts": [{"name": "bounce", "master": master, "slave": slave}]}


def test_a_part_that_falls_through_everything():
    (found,) = free_parts()
    assert found.severity == "note" and found.entity == ("systems", 0, "parts", 0)
    assert found.sentence.startswith("Part 'ball' of system 'system' falls freely")
    assert "between 'ball.skin' and 'ground.floor'" in found.hint


@pytest.mark.parametrize(
    "sides",
    [("ground.floor", "ball.shape"), ("ball.shape", "ground.floor"), ("ground.floor", "ball.skin"),
     ("ball.skin", "ground.floor")],
)  # fmt: skip
def test_one_that_lands_is_not_reported_whichever_surface_is_the_slave(sides):
    assert not free_parts(**between(*sides))


def test_parts_that_only_touch_each_other_fall_together():
    found = free_parts((BALL, OTHER), **between("ball.shape", "other.shape"))
    assert [f.entity[-1] for f in found] == [0, 1]


@pytest.mark.parametrize(
    "words",
    [
        {"gravity": (0.0, 0.0, 0.0)},
        {"analyses": ()},
        {
            "constraints": [
                {"kind": "fixed", "name": "hold", "first": "ground.origin", "second": "ball.frame"}
            ]
        },
        {"forces": [{"kind": "point_force", "name": "lift", "marker": "ball.frame"}]},
    ],
)
def test_parts_that_are_held_or_feel_no_weight(words):
    assert not free_parts(**words)
