"""The joint force: signs, Jacobian, history, energy, and the sparse variant."""

from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import FrictionLaw, friction_laws
from faying.joints.interface import JointForce, SparseJointForce
from faying.joints.kinematics import SparseRows
from faying.joints.pointwise import CLOSURE_SIZE, ContactStatus, joint_size, pointwise

GAPING, STICKING, SLIPPING = ContactStatus
R, N = 7, 60
NEVER_SLIPPING = ("kelvin_voigt", "maxwell", "three_parameter_viscous")


@dataclass
class Rows:
    """Dense rows as the reduced body has them."""

    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray


@pytest.fixture
def rows() -> Rows:
    rng = np.random.default_rng(4)
    return Rows(
        rng.standard_normal((N, R)), rng.standard_normal((N, 2, R)), rng.uniform(0.5, 2.0, N),
        np.where(np.arange(N) % 3 == 0, 0.0, rng.uniform(-1e-4, 4e-4, N)),
    )  # fmt: skip


def joint(rows: Rows, friction: FrictionLaw | None = None) -> JointForce:
    return JointForce(rows, contact_laws["linear_penalty"](), friction)


def sparse_joint(rows: Rows, friction: FrictionLaw | None = None) -> SparseJointForce:
    sparse = SparseRows(
        sp.csr_matrix(rows.normal),
        sp.csr_matrix(rows.tangential.reshape(-1, rows.normal.shape[1])),
        rows.weights,
        rows.initial_gaps,
    )
    return SparseJointForce(sparse, contact_laws["linear_penalty"](), friction)


def single(weight: float = 2.0, gap: float = 0.0) -> Rows:
    """Return one pair over its own coordinates: gap = q0, slip = (q1, q2)."""
    return Rows(np.eye(3)[:1], np.eye(3)[None, 1:], np.array([weight]), np.array([gap]))


def test_contact_pushes_apart_and_friction_holds_back() -> None:
    force = joint(single(weight=2.0), friction_laws["coulomb"](sliding_stiffness=500.0).beside(1e4))
    closed = force.evaluate(np.array([-1e-3, 0.0, 0.0]), force.initial_history(), 0.0, jacobian=False)
    # 50 000 N/mm³ · 1 µm · 2 mm²: in the direction in which the gap grows.
    np.testing.assert_allclose(closed.force, [100.0, 0.0, 0.0])
    moved = force.evaluate(np.array([-1e-3, 1e-4, -2e-4]), closed.history, 0.0, jacobian=False)
    # Sticking: 10 000 N/mm³ · slip · 2 mm², against the slip.
    np.testing.assert_allclose(moved.force, [100.0, -2.0, 4.0])
    assert moved.status[0] == STICKING
    np.testing.assert_allclose(moved.pressure, 50.0)
    np.testing.assert_allclose(moved.slip, [[1e-4, -2e-4]])
    np.testing.assert_allclose(moved.stress, [[1.0, -2.0]])
    far = force.evaluate(np.array([-1e-3, 3e-2, 4e-2]), moved.history, 0.0, jacobian=False)
    # Slipping: 0.15 · 50 N/mm² and the sliding spring of 500 N/mm³, times 2 mm². The spring pulls along the slip
    # since closure, the slider along the trial stress, which starts from where it stuck: at zero.
    slider = 7.5 * np.array([0.6, 0.8])
    np.testing.assert_allclose(far.force[1:], -2.0 * (slider + 500.0 * np.array([3e-2, 4e-2])), rtol=1e-12)
    assert far.status[0] == SLIPPING


