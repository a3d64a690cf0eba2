"""Contract of friction laws."""

from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.joints.friction_laws import FrictionLaw, Traction, friction_laws
from faying.testing.contracts.members import MemberContract

N = 40
STIFFNESS = 10_000.0  # sticking stiffness if unspecified by the law


def is_dry(law: FrictionLaw) -> bool:
    """Return whether a law has a sticking limit, which springs and dampers do not have."""
    return bool(law.sticking_limit(np.ones(1))[0][0] > 0.0)


def sliding_stiffness(law: FrictionLaw) -> float:
    """Return the stiffness of the spring parallel to the slider; zero for a law without one."""
    return law.unlimited_stiffness


def walk(
    law: FrictionLaw, path: np.ndarray, limit: np.ndarray | float, time_step: float = 1e-3
) -> list[Traction]:
    """Return the tractions along a path of slips (steps, n, 2), each step committed, from a fresh history."""
    n = path.shape[1]
    history = np.zeros((n, law.history_size))
    answers = []
    for slip in path:
        limits = np.broadcast_to(limit, n)
        answers.append(law.traction(slip, limits, history, time_step, derivatives=False))
        history = answers[-1].history
    return answers


def work(path: np.ndarray, answers: list[Traction]) -> np.ndarray:
    """Return (n,) the work of friction along the path, by the trapezoidal rule from zero."""
    slips = np.concatenate([np.zeros((1, *path.shape[1:])), path])
    stress = np.concatenate([np.zeros((1, *path.shape[1:])), [a.stress for a in answers]])
    return np.asarray(np.einsum("tnc,tnc->n", 0.5 * (stress[1:] + stress[:-1]), np.diff(slips, axis=0)))


