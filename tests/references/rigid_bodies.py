"""Double pendulum in minimal coordinates, and a heavy top by Euler's equations, integrated to twelve digits."""

import numpy as np
from scipy.integrate import solve_ivp

G = 9.81


def double_pendulum(times) -> np.ndarray:
    """Return (n, 2) angles from +x of two bars of 1 kg and 1 m that fall from the horizontal at rest.

    Lagrange's equations in the two angles: each bar has its mass in the middle and m L²/12 about it.
    """
    inertia = 1.0 / 12.0

    def rates(_, state):
        a, b, da, db = state
        cosine, sine = np.cos(a - b), np.sin(a - b)
        mass = np.array([[inertia + 1.25, 0.5 * cosine], [0.5 * cosine, inertia + 0.25]])
        forces = np.array(
            [-0.5 * sine * db**2 - 1.5 * G * np.cos(a), 0.5 * sine * da**2 - 0.5 * G * np.cos(b)]
        )
        return [da, db, *np.linalg.solve(mass, forces)]

    found = solve_ivp(rates, (0.0, max(times)), np.zeros(4), "DOP853", times, rtol=1e-13, atol=1e-13)
    return np.arctan2(np.sin(found.y[:2]), np.cos(found.y[:2])).T


def heavy_top(time: float) -> np.ndarray:
    """Return (3,) the centre of mass of a top of 15 kg whose point is fixed; it starts with R = 1 and spins about y."""
    mass, arm = 15.0, np.array([0.0, 1.0, 0.0])
    about_centre = np.diag([0.234375, 0.46875, 0.234375])
    inertia = about_centre + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))  # about the point

    def rates(_, state):
        turn, spin = state[:9].reshape(3, 3), state[9:]
        weight = turn.T @ np.array([0.0, 0.0, -mass * G])
        moment = np.cross(arm, weight) - np.cross(spin, inertia @ spin)
        x, y, z = spin
        return np.concatenate(
            [(turn @ [[0, -z, y], [z, 0, -x], [-y, x, 0]]).ravel(), np.linalg.solve(inertia, moment)]
        )

    start = np.concatenate([np.eye(3).ravel(), [0.0, 150.0, -4.61538]])
    found = solve_ivp(rates, (0.0, time), start, "DOP853", rtol=1e-12, atol=1e-12)
    return found.y[:9, -1].reshape(3, 3) @ arm


if __name__ == "__main__":
    print("double pendulum, angles at 1, 2, 3 s:", *double_pendulum([1.0, 2.0, 3.0]).tolist(), sep="\n  ")
    print("heavy top, centre of mass at 1 s:", heavy_top(1.0).tolist())
