"""Contract of rigid surfaces: distances with the normal as gradient, equal from both methods."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.contacts.rigid_shapes import RigidShape
from faying.multibody.contacts.surface import PartSurface
from faying.multibody.rigid_surfaces import RigidSurface, rigid_surfaces
from faying.testing.contracts.members import MemberContract

_STEP = 1e-6


class RigidSurfaceContract(MemberContract):
    """A shape by formula: gaps are distances, and change along the normal as the point moves.

    A surface with nodes has areas and places of one length.
    """

    family: ClassVar[Any] = rigid_surfaces
    common: ClassVar[dict[str, Any]] = {"name": "face"}

    @pytest.fixture
    def built(self, member: RigidSurface) -> RigidShape | PartSurface:
        """The tested surface."""
        return member.build()

    def test_it_says_what_it_is(self, member: RigidSurface) -> None:
        assert member.describe()

    def test_it_has_nodes_where_it_says_so(
        self, member: RigidSurface, built: RigidShape | PartSurface
    ) -> None:
        assert isinstance(built, PartSurface) == member.has_nodes
        if isinstance(built, PartSurface):
            assert built.places.shape == (len(built.areas), 3)
            assert (built.areas > 0.0).all()
            assert built.displacements.shape == (len(built.areas), 3, 0)

    def test_distances_grow_along_the_normal(self, built: RigidShape | PartSurface) -> None:
        if isinstance(built, PartSurface):
            return
        points = np.random.default_rng(1).normal(scale=12.0, size=(40, 3))
        found = built.gaps(points, 100.0)
        np.testing.assert_allclose(found.gaps, built.distances(points)[found.slaves], atol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1.0, rtol=1e-12)
        slopes = [
            (built.distances(points + step) - built.distances(points - step))[found.slaves] / (2.0 * _STEP)
            for step in _STEP * np.eye(3)
        ]
        np.testing.assert_allclose(np.transpose(slopes), found.normals, atol=1e-7)

    def test_points_out_of_reach_have_no_gap(self, built: RigidShape | PartSurface) -> None:
        if isinstance(built, PartSurface):
            return
        points = np.random.default_rng(2).normal(scale=12.0, size=(40, 3))
        found = built.gaps(points, 1.0)
        assert (found.gaps <= 1.0).all()
        assert {*np.flatnonzero(np.abs(built.distances(points)) < 1.0)} <= {*found.slaves.tolist()}
