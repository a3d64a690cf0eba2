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


def engine_mount() -> tuple[np.ndarray, float, float, float]:
    """Return frequencies (6,) in Hz, damping ratio of the first mode, and two responses to a moment about x.

    These are the heave under 100 N m at 20 Hz, and the roll per moment at rest. Six coordinates about the centre of
    mass; each mount pulls with k at the displacement u + θ × r of its place r.
    """
    inertia = np.array([[8.2, 0.4, -1.1], [0.4, 15.5, 0.2], [-1.1, 0.2, 14.1]])
    mass = np.block([[182.0 * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), inertia]])
    stiffness, damping = np.zeros((2, 6, 6))
    for (x, y, z), k, d in (
        ((0.05, 0.42, 0.06), (90e3, 120e3, 260e3), (150.0, 200.0, 420.0)),
        ((-0.10, -0.40, 0.02), (90e3, 120e3, 240e3), (150.0, 200.0, 400.0)),
        ((-0.30, 0.05, -0.25), (160e3, 15e3, 15e3), (260.0, 30.0, 30.0)),
    ):
        rows = np.hstack([np.eye(3), [[0, z, -y], [-z, 0, x], [y, -x, 0]]])
        stiffness += rows.T @ np.diag(k) @ rows
        damping += rows.T @ np.diag(d) @ rows
    zero, one = np.zeros((6, 6)), np.eye(6)
    state = np.block([[zero, one], [-np.linalg.solve(mass, stiffness), -np.linalg.solve(mass, damping)]])
    values = np.linalg.eigvals(state)
    values = values[values.imag > 0]
    values = values[np.argsort(abs(values))]
    moment, omega = np.array([0, 0, 0, 1.0, 0, 0]), 2 * np.pi * 20.0
    shaken = np.linalg.solve(stiffness + 1j * omega * damping - omega**2 * mass, 100.0 * moment)
    at_rest = np.linalg.solve(stiffness, moment)
    return abs(values) / (2 * np.pi), -values[0].real / abs(values[0]), abs(shaken[2]), at_rest[3]


if __name__ == "__main__":
    print("double pendulum, angles at 1, 2, 3 s:", *double_pendulum([1.0, 2.0, 3.0]).tolist(), sep="\n  ")
    print("heavy top, centre of mass at 1 s:", heavy_top(1.0).tolist())
