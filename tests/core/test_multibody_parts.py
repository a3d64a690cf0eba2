"""Contract of rigid and flexible parts, and of their markers.

Kinds of reference: derivatives by differences, the consistent FE mass (independent of the shape integrals), the
laws of momentum and energy, closed forms.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from faying.analyses.recording.system_curves import SystemCurves
from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.multibody.bodies import FlexibleBody
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.parts.damping import (
    DampingBand,
    banded_damping,
    modal_damping,
    period_damping,
    rayleigh_damping,
)
from faying.multibody.parts.flexible import FlexiblePart, InterfaceMarker
from faying.multibody.parts.ground import Ground
from faying.multibody.parts.markers import FrameMarker, GroundMarker
from faying.multibody.parts.rigid import RigidPart
from faying.multibody.system import MultibodySystem
from faying.params import build
from faying.progress import Silent
from faying.reduction.quality import ritz_modes
from faying.solvers.integrators import State
from faying.spatial.rotations import body_rates, quaternion_product, rotation_about, rotation_matrix
from support.flexible_bodies import plates_body, solid_box, stiffened, without_flexibility
from support.plates import stacked_plates

GRAVITY = np.array([700.0, -300.0, -9810.0])
TURNED = rotation_matrix(rotation_about(np.array([0.4, -1.1, 0.7])))
STIFFENED = ("stiffened", "stiffened with a mass")
KINDS = ("rigid", "solid", "plates", "clamped", "with a mass", "elsewhere", "principal axes", *STIFFENED)
COUPLED = ("plates", "clamped", "with a mass")


@pytest.fixture(scope="module")
def bodies():
    model, matrices, interior, solid = solid_box()
    plates, jointed = plates_body()
    stiff_solid = stiffened(solid, model, interior)
    stiff = stiffened(jointed, plates.model, plates.interior)
    heavier = jointed.with_mass_at("TIP", 2e-6, np.diag([1e-4, 2e-4, 3e-4]))
    return {
        "solid": (solid, model, matrices),
        "plates": (jointed, plates.model, plates.matrices),
        "clamped": (jointed.clamped_to("HOLD"), plates.model, plates.matrices),
        "with a mass": (heavier.clamped_to("HOLD"), plates.model, plates.matrices),
        "elsewhere": (solid, model, matrices),
        "principal axes": (solid.in_principal_axes(), model, matrices),
        "stiffened": (stiff_solid, model, matrices),
        "stiffened with a mass": (
            stiff.with_mass_at("TIP", 2e-6).clamped_to("HOLD"),
            plates.model,
            plates.matrices,
        ),
    }


@pytest.fixture(scope="module")
def parts(bodies):
    tensor = np.array([[3.0, 0.1, 0.2], [0.1, 4.0, -0.3], [0.2, -0.3, 5.0]])
    made = {
        name: FlexiblePart(
            name,
            body,
            damping=rayleigh_damping(body, 3.0, 1e-6),
            markers=[InterfaceMarker("turned", list(body.interfaces)[-1], TURNED)],
            origin=np.array([7.0, -3.0, 2.0]) if name in ("elsewhere", "stiffened") else None,
        )
        for name, (body, _, _) in bodies.items()
    }
    markers = [FrameMarker("pin", np.array([3.0, 1.0, -2.0]), TURNED)]
    return {"rigid": RigidPart("rigid", 2.0, tensor, (1.0, 2.0, 3.0), markers), **made}


@pytest.fixture(params=KINDS)
def part(request, parts):
    return parts[request.param]


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def _state(part, rng, *, off_sphere=False, size=0.3):
    """Return (q, v, a) with deformations and rotations of visible size; on the unit sphere p · ṗ = 0."""
    modal = part.scales[7:]
    q = part.placed(10 * rng.normal(size=3), rng.normal(size=4), size * rng.normal(size=part.n - 7) / modal)
    v, a = rng.normal(size=part.n), rng.normal(size=part.n)
    v[:3], v[7:], a[7:] = 50 * v[:3], v[7:] / modal, a[7:] / modal
    if off_sphere:
        q[3:7] *= 1.15
    else:
        v[3:7] -= (q[3:7] @ v[3:7]) * q[3:7]
    return q, v, a


def _differences(function, x, scales, step=1e-6):
    columns = []
    for k in range(len(x)):
        by = np.zeros(len(x))
        by[k] = step * (1.0 + abs(x[k]) * scales[k]) / scales[k]
        columns.append((function(x + by) - function(x - by)) / (2 * by[k]))
    return np.array(columns).T


def _assert_blocks(found, wanted, scales, tolerance):
    """Compare blocks of position, rotation and deformation, each by its own size."""
    blocks = (slice(0, 3), slice(3, 7), slice(7, None))
    unit = scales[:, None] * scales
    whole = abs(wanted / unit).max()
    for i in blocks:
        for j in blocks:
            difference = abs((found - wanted) / unit)[i, j].max(initial=0.0)
            assert difference <= tolerance * abs(wanted / unit)[i, j].max(initial=0.0) + 1e-13 * whole


# --- mass and forces


def test_changes_of_forces_are_their_derivatives(part, rng):
    q, v, _ = _state(part, rng, off_sphere=True)
    inertia = part.inertia  # elasticity would hide it
    by_q, by_v = inertia.force_changes(q, v, GRAVITY)
    _assert_blocks(
        by_q, _differences(lambda x: inertia.forces(x, v, GRAVITY), q, part.scales), part.scales, 1e-6
    )
    _assert_blocks(
        by_v, _differences(lambda x: inertia.forces(q, x, GRAVITY), v, part.scales), part.scales, 1e-6
    )


def test_elasticity_and_damping_come_on_top(parts, bodies, rng):
    part, body = parts["clamped"], bodies["clamped"][0]
    q, v, _ = _state(part, rng)
    damping = rayleigh_damping(body, 3.0, 1e-6)
    np.testing.assert_array_equal(damping, 3.0 * body.mass + 1e-6 * body.stiffness)
    extra = part.forces(q, v, GRAVITY) - part.inertia.forces(q, v, GRAVITY)
    assert not extra[:7].any()
    wanted = -body.stiffness @ q[7:] - damping @ v[7:]
    np.testing.assert_allclose(extra[7:], wanted, atol=1e-12 * abs(wanted).max())
    of_part, of_inertia = part.force_changes(q, v, GRAVITY), part.inertia.force_changes(q, v, GRAVITY)
    for whole, inertia, matrix in zip(of_part, of_inertia, (body.stiffness, damping), strict=True):
        np.testing.assert_allclose((whole - inertia)[7:, 7:], -matrix, atol=1e-12 * abs(matrix).max())
        assert not (whole - inertia)[:7].any()
    assert part.dissipation(v) == pytest.approx(v[7:] @ damping @ v[7:])


def test_strain_energy_and_the_work_of_a_preload_are_told_apart(bodies, rng):
    body = bodies["clamped"][0]
    load = rng.normal(size=len(body.stiffness))
    part = FlexiblePart("rod", body, load=load)
    rest = np.linalg.solve(body.stiffness, load)  # where the preload leaves it
    q, v = part.placed(np.zeros(3), np.array([1.0, 0, 0, 0]), rest), np.zeros(part.n)
    system = MultibodySystem([Ground((), "ground"), part], (), (), (0.0, 0.0, 0.0))
    spec = SimpleNamespace(parts=(), scalars=(), start=lambda _system: (q, v))
    curves = SystemCurves(spec, system, {})
    assert "work of preload" in [key.quantity for key in curves.offered.keys]
    states = curves.states(
        State(0.0, q, v, np.zeros(system.n), np.zeros(system.n_constraints), None),
        system.initial_history(),
        [],
        [],
        0.0,
    )
    found = {key.quantity: value for key, value in curves.offered.values(*states).items()}
    # Springs that give way to a constant force store half of its work.
    assert found["elastic energy"] == pytest.approx(0.5 * load @ rest) and found["elastic energy"] > 0.0
    assert found["work of preload"] == pytest.approx(load @ rest)
    assert found["total energy"] == pytest.approx(-0.5 * load @ rest)
    free = MultibodySystem([Ground((), "ground"), FlexiblePart("rod", body)], (), (), (0.0, 0.0, 0.0))
    assert "work of preload" not in [key.quantity for key in SystemCurves(spec, free, {}).offered.keys]


def test_changes_of_the_mass_are_its_derivatives(part, rng):
    q, _, a = _state(part, rng, off_sphere=True)
    change = _differences(lambda x: part.mass(x) @ a, q, part.scales)
    _assert_blocks(part.mass_change(q, a), change, part.scales, 1e-7)


def test_mass_is_symmetric_and_positive(part, rng):
    # Terms of second order keep it positive while strains are small.
    q, _, _ = _state(part, rng, size=0.01 if part.name in STIFFENED else 0.3)
    mass = part.mass(q) / (part.scales[:, None] * part.scales)
    np.testing.assert_allclose(mass, mass.T, atol=1e-15 * mass.max())
    assert np.linalg.eigvalsh(mass).min() > 1e-6 * np.linalg.eigvalsh(mass).max() / part.n**2


def test_velocity_forces_are_those_of_lagrange(part, rng):
    """Q_v = −Ṁ v + ∂T/∂q (thesis eq. 2.40), here with the derivatives by differences of M alone."""
    q, v, _ = _state(part, rng, off_sphere=True)
    changes = _differences(lambda x: part.mass(x) @ v, q, part.scales)
    gradient = 0.5 * changes.T @ v  # ∂(v · M v / 2)/∂q at constant v
    wanted = (-changes @ v + gradient) / part.scales
    found = part.inertia.forces(q, v, np.zeros(3)) / part.scales
    np.testing.assert_allclose(found, wanted, atol=2e-8 * abs(wanted).max())


def _full_velocities(part, body, model, q, v):
    """Return (n_nodes, 3) velocities of the nodes in the inertial frame, from the nodal displacements alone."""
    axes, rates = rotation_matrix(q[3:7]), body_rates(q[3:7])
    places = model.nodes - part.origin + (body.displacements @ q[7:]).reshape(-1, 3)
    flow = (body.displacements @ v[7:]).reshape(-1, 3)
    return v[:3] + (np.cross(rates @ v[3:7], places) + flow) @ axes.T


def test_energy_and_momentum_of_a_solid_are_those_of_its_finite_elements(parts, bodies, rng):
    for name in ("solid", "elsewhere", "principal axes"):
        part, (body, model, matrices) = parts[name], bodies[name]
        q, v, _ = _state(part, rng)
        nodal = _full_velocities(part, body, model, q, v)
        forces = (matrices.mass @ nodal.ravel()).reshape(-1, 3)
        kinetic, elastic, weight = part.energies(q, v, GRAVITY)
        assert kinetic == pytest.approx(0.5 * (nodal * forces).sum(), rel=1e-12)
        assert elastic == pytest.approx(0.5 * q[7:] @ body.stiffness @ q[7:])
        places = (model.nodes - part.origin + (body.displacements @ q[7:]).reshape(-1, 3)) @ rotation_matrix(
            q[3:7]
        ).T + q[:3]
        centre = (matrices.mass @ places.ravel()).reshape(-1, 3).sum(axis=0) / part.total_mass
        np.testing.assert_allclose(part.centre_of_mass(q), centre, rtol=1e-11)
        assert weight == pytest.approx(-part.total_mass * GRAVITY @ centre)
        linear, angular = part.momentum(q, v)
        np.testing.assert_allclose(linear, forces.sum(axis=0), rtol=1e-11)
        wanted = np.cross(places, forces).sum(axis=0)
        np.testing.assert_allclose(angular, wanted, atol=1e-11 * abs(wanted).max())


@pytest.mark.parametrize(("size", "tolerance"), [(0.0, 1e-12), (0.03, 3e-6), (0.3, 3e-4)])
def test_energy_with_couplings_is_that_of_all_nodes_up_to_second_order(parts, bodies, size, tolerance):
    """The nodes that a coupling moves turn with it; what that changes is of second order in the deformation."""
    loose = replace(stacked_plates(), couplings=())  # the same bricks, each node for itself
    free = assemble(loose, Silent())
    for name in ("plates", "clamped"):
        part, (body, model, _) = parts[name], bodies[name]
        q, v, _ = _state(part, np.random.default_rng(5), size=size)
        v[7:] *= size
        nodal = _full_velocities(part, body, model, q, v).ravel()
        bare = free.dofs.displacement_rows.T @ nodal
        kinetic = part.energies(q, v, GRAVITY)[0]
        assert kinetic == pytest.approx(0.5 * bare @ (free.mass @ bare), rel=tolerance)


def test_momentum_and_energy_change_as_the_forces_say(part, rng):
    """Without constraints: linear momentum by the weight, angular by its moment, energy by the damping."""
    q, v, _ = _state(part, rng)
    p = q[3:7]
    # M v̇ = Q with p · p̈ = −ṗ · ṗ: the multiplier of pᵀp = 1 is along p alone.
    mass = np.block([[part.mass(q), np.zeros((part.n, 1))], [np.zeros((1, part.n + 1))]])
    mass[3:7, -1] = mass[-1, 3:7] = p
    right = np.append(part.forces(q, v, GRAVITY), -v[3:7] @ v[3:7])
    a = np.linalg.solve(mass, right)[:-1]

    # Rates by the motion of q by differences, and by that of v exactly: momentum is linear in v.
    step = 1e-6 / np.abs(part.scales * v).max()

    def along(function):
        return (function(q + step * v) - function(q - step * v)) / (2 * step)

    weight = part.total_mass * GRAVITY
    moment = np.cross(part.centre_of_mass(q), weight)
    for k, wanted in enumerate((weight, moment)):
        moved, accelerated = along(lambda x, k=k: part.momentum(x, v)[k]), part.momentum(q, a)[k]
        np.testing.assert_allclose(
            moved + accelerated, wanted, atol=1e-6 * max(abs(accelerated).max(), abs(wanted).max())
        )
    flows = along(lambda x: np.array(part.energies(x, v, GRAVITY)))
    work = float(v @ part.mass(q) @ a)
    size = abs(work) + sum(abs(flows))
    assert work + sum(flows) == pytest.approx(-part.dissipation(v), abs=1e-6 * size)


def test_turning_everything_leaves_energies_as_they_are(part, rng):
    q, v, _ = _state(part, rng)
    turn = rotation_about(rng.normal(size=3))
    axes = rotation_matrix(turn)
    turned_q, turned_v = q.copy(), v.copy()
    turned_q[:3], turned_v[:3] = axes @ q[:3], axes @ v[:3]
    turned_q[3:7], turned_v[3:7] = quaternion_product(turn, q[3:7]), quaternion_product(turn, v[3:7])
    np.testing.assert_allclose(
        part.energies(turned_q, turned_v, axes @ GRAVITY), part.energies(q, v, GRAVITY), rtol=1e-11
    )
    for before, after in zip(part.momentum(q, v), part.momentum(turned_q, turned_v), strict=True):
        np.testing.assert_allclose(after, axes @ before, atol=1e-11 * abs(before).max())


def test_a_body_without_flexibility_is_rigid(bodies, rng):
    body, model, matrices = bodies["solid"]
    flexible = FlexiblePart(
        "none", without_flexibility(model, matrices, body.interface_nodes), origin=np.zeros(3)
    )
    rigid = RigidPart.of_body("rigid", body)
    q, v, a = _state(rigid, rng)
    for name, arguments in (
        ("mass", (q,)), ("mass_change", (q, a)), ("forces", (q, v, GRAVITY)),
        ("force_changes", (q, v, GRAVITY)), ("energies", (q, v, GRAVITY)), ("momentum", (q, v)),
    ):  # fmt: skip
        found, wanted = getattr(flexible, name)(*arguments), getattr(rigid, name)(*arguments)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9 * np.abs(wanted[0]).max())
    assert set(body.interfaces) <= set(rigid.marker_names())


def test_an_added_mass_moves_with_its_marker(parts, bodies, rng):
    part, lighter = parts["with a mass"], parts["clamped"]
    q, v, _ = _state(part, rng, size=0.0)
    node = lighter.marker("TIP").motion(q, v)
    spin = rotation_matrix(q[3:7]).T @ node.spin
    own = 0.5 * 2e-6 * node.velocity @ node.velocity + 0.5 * spin @ (np.array([1e-4, 2e-4, 3e-4]) * spin)
    with_it, without = (p.energies(q, v, GRAVITY)[0] for p in (part, lighter))
    assert with_it - without == pytest.approx(own, rel=1e-9)


# --- markers


def _all_markers(part):
    return [part.marker(name) for name in part.marker_names()]


def test_markers_move_as_their_derivatives_say(part, rng):
    q, v, _ = _state(part, rng, off_sphere=True)
    for marker in _all_markers(part):
        motion = marker.motion(q, v)
        np.testing.assert_allclose(motion.axes.T @ motion.axes, np.eye(3), atol=1e-13)
        _close(
            motion.d_position, _differences(lambda x, m=marker: m.motion(x).position, q, part.scales), part
        )
        for k in range(3):
            axis = motion.axes[:, k]
            turning = np.cross(motion.d_rotation, axis, axisa=0, axisc=0)  # δa = δπ × a
            _close(
                turning, _differences(lambda x, m=marker, k=k: m.motion(x).axes[:, k], q, part.scales), part
            )
        np.testing.assert_allclose(motion.velocity, motion.d_position @ v)
        np.testing.assert_allclose(motion.spin, motion.d_rotation @ v)


def test_curvature_is_the_change_of_the_generalised_force(part, rng):
    q, _, _ = _state(part, rng, off_sphere=True)
    force, moment = 10 * rng.normal(size=3), 100 * rng.normal(size=3)

    def generalised(x, marker):
        motion = marker.motion(x)
        return motion.d_position.T @ force + motion.d_rotation.T @ moment

    for marker in _all_markers(part):
        change = _differences(lambda x, m=marker: generalised(x, m), q, part.scales)
        found = marker.curvature(q, force, moment)
        unit = part.scales[:, None] * part.scales
        assert abs((found - change) / unit).max() <= 1e-8 * (abs(change / unit).max() + 1e-3)


def _close(found, wanted, part):
    difference = abs((found - wanted) / part.scales)
    assert difference.max() <= 1e-7 * max(abs(wanted / part.scales).max(), 1e-6)


def test_markers_are_where_the_nodes_are(parts, bodies, rng):
    part, (body, model, _) = parts["clamped"], bodies["clamped"]
    q, _, _ = _state(part, rng)
    axes = rotation_matrix(q[3:7])
    for name, row in body.interface_nodes.items():
        displacement = (body.displacements @ q[7:]).reshape(-1, 3)[row]
        wanted = q[:3] + axes @ (model.nodes[row] - part.origin + displacement)
        np.testing.assert_allclose(part.marker(name).motion(q).position, wanted, atol=1e-11)
    held = part.marker("HOLD").motion(q)
    np.testing.assert_allclose(held.position, q[:3], atol=1e-12)
    np.testing.assert_allclose(held.axes, axes, atol=1e-14)


def test_ground_stands_still():
    ground = Ground([GroundMarker("wall", np.array([1.0, 2.0, 3.0]), TURNED)])
    motion = ground.marker("wall").motion(np.zeros(0), np.zeros(0))
    np.testing.assert_array_equal(motion.position, [1.0, 2.0, 3.0])
    assert motion.d_position.shape == motion.d_rotation.shape == (3, 0)
    assert ground.n == 0 and ground.marker_names() == ("origin", "wall")
    with pytest.raises(ModelError, match=r"no marker called 'door'.*origin, wall"):
        ground.marker("door")


# --- damping


def vibrations(body, damping):
    """Return eigenvalues (r,) with positive imaginary part of M q'' + D q' + K q = 0, by their size."""
    r = body.n_coordinates
    inverse = np.linalg.inv(body.mass)
    values = np.linalg.eigvals(
        np.block([[np.zeros((r, r)), np.eye(r)], [-inverse @ body.stiffness, -inverse @ damping]])
    )
    values = values[values.imag > 0]
    return values[np.argsort(np.abs(values))]


