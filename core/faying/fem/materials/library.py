"""Common engineering materials at room temperature.

Nominal values by standard designation, rounded as in general tables (Dubbel, Taschenbuch für den Maschinenbau). They
were not transcribed from the standards named in `faying.fem.material_grades`, which serve to check them. Moduli of cast
irons and plastics scatter by 10 % and more between batches.
"""

from typing import ClassVar, Literal

from faying.fem.materials import MaterialChoice, material_choices
from faying.fem.model import Material
from faying.params import parameter
from faying.units import UnitSystemName, factor_to_si

LibraryName = Literal[
    "steel", "stainless_steel", "grey_cast_iron", "ductile_cast_iron", "aluminium", "magnesium", "titanium", "copper",
    "brass", "bronze", "nickel_alloy", "glass", "polyamide", "peek", "spring_steel",
]  # fmt: skip

# Young's modulus in Pa, Poisson's ratio, density in kg/m³, thermal expansion (20 to 100 °C) per kelvin.
LIBRARY: dict[LibraryName, tuple[float, float, float, float]] = {
    "steel": (210e9, 0.30, 7850.0, 12.0e-6),
    "stainless_steel": (200e9, 0.30, 7900.0, 16.0e-6),  # 1.4301
    "spring_steel": (206e9, 0.30, 7850.0, 12.0e-6),
    "grey_cast_iron": (110e9, 0.26, 7200.0, 10.5e-6),  # EN-GJL-250
    "ductile_cast_iron": (169e9, 0.275, 7100.0, 12.5e-6),  # EN-GJS-400
    "aluminium": (70e9, 0.33, 2700.0, 23.4e-6),  # EN AW-6082
    "magnesium": (45e9, 0.35, 1810.0, 26.0e-6),  # AZ91
    "titanium": (114e9, 0.34, 4430.0, 8.6e-6),  # Ti-6Al-4V
    "copper": (120e9, 0.34, 8940.0, 16.5e-6),
    "brass": (105e9, 0.35, 8440.0, 18.5e-6),  # CuZn37
    "bronze": (110e9, 0.34, 8800.0, 17.5e-6),  # CuSn6
    "nickel_alloy": (205e9, 0.29, 8190.0, 13.0e-6),  # alloy 718
    "glass": (70e9, 0.22, 2500.0, 9.0e-6),
    "polyamide": (3.0e9, 0.39, 1140.0, 80.0e-6),  # PA 66, dry
    "peek": (3.7e9, 0.39, 1300.0, 47.0e-6),
}


@material_choices.register("library")
class FromLibrary(MaterialChoice):
    """Material from the library, by name."""

    title: ClassVar[str] = "From the library"

    name: LibraryName = parameter(
        "steel",
        title="Material",
        meaning="Nominal values at room temperature, to be checked against those of the material in use.",
    )

    def material(self, units: UnitSystemName) -> Material:
        """Return the material's constants, converted from SI units."""
        modulus, ratio, density, expansion = LIBRARY[self.name]
        return Material(
            self.name,
            modulus / factor_to_si("stress", units),
            ratio,
            density / factor_to_si("density", units),
            expansion,
        )
