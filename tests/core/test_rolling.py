"""Discs that roll on a plane. Kinds of reference: closed forms, published equations of a bicycle."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from support.systems import moved, system_of

G = 9.81
ACROSS = (-0.5 * np.pi, 0.0, 0.0)  # turns z into y


def disc(radius, **words):
    own = 0.5 * radius**2
    return {
        "kind": "rigid", "name": "disc", "mass": 1.0, "moments_of_inertia": (0.5 * own, own, 0.5 * own),
        "markers": [{"name": "axle", "rotation": ACROSS}], **words,
    }  # fmt: skip


def test_an_upright_coin_on_an_incline_rolls_along_a_cycloid(tmp_path):
    """Neimark and Fufaev (1972): with φ = Ω t the speed is g sin β (1 − cos φ)/(Ω (1 + J/(m R²)))."""
    radius, slope, turning = 0.1, 0.3, 2.0
    coin = disc(radius, placement={"position": (0, 0, radius), "spin": (0, 0, turning)})
    between = {"first": "ground.origin", "second": "disc.axle"}
    spec = system_of(
        parts=[coin], gravity=(0.0, -G * np.sin(slope), -G * np.cos(slope)),
        constraints=[
            {"kind": "rolling", "name": "roll", **between, "radius": radius},
            {"kind": "perpendicular", "name": "upright", **between},
        ],
    )  # fmt: skip
    results = moved(spec, tmp_path, 0.5 * np.pi, tolerance=1e-5, largest_step=2e-3, frames=20)
    time = results.values
    phi, size = turning * time, G * np.sin(slope) / (1.5 * turning**2)
    along = np.sin(phi) - 0.5 * phi - 0.25 * np.sin(2 * phi)
    assert results.curve("disc.frame x") == pytest.approx(-size * along, abs=1e-3)
    assert results.curve("disc.frame y") == pytest.approx(-size * (1.0 - np.cos(phi)) ** 2 / 2, abs=1e-3)
    energy = results.curve("total energy")
    assert np.abs(energy - energy[0]).max() < 2e-4 * results.curve("kinetic energy").max()


@pytest.mark.parametrize(("step", "allowed"), [(8e-3, 8e-3), (2e-3, 5e-4)])
def test_a_leaning_disc_rolls_in_a_circle(tmp_path, step, allowed):
    """Its angular momentum turns with Ω: ω₃ Ω sin θ (C + m R²) = A Ω² sin θ cos θ − m g R cos θ; of second order."""
    radius, lean, around = 0.1, np.radians(60.0), 6.0
    c, a = 0.5 * radius**2, 0.25 * radius**2
    axial = (a * around * np.cos(lean) - G * radius / np.tan(lean) / around) / (c + radius**2)
    circle = -radius * axial / around
    # e₂ rises to the middle of the disc, e₃ is its axis, and it moves along e₁.
    up, axis = np.array([np.cos(lean), 0, np.sin(lean)]), np.array([-np.sin(lean), 0, np.cos(lean)])
    spin = around * np.sin(lean) * up + axial * axis
    placed = {
        # The axes of the part: y along the axis of the disc, which is turned about y of space.
        "position": (-circle, 0.0, radius * np.sin(lean)),
        "velocity": tuple(np.cross(spin, radius * up)),
    }
    turned = np.column_stack([np.cross(axis, up), axis, up])  # axes of the part in space
    placed |= {"rotation": tuple(Rotation.from_matrix(turned).as_rotvec()), "spin": tuple(turned.T @ spin)}
    spec = system_of(
        parts=[disc(radius, placement=placed)], gravity=(0, 0, -G),
        constraints=[
            {"kind": "rolling", "name": "roll", "first": "ground.origin", "second": "disc.axle", "radius": radius}
        ],
    )  # fmt: skip
    results = moved(
        spec, tmp_path, np.pi / around, fixed_step=True, tolerance=1e-7, largest_step=step, frames=12
    )
    angle = around * results.values
    assert results.curve("disc.frame x") == pytest.approx(-circle * np.cos(angle), abs=allowed)
    assert results.curve("disc.frame y") == pytest.approx(-circle * np.sin(angle), abs=allowed)
    assert results.curve("disc.frame z") == pytest.approx(radius * np.sin(lean), abs=allowed)


# --- the benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007), table 1; z up in place of down

SPEED, TILT = 5.0, np.pi / 10.0
MASS_MATRIX = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
DAMPING = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
WEIGHT = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
CENTRIFUGAL = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
EIGENVALUES = [-14.07838969279822, -0.32286642900409, -0.77534188219585 + 4.46486771378823j]
PUSH, LENGTH = 1e-4, 0.2  # N m, s


def stiffness():
    return G * WEIGHT + SPEED**2 * CENTRIFUGAL


def bicycle():
    steer = {"name": "head", "rotation": (0.0, np.pi - TILT, 0.0)}  # z down along the steering axis

    def wheel(name, x, radius, mass, diametral, axial):
        return {
            "kind": "rigid", "name": name, "mass": mass, "moments_of_inertia": (diametral, axial, diametral),
            "markers": [{"name": "axle", "rotation": ACROSS}],
            "placement": {"position": (x, 0, radius), "velocity": (SPEED, 0, 0), "spin": (0, SPEED / radius, 0)},
        }  # fmt: skip

    def frame(name, x, z, mass, moments, product, wheel_at):
        axle = {"name": "axle", "position": (wheel_at[0] - x, 0, wheel_at[1] - z), "rotation": ACROSS}
        head = {**steer, "position": (0.95 - x, 0.0, head_height(0.95) - z)}
        return {
            "kind": "rigid", "name": name, "mass": mass, "moments_of_inertia": moments,
            "products_of_inertia": (0.0, product, 0.0), "markers": [axle, head],
            "placement": {"position": (x, 0, z), "velocity": (SPEED, 0, 0)},
        }  # fmt: skip

    def head_height(x):
        # The steering axis meets the ground a trail of 0.08 m in front of the front wheel's contact at 1.02 m.
        return (1.10 - x) / np.tan(TILT)

    parts = [
        wheel("rear", 0.0, 0.3, 2.0, 0.0603, 0.12),
        frame("body", 0.3, 0.9, 85.0, (9.2, 11.0, 2.8), -2.4, (0.0, 0.3)),
        frame("fork", 0.9, 0.7, 4.0, (0.05892, 0.06, 0.00708), 0.00756, (1.02, 0.35)),
        wheel("front", 1.02, 0.35, 3.0, 0.1405, 0.28),
    ]
    constraints = [
        {"kind": "rolling", "name": "rear tyre", "first": "ground.origin", "second": "rear.axle", "radius": 0.3},
        {"kind": "revolute", "name": "rear axle", "first": "body.axle", "second": "rear.axle"},
        {"kind": "revolute", "name": "head", "first": "body.head", "second": "fork.head"},
        {"kind": "revolute", "name": "front axle", "first": "fork.axle", "second": "front.axle"},
        {"kind": "rolling", "name": "front tyre", "first": "ground.origin", "second": "front.axle", "radius": 0.35},
    ]  # fmt: skip
    push = {
        "kind": "rotary_actuator", "name": "hand", "first": "body.head", "second": "fork.head", "torque": PUSH,
        "time_history": {"kind": "pulse", "length": LENGTH},
    }  # fmt: skip
    return system_of(parts=parts, constraints=constraints, forces=[push], gravity=(0, 0, -G))


def test_the_published_matrices_have_the_published_eigenvalues():
    inverse = np.linalg.inv(MASS_MATRIX)
    matrix = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ stiffness(), -inverse @ (SPEED * DAMPING)]])
    found = np.linalg.eigvals(matrix)
    for value in EIGENVALUES:
        assert np.abs(found - value).min() == pytest.approx(0.0, abs=1e-6)


def test_a_bicycle_weaves_as_published(tmp_path):
    """A short push at the handlebar; steering angle and lean by the linear equations of the benchmark."""
    spec = bicycle()
    results = moved(spec, tmp_path, 1.0, tolerance=1e-6, largest_step=2e-3, frames=40)

    def rates(time, state):
        push = PUSH * 0.5 * (1.0 - np.cos(2.0 * np.pi * time / LENGTH)) if time < LENGTH else 0.0
        force = [0.0, push] - SPEED * DAMPING @ state[2:] - stiffness() @ state[:2]
        return [*state[2:], *np.linalg.solve(MASS_MATRIX, force)]

    exact = solve_ivp(
        rates, (0, 1.0), np.zeros(4), t_eval=results.values, rtol=1e-9, atol=1e-12, max_step=0.01
    )
    steer, y, z = (
        results.curve("head angle"), results.curve("body.frame y"), results.curve("body.frame z"),
    )  # fmt: skip
    assert steer == pytest.approx(exact.y[1], abs=2e-3 * np.abs(exact.y[1]).max())
    assert np.abs(y).max() > 1e-6 and z == pytest.approx(0.9, abs=1e-6)
