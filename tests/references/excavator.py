"""The chain of the example "excavator" by Newton and Euler's equations; strokes give the angles one by one."""

import numpy as np
from scipy.optimize import brentq


def _step(time: float, whole: float) -> float:
    return 0.5 * (1.0 - np.cos(np.pi * min(max(time / whole, 0.0), 1.0)))


def forces(example, time: float) -> np.ndarray:
    """Return the forces (3,) of the cylinders at a time, positive where they push.

    Args:
        example: the module `faying.examples.excavator`, for its numbers.
        time: in s, within the dig.
    """
    start = example.ends(example.START)
    rest = np.linalg.norm(start[1] - start[0], axis=1)

    def length(k, angle):
        """Length of a cylinder for the relative angle of its own link; those before do not matter."""
        angles = np.zeros(3)
        angles[k] = angle
        first, second = example.ends(angles)
        return float(np.linalg.norm(second[k] - first[k]))

    def angles_at(t):
        wanted = rest + np.array(example.STROKES) * _step(t, example.DIGS)
        return np.array([
            brentq(lambda a, k=k: length(k, a) - wanted[k], example.START[k] - 0.9, example.START[k] + 0.9, xtol=1e-15)
            for k in range(3)
        ])  # fmt: skip

    h = 1e-3
    before, now, after = (angles_at(time + side * h) for side in (-1, 0, 1))
    states = [example.places(each) for each in (before, now, after)]
    absolute, joints = states[1]
    middles = [0.5 * (places[:-1] + places[1:]) for _, places in states]
    turning = (states[2][0] - 2.0 * absolute + states[0][0]) / h**2
    moving = (middles[2] - 2.0 * middles[1] + middles[0]) / h**2
    # From the tip inwards: force and moment that the link before gives to each link at its joint.
    force, moment, torques = np.array(example.FORCE) * _step(time, example.DIGS), 0.0, np.zeros(3)
    outer, outer_place, outer_moment = -force, joints[3], 0.0  # what the link gives to what is further out
    for k in (2, 1, 0):
        weight = np.array([0.0, -example.MASSES[k] * example.GRAVITY])
        inner = example.MASSES[k] * moving[k] - weight + outer
        at_tip, at_joint = outer_place - middles[1][k], joints[k] - middles[1][k]
        moment = example.INERTIAS[k] * turning[k] + outer_moment
        moment += at_tip[0] * outer[1] - at_tip[1] * outer[0]
        moment -= at_joint[0] * inner[1] - at_joint[1] * inner[0]
        torques[k], outer, outer_place, outer_moment = moment, inner, joints[k], moment
    slopes = [(length(k, now[k] + 1e-6) - length(k, now[k] - 1e-6)) / 2e-6 for k in range(3)]
    return torques / slopes


if __name__ == "__main__":
    from faying.examples import excavator

    for after in (2.0, 3.0):
        print(after, *forces(excavator, after))
