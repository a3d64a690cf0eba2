"""Modes of a system. Kinds of reference: closed forms of masses, pendulums and bushings; a body's own modes; Exudyn."""

from contextlib import closing

import numpy as np
import pytest
import scipy.linalg as la

import faying
from faying.analyses import SystemModel, analyses
from faying.analyses.harmonics.linearized_body import stiffness_with
from faying.errors import ModelError
from faying.joints.interface import JointForce
from faying.joints.linearized import pair_springs
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from support.systems import BAR, DOWN_Y, jointed_plates_model, system_of

G = 9.81


def modes(spec, path, bodies=None, start=None, **words):
    """Return the opened results of modes about a state."""
    analysis = build(analyses["system_modes"], {"name": "modes", "system": spec.name, **words})
    file = path / f"modes {len(list(path.iterdir()))}.h5"
    analysis.run(SystemModel(spec, bodies or {}, start), file, Silent())
    return Results(file)


def two_masses(k=(800.0, 300.0), c=(5.0, 12.0)):
    """Two masses of 2 and 1 on rails along x, with springs and dampers from ground to the first, and to the second."""
    along_x = (0.0, np.pi / 2, 0.0)
    parts = [
        {"kind": "rigid", "name": name, "mass": mass, "moments_of_inertia": (1.0, 1.0, 1.0),
         "markers": [{"name": "rail", "rotation": along_x}], "placement": {"position": (x, 0.0, 0.0)}}
        for name, mass, x in (("one", 2.0, 1.0), ("two", 1.0, 2.0))
    ]  # fmt: skip
    rails = [
        {"kind": "translational", "name": f"rail {name}", "first": "ground.rail", "second": f"{name}.rail"}
        for name in ("one", "two")
    ]
    springs = [
        {"kind": "spring_damper", "name": name, "first": first, "second": second, "stiffness": stiffness,
         "damping": damping, "free_length": 1.0}
        for name, first, second, stiffness, damping in (
            ("first", "ground.rail", "one.rail", k[0], c[0]), ("second", "one.rail", "two.rail", k[1], c[1])
        )
    ]  # fmt: skip
    ground = [{"name": "rail", "rotation": along_x}]
    return system_of(ground=ground, parts=parts, constraints=rails, forces=springs)


def test_two_damped_masses_are_those_of_the_closed_form(tmp_path):
    """λ² M + λ D + K = 0, with energies and damping by spring, damper and mass from its vectors."""
    M, split = np.diag([2.0, 1.0]), np.array([[1.0, 0.0], [-1.0, 1.0]])
    K, D = split.T @ np.diag([800.0, 300.0]) @ split, split.T @ np.diag([5.0, 12.0]) @ split
    first = np.block([[np.zeros((2, 2)), np.eye(2)], [-la.solve(M, K), -la.solve(M, D)]])
    values, vectors = la.eig(first)
    chosen = [k for k in np.argsort(np.abs(values)) if values[k].imag > 0]
    found = modes(two_masses(), tmp_path)
    assert found.axis.kind == "mode" and found.n_frames == 2
    for mode, k in enumerate(chosen):
        x, size = vectors[:2, k], abs(values[k])
        whole = (x.conj() @ M @ x).real
        assert found.values[mode] == pytest.approx(size / (2 * np.pi), rel=1e-8)
        assert found.curve("damped frequency")[mode] == pytest.approx(values[k].imag / (2 * np.pi), rel=1e-8)
        assert found.curve("damping ratio")[mode] == pytest.approx(-values[k].real / size, rel=1e-7)
        stretched = np.abs(split @ x) ** 2
        for name, i in (("one", 0), ("two", 1)):
            wanted = M[i, i] * abs(x[i]) ** 2 / whole
            assert found.curve(f"{name} kinetic energy")[mode] == pytest.approx(wanted, rel=1e-7)
        for name, i in (("first", 0), ("second", 1)):
            stored = (800.0, 300.0)[i] * stretched[i] / (size**2 * whole)
            damped = (5.0, 12.0)[i] * stretched[i] / (2.0 * size * whole)
            assert found.curve(f"{name} potential energy")[mode] == pytest.approx(stored, rel=1e-7)
            assert found.curve(f"{name} damping ratio")[mode] == pytest.approx(damped, rel=1e-6)
    # The parts move with a phase between them: each mode is stored at an instant, and a quarter of a period later.
    later = found.part("two").swing(0)[1]
    assert 1e-3 < np.abs(later).max() < 0.5


