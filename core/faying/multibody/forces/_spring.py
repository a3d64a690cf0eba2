"""What springs along a line and about an axis share: F₀ + f(x) + d(ẋ), and its slopes."""

from typing import Protocol

from faying.multibody.characteristics import Characteristic


class Spring(Protocol):
    """A spring and a damper, linear or by characteristics."""

    stiffness: float
    damping: float
    preload: float
    characteristic: Characteristic | None
    damping_characteristic: Characteristic | None


def spring_amount(of: Spring, x: float, rate: float) -> float:
    """Return the force or moment at a deflection and its rate."""
    spring, damper = of.characteristic, of.damping_characteristic
    amount = of.stiffness * x if spring is None else float(spring.moving(x, rate))
    amount += of.damping * rate if damper is None else float(damper.value(rate))
    return amount + of.preload


def spring_slopes(of: Spring, x: float, rate: float) -> tuple[float, float]:
    """Return its derivatives over deflection and rate."""
    stiffness, damping = of.stiffness, of.damping
    if of.damping_characteristic is not None:
        damping = float(of.damping_characteristic.slope(rate))
    if of.characteristic is not None:
        stiffness, more = of.characteristic.moving_slopes(x, rate)
        damping += more
    return stiffness, damping