def test_action_equals_reaction() -> None:
    # Two free bodies of three translations each: gap and slip depend on their difference alone.
    relative = np.hstack([np.eye(3), -np.eye(3)])
    rows = Rows(relative[:1], relative[None, 1:], np.ones(1), np.zeros(1))
    force = joint(rows, friction_laws["coulomb"]().beside(1e4))
    closed = force.evaluate(np.array([-1e-3, 0, 0, 0, 0, 0.0]), force.initial_history(), 0.0, jacobian=False)
    moved = force.evaluate(np.array([-2e-3, 2e-3, 1e-3, 0, 0, 0.0]), closed.history, 0.0, jacobian=True)
    assert np.all(moved.force[:3] != 0.0)
    np.testing.assert_allclose(moved.force[:3], -moved.force[3:], rtol=1e-14)
    np.testing.assert_allclose(moved.jacobian @ np.tile([1.0, 2.0, 3.0], 2), 0.0, atol=1e-9)


def differences(force: JointForce | SparseJointForce, q: np.ndarray, history: np.ndarray) -> np.ndarray:
    """Return ∂force/∂q by central differences."""
    h = 1e-9
    columns = [
        (force.evaluate(q + h * e, history, 1e-3, jacobian=False).force
         - force.evaluate(q - h * e, history, 1e-3, jacobian=False).force) / (2.0 * h)
        for e in np.eye(len(q))
    ]  # fmt: skip
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("make", [joint, sparse_joint])
@pytest.mark.parametrize("friction", [None, *friction_laws])
@pytest.mark.parametrize("step", [0.0, 2e-6, 2e-4])
def test_jacobian_by_differences(rows: Rows, make, friction: str | None, step: float) -> None:
    law = friction_laws[friction]().beside(1e4) if friction else None
    force = make(rows, law)
    rng = np.random.default_rng(6)
    q = 2e-4 * rng.standard_normal(R)
    history = force.initial_history()
    if step:
        history = force.evaluate(q, history, 1e-3, jacobian=False).history
        q = q + step * rng.standard_normal(R)
    answer = force.evaluate(q, history, 1e-3, jacobian=True)
    matrix = answer.jacobian.toarray() if sp.issparse(answer.jacobian) else answer.jacobian
    expected = differences(force, q, history)
    np.testing.assert_allclose(matrix, expected, atol=2e-6 * np.abs(expected).max())
    # The states that the case is meant to show are there.
    assert (answer.status == GAPING).any()
    closed = answer.status[answer.status != GAPING]
    if friction == "coulomb" and step:
        assert (closed == (STICKING if step < 1e-5 else SLIPPING)).mean() > 0.5


def test_contact_jacobian_is_symmetric_and_negative(rows: Rows) -> None:
    force = joint(rows)
    matrix = force.evaluate(np.full(R, -1e-4), force.initial_history(), 0.0, jacobian=True).jacobian
    np.testing.assert_allclose(matrix, matrix.T, rtol=1e-12)
    assert np.linalg.eigvalsh(matrix).max() <= 1e-9 * np.abs(matrix).max()
    assert np.linalg.eigvalsh(matrix).min() < 0.0


@pytest.mark.parametrize("friction", [None, *friction_laws])
@pytest.mark.parametrize("offset", [-1.0, 0.0, 2e-4, 1.0])
def test_sparse_equals_dense(rows: Rows, friction: str | None, offset: float) -> None:
    # From all pairs closed to none: every path of the dense assembly.
    rows.initial_gaps = rows.initial_gaps + offset
    law = friction_laws[friction]().beside(1e4) if friction else None
    dense, sparse = joint(rows, law), sparse_joint(rows, law)
    rng = np.random.default_rng(7)
    history = dense.initial_history()
    np.testing.assert_array_equal(sparse.initial_history(), history)
    for _ in range(4):
        q = 2e-4 * rng.standard_normal(R)
        one = dense.evaluate(q, history, 1e-3, jacobian=True)
        two = sparse.evaluate(q, history, 1e-3, jacobian=True)
        plain = dense.evaluate(q, history, 1e-3, jacobian=False)
        assert plain.jacobian is None
        scale = np.abs(one.jacobian).max() + 1e-300
        np.testing.assert_allclose(plain.force, one.force, atol=1e-10 * np.abs(one.force).max())
        np.testing.assert_allclose(two.force, one.force, atol=1e-10 * np.abs(one.force).max())
        np.testing.assert_allclose(two.jacobian.toarray() / scale, one.jacobian / scale, atol=1e-12)
        for name in ("history", "gap", "pressure", "slip", "stress", "status"):
            np.testing.assert_allclose(getattr(two, name), getattr(one, name), atol=1e-12, err_msg=name)
        history = one.history
    if offset == 1.0:
        assert np.all(one.force == 0.0)
        assert np.all(one.jacobian == 0.0)
        assert np.all(one.history == 0.0)


