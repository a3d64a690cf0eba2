"""The single material of a generated model."""

from collections.abc import Mapping
from typing import Any, Self

from faying.errors import FayingError
from faying.fem.model import Material
from faying.params import Spec, build, fields_of, parameter
from faying.units import OF_DEFAULTS, default_in, with_units


class OneMaterial(Spec):
    """The constants of a material, by default those of steel.

    Numbers are in the model's unit system, whichever it is; see `decided`.
    """

    youngs_modulus: float = parameter(
        210000.0,
        title="Young's modulus",
        quantity="stress",
        advanced=True,
        gt=0.0,
        meaning="Of the material; that of steel by default.",
    )
    poisson_ratio: float = parameter(
        0.3, title="Poisson's ratio", advanced=True, gt=-1.0, lt=0.5, meaning="Of the material."
    )
    density: float = parameter(
        7.85e-9,
        title="Density",
        quantity="density",
        advanced=True,
        gt=0.0,
        meaning="Of the material; that of steel by default.",
    )

    @property
    def material(self) -> Material:
        """The material of these constants."""
        return Material("MATERIAL", self.youngs_modulus, self.poisson_ratio, self.density)

    @classmethod
    def decided(cls, given: Mapping[str, Any], system: str = OF_DEFAULTS) -> Self:
        """Return the parameters completed by defaults in a unit system.

        Args:
            given: values by name, in the unit system; all others take their defaults.
            system: the unit system.

        Raises:
            ModelError: for an unknown parameter or an invalid value.
        """
        # Set all values explicitly, since the declared defaults are in other units than the given numbers.
        values = {
            name: default_in(field.default, str(extra.get("quantity", "")), system)
            for name, field, extra in fields_of(cls)
        }
        try:
            return build(cls, {**values, **given})
        except FayingError as error:
            error.reword(lambda text: with_units(text, system))
            raise
