"""What every friction law keeps, and the numbers of each."""

from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest

from faying.errors import ModelError
from faying.joints.friction_laws import FrictionLaw, friction_laws
from faying.params import build
from faying.testing import FrictionLawContract
from faying.testing.contracts.friction_laws import N, is_dry, walk
from references.friction_chain import work_in_a_cycle

# They know no sticking limit: springs and dampers.
VISCOUS = ["kelvin_voigt", "maxwell", "three_parameter_viscous"]
SMOOTH = ["dahl", "valanis", "bouc_wen", "masing"]
# In a loop their stress at the turning points is the same whatever the velocity was.
RATE_INDEPENDENT = ["coulomb", *SMOOTH]


def law_of(kind: str, **words: object) -> FrictionLaw:
    """Return a law with a sticking stiffness, and a sliding spring of a twentieth of it, unless words say otherwise."""
    cls = friction_laws[kind]
    spring = {"sliding_stiffness": 500.0} if "sliding_stiffness" in cls.model_fields else {}
    return build(cls, spring | words).beside(10_000.0)


class TestFrictionLaws(FrictionLawContract):
    pass


class TestBesideASpring(FrictionLawContract):
    """With a spring beside the slider, as the thesis has it."""

    kinds = tuple(kind for kind, law in friction_laws.items() if "sliding_stiffness" in law.model_fields)
    common: ClassVar = {"sliding_stiffness": 500.0}


class TestBluntDahl(FrictionLawContract):
    """With another exponent than one its way to the target depends on the distance."""

    kinds = ("dahl",)
    samples: ClassVar = {"dahl": {"exponent": 0.6}}


def test_derivatives_of_what_is_zero_unless_it_is_given() -> None:
    """Dampers beside the bristles; the contract tries laws as they are by themselves."""
    damped = law_of("lugre", bristle_damping=3.0, viscous_damping=2.0)
    FrictionLawContract().test_derivatives_by_differences(damped)


def line(*turns: float, steps: int = 200) -> np.ndarray:
    """Return (steps, 1, 2) slips along the first direction through the turning points."""
    pieces = [np.linspace(a, b, steps + 1)[1:] for a, b in pairwise(turns)]
    return np.stack([np.concatenate(pieces), np.zeros(steps * len(pieces))], axis=-1)[:, None, :]


def test_there_is_one() -> None:
    assert "coulomb" in list(friction_laws)
    assert [kind for kind in friction_laws if not is_dry(law_of(kind))] == VISCOUS


@pytest.mark.parametrize("kind", RATE_INDEPENDENT)
def test_velocity_does_not_matter(kind: str) -> None:
    path = np.cumsum(np.random.default_rng(4).normal(scale=5e-4, size=(10, 3, 2)), axis=0)
    slow, fast = (walk(law_of(kind), path, 4.0, dt)[-1] for dt in (1.0, 1e-6))
    np.testing.assert_array_equal(slow.stress, fast.stress)


def loop_work(law: FrictionLaw, amplitude: float, limit: float, steps: int, cycles: int = 3) -> float:
    """Return the work of the last of some cycles s = A sin, from rest, by the trapezoidal rule."""
    slip = amplitude * np.sin(2.0 * np.pi * np.arange(cycles * steps + 1) / steps)
    path = np.stack([slip, np.zeros_like(slip)], axis=-1)[:, None, :]
    stress = np.array([a.stress[0, 0] for a in walk(law, path, limit)])
    last = slice((cycles - 1) * steps, None)
    return float(np.trapezoid(stress[last], slip[last]))


@pytest.mark.parametrize("kind", ["dahl", "valanis", "bouc_wen"])
def test_work_of_a_single_element(kind: str) -> None:
    """Independent code, tests/references/friction_chain.py: R = 0.15 N, c1 = 950, c2 = 50 N/m; slips and sticks."""
    law = law_of(kind, sticking_stiffness=1000.0, sliding_stiffness=50.0)
    for amplitude, tolerance in ((5e-4, 2e-4), (1e-4, 1e-3)):
        wanted = work_in_a_cycle(kind, amplitude, steps=500)
        assert loop_work(law, amplitude, 0.15, 400) == pytest.approx(wanted, rel=tolerance)


def test_work_of_a_dahl_element_in_closed_form() -> None:
    # Analytical, α = 1, steady cycle: with u = 2 A c1/R the stress turns at ±R tanh(u/2), and the loop encloses
    # 2 R²/c1 (u − (1 + tanh(u/2)) (1 − exp(−u))).
    law, limit, amplitude = law_of("dahl"), 2.0, 3e-4
    u = 2.0 * amplitude * 9500.0 / limit
    exact = 2.0 * limit**2 / 9500.0 * (u - (1.0 + np.tanh(u / 2.0)) * (1.0 - np.exp(-u)))
    errors = [loop_work(law, amplitude, limit, steps, 8) - exact for steps in (100, 200)]
    assert abs(errors[1]) < 5e-4 * exact
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


