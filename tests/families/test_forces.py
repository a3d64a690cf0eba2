"""Contract of the forces, and one of a following force."""

from typing import Any, ClassVar

import numpy as np

from faying.multibody.forces import forces
from faying.multibody.markers import MarkerMotion
from faying.params import build
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying.testing import ForceContract

PAIR = {"first": "ground.a", "second": "rod.b"}


class TestForces(ForceContract):
    words: ClassVar[dict[str, dict[str, Any]]] = {
        "point_force": {"marker": "rod.b", "force": (1.0, -2.0, 3.0), "moment": (0.5, 0.1, -0.2), "following": True},
        "spring_damper": {**PAIR, "stiffness": 3.0, "damping": 0.7, "free_length": 0.4},
        "torsion_spring": {**PAIR, "stiffness": 3.0, "damping": 0.7, "free_angle": 0.1},
        "bushing": {
            **PAIR, "stiffness": (1.0, 2.0, 3.0), "free_displacement": (0.1, -0.2, 0.3),
            "torsional_stiffness": (0.5, 0.5, 0.5),
            "damping": (0.3, 0.2, 0.1), "torsional_damping": (0.1, 0.2, 0.3),
        },
    }  # fmt: skip


def test_a_following_force_turns_with_its_marker() -> None:
    none = np.zeros((3, 0))
    axes = rotation_matrix(rotation_about(np.array([0.0, 0.0, np.pi / 2])))
    at = MarkerMotion(np.zeros(3), axes, none, none, np.zeros(3), np.zeros(3))
    words = {"name": "it", "marker": "rod.b", "force": (1.0, 0.0, 0.0)}
    fixed, following = (build(forces["point_force"], {**words, "following": f}) for f in (False, True))
    np.testing.assert_allclose(fixed.wrenches([at], 0.0, np.zeros(0))[:3], [1, 0, 0])
    np.testing.assert_allclose(following.wrenches([at], 0.0, np.zeros(0))[:3], [0, 1, 0], atol=1e-15)