def test_modal_damping_has_the_ratios_it_was_given(bodies):
    for name in ("solid", "clamped"):
        body = bodies[name][0]
        ratios = np.linspace(0.01, 0.2, body.n_coordinates - 2)
        matrix = modal_damping(body, ratios, rest=0.5)
        np.testing.assert_allclose(matrix, matrix.T, atol=1e-12 * abs(matrix).max())
        values = vibrations(body, matrix)
        np.testing.assert_allclose(
            -values.real / np.abs(values), np.concatenate([ratios, [0.5, 0.5]]), rtol=1e-4
        )


def test_fast_modes_swing_with_one_damped_period(bodies):
    """Closed form: the imaginary part of an eigenvalue is the damped angular frequency."""
    body = bodies["clamped"][0]
    frequencies, _ = ritz_modes(body.stiffness, body.mass)
    above = 0.5 * (frequencies[1] + frequencies[2])
    slowest = 0.5 * (frequencies[4] + frequencies[5])
    values = vibrations(body, period_damping(body, 1.0 / slowest, above, 0.05))
    np.testing.assert_allclose(values.imag[5:], 2.0 * np.pi * slowest, rtol=1e-4)
    np.testing.assert_allclose(-values.real[2:5] / np.abs(values[2:5]), 0.05, rtol=1e-4)
    np.testing.assert_allclose(-values.real[:2] / np.abs(values[:2]), 0.0, atol=1e-7)


