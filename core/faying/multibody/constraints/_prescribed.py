"""What prescribed motions share."""

import math
from collections.abc import Callable

from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, angle_about_z, unwrapped

_STEP = 1e-4  # of the time unit times the larger of the time and one; courses are smooth where a run starts


def angle_equation(i: MarkerMotion, j: MarkerMotion, wanted: float) -> Equations:
    """Return the angle about z of i less the wanted one, whatever full turns there were."""
    value, rows = angle_about_z(i, j)
    value[0] = unwrapped(float(value[0]), wanted) - wanted
    return Equations(value, rows, ("rotation about z",))


def second_rate(wanted: Callable[[float], float], time: float) -> tuple[float, float]:
    """Return minus the first and second derivative of the wanted motion, to the right where a run starts."""
    h = _STEP * max(abs(time), 1e-2)
    f = [wanted(time + k * h) for k in range(4)]
    first = (-11.0 * f[0] + 18.0 * f[1] - 9.0 * f[2] + 2.0 * f[3]) / (6.0 * h)
    second = (2.0 * f[0] - 5.0 * f[1] + 4.0 * f[2] - f[3]) / h**2
    return (-first, -second) if math.isfinite(first + second) else (0.0, 0.0)
