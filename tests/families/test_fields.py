"""Fields against closed forms: friction under a harmonic slip, velocities, extremes over a run, formulas."""

from dataclasses import replace

import numpy as np
import pytest

from faying.errors import Cancelled, ModelError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.pairs import ContactPairs
from faying.joints.pointwise import history_size, pointwise
from faying.progress import CancelFlag
from faying.reduction.body import JointRows, ReducedBody
from faying.results.fields import (
    CONTACT,
    CYCLE,
    FRICTION,
    MODEL,
    PAIRS,
    RUN,
    STRENGTH,
    TIME,
    FieldContext,
    fields,
)
from faying.results.formula import find_field, is_field
from faying.results.frame_axes import frame_axis
from faying.results.over_run import over_run
from faying.results.results import Results
from faying.results.surface_values import CONTACTS, RUBBING
from faying.results.tie_tractions import TIES
from faying.results.writer import ResultsWriter
from faying.testing import FieldContract
from faying.testing.plates import solved

PRESSURE, AMPLITUDE, PERIOD, FRAMES = 100.0, 0.01, 0.5, 100
LAW = LinearPenalty(stiffness=50_000.0)
LAW_OF_FRICTION = Coulomb(friction_coefficient=0.3, sticking_stiffness=30_000.0, sliding_stiffness=0.0)
# A slider with R = 30 N/mm² behind a spring of 30 000 N/mm³ gives way by 1 µm.
PER_CYCLE = 4 * 30.0 * (AMPLITUDE - 0.001)


def _pairs() -> ContactPairs:
    one, none = np.eye(3), np.zeros(0, int)
    return ContactPairs(
        np.array([1]), np.array([0]), np.array([[0]]), np.ones((1, 1)), np.zeros((1, 2)), np.zeros((1, 3)),
        one[2:], one[:1], one[1:2], np.array([2.0]), np.zeros(1), none, none, np.zeros(0),
    )  # fmt: skip


def _body() -> ReducedBody:
    """Two nodes and one pair of 2 mm²; coordinates are approach and slip."""
    rows = JointRows(
        "joint", np.array([[1.0, 0.0]]), np.array([[[0.0, 1.0], [0.0, 0.0]]]), np.array([2.0]), np.zeros(1),
        np.zeros((1, 6)), np.zeros((1, 2, 6)),
    )  # fmt: skip
    displacements = np.zeros((6, 2))
    displacements[5, 0] = displacements[3, 1] = 1.0  # the slave node's z and x
    eye = np.eye(2)
    return ReducedBody(
        "", eye, eye, np.eye(6), np.zeros((2, 3)), displacements, {}, {}, (rows,), (), np.zeros(0)
    )


@pytest.fixture(scope="module")
def rubbing(tmp_path_factory) -> FieldContext:
    """The pair under 100 N/mm², two cycles of 10 µm slip."""
    body = _body()
    path = tmp_path_factory.mktemp("rubbing") / "run.h5"
    times = np.linspace(0.0, 2 * PERIOD, 2 * FRAMES + 1)
    omega, history = 2 * np.pi / PERIOD, np.zeros((1, history_size(LAW_OF_FRICTION)))
    with ResultsWriter(
        path, axis="time", body="b", sizes={"coordinates": 2, "velocities": 2},
        joints={"joint": {"history": history.shape}},
    ) as writer:  # fmt: skip
        for t in times:
            q = np.array([-PRESSURE / LAW.stiffness, AMPLITUDE * np.sin(omega * t)])
            history = pointwise(
                LAW, LAW_OF_FRICTION, q[:1], np.array([[q[1], 0.0]]).__getitem__, history, 1e-3, size=1.0
            ).history
            v = np.array([0.0, AMPLITUDE * omega * np.cos(omega * t)])
            writer.append(t, {"joints/joint/history": history}, coordinates=q, velocities=v)
        writer.close({})
    return FieldContext(Results(path), body, {"joint": LAW}, {"joint": LAW_OF_FRICTION}, {"joint": _pairs()})


def at(context, field, frame):
    return find_field(field).evaluate(context, "joint", frame)


class TestFields(FieldContract):
    pass


