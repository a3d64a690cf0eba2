"""Whether a place can be seen: marks of extremes are hollow behind the body and where a section leaves it out."""

import numpy as np
import pytest

from faying_app.scene.cutting import PlaneInSpace
from faying_app.scene.hidden import sight_of

# A unit cube, seen from above: each side as two triangles.
CUBE = np.array([[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)])
_SIDES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
TRIANGLES = np.array([part for a, b, c, d in _SIDES for part in ((a, b, c), (a, c, d))])
FROM_ABOVE = np.eye(3)


@pytest.mark.parametrize(
    ("point", "sight"),
    [((0.3, 0.6, 1.0), ""), ((0.3, 0.6, 0.0), "behind"), ((0.3, 0.6, 0.5), "behind"), ((1.0, 1.0, 1.0), "")],
)
def test_what_lies_under_the_top_is_behind(point, sight):
    assert sight_of(np.array(point), TRIANGLES, CUBE, FROM_ABOVE) == sight


def test_a_section_uncovers_and_leaves_out():
    lower = PlaneInSpace(np.array([0.5, 0.5, 0.7]), np.array([0.0, 0.0, -1.0]), 1.0)  # leaves what is below
    assert sight_of(np.array([0.3, 0.6, 0.7]), TRIANGLES, CUBE, FROM_ABOVE, (lower,)) == ""
    assert sight_of(np.array([0.3, 0.6, 1.0]), TRIANGLES, CUBE, FROM_ABOVE, (lower,)) == "cut away"
