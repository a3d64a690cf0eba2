"""Coulomb's law with linear penalty over a period of motion, as machine code (`faying.compiled`)."""

import numpy as np

from faying.compiled import compiled
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.cycle_laws import CLOSED, MOST_PASSES, OPENED, PERIODIC, SLIPPED, laws_over_cycle
from faying.joints.fourier import FourierBasis
from faying.joints.friction_laws.coulomb import LIMIT_REACHED, Coulomb

Walked = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _by_laws(
    gaps: np.ndarray,
    slips: np.ndarray,
    history: np.ndarray,
    penalty: float,
    c1: float,
    c2: float,
    mu: float,
    values: np.ndarray,
    projection: np.ndarray,
    derivatives: bool,
) -> Walked:
    friction = Coulomb(friction_coefficient=mu, sticking_stiffness=c1 + c2, sliding_stiffness=c2)
    basis = FourierBasis(values.shape[1] // 2, len(values))
    found = laws_over_cycle(
        LinearPenalty(stiffness=penalty), friction, gaps, slips, history, basis, 0.0, derivatives=derivatives
    )
    size = basis.size
    derivative = np.zeros((0, 3, 3, size, size)) if found.derivative is None else found.derivative
    springs = np.zeros((0, 2), np.bool_) if found.springs is None else found.springs
    return found.pressure, found.stress, found.did, found.history, found.closure, derivative, springs


@compiled(reorder=False)
def _share(before: float, now: float) -> float:
    """Return after which part of the time between an open and a closed sample the gap closes, if it closes linearly."""
    return before / (before - now) if before >= 0.0 else 1.0


@compiled(plain=_by_laws, reorder=False)
def coulomb_over_cycle(
    gaps: np.ndarray,
    slips: np.ndarray,
    history: np.ndarray,
    penalty: float,
    c1: float,
    c2: float,
    mu: float,
    values: np.ndarray,
    projection: np.ndarray,
    derivatives: bool,
) -> Walked:
    """Return pressure, stress, did, history, closure, derivative and springs of `faying.joints.cycle_laws.PairCycles`.

    Args:
        gaps, slips, history: see `faying.joints.cycle_laws.laws_over_cycle`.
        penalty: pressure per penetration.
        c1, c2: stiffness of the spring in series with the slider, and of the parallel spring.
        mu: friction coefficient.
        values, projection: of the basis.
        derivatives: whether to compute the last two; none (0, …) otherwise.
    """
    samples, n = gaps.shape
    size = values.shape[1]
    pressure, stress = np.zeros((samples, n)), np.zeros((samples, n, 2))
    did, after, closure = np.zeros(n, np.int64), np.zeros((n, 5)), np.zeros(n)
    derivative = np.zeros((n if derivatives else 0, 3, 3, size, size))
    springs = np.ones((n if derivatives else 0, 2), np.bool_)
    # Of one pair, so that its numbers lie side by side.
    gap, along, aside = np.empty(samples), np.empty(samples), np.empty(samples)
    found_x, found_y = np.zeros(samples), np.zeros(samples)
    # ∂τ₁ by the coefficients at one sample, (stress, variable, function), and −∂τ at all of them.
    slider, whole = np.zeros((2, 3, size)), np.zeros((2, 3, samples, size))
    closed_values = np.zeros((samples, size))
    # Where slip begins: how it follows the coefficients of the slips, and of the gap.
    origin, start_by_gap, nothing = np.zeros(size), np.zeros((2, size)), np.zeros(size)
    for i in range(n):
        state, opened, touched = history[i].copy(), False, False
        for k in range(samples):
            gap[k], along[k], aside[k] = gaps[k, i], slips[k, i, 0], slips[k, i, 1]
            if gap[k] < 0.0:
                pressure[k, i] = -penalty * gap[k]
                touched = True
            else:
                opened = True
        did[i] = (CLOSED if touched else 0) | (OPENED if opened else 0)
        if not touched:
            continue
        # Forces alone, until they are periodic.
        passes, slipped, ever, before = 0, False, False, 0.0
        while True:
            first_x, first_y = found_x[0], found_y[0]
            largest, slipped_before, slipped, done = 0.0, slipped, False, False
            for k in range(samples):
                tx = ty = 0.0
                if gap[k] >= 0.0:
                    state[:] = 0.0
                else:
                    if state[0] == 0.0:
                        share = _share(gap[k - 1], gap[k])
                        state[0] = 1.0
                        state[1] = along[k - 1] + share * (along[k] - along[k - 1])
                        state[2] = aside[k - 1] + share * (aside[k] - aside[k - 1])
                    slip_x, slip_y = along[k] - state[1], aside[k] - state[2]
                    x, y = slip_x - state[3], slip_y - state[4]
                    limit = -mu * penalty * gap[k]
                    amount = c1 * np.sqrt(x * x + y * y)
                    kept = limit / amount if amount > limit else 1.0
                    tx, ty = c1 * kept * x + c2 * slip_x, c1 * kept * y + c2 * slip_y
                    state[3] += (1.0 - kept) * x
                    state[4] += (1.0 - kept) * y
                    slipped = slipped or amount >= LIMIT_REACHED * limit
                if k == 0 and passes > 0:
                    size_of = before if before > 0.0 else 1.0
                    closure[i] = max(abs(tx - first_x), abs(ty - first_y)) / size_of
                    if closure[i] <= PERIODIC or passes == MOST_PASSES:
                        done = True
                        break
                found_x[k], found_y[k] = tx, ty
                largest = max(largest, abs(tx), abs(ty))
            if done:
                slipped = slipped_before
                break
            before = largest
            ever = ever or slipped
            after[i] = state
            passes += 1
        for k in range(samples):
            stress[k, i, 0], stress[k, i, 1] = found_x[k], found_y[k]
        did[i] |= SLIPPED if slipped else 0
        if not derivatives:
            continue
        of_pair = derivative[i]
        springs[i, 0] = not opened
        springs[i, 1] = not ever and not opened and history[i, 0] != 0.0
        if not opened:
            # All samples count: the projection of the functions is the unit matrix.
            for a in range(size):
                of_pair[0, 0, a, a] = -penalty
        if springs[i, 1]:
            for a in range(size):
                of_pair[1, 1, a, a] = of_pair[2, 2, a, a] = -(c1 + c2)
            continue
        # The same periods again, with ∂τ₁.
        state[:] = history[i]
        slider[:] = 0.0
        start_by_gap[:] = 0.0
        last = closed_at = nothing
        turned = False
        for number in range(passes):
            for k in range(samples):
                now = values[k]
                if gap[k] >= 0.0:
                    state[:] = 0.0
                    slider[:] = 0.0
                    closed_values[k] = 0.0
                    whole[:, :, k] = 0.0
                    continue
                if state[0] == 0.0:
                    open_gap, share = gap[k - 1], _share(gap[k - 1], gap[k])
                    move_x, move_y = share * (along[k] - along[k - 1]), share * (aside[k] - aside[k - 1])
                    state[0], state[1], state[2] = 1.0, along[k - 1] + move_x, aside[k - 1] + move_y
                    for b in range(size):
                        before_it = values[k - 1, b]
                        origin[b] = before_it + share * (now[b] - before_it)
                        # ∂share = ((1 − share) ∂g₋ + share ∂g)/(g₋ − g) with the sign of each end.
                        by_gap = 0.0
                        if open_gap >= 0.0:
                            by_gap = ((1.0 - share) * before_it + share * now[b]) / (open_gap - gap[k])
                        start_by_gap[0, b] = by_gap * (along[k] - along[k - 1])
                        start_by_gap[1, b] = by_gap * (aside[k] - aside[k - 1])
                        slider[0, 0, b] = -c1 * start_by_gap[0, b]
                        slider[1, 0, b] = -c1 * start_by_gap[1, b]
                    last = closed_at = origin
                slip_x, slip_y = along[k] - state[1], aside[k] - state[2]
                x, y = slip_x - state[3], slip_y - state[4]
                limit = -mu * penalty * gap[k]
                amount = c1 * np.sqrt(x * x + y * y)
                kept = limit / amount if amount > limit else 1.0
                state[3] += (1.0 - kept) * x
                state[4] += (1.0 - kept) * y
                for b in range(size):
                    moved = c1 * (now[b] - last[b])
                    slider[0, 1, b] += moved
                    slider[1, 2, b] += moved
                if kept < LIMIT_REACHED:
                    # What is left of a change of the trial stress: its part across, shortened; and the limit's.
                    nx, ny = x * c1 / amount, y * c1 / amount
                    turned = turned or nx * ny != 0.0
                    for j in range(3):
                        for b in range(size):
                            across = kept * (ny * slider[0, j, b] - nx * slider[1, j, b])
                            slider[0, j, b], slider[1, j, b] = ny * across, -nx * across
                    for b in range(size):
                        less = mu * penalty * now[b]
                        slider[0, 0, b] -= nx * less
                        slider[1, 0, b] -= ny * less
                elif kept != 1.0:
                    for j in range(3):
                        for b in range(size):
                            slider[0, j, b] *= kept
                            slider[1, j, b] *= kept
                last = now
                if number < passes - 1:
                    continue
                for b in range(size):
                    closed_values[k, b] = -penalty * now[b]
                    for j in range(3):
                        whole[0, j, k, b] = -slider[0, j, b]
                        whole[1, j, k, b] = -slider[1, j, b]
                    parallel = c2 * (now[b] - closed_at[b])
                    whole[0, 1, k, b] -= parallel
                    whole[1, 2, k, b] -= parallel
                    whole[0, 0, k, b] += c2 * start_by_gap[0, b]
                    whole[1, 0, k, b] += c2 * start_by_gap[1, b]
        if opened:
            of_pair[0, 0] = projection @ closed_values
        for s in range(2):
            for j in range(3):
                # A pair that always slips one way has no part across.
                if turned or j == 0 or j == s + 1:
                    of_pair[s + 1, j] = projection @ whole[s, j]
    return pressure, stress, did, after, closure, derivative, springs
