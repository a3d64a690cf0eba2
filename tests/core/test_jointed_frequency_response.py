"""Frequency responses of two squeezed plates, their joint linearised: against dense matrices and a transient."""

import numpy as np
import pytest

from faying.analyses.frequency_response import FrequencyResponse
from faying.errors import FayingError
from faying.joints.kinematics import sparse_rows
from faying.params import build
from support.squeezed_plates import ALPHA, BETA, UP, SqueezedPlates

NODE, PAIR = 38, 41  # of the upper plate; one of its nodes on the joint


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    return SqueezedPlates(tmp_path_factory.mktemp("plates"))


def complexes(found, name):
    return found.curve(name) * np.exp(1j * found.curve(f"{name} phase"))


@pytest.mark.parametrize("sticking", ("equilibrium", "stuck", "sliding"))
def test_curves_are_those_of_the_linearised_matrices(plates, sticking):
    """Of every node and pair: s² M + s (α M + β K) + K + joint, with β on the plates alone."""
    points = [{"name": "corner", "number": NODE}, {"name": "pair", "joint": "lap", "number": PAIR}]
    found = plates.shaken(sticking=sticking, more_points=points)
    K, sticks, slides, M, free = plates.dense
    whole = slides if sticking == "sliding" else sticks
    model, pairs = plates.session.read_model(), plates.session.find_pairs("lap")
    T, rows = plates.matrices.dofs.transformation, sparse_rows(pairs, plates.matrices.dofs)
    at_pair = int(np.flatnonzero(model.node_ids[pairs.slave_nodes] == PAIR)[0])
    row = model.node_row(NODE)
    gap = rows.normal.toarray()[at_pair]
    slip = rows.tangential.toarray()[2 * at_pair]
    outputs = {
        "tip uz": np.eye(len(K))[plates.node_dofs("TIP")[2]], "corner uz": T[3 * row + 2].toarray()[0],
        "corner ux": T[3 * row].toarray()[0], "pair un": gap, "pair u1": slip,
    }  # fmt: skip
    load = np.zeros(len(K))
    load[plates.node_dofs("TIP")[2]] = UP["force"][2]
    for i, f in enumerate(found.values):
        s = 2.0j * np.pi * f
        dynamic = (s * s * M + s * (ALPHA * M + BETA * K) + whole)[np.ix_(free, free)]
        x = np.zeros(len(K), complex)
        x[free] = np.linalg.solve(dynamic, load[free])
        for name, of_output in outputs.items():
            value = complexes(found, f"full {name}")[i]
            assert value == pytest.approx(
                of_output @ x, rel=2e-3, abs=1e-7 * abs(load @ x) / UP["force"][2]
            ), name
    # Peaks are where the linearised plates vibrate.
    known = plates.frequencies(whole, M, free, 2)
    size = found.curve("full tip uz")
    assert found.values[np.argmax(size)] == pytest.approx(known[0], rel=2e-3)
    # The reduced plates come near: they have modes that stretch each plate, which holds by friction to the other.
    assert found.curve("transfer error")[0] < 0.05
    pressed = int((np.abs(rows.normal[:, free].toarray()).max(axis=1) > 1e-9).sum())  # the others are held
    assert 0 < pressed < len(pairs) and found.report["closed_pairs"] == {"lap": pressed}
    assert found.report["sticking_pairs"] == {"lap": 0 if sticking == "sliding" else pressed}
    assert found.report["linearised_frequencies"][0] == pytest.approx(known[0], rel=0.02)


def test_sliding_is_softer_than_sticking(plates):
    each = [plates.shaken(sticking=how, full=False) for how in ("stuck", "sliding")]
    first = [found.report["linearised_frequencies"] for found in each]
    with pytest.raises(FayingError, match="shapes of small motions"):
        each[1].field("pressure", joint="lap", frame=0)
    assert each[1].field("displacement", frame=0).any()
    assert (np.array(first[1]) <= np.array(first[0]) * (1.0 + 1e-9)).all() and first[1][0] < 0.9 * first[0][0]