def double_pendulum():
    """Two bars of mass and length one, that hang on each other."""
    bars = [
        {**BAR, "name": name, "placement": {"position": (0.0, y, 0.0), "rotation": (0, 0, -np.pi / 2)}}
        for name, y in (("upper", -0.5), ("lower", -1.5))
    ]
    axles = [
        {"kind": "revolute", "name": "axle", "first": "ground.pivot", "second": "upper.left"},
        {"kind": "revolute", "name": "knee", "first": "upper.right", "second": "lower.left"},
    ]
    return system_of(ground=[{"name": "pivot"}], parts=bars, constraints=axles, gravity=DOWN_Y)


def test_a_double_pendulum_is_that_of_the_closed_form(tmp_path):
    """M = m l² (4/3, 1/2; 1/2, 1/3) and K = m g l (3/2, 1/2) over the bars' angles."""
    found = modes(double_pendulum(), tmp_path)
    M = np.array([[4 / 3, 1 / 2], [1 / 2, 1 / 3]])
    squares, angles = la.eigh(G * np.diag([1.5, 0.5]), M)
    np.testing.assert_allclose(2 * np.pi * found.values, np.sqrt(squares), rtol=1e-7)
    assert found.curve("damping ratio") == pytest.approx(0.0, abs=1e-9)
    assert found.curve("potential energy of weight and reactions") == pytest.approx(1.0, rel=1e-6)
    for mode in range(2):
        turned = [found.part(name).swing(mode)[0][5] for name in ("upper", "lower")]
        assert turned[1] / turned[0] == pytest.approx(angles[1, mode] / angles[0, mode], rel=1e-6)
    assert found.report["motions_without_resistance"] == 0


def test_a_block_on_bushings_is_that_of_the_closed_form(tmp_path):
    """M of a block, and K = Σ Jᵀ diag(k) J of four bushings at its corners, for its six motions."""
    mass, inertia = 3.0, np.array([0.2, 0.35, 0.5])
    corners = [(x, y, -0.1) for x in (-0.3, 0.3) for y in (-0.2, 0.25)]
    stiffness, damping = np.array([900.0, 700.0, 1500.0]), 2e-4
    parts = [{"kind": "rigid", "name": "block", "mass": mass, "moments_of_inertia": tuple(inertia),
              "markers": [{"name": f"foot {i}", "position": at} for i, at in enumerate(corners)]}]  # fmt: skip
    forces = [
        {"kind": "bushing", "name": f"mount {i}", "first": f"ground.bed {i}", "second": f"block.foot {i}",
         "stiffness": tuple(stiffness), "damping": tuple(damping * stiffness)}
        for i in range(4)
    ]  # fmt: skip
    ground = [{"name": f"bed {i}", "position": at} for i, at in enumerate(corners)]
    found = modes(system_of(ground=ground, parts=parts, forces=forces), tmp_path)
    M, K = np.diag([mass] * 3 + list(inertia)), np.zeros((6, 6))
    for x, y, z in corners:
        rows = np.hstack([np.eye(3), np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])])
        K += rows.T @ np.diag(stiffness) @ rows
    omega = np.sqrt(la.eigh(K, M, eigvals_only=True))
    np.testing.assert_allclose(2 * np.pi * found.values, omega, rtol=1e-7)
    # Damping in proportion to the stiffness: ζ = β ω/2, of which each bushing has its share of the energy.
    np.testing.assert_allclose(found.curve("damping ratio"), 0.5 * damping * omega, rtol=1e-6)
    shares = [found.curve(f"mount {i} potential energy") for i in range(4)]
    of_damping = [found.curve(f"mount {i} damping ratio") for i in range(4)]
    np.testing.assert_allclose(sum(shares), 1.0, rtol=1e-6)
    np.testing.assert_allclose(of_damping, 0.5 * damping * omega * np.array(shares), rtol=1e-5)


def held_plates(**more):
    """The plates on their node HOLD, a frame of their own that follows it, and a spring that closes their joint."""
    return system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD", **more}],
        constraints=[{"kind": "fixed", "name": "clamp", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -20.0)}],
    )  # fmt: skip


