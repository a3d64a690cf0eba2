"""A motion that goes on from a frame of another one."""

import numpy as np
import pytest

from faying.analyses import SystemModel, analyses
from faying.errors import ModelError
from faying.params import build
from faying.progress import Silent
from faying.project.specs import Project
from faying.project.stage import target_of
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.results.results import Results
from support.systems import BAR, DOWN_Y, jointed_plates_model, moved, system_of


def test_a_motion_goes_on_from_a_frame_of_another(tmp_path):
    """The second half of a run alone ends where the whole run does; wheels go on counting their turns."""
    wheel = {
        "kind": "rigid",
        "mass": 1.0,
        "moments_of_inertia": (1.0, 1.0, 1.0),
        "markers": [{"name": "hub"}],
    }
    spec = system_of(
        parts=[{**wheel, "name": "small"}, {**wheel, "name": "large", "placement": {"position": (3, 0, 0)}}],
        ground=[{"name": "a"}, {"name": "b", "position": (3.0, 0, 0)}],
        constraints=[
            {"kind": "revolute", "name": "one", "first": "ground.a", "second": "small.hub"},
            {"kind": "revolute", "name": "two", "first": "ground.b", "second": "large.hub"},
            {"kind": "gear", "name": "teeth", "first_carrier": "ground.a", "first_wheel": "small.hub",
             "second_carrier": "ground.b", "second_wheel": "large.hub", "ratio": -2.0},
        ],
        forces=[{"kind": "point_force", "name": "motor", "marker": "small.hub", "moment": (0, 0, 2000.0)}],
    )  # fmt: skip
    whole = moved(spec, tmp_path, 0.1, frames=10, largest_step=1e-3, tolerance=1e-7)
    rest = build(
        analyses["motion"],
        {"name": "rest", "system": "system", "duration": 0.04, "frames": 4, "start_from": "run", "start_frame": 6,
         "integrator": {"kind": "hht", "alpha": -0.05, "largest_step": 1e-3, "tolerance": 1e-7}},
    )  # fmt: skip
    assert rest.predecessors() == ("run",)
    rest.run(SystemModel(spec, {}, whole), tmp_path / "rest.h5", Silent())
    found = Results(tmp_path / "rest.h5")
    np.testing.assert_allclose(found.values, whole.values[6:], rtol=1e-12)
    for curve in ("one angle", "two angle", "small.hub x"):
        np.testing.assert_allclose(found.curve(curve), whole.curve(curve)[6:], atol=1e-4)
    with pytest.raises(ModelError, match="no frame 99"):
        rest.with_(start_frame=99).run(SystemModel(spec, {}, whole), tmp_path / "none.h5", Silent())


def test_friction_goes_on_from_a_frame(tmp_path):
    """The history of each pair comes along: the restarted motion goes the way of the whole one."""
    plates = jointed_plates_model()
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}],
        constraints=[{"kind": "fixed", "name": "clamp", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -20.0),
                 "time_history": {"kind": "haversine", "rise_time": 5e-5}}],
    )  # fmt: skip
    words = {"tolerance": 1e-5, "first_step": 1e-6, "largest_step": 2e-6}
    whole = moved(spec, tmp_path, 1.2e-4, {"plates": plates}, frames=6, **words)
    rest = build(
        analyses["motion"],
        {"name": "rest", "system": "system", "duration": 6e-5, "frames": 3, "start_from": "run", "start_frame": 3,
         "integrator": {"kind": "hht", "alpha": -0.05, **words}},
    )  # fmt: skip
    rest.run(SystemModel(spec, {"plates": plates}, whole), tmp_path / "rest.h5", Silent())
    found, wanted = Results(tmp_path / "rest.h5").curve("plates.TIP z"), whole.curve("plates.TIP z")[3:]
    np.testing.assert_allclose(found - 1.0, wanted - 1.0, atol=0.02 * np.abs(wanted - 1.0).max())


def test_a_project_runs_the_first_motion_before_the_second(tmp_path):
    part = {**BAR, "name": "bar", "placement": {"position": (0.5, 0, 0)}}
    hinge = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "bar.left"}
    motion = {"kind": "motion", "system": "swing", "duration": 0.05, "frames": 5}
    project = build(
        Project,
        {
            "name": "swing", "units": "m-kg-s",
            "systems": [{"name": "swing", "parts": [part], "constraints": [hinge], "gravity": DOWN_Y}],
            "analyses": [{**motion, "name": "second", "start_from": "first"}, {**motion, "name": "first"}],
        },
    )  # fmt: skip
    store = ArtifactStore(tmp_path)
    second, first = (PIPELINE.run(project, target_of(a), store).open() for a in project.analyses)
    assert second.values[0] == first.values[-1] == pytest.approx(0.05)
    np.testing.assert_array_equal(second.part("bar").position(0), first.part("bar").position(5))
    around = project.with_(
        analyses=(project.analyses[0], project.analyses[1].with_(start_from="second")),
    )
    with pytest.raises(ModelError, match="cannot start from"):
        PIPELINE.run(around, target_of(around.analyses[0]), store)
