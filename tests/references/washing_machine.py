"""The tub, drum and laundry of the example "washing-machine" by Newton and Euler's equations over six coordinates.

The drum turns by a prescribed angle φ about the x axis of the tub, and the laundry with it. Unknown are the place r of
the tub's centre of mass and its rotation, as a matrix A, with the velocity v and the spin w in the axes of space. A
body at s from r and with the spin σ about the axle e relative to the tub has

    a = v' + w' × s + w × (w × s) + 2 w × s° + s°°,    α = w' + φ'' e + w × φ' e

with the rates s°, s°° seen from the tub. Forces are those of feet and struts, and weight.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator
from scipy.linalg import eig
from scipy.optimize import brentq, fsolve


def skew(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def rotation(a):
    """Rotation matrix of a rotation vector (Rodrigues)."""
    angle = np.linalg.norm(a)
    if angle == 0.0:
        return np.eye(3)
    k = skew(a / angle)
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


def turn(angle):
    """Rotation about x."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


class Machine:
    """Equations of motion; `loaded` with laundry and friction.

    Args:
        example: the module `faying.examples.washing_machine`, for its numbers.
        loaded: whether there are laundry and friction.
    """

    def __init__(self, example, loaded):
        self.example, self.loaded = example, loaded
        x, f = np.array(example.UP).T
        self.up, self.ends = PchipInterpolator(x, f), (x[0], x[-1])

    def foot(self, x):
        """Force of a foot over its displacement; straight beyond the table."""
        held = min(max(x, self.ends[0]), self.ends[1])
        return float(self.up(held)) + (float(self.up(held, 1)) * (x - held) if x != held else 0.0)

    def angle(self, time):
        """φ, φ′ and φ″ of the motor: a haversine of the speed."""
        e = self.example
        if time >= e.RISE:
            return e.TOP * (time - 0.5 * e.RISE), e.TOP, 0.0
        w = np.pi / e.RISE
        speed = 0.5 * e.TOP * (1.0 - np.cos(w * time))
        return 0.5 * e.TOP * (time - np.sin(w * time) / w), speed, 0.5 * e.TOP * w * np.sin(w * time)

    def accelerations(self, r, a, v, w, angle):
        """Accelerations (6,) of the tub, where the drum has (φ, φ′, φ″)."""
        e = self.example
        phi, speed, faster = angle
        axle = a[:, 0]
        bodies = [
            (e.TUB, np.diag(e.TUB_INERTIA), np.zeros(3), 0.0),
            (e.DRUM, np.diag(e.DRUM_INERTIA), np.array([e.DRUM_AT, 0.0, 0.0]), 1.0),
        ]
        if self.loaded:
            bodies.append((e.LAUNDRY, e.LAUNDRY_INERTIA * np.eye(3), turn(phi) @ np.array(e.LAUNDRY_AT), 1.0))
        mass, right = np.zeros((6, 6)), np.zeros(6)
        for m, inertia, own, turns in bodies:
            s, spin = a @ own, turns * speed * axle
            rate = np.cross(spin, s)
            bias = np.cross(w, np.cross(w, s)) + 2.0 * np.cross(w, rate)
            bias += np.cross(turns * faster * axle, s) + np.cross(spin, rate)
            full = w + spin
            axes = a @ turn(turns * phi)
            tensor = axes @ inertia @ axes.T
            turning = tensor @ (turns * faster * axle + np.cross(w, spin)) + np.cross(full, tensor @ full)
            arm = np.hstack([np.eye(3), -skew(s)])
            mass += m * arm.T @ arm
            mass[3:, 3:] += tensor
            right += arm.T @ (m * (np.array([0.0, 0.0, -e.GRAVITY]) - bias))
            right[3:] -= turning
        for place in np.array(e.FEET):
            s = a @ place
            x = r + s - place
            force = -np.array([e.ACROSS * x[0], e.ACROSS * x[1], self.foot(x[2])])
            force -= e.DAMPING * (v + np.cross(w, s))
            right += np.concatenate([force, np.cross(s, force)])
        for top, floor in e.STRUTS if self.loaded else ():
            s = a @ np.array(top)
            line = r + s - np.array(floor)
            along = line / np.linalg.norm(line)
            force = -e.FRICTION * np.tanh((v + np.cross(w, s)) @ along / e.CREEP) * along
            right += np.concatenate([force, np.cross(s, force)])
        return np.linalg.solve(mass, right)

    def rest(self):
        """Equilibrium: place (3,) and rotation vector (3,), the drum at φ = 0."""
        still = np.zeros(3)
        return fsolve(
            lambda x: self.accelerations(x[:3], rotation(x[3:]), still, still, (0.0, 0.0, 0.0)),
            np.zeros(6), xtol=1e-13,
        )  # fmt: skip


