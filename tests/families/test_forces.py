"""Contract of the forces, and one of a following force."""

import numpy as np

from faying.multibody.forces import forces
from faying.multibody.markers import MarkerMotion
from faying.params import build
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying.testing import ForceContract


class TestForces(ForceContract):
    pass


def test_a_following_force_turns_with_its_marker() -> None:
    none = np.zeros((3, 0))
    axes = rotation_matrix(rotation_about(np.array([0.0, 0.0, np.pi / 2])))
    at = MarkerMotion(np.zeros(3), axes, none, none, np.zeros(3), np.zeros(3))
    words = {"name": "it", "marker": "rod.b", "force": (1.0, 0.0, 0.0)}
    fixed, following = (build(forces["point_force"], {**words, "following": f}) for f in (False, True))
    np.testing.assert_allclose(fixed.wrenches([at], 0.0, np.zeros(0))[:3], [1, 0, 0])
    np.testing.assert_allclose(following.wrenches([at], 0.0, np.zeros(0))[:3], [0, 1, 0], atol=1e-15)
