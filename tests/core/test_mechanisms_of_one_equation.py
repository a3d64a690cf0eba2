"""Mechanisms of the literature beside their equations of motion in the fewest coordinates, integrated by SciPy.

Kind of reference: an independent code, with geometry after IFToMM's library of benchmarks (flyball governor), Haug
(1989, spatial slider-crank) and IFToMM's linear benchmarks (four-bar linkage with a diagonal spring).
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from faying.multibody.linearized import find_equilibrium, vibrations
from faying.progress import Silent
from support.systems import BAR, moved, ready, system_of

G = 9.81

# --- governor: two arms hinged to a spinning shaft, and a slider on it that stiff springs and dampers hang on them

J_SHAFT, M_ARM, D_ARM, I_ACROSS, I_ALONG = 0.05, 6.0, 0.9, 0.3, 0.01
OFFSET, TOP, M_SLIDER, J_SLIDER, GRIP, L0 = 0.1, 1.0, 2.0, 0.01, 0.5, 0.5
K, C, ALPHA, SPIN = 8e5, 4e4, np.radians(30.0), 2.0 * np.pi


def arm_point(alpha, s):
    """Return distance from the axis and height of the point at s along an arm."""
    return OFFSET + s * np.sin(alpha), TOP - s * np.cos(alpha)


def start_height():
    x, z = arm_point(ALPHA, GRIP)
    return z - np.sqrt(L0**2 - (x - OFFSET) ** 2)


def governor():
    down = {0: 0.0, 1: np.pi}
    parts = [
        {"kind": "rigid", "name": "shaft", "mass": 1.0, "moments_of_inertia": (J_SHAFT,) * 3,
         "markers": [{"name": "axis"},
                     *({"name": f"top {k}", "position": (OFFSET * np.cos(turn), 0.0, TOP),
                        "rotation": (np.pi / 2, 0, 0)} for k, turn in down.items())],
         "placement": {"spin": (0, 0, SPIN)}},
        {"kind": "rigid", "name": "slider", "mass": M_SLIDER, "moments_of_inertia": (J_SLIDER,) * 3,
         "markers": [{"name": "axis"},
                     *({"name": f"seat {k}", "position": (OFFSET * np.cos(turn), 0.0, 0.0)}
                       for k, turn in down.items())],
         "placement": {"position": (0, 0, start_height()), "spin": (0, 0, SPIN)}},
    ]  # fmt: skip
    constraints = [
        {"kind": "revolute", "name": "bearing", "first": "ground.axis", "second": "shaft.axis"},
        {"kind": "translational", "name": "slide", "first": "shaft.axis", "second": "slider.axis"},
    ]
    forces = []
    for k, side in ((0, 1.0), (1, -1.0)):
        x, z = arm_point(ALPHA, D_ARM)
        # The arm's own axis z points from the hinge to the ball, down by α from the vertical; y is that of its hinge.
        parts.append({
            "kind": "rigid", "name": f"arm {k}", "mass": M_ARM,
            "moments_of_inertia": (I_ACROSS, I_ACROSS, I_ALONG),
            "markers": [{"name": "hinge", "position": (0, 0, -D_ARM), "rotation": (np.pi / 2, 0, 0)},
                        {"name": "grip", "position": (0, 0, GRIP - D_ARM)}],
            "placement": {"position": (side * x, 0.0, z), "rotation": (0, side * (np.pi - ALPHA), 0),
                          "velocity": (0.0, side * x * SPIN, 0.0),
                          "spin": (-SPIN * side * np.sin(ALPHA), 0.0, -SPIN * np.cos(ALPHA))},
        })  # fmt: skip
        constraints.append(
            {"kind": "revolute", "name": f"hinge {k}", "first": f"shaft.top {k}", "second": f"arm {k}.hinge"}
        )
        forces.append({"kind": "spring_damper", "name": f"spring {k}", "first": f"slider.seat {k}",
                       "second": f"arm {k}.grip", "stiffness": K, "damping": C, "free_length": L0})  # fmt: skip
    return system_of(
        gravity=(0, 0, -G), ground=[{"name": "axis"}], parts=parts, constraints=constraints, forces=forces,
        measures=[{"kind": "displacement", "name": "height", "first": "ground.axis", "second": "slider.axis",
                   "component": "z"}],
    )  # fmt: skip


def governor_by_lagrange(times):
    """Return the slider's height by the Lagrange equations in the arms' angle and the height; θ̇ = momentum/inertia."""

    def inertia(alpha):
        x = OFFSET + D_ARM * np.sin(alpha)
        return (
            J_SHAFT
            + J_SLIDER
            + 2 * (M_ARM * x**2 + I_ACROSS * np.sin(alpha) ** 2 + I_ALONG * np.cos(alpha) ** 2)
        )

    def slope(alpha):
        x = OFFSET + D_ARM * np.sin(alpha)
        return 4 * np.cos(alpha) * (M_ARM * x * D_ARM + (I_ACROSS - I_ALONG) * np.sin(alpha))

    momentum = inertia(ALPHA) * SPIN

    def rates(_, y):
        alpha, height, turning, rising = y
        x, z = arm_point(alpha, GRIP)
        across, up = x - OFFSET, z - height
        length = np.hypot(across, up)
        by_alpha = (across * GRIP * np.cos(alpha) + up * GRIP * np.sin(alpha)) / length
        by_height = -up / length
        pull = K * (length - L0) + C * (by_alpha * turning + by_height * rising)
        spin = momentum / inertia(alpha)
        own = 2 * (M_ARM * D_ARM**2 + I_ACROSS)
        weight = 2 * M_ARM * G * D_ARM * np.sin(alpha)
        return [
            turning, rising, (0.5 * spin**2 * slope(alpha) - weight - 2 * pull * by_alpha) / own,
            -G - 2 * pull * by_height / M_SLIDER,
        ]  # fmt: skip

    start = [ALPHA, start_height(), 0.0, 0.0]
    found = solve_ivp(rates, (0.0, times[-1]), start, "Radau", times, rtol=1e-9, atol=1e-11)
    return found.y[1]


def test_a_stiff_governor_lifts_its_slider(tmp_path):
    """Springs of 8e5 N/m and dampers of 4e4 N s/m: 1e-4 of the height's range with steps of 0.5 ms."""
    results = moved(
        governor(), tmp_path, 1.0, alpha=-0.01, fixed_step=True, first_step=5e-4, largest_step=5e-4, frames=50
    )
    expected = governor_by_lagrange(results.values)
    assert np.ptp(expected) > 0.02
    assert np.abs(results.curve("height") - expected).max() < 2e-4


