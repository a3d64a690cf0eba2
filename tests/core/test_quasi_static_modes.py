"""Quasi-static modal analysis: the Jenkins oscillator's closed forms, limits of two squeezed plates, and energy."""

import numpy as np
import pytest

from faying.analyses.harmonics.modal_loops import depends_on_rate
from faying.analyses.quasi_static_modes import QuasiStaticModes
from faying.analyses.statics.reduced_structure import ReducedStructure
from faying.errors import FayingError
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.joints.interface import JointForce
from faying.joints.kinematics import ProjectedRows
from faying.params import build
from faying.progress import Silent
from faying.project.bodies import body_model
from faying.results.curves import axis_curve, curve_plot, first_curves, stored_curve
from faying.results.run_tables import backbone_table
from faying.solvers.displacement_controlled_body import DisplacementControlledBody
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.hard_contact import HardContactSolution
from faying.solvers.load_steps import resting_state
from faying.solvers.modal_loop import ModalPath, backbone_of, masing_dissipation
from support.squeezed_plates import SqueezedPlates

SPRING, LIMIT = 0.3, 0.2  # of the slider; its own spring, and the mass, are one
QUASI = {
    "kind": "quasi_static_modes", "support": "hold", "preloads": ["squeeze"], "points": 6,
    "smallest_amplitude": 1e-3, "largest_amplitude": 1.0,
}  # fmt: skip


def equilibrium(
    stiffness, load, joints, start, progress, *, histories, depths=None, constraints, tangent, values
):
    x, answers, report = solve_equilibrium(
        stiffness,
        load,
        joints,
        histories,
        start,
        progress,
        constraints=constraints,
        tangent=tangent,
        values=values,
    )
    return HardContactSolution(x, answers, [], [], report, 1)


def jenkins(coefficient=1.0):
    """Return a mass on a spring that rubs on the ground by a slider, and another that is at rest; and their state."""
    rows = ProjectedRows(np.zeros((1, 2)), np.array([[[1.0, 0.0], [0.0, 0.0]]]), np.ones(1), -np.ones(1))
    law = build(friction_laws["coulomb"], {"sticking_stiffness": SPRING, "sliding_stiffness": 0.0})
    contact = build(contact_laws["linear_penalty"], {"stiffness": 1.0})
    joint = JointForce(rows, contact, law, limits=np.array([coefficient * LIMIT]))
    body = DisplacementControlledBody(np.eye(2), [joint], np.zeros((0, 2)))
    path = ModalPath(body, np.eye(2)[0], np.eye(2)[0], np.zeros(2), equilibrium)
    return path, resting_state([joint], np.zeros(2))


def loop_of(amplitude, count=60, coefficient=1.0):
    path, rest = jenkins(coefficient)
    loading = path.follow(rest, None, amplitude * np.linspace(0.0, 1.0, count + 1)[1:], Silent())
    loop = path.loop(rest, loading[-1], count, Silent())
    motions, loads = np.array([[s.motion, s.load] for s in loading]).T
    return loop, backbone_of(loads[-1], amplitude, masing_dissipation(motions, loads)[-1]), loop.backbone


@pytest.mark.parametrize(
    ("amplitude", "frequency", "damping"),
    [(1.0, 1.0954451, 0.0353678), (2.0, np.sqrt(1.1), 4 * 0.2 * (2 - 2 / 3) / (2 * np.pi * 1.1 * 4))],
)
def test_the_jenkins_oscillator(amplitude, frequency, damping):
    """ω² = 1 + F/a and D = 4 F (a − F/k): full loop and Masing alike, with an error of 1/n²."""
    loop, masing, full = loop_of(amplitude)
    assert loop.cycles == 1 and loop.closure < 1e-12
    for found, accuracy in ((masing, 3e-3), (full, 1e-3)):
        assert 2.0 * np.pi * found.frequency == pytest.approx(frequency, rel=1e-7)
        assert found.damping == pytest.approx(damping, rel=accuracy)
    assert loop_of(amplitude, 240)[2].damping == pytest.approx(damping, rel=1e-4)


def test_a_slider_that_sticks_is_a_spring_without_damping():
    _, masing, full = loop_of(0.6)  # below F/k = 2/3
    for found in (masing, full):
        assert (2.0 * np.pi * found.frequency) ** 2 == pytest.approx(1.3, rel=1e-9)
        assert found.damping == 0.0


def test_without_friction_nothing_is_dissipated():
    _, masing, full = loop_of(1.0, coefficient=0.0)
    assert full.dissipated == masing.dissipated == 0.0
    assert (2.0 * np.pi * full.frequency) ** 2 == pytest.approx(1.0, rel=1e-9)


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    return SqueezedPlates(tmp_path_factory.mktemp("plates"))


