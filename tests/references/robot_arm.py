"""The arm of the example "robot-arm" in its three angles, with the states of controllers and bristles, by solve_ivp."""

import numpy as np
from scipy.integrate import solve_ivp


def swing(example, frames: int = 160, **more) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return times (n,), angles (3, n), torque of the shoulder (n,) and work of friction (n,).

    States are angles, speeds, bristle forces, integrals and filtered errors, three of each, and the work of friction.

    Args:
        example: the module `faying.examples.robot_arm`, for its numbers.
        frames: times shown, besides the start.
        more: of `solve_ivp`.
    """
    p, i, d, filters, largest = np.array(example.GAINS).T
    radius, preload = np.array(example.RADIUS), np.array(example.PRELOAD)
    start, goal, masses = np.array(example.START), np.array(example.GOAL), example.MASSES
    tracking, weight = example.TRACKING, np.array([0.0, 0.0, -example.GRAVITY])
    upper, fore = example.LENGTHS
    # Moments of inertia about the middle of each bar: along it, and across.
    along = [m * example.THICKNESS**2 / 6.0 for m in masses]
    across = [m * length**2 / 12.0 for m, length in zip(masses, example.LENGTHS, strict=True)]

    def jacobians(q):
        """Velocities (3, 3) of both middles by the rates of the angles."""
        radial, side = (
            np.array([np.cos(q[0]), np.sin(q[0]), 0.0]),
            np.array([-np.sin(q[0]), np.cos(q[0]), 0.0]),
        )
        up = np.array([0.0, 0.0, 1.0])
        found, reach, lift = [], 0.0, np.zeros((2, 3))
        for length, angle in ((upper, q[1]), (fore, q[1] + q[2])):
            turned = length * (-np.sin(angle) * radial + np.cos(angle) * up)
            own = np.zeros((2, 3))  # by the shoulder's rate, and by the elbow's
            own[0] = turned
            own[1] = turned if found else 0.0
            middle = reach + 0.5 * length * np.cos(angle)
            found.append(np.array([middle * side, lift[0] + 0.5 * own[0], lift[1] + 0.5 * own[1]]).T)
            reach, lift = reach + length * np.cos(angle), lift + own
        return found

    def turning(q):
        """Moments of inertia of both bars about the vertical through their middles."""
        return [
            a * np.sin(angle) ** 2 + b * np.cos(angle) ** 2
            for a, b, angle in zip(along, across, (q[1], q[1] + q[2]), strict=True)
        ]

    def dynamics(q, v, torque, normal_to_friction):
        """Accelerations (3,) and friction (3,) over the radii, whose limits depend on the reactions."""
        mass = np.diag([example.TURRET + sum(turning(q)), 0.0, 0.0])
        mass[1, 1] += across[0] + across[1]
        mass[1, 2] = mass[2, 1] = mass[2, 2] = across[1]
        force, h = np.array(torque), 1e-6
        now, ahead, behind = jacobians(q), jacobians(q + h * v), jacobians(q - h * v)
        drift = [(a - b) @ v / (2.0 * h) for a, b in zip(ahead, behind, strict=True)]
        for m, j, c in zip(masses, now, drift, strict=True):
            mass += m * j.T @ j
            force += m * j.T @ (weight - c)
        # The bars' own turning about the vertical depends on their angles.
        slopes = [
            (b - a) * -np.sin(2.0 * angle)
            for a, b, angle in zip(along, across, (q[1], q[1] + q[2]), strict=True)
        ]
        force[0] -= v[0] * (slopes[0] * v[1] + slopes[1] * (v[1] + v[2]))
        force[1] += 0.5 * v[0] ** 2 * sum(slopes)
        force[2] += 0.5 * v[0] ** 2 * slopes[1]
        inverse, friction = np.linalg.inv(mass), np.zeros(3)
        side = np.array([-np.sin(q[0]), np.cos(q[0]), 0.0])
        for _ in range(50):
            a = inverse @ (force - radius * friction)
            outer = [m * (j @ a + c - weight) for m, j, c in zip(masses, now, drift, strict=True)]
            at_joint = [outer[0] + outer[1], outer[0] + outer[1], outer[1]]
            normal = np.array([
                np.hypot(*at_joint[0][:2]), *(np.linalg.norm(f - (f @ side) * side) for f in at_joint[1:])
            ])  # fmt: skip
            last, friction = friction, normal_to_friction(normal + preload)
            if np.abs(friction - last).max() < 1e-10 * (1.0 + np.abs(friction).max()):
                break
        return a, friction

    def control(time, q, integral, low):
        share = 0.5 * (1.0 - np.cos(np.pi * min(time / example.RISE, 1.0)))
        error = start + (goal - start) * share - q
        wanted = p * error + integral + d * (error - low) / filters
        return error, wanted, np.clip(wanted, -largest, largest)

    def rates(time, y):
        q, v, bristles, integral, low = y[:15].reshape(5, 3)
        error, wanted, acting = control(time, q, integral, low)
        torque = acting.copy()
        torque[2] -= example.STOP_STIFFNESS * max(q[2] - example.STOP, 0.0)
        speed = radius * v

        def bending(normal):
            limit = example.COEFFICIENT * normal
            limit = limit * (
                example.SHARE + (1.0 - example.SHARE) * np.exp(-((speed / example.STRIBECK) ** 2))
            )
            return example.BRISTLES * (speed - np.abs(speed) * bristles / limit)

        kept = {}

        def friction(normal):
            kept["rate"] = bending(normal)
            return bristles + example.VISCOUS * speed

        a, rub = dynamics(q, v, torque, friction)
        return np.concatenate([
            v, a, kept["rate"], i * error + (acting - wanted) / tracking, (error - low) / filters, [rub @ speed]
        ])  # fmt: skip

    times = np.linspace(0.0, example.DURATION, frames + 1)
    settings = {"rtol": 1e-8, "atol": 1e-8, "max_step": 2e-3, "method": "LSODA"} | more
    y0 = np.concatenate([start, np.zeros(13)])
    y = solve_ivp(rates, (0.0, example.DURATION), y0, t_eval=times, **settings).y
    torque = [control(t, s[:3], s[9:12], s[12:15])[2][1] for t, s in zip(times, y.T, strict=True)]
    return times, y[:3], np.array(torque), y[15]


if __name__ == "__main__":
    from faying.examples import robot_arm

    print(robot_arm.numbers(*swing(robot_arm)))
