"""Hard contact by multipliers: one pair in closed form, and two plates whatever the contact law."""

from dataclasses import dataclass

import numpy as np
import pytest

from faying.analyses import BodyModel, JointModel
from faying.analyses.static import Static
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.unreduced_static import UnreducedStatic
from faying.errors import SolveError
from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.results.fields import FieldContext, fields
from faying.results.results import Results
from faying.solvers.hard_contact import solve_hard_contact
from support.plates import jointed_plates

DOWN = LoadSpec(interface="TIP", force=(0.0, 0.0, -20.0))


@dataclass(frozen=True, eq=False)
class OnePair:
    """A pair of area 2 whose gap is 0.01 − x."""

    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray


PAIR = OnePair(np.array([[-1.0]]), np.zeros((1, 2, 1)), np.array([2.0]), np.array([0.01]))


@pytest.mark.parametrize("kind", list(contact_laws))
def test_one_pair_in_closed_form(kind: str) -> None:
    # A spring of 100 pulled by 10 would move 0.1; stopped at 0.01, the pair carries 10 − 100 · 0.01 on an area of 2.
    joint = JointForce(PAIR, contact_laws[kind]())
    found = solve_hard_contact(
        np.array([[100.0]]), np.array([10.0]), [joint], [joint.initial_history()], np.zeros(1), Silent(),
        allowed_penetration=1e-9,
    )  # fmt: skip
    assert found.coordinates[0] == pytest.approx(0.01, abs=1e-9)
    assert found.responses[0].pressure[0] == pytest.approx(4.5, rel=1e-6)
    assert abs(found.responses[0].gap[0]) <= 1e-9
    assert found.depths[0][0] > 0.0


def test_an_open_pair_has_no_multiplier() -> None:
    for kind in contact_laws:
        joint = JointForce(PAIR, contact_laws[kind]())
        found = solve_hard_contact(
            np.array([[100.0]]), np.array([0.9999]), [joint], [joint.initial_history()], np.zeros(1), Silent(),
            allowed_penetration=1e-9,
        )  # fmt: skip
        assert found.rounds == 1
        assert found.responses[0].pressure[0] == 0.0
        assert found.responses[0].gap[0] == pytest.approx(0.01 - 0.009999)


def test_what_a_pair_carried_in_a_load_step_before_does_not_hold_it() -> None:
    """Closed form: just closed it carries what is left of the pull, just open it carries nothing."""
    law = LinearPenalty(stiffness=1000.0)
    joint = JointForce(PAIR, law)
    # Without contact 0.0102 and 0.0098: just closed, just open.
    for pull, depth in ((1.02, 0.02 / 2000.0), (0.98, 0.0)):
        found = solve_hard_contact(
            np.array([[100.0]]), np.array([pull]), [joint], [joint.initial_history()], np.zeros(1), Silent(),
            allowed_penetration=1e-12, depths=[np.array([0.004])],
        )  # fmt: skip
        assert found.rounds > 1
        assert found.coordinates[0] == pytest.approx(min(pull / 100.0, 0.01), abs=1e-11)
        assert found.responses[0].pressure[0] == pytest.approx(law.stiffness * depth, abs=1e-8)


def test_no_multiplier_turns_negative() -> None:
    """Two pairs; the far one stays open while the near one is brought to its gap, and owes nothing for it."""
    rows = OnePair(-np.eye(2), np.zeros((2, 2, 2)), np.array([2.0, 2.0]), np.array([0.01, 0.5]))
    joint = JointForce(rows, LinearPenalty(stiffness=100.0))
    found = solve_hard_contact(
        np.diag([100.0, 100.0]), np.array([10.0, 10.0]), [joint], [joint.initial_history()], np.zeros(2), Silent(),
        allowed_penetration=1e-9,
    )  # fmt: skip
    assert found.rounds > 2
    np.testing.assert_allclose(found.coordinates, [0.01, 0.1], atol=1e-9)
    assert found.depths[0][1] == 0.0


