"""Contract of shapes of rigid parts: mass, centre and inertia match the drawn surface."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.part_kinds.rigid import RigidShapeSpec
from faying.multibody.part_shapes import SolidShape, part_shapes
from faying.multibody.part_shapes.mesh import solid_within
from faying.params import build
from faying.testing.contracts.members import MemberContract

_DENSITY = 2.0
_MARKERS = ({"name": "a", "position": (1.0, 2.0, 3.0)}, {"name": "b", "position": (7.0, -4.0, 9.0)})


class PartShapeContract(MemberContract):
    """Tested as the shape of a part "rod" with markers "rod.a" and "rod.b", between which a shape may extend.

    Attributes:
        round: kinds that are drawn with corners: their outside is smaller by some hundredths.
    """

    family: ClassVar[Any] = part_shapes
    round: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def part(shape: SolidShape, **words: Any) -> RigidShapeSpec:
        """Return the part of that shape."""
        decided = {"name": "rod", "density": _DENSITY, "markers": _MARKERS, "shape": shape.model_dump()}
        return build(RigidShapeSpec, decided | words)

    def test_mass_and_inertia_are_those_of_the_outside_that_is_drawn(
        self, kind: str, member: SolidShape
    ) -> None:
        solid = self.part(member).solid()
        drawn = solid_within(solid.points, solid.triangles, "it")
        close = 0.02 if kind in self.round else 1e-6
        assert drawn.volume == pytest.approx(solid.volume, rel=close)
        np.testing.assert_allclose(drawn.centre, solid.centre, atol=1e-6 * np.ptp(solid.points))
        np.testing.assert_allclose(drawn.inertia, solid.inertia, atol=2 * close * np.trace(solid.inertia))

    def test_the_outside_looks_outwards(self, member: SolidShape) -> None:
        """Else it would be drawn dark."""
        solid = self.part(member).solid()
        a, b, c = (solid.points[solid.triangles[:, k]] for k in range(3))
        assert np.einsum("ni,ni->n", a - solid.centre, np.cross(b - a, c - a)).sum() > 0.0

    def test_density_or_a_given_mass_gives_the_inertia(self, member: SolidShape) -> None:
        part = self.part(member)
        mass, _, tensor = part.inertia()
        assert mass == pytest.approx(_DENSITY * part.solid().volume)
        assert part.build({}).total_mass == pytest.approx(mass)
        values = np.linalg.eigvalsh(tensor)
        assert values[0] > 0.0 and values[2] <= (values[0] + values[1]) * (1.0 + 1e-9)  # of a real body
        heavier = self.part(member, mass=5.0).inertia()
        assert heavier[0] == 5.0
        np.testing.assert_allclose(heavier[2], tensor * 5.0 / mass, rtol=1e-9, atol=1e-12 * np.trace(tensor))
