"""The joint force against a plain loop over pairs, and its updated Jacobian against a new one."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from faying.joints import kernels
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import FrictionLaw, friction_laws
from faying.joints.interface import JointForce
from faying.joints.pointwise import CLOSURE_SIZE, ContactStatus

N, R = 400, 37


def rows(seed: int = 1) -> SimpleNamespace:
    rng = np.random.default_rng(seed)
    return SimpleNamespace(
        normal=rng.standard_normal((N, R)), tangential=rng.standard_normal((N, 2, R)),
        weights=rng.uniform(0.5, 2.0, N), initial_gaps=rng.uniform(-2e-4, 8e-4, N),
    )  # fmt: skip


def one_by_one(
    joint: JointForce, q: np.ndarray, history: np.ndarray, time_step: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (force, Jacobian, history): every pair alone, every row in full, no kernel, no update."""
    force, jacobian, new = np.zeros(R), np.zeros((R, R)), np.zeros_like(history)
    friction: FrictionLaw | None = joint.friction_law
    for i in range(N):
        up, along = joint.rows.normal[i], joint.rows.tangential[i]
        gap = joint.rows.initial_gaps[i] + sum(up[j] * q[j] for j in range(R))
        pressure, d_pressure = (x[0] for x in joint.contact_law.pressure(np.array([gap])))
        weight = joint.rows.weights[i]
        force += weight * pressure * up
        jacobian += weight * d_pressure * np.outer(up, up)
        if friction is None or gap >= joint.contact_law.closing_gap():
            continue
        total = np.array([sum(row[j] * q[j] for j in range(R)) for row in along])
        start = history[i, 1:CLOSURE_SIZE] if history[i, 0] else total
        limit, d_limit = friction.sticking_limit(np.array([pressure]))
        answer = friction.traction((total - start)[None], limit, history[i : i + 1, CLOSURE_SIZE:], time_step)
        force -= weight * answer.stress[0] @ along
        if history[i, 0]:
            jacobian -= weight * along.T @ answer.d_slip[0] @ along
        jacobian -= weight * d_limit[0] * d_pressure * np.outer(answer.d_limit[0] @ along, up)
        new[i] = [1.0, *start, *answer.history[0]]
    return force, jacobian, new


@pytest.mark.parametrize("way", ["machine", "plain"])
@pytest.mark.parametrize("friction", [None, "coulomb"])
def test_the_force_is_that_of_a_plain_loop(
    way: str, friction: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "machine":
        pytest.importorskip("numba")
    for kernel in (kernels.slips, kernels.force):
        monkeypatch.setattr(kernel, "run", getattr(kernel, way))
    law = friction_laws[friction]().beside(1e4) if friction else None
    joint = JointForce(rows(), contact_laws["linear_penalty"](), law)
    rng = np.random.default_rng(2)
    history, last, seen = joint.initial_history(), None, set()
    q = 2e-5 * rng.standard_normal(R)
    for _ in range(6):
        q = q + 1e-5 * rng.standard_normal(R)
        answer = joint.evaluate(q, history, 1e-4, jacobian=True, last=last)
        force, jacobian, new = one_by_one(joint, q, history, 1e-4)
        np.testing.assert_allclose(answer.force, force, rtol=0, atol=1e-12 * np.abs(force).max())
        np.testing.assert_allclose(answer.jacobian, jacobian, rtol=0, atol=1e-12 * np.abs(jacobian).max())
        np.testing.assert_allclose(answer.history, new, rtol=0, atol=1e-12)
        seen |= {*answer.status}
        history, last = answer.history, answer.last
    assert seen == ({*ContactStatus} if friction else {ContactStatus.GAPING, ContactStatus.SLIPPING})


@pytest.mark.parametrize("friction", [0, 2], ids=["frictionless", "friction"])
@pytest.mark.parametrize("m", [0, 1, 7, N])
def test_kernels_agree_for_any_pairs(m: int, friction: int) -> None:
    rng, joint = np.random.default_rng(3), rows()
    for array in vars(joint).values():
        array.flags.writeable = False  # as those of a reduced body are
    pairs, q = np.sort(rng.choice(N, m, replace=False)), rng.standard_normal(R)
    expected = kernels.slips.plain(joint.tangential, pairs, q)
    np.testing.assert_allclose(kernels.slips(joint.tangential, pairs, q), expected, atol=1e-13)
    forces = (joint.normal, joint.tangential, pairs, joint.weights,
              rng.standard_normal(m), rng.standard_normal((m, friction)))  # fmt: skip
    np.testing.assert_allclose(kernels.force(*forces), kernels.force.plain(*forces), atol=1e-12)


def test_the_compiled_kernels_tell_not_a_number() -> None:
    normal, tangential, pairs = np.ones((2, 3)), np.ones((2, 2, 3)), np.array([0, 1])
    tangential[1, 0, 1] = np.nan
    slips = kernels.slips(tangential, pairs, np.ones(3))
    assert np.isnan(slips).tolist() == [[False, False], [True, False]]
    force = kernels.force(normal, tangential, pairs, np.ones(2), np.ones(2), np.ones((2, 2)))
    assert np.isnan(force).tolist() == [False, True, False]


def test_numba_is_not_loaded_before_a_joint_is_evaluated() -> None:
    # It takes a second, which neither the command line nor the window shall wait for.
    lines = "import sys, faying.cli, faying.project.stages, faying.analyses.transient; print('numba' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"


@pytest.mark.parametrize("friction", [None, "coulomb"])
@pytest.mark.parametrize("size", [1e-7, 3e-6, 1e-4], ids=["few", "some", "most"])
def test_an_updated_jacobian_is_a_new_one(friction: str | None, size: float) -> None:
    # Longer than the sum lives, so that it is also taken again.
    law = friction_laws[friction]().beside(1e4) if friction else None
    joint = JointForce(rows(4), contact_laws["linear_penalty"](), law)
    rng = np.random.default_rng(5)
    last, history, q = None, joint.initial_history(), np.zeros(R)
    for step in range(120):
        q = 0.95 * q + size * rng.standard_normal(R)
        updated = joint.evaluate(q, history, 1e-4, jacobian=True, last=last)
        new, last = joint.evaluate(q, history, 1e-4, jacobian=True), updated.last
        scale = np.abs(new.jacobian).max()
        np.testing.assert_allclose(updated.jacobian, new.jacobian, rtol=0, atol=1e-12 * scale)
        if step % 3 == 0:
            history = new.history


def test_an_open_joint_has_no_jacobian_left() -> None:
    joint = JointForce(rows(), contact_laws["linear_penalty"](), None)
    history = joint.initial_history()
    closed = joint.evaluate(np.zeros(R), history, 0.0, jacobian=True)
    before = closed.jacobian.copy()
    assert np.any(before)
    lifted = np.linalg.lstsq(joint.rows.normal[:R], np.ones(R), rcond=None)[0]
    open_ = JointForce(
        SimpleNamespace(**vars(joint.rows) | {"initial_gaps": np.ones(N)}), joint.contact_law, None
    ).evaluate(1e-6 * lifted, history, 0.0, jacobian=True, last=closed.last)
    assert np.all(open_.jacobian == 0.0)
    # What was handed out before stays as it was.
    np.testing.assert_array_equal(closed.jacobian, before)