def test_frequency_falls_from_stuck_to_sliding_and_damping_has_a_peak(plates):
    found = plates.solved(QUASI)
    first = {
        sticking: plates.solved(
            {**{k: QUASI[k] for k in ("support", "preloads")}, "kind": "modes", "sticking": sticking}
        ).results.values[0]
        for sticking in ("stuck", "sliding")
    }
    frequency, damping = found.curve("natural frequency"), found.curve("damping by friction")
    assert frequency[0] == pytest.approx(first["stuck"], rel=1e-6)  # all stuck: linear
    assert damping[0] == pytest.approx(0.0, abs=1e-9)
    assert (np.diff(frequency) < 1e-6 * frequency[0]).all()
    assert first["sliding"] < frequency[-1] < 1.02 * first["sliding"]
    assert 0.15 < damping.max() < 0.25 and 0 < damping.argmax() < len(damping) - 1
    # The plates press evenly: Masing's rules hold.
    np.testing.assert_allclose(found.curve("natural frequency by Masing"), frequency, rtol=2e-3)
    np.testing.assert_allclose(found.curve("damping by friction by Masing"), damping, rtol=0.02, atol=1e-3)
    assert found.results.report["largest_loop_closure"] < 1e-3
    # Frequency and damping are what is drawn first, over the logarithm of the amplitude.
    assert first_curves(found.results) == {"natural frequency", "damping by friction"}
    drawn = [stored_curve(found.results, name) for name in sorted(first_curves(found.results))]
    plot = curve_plot("backbone", axis_curve(found.results), tuple(drawn), "mm-t-s")
    assert plot.x.logarithmic and plot.x.unit == "mm" and plot.right is not None
    # From some amplitude on all pairs slip, at which the frequency is nearly that of sliding plates.
    whole = found.results.report["slides_as_a_whole"]["lap"]
    slips, closed = (found.curve(f"lap {what} share") for what in ("slipping", "closed"))
    at = found.results.values >= whole
    assert at.any() and not at.all() and (slips[at] >= 0.999 * closed[at]).all() and slips[~at].max() < 0.999
    # The range of amplitudes is that of the point, but for the change of shape.
    np.testing.assert_allclose(found.results.values, np.geomspace(1e-3, 1.0, 6), rtol=0.1)
    assert found.results.report["amplitude_of"].endswith(" z")


def test_without_friction_there_is_no_damping_and_the_frequency_stays(plates):
    found = plates.solved({**QUASI, "friction": False, "points": 3})
    np.testing.assert_allclose(found.curve("damping by friction"), 0.0, atol=1e-6)
    np.testing.assert_allclose(
        found.curve("natural frequency"), found.curve("natural frequency")[0], rtol=1e-5
    )


def test_what_is_dissipated_is_the_work_of_the_friction_stresses(plates):
    """The area of the loop, from the load along the mode, is that of stress over slip summed over the pairs."""
    plates.solved(QUASI)
    session = plates.session
    body = body_model(
        session.project.bodies[0], session.reduce(), session.read_model(), {"lap": session.find_pairs("lap")}
    )
    words = {name: value for name, value in QUASI.items() if name != "kind"}
    settings = build(QuasiStaticModes, {**words, "name": "run", "body": "plates"})
    structure = ReducedStructure(settings, body)
    rest = settings._rest(structure, Silent())
    mode = settings.stuck_mode(structure, rest, Silent())
    path = ModalPath(structure.equations, mode.column, mode.shape, structure.base, settings.equilibrium)
    loading = path.follow(rest, None, np.linspace(0.0, 1e-4, 9)[1:], Silent())
    loop = path.loop(rest, loading[-1], 24, Silent())
    (joint,) = structure.equations.joints
    states = [loading[-1], *loop.states]
    slips = np.array([joint.total_slip(state.coordinates) for state in states])
    stresses = np.array([state.solved.solution.responses[0].stress for state in states])
    work = np.einsum(
        "n,knj,knj->", joint.rows.weights, 0.5 * (stresses[1:] + stresses[:-1]), np.diff(slips, axis=0)
    )
    assert loop.backbone.dissipated == pytest.approx(work, rel=1e-6)
    assert work > 0.1


@pytest.mark.slow
def test_the_reduced_body_has_the_curve_of_the_fe_model(plates):
    """With joint modes to an accuracy: frequencies within 1 % and damping within 2 % over three decades.

    Where slip begins, the damping is small and as far off as the amplitude from which on the joint slips.
    """
    kept = plates.project
    body = kept.bodies[0].model_dump()
    body["joint_modes"] = {"kind": "error_controlled"}
    try:
        plates.project = build(type(kept), kept.model_dump() | {"bodies": [body]})
        few = {**QUASI, "points": 4, "loop": "masing", "load_steps": 2, "loop_steps": 12}
        reduced, full = (
            plates.solved({**few, "kind": kind}) for kind in (QUASI["kind"], f"unreduced_{QUASI['kind']}")
        )
    finally:
        plates.project = kept
    for name, accuracy in (("natural frequency", 0.01), ("damping by friction", 0.02)):
        np.testing.assert_allclose(
            reduced.curve(name), full.curve(name), rtol=accuracy, atol=2e-3 * (accuracy == 0.02)
        )
    np.testing.assert_allclose(reduced.results.values, full.results.values, rtol=0.02)
    assert full.curve("damping by friction").max() > 0.05


