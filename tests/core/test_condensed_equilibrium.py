"""Equilibria condensed to the pairs that differ, against Newton's method on all unknowns of the FE model."""

import numpy as np
import pytest

from faying.joints.contact_laws.exponential import Exponential
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import SparseJointForce
from faying.joints.kinematics import SparseRows, sparse_rows
from faying.joints.pointwise import ContactStatus
from faying.linalg.symmetric import SymmetricPart
from faying.progress import Silent
from faying.solvers import condensed_equilibrium
from faying.solvers.compliances import Compliances
from faying.solvers.condensed_equilibrium import CondensedEquilibrium
from faying.solvers.equilibrium import solve_equilibrium
from support.plates import jointed_plates

LAWS = {
    "linear": LinearPenalty(stiffness=5e4),
    "nonlinear": Exponential(),
}
SLIDES = Coulomb(friction_coefficient=0.3, sticking_stiffness=1e4, sliding_stiffness=0.0)
# N, mm: the plates open, close over the whole length, slide and turn back.
PATH = [(0, 0, -10), (-60, 0, -20), (-120, 0, -20), (60, 0, -20), (60, 0, 5), (60, 0, -30), (0, 0, -30)]


class Plates:
    """Two plates, held at one end, and loads at the other over the free dofs."""

    def __init__(self) -> None:
        plates = jointed_plates()
        dofs = plates.matrices.dofs
        support, tip = (dofs.transformation[dofs.node_rows(plates.interfaces[n])] for n in ("HOLD", "TIP"))
        free = np.setdiff1d(np.arange(dofs.n_dofs), support.indices)
        rows = sparse_rows(plates.pairs, dofs)
        self.rows = SparseRows(
            rows.normal[:, free].tocsr(), rows.tangential[:, free].tocsr(), rows.weights, rows.initial_gaps
        )
        self.stiffness = SymmetricPart(plates.matrices.stiffness, free)
        self.dense = plates.matrices.stiffness[free][:, free].tocsr()
        self.loads = np.stack([tip.T[free] @ np.array([*f, 0, 0, 0], float) for f in PATH], axis=1)

    def exact(self, joint):
        """Return displacements and responses of the path, each step solved with all unknowns."""
        x, history, found = (
            np.zeros(self.loads.shape[0]),
            joint.resting_history(np.zeros(len(self.loads))),
            [],
        )
        for load in self.loads.T:
            x, (answer,), _ = solve_equilibrium(self.dense, load, [joint], [history], x, Silent())
            history = answer.history
            found.append((x, answer))
        return found

    def condensed(self, joint, start):
        """Return the states of the path, from the state in `start`."""
        solver = CondensedEquilibrium(self.stiffness, None, [self.rows])
        rest = [joint.resting_history(np.zeros(len(self.loads)))]
        solver.refer_to(start, [joint], rest, Silent())
        given = [rest, *[None] * (len(PATH) - 1)]
        return solver, solver.solve(self.loads, None, [[joint]] * len(PATH), given, 1e-9, Silent())


@pytest.fixture(scope="module")
def plates():
    return Plates()


@pytest.mark.parametrize("friction", [None, SLIDES], ids=["smooth", "rough"])
@pytest.mark.parametrize("law", LAWS)
def test_a_path_of_loads_is_that_of_all_unknowns(plates, law, friction):
    joint = SparseJointForce(plates.rows, LAWS[law], friction)
    exact = plates.exact(joint)
    solver, found = plates.condensed(joint, exact[0][0])
    assert len(found) == len(PATH)
    for (x, answer), state in zip(exact, found, strict=True):
        ours = state.responses[0]
        assert state.out_of_balance <= 1e-9
        np.testing.assert_allclose(state.displacement, x, atol=1e-7 * np.abs(x).max())
        np.testing.assert_allclose(ours.pressure, answer.pressure, atol=1e-6 * answer.pressure.max())
        np.testing.assert_allclose(ours.stress, answer.stress, atol=1e-6 * answer.pressure.max())
    # The path means something: pairs open and close, and with friction they stick and slide.
    status = np.array([answer.status for _, answer in exact])
    assert (np.diff(status != ContactStatus.GAPING, axis=0)).any()
    if friction is not None:
        assert {ContactStatus.STICKING, ContactStatus.SLIPPING} <= set(status[status > 0])
    assert solver.n_kept > 0 and solver.factorisations == 1


@pytest.mark.parametrize("friction", [None, SLIDES], ids=["smooth", "rough"])
@pytest.mark.parametrize("law", LAWS)
def test_a_reference_that_follows_the_path_needs_no_new_factor(plates, law, friction, monkeypatch):
    """The reference changes after each state in which any pair opened or closed; the states stay the same."""
    changes, refer_to = [], Compliances.refer_to

    def counted(self, components, tangents):
        changes.append(len(components))
        refer_to(self, components, tangents)

    monkeypatch.setattr(Compliances, "refer_to", counted)
    for name in ("_LEAST_AGE", "_LEAST_CHANGE", "_CHANGE"):
        monkeypatch.setattr(condensed_equilibrium, name, 1 if name != "_CHANGE" else 0.0)
    joint = SparseJointForce(plates.rows, LAWS[law], friction)
    exact = plates.exact(joint)
    solver, found = plates.condensed(joint, exact[0][0])
    assert len(changes) >= 2 and max(changes) > (10 if friction else 2) and solver.factorisations == 1
    for (x, answer), state in zip(exact, found, strict=True):
        assert state.out_of_balance <= 1e-9
        np.testing.assert_allclose(state.displacement, x, atol=1e-7 * np.abs(x).max())
        np.testing.assert_allclose(
            state.responses[0].pressure, answer.pressure, atol=1e-6 * answer.pressure.max()
        )


def test_friction_is_felt(plates):
    """The same path without friction ends elsewhere, so the comparison above would fail without it."""
    rough, smooth = (SparseJointForce(plates.rows, LAWS["linear"], friction) for friction in (SLIDES, None))
    ends = [plates.exact(joint)[-1][0] for joint in (rough, smooth)]
    assert np.abs(ends[0] - ends[1]).max() > 1e-3 * np.abs(ends[0]).max()


def test_it_ends_early_once_too_many_pairs_differ(plates, monkeypatch):
    joint = SparseJointForce(plates.rows, LAWS["linear"], SLIDES)
    monkeypatch.setattr(condensed_equilibrium, "_MAX_DIFFERING", 0)
    x = plates.exact(joint)[0][0]
    _, found = plates.condensed(joint, x)
    assert 0 < len(found) < len(PATH)


def test_a_law_that_jumps_leaves_no_more_than_its_jump(plates):
    """The spring next to the slider is lost when a pair opens; what is left is reported, and small."""
    jumps = SLIDES.with_(sliding_stiffness=50.0)
    joint = SparseJointForce(plates.rows, LAWS["linear"], jumps)
    x = plates.exact(SparseJointForce(plates.rows, LAWS["linear"], SLIDES))[0][0]
    _, found = plates.condensed(joint, x)
    assert len(found) == len(PATH)
    assert max(state.out_of_balance for state in found) < 0.05
