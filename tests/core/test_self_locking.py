"""Mechanisms that friction locks. Kind of reference: closed form of a slide that is pushed off its guide's axis."""

import numpy as np
import pytest

from faying.analyses import SystemModel, analyses
from faying.errors import SolveError
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from support.systems import BAR, system_of

ALONG_X = (0.0, np.pi / 2, 0.0)
ARM, LENGTH = 0.4, 0.3  # of the push from the guide's axis, and of the guide
LOCKS_AT = LENGTH / (2.0 * ARM)


def drawer(friction, path):
    """Run a drawer that a rod pushes along x, off its axis, against a constant force of 100."""
    slide = {**BAR, "name": "drawer", "markers": [
        {"name": "slide", "rotation": ALONG_X}, {"name": "handle", "position": (0, ARM, 0), "rotation": ALONG_X},
    ]}  # fmt: skip
    rod = {**BAR, "name": "rod", "markers": [{"name": "rail", "rotation": ALONG_X}],
           "placement": {"position": (0, ARM, 0)}}  # fmt: skip
    spec = system_of(
        ground=[{"name": "rail", "rotation": ALONG_X}, {"name": "side", "position": (0, ARM, 0), "rotation": ALONG_X},
                {"name": "wall", "position": (5.0, 0, 0)}],
        parts=[slide, rod],
        constraints=[
            {"kind": "translational", "name": "guide", "first": "ground.rail", "second": "drawer.slide"},
            {"kind": "translational", "name": "side", "first": "ground.side", "second": "rod.rail"},
            {"kind": "in_plane", "name": "push", "first": "rod.rail", "second": "drawer.handle"},
            {"kind": "prescribed_speed", "name": "drive", "first": "ground.side", "second": "rod.rail", "speed": 0.1,
             "time_history": {"kind": "constant"}},
        ],
        forces=[
            {"kind": "spring_damper", "name": "spring", "first": "ground.wall", "second": "drawer.frame",
             "stiffness": 0.0, "preload": -100.0},
            {"kind": "joint_friction", "name": "rails rub", "constraint": "guide", "length": LENGTH, "stiffness": 1e8,
             "friction_law": {"kind": "coulomb", "friction_coefficient": friction}},
        ],
    )  # fmt: skip
    run = build(analyses["kinematics"], {"name": "push", "system": "system", "duration": 1.0, "frames": 10})
    run.run(SystemModel(spec, {}), path / "r.h5", Silent())
    return Results(path / "r.h5")


def test_a_drawer_takes_more_the_nearer_it_is_to_locking(tmp_path):
    """N = 2 F a/b on both sides together, so that F = S/(1 − μ 2 a/b) against a force S."""
    results = drawer(0.8 * LOCKS_AT, tmp_path)
    force = np.abs(results.curve("drive force z"))[2:]
    np.testing.assert_allclose(force, 100.0 / (1.0 - 0.8), rtol=1e-3)


def test_a_drawer_that_friction_locks_is_named(tmp_path):
    with pytest.raises(SolveError, match="no drive moves it: the friction of 'rails rub' takes up all"):
        drawer(1.05 * LOCKS_AT, tmp_path)
