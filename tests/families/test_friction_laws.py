"""What every friction law keeps, and the numbers of each."""

from itertools import pairwise

import numpy as np
import pytest

from faying.errors import ModelError
from faying.joints.friction_laws import FrictionLaw, Traction, friction_laws
from faying.params import build

N = 40


@pytest.fixture(params=list(friction_laws))
def law(request: pytest.FixtureRequest) -> FrictionLaw:
    return friction_laws[request.param]()


def walk(law: FrictionLaw, path: np.ndarray, limit: np.ndarray | float) -> list[Traction]:
    """Return the tractions along a path of slips (steps, n, 2), each step committed, from a fresh history."""
    n = path.shape[1]
    history = np.zeros((n, law.history_size))
    answers = []
    for slip in path:
        answers.append(law.traction(slip, np.broadcast_to(limit, n), history, 1e-3))
        history = answers[-1].history
    return answers


def line(*turns: float, steps: int = 200) -> np.ndarray:
    """Return (steps, 1, 2) slips along the first direction through the turning points."""
    pieces = [np.linspace(a, b, steps + 1)[1:] for a, b in pairwise(turns)]
    return np.stack([np.concatenate(pieces), np.zeros(steps * len(pieces))], axis=-1)[:, None, :]


def work(path: np.ndarray, answers: list[Traction]) -> np.ndarray:
    """Return the work of friction along the path, by the trapezoidal rule from zero."""
    slips = np.concatenate([np.zeros((1, *path.shape[1:])), path])
    stress = np.concatenate([np.zeros((1, *path.shape[1:])), [a.stress for a in answers]])
    return np.einsum("tnc,tnc->n", 0.5 * (stress[1:] + stress[:-1]), np.diff(slips, axis=0))