def states(law: FrictionLaw, seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random slips (n, 2), limits (n,) and reachable histories (n, h), some sticking and some slipping."""
    rng = np.random.default_rng(seed)
    limit = rng.uniform(0.5, 15.0, N)
    path = np.cumsum(rng.normal(scale=6e-4, size=(5, N, 2)), axis=0)
    return path[-1] + rng.normal(scale=6e-4, size=(N, 2)), limit, walk(law, path, limit)[-1].history


class FrictionLawContract(MemberContract):
    """Stresses stay within the limit, dissipate work, rotate with the axes; derivatives match; laws have no state."""

    family: ClassVar[Any] = friction_laws

    @pytest.fixture
    def law(self, member: FrictionLaw) -> FrictionLaw:
        """The tested law, with a contact law that gives the stiffness assumed in the paths below."""
        return member.beside(STIFFNESS)

    @pytest.fixture
    def dry(self, law: FrictionLaw) -> FrictionLaw:
        """The law, if it has a sticking limit."""
        if not is_dry(law):
            pytest.skip("it knows no sticking limit")
        return law

    def test_shapes_and_no_side_effects(self, law: FrictionLaw) -> None:
        slip, limit, history = states(law)
        before = slip.copy(), limit.copy(), history.copy()
        one, two = law.traction(slip, limit, history, 1e-3), law.traction(slip, limit, history, 1e-3)
        for array, shape in (
            (one.stress, (N, 2)), (one.d_slip, (N, 2, 2)), (one.d_limit, (N, 2)),
            (one.history, (N, law.history_size)), (one.slipping, (N,)),
        ):  # fmt: skip
            assert array is not None
            assert array.shape == shape
        np.testing.assert_array_equal(one.stress, two.stress)
        np.testing.assert_array_equal(one.history, two.history)
        for now, was in zip((slip, limit, history), before, strict=True):
            np.testing.assert_array_equal(now, was)
        assert not one.slipping.all()
        assert one.slipping.any() == is_dry(law)
        for a, b in zip(vars(law.traction(slip, limit, history, 1e-3, derivatives=False)).values(), vars(one).values(),
                        strict=True):  # fmt: skip
            assert a is None or np.array_equal(a, b)

    def test_derivatives_by_differences(self, law: FrictionLaw) -> None:
        slip, limit, history = states(law)
        answer = law.traction(slip, limit, history, 1e-3)
        assert answer.d_slip is not None
        assert answer.d_limit is not None
        scale = np.abs(answer.d_slip).max()
        for j, h in ((0, 1e-9), (1, 1e-9), (2, 1e-6)):
            ds, dr = (h * np.eye(2)[j], 0.0) if j < 2 else (0.0, h)
            up = law.traction(slip + ds, limit + dr, history, 1e-3).stress
            down = law.traction(slip - ds, limit - dr, history, 1e-3).stress
            given = answer.d_slip[:, :, j] if j < 2 else answer.d_limit
            size = scale if j < 2 else 1.0
            # Away from kinks the one-sided slopes agree.
            smooth = (np.abs(up + down - 2.0 * answer.stress) < 1e-4 * h * size).all(axis=1)
            assert smooth.sum() > 0.5 * N
            np.testing.assert_allclose(given[smooth], ((up - down) / (2.0 * h))[smooth], atol=1e-4 * size)

    def test_derivatives_of_a_step_by_differences(self, law: FrictionLaw) -> None:
        slip, limit, history = states(law)
        limit = 1.05 * limit  # a stress on the limit has two slopes: to the inside and along it
        closed, by_differences = (
            law.linearized_step(slip, limit, history, 1e-3),
            FrictionLaw.linearized_step(law, slip, limit, history, 1e-3),
        )
        told = law.traction(slip, limit, history, 1e-3)
        np.testing.assert_array_equal(closed.answer.stress, told.stress)
        np.testing.assert_array_equal(closed.answer.d_slip, told.d_slip)
        np.testing.assert_array_equal(closed.answer.d_limit, told.d_limit)
        # Each derivative in the size of what it gives and of what it is by, away from the corners of a law.
        sizes = np.maximum(np.abs(history), np.abs(told.history)).max(axis=0, initial=0.0)
        sizes[sizes == 0.0] = 1.0
        stress = np.abs(told.stress).max()
        for name, scale in (
            ("d_history", sizes / stress), ("history_by_slip", np.abs(slip).max() / sizes[:, None]),
            ("history_by_limit", limit.max() / sizes), ("history_by_history", sizes / sizes[:, None]),
        ):  # fmt: skip
            given, found = getattr(closed, name), getattr(by_differences, name)
            assert given.shape == found.shape
            missed = (np.abs(given - found) * scale).reshape(N, -1).max(axis=1, initial=0.0)
            assert (missed < 1e-6).sum() >= 0.9 * N, (name, np.sort(missed)[-8:])

    def test_a_law_that_needs_no_time_says_so(self, law: FrictionLaw) -> None:
        slip, limit, history = states(law)
        quick, slow = (law.traction(slip, limit, history, time_step) for time_step in (1e-4, 1e-2))
        assert law.rate_independent == np.array_equal(quick.stress, slow.stress)

    def test_damping_is_that_of_a_small_vibration(self, law: FrictionLaw) -> None:
        """The work of a period is π c ω a²; what a law loses by slip is of third order in the amplitude a."""
        steps, frequency = 180, 200.0 * np.pi
        limit = np.ones(1)
        amplitude = 1e-4 / STIFFNESS
        history = np.zeros((1, law.history_size))
        time_step, work = 2.0 * np.pi / (frequency * steps), 0.0
        slip, stress = np.zeros((1, 2)), np.zeros((1, 2))
        for k in range(1, 4 * steps + 1):
            before, slip = slip, np.array([[amplitude * np.sin(2.0 * np.pi * k / steps), 0.0]])
            found = law.traction(slip, limit, history, time_step, derivatives=False)
            last, stress, history = stress, found.stress, found.history
            if k > 3 * steps:
                work += float((0.5 * (stress + last) * (slip - before)).sum())
        told = np.pi * law.damping_at(frequency) * frequency * amplitude**2
        assert work == pytest.approx(told, rel=0.02, abs=2e-3 * STIFFNESS * amplitude**2)

    def test_bounded_by_the_limit_beside_the_sliding_spring(self, dry: FrictionLaw) -> None:
        rng = np.random.default_rng(8)
        path = np.cumsum(rng.normal(scale=8e-4, size=(60, N, 2)), axis=0)
        limit = rng.uniform(0.0, 10.0, N)
        for slip, answer in zip(path, walk(dry, path, limit), strict=True):
            slider = answer.stress - sliding_stiffness(dry) * slip
            assert np.all(np.linalg.norm(slider, axis=1) <= limit * (1.0 + 1e-9) + 1e-12)

    def test_a_closed_loop_costs_work(self, law: FrictionLaw) -> None:
        rng = np.random.default_rng(9)
        corners = np.concatenate(
            [np.zeros((1, N, 2)), rng.normal(scale=1.5e-3, size=(5, N, 2)), np.zeros((1, N, 2))]
        )
        path = np.concatenate(
            [a + (b - a) * np.linspace(0, 1, 41)[1:, None, None] for a, b in pairwise(corners)]
        )
        loops = np.concatenate([path, path])
        answers = walk(law, loops, rng.uniform(1.0, 10.0, N))
        first = work(path, answers[: len(path)])
        both = work(loops, answers)
        assert np.all(both >= -1e-9)
        # From the second cycle on no further energy is stored: all of the work is dissipated.
        assert np.all(both - first > 0.0)

    def test_no_energy_from_a_changing_limit(self, dry: FrictionLaw) -> None:
        # Many closed cycles of slip and limit: the recovered work never exceeds the work done.
        t = np.linspace(0.0, 4.0, 801)[:, None]
        phase = np.linspace(0.0, 2.0 * np.pi, N)
        path = 4e-4 * np.stack(
            [np.sin(2.0 * np.pi * t + 0.0 * phase), 0.5 * np.sin(4.0 * np.pi * t + 1.0 + 0.0 * phase)], -1
        )
        limits = 3.0 + 2.9 * np.sin(2.0 * np.pi * t + phase)
        history, stresses = np.zeros((N, dry.history_size)), []
        for slip, limit in zip(path, limits, strict=True):
            answer = dry.traction(slip, limit, history, 1e-3, derivatives=False)
            history = answer.history
            stresses.append(answer.stress)
        stress = np.array(stresses)
        done = np.cumsum(
            np.einsum("tnc,tnc->tn", 0.5 * (stress[1:] + stress[:-1]), np.diff(path, axis=0)), axis=0
        )
        per_cycle = np.diff(done[199::200], axis=0)
        assert np.all(per_cycle > 0.0)

    def test_a_limit_of_zero_leaves_the_sliding_spring(self, dry: FrictionLaw) -> None:
        slip = np.array([[0.0, 0.0], [1e-3, -2e-3], [-1e-9, 0.0]])
        with np.errstate(all="raise", under="ignore"):
            answer = dry.traction(slip, np.zeros(3), np.zeros((3, dry.history_size)), 1e-3)
        sliding = sliding_stiffness(dry)
        assert answer.d_slip is not None
        np.testing.assert_allclose(answer.stress, sliding * slip, atol=1e-15)
        np.testing.assert_allclose(answer.d_slip, np.tile(sliding * np.eye(2), (3, 1, 1)), atol=1e-12)
        assert answer.d_limit is not None
        assert np.all(np.isfinite(answer.d_limit))
        assert answer.slipping.all()

    @pytest.mark.parametrize("limit", [1e-300, 1e-30, 1e300])
    def test_no_limit_or_slip_overflows(self, dry: FrictionLaw, limit: float) -> None:
        path = np.array([[[1e-9, 0.0]], [[1.0, 1e-12]], [[1e6, -1e6]], [[0.0, 0.0]]])
        history = np.zeros((1, dry.history_size))
        with np.errstate(all="raise", under="ignore"):
            for slip in path:
                answer = dry.traction(slip, np.array([limit]), history, 1e-3)
                assert np.isfinite(answer.stress).all()
                assert answer.d_slip is not None
                assert np.isfinite(answer.d_slip).all()
                history = answer.history

    def test_smooth_at_zero_slip(self, law: FrictionLaw) -> None:
        # A contact that has just closed: from zero slip on the stress is equal in all directions.
        limit, fresh = np.array([5.0]), np.zeros((1, law.history_size))
        rest = law.traction(np.zeros((1, 2)), limit, fresh, 1e-3)
        assert rest.d_slip is not None
        assert not rest.stress.any()
        stiffness = rest.d_slip[0, 0, 0]
        np.testing.assert_array_equal(rest.d_slip[0], stiffness * np.eye(2))
        for angle in np.linspace(0.0, 2.0 * np.pi, 7):
            slip = 1e-9 * np.array([[np.cos(angle), np.sin(angle)]])
            answer = law.traction(slip, limit, fresh, 1e-3)
            assert answer.d_slip is not None
            np.testing.assert_allclose(answer.stress, stiffness * slip, rtol=1e-4, atol=1e-12)
            np.testing.assert_allclose(answer.d_slip, rest.d_slip, rtol=0.0, atol=1e-4 * stiffness)

    def test_vector_equals_scalar(self, law: FrictionLaw) -> None:
        slip, limit, history = states(law)
        all_at_once = law.traction(slip, limit, history, 1e-3)
        assert all_at_once.d_slip is not None
        for i in range(N):
            one = law.traction(slip[i : i + 1], limit[i : i + 1], history[i : i + 1], 1e-3)
            assert one.d_slip is not None
            np.testing.assert_allclose(one.stress[0], all_at_once.stress[i], rtol=1e-13)
            np.testing.assert_allclose(one.d_slip[0], all_at_once.d_slip[i], rtol=1e-13)
            np.testing.assert_allclose(one.history[0], all_at_once.history[i], rtol=1e-13)
            assert one.slipping[0] == all_at_once.slipping[i]

    def test_turning_the_axes_turns_the_stress(self, law: FrictionLaw) -> None:
        rng = np.random.default_rng(11)
        path = np.cumsum(rng.normal(scale=5e-4, size=(20, N, 2)), axis=0)
        c, s = np.cos(0.7), np.sin(0.7)
        turn = np.array([[c, -s], [s, c]])
        here, there = walk(law, path, 4.0)[-1], walk(law, path @ turn.T, 4.0)[-1]
        np.testing.assert_allclose(there.stress, here.stress @ turn.T, atol=1e-9)

    def test_the_committed_state_is_told_again(self, law: FrictionLaw) -> None:
        slip, limit, history = states(law)
        step = law.traction(slip, limit, history, 1e-3)
        again = law.traction(slip, limit, step.history, 0.0)
        np.testing.assert_allclose(again.stress, step.stress, rtol=1e-9)
        np.testing.assert_array_equal(again.slipping, step.slipping)

    def test_sticking_limit(self, law: FrictionLaw) -> None:
        p = np.array([0.0, 1.0, 20.0])
        limit, slope = law.sticking_limit(p)
        assert np.all(limit >= 0.0)
        assert limit[0] == 0.0
        np.testing.assert_allclose((law.sticking_limit(p + 1e-6)[0] - limit) / 1e-6, slope, rtol=1e-6)