def test_a_flexible_part_can_be_damped_by_the_period(bodies):
    body = bodies["clamped"][0]
    frequencies, _ = ritz_modes(body.stiffness, body.mass)
    period, above = 1.0 / frequencies[4], frequencies[2]
    spec = {
        "name": "bar", "body": "bar", "damped_period": period, "damped_above": above, "transition_damping": 0.1,
    }  # fmt: skip
    part = build(FlexiblePartSpec, spec).build({"bar": FlexibleBody("bar", body)})
    q = np.concatenate([np.zeros(3), [1.0], np.zeros(3 + body.n_coordinates)])
    v = np.concatenate([np.zeros(7), np.linspace(-1.0, 1.0, body.n_coordinates)])
    plain = build(FlexiblePartSpec, {"name": "bar", "body": "bar"}).build({"bar": FlexibleBody("bar", body)})
    slowed = (part.forces(q, v, np.zeros(3)) - plain.forces(q, v, np.zeros(3)))[7:]
    np.testing.assert_allclose(slowed, -period_damping(body, period, above, 0.1) @ v[7:])


def test_bands_give_each_mode_the_ratio_of_its_frequency(bodies):
    body = bodies["clamped"][0]
    frequencies, _ = ritz_modes(body.stiffness, body.mass)
    low, high = 0.5 * (frequencies[1] + frequencies[2]), 0.5 * (frequencies[4] + frequencies[5])
    bands = [DampingBand(high, 0.02), DampingBand(low, 0.05)]
    wanted = np.full(len(frequencies), 0.1)
    wanted[:5], wanted[:2] = 0.02, 0.05
    np.testing.assert_allclose(banded_damping(body, bands, rest=0.1), modal_damping(body, wanted))


