"""The trebuchet of the example "trebuchet": three angles, with the projectile in its trough, then free, then away.

Points by unit vectors of the angles θ (arm, towards the tip), ψ (hanger, from hanging down) and φ (sling); the trough
is a constraint on the projectile's height with a multiplier, its force.
"""

import numpy as np
from scipy.integrate import solve_ivp


def _motion(example, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return Jacobians (3, 2, 3), places (3, 2) and accelerations without those of the angles (3, 2).

    Of the arm's centre, the counterweight and the projectile.
    """
    pivot = np.array([0.0, example.HEIGHT])
    arm, hanger, sling = q[0], q[1] - 0.5 * np.pi, q[2]
    units = np.array([[np.cos(a), np.sin(a)] for a in (arm, hanger, sling)])
    sides = np.array([[-np.sin(a), np.cos(a)] for a in (arm, hanger, sling)])
    # Lengths along the three unit vectors, point by point.
    reach = np.array([
        [0.5 * (example.LONG - example.SHORT), 0.0, 0.0],
        [-example.SHORT, example.HANGER, 0.0],
        [example.LONG, 0.0, example.SLING],
    ])  # fmt: skip
    places = pivot + reach @ units
    rows = np.einsum("pk,kx->pxk", reach, sides)
    return rows, places, -reach @ (units * (v**2)[:, None])


def _accelerations(example, q, v, held: bool) -> tuple[np.ndarray, float]:
    """Return those of the angles (3,), and the force of the trough."""
    rows, _, bias = _motion(example, q, v)
    masses = np.array([example.ARM, example.COUNTERWEIGHT, example.PROJECTILE])
    mass = np.einsum("p,pxi,pxj->ij", masses, rows, rows)
    mass[0, 0] += example.ARM * (example.LONG + example.SHORT) ** 2 / 12.0
    mass[1, 1] += example.BOX
    weight = np.array([0.0, -example.GRAVITY])
    force = np.einsum("p,pxi,px->i", masses, rows, weight - bias)
    if not held:
        return np.linalg.solve(mass, force), 0.0
    up = rows[2, 1]
    matrix = np.block([[mass, -up[:, None]], [up[None], np.zeros((1, 1))]])
    found = np.linalg.solve(matrix, np.concatenate([force, [-bias[2, 1]]]))
    return found[:3], float(found[3])


def shot(example) -> dict[str, float]:
    """Return times of lift-off, release and landing, speed at the release, and the range from below the pivot.

    Args:
        example: the module `faying.examples.trebuchet`, for its numbers.
    """

    def rates(held):
        return lambda t, y: np.concatenate([y[3:], _accelerations(example, y[:3], y[3:], held)[0]])

    def lifts(t, y):
        return _accelerations(example, y[:3], y[3:], True)[1]

    def speed(y):
        return _motion(example, y[:3], y[3:])[0][2] @ y[3:]

    def lets_go(t, y):
        vx, vy = speed(y)
        return vy - vx if t > 0.2 else 1.0

    lifts.terminal, lifts.direction, lets_go.terminal, lets_go.direction = True, -1, True, -1
    words = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-12}
    start = np.concatenate([example.start_angles(), np.zeros(3)])
    trough = solve_ivp(rates(True), (0.0, 2.0), start, events=lifts, **words)
    swing = solve_ivp(rates(False), (trough.t[-1], 3.0), trough.y[:, -1], events=lets_go, **words)
    y, at = swing.y[:, -1], float(swing.t[-1])
    (x, height), (vx, vy) = _motion(example, y[:3], y[3:])[1][2], speed(y)
    flight = (vy + np.sqrt(vy**2 + 2.0 * example.GRAVITY * height)) / example.GRAVITY
    return {
        "lift_off": float(trough.t[-1]), "release": at, "landing": at + flight,
        "release_speed": float(np.hypot(vx, vy)), "range": float(x + vx * flight),
    }  # fmt: skip


if __name__ == "__main__":
    from faying.examples import trebuchet

    for name, value in shot(trebuchet).items():
        print(f"{name}: {value:.12g}")
