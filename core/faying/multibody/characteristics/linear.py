"""A straight line."""

from faying.multibody.characteristics import Characteristic, characteristics
from faying.params import parameter


@characteristics.register("linear")
class Linear(Characteristic):
    """A straight line, f = f₀ + c x."""

    factor: float = parameter(
        1.0, title="Slope", meaning="Change of the value with x, in the project's units."
    )
    offset: float = parameter(0.0, title="Offset", meaning="Value at x = 0, in the project's units.")

    def value(self, x: float) -> float:
        """Return f₀ + c x."""
        return self.offset + self.factor * x

    def slope(self, x: float) -> float:
        """Return c."""
        return self.factor

    def integral(self, x: float) -> float:
        """Return f₀ x + c x²/2."""
        return (self.offset + 0.5 * self.factor * x) * x