def states(law: FrictionLaw, seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random slips, limits and reachable histories, some sticking and some slipping."""
    rng = np.random.default_rng(seed)
    limit = rng.uniform(0.5, 15.0, N)
    path = np.cumsum(rng.normal(scale=6e-4, size=(5, N, 2)), axis=0)
    return path[-1] + rng.normal(scale=6e-4, size=(N, 2)), limit, walk(law, path, limit)[-1].history


def test_there_is_one() -> None:
    assert "coulomb" in list(friction_laws)


def test_kind_and_words(law: FrictionLaw) -> None:
    words = law.model_dump()
    assert words.pop("kind") == law.kind
    assert friction_laws[law.kind] is type(law)
    assert build(type(law), words) == law
    assert law.title


def test_shapes_and_no_side_effects(law: FrictionLaw) -> None:
    slip, limit, history = states(law)
    before = slip.copy(), limit.copy(), history.copy()
    one, two = law.traction(slip, limit, history, 1e-3), law.traction(slip, limit, history, 1e-3)
    for array, shape in (
        (one.stress, (N, 2)), (one.d_slip, (N, 2, 2)), (one.d_limit, (N, 2)),
        (one.history, (N, law.history_size)), (one.slipping, (N,)),
    ):  # fmt: skip
        assert array.shape == shape
    np.testing.assert_array_equal(one.stress, two.stress)
    np.testing.assert_array_equal(one.history, two.history)
    for now, was in zip((slip, limit, history), before, strict=True):
        np.testing.assert_array_equal(now, was)
    assert one.slipping.any()
    assert not one.slipping.all()


def test_derivatives_by_differences(law: FrictionLaw) -> None:
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
        assert smooth.sum() > 0.6 * N
        np.testing.assert_allclose(given[smooth], ((up - down) / (2.0 * h))[smooth], atol=1e-5 * size)


def test_bounded_by_the_limit_beside_the_sliding_spring(law: FrictionLaw) -> None:
    rng = np.random.default_rng(8)
    path = np.cumsum(rng.normal(scale=8e-4, size=(60, N, 2)), axis=0)
    limit = rng.uniform(0.0, 10.0, N)
    for slip, answer in zip(path, walk(law, path, limit), strict=True):
        slider = answer.stress - law.sliding_stiffness * slip  # type: ignore[attr-defined]
        assert np.all(np.linalg.norm(slider, axis=1) <= limit * (1.0 + 1e-9) + 1e-12)


def test_a_closed_loop_costs_work(law: FrictionLaw) -> None:
    rng = np.random.default_rng(9)
    corners = np.concatenate(
        [np.zeros((1, N, 2)), rng.normal(scale=1.5e-3, size=(5, N, 2)), np.zeros((1, N, 2))]
    )
    path = np.concatenate(
        [a + (b - a) * np.linspace(0, 1, 401)[1:, None, None] for a, b in pairwise(corners)]
    )
    loops = np.concatenate([path, path])
    limit = rng.uniform(1.0, 10.0, N)
    answers = walk(law, loops, limit)
    first = work(path, answers[: len(path)])
    both = work(loops, answers)
    assert np.all(both >= -1e-9)
    # From the second time round on nothing is stored any more: all of the work is lost.
    assert np.all(both - first > 0.0)


def test_a_limit_of_zero_leaves_the_sliding_spring(law: FrictionLaw) -> None:
    slip = np.array([[0.0, 0.0], [1e-3, -2e-3], [-1e-9, 0.0]])
    with np.errstate(all="raise", under="ignore"):
        answer = law.traction(slip, np.zeros(3), np.zeros((3, law.history_size)), 1e-3)
    sliding = law.sliding_stiffness  # type: ignore[attr-defined]
    np.testing.assert_allclose(answer.stress, sliding * slip, atol=1e-15)
    np.testing.assert_allclose(answer.d_slip, np.tile(sliding * np.eye(2), (3, 1, 1)), atol=1e-12)
    assert np.all(np.isfinite(answer.d_limit))
    assert answer.slipping.all()


def test_vector_equals_scalar(law: FrictionLaw) -> None:
    slip, limit, history = states(law)
    all_at_once = law.traction(slip, limit, history, 1e-3)
    for i in range(N):
        one = law.traction(slip[i : i + 1], limit[i : i + 1], history[i : i + 1], 1e-3)
        np.testing.assert_allclose(one.stress[0], all_at_once.stress[i], rtol=1e-13)
        np.testing.assert_allclose(one.d_slip[0], all_at_once.d_slip[i], rtol=1e-13)
        np.testing.assert_allclose(one.history[0], all_at_once.history[i], rtol=1e-13)
        assert one.slipping[0] == all_at_once.slipping[i]


def test_turning_the_axes_turns_the_stress(law: FrictionLaw) -> None:
    rng = np.random.default_rng(11)
    path = np.cumsum(rng.normal(scale=5e-4, size=(20, N, 2)), axis=0)
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.array([[c, -s], [s, c]])
    here, there = walk(law, path, 4.0)[-1], walk(law, path @ turn.T, 4.0)[-1]
    np.testing.assert_allclose(there.stress, here.stress @ turn.T, atol=1e-9)


def test_the_committed_state_is_told_again(law: FrictionLaw) -> None:
    slip, limit, history = states(law)
    step = law.traction(slip, limit, history, 1e-3)
    again = law.traction(slip, limit, step.history, 0.0)
    np.testing.assert_allclose(again.stress, step.stress, rtol=1e-9)
    np.testing.assert_array_equal(again.slipping, step.slipping)


def test_sticking_limit(law: FrictionLaw) -> None:
    p = np.array([0.0, 1.0, 20.0])
    limit, slope = law.sticking_limit(p)
    assert np.all(limit >= 0.0)
    assert limit[0] == 0.0
    np.testing.assert_allclose((law.sticking_limit(p + 1e-6)[0] - limit) / 1e-6, slope, rtol=1e-6)


def test_coulomb_sticks_and_slides_along_its_slopes() -> None:
    # Thesis eq. 2.113 in one direction: slope c1 + c2 up to s = R/c1, then c2; c1 = 9500, c2 = 500.
    law, limit = friction_laws["coulomb"](), 1.9
    assert (law.friction_coefficient, law.sticking_stiffness, law.sliding_stiffness) == (
        0.15,
        10_000.0,
        500.0,
    )
    path = line(0.0, 1e-3, steps=10)
    answers = walk(law, path, limit)
    s = path[:, 0, 0]
    expected = np.minimum(9500.0 * s, limit) + 500.0 * s
    np.testing.assert_allclose([a.stress[0, 0] for a in answers], expected, rtol=1e-12)
    assert [bool(a.slipping[0]) for a in answers] == [False] + 9 * [True]
    assert all(a.stress[0, 1] == 0.0 for a in answers)


@pytest.mark.parametrize("amplitude", [5e-4, 1e-4])
def test_coulomb_loop_area(amplitude: float) -> None:
    # Analytical: a Jenkins element of limit R and stiffness c1 loses 4 R (A − R/c1) in a cycle, nothing when
    # it only sticks. R = 0.15, c1 = 950, c2 = 0: 2.0526316e-4 at A = 5e-4 (independent code agrees).
    law = build(friction_laws["coulomb"], {"sticking_stiffness": 950.0, "sliding_stiffness": 0.0})
    limit, steps = 0.15, 1000
    path = line(0.0, amplitude, -amplitude, amplitude, steps=steps)
    answers = walk(law, path, limit)
    cycle = slice(steps - 1, None)
    stress = np.array([a.stress[0, 0] for a in answers])[cycle]
    lost = float(np.trapezoid(stress, path[cycle, 0, 0]))
    exact = 4.0 * limit * (amplitude - limit / 950.0) if 950.0 * amplitude > limit else 0.0
    assert lost == pytest.approx(exact, rel=1e-5, abs=1e-12)
    if amplitude == 5e-4:
        assert exact == pytest.approx(2.0526316e-4, rel=1e-7)
    # The sliding spring beside it stores and gives back: the same loss.
    beside = build(friction_laws["coulomb"], {"sticking_stiffness": 1000.0, "sliding_stiffness": 50.0})
    stress = np.array([a.stress[0, 0] for a in walk(beside, path, limit)])[cycle]
    assert float(np.trapezoid(stress, path[cycle, 0, 0])) == pytest.approx(lost, rel=1e-5, abs=1e-12)


def test_coulomb_slip_direction_is_the_direction_of_the_stress() -> None:
    # Slipping along the first direction, then moving across: the stress turns towards the new direction.
    law = build(friction_laws["coulomb"], {"sliding_stiffness": 0.0})
    steps = np.linspace(0.0, 1e-2, 400)
    along = np.stack([steps, np.zeros_like(steps)], axis=-1)
    across = np.stack([np.full_like(steps, 1e-2), steps], axis=-1)
    answers = walk(law, np.concatenate([along, across])[:, None, :], 2.0)
    np.testing.assert_allclose(answers[399].stress[0], [2.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(answers[-1].stress[0], [0.0, 2.0], atol=1e-3)
    assert np.linalg.norm(answers[-1].stress[0]) == pytest.approx(2.0, rel=1e-12)


def test_coulomb_refuses_a_sliding_stiffness_that_is_not_smaller() -> None:
    with pytest.raises(ModelError, match=r"sliding_stiffness.*smaller than the sticking stiffness of 400"):
        build(friction_laws["coulomb"], {"sticking_stiffness": 400.0})
    with pytest.raises(ModelError, match="sliding_stiffness"):
        friction_laws["coulomb"]().with_(sliding_stiffness=10_000.0)
    with pytest.raises(ModelError, match="friction_coefficient"):
        build(friction_laws["coulomb"], {"friction_coefficient": -0.1})