def lines(example, speed):
    """Natural frequencies (6,) in Hz, in rising order, of the balanced drum at a speed: differences about rest."""
    machine = Machine(example, False)
    rest = machine.rest()
    a0 = rotation(rest[3:])

    def rates(x):
        # Small rotations θ of space after those at rest; w = θ' to first order, and that is enough for a difference.
        return machine.accelerations(
            rest[:3] + x[:3], rotation(x[3:6]) @ a0, x[6:9], x[9:], (0.0, speed, 0.0)
        )

    h, columns = 1e-6, []
    for unit in np.eye(12):
        columns.append((rates(h * unit) - rates(-h * unit)) / (2.0 * h))
    lower = np.array(columns).T
    values = eig(np.block([[np.zeros((6, 6)), np.eye(6)], [lower]]), right=False)
    return np.sort(np.abs(values[values.imag > 1e-3])) / (2.0 * np.pi)


def critical_speeds(example):
    """Speeds (6,) in rad/s at which a line meets the speed, in rising order."""
    speeds = np.linspace(5.0, 45.0, 161)
    apart = np.array([2.0 * np.pi * lines(example, s) - s for s in speeds])
    found = []
    for k in range(6):
        i = int(np.flatnonzero(apart[:-1, k] * apart[1:, k] < 0.0)[0])
        found.append(
            brentq(lambda s, k=k: 2.0 * np.pi * lines(example, s)[k] - s, speeds[i], speeds[i + 1], xtol=1e-9)
        )
    return np.sort(found)


def spin_up(example):
    """Time (n,), and displacements sideways and upwards (n,) of the front of the tub in m, from rest on."""
    machine = Machine(example, True)
    rest = machine.rest()

    def rates(time, x):
        # Rotation by a quaternion: q' = ½ (0, w) q.
        q = x[3:7] / np.linalg.norm(x[3:7])
        u = q[1:]
        a = (q[0] ** 2 - u @ u) * np.eye(3) + 2.0 * (np.outer(u, u) + q[0] * skew(u))
        v, w = x[7:10], x[10:]
        change = 0.5 * np.concatenate([[-w @ u], q[0] * w + np.cross(w, u)])
        return np.concatenate([v, change, machine.accelerations(x[:3], a, v, w, machine.angle(time))])

    turned = np.linalg.norm(rest[3:])
    first = np.concatenate([[np.cos(0.5 * turned)], np.sin(0.5 * turned) * rest[3:] / turned])
    start = np.concatenate([rest[:3], first, np.zeros(6)])
    times = np.linspace(0.0, example.DURATION, 7201)
    found = solve_ivp(
        rates, (0.0, example.DURATION), start, method="LSODA", t_eval=times, rtol=1e-8, atol=1e-10
    )
    q = found.y[3:7] / np.linalg.norm(found.y[3:7], axis=0)
    ahead = np.array([
        q[0] ** 2 + q[1] ** 2 - q[2] ** 2 - q[3] ** 2,
        2.0 * (q[1] * q[2] + q[0] * q[3]),
        2.0 * (q[1] * q[3] - q[0] * q[2]),
    ])  # fmt: skip
    front = found.y[:3] + example.FRONT * ahead
    return times, front[1], front[2]


def numbers(example):
    """What the example expects of the spin-up, by name."""
    return example.swings(*spin_up(example))


if __name__ == "__main__":
    from faying.examples import washing_machine

    print(*lines(washing_machine, washing_machine.TOP), *critical_speeds(washing_machine))
    print(numbers(washing_machine))
