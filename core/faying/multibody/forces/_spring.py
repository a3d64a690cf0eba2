"""What springs along a line and about an axis share: F₀ + f(x) + d(ẋ), and its slopes."""

from typing import Protocol

from faying.multibody.characteristics import Characteristic


class SpringAmounts(Protocol):
    """A spring and a damper, linear or by characteristics."""

    @property
    def stiffness(self) -> float:
        """Per deflection, where there is no characteristic."""

    @property
    def damping(self) -> float:
        """Per rate of deflection, where there is no characteristic of it."""

    @property
    def preload(self) -> float:
        """At no deflection."""

    @property
    def characteristic(self) -> Characteristic | None:
        """Of the deflection."""

    @property
    def damping_characteristic(self) -> Characteristic | None:
        """Of its rate."""


def spring_amount(of: SpringAmounts, x: float, rate: float) -> float:
    """Return the force or moment at a deflection and its rate."""
    spring, damper = of.characteristic, of.damping_characteristic
    amount = of.stiffness * x if spring is None else float(spring.moving(x, rate))
    amount += of.damping * rate if damper is None else float(damper.value(rate))
    return amount + of.preload


def spring_slopes(of: SpringAmounts, x: float, rate: float) -> tuple[float, float]:
    """Return its derivatives over deflection and rate."""
    stiffness, damping = of.stiffness, of.damping
    if of.damping_characteristic is not None:
        damping = float(of.damping_characteristic.slope(rate))
    if of.characteristic is not None:
        stiffness, more = of.characteristic.moving_slopes(x, rate)
        damping += more
    return stiffness, damping
