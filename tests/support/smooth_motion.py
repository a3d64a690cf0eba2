"""Motion of one part without an integrator of ours: SciPy's DOP853 on the equations of motion of its coordinates."""

import numpy as np
from scipy.integrate import solve_ivp


def free_motion(part, q, v, gravity, end_time, *, pinned=False, tolerance=1e-10):
    """Return (times, [(q, v)]) of a part that nothing touches, or whose frame's origin stays where it is.

    The multiplier of pᵀp = 1 is eliminated: p · p̈ = −ṗ · ṗ.
    """
    n, first = part.n, 3 if pinned else 0
    held = np.concatenate([np.zeros(first), np.ones(n - first)]).astype(bool)

    def rates(_, state):
        q, v = state[:n], state[n:]
        matrix, right = np.zeros((n + 1, n + 1)), np.zeros(n + 1)
        matrix[:n, :n], right[:n] = part.mass(q), part.forces(q, v, gravity)
        matrix[3:7, n] = matrix[n, 3:7] = q[3:7]
        right[n] = -v[3:7] @ v[3:7]
        moving = np.append(held, True)
        a = np.zeros(n)
        a[held] = np.linalg.solve(matrix[np.ix_(moving, moving)], right[moving])[:-1]
        return np.concatenate([v, a])

    start = np.concatenate([q, v])
    size = np.concatenate([part.scales, part.scales])
    found = solve_ivp(
        rates, (0.0, end_time), start, method="DOP853", rtol=tolerance, atol=tolerance / size,
        t_eval=np.linspace(0.0, end_time, 21),
    )  # fmt: skip
    assert found.success
    return found.t, [(state[:n], state[n:]) for state in found.y.T]
