"""Vibration modes about a state of the joints: against dense matrices, frequency responses and closed forms."""

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import FayingError
from faying.fem.assembly import rigid_body_modes
from faying.params import build
from faying.results.run_tables import assurance_table, mode_table
from support.squeezed_plates import ALPHA, BETA, STICKING, UP, SqueezedPlates

MODES = {"kind": "modes", "support": "hold", "preloads": ["squeeze"], "count": 4}


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    return SqueezedPlates(tmp_path_factory.mktemp("plates"))


def dense_modes(stiffness, mass, free, count):
    squares, shapes = la.eigh(
        stiffness[np.ix_(free, free)], mass[np.ix_(free, free)], subset_by_index=[0, count - 1]
    )
    whole = np.zeros((len(mass), count))
    whole[free] = shapes
    return np.sqrt(squares) / (2.0 * np.pi), whole


def test_modes_of_the_fe_model_and_their_assurance(plates):
    """Stuck against sliding, of the dense matrices with the same springs."""
    found = plates.solved({**MODES, "sticking": "stuck", "full": True})
    _, sticks, slides, mass, free = plates.dense
    expected, stuck = dense_modes(sticks, mass, free, 4)
    slipping, loose = dense_modes(slides, mass, free, 4)
    report = found.results.report
    np.testing.assert_allclose(report["frequencies_of_fe_model"], expected, rtol=1e-7)
    rows = report["modes"]
    for row in rows:
        assert row["fe_frequency"] == pytest.approx(expected[int(row["fe_mode"]) - 1], rel=1e-7)
        assert row["fe_assurance"] > 0.9
    # The reduced body's are higher; its first two modes are good enough to compare shapes with the dense ones.
    assert (
        found.results.values[0] == pytest.approx(expected[0], rel=0.01)
        and found.results.values[0] > expected[0]
    )
    cross = (stuck.T @ mass @ loose) ** 2
    assert rows[0]["like"] == 1 + cross[0].argmax()
    assert rows[0]["assurance_of_like"] == pytest.approx(cross[0].max(), abs=2e-3)
    assert rows[0]["frequency_of_like"] == pytest.approx(slipping[0], rel=1e-3)
    assert np.array(report["assurance"]).shape == (4, 4)


def test_effective_masses_are_those_of_the_dense_modes_and_add_up(plates):
    found = plates.solved({**MODES, "sticking": "stuck", "count": 1000})
    _, sticks, _, mass, free = plates.dense
    model = plates.session.read_model()
    support = model.nodes[int(model.node_set("HOLD")[0])]
    rigid = rigid_body_modes(model.nodes, plates.matrices.dofs, support)
    _, shapes = dense_modes(sticks, mass, free, 1)
    expected = (shapes.T @ mass @ rigid).ravel() ** 2
    names = [f"effective mass {a}" for a in "xyz"] + [f"effective inertia {a}" for a in "xyz"]
    row = found.results.report["modes"][0]
    assert row["effective mass z"] == pytest.approx(expected[2], rel=0.01)
    assert row["effective inertia y"] == pytest.approx(expected[4], rel=0.01)
    # All modes together move what the constraint modes and modes of the basis reach of the moved mass.
    for name, whole in zip(names, np.diag(rigid.T @ mass @ rigid), strict=True):
        total = sum(each[name] for each in found.results.report["modes"])
        assert found.results.report["moved_masses"][name] == pytest.approx(whole, rel=1e-9)
        assert 0.75 * whole < total < whole * (1.0 + 1e-9), name


def test_dampers_in_a_joint_damp_the_modes(tmp_path):
    """As a periodic motion of the same body has it, sample by sample; none where the joint slides."""
    damped = SqueezedPlates(tmp_path)
    words = damped.project.model_dump()
    words["bodies"][0]["joints"][0]["friction_law"] = {
        "kind": "kelvin_voigt", "stiffness": STICKING, "damping": 0.05,
    }  # fmt: skip
    damped.project = build(type(damped.project), words)
    found = damped.solved({**MODES, "sticking": "stuck", "against": "nothing"})
    mode = damped.solved(
        {"kind": "nonlinear_mode", "point": "tip", "direction": "z", "smallest_amplitude": 1e-5,
         "largest_amplitude": 2e-5, "points": 2, "harmonics": 1, **{k: MODES[k] for k in ("support", "preloads")}}
    )  # fmt: skip
    assert mode.curve("damping ratio")[0] > 1e-3
    assert found.curve("damping ratio")[0] == pytest.approx(mode.curve("damping ratio")[0], rel=0.01)
    assert found.results.values[0] == pytest.approx(mode.curve("natural frequency")[0], rel=1e-3)
    slides = damped.solved({**MODES, "sticking": "sliding", "against": "nothing"})
    assert "damping ratio" not in slides.results.curve_texts.values()


