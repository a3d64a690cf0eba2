"""Whoever waits can stop within two seconds, anywhere between a deck and its unreduced solution."""

import time
from pathlib import Path

import numpy as np
import pytest

import faying_resources
from faying.analyses import BodyModel, JointModel
from faying.analyses.statics.supports import interface_rows
from faying.analyses.unreduced_static import UnreducedStatic
from faying.errors import Cancelled
from faying.fem.assembly import assemble
from faying.fem.readers import read_model
from faying.fem.skin import surface_from_deck
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.search import SearchSpec
from faying.params import build
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from support.unreduced import unreduced_end

DECK = Path(faying_resources.__file__).parent / "examples" / "friction_bar_19k.inp"
LIMIT = 2.0  # seconds between two chances to stop


class Listener:
    """Keeps the longest time without a report, and whether the fraction ever falls far back.

    Time is what passes or what this process works, whichever is less: others may use the machine too.
    """

    def __init__(self):
        self.longest, self.where, self.fall, self.fraction = 0.0, "", 0.0, 0.0
        self._last = None

    def report(self, fraction, text="", **values):
        now = (time.perf_counter(), time.process_time())
        if self._last is not None:
            silence = min(b - a for a, b in zip(self._last, now, strict=True))
            if silence > self.longest:
                self.longest, self.where = silence, text
        self._last = now
        self.fall = max(self.fall, self.fraction - fraction)
        self.fraction = fraction


@pytest.fixture(scope="module")
def bar():
    """The friction bar with its reduced body, and a listener for each step on the way there."""
    heard = {
        name: Listener() for name in ("deck", "assembly", "pairs", "factor", "component modes", "joint modes")
    }
    model = read_model(DECK, heard["deck"])
    matrices = assemble(model, heard["assembly"])
    master, slave = (surface_from_deck(model, name) for name in ("JOINT_MASTER", "JOINT_SLAVE"))
    pairs = find_contact_pairs(model.nodes, master, slave, SearchSpec(), heard["pairs"])
    rows = {name: int(model.node_sets[s][0]) for name, s in (("mounting", "REF_MOUNT"), ("load", "REF_LOAD"))}
    interior = InteriorProblem(matrices, model.nodes, np.array(list(rows.values())))
    interior.prepare(heard["factor"])
    components = CraigBampton(vibration_modes=10).build(interior, heard["component modes"])
    gap, slip = gap_rows(pairs, matrices.dofs), slip_rows(pairs, matrices.dofs)
    problem = JointModeProblem(interior, components, gap, pairs.weights, pairs.initial_gaps)
    modes, values = WeightedPod(count=40).build(problem, heard["joint modes"])
    basis = extend_basis(interior, components, modes, values)
    joints = [("lap", gap, slip, pairs.weights, pairs.initial_gaps)]
    reduced = build_reduced_body(model.nodes, matrices, basis, rows, joints)
    joint = JointModel("lap", pairs, LinearPenalty(stiffness=50_000.0), None)
    return BodyModel("bar", reduced, (joint,), rows, model, matrices, None, problem), heard


def unreduced():
    loads = [{"interface": "load", "force": (0.0, 0.0, 100.0)}]
    return build(UnreducedStatic, {"name": "check", "body": "bar", "support": "mounting", "loads": loads})


def test_every_step_listens_all_the_time(bar):
    _, heard = bar
    for name, listener in heard.items():
        assert listener.longest < LIMIT, (name, listener.where)
        assert listener.fall < 0.3, name  # the remaining time is estimated from the fraction


def test_the_unreduced_solution_listens_all_the_time_and_is_right(bar):
    """Reference kind: independent code, 28.4834 mm (tests/references/friction_bar.py)."""
    body, _ = bar
    listener = Listener()
    x, _ = unreduced_end(unreduced(), body, listener)
    assert listener.longest < LIMIT, listener.where
    assert listener.fall < 0.1
    assert (interface_rows(body)["load"] @ x)[2] == pytest.approx(28.4834, rel=1e-4)


@pytest.mark.parametrize("after", [1, 12])
def test_an_unreduced_solution_can_be_cancelled(bar, after):
    class Stopping:
        count = 0

        def report(self, fraction, text="", **values):
            self.count += 1
            if self.count > after:
                raise Cancelled

    with pytest.raises(Cancelled):
        unreduced_end(unreduced(), bar[0], Stopping())


def test_joint_modes_after_a_cancel_are_as_they_would_have_been(bar):
    problem = bar[0].joint_problem
    fresh = JointModeProblem(
        problem.interior, problem.components, problem.gap_rows, problem.weights, problem.initial_gaps
    )

    class Stopping:
        def report(self, fraction, text="", **values):
            if fraction > 0.3:
                raise Cancelled

    with pytest.raises(Cancelled):
        WeightedPod(count=5).build(fresh, Stopping())
    again, _ = WeightedPod(count=5).build(fresh, Silent())
    first, _ = WeightedPod(count=5).build(problem, Silent())
    np.testing.assert_array_equal(again, first)
