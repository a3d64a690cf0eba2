"""Orthotropic material defined by engineering constants."""

from dataclasses import replace
from typing import Any, ClassVar

from faying.errors import ModelError
from faying.fem.elasticity import anisotropic_material, engineering_stiffness
from faying.fem.materials import MaterialChoice, material_choices
from faying.fem.model import Material
from faying.params import parameter
from faying.units import UnitSystemName


def _modulus(title: str, meaning: str) -> Any:
    return parameter(title=title, quantity="stress", gt=0.0, meaning=meaning)


def _ratio(title: str, meaning: str) -> Any:
    return parameter(0.3, title=title, meaning=meaning)


@material_choices.register("orthotropic")
class Orthotropic(MaterialChoice):
    """Linear elastic, with a different stiffness along each of three directions.

    The directions are those of the elements in the deck (an orientation, THETA, CORDM, ESYS), by default the global
    axes; on shells the first is projected onto the surface.
    """

    title: ClassVar[str] = "Orthotropic, by its constants"

    name: str = parameter("material", title="Name", meaning="What the material is called.", min_length=1)
    modulus_1: float = _modulus("E1", "Stress per strain in tension along the first direction.")
    modulus_2: float = _modulus("E2", "Stress per strain in tension along the second direction.")
    modulus_3: float = _modulus("E3", "Stress per strain in tension along the third direction.")
    poisson_ratio_12: float = _ratio("ν12", "Contraction along 2 per strain along 1, in tension along 1.")
    poisson_ratio_13: float = _ratio("ν13", "Contraction along 3 per strain along 1, in tension along 1.")
    poisson_ratio_23: float = _ratio("ν23", "Contraction along 3 per strain along 2, in tension along 2.")
    shear_modulus_12: float = _modulus("G12", "Shear stress per shear strain between the directions 1 and 2.")
    shear_modulus_13: float = _modulus("G13", "Shear stress per shear strain between the directions 1 and 3.")
    shear_modulus_23: float = _modulus("G23", "Shear stress per shear strain between the directions 2 and 3.")
    density: float = parameter(title="Density", quantity="density", gt=0.0, meaning="Mass per volume.")

    expansion: float | None = parameter(
        None, title="Thermal expansion", quantity="thermal_expansion", gt=-1.0, lt=1.0,
        meaning="Strain per kelvin, the same in all directions; only bodies with temperatures need it.",
    )  # fmt: skip

    def material(self, units: UnitSystemName) -> Material:
        """Return the material of the constants, which are in the project's units already.

        Raises:
            ModelError: when no material can have these constants.
        """
        try:
            stiffness = engineering_stiffness(
                (self.modulus_1, self.modulus_2, self.modulus_3),
                (self.poisson_ratio_12, self.poisson_ratio_13, self.poisson_ratio_23),
                (self.shear_modulus_12, self.shear_modulus_13, self.shear_modulus_23),
            )
            made = anisotropic_material(self.name, "orthotropic", stiffness, self.density)
        except ValueError as error:
            raise ModelError(
                f"Material {self.name!r}: {error}.", "Correct its constants under Materials of the body."
            ) from None
        return replace(made, expansion=self.expansion)