def test_damping_ratios_are_those_of_the_matrices(plates):
    found = plates.solved(
        {**MODES, "sticking": "stuck", "against": "nothing", "mass_damping": ALPHA, "stiffness_damping": BETA}
    )
    alone, sticks, _, mass, free = plates.dense
    frequencies, shapes = dense_modes(sticks, mass, free, 1)
    omega = 2.0 * np.pi * frequencies[0]
    expected = 0.5 * (ALPHA + BETA * (shapes[:, 0] @ alone @ shapes[:, 0])) / omega
    assert found.curve("damping ratio")[0] == pytest.approx(expected, rel=0.02)
    assert "assurance" not in found.results.report


@pytest.mark.parametrize("sticking", ("equilibrium", "stuck", "sliding"))
def test_frequencies_are_those_of_the_frequency_response(plates, sticking):
    shaken = plates.shaken(sticking=sticking, full=False, points=2).results.report["linearised_frequencies"]
    found = plates.solved({**MODES, "sticking": sticking}).results
    np.testing.assert_allclose(found.values, shaken[: found.n_frames], rtol=1e-12)


def test_open_joints_leave_the_plates_apart(plates):
    found = plates.solved({**MODES, "sticking": "open", "count": 1, "full": True})
    alone, _, _, mass, free = plates.dense
    assert found.results.report["frequencies_of_fe_model"][0] == pytest.approx(
        dense_modes(alone, mass, free, 1)[0][0], rel=1e-6
    )
    assert found.results.report["closed_pairs"] == {"lap": 0}


def test_the_tangent_lies_between_stuck_and_sliding_joints(plates):
    """At rest all pairs stick, so that it is that of the stuck joint; where pairs slip it is softer."""
    pulled = {
        "kind": "static", "name": "pulled", "support": "hold", "preloads": ["squeeze"],
        "loads": [{"interface": "tip", "force": [400.0, 0.0, 0.0]}], "error_estimate": False,
    }  # fmt: skip
    first = {
        sticking: plates.solved({**MODES, "sticking": sticking}).results.values[0]
        for sticking in ("stuck", "sliding", "tangent")
    }
    assert first["tangent"] == pytest.approx(first["stuck"], rel=1e-9)
    about = {**MODES, "preloads": [], "equilibrium": "pulled", "sticking": "tangent"}
    slipped = plates.solved(pulled, about)
    assert plates.session.solve("pulled").curve("lap slipping share")[-1] > 0.05
    assert first["sliding"] < slipped.results.values[0] < 0.99 * first["stuck"]


def test_shapes_have_a_largest_displacement_of_one_and_vibrate(plates):
    found = plates.solved({**MODES, "sticking": "stuck"})
    results = found.results
    assert results.axis.kind == "mode" and results.label(1) == "mode 2"
    moved = found.field("displacement", frame=0)
    sizes = np.linalg.norm(np.asarray(moved).reshape(-1, 3), axis=1) if np.ndim(moved) > 1 else np.abs(moved)
    assert sizes.max() == pytest.approx(1.0)


def test_tables_and_export(plates, tmp_path):
    found = plates.solved({**MODES, "sticking": "stuck", "full": True})
    titles = [column.head("mm-t-s") for column in mode_table(found.results)]
    assert titles[:2] == ["Mode", "Frequency [Hz]"] and "Frequency, sliding [Hz]" in titles
    assert "Damping ratio" not in titles
    assert [c.title for c in assurance_table(found.results)][1:] == [f"sliding {k}" for k in (1, 2, 3, 4)]
    frequencies = found.table("modes")["Frequency [Hz]"]
    np.testing.assert_allclose(frequencies, found.results.values)


def test_joints_that_nothing_presses_are_closed_where_they_touch(plates):
    found = plates.solved({**MODES, "preloads": [], "sticking": "sliding", "against": "open"}).results
    pressed = plates.solved({**MODES, "sticking": "sliding"}).results
    assert found.report["touching_counts"] and not pressed.report["touching_counts"]
    np.testing.assert_allclose(found.values, pressed.values, rtol=1e-9)


def test_what_cannot_be_is_refused(plates):
    with pytest.raises(FayingError, match="no interface node called 'nowhere'"):
        plates.solved({**MODES, "support": "nowhere"})
    static = {"kind": "static", "name": "rest", "support": "hold", "loads": [UP]}
    with pytest.raises(FayingError, match="preload cases of its own"):
        plates.solved(static, {**MODES, "equilibrium": "rest"})


def test_a_free_body_has_no_rigid_modes(plates):
    found = plates.solved({**MODES, "support": "", "sticking": "stuck", "full": True, "count": 2}).results
    _, sticks, _, mass, _ = plates.dense
    squares = la.eigh(sticks, mass, eigvals_only=True, subset_by_index=[6, 7])
    expected = np.sqrt(squares) / (2.0 * np.pi)
    np.testing.assert_allclose(found.report["frequencies_of_fe_model"], expected, rtol=1e-6)
    assert found.report["modes"][0]["frequency"] == pytest.approx(expected[0], rel=0.05)
