"""A polynomial."""

from faying.multibody.characteristics import Characteristic, characteristics
from faying.params import parameter


@characteristics.register("polynomial")
class Polynomial(Characteristic):
    """A polynomial, f = c₀ + c₁ x + c₂ x² + …"""

    coefficients: tuple[float, ...] = parameter(
        (0.0, 1.0), title="Coefficients", min_length=1, max_length=20,
        meaning="c₀, c₁, c₂, … in the project's units: Duffing's spring is 0, k, 0, β.",
    )  # fmt: skip

    def value(self, x: float) -> float:
        """Return f(x) by Horner's rule."""
        return _horner(self.coefficients, x)

    def slope(self, x: float) -> float:
        """Return f′(x)."""
        return _horner([k * c for k, c in enumerate(self.coefficients)][1:], x)

    def integral(self, x: float) -> float:
        """Return Σ cₖ xᵏ⁺¹/(k + 1)."""
        return x * _horner([c / (k + 1) for k, c in enumerate(self.coefficients)], x)


def _horner(coefficients: tuple[float, ...] | list[float], x: float) -> float:
    found = 0.0
    for c in reversed(coefficients):
        found = found * x + c
    return found
