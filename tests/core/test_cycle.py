"""Joint forces over a period of motion: against single evaluations, differences and closed forms."""

from dataclasses import dataclass

import numpy as np
import pytest

from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.cycle import CycleResponse, over_cycle
from faying.joints.cycle_kernels import coulomb_over_cycle
from faying.joints.cycle_laws import CLOSED, OPENED, SLIPPED
from faying.joints.fourier import FourierBasis
from faying.joints.friction_laws import FrictionLaw, friction_laws
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.params import build

N, R = 14, 5
BASIS = FourierBasis(3, 48)
OMEGA = 300.0


@dataclass(frozen=True)
class Rows:
    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray


def rows(seed: int = 5) -> Rows:
    rng = np.random.default_rng(seed)
    return Rows(
        rng.normal(size=(N, R)),
        rng.normal(size=(N, 2, R)),
        rng.uniform(0.5, 2.0, N),
        rng.normal(0.0, 4e-4, N),
    )


def motion(seed: int = 6) -> np.ndarray:
    """Coefficients at which pairs stick, slip, open and close."""
    rng = np.random.default_rng(seed)
    return 3e-4 / (1.0 + BASIS.orders[:, None]) ** 2 * rng.normal(size=(BASIS.size, R))


def law_of(kind: str) -> FrictionLaw:
    words = {"lugre": {"bristle_damping": 2.0, "viscous_damping": 1.0}}.get(kind, {})
    if "sliding_stiffness" in friction_laws[kind].model_fields:
        words = {"sliding_stiffness": 300.0}
    return build(friction_laws[kind], words).beside(10_000.0)


def cycle(force: JointForce, at: np.ndarray, *, jacobian: bool = True) -> CycleResponse:
    return over_cycle(force, at, BASIS, OMEGA, force.resting_history(np.zeros(R)), jacobian=jacobian)