def test_a_negative_damping_ratio_is_refused(bodies):
    with pytest.raises(ModelError, match=r"damping ratio of -0\.1 would feed energy"):
        modal_damping(bodies["solid"][0], [0.1, -0.1])


# --- what cannot be


@pytest.mark.parametrize(
    ("mass", "inertia", "words"),
    [
        (0.0, np.eye(3), "has a mass of 0"),
        (float("nan"), np.eye(3), "has a mass of nan"),
        (1.0, np.diag([1.0, 1.0, 0.0]), "no positive moment of inertia"),
        (1.0, np.diag([1.0, 1.0, 3.0]), "No body has the moments of inertia"),
        (1.0, np.array([[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]), "not a symmetric 3 × 3 tensor"),
    ],
)
def test_bodies_that_cannot_be_are_refused(mass, inertia, words):
    with pytest.raises(ModelError, match=words) as error:
        RigidPart("crank", mass, inertia)
    assert "'crank'" in str(error.value) and error.value.hint


def test_unknown_markers_and_interfaces_are_named(parts, bodies):
    with pytest.raises(ModelError, match=r"'rigid' has no marker called 'x'.*frame, centre of mass, pin"):
        parts["rigid"].marker("x")
    wanted = InterfaceMarker("hinge", "BOLT", np.eye(3))
    with pytest.raises(ModelError, match=r"'hinge'.*'BOLT'.*HOLD, TIP"):
        FlexiblePart("bar", bodies["plates"][0], markers=[wanted])
    with pytest.raises(ModelError, match="no interface node called 'BOLT'"):
        bodies["plates"][0].with_mass_at("BOLT", 1.0)
    with pytest.raises(ModelError, match="has no rotations"):
        bodies["solid"][0].with_mass_at("node 1", 1.0, np.eye(3))