def test_friction_of_a_cycle_is_that_of_the_loop(rubbing):
    first, last = at(rubbing, "dissipated_work", FRAMES), at(rubbing, "dissipated_work", 2 * FRAMES)
    assert (last - first)[0] == pytest.approx(PER_CYCLE, rel=1e-2)
    worn = at(rubbing, "wear", 2 * FRAMES) - at(rubbing, "wear", FRAMES)
    assert worn[0] == pytest.approx(PRESSURE * 4 * (AMPLITUDE - 0.001), rel=1e-2)
    # Power over the stored frames of the second cycle sums up to the same work.
    frames = np.arange(FRAMES, 2 * FRAMES)
    power = sum(at(rubbing, "dissipated_power", int(i))[0] for i in frames) * PERIOD / FRAMES
    assert power == pytest.approx(PER_CYCLE, rel=1e-2)


def test_wear_and_work_follow_a_pressure_that_changes(tmp_path):
    """Closed form: it slips all the way under a pressure that grows with the distance: ∫ p ds and ∫ μ p ds."""
    law = LinearPenalty(stiffness=1000.0)
    friction = LAW_OF_FRICTION.with_(sticking_stiffness=1e9)
    steps, far = 8, 0.02
    body, history = _body(), np.zeros((1, history_size(friction)))
    path = tmp_path / "pressed.h5"
    with ResultsWriter(
        path, axis="time", body="b", sizes={"coordinates": 2}, joints={"joint": {"history": history.shape}},
    ) as writer:  # fmt: skip
        for share in np.linspace(0.0, 1.0, steps + 1):
            q = np.array([-(10.0 + 90.0 * share) / law.stiffness, far * share])
            slip = np.array([[q[1], 0.0]])
            history = pointwise(law, friction, q[:1], slip.__getitem__, history, 1e-3, size=1.0).history
            writer.append(share, {"joints/joint/history": history}, coordinates=q)
        writer.close({})
    context = FieldContext(Results(path), body, {"joint": law}, {"joint": friction}, {"joint": _pairs()})
    # Linear in between, so that the trapezoidal rule is exact; coarse, so that one end alone is not.
    assert at(context, "wear", steps)[0] == pytest.approx(far * 55.0, rel=1e-6)
    # Friction was not there at the first frame, so half of its share of the first step is missing.
    missing = 0.3 * 0.5 * 10.0 * far / steps
    assert at(context, "dissipated_work", steps)[0] == pytest.approx(0.3 * far * 55.0 - missing, rel=1e-4)


