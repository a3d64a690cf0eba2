"""The chain of friction oscillators once more, plainly: one direction, central differences.

Shares no line with the program. A limit that falls below the stress takes Coulomb's along at once. `at_once` tells
whether it does so with the other laws; if not, they are left to their differential equations, whose stress comes
down with slip alone.
"""

from collections.abc import Callable

import numpy as np

C1, C2, MASS, SPRING, N = 950.0, 50.0, 0.1, 100.0, 100
E0, KAPPA, EXPONENT = C1 + C2, 0.95, 10
_MOST_TRAVEL, _SUBSTEP = 20.0, 0.05  # c₁ |ds| / R: beyond the first nothing is left to happen


def slope(law: str, tau: np.ndarray, sign: np.ndarray, limit: float) -> np.ndarray:
    """Return dτ₁/ds of the slider's stress as the thesis prints it, misprints mended; Valanis or Bouc-Wen."""
    if law == "valanis":
        lam = E0 * (E0 - C2) / (limit * (E0 - KAPPA * C2))
        return E0 * (1.0 - lam / E0 * sign * tau) / (1.0 - KAPPA * lam / E0 * sign * tau) - C2
    return C1 * (1.0 - 0.5 * (1.0 + np.sign(sign * tau)) * np.abs(tau / limit) ** EXPONENT)


def advance(law: str, tau: np.ndarray, ds: np.ndarray, limit: float, end: float, at_once: bool) -> np.ndarray:
    """Return the slider's stress after a slip ds under a mean limit; Coulomb's under the one at the end."""
    if law == "coulomb":
        return np.clip(tau + C1 * ds, -end, end)
    if limit <= 0.0:
        return np.zeros_like(tau)
    if law == "dahl":
        target = np.sign(ds) * limit
        return target + (tau - target) * np.exp(-C1 * np.abs(ds) / limit)
    sign, most = np.sign(ds), _MOST_TRAVEL * limit / C1
    ds = np.clip(ds, -most, most)
    count = 1 + int(C1 * np.abs(ds).max() / limit / _SUBSTEP)
    bound = 1.04 * limit  # Valanis' law has a pole a little beyond its limit
    for _ in range(count):
        first = slope(law, np.clip(tau, -bound, bound), sign, limit)
        middle = np.clip(tau + 0.5 * ds / count * first, -bound, bound)
        tau = tau + ds / count * slope(law, middle, sign, limit)
    return np.clip(tau, -end, end) if at_once else tau


def measures(
    law: str, limit: Callable[[float], float], step: float, *, at_once: bool = False, watched: int = 25
) -> np.ndarray:
    """Return largest displacement over frames of 0.01 s, displacement at 8 s, work from 4 s to 8 s."""
    count, every = round(8.0 / step), round(0.01 / step)
    x, v, a, tau = np.zeros((4, N))
    path, work, w = np.zeros(count + 1), 0.0, watched - 1
    for i in range(1, count + 1):
        t = i * step
        before, dx = tau[w] + C2 * x[w], step * (v + 0.5 * step * a)
        x = x + dx
        tau = advance(law, tau, dx, 0.5 * (limit(t - step) + limit(t)), limit(t), at_once)
        pull = SPRING * np.diff(x, prepend=0.0)
        after = (0.2 * np.sin(2 * np.pi * t) - pull + np.append(pull[1:], 0.0) - tau - C2 * x) / MASS
        v, a = v + 0.5 * step * (a + after), after
        path[i] = x[w]
        if t > 4.0 + 0.5 * step:
            work += 0.5 * (before + tau[w] + C2 * x[w]) * dx[w]
    return np.array([np.abs(path[::every]).max(), path[-1], work])


def work_in_a_cycle(law: str, amplitude: float, limit: float = 0.15, steps: int = 1000) -> float:
    """Return the work of a single element in the third cycle from rest, moved by amplitude times a sine."""
    x = amplitude * np.sin(2.0 * np.pi * np.arange(3 * steps + 1) / steps)
    tau, stress = np.zeros(1), [0.0]
    for ds, at in zip(np.diff(x), x[1:], strict=True):
        tau = advance(law, tau, np.array([ds]), limit, limit, False)
        stress.append(float(tau[0] + C2 * at))
    last = slice(2 * steps, None)
    return float(np.trapezoid(np.array(stress)[last], x[last]))
