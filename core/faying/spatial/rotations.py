"""Rotations by Euler parameters p = (p₀, e): unit quaternions, scalar first (thesis section 2.1 and appendix A).

Every function here depends only on the direction of p, so that derivatives are also exact off the unit sphere, where
Newton's iterates may lie: A(p) = A(p/|p|), δπ = 2 E(p) δp / |p|².
"""

import numpy as np

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def skew(vector: np.ndarray) -> np.ndarray:
    """Return (…, 3, 3) ã with ã b = a × b, for (…, 3)."""
    vector = np.asarray(vector, float)
    if vector.ndim == 1:  # several times faster, and called in every step of every part
        a, b, c = vector.tolist()
        return np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])
    matrix = np.zeros((*vector.shape, 3))
    matrix[..., 2, 1] = vector[..., 0]
    matrix[..., 0, 2] = vector[..., 1]
    matrix[..., 1, 0] = vector[..., 2]
    return matrix - matrix.mT


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a × b (3,); for a single pair ten times faster than NumPy's, which is made for many."""
    a1, a2, a3 = a.tolist()
    b1, b2, b3 = b.tolist()
    return np.array([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1])


def rotation_matrix(p: np.ndarray) -> np.ndarray:
    """Return A (3, 3), which maps components in the rotated frame to components in the fixed frame."""
    a, b, c, d = np.asarray(p, float).tolist()  # numbers are several times faster than small arrays
    s = 2.0 / (a * a + b * b + c * c + d * d)
    return np.array(
        [
            [1.0 - s * (c * c + d * d), s * (b * c - a * d), s * (b * d + a * c)],
            [s * (b * c + a * d), 1.0 - s * (b * b + d * d), s * (c * d - a * b)],
            [s * (b * d - a * c), s * (c * d + a * b), 1.0 - s * (b * b + c * c)],
        ]
    )


def spatial_rates(p: np.ndarray) -> np.ndarray:
    """Return (3, 4) H with ω = H ṗ in the fixed frame: 2 E(p) / |p|²."""
    a, b, c, d = np.asarray(p, float).tolist()
    s = 2.0 / (a * a + b * b + c * c + d * d)
    return np.asarray(s * np.array([[-b, a, -d, c], [-c, d, a, -b], [-d, -c, b, a]]))


def body_rates(p: np.ndarray) -> np.ndarray:
    """Return (3, 4) H̄ with ω̄ = H̄ ṗ in the rotated frame: 2 G(p) / |p|²."""
    return np.asarray(2.0 / float(p @ p) * _body_rows(p))


def rates_of_body_rotation(p: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Return ṗ (4,) of a unit p at the angular velocity ω̄ (3,), given in the rotated frame."""
    return np.asarray(0.25 * float(p @ p) * body_rates(p).T @ omega)


def euler_parameters(matrix: np.ndarray) -> np.ndarray:
    """Return (4,) the unit p (p₀ ≥ 0) of a rotation matrix (3, 3); its largest component comes from a square root."""
    a = np.asarray(matrix, float)
    trace = float(np.trace(a))
    squares = 0.25 * np.array([1.0 + trace, *(1.0 + 2.0 * np.diag(a) - trace)])
    k = int(np.argmax(squares))
    p = np.empty(4)
    p[k] = np.sqrt(squares[k])
    # Products p_i p_j from sums and differences of the off-diagonal terms (Shepperd 1978).
    with_scalar = 0.25 * np.array([a[2, 1] - a[1, 2], a[0, 2] - a[2, 0], a[1, 0] - a[0, 1]])
    among = 0.25 * (a + a.T)
    if k == 0:
        p[1:] = with_scalar / p[0]
    else:
        p[0] = with_scalar[k - 1] / p[k]
        for j in range(3):
            if j != k - 1:
                p[j + 1] = among[k - 1, j] / p[k]
    p /= np.linalg.norm(p)
    return p if p[0] >= 0.0 else -p


def rotation_about(vector: np.ndarray) -> np.ndarray:
    """Return Euler parameters of the rotation about a vector (3,) by its length in rad."""
    vector = np.asarray(vector, float)
    half = 0.5 * float(np.linalg.norm(vector))
    return np.array([np.cos(half), *(0.5 * np.sinc(half / np.pi) * vector)])


def moved_along_screw(
    position: np.ndarray, p: np.ndarray, shift: np.ndarray, turn: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return position (3,) and Euler parameters (4,) of a frame after a motion at constant twist: exp of se(3).

    A frame that rotates about a fixed axis stays on its circle, while a first-order step would leave it along the
    tangent (Murray, Li and Sastry 1994, eq. 2.36).

    Args:
        position, p: before the motion.
        shift: (3,) initial velocity of the frame's origin times the time step.
        turn: (3,) its angular velocity in the fixed frame times the time step.
    """
    angle = float(np.linalg.norm(turn))
    # (1 − cos θ)/θ² and (θ − sin θ)/θ³, by their series where these differences lose digits.
    bent = 0.5 * np.sinc(0.5 * angle / np.pi) ** 2
    coiled = (angle - np.sin(angle)) / angle**3 if angle > 1e-2 else (1.0 - 0.05 * angle**2) / 6.0
    across = cross(turn, shift)
    moved = position + shift + bent * across + coiled * cross(turn, across)
    return moved, quaternion_product(rotation_about(turn), p)


def rotation_vector(matrix: np.ndarray) -> np.ndarray:
    """Return (3,) axis times angle (0 … π) of a rotation matrix."""
    p = euler_parameters(matrix)
    sine = float(np.linalg.norm(p[1:]))
    if sine < 1e-12:
        return np.asarray(2.0 * p[1:])
    return np.asarray(2.0 * np.arctan2(sine, p[0]) / sine * p[1:])


def quaternion_product(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return (4,) the Euler parameters of A(first) A(second)."""
    a, u = first[0], first[1:]
    b, v = second[0], second[1:]
    return np.array([a * b - u @ v, *(a * v + b * u + np.cross(u, v))])


def _body_rows(p: np.ndarray) -> np.ndarray:
    """Return G(p) (3, 4); 2 G(p) ṗ is the angular velocity along the body's own axes."""
    a, b, c, d = p.tolist()
    return np.array([[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]])