def test_utilisation_reaches_one_and_forces_follow_pressure_and_friction(rubbing):
    assert at(rubbing, "sticking_utilisation", FRAMES // 4)[0] == pytest.approx(1.0)
    assert at(rubbing, "sticking_utilisation", 1)[0] == pytest.approx(
        30_000.0 * AMPLITUDE * np.sin(2 * np.pi / FRAMES) / 30.0
    )
    # Slipping forwards: the slave is pushed away and held back; 2 mm² of 100 and 30 N/mm².
    np.testing.assert_allclose(at(rubbing, "contact_force", FRAMES // 4), [[-60.0, 0.0, 200.0]], rtol=1e-9)
    assert at(rubbing, "penetration", 3)[0] == pytest.approx(0.002)
    assert at(rubbing, "slip", FRAMES // 4)[0] == pytest.approx(AMPLITUDE)


def test_velocity_is_stored_or_the_difference_of_frames(rubbing, monkeypatch):
    omega = 2 * np.pi / PERIOD
    t = rubbing.frames.values
    for frame in (0, 37, 2 * FRAMES):
        stored = at(rubbing, "velocity", frame)[1, 0]
        assert stored == pytest.approx(AMPLITUDE * omega * np.cos(omega * t[frame]))
        acceleration = at(rubbing, "acceleration", frame)[1, 0]
        largest = AMPLITUDE * omega**2
        assert acceleration == pytest.approx(-largest * np.sin(omega * t[frame]), abs=4e-3 * largest)
        with monkeypatch.context() as patch:
            patch.setattr(rubbing.frames, "velocities", lambda i: None)
            assert at(rubbing, "velocity", frame)[1, 0] == pytest.approx(stored, abs=4e-3 * AMPLITUDE * omega)


def test_extremes_over_a_run(rubbing):
    found = over_run(fields["slip_1"](), rubbing, "joint")
    assert found.maximum[0] == pytest.approx(AMPLITUDE)
    assert found.minimum[0] == pytest.approx(-AMPLITUDE)
    assert found.range[0] == pytest.approx(2 * AMPLITUDE)
    assert found.mean[0] == pytest.approx(0.0, abs=1e-9)
    assert found.time_of_maximum[0] in (pytest.approx(PERIOD / 4), pytest.approx(5 * PERIOD / 4))

    class Stop(CancelFlag):
        def report(self, fraction, message=""):
            if fraction > 0.5:
                self.cancel()
            super().report(fraction, message)

    with pytest.raises(Cancelled):
        over_run(fields["slip_1"](), rubbing, "joint", Stop())


def test_formulas(rubbing):
    assert at(rubbing, "friction_stress / pressure", FRAMES // 4)[0] == pytest.approx(0.3)
    assert at(rubbing, "maximum(slip_1) - slip_1", FRAMES // 4)[0] == pytest.approx(0.0, abs=1e-9)
    assert at(rubbing, "where(pressure > 50, slip ** 2, 0)", FRAMES // 4)[0] == pytest.approx(AMPLITUDE**2)
    assert at(rubbing, "maximum(friction_stress * 2)", 0)[0] == pytest.approx(60.0)
    # Whole numbers are numbers: as NumPy's they overflowed to a negative one.
    assert at(rubbing, "0 * pressure + 10**20", 0)[0] == pytest.approx(1e20)
    assert at(rubbing, "0 * pressure + 2**-1 + maximum(pressure * 0 + 10**20)", 0)[0] == pytest.approx(1e20)
    length = at(rubbing, "sqrt(displacement**2)", FRAMES // 4)  # a vector counts with its length
    np.testing.assert_allclose(length, [0.0, np.hypot(AMPLITUDE, 0.002)])
    maximum = find_field("maximum(slip_1)")
    assert (maximum.title, maximum.quantity, maximum.colours) == ("Maximum of slip 1", "length", "diverging")
    assert find_field("time_of_maximum(von_mises)").quantity == "time"
    assert find_field("time_of_maximum(von_mises)").location == "body"


def test_when_a_maximum_is_reached_has_the_unit_of_what_counts_the_frames():
    axes = ("time", "frequency", "load", "step", "case", "point")
    for formula in ("time_of_maximum(von_mises)", "maximum(time_of_maximum(von_mises))"):
        found = [find_field(formula).quantity_over(frame_axis(axis)) for axis in axes]
        assert found == ["time", "frequency", "", "", "", ""]
    for formula, quantity in (("von_mises", "stress"), ("maximum(gap)", "length"), ("2 * gap", "")):
        assert {find_field(formula).quantity_over(frame_axis(axis)) for axis in axes} == {quantity}
    assert (
        solved("swing").unit("time_of_maximum(gap)") == "s"
        and solved("press").unit("time_of_maximum(gap)") == ""
    )


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("presure", "no field called"), ("presure * 2", "no field called"), ("pressure +", "no formula"),
        ("pressure * velocity", "together"), ("3 * 4", "uses no field"), ("pressure.tofile('x')", "may use"),
        ("__import__('os')", "may use"), ("pressure[0]", "may use"), ("'a' * 9", "may use"),
        ("maximum(pressure, 2)", "takes one field"), ("open(pressure)", "no function"), ("9" * 3000, "no formula"),
        ("(lambda: pressure)()", "may use"), ("hypot(pressure)", "takes two arguments, not 1"),
        ("larger(pressure, gap, slip)", "takes two arguments, not 3"), ("sqrt(pressure, gap)", "takes one argument"),
        ("maximum(abs(pressure, gap))", "takes one argument"), ("where(pressure > 0)", "takes three arguments"),
        ("sqrt()", "takes one argument"), ("larger(pressure, gap, out=slip)", "may use"),
    ],
)  # fmt: skip
def test_what_is_no_formula_is_refused_in_a_sentence(formula, why):
    assert not is_field(formula)
    with pytest.raises(ModelError, match=why):
        find_field(formula)


def test_wrong_arguments_are_told_when_they_are_evaluated(rubbing):
    with pytest.raises(ModelError, match="has no value"):
        at(rubbing, "(pressure > 1) - (pressure > 2)", 0)


def test_frames_that_are_no_run_say_so(rubbing):
    without = replace(rubbing, friction_laws={"joint": None})
    with pytest.raises(ModelError, match="no friction law"):
        at(without, "slip", 0)
    with pytest.raises(ModelError, match="need the FE model"):
        at(rubbing, "von_mises", 0)
    with pytest.raises(ModelError, match="pairs of joint 'joint' are not there"):
        at(replace(rubbing, pairs={}), "contact_force", 0)


class Frames:
    """Frames of which some answers are others."""

    def __init__(self, frames, **answers):
        self._frames = frames
        vars(self).update(answers)

    def __getattr__(self, name):
        return getattr(self._frames, name)


# What frames may lack, and how they come to lack it; the run of the fixture has neither model nor strengths.
LACKING = {
    frozenset({MODEL, STRENGTH}): lambda c: c,
    frozenset({MODEL, STRENGTH, FRICTION}): lambda c: replace(c, friction_laws={"joint": None}),
    frozenset({MODEL, STRENGTH, TIME}): lambda c: replace(
        c, frames=Frames(c.frames, axis=frame_axis("load"))
    ),
    frozenset({MODEL, STRENGTH, TIME, RUN, CONTACT}): lambda c: replace(
        c, frames=Frames(c.frames, axis=frame_axis("mode"))
    ),
    frozenset({MODEL, STRENGTH, PAIRS}): lambda c: replace(c, pairs={}),
}


@pytest.mark.parametrize("kind", sorted(fields))
@pytest.mark.parametrize("lacking", LACKING, ids=lambda needs: "-".join(sorted(n.name for n in needs)))
def test_a_field_refuses_frames_that_lack_what_it_needs_and_no_others(rubbing, lacking, kind):
    field, context = fields[kind](), LACKING[lacking](rubbing)
    refused = field.refusal(context, "joint", 3)
    # A body alone, which no other part touches and whose joint is not tied.
    assert (refused is not None) == bool((lacking | {CONTACTS, CYCLE, RUBBING, TIES}) & set(field.needs))
    assert (field.refusal(context) is None) == (refused is None), "of any joint"
    if refused is None:
        assert len(field.evaluate(context, "joint", 3))
    else:
        with pytest.raises(ModelError) as told:
            field.evaluate(context, "joint", 3)
        assert str(told.value) in {str(n.lacking(context, "joint", 3)) for n in field.needs}


def test_a_formula_needs_what_its_fields_need():
    assert set(find_field("friction_stress / pressure").needs) == {CONTACT, FRICTION}
    assert set(find_field("maximum(slip)").needs) == {CONTACT, FRICTION, RUN}
    assert set(find_field("von_mises * 2").needs) == {MODEL}


def test_components_are_those_of_the_vectors(rubbing):
    for kind, title in (
        ("displacement", "Displacement U"),
        ("velocity", "Velocity V"),
        ("acceleration", "Acceleration A"),
    ):
        whole = fields[kind]().evaluate(rubbing, "", 5)
        assert np.abs(whole).max() > 0.0
        for column, axis in enumerate("xyz"):
            component = fields[f"{kind}_{axis}"]()
            np.testing.assert_array_equal(component.evaluate(rubbing, "", 5), whole[:, column])
            assert component.title == f"{title}{axis}" and component.quantity == fields[kind].quantity
            assert component.colours == "diverging" and component.reach == "node"


def test_groups_come_in_the_order_that_engineers_know():
    by_group: dict[str, list[str]] = {}
    for _, _, kind in sorted((field.order, field.title, kind) for kind, field in fields.items()):
        by_group.setdefault(fields[kind].group, []).append(kind)
    assert set(by_group) >= {"motion", "joint", "stress", "strain", "durability"}
    axes = ("xx", "yy", "zz", "xy", "yz", "zx")
    for group in ("stress", "strain"):
        assert [k for k in by_group[group] if k[-2:] in axes] == [f"{group}_{a}" for a in axes]
    parts = [
        f"{what}{axis}"
        for what in ("displacement", "rotation", "velocity", "acceleration")
        for axis in ("", "_x", "_y", "_z")
    ]
    assert [k for k in by_group["motion"] if k in parts] == parts
    first = ["pressure", "gap", "status"]
    assert [k for k in by_group["joint"] if k in first] == first
    assert "stress_jump" in by_group["stress"]
    assert {"yield_safety", "fatigue_safety", "wear"} <= set(by_group["durability"])


def test_members_of_one_file_have_their_own_names():
    found = {kind: fields[kind].title for kind in fields if kind.startswith(("stress_", "principal"))}
    assert found["stress_zx"] == "Stress zx" and found["principal_stress_3"] == "Principal stress 3"
    assert len({fields[kind] for kind in found}) == len(found) == 10
    assert all(fields[kind]().text == kind for kind in fields)