def test_the_same_history_gives_the_same_answer(rows: Rows) -> None:
    force = joint(rows, friction_laws["coulomb"]().beside(1e4))
    rng = np.random.default_rng(10)
    committed = force.evaluate(
        2e-4 * rng.standard_normal(R), force.initial_history(), 1e-3, jacobian=False
    ).history
    kept = committed.copy()
    q = 2e-4 * rng.standard_normal(R)
    first = force.evaluate(q, committed, 1e-3, jacobian=True)
    force.evaluate(-3.0 * q, committed, 1e-3, jacobian=True)
    again = force.evaluate(q, committed, 1e-3, jacobian=True)
    np.testing.assert_array_equal(again.force, first.force)
    np.testing.assert_array_equal(again.history, first.history)
    np.testing.assert_array_equal(committed, kept)


@pytest.mark.parametrize("make", [joint, sparse_joint])
@pytest.mark.parametrize("friction", [None, "coulomb"])
def test_penetration_by_round_off_gapes(make, friction: str | None) -> None:
    """Two faces that move as one have gaps of either sign in the last bits: a rule decides, not the solver."""
    force = make(single(weight=400.0), friction_laws[friction]().beside(1e4) if friction else None)
    history = force.initial_history()
    for gap in (-1e-25, 0.0, 1e-25, -1e-12, 1e-12):
        answer = force.evaluate(np.array([gap, 0.0, 0.0]), history, 0.0, jacobian=False)
        assert answer.status[0] == GAPING, gap
    # The joint is 20 mm in size; a tenth of a nanometre is far below any pressure that counts, and far above round-off.
    for gap in (-1e-7, -1e-4):
        answer = force.evaluate(np.array([gap, 0.0, 0.0]), history, 0.0, jacobian=False)
        assert answer.status[0] != GAPING, gap
        assert answer.force[0] > 0.0


def test_slip_counts_from_closure_and_is_forgotten_when_gaping() -> None:
    force = joint(single(), friction_laws["coulomb"]().beside(1e4))
    history = force.initial_history()
    assert history.shape == (1, CLOSURE_SIZE + 2)
    # Sliding while open leaves no trace.
    open_ = force.evaluate(np.array([1e-3, 0.5, -0.5]), history, 1e-3, jacobian=False)
    assert np.all(open_.history == 0.0)
    assert open_.status[0] == GAPING
    # Closing at slip (0.4, 0.1): zero slip, zero friction, remembered place.
    close = force.evaluate(np.array([-1e-3, 0.4, 0.1]), open_.history, 1e-3, jacobian=False)
    np.testing.assert_array_equal(close.history, [[1.0, 0.4, 0.1, 0.0, 0.0]])
    assert np.all(close.slip == 0.0)
    assert np.all(close.stress == 0.0)
    assert close.force[0] > 0.0
    # From there on slip counts.
    slid = force.evaluate(np.array([-1e-3, 0.5, 0.1]), close.history, 1e-3, jacobian=False)
    np.testing.assert_allclose(slid.slip, [[0.1, 0.0]])
    assert slid.status[0] == SLIPPING
    assert slid.history[0, 3] > 0.0
    # Gaping forgets, and the next closure starts from its own place.
    again_open = force.evaluate(np.array([1e-3, 0.5, 0.1]), slid.history, 1e-3, jacobian=False)
    assert np.all(again_open.history == 0.0)
    assert np.all(again_open.force == 0.0)
    assert np.all(again_open.slip == 0.0)
    again = force.evaluate(np.array([-1e-3, 0.7, 0.2]), again_open.history, 1e-3, jacobian=False)
    np.testing.assert_array_equal(again.history, [[1.0, 0.7, 0.2, 0.0, 0.0]])
    assert np.all(again.slip == 0.0)