# --- spatial slider-crank (Haug 1989): crank about x at (0, 0.1, 0.12) m, a rod between two balls, a slider along x

CRANK, ROD, AT = 0.08, 0.3, np.array([0.0, 0.1, 0.12])
M_CRANK, J_CRANK, M_ROD, I_ROD, M_BLOCK, TURNS = 0.12, 1e-4, 0.5, 4e-3, 2.0, 6.0


def pin(theta):
    return AT + CRANK * np.array([0.0, -np.sin(theta), np.cos(theta)])


def reach(theta):
    end = pin(theta)
    return np.sqrt(ROD**2 - end[1] ** 2 - end[2] ** 2)


def spatial_slider_crank():
    end, far = pin(0.0), np.array([reach(0.0), 0.0, 0.0])
    way = (far - end) / ROD
    turn = np.arccos(way[0])
    axis = np.cross([1.0, 0.0, 0.0], way)
    along_x = (0, np.pi / 2, 0)
    parts = [
        {"kind": "rigid", "name": "crank", "mass": M_CRANK, "moments_of_inertia": (J_CRANK,) * 3,
         "markers": [{"name": "axle", "rotation": along_x}, {"name": "pin", "position": (0, 0, CRANK)}],
         "placement": {"position": tuple(AT), "spin": (TURNS, 0, 0)}},
        {"kind": "rigid", "name": "rod", "mass": M_ROD, "moments_of_inertia": (1e-4, I_ROD, I_ROD),
         "markers": [{"name": "near", "position": (-ROD / 2, 0, 0)}, {"name": "far", "position": (ROD / 2, 0, 0)}],
         "placement": {"position": tuple(0.5 * (end + far)), "rotation": tuple(axis / np.linalg.norm(axis) * turn)}},
        {**BAR, "name": "block", "mass": M_BLOCK, "placement": {"position": tuple(far)},
         "markers": [{"name": "ball"}, {"name": "slide", "rotation": along_x}]},
    ]  # fmt: skip
    return system_of(
        gravity=(0, 0, -G), parts=parts,
        ground=[{"name": "axle", "position": tuple(AT), "rotation": along_x}, {"name": "rail", "rotation": along_x}],
        constraints=[
            {"kind": "revolute", "name": "axle", "first": "ground.axle", "second": "crank.axle"},
            {"kind": "spherical", "name": "near", "first": "crank.pin", "second": "rod.near"},
            {"kind": "spherical", "name": "far", "first": "rod.far", "second": "block.ball"},
            {"kind": "translational", "name": "rail", "first": "ground.rail", "second": "block.slide"},
        ],
        measures=[{"kind": "displacement", "name": "reach", "first": "ground.rail", "second": "block.ball",
                   "component": "z"}],
    )  # fmt: skip


