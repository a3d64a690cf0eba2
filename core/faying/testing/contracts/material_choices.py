"""Contract of material choices: possible constants, and the same material in every unit system."""

from typing import Any, ClassVar

import pytest

from faying.fem.materials import MaterialChoice, material_choices
from faying.fem.model import Material
from faying.testing.contracts.members import MemberContract


class MaterialChoiceContract(MemberContract):
    """Positive modulus and density, and an admissible Poisson's ratio."""

    family: ClassVar[Any] = material_choices

    @pytest.fixture
    def material(self, member: MaterialChoice) -> Material:
        """The member's material in mm, t, s."""
        return member.material("mm-t-s")

    def test_the_constants_can_be(self, material: Material) -> None:
        assert material.name
        assert material.youngs_modulus > 0.0
        assert material.density > 0.0
        assert -1.0 < material.poisson_ratio < 0.5
        assert material.expansion is None or abs(material.expansion) < 1e-2

    def test_what_has_no_unit_is_the_same_in_every_system(
        self, member: MaterialChoice, material: Material
    ) -> None:
        for units in ("m-kg-s", "mm-kg-ms", "in-lbf-s"):
            other = member.material(units)
            assert (other.name, other.expansion) == (material.name, material.expansion)
            assert other.poisson_ratio == pytest.approx(material.poisson_ratio, rel=1e-12)