def closed_between(force: JointForce, history: np.ndarray, before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Return the history with the slip at which pairs close on a straight way from one state to the next."""
    gaps = [force.rows.normal @ q + force.rows.initial_gaps for q in (before, now)]
    found = history.copy()
    for i in np.flatnonzero((history[:, 0] == 0.0) & (gaps[0] >= 0.0) & (gaps[1] < 0.0)):
        share = gaps[0][i] / (gaps[0][i] - gaps[1][i])
        found[i, 0] = 1.0
        found[i, 1:3] = force.rows.tangential[i] @ (before + share * (now - before))
        found[i, 3:] = 0.0
    return found


@pytest.mark.parametrize("kind", sorted(friction_laws))
def test_a_period_is_many_single_evaluations(kind: str) -> None:
    force, at = JointForce(rows(), LinearPenalty(), law_of(kind)), motion()
    found = cycle(force, at, jacobian=False)
    history, time_step = force.resting_history(np.zeros(R)), 2.0 * np.pi / OMEGA / BASIS.samples
    path = BASIS.values @ at
    for number in range(8):
        stress = []
        for k, q in enumerate(path):
            history = closed_between(force, history, path[k - 1], q)
            answer = force.evaluate(q, history, time_step, jacobian=False)
            if number == 0:
                np.testing.assert_allclose(found.pairs.pressure[k], answer.pressure, rtol=1e-12, atol=1e-10)
            history = answer.history
            stress.append(answer.stress)
    missed = np.abs(np.array(stress) - found.pairs.stress).max() / np.abs(stress).max()
    assert missed < max(1e-9, 10.0 * found.closure)
    assert found.slipping == 0 or found.pairs.did.max() & SLIPPED


def test_sliders_are_those_of_single_evaluations_to_the_last_bits() -> None:
    force, at = JointForce(rows(), LinearPenalty(), law_of("coulomb")), motion()
    found = cycle(force, at, jacobian=False)
    history = force.resting_history(np.zeros(R))
    # One pair turns its direction while it slips, and is periodic in the limit alone.
    stresses: list[np.ndarray] = []
    for _ in range(8):
        forces, stresses = [], []
        path = BASIS.values @ at
        for k, q in enumerate(path):
            history = closed_between(force, history, path[k - 1], q)
            answer = force.evaluate(q, history, 0.0, jacobian=False)
            history = answer.history
            forces.append(answer.force)
            stresses.append(answer.stress)
    early = found.pairs.closure < 1e-10
    assert early.sum() == N - 1
    np.testing.assert_allclose(
        found.pairs.stress[:, early],
        np.array(stresses)[:, early],
        rtol=0.0,
        atol=1e-15 * np.abs(stresses).max(),
    )
    told = BASIS.projection @ np.array(forces)
    np.testing.assert_allclose(found.force, told, rtol=0.0, atol=1e-14 * np.abs(forces).max())
    did = found.pairs.did
    assert {OPENED | CLOSED | SLIPPED, CLOSED | SLIPPED, CLOSED, OPENED} <= set(did.tolist())


@pytest.mark.parametrize("kind", sorted(friction_laws))
def test_the_derivative_is_that_of_differences(kind: str) -> None:
    force, at = JointForce(rows(), LinearPenalty(), law_of(kind)), motion()
    found = cycle(force, at)
    assert found.jacobian is not None
    rng = np.random.default_rng(2)
    for _ in range(2):
        change = 1e-10 * rng.normal(size=at.shape)
        up, down = (cycle(force, at + sign * change, jacobian=False).force for sign in (1.0, -1.0))
        told = (found.jacobian @ change.ravel()).reshape(at.shape)
        np.testing.assert_allclose(told, 0.5 * (up - down), atol=2e-5 * np.abs(told).max())


@pytest.mark.parametrize("kind", sorted(contact_laws))
def test_without_friction_for_every_contact_law(kind: str) -> None:
    if kind == "table":
        pytest.skip("it needs a file")
    force, at = JointForce(rows(), build(contact_laws[kind], {})), motion()
    found = cycle(force, at)
    assert not found.work.any()
    change = 1e-9 * np.random.default_rng(1).normal(size=at.shape)
    up, down = (cycle(force, at + sign * change, jacobian=False).force for sign in (1.0, -1.0))
    assert found.jacobian is not None
    told = (found.jacobian @ change.ravel()).reshape(at.shape)
    np.testing.assert_allclose(told, (up - down) / 2.0, atol=1e-4 * np.abs(told).max())


def test_the_frequency_counts_for_laws_that_depend_on_time_alone() -> None:
    for kind in friction_laws:
        force, at = JointForce(rows(), LinearPenalty(), law_of(kind)), motion()
        found = cycle(force, at)
        history = force.resting_history(np.zeros(R))
        up, down = (
            over_cycle(force, at, BASIS, OMEGA * (1.0 + sign * 1e-4), history, jacobian=False).force
            for sign in (1, -1)
        )
        told = (up - down) / (2e-4 * OMEGA)
        if law_of(kind).rate_independent:
            assert not found.by_frequency.any()
            np.testing.assert_array_equal(up, down)
        else:
            np.testing.assert_allclose(found.by_frequency, told, atol=1e-3 * np.abs(told).max())


def test_machine_code_and_arrays_agree() -> None:
    force, at = JointForce(rows(), LinearPenalty(), law_of("coulomb")), motion()
    gaps = BASIS.values @ (at @ force.rows.normal.T) + force.rows.initial_gaps
    slips = np.einsum("ka,nir,ar->kni", BASIS.values, force.rows.tangential, at)
    args = (gaps, np.ascontiguousarray(slips), force.resting_history(np.zeros(R)), 50_000.0, 9_700.0, 300.0, 0.15,
            BASIS.values, BASIS.projection, True)  # fmt: skip
    for one, other in zip(coulomb_over_cycle(*args), coulomb_over_cycle.plain(*args), strict=True):
        np.testing.assert_allclose(one, other, rtol=0.0, atol=1e-12 * np.abs(other).max() + 1e-15)


@pytest.mark.parametrize("kind", ["coulomb", "dahl"])
def test_stresses_do_not_jump_where_a_pair_closes_at_a_sample(kind: str) -> None:
    """A pair that slides while it closes, a little before and after a sample: stresses move as little as the gap."""
    one = Rows(np.array([[1.0, 0.0]]), np.array([[[0.0, 1.0], [0.0, 0.0]]]), np.ones(1), np.zeros(1))
    law = build(friction_laws[kind], {"sliding_stiffness": 0.0}).beside(10_000.0)
    force, found = JointForce(one, LinearPenalty(), law), []
    for mean in (-1e-12, 1e-12):
        at = np.zeros((BASIS.size, 2))
        at[0, 0], at[2, 0], at[1, 1] = mean, 1e-3, 1e-3  # the gap crosses zero at half of the period
        history = force.resting_history(np.zeros(2))
        found.append(over_cycle(force, at, BASIS, OMEGA, history, jacobian=True))
    stresses = np.array([each.pairs.stress for each in found])
    assert np.abs(stresses[0]).max() > 1.0
    np.testing.assert_allclose(stresses[0], stresses[1], rtol=0.0, atol=1e-6 * np.abs(stresses).max())


def test_jenkins_element() -> None:
    """A spring 0.3 with a limit of 0.2 at an amplitude of 1: k' and k'' of the work order's closed form."""
    one = Rows(np.zeros((1, 1)), np.array([[[1.0], [0.0]]]), np.ones(1), np.array([-1.0]))
    law = Coulomb(friction_coefficient=0.2, sticking_stiffness=0.3)
    force = JointForce(one, LinearPenalty(stiffness=1.0), law)
    k, limit, a = 0.3, 0.2, 1.0
    reach = np.arccos(1.0 - 2.0 * limit / k / a)
    stiff, loss = (
        k / np.pi * (reach - 0.5 * np.sin(2.0 * reach)),
        4.0 * limit / (np.pi * a) * (1.0 - limit / k / a),
    )
    errors = []
    for samples in (128, 512):
        basis = FourierBasis(1, samples)
        found = over_cycle(
            force,
            np.array([[0.0], [a], [0.0]]),
            basis,
            1.0,
            force.resting_history(np.zeros(1)),
            jacobian=False,
        )
        errors.append(np.abs(-found.force[1:, 0] - [stiff * a, -loss * a]).max())
        np.testing.assert_allclose(found.work, 4.0 * limit * (a - limit / k), rtol=30.0 / samples**2)
    assert errors[0] < 1e-3
    assert errors[1] < errors[0] / 10.0


def test_the_work_of_a_damper() -> None:
    """π d ω a² for Kelvin and Voigt's element, to the error of its step, Δθ²/6."""
    one = Rows(np.zeros((1, 1)), np.array([[[1.0], [0.0]]]), np.full(1, 2.0), np.array([-1.0]))
    force = JointForce(one, LinearPenalty(), build(friction_laws["kelvin_voigt"], {"damping": 3.0}))
    basis = FourierBasis(1, 256)
    at = np.array([[0.0], [0.01], [0.0]])
    found = over_cycle(force, at, basis, 7.0, force.resting_history(np.zeros(1)), jacobian=False)
    np.testing.assert_allclose(
        found.work, 2.0 * np.pi * 3.0 * 7.0 * 1e-4, rtol=(2.0 * np.pi / 256) ** 2 / 5.9
    )