def test_a_law_that_is_too_soft_is_told() -> None:
    joint = JointForce(PAIR, LinearPenalty(stiffness=0.01))
    with pytest.raises(
        SolveError, match=r"pairs still penetrate by [\d.e+]+ times what is allowed\..*stiffer"
    ):
        solve_hard_contact(
            np.array([[100.0]]), np.array([10.0]), [joint], [joint.initial_history()], np.zeros(1), Silent(),
            allowed_penetration=1e-6,
        )  # fmt: skip


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


def body_with(plates, law, friction=None) -> BodyModel:
    components = CraigBampton(vibration_modes=20).build(plates.interior, Silent())
    joints = [("joint", plates.gap, plates.slip, plates.pairs.weights, plates.pairs.initial_gaps)]
    reduced = build_reduced_body(plates.model.nodes, plates.matrices, components, plates.interfaces, joints)
    joint = JointModel("joint", plates.pairs, law, friction)
    return BodyModel("plates", reduced, (joint,), plates.interfaces, plates.model, plates.matrices)


def run(analysis, body, path) -> Results:
    analysis.run(body, path, Silent())
    return Results(path)


COMMON = {"name": "a", "body": "plates", "support": "HOLD", "loads": (DOWN,), "allowed_penetration": 1e-8}


@pytest.mark.parametrize("kind", [Static, UnreducedStatic])
def test_the_law_no_longer_matters(plates, tmp_path, kind) -> None:
    tips, forces = [], []
    for i, law in enumerate((LinearPenalty(stiffness=5e4), contact_laws["exponential"]())):
        body = body_with(plates, law)
        results = run(kind(**COMMON), body, tmp_path / f"{i}.h5")
        tips.append(results.curve("TIP uz")[-1])
        forces.append(results.curve("joint normal force")[-1])
        assert results.curve("joint largest penetration")[-1] <= 1e-8
        # The fields see the multipliers too.
        held = body.reduced.clamped_to("HOLD")
        context = FieldContext(results, held, {"joint": law}, {"joint": None})
        pressure = fields["pressure"]().evaluate(context, "joint", 0)
        gap = fields["gap"]().evaluate(context, "joint", 0)
        assert held.joints[0].weights @ pressure == pytest.approx(forces[-1])
        assert np.abs(gap[pressure > 0.0]).max() <= 1e-8
    assert tips[0] == pytest.approx(tips[1], rel=1e-5)
    assert forces[0] == pytest.approx(forces[1], rel=1e-4)
    assert forces[0] > 5.0


def test_hard_contact_is_what_a_stiff_law_tends_to(plates, tmp_path) -> None:
    hard = run(Static(**COMMON), body_with(plates, LinearPenalty()), tmp_path / "h.h5").curve("TIP uz")[-1]
    soft = {**COMMON, "allowed_penetration": 0.0}
    errors = []
    for i, stiffness in enumerate((1e4, 1e5, 1e6)):
        body = body_with(plates, LinearPenalty(stiffness=stiffness))
        errors.append(abs(run(Static(**soft), body, tmp_path / f"{i}.h5").curve("TIP uz")[-1] / hard - 1.0))
    assert errors[0] > 3.0 * errors[1] > 9.0 * errors[2]


def test_friction_has_its_limit_from_the_true_pressure(plates, tmp_path) -> None:
    law, friction = (
        LinearPenalty(stiffness=5e4),
        Coulomb(friction_coefficient=0.3, sliding_stiffness=0.0, sticking_stiffness=1e4),
    )
    body = body_with(plates, law, friction)
    results = run(Static(**COMMON, friction=True, load_steps=3), body, tmp_path / "f.h5")
    context = FieldContext(results, body.reduced.clamped_to("HOLD"), {"joint": law}, {"joint": friction})
    for frame in range(3):
        pressure = fields["pressure"]().evaluate(context, "joint", frame)
        stress = fields["friction_stress"]().evaluate(context, "joint", frame)
        assert np.all(stress <= 0.3 * pressure * (1.0 + 1e-9) + 1e-12)
    assert stress.max() > 0.0
    assert results.curve("joint largest penetration").max() <= 1e-8
