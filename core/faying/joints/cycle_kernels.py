"""Coulomb's law with linear penalty over a period of motion, as machine code (`faying.compiled`)."""

import numpy as np

from faying.compiled import compiled
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.cycle_laws import CLOSED, MOST_PASSES, OPENED, PERIODIC, SLIPPED, laws_over_cycle
from faying.joints.fourier import FourierBasis
from faying.joints.friction_laws.coulomb import LIMIT_REACHED, Coulomb

Walked = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


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
    return found.pressure, found.stress, found.did, found.history, found.closure, derivative


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
    """Return pressure, stress, did, history, closure and derivative of `faying.joints.cycle_laws.PairCycles`.

    Args:
        gaps, slips, history: see `faying.joints.cycle_laws.laws_over_cycle`.
        penalty: pressure per penetration.
        c1, c2: stiffness of the spring in series with the slider, and of the parallel spring.
        mu: friction coefficient.
        values, projection: of the basis.
        derivatives: whether to compute the derivative; none (0, 3, 3, size, size) otherwise.
    """
    samples, n = gaps.shape
    size = values.shape[1]
    pressure, stress = np.zeros((samples, n)), np.zeros((samples, n, 2))
    did, after, closure = np.zeros(n, np.int64), np.zeros((n, 5)), np.zeros(n)
    derivative = np.zeros((n if derivatives else 0, 3, 3, size, size))
    # ∂τ₁ and ∂τ by the coefficients at one sample, (stress, variable, function).
    slider, whole = np.zeros((2, 3, size)), np.zeros((2, 3, size))
    nothing = np.zeros(size)
    for i in range(n):
        state, opened, touched = history[i].copy(), False, False
        for k in range(samples):
            if gaps[k, i] < 0.0:
                pressure[k, i] = -penalty * gaps[k, i]
                touched = True
            else:
                opened = True
        did[i] = (CLOSED if touched else 0) | (OPENED if opened else 0)
        if not touched:
            continue
        # Forces alone, until they are periodic.
        passes, slipped, ever, before = 0, False, False, 0.0
        while True:
            first_x, first_y = stress[0, i, 0], stress[0, i, 1]
            largest, slipped_before, slipped, done = 0.0, slipped, False, False
            for k in range(samples):
                if gaps[k, i] >= 0.0:
                    state[:] = 0.0
                    stress[k, i, 0] = stress[k, i, 1] = 0.0
                    tx = ty = 0.0
                else:
                    if state[0] == 0.0:
                        state[0], state[1], state[2] = 1.0, slips[k, i, 0], slips[k, i, 1]
                        state[3] = state[4] = 0.0
                    slip_x, slip_y = slips[k, i, 0] - state[1], slips[k, i, 1] - state[2]
                    x, y = slip_x - state[3], slip_y - state[4]
                    limit = mu * pressure[k, i]
                    amount = c1 * np.sqrt(x * x + y * y)
                    reach = max(amount, limit)
                    kept = limit / (reach if reach != 0.0 else 1.0)
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
                stress[k, i, 0], stress[k, i, 1] = tx, ty
                largest = max(largest, abs(tx), abs(ty))
            if done:
                slipped = slipped_before
                break
            before = largest
            ever = ever or slipped
            after[i] = state
            passes += 1
        did[i] |= SLIPPED if slipped else 0
        if not derivatives:
            continue
        if not ever and not opened and history[i, 0] != 0.0:
            for a in range(size):
                derivative[i, 0, 0, a, a] = -penalty
                derivative[i, 1, 1, a, a] = derivative[i, 2, 2, a, a] = -(c1 + c2)
            continue
        # The same periods again, with ∂τ₁.
        state[:] = history[i]
        slider[:] = 0.0
        last = closed_at = nothing
        of_pair = derivative[i]
        for number in range(passes):
            for k in range(samples):
                now = values[k]
                if gaps[k, i] >= 0.0:
                    state[:] = 0.0
                    slider[:] = 0.0
                    continue
                if state[0] == 0.0:
                    state[0], state[1], state[2] = 1.0, slips[k, i, 0], slips[k, i, 1]
                    state[3] = state[4] = 0.0
                    last = closed_at = now
                slip_x, slip_y = slips[k, i, 0] - state[1], slips[k, i, 1] - state[2]
                x, y = slip_x - state[3], slip_y - state[4]
                limit = mu * pressure[k, i]
                amount = c1 * np.sqrt(x * x + y * y)
                reach = max(amount, limit)
                kept = limit / (reach if reach != 0.0 else 1.0)
                state[3] += (1.0 - kept) * x
                state[4] += (1.0 - kept) * y
                for b in range(size):
                    moved = c1 * (now[b] - last[b])
                    slider[0, 1, b] += moved
                    slider[1, 2, b] += moved
                if kept < LIMIT_REACHED:
                    # What is left of a change of the trial stress: its part across, shortened; and the limit's.
                    unit = c1 / (amount if amount > 0.0 else 1.0)
                    nx, ny = x * unit, y * unit
                    for j in range(3):
                        for b in range(size):
                            p, q = slider[0, j, b], slider[1, j, b]
                            along = nx * p + ny * q
                            slider[0, j, b], slider[1, j, b] = (
                                kept * (p - nx * along),
                                kept * (q - ny * along),
                            )
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
                whole[:] = slider
                for b in range(size):
                    parallel = c2 * (now[b] - closed_at[b])
                    whole[0, 1, b] += parallel
                    whole[1, 2, b] += parallel
                for a in range(size):
                    share = projection[a, k]
                    if opened:
                        for b in range(size):
                            of_pair[0, 0, a, b] -= penalty * share * now[b]
                    for s in range(2):
                        for j in range(3):
                            for b in range(size):
                                of_pair[s + 1, j, a, b] -= share * whole[s, j, b]
        if not opened:
            # All samples count: the projection of the functions is the unit matrix.
            for a in range(size):
                of_pair[0, 0, a, a] = -penalty
    return pressure, stress, did, after, closure, derivative