@pytest.mark.parametrize("friction", list(friction_laws))
def test_a_cycle_of_motion_loses_energy(rows: Rows, friction: str) -> None:
    # Out and back along random paths, the pairs gaping, sticking and slipping: the joint takes more than it gives.
    force = joint(rows, friction_laws[friction]().beside(1e4))
    rng = np.random.default_rng(12)
    seen = np.zeros(3, bool)
    for _ in range(2):
        corners = [np.full(R, -5e-5), *(3e-4 * rng.standard_normal((3, R))), np.full(R, -5e-5)]
        path = np.concatenate([a + (b - a) * np.linspace(0, 1, 126)[1:, None] for a, b in pairwise(corners)])
        # Twice round, so that the history of the first round is not mistaken for a loss.
        history, done, rounds = force.initial_history(), 0.0, []
        last = None
        for _ in range(2):
            for q in path:
                answer = force.evaluate(q, history, 1e-3, jacobian=False)
                if last is not None:
                    done += 0.5 * (answer.force + last[1]) @ (q - last[0])
                history, last = answer.history, (q, answer.force)
                seen[np.unique(answer.status)] = True
            rounds.append(done)
        assert rounds[0] < 0.0
        assert rounds[1] - rounds[0] < 0.0
    assert seen.tolist() == [True, True, friction not in NEVER_SLIPPING]


def test_contact_alone_gives_back_all(rows: Rows) -> None:
    force = joint(rows)
    t = np.linspace(0.0, 2.0 * np.pi, 4001)
    a, b = 3e-4 * np.random.default_rng(13).standard_normal((2, R))
    path = np.cos(t)[:, None] * a + np.sin(t)[:, None] * b
    forces = np.array([force.evaluate(q, force.initial_history(), 0.0, jacobian=False).force for q in path])
    steps = np.diff(path, axis=0)
    pieces = np.einsum("tr,tr->t", 0.5 * (forces[1:] + forces[:-1]), steps)
    assert abs(pieces.sum()) < 1e-6 * np.abs(pieces).sum()


def test_frictionless_has_no_history_and_slips(rows: Rows) -> None:
    force = joint(rows)
    assert force.initial_history().shape == (N, 0)
    answer = force.evaluate(np.full(R, -1e-4), force.initial_history(), 1e-3, jacobian=False)
    assert answer.history.shape == (N, 0)
    assert set(answer.status) == {GAPING, SLIPPING}
    np.testing.assert_array_equal(answer.status == GAPING, answer.gap >= 0.0)
    assert np.all(answer.stress == 0.0)


def test_pointwise_tells_a_committed_state_again(rows: Rows) -> None:
    # What fields do: coordinates and committed history give the stresses and states of the step.
    law, contact = friction_laws["coulomb"]().beside(1e4), contact_laws["linear_penalty"]()
    force = joint(rows, law)
    rng = np.random.default_rng(14)
    history = force.initial_history()
    for _ in range(5):
        q = 2e-4 * rng.standard_normal(R)
        step = force.evaluate(q, history, 1e-3, jacobian=False)
        history = step.history
    again = pointwise(
        contact, law, rows.initial_gaps + rows.normal @ q, (rows.tangential @ q).__getitem__, history, 0.0,
        size=joint_size(rows.weights),
    )  # fmt: skip
    assert {*step.status} == {GAPING, STICKING, SLIPPING}
    np.testing.assert_array_equal(again.status, step.status)
    np.testing.assert_allclose(again.stress, step.stress, atol=1e-9)
    np.testing.assert_allclose(again.history, history, atol=1e-15)


def test_any_object_with_rows_will_do(rows: Rows) -> None:
    force = joint(SimpleNamespace(**vars(rows)))
    assert force.evaluate(np.zeros(R), force.initial_history(), 0.0, jacobian=True).jacobian.shape == (R, R)