@pytest.mark.parametrize("sticking", ["stuck", "sliding", "open", "tangent"])
def test_a_flexible_part_vibrates_as_its_body_does(tmp_path, sticking):
    """Theorem: a body fixed to the ground in a system has its own modes, with the same springs in its joint."""
    plates = jointed_plates_model()
    spec = held_plates()
    found = modes(spec, tmp_path, {"plates": plates}, sticking=sticking, count=8)
    held = plates.reduced.clamped_to("HOLD")
    joint = plates.joints[0]
    force = JointForce(held.joints[0], joint.contact_law, joint.friction_law)
    motion = build(analyses["motion"], {"name": "m", "system": spec.name, "from_equilibrium": True})
    _, _, at = motion.assembled(SystemModel(spec, {"plates": plates}), Silent())
    q, history = at.q[7:], at.history.joints[0]
    answer = force.evaluate(q, history, 0.0, jacobian=True)
    assert np.count_nonzero(answer.closed.touching) > 0
    if sticking == "tangent":
        stiffness = held.stiffness - answer.jacobian
    else:
        springs = pair_springs(joint.contact_law, joint.friction_law, answer, joint.weights, sticking)
        stiffness = stiffness_with(held, [springs])
    squares = np.sort(la.eigvals(stiffness, held.mass).real)
    np.testing.assert_allclose(2 * np.pi * found.values, np.sqrt(squares[:8]), rtol=1e-6)
    of_joint = found.curve("plates: joint potential energy")
    assert (of_joint == 0.0).all() if sticking == "open" else (of_joint > 0.0).all()
    whole = of_joint + found.curve("plates potential energy")
    np.testing.assert_allclose(whole, 1.0, atol=1e-4)


def test_damping_of_a_flexible_part_is_its_own(tmp_path):
    """Modal damping of a held body: ζ of each mode as given, all of it the part's."""
    plates = jointed_plates_model()
    spec = held_plates(joint_contact=False, modal_damping=(0.01, 0.02, 0.03))
    found = modes(spec.with_(forces=()), tmp_path, {"plates": plates}, count=3)
    np.testing.assert_allclose(found.curve("damping ratio"), [0.01, 0.02, 0.03], rtol=1e-4)
    np.testing.assert_allclose(found.curve("plates damping ratio"), [0.01, 0.02, 0.03], rtol=1e-4)


def test_modes_about_frames_of_motions(tmp_path):
    """ω² = g/l cos φ of a pendulum held at an angle by its drive's spring; a quasi-static path has no velocities."""
    bar = {**BAR, "name": "bar", "placement": {"position": (0.0, -0.5, 0.0), "rotation": (0, 0, -np.pi / 2)}}
    axle = {"kind": "revolute", "name": "axle", "first": "ground.pivot", "second": "bar.left"}
    pull = {"kind": "point_force", "name": "pull", "marker": "bar.right", "force": (5.0, 0.0, 0.0),
            "time_history": {"kind": "haversine", "rise_time": 1.0}}  # fmt: skip
    spec = system_of(
        ground=[{"name": "pivot"}], parts=[bar], constraints=[axle], forces=[pull], gravity=DOWN_Y
    )
    path = build(
        analyses["quasi_static"], {"name": "slow", "system": spec.name, "duration": 1.0, "frames": 4}
    )
    path.run(SystemModel(spec, {}), tmp_path / "slow.h5", Silent())
    with closing(Results(tmp_path / "slow.h5")) as start:
        for frame in (0, 2, 4):
            found = modes(spec, tmp_path, start=start, start_from="slow", start_frame=frame)
            # Σ moments about the pivot: J ω² = (m g/2) cos φ + F sin φ with tan φ = 2 F/(m g).
            load = 5.0 * frame / 4.0
            angle = np.arctan2(load, 0.5 * G)
            wanted = np.sqrt(3.0 * (0.5 * G * np.cos(angle) + load * np.sin(angle)))
            assert 2 * np.pi * found.values[0] == pytest.approx(wanted, rel=1e-6)
            assert found.report["time"] == pytest.approx(frame / 4.0)


def test_motions_that_do_not_vibrate_are_counted(tmp_path):
    """A mass without a spring, an overdamped one, and an inverted pendulum: nothing of them is a mode."""
    found = modes(two_masses(k=(800.0, 300.0), c=(5.0, 400.0)), tmp_path)
    assert found.n_frames == 1 and found.report["motions_that_creep_back"] == 2
    free = modes(two_masses(k=(0.0, 300.0), c=(0.0, 0.0)), tmp_path)
    assert free.n_frames == 1 and free.report["motions_without_resistance"] == 1
    assert 2 * np.pi * free.values[0] == pytest.approx(np.sqrt(300.0 * 1.5), rel=1e-7)
    with pytest.raises(ModelError, match="Nothing in the system vibrates"):
        modes(two_masses(k=(0.0, 0.0), c=(0.0, 0.0)), tmp_path)


