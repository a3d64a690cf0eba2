"""The valve of the example "valve-train" alone, pushed by a tappet of known lift: semi-implicit steps of 0.2 µs."""

import math

import numpy as np
from scipy.optimize import brentq

STEP = 2e-7


def damping_ratio(e: float) -> float:
    """Return d with d (1 + e) = ln[(1 + d)/(1 − e d)], of a force p (1 + d δ̇/v₀) that gives the restitution e."""
    return float(
        brentq(lambda d: d * (1.0 + e) - math.log((1.0 + d) / (1.0 - e * d)), 1e-6, (1.0 - 1e-12) / e)
    )


def valve(example) -> dict[str, float]:
    """Return largest lift, landing speed and work of friction of a valve.

    Args:
        example: the module `faying.examples.valve_train`, for its numbers.
    """
    by_tappet, by_seat = damping_ratio(example.BOUNCE_OF_TAPPET), damping_ratio(example.BOUNCE_OF_SEAT)
    limit = example.FRICTION * example.PRESS
    # It rests on its seat under the preload.
    x, v = -example.PRELOAD / (example.SEAT + example.RATE), 0.0
    anchor, work = x, 0.0
    touch = [0.0, 0.0]  # approach speeds of the present touches, of the tappet and of the seat
    times, places, speeds = [], [], []
    w = example.HALF_WIDTH

    def cam(angle):
        away = angle - math.pi
        if abs(away) >= w:
            return 0.0, 0.0
        wave = 1.0 + math.cos(math.pi * away / w)
        rate = -example.LIFT * 0.5 * wave * math.sin(math.pi * away / w) * math.pi / w
        return example.LIFT * 0.25 * wave**2, rate * example.SPEED

    def push(k, depth, rate, stiffness, ratio):
        if depth <= 0.0:
            touch[k] = max(rate, 0.0)
            return 0.0
        force = stiffness * depth
        return max(force * (1.0 + ratio * rate / touch[k]), 0.0) if touch[k] > 0.0 else force

    for number in range(int(0.8 * example.TURN / STEP)):
        time = number * STEP
        lift, rise = cam(example.SPEED * time)
        force = -example.PRELOAD - example.RATE * x - example.GROWTH * x * x
        force += push(0, lift - example.LASH - x, rise - v, example.CONTACT, by_tappet)
        force += push(1, -x, -v, example.SEAT, by_seat)
        elastic = x - anchor
        if abs(example.STICKING * elastic) > limit:
            anchor = x - math.copysign(limit / example.STICKING, elastic)
        rub = -example.STICKING * (x - anchor)
        v += STEP * (force + rub) / example.VALVE
        x += STEP * v
        work -= STEP * rub * v
        if number % 50 == 0:
            times.append(time), places.append(x), speeds.append(v)
    found = np.array([times, places, speeds])
    return {
        "largest_lift": float(found[1].max()),
        "landing_speed": example.landing_speed(found[1], found[2]),
        "friction_work": work,
    }


if __name__ == "__main__":
    from faying.examples import valve_train

    print(valve(valve_train))
