"""Isotropic material defined by its constants."""

from typing import ClassVar

from faying.fem.materials import MaterialChoice, material_choices
from faying.fem.model import Material
from faying.params import parameter
from faying.units import UnitSystemName


@material_choices.register("isotropic")
class Isotropic(MaterialChoice):
    """Linear elastic, the same in all directions."""

    title: ClassVar[str] = "By its constants"

    name: str = parameter("material", title="Name", meaning="What the material is called.", min_length=1)
    youngs_modulus: float = parameter(
        title="Young's modulus", quantity="stress", gt=0.0, meaning="Stress per strain in uniaxial tension."
    )
    poisson_ratio: float = parameter(
        0.3,
        title="Poisson's ratio",
        gt=-1.0,
        lt=0.5,
        meaning="Lateral contraction per strain along the load.",
    )
    density: float = parameter(title="Density", quantity="density", gt=0.0, meaning="Mass per volume.")

    expansion: float | None = parameter(
        None, title="Thermal expansion", quantity="thermal_expansion", gt=-1.0, lt=1.0,
        meaning="Strain per kelvin; only bodies with temperatures need it.",
    )  # fmt: skip

    def material(self, units: UnitSystemName) -> Material:
        """Return the constants, which are in the project's units already."""
        return Material(self.name, self.youngs_modulus, self.poisson_ratio, self.density, self.expansion)
