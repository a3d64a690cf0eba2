"""Joint forces on elastic half-spaces against Hertz, Cattaneo, Mindlin and Deresiewicz.

The bodies are half-spaces in closed form (tests/support), so that the joint's pairs, laws, histories and the
equilibrium solvers are what is tested, not a mesh.
"""

import numpy as np
import pytest

from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.joints.pointwise import ContactStatus
from faying.params import build
from faying.progress import Silent
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.hard_contact import HardContactSolution, solve_hard_contact
from support.half_space import Rows, body, quarter, quarter_compliance, strip_compliance


def press(
    stiffness: np.ndarray, gaps: np.ndarray, area: float, force: float, law: object, allowed: float
) -> HardContactSolution:
    """Return the equilibrium of two bodies that a force presses together; the last coordinate is the approach."""
    n = len(gaps)
    # The surfaces give way by u and approach by z: gap = g₀ + u − z.
    normal = np.hstack([np.eye(n), -np.ones((n, 1))])
    joint = JointForce(Rows(normal, np.zeros((n, 2, n + 1)), np.full(n, area), gaps), law)  # type: ignore[arg-type]
    load, start = np.zeros(n + 1), np.zeros(n + 1)
    load[-1], start[-1] = force, np.median(gaps)
    return solve_hard_contact(
        stiffness, load, [joint], [joint.initial_history()], start, Silent(), allowed_penetration=allowed
    )


def test_hertz_spheres() -> None:
    # Two equal spheres of radius 10 with E = 210000, ν = 0.3: p0 = E/(π (1 − ν²)) √(2 h/R), h their approach.
    young, poisson, radius, force = 210_000.0, 0.3, 10.0, 500.0
    modulus = 0.5 * young / (1.0 - poisson**2)
    a = (0.75 * force * 0.5 * radius / modulus) ** (1.0 / 3.0)
    x, y, size = quarter(1.2 * a, 14)
    stiffness = body(quarter_compliance(x, y, size, modulus), size**2)
    found = press(
        stiffness, (x**2 + y**2) / radius, size**2, 0.25 * force, LinearPenalty(stiffness=1e8), 1e-6
    )
    pressure, approach = found.responses[0].pressure, found.coordinates[-1]
    peak = young / (np.pi * (1.0 - poisson**2)) * np.sqrt(2.0 * approach / radius)
    assert approach == pytest.approx(2.0 * a**2 / radius, rel=3e-3)
    assert pressure.max() == pytest.approx(peak, rel=1e-2)
    assert peak == pytest.approx(1.5 * force / (np.pi * a**2), rel=3e-3)
    assert 4.0 * pressure.sum() * size**2 == pytest.approx(force, rel=1e-9)
    inside = np.hypot(x, y) < 0.85 * a
    exact = 1.5 * force / (np.pi * a**2) * np.sqrt(1.0 - (x**2 + y**2)[inside] / a**2)
    np.testing.assert_allclose(pressure[inside], exact, rtol=2e-2)


def test_hertz_cylinder_on_block() -> None:
    # Published (NAFEMS): steel cylinder of radius 50 on an aluminium block, 35 kN per mm of length, plane strain:
    # 3585 MPa, half width 6.21 mm.
    modulus = 1.0 / ((1.0 - 0.3**2) / 210_000.0 + (1.0 - 0.3**2) / 70_000.0)
    count, half = 121, 8.0
    size = 2.0 * half / count
    x = -half + size * (np.arange(count) + 0.5)
    stiffness = body(strip_compliance(x, size, modulus), size)
    found = press(stiffness, x**2 / 100.0, size, 35_000.0, LinearPenalty(stiffness=1e7), 1e-5)
    pressure = found.responses[0].pressure
    assert pressure.max() == pytest.approx(3585.0, rel=1e-3)
    # The half width from the parabola of p², which the cells' width does not blur.
    slope, top = np.polyfit(x[pressure > 0.3 * 3585.0] ** 2, pressure[pressure > 0.3 * 3585.0] ** 2, 1)
    assert np.sqrt(-top / slope) == pytest.approx(6.21, abs=0.02)


def mindlin_loss(share: float) -> float:
    """Return what a cycle of amplitude Q = share · μP loses, over μP and the shift at which all slides.

    The area between the branches that the loading curve s = 1 − (1 − q)^(2/3) gives, doubled after Masing.
    """
    rest = 1.0 - share
    return 4.8 * (1.0 - rest ** (5.0 / 3.0) - 5.0 / 6.0 * share * (1.0 + rest ** (2.0 / 3.0)))


def test_cattaneo_mindlin_partial_slip() -> None:
    # Two equal spheres without Poisson's effect (then the tangential problem is the normal one), pressed by P and
    # sheared by Q = 0.6 μP: pairs stick inside 0.7368 a, where 0.7368 = (1 − 0.6)^(1/3).
    modulus, radius, force, mu = 100_000.0, 5.0, 200.0, 0.3
    a = (0.75 * force * radius / modulus) ** (1.0 / 3.0)
    x, y, size = quarter(1.05 * a, 13)
    n, area = len(x), size**2
    stiffness = body(quarter_compliance(x, y, size, modulus), area)
    pressed = press(
        stiffness, 0.5 * (x**2 + y**2) / radius, area, 0.25 * force, LinearPenalty(stiffness=1e9), 1e-6
    )
    pressure = pressed.responses[0].pressure

    # The gaps stay; slip is the rigid shift less what the surfaces give way.
    law = LinearPenalty(stiffness=1e9)
    tangential = np.zeros((n, 2, n + 1))
    tangential[:, 0] = np.hstack([-np.eye(n), np.ones((n, 1))])
    friction = build(Coulomb, {
        "friction_coefficient": mu, "sticking_stiffness": 1e3 * modulus / a, "sliding_stiffness": 0.0
    })  # fmt: skip
    rows = Rows(
        np.zeros((n, n + 1)), tangential, np.full(n, area), np.where(pressure > 0.0, -pressure / 1e9, 1.0)
    )
    joint = JointForce(rows, law, friction)
    history = joint.evaluate(np.zeros(n + 1), joint.initial_history(), 0.0, jacobian=False).history
    q, shifts, status = np.zeros(n + 1), [], {}
    loads = np.concatenate([[0.3, 0.6], np.linspace(0.6, -0.6, 11)[1:], np.linspace(-0.6, 0.6, 11)[1:]])
    for share in loads:
        load = np.zeros(n + 1)
        load[-1] = 0.25 * share * mu * force
        q, (answer,), _ = solve_equilibrium(stiffness, load, [joint], [history], q, Silent())
        history = answer.history
        shifts.append(q[-1])
        status.setdefault(float(share), answer.status)
    sticking = status[0.6] == ContactStatus.STICKING
    contact = status[0.6] != ContactStatus.GAPING
    assert np.sqrt(sticking.sum() / contact.sum()) == pytest.approx(0.7368, abs=0.01)
    assert np.hypot(x, y)[sticking].max() < 0.80 * a

    # Mindlin: the shift is 3 μP/(4 G a) (1 − (1 − Q/μP)^(2/3)), and G = E*.
    full_slip = 0.75 * mu * force / (modulus * a)
    assert shifts[1] == pytest.approx(full_slip * (1.0 - 0.4 ** (2.0 / 3.0)), rel=1e-2)
    # Mindlin and Deresiewicz: the loss of a cycle.
    cycle = slice(1, None)
    lost = np.trapezoid(loads[cycle] * mu * force, np.array(shifts)[cycle])
    assert lost == pytest.approx(mindlin_loss(0.6) * mu * force * full_slip, rel=3e-2)
