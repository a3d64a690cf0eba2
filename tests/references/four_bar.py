"""The four-bar linkage of the example "four-bar-friction": a force tangent to the friction circles of the pins."""

import numpy as np
from scipy.optimize import brentq


def _force(example, crank: float) -> tuple[np.ndarray, float, np.ndarray]:
    """Return direction (2,) of the coupler's force on the rocker, load over its size, and angular speeds (3,).

    Each pin has a moment μ R |F| against its relative rotation; the rocker pin does not rub.
    """
    step = 1e-6
    pin, end = example.joints_at(crank)
    base = np.array([example.BASE, 0.0])

    def angles(at):
        a, b = example.joints_at(at)
        return np.array([at, np.arctan2(*(b - a)[::-1]), np.arctan2(*(b - base)[::-1])])

    spins = (angles(crank + step) - angles(crank - step)) / (2.0 * step)
    arm, lever = end - pin, end - base
    # The load is against the motion of the rocker, the force of the coupler with it.
    side = np.sign(spins[2]) * np.sign(lever[0] * arm[1] - lever[1] * arm[0])
    # Coupler: arm × F = μ R |F| sign(ω₀ − ω₁).
    offset = np.arcsin(example.FRICTION * example.PIN * np.sign(spins[0] - spins[1]) * side / example.COUPLER)
    turn = np.arctan2(arm[1], arm[0]) + offset
    direction = side * np.array([np.cos(turn), np.sin(turn)])
    own = np.sign(spins[2]) * (lever[0] * direction[1] - lever[1] * direction[0])
    return direction, float(own - example.FRICTION * example.PIN), spins


def torque(example, turned: float) -> float:
    """Return the torque of the crank that moves the rocker against its load.

    Args:
        example: the module `faying.examples.four_bar_friction`, for its numbers.
        turned: angle of the crank since the start, in rad.
    """
    crank = example.START + turned
    direction, arm, spins = _force(example, crank)
    size, pin = example.LOAD / arm, example.joints_at(crank)[0]
    friction = example.FRICTION * example.PIN * size
    moment = size * (pin[0] * direction[1] - pin[1] * direction[0])
    return float(moment + friction * np.sign(spins[0] - spins[1]) + friction * np.sign(spins[0]))


def locks_at(example) -> float:
    """Return the angle that the crank has turned where the friction takes the whole force of the coupler."""
    ends = np.radians([1.0, 78.0])
    return float(brentq(lambda turned: _force(example, example.START + turned)[1], *ends))


if __name__ == "__main__":
    from faying.examples import four_bar_friction

    print("torques:", *(torque(four_bar_friction, np.radians(angle)) for angle in (1.0, 20.0, 40.0)))
    print("locks after", np.degrees(locks_at(four_bar_friction)), "degrees")