@pytest.mark.parametrize("kind", SMOOTH)
@pytest.mark.parametrize("shape", [(0.2, 0.0), (1.0, 0.6)])
def test_second_order_along_a_curved_path_with_a_changing_limit(
    kind: str, shape: tuple[float, float]
) -> None:
    law, history_size = law_of(kind), friction_laws[kind].history_size

    def end(steps: int) -> np.ndarray:
        t = np.arange(steps + 1) / steps
        path = 8e-4 * np.stack([np.sin(3.0 * t), shape[0] * np.sin(5.0 * t + shape[1])], axis=-1)
        history = np.zeros((1, history_size))
        for slip, limit in zip(path, 4.0 - 1.5 * np.sin(4.0 * t), strict=True):
            answer = law.traction(slip[None], np.array([limit]), history, 1e-3, derivatives=False)
            history = answer.history
        return np.asarray(answer.stress[0])

    coarse, middle, fine = end(100), end(200), end(400)
    assert np.linalg.norm(fine - middle) < 0.35 * np.linalg.norm(middle - coarse)
    assert np.linalg.norm(fine - middle) < 2e-3


@pytest.mark.parametrize(("kind", "words"), [
    ("bouc_wen", {"exponent": 100.0}), ("masing", {"exponent": 100.0}), ("valanis", {"shape": 0.999}),
])  # fmt: skip
def test_sharp_laws_become_coulombs(kind: str, words: dict[str, float]) -> None:
    path = np.cumsum(np.random.default_rng(6).normal(scale=2e-5, size=(300, N, 2)), axis=0)
    there, here = law_of("coulomb"), law_of(kind, **words)
    apart = walk(there, path, 4.0)[-1].stress - walk(here, path, 4.0)[-1].stress
    assert np.linalg.norm(apart, axis=1).mean() < 0.02 * 4.0


def test_unloading_share_of_bouc_wen() -> None:
    # One half: unloading is straight, with the sticking stiffness. One: stiffer at first.
    for share, factor in ((0.5, 1.0), (1.0, 2.0)):
        law = law_of("bouc_wen", unloading_share=share, sliding_stiffness=0.0)
        answers = walk(law, line(0.0, 5e-3, 5e-3 - 1e-7, steps=50), 2.0)
        top, after = answers[49].stress[0, 0], answers[50].stress[0, 0]
        assert top == pytest.approx(2.0, rel=1e-9)
        assert top - after == pytest.approx(factor * 10_000.0 * 2e-9, rel=1e-3)


@pytest.mark.parametrize("kind", RATE_INDEPENDENT)
def test_a_falling_limit(kind: str) -> None:
    law = law_of(kind, sliding_stiffness=0.0)
    held = walk(law, line(0.0, 1e-2, steps=50), 4.0)[-1]
    slip = np.array([[1e-2, 0.0]])
    answer = law.traction(slip, np.array([1.0]), held.history, 1e-3)
    # Dahl's equation asks for slip before the stress returns; the others take it back at once.
    assert answer.stress[0, 0] == pytest.approx(4.0 if kind == "dahl" else 1.0, rel=1e-2)
    later = law.traction(2.0 * slip, np.array([1.0]), answer.history, 1e-3)
    assert later.stress[0, 0] == pytest.approx(1.0, rel=1e-2)


def test_lugre_at_rest_is_dahls() -> None:
    lugre = law_of("lugre", bristle_stiffness=9500.0, kinetic_share=1.0)
    dahl = law_of("dahl", sliding_stiffness=0.0, sticking_stiffness=9500.0)
    path = np.cumsum(np.random.default_rng(4).normal(scale=5e-4, size=(20, 5, 2)), axis=0)
    np.testing.assert_allclose(walk(lugre, path, 4.0)[-1].stress, walk(dahl, path, 4.0)[-1].stress, rtol=1e-9)


def test_lugre_in_steady_sliding() -> None:
    # Analytical: τ = R (k + (1 − k) exp(−(v/vS)²)) + σ₂ v, whatever σ₀ and σ₁.
    law = law_of("lugre", viscous_damping=0.01, bristle_damping=0.05, kinetic_share=0.6)
    for v in (1.0, 8.0, 30.0):
        answer = walk(law, line(0.0, v * 1.0, steps=1000), 2.0, 1e-3)[-1]
        limit = 2.0 * (0.6 + 0.4 * np.exp(-((v / 10.0) ** 2)))
        assert answer.stress[0, 0] == pytest.approx(limit + 0.01 * v, rel=1e-9)