def test_about_a_static_analysis_and_as_it_sticks_there(plates):
    """A pull along the plates makes some pairs slip; these hold no more, and all are closed as the law says."""
    pull = {"kind": "static", "support": "hold", "preloads": ["squeeze"],
            "loads": [{"interface": "tip", "force": [200.0, 0.0, 0.0]}], "error_estimate": False}  # fmt: skip
    counts = {}
    for how in ("equilibrium", "stuck", "sliding"):
        found = plates.shaken(pull, equilibrium="run 0", preloads=(), sticking=how, full=False)
        counts[how] = found.report["sticking_pairs"]["lap"], found.report["linearised_frequencies"][0]
    status = plates.session.solve("run 0").field("status", joint="lap", frame=-1)
    sticking, slipping = (int((status == which).sum()) for which in (1, 2))
    assert sticking and slipping
    assert [counts[how][0] for how in counts] == [sticking, sticking + slipping, 0]
    assert counts["sliding"][1] < counts["equilibrium"][1] < counts["stuck"][1]


@pytest.mark.slow  # eight periods of integration
def test_a_transient_of_small_amplitude_agrees(plates):
    frequency = 1200.0
    shaken = plates.shaken(lowest_frequency=1000.0, highest_frequency=1400.0, points=3, mass_damping=0.0,
                           stiffness_damping=2e-5, full=False)  # fmt: skip
    at = int(np.flatnonzero(shaken.values == frequency)[0])
    wanted = complexes(shaken, "tip uz")[at]
    periods = 8  # a mode is damped by more than e⁴ in that time
    step = 1.0 / (120.0 * frequency)
    load = {**UP, "time_history": {"kind": "harmonic", "frequency": frequency}}
    moved = plates.solved(
        {
            "kind": "transient", "support": "hold", "preloads": ["squeeze"], "loads": [load],
            "stiffness_damping": 2e-5, "duration": periods / frequency, "frames": 40 * periods,
            "integrator": {"kind": "bdf", "fixed_step": True,
                           "first_step": step, "largest_step": step},
        }
    )  # fmt: skip
    t = moved.values[-121:]
    angle = 2.0 * np.pi * frequency * t
    found = np.linalg.lstsq(
        np.column_stack([np.sin(angle), np.cos(angle), np.ones_like(t)]),
        moved.curve("tip uz")[-121:],
        rcond=None,
    )[0]
    assert abs(complex(found[0], found[1]) - wanted) < 0.01 * abs(wanted)


def test_what_cannot_be_linearised_is_a_sentence(plates):
    with pytest.raises(FayingError, match="No contact pair of the joints 'lap' is under pressure"):
        plates.shaken(preloads=())
    with pytest.raises(FayingError, match="joint 'lap' has no contact pair at node 1"):
        plates.shaken(more_points=[{"name": "a", "joint": "lap", "number": 1}])
    with pytest.raises(FayingError, match=r"Point 'a': .*4711"):
        plates.shaken(more_points=[{"name": "a", "number": 4711}])


def response(**words):
    return build(FrequencyResponse, {"name": "a", "body": "b", **words})


def sentences(**words):
    return [problem.message for problem in response(**words).problems(["tip", "hold"], ["lap"])]


def test_loads_that_do_not_fit_are_refused():
    assert any(
        "has preload cases of its own" in s for s in sentences(loads=[UP], equilibrium="s", preloads=("p",))
    )
    both = [UP, {"interface": "tip", "force": [1.0, 0.0, 0.0]}]
    stiff = {"motion": "dynamic_stiffness"}
    assert any("there are 2: tip fz, tip fx" in s for s in sentences(loads=both, **stiff))
    assert not sentences(loads=both, each_load=True, **stiff)
    point = {"name": "a", "number": NODE}
    for points, sentence in (
        ([{**point, "joint": "LAP"}], "no joint called 'LAP'"),
        ([{"name": "a"}], "Point 'a' names no node"),
        ([point, {**point, "name": "b"}], "points 'a' and 'b' are the same"),
        ([{**point, "name": "tip"}], "name 'tip' is used twice"),
    ):
        assert any(sentence in s for s in sentences(loads=[UP], more_points=points)), sentence
    assert any(
        "no interface node or point called 'top'" in s for s in sentences(loads=[{**UP, "interface": "top"}])
    )
    turn = {"interface": "tip", "moment": [1.0, 0.0, 0.0]}
    assert any("the load tip mx is a moment" in s for s in sentences(loads=[turn], **stiff))
    assert any("Two loads" in s and "tip fz" in s for s in sentences(loads=[UP, UP], each_load=True))
    point = [{"name": "corner", "number": NODE}]
    assert any(
        "A moment acts on 'corner'" in s
        for s in sentences(loads=[{**turn, "interface": "corner"}], more_points=point)
    )
    with pytest.raises(FayingError, match="damping ratios are not negative"):
        response(modal_damping=(0.01, -0.01))