def test_a_free_body_has_the_curve_of_its_fe_model(tmp_path):
    """Amplitudes are those about its mean motion, though the FE model is held statically determinate."""
    body = SqueezedPlates(tmp_path)
    changed = body.project.model_dump()
    changed["bodies"][0]["joint_modes"] = {"kind": "error_controlled"}
    body.project = build(type(body.project), changed)
    words = {
        "preloads": ["squeeze"], "point": "tip", "direction": "z", "points": 3, "smallest_amplitude": 1e-3,
        "largest_amplitude": 0.02, "loop": "masing", "load_steps": 3, "loop_steps": 12,
    }  # fmt: skip
    reduced, full = (body.solved({**words, "kind": f"{of}quasi_static_modes"}) for of in ("", "unreduced_"))
    assert full.results.report["stuck_frequency"] == pytest.approx(
        reduced.results.report["stuck_frequency"], rel=1e-4
    )
    np.testing.assert_allclose(full.results.values, reduced.results.values, rtol=1e-3)
    moved = np.abs(np.diff(full.curve("tip uz")))  # nearly the differences of amplitudes
    np.testing.assert_allclose(moved, np.diff(full.results.values), rtol=2e-3)
    for name, near in (("natural frequency", 2e-4), ("damping by friction", 2e-3)):
        np.testing.assert_allclose(full.curve(name), reduced.curve(name), rtol=near)
    assert full.curve("damping by friction").min() > 0.05


def test_where_slip_begins_the_nonlinear_mode_is_the_same(plates):
    """Which knows inertia and harmonics: while little slips, its shape is that of the stuck mode."""
    few = {
        **{k: QUASI[k] for k in ("support", "preloads")},
        "smallest_amplitude": 3e-3,
        "largest_amplitude": 5.5e-3,
    }
    quasi = plates.solved({**few, "kind": "quasi_static_modes", "points": 6})
    periodic = plates.solved({**few, "kind": "nonlinear_mode", "points": 3, "harmonics": 3})
    expected, found = periodic.curve("natural frequency"), quasi.curve("natural frequency")
    assert found[0] == pytest.approx(expected[0], rel=1e-6)
    assert found[-1] < 0.99 * found[0]
    same = np.interp(np.log(periodic.results.values), np.log(quasi.results.values), found)
    np.testing.assert_allclose(same, expected, rtol=5e-3)
    damping = np.interp(
        np.log(periodic.results.values), np.log(quasi.results.values), quasi.curve("damping by friction")
    )
    np.testing.assert_allclose(damping, periodic.curve("damping ratio"), rtol=0.2, atol=1e-3)
    table = [column.title for column in backbone_table(periodic.results)]
    assert table[:3] == ["Amplitude", "Frequency", "Damping ratio"]


def test_a_named_point_in_a_direction(plates):
    found = plates.solved({**QUASI, "point": "tip", "direction": "z", "points": 3, "loop": "masing"})
    assert found.results.report["amplitude_of"] == "tip z"
    np.testing.assert_allclose(np.abs(found.curve("tip uz") - found.curve("tip uz")[0]).max(), 1.0, rtol=0.1)
    table = backbone_table(found.results)
    assert [column.title for column in table][:3] == ["Amplitude", "Frequency", "Damping ratio"]
    assert not any("Masing" in column.title for column in table)
    assert table[0].values == found.results.values.tolist()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"mode": 1000}, "There is no mode 1000: there are"),
        ({"point": "tip", "direction": "y"}, "tip does not move along y in mode 1"),
        ({"point": "nowhere"}, "no interface node called 'nowhere'"),
        ({"preloads": []}, "under pressure"),
        ({"largest_amplitude": 1e-4}, "does not end above its beginning"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(plates, words, message):
    with pytest.raises((FayingError, ValueError), match=message):
        plates.solved({**QUASI, **words})


def test_laws_that_depend_on_velocity_are_refused(plates, tmp_path):
    dry = {"coulomb", "dahl", "bouc_wen", "masing", "valanis"}
    for kind in friction_laws:
        law = build(friction_laws[kind], friction_laws[kind].example())
        assert depends_on_rate(law.beside(1e4)) == (kind not in dry), kind


@pytest.mark.slow
def test_joint_modes_to_an_accuracy_know_the_onset_of_slip(tmp_path):
    """Damping of the FE model to 2 % where slip begins, and beyond; normal contact alone misses it by far."""
    amplitudes = {
        "point": "tip", "direction": "z", "smallest_amplitude": 5e-3, "largest_amplitude": 1.2e-2, "points": 3,
    }  # fmt: skip
    words, body = {**QUASI, **amplitudes, "loop": "masing"}, SqueezedPlates(tmp_path)
    full = body.solved({**words, "kind": "unreduced_quasi_static_modes"}).curve("damping by friction")
    assert 0.0 < full[0] < 0.1 * full[-1]
    of_contact = body.solved(words).curve("damping by friction")
    assert abs(of_contact[0] / full[0] - 1.0) > 0.2
    changed = body.project.model_dump()
    changed["bodies"][0]["joint_modes"] = {"kind": "error_controlled"}
    body.project = build(type(body.project), changed)
    np.testing.assert_allclose(body.solved(words).curve("damping by friction"), full, rtol=0.02)