STUDY = """units = "m-kg-s"
[[systems]]
name = "pendulum"
gravity = [0.0, -9.81, 0.0]
ground = [{ name = "pivot" }]
[[systems.parts]]
kind = "rigid"
name = "bar"
mass = 1.0
moments_of_inertia = [0.001, 0.0833333333333, 0.0833333333333]
placement = { position = [0.0, -0.5, 0.0], rotation = [0.0, 0.0, -1.5707963267949] }
markers = [{ name = "left", position = [-0.5, 0.0, 0.0] }]
[[systems.constraints]]
kind = "revolute"
name = "axle"
first = "ground.pivot"
second = "bar.left"
[[analyses]]
kind = "system_modes"
name = "modes"
system = "pendulum"
"""


def test_a_study_file_has_tables_of_modes(tmp_path):
    (tmp_path / "pendulum.toml").write_text(STUDY)
    solution = faying.read(tmp_path / "pendulum.toml").move("modes")
    table = solution.table("modes")
    assert table["Frequency [Hz]"] == pytest.approx([np.sqrt(1.5 * G) / (2 * np.pi)], rel=1e-6)
    shares = solution.table("mode shares")
    assert shares["bar kinetic energy"] == pytest.approx([1.0])


@pytest.mark.needs("exudyn")
def test_two_blocks_on_bushings_are_those_of_exudyn(tmp_path):
    """Another code: complex eigenvalues of two rigid bodies between springs and dampers off their centres."""
    exudyn = pytest.importorskip("exudyn")
    import exudyn.utilities as eu

    mass, inertia = 2.0, np.array([0.2, 0.35, 0.5])
    push, turn = np.array([900.0, 700.0, 1500.0]), np.array([30.0, 20.0, 40.0])
    joints = [
        ("ground", (0.1, 0.0, 0.2), "one"),
        ("one", (1.1, 0.3, 0.1), "two"),
        ("two", (2.2, 0.1, -0.2), "ground"),
    ]
    damping = (0.004, 0.001, 0.002)  # of the stiffness, of each joint
    centres = {"ground": np.zeros(3), "one": np.array([0.5, 0.0, 0.0]), "two": np.array([1.5, 0.2, 0.0])}

    mbs = exudyn.SystemContainer().AddSystem()
    bodies = {"ground": mbs.AddObject(eu.ObjectGround())}
    for name in ("one", "two"):
        bodies[name] = mbs.CreateRigidBody(
            inertia=eu.RigidBodyInertia(mass=mass, inertiaTensor=np.diag(inertia)),
            referencePosition=centres[name].tolist(), nodeType=exudyn.NodeType.RotationRxyz,
        )  # fmt: skip
    for (first, at, second), share in zip(joints, damping, strict=True):
        markers = [
            mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=bodies[n], localPosition=(at - centres[n]).tolist()))
            for n in (first, second)
        ]
        stiffness = np.diag([*push, *turn])
        mbs.AddObject(
            eu.ObjectConnectorRigidBodySpringDamper(
                markerNumbers=markers, stiffness=stiffness, damping=share * stiffness
            )
        )
    mbs.Assemble()
    values, _ = mbs.ComputeODE2Eigenvalues(computeComplexEigenvalues=True, useAbsoluteValues=False)
    wanted = np.array([value for value in values if value.imag > 0.0])
    wanted = wanted[np.argsort(np.abs(wanted))]

    places = {name: [] for name in centres}
    forces = []
    for i, ((first, at, second), share) in enumerate(zip(joints, damping, strict=True)):
        for name in (first, second):
            places[name].append({"name": f"at {i}", "position": tuple(np.array(at) - centres[name])})
        forces.append(
            {"kind": "bushing", "name": f"mount {i}", "first": f"{first}.at {i}", "second": f"{second}.at {i}",
             "stiffness": tuple(push), "torsional_stiffness": tuple(turn), "damping": tuple(share * push),
             "torsional_damping": tuple(share * turn)}
        )  # fmt: skip
    parts = [
        {"kind": "rigid", "name": name, "mass": mass, "moments_of_inertia": tuple(inertia), "markers": places[name],
         "placement": {"position": tuple(centres[name])}}
        for name in ("one", "two")
    ]  # fmt: skip
    found = modes(system_of(ground=places["ground"], parts=parts, forces=forces), tmp_path, count=12)
    np.testing.assert_allclose(2 * np.pi * found.values, np.abs(wanted), rtol=1e-5)
    np.testing.assert_allclose(found.curve("damping ratio"), -wanted.real / np.abs(wanted), rtol=1e-4)