def slider_crank_by_energy(times):
    """Return the slider's place from ½ M(θ) θ̇² + V(θ) = E; the thin rod does not spin about itself."""

    def mass(theta):
        end, speed = pin(theta), CRANK * np.array([0.0, -np.cos(theta), -np.sin(theta)])
        far = np.array([-(end @ speed) / reach(theta), 0.0, 0.0])  # as the end's x is zero
        middle, way = 0.5 * (speed + far), (far - speed) / ROD
        return J_CRANK + M_BLOCK * far @ far + M_ROD * middle @ middle + I_ROD * way @ way

    def rates(_, y):
        slope = (mass(y[0] + 1e-5) - mass(y[0] - 1e-5)) / 2e-5
        weight = -0.5 * M_ROD * G * CRANK * np.sin(y[0])
        return [y[1], -(0.5 * slope * y[1] ** 2 + weight) / mass(y[0])]

    found = solve_ivp(rates, (0.0, times[-1]), [0.0, TURNS], "DOP853", times, rtol=1e-8, atol=1e-10)
    return np.array([reach(theta) for theta in found.y[0]])


def test_a_spatial_slider_crank_turns_freely(tmp_path):
    results = moved(
        spatial_slider_crank(),
        tmp_path,
        1.0,
        alpha=-0.01,
        fixed_step=True,
        first_step=1e-3,
        largest_step=1e-3,
        frames=50,
    )
    expected = slider_crank_by_energy(results.values)
    assert np.ptp(expected) > 0.1
    assert np.abs(results.curve("reach") - expected).max() < 2e-4


# --- four-bar linkage of equal bars with a spring on its diagonal: equilibrium and frequency


def test_a_four_bar_with_a_diagonal_spring_rests_and_swings_as_its_one_equation():
    """V = 2 m g sin θ + ½ k (2 cos ½θ − l₀)² for bars of 1 m; M = 2 · m/3 + m."""
    stiffness, free, mass = 60.0, 1.2, BAR["mass"]

    def slope(theta):
        return 2 * mass * G * np.cos(theta) - stiffness * (2 * np.cos(theta / 2) - free) * np.sin(theta / 2)

    at = brentq(slope, 1.0, 3.0, xtol=1e-15)
    curve = (slope(at + 1e-5) - slope(at - 1e-5)) / 2e-5
    assert curve > 0.0
    turned = np.array([np.cos(at), np.sin(at)])
    bars = [
        {**BAR, "name": "left", "placement": {"position": (*turned / 2, 0), "rotation": (0, 0, at)}},
        {**BAR, "name": "top", "placement": {"position": (turned[0] + 0.5, turned[1], 0)}},
        {
            **BAR,
            "name": "right",
            "placement": {"position": (1 + turned[0] / 2, turned[1] / 2, 0), "rotation": (0, 0, at)},
        },
    ]
    pins = {"a": ("ground.a", "left.left"), "b": ("left.right", "top.left"), "d": ("ground.d", "right.left")}
    spec = system_of(
        gravity=(0, -G, 0), parts=bars, ground=[{"name": "a"}, {"name": "d", "position": (1, 0, 0)}],
        constraints=[
            *({"kind": "revolute", "name": n, "first": i, "second": j} for n, (i, j) in pins.items()),
            {"kind": "point_on_line", "name": "c", "first": "right.right", "second": "top.right"},
        ],
        forces=[{"kind": "spring_damper", "name": "diagonal", "first": "ground.a", "second": "top.right",
                 "stiffness": stiffness, "free_length": free}],
    )  # fmt: skip
    found = ready(spec)
    rest = find_equilibrium(found.system, found.q, found.history, Silent())
    height = rest.position[1]  # of the left bar's middle
    assert height == pytest.approx(0.5 * turned[1], abs=1e-9)
    modes = vibrations(found.system, rest.position, 0.0 * found.v, rest.multipliers, rest.history, 0.0)
    assert modes.eigenvalues.imag[0] == pytest.approx(np.sqrt(curve / (mass * 5.0 / 3.0)), rel=1e-6)
