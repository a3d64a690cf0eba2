"""A cantilever under a dead load at its tip, deflected by two fifths of its length: the beam of Princeton.

Dowell and Traybar (1975) measured it, and Bauchau, Han, Mikkola and Matikainen (2016) compare beam elements by it:
20 in by 1/2 in by 1/8 in of aluminium, loaded at angles between the stiff and the soft direction, which also twists it.

Equations: a geometrically exact beam (Reissner 1973, Simo 1985) as a boundary value problem. The force n in each
section is the load; the place r, the axes A and the moment m follow from r' = A (e₁ + C⁻¹ Aᵀ n), A' = A [D⁻¹ Aᵀ m]× and
m' = −r' × n with r = 0, A = 1 at the wall and m = 0 at the tip. In a plane and without shear it is Euler's elastica,
which elliptic integrals solve.
"""

import numpy as np
from scipy.integrate import solve_bvp
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

LENGTH, HEIGHT, THICKNESS = 0.508, 12.7e-3, 3.175e-3  # m, along x, y and z
YOUNGS_MODULUS, POISSONS_RATIO = 71.7e9, 0.31  # Pa
LOAD = 13.345  # N, the largest one


def section():
    """Stiffness (6,) EA, shear along y and z, GJ, and bending about y (soft) and z (stiff), of a rectangle."""
    shear = YOUNGS_MODULUS / (2.0 * (1.0 + POISSONS_RATIO))
    area = HEIGHT * THICKNESS
    ratio = THICKNESS / HEIGHT
    odd = np.arange(1, 40, 2)
    twist = HEIGHT * THICKNESS**3 / 3.0
    twist *= 1.0 - 192.0 / np.pi**5 * ratio * np.sum(np.tanh(0.5 * np.pi * odd / ratio) / odd**5)
    soft, stiff = HEIGHT * THICKNESS**3 / 12.0, THICKNESS * HEIGHT**3 / 12.0
    along = YOUNGS_MODULUS * area
    return np.array([
        along, 5.0 / 6.0 * shear * area, 5.0 / 6.0 * shear * area, shear * twist,
        YOUNGS_MODULUS * soft, YOUNGS_MODULUS * stiff,
    ])  # fmt: skip


def _axes(q):
    w, x, y, z = q / np.linalg.norm(q, axis=0)
    return np.array([
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ])  # fmt: skip


def tip(load, stiffness, length=LENGTH):
    """Displacement (3,) of the tip and its axes (3, 3), under a force (3,).

    Args:
        load: force at the tip, whose direction stays.
        stiffness: (6,) as of `section`.
        length: of the beam.
    """
    load = np.asarray(load, float)
    straight = np.array([1.0, 0.0, 0.0])

    def rates(s, x):
        q, m = x[3:7], x[7:]
        axes = _axes(q)
        own_force = np.einsum("jik,j->ik", axes, load)
        own_moment = np.einsum("jik,jk->ik", axes, m)
        stretch = straight[:, None] + own_force / stiffness[:3, None]
        along = np.einsum("ijk,jk->ik", axes, stretch)
        k = own_moment / stiffness[3:, None]
        turn = 0.5 * np.array([
            -q[1] * k[0] - q[2] * k[1] - q[3] * k[2],
            q[0] * k[0] + q[2] * k[2] - q[3] * k[1],
            q[0] * k[1] + q[3] * k[0] - q[1] * k[2],
            q[0] * k[2] + q[1] * k[1] - q[2] * k[0],
        ])  # fmt: skip
        return np.vstack([along, turn, -np.cross(along, load, axis=0)])

    def ends(wall, free):
        return np.concatenate([wall[:3], wall[3:7] - [1.0, 0.0, 0.0, 0.0], free[7:]])

    s = np.linspace(0.0, length, 41)
    guess = np.zeros((10, len(s)))
    guess[0], guess[3] = s, 1.0
    whole = load
    for share in (0.25, 0.5, 0.75, 1.0):  # from the straight beam on
        load = share * whole
        found = solve_bvp(rates, ends, s, guess, tol=1e-8, max_nodes=20000)
        assert found.success, found.message
        s, guess = found.x, found.y
    return found.y[:3, -1] - [length, 0.0, 0.0], _axes(found.y[3:7, -1:])[:, :, 0]


def elastica(force, bending, length=LENGTH):
    """Displacements of the tip along and across a cantilever, inextensible, under a force across it at the start.

    With k = sin(½ (π/2 + θ)) of the slope θ of the tip: L √(P/EI) = K(k) − F(φ₀, k), sin φ₀ = 1/(√2 k) (Bisshopp and
    Drucker 1945).
    """
    root = np.sqrt(force / bending)

    def parts(modulus):
        start = np.arcsin(np.sqrt(0.5) / modulus)
        m = modulus**2
        return ellipk(m) - ellipkinc(start, m), ellipe(m) - ellipeinc(start, m), start

    modulus = brentq(lambda k: parts(k)[0] - root * length, np.sqrt(0.5) + 1e-12, 1.0 - 1e-12, xtol=1e-15)
    whole, second, start = parts(modulus)
    across = (whole - 2.0 * second) / root
    along = 2.0 * modulus * np.cos(start) / root
    return along - length, across