@pytest.mark.parametrize(("kind", "words"), [
    ("kelvin_voigt", {"stiffness": 300.0, "damping": 2.0}), ("maxwell", {"stiffness": 300.0, "damping": 2.0}),
    ("three_parameter_viscous", {"stiffness": 300.0, "damping": 2.0, "lasting_stiffness": 40.0}),
])  # fmt: skip
def test_viscous_elements_lose_what_their_loss_modulus_says(kind: str, words: dict[str, float]) -> None:
    # Analytical: work of a cycle π A² G″(ω); G″ = d ω for Kelvin-Voigt, c² d ω/(c² + d² ω²) with c in series.
    law, amplitude, steps = law_of(kind, **words), 1e-3, 2000
    for omega in (20.0, 150.0, 600.0):
        slip = amplitude * np.sin(2.0 * np.pi * np.arange(4 * steps + 1) / steps)
        path = np.stack([slip, np.zeros_like(slip)], axis=-1)[:, None, :]
        answers = walk(law, path, 0.0, 2.0 * np.pi / omega / steps)
        stress = np.array([a.stress[0, 0] for a in answers])[-steps - 1 :]
        modulus = (
            2.0 * omega
            if kind == "kelvin_voigt"
            else 300.0**2 * 2.0 * omega / (300.0**2 + (2.0 * omega) ** 2)
        )
        lost = np.trapezoid(stress, slip[-steps - 1 :])
        assert lost == pytest.approx(np.pi * amplitude**2 * modulus, rel=2e-3)


@pytest.mark.parametrize(
    ("kind", "words", "message"),
    [
        ("dahl", {"sticking_stiffness": -1.0}, "sticking_stiffness.*greater than 0"),
        ("dahl", {"exponent": 0.0}, "exponent"),
        ("valanis", {"shape": 1.0}, "shape.*less than 1"),
        ("valanis", {"sliding_stiffness": 2e4}, "sliding_stiffness.*smaller than the sticking stiffness"),
        ("bouc_wen", {"unloading_share": 0.3}, "unloading_share"),
        ("lugre", {"kinetic_share": 1.5}, "kinetic_share"),
        ("maxwell", {"damping": 0.0}, "damping.*greater than 0"),
    ],
)
def test_parameters_that_are_refused(kind: str, words: dict[str, float], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        law_of(kind, **words)


def test_coulomb_sticks_and_slides_along_its_slopes() -> None:
    # Thesis eq. 2.113 in one direction: slope c1 + c2 up to s = R/c1, then c2; c1 = 9500, c2 = 500.
    law, limit = law_of("coulomb"), 1.9
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
    # it only sticks. R = 0.15, c1 = 950, c2 = 0: 2.0526316e-4 at A = 5e-4.
    law = law_of("coulomb", sticking_stiffness=950.0, sliding_stiffness=0.0)
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
    beside = law_of("coulomb", sticking_stiffness=1000.0, sliding_stiffness=50.0)
    stress = np.array([a.stress[0, 0] for a in walk(beside, path, limit)])[cycle]
    assert float(np.trapezoid(stress, path[cycle, 0, 0])) == pytest.approx(lost, rel=1e-5, abs=1e-12)


def test_coulomb_slip_direction_is_the_direction_of_the_stress() -> None:
    # Slipping along the first direction, then moving across: the stress turns towards the new direction.
    law = law_of("coulomb", sliding_stiffness=0.0)
    steps = np.linspace(0.0, 1e-2, 400)
    along = np.stack([steps, np.zeros_like(steps)], axis=-1)
    across = np.stack([np.full_like(steps, 1e-2), steps], axis=-1)
    answers = walk(law, np.concatenate([along, across])[:, None, :], 2.0)
    np.testing.assert_allclose(answers[399].stress[0], [2.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(answers[-1].stress[0], [0.0, 2.0], atol=1e-3)
    assert np.linalg.norm(answers[-1].stress[0]) == pytest.approx(2.0, rel=1e-12)


def test_coulomb_refuses_a_sliding_stiffness_that_is_not_smaller() -> None:
    with pytest.raises(ModelError, match=r"sliding_stiffness.*smaller than the sticking stiffness of 400"):
        law_of("coulomb", sticking_stiffness=400.0)
    with pytest.raises(ModelError, match="sliding_stiffness"):
        law_of("coulomb").with_(sliding_stiffness=10_000.0)
    with pytest.raises(ModelError, match="friction_coefficient"):
        law_of("coulomb", friction_coefficient=-0.1)


def test_a_step_of_bristles_with_dampers_has_its_derivatives() -> None:
    law = law_of("lugre", bristle_damping=2.0, viscous_damping=1.0)
    rng = np.random.default_rng(4)
    path = np.cumsum(rng.normal(scale=6e-4, size=(3, 20, 2)), axis=0)
    limit = rng.uniform(2.0, 9.0, 20)
    history = walk(law, path, limit)[-1].history
    for time_step in (1e-3, 0.0):
        given, found = (
            step(path[-1] + 3e-4, 1.1 * limit, history, time_step)
            for step in (law.linearized_step, lambda *args: FrictionLaw.linearized_step(law, *args))
        )
        np.testing.assert_allclose(
            given.d_history, found.d_history, atol=1e-6 * np.abs(found.d_history).max()
        )
        np.testing.assert_allclose(
            given.history_by_history,
            found.history_by_history,
            atol=1e-6 * np.abs(found.history_by_history).max(),
        )
        np.testing.assert_allclose(
            given.history_by_slip, found.history_by_slip, atol=1e-6 * np.abs(found.history_by_slip).max()
        )
