"""Periodic answers and nonlinear modes of oscillators, against closed forms and numbers of other programs."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from faying.errors import SolveError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.cycle import over_cycle
from faying.joints.fourier import FourierBasis
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.solvers.arc_length import StepLengths
from faying.solvers.dropped_harmonics import HarmonicGrowth
from faying.solvers.harmonic_balance import (
    PeriodicForce,
    PeriodicMotion,
    PeriodicProblem,
    continued_response,
    damping_work,
    forced_response,
    input_work,
    nonlinear_mode,
    resonances,
    response_of_mode,
)

FINE = StepLengths(first=0.01, most=0.02)


@dataclass(frozen=True)
class Rows:
    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray


def of_joint(joint: JointForce, rest: np.ndarray):
    """Return the nonlinear force of a joint that rests at given coordinates."""
    history = joint.resting_history(rest)

    def force(x: np.ndarray, basis: FourierBasis, omega: float, derivatives: bool) -> PeriodicForce:
        found = over_cycle(joint, x, basis, omega, history, jacobian=derivatives)
        return PeriodicForce(found.force, found.jacobian, found.by_frequency)

    return force


def jenkins(basis: FourierBasis, limit: float = 0.2) -> tuple[PeriodicProblem, JointForce]:
    """Mass and spring 1, damper 0.01, and a slider of stiffness 0.3 with a limit."""
    rows = Rows(np.zeros((1, 1)), np.array([[[1.0], [0.0]]]), np.ones(1), np.array([-1.0]))
    joint = JointForce(
        rows, LinearPenalty(stiffness=1.0), Coulomb(friction_coefficient=limit, sticking_stiffness=0.3)
    )
    one = np.ones((1, 1))
    force = of_joint(joint, np.zeros(1))
    return PeriodicProblem(one, 0.01 * one, one, force, basis, np.zeros(1)), joint


def duffing(basis: FourierBasis, cubic: float = 0.5) -> PeriodicProblem:
    """ẍ + 0.05 ẋ + x + 0.5 x³."""

    def force(x: np.ndarray, basis: FourierBasis, omega: float, derivatives: bool) -> PeriodicForce:
        path = basis.values @ x
        slope = (basis.projection * (-3.0 * cubic * path[:, 0] ** 2)) @ basis.values
        return PeriodicForce(basis.projection @ (-cubic * path**3), slope if derivatives else None)

    one = np.ones((1, 1))
    return PeriodicProblem(one, 0.05 * one, one, force, basis, np.zeros(1))


def rubbing(basis: FourierBasis, friction: float = 0.85) -> tuple[PeriodicProblem, np.ndarray]:
    """Two coordinates, along and across a surface with friction, pressed by 100; and where they rest."""
    rows = Rows(np.array([[0.0, -1.0]]), np.array([[[1.0, 0.0], [0.0, 0.0]]]), np.ones(1), np.zeros(1))
    joint = JointForce(
        rows, LinearPenalty(stiffness=21.0), Coulomb(friction_coefficient=friction, sticking_stiffness=5.0)
    )
    rest = np.array([0.0, 100.0 / 42.0])
    problem = PeriodicProblem(
        np.eye(2), np.diag([0.34641, 2.0]), np.diag([12.0, 21.0]), of_joint(joint, rest), basis, np.array([0.0, 100.0])
    )  # fmt: skip
    return problem, rest


def linear_start(
    problem: PeriodicProblem, stiffness: np.ndarray, load: np.ndarray, omega: float
) -> np.ndarray:
    x = np.zeros((problem.basis.size, problem.r))
    answer = np.linalg.solve(stiffness - omega**2 * problem.mass + 1j * omega * problem.damping, load)
    x[1], x[2] = answer.real, -answer.imag
    return x


def turning_points(omega: np.ndarray, size: np.ndarray) -> list[tuple[float, float]]:
    """Return frequency and amplitude where a curve turns back, by parabolas through three points."""
    found = []
    for k in range(1, len(omega) - 1):
        if (omega[k] - omega[k - 1]) * (omega[k + 1] - omega[k]) < 0.0:
            a, b, c = np.polyfit(size[k - 1 : k + 2], omega[k - 1 : k + 2], 2)
            found.append((float(c - b * b / (4.0 * a)), float(-b / (2.0 * a))))
    return found


@pytest.mark.parametrize(
    ("harmonics", "folds"),
    [(1, [(1.350493, 1.47968), (1.133650, 0.519)]), (7, [(1.35328, 1.5006), (1.13382, 0.5266)])],
)
def test_the_folds_of_duffings_oscillator(harmonics: int, folds: list[tuple[float, float]]) -> None:
    basis = FourierBasis(harmonics, 64)
    problem, load = duffing(basis), np.array([0.1 + 0j])
    start = linear_start(problem, np.ones((1, 1)), load, 0.6)
    motions = list(forced_response(problem, load, 1.0, (0.6, 1.8), start, size=1.5, steps=FINE))
    omega = np.array([m.frequency for m in motions])
    found = turning_points(omega, np.array([abs(m.fundamental[0]) for m in motions]))
    assert len(found) == 2
    np.testing.assert_allclose([f for f, _ in found], [f for f, _ in folds], rtol=3e-5)
    if harmonics == 1:
        np.testing.assert_allclose([a for _, a in found], [a for _, a in folds], rtol=1e-3)
    # The determinant changes its sign where the curve turns, and only there.
    signs = np.array([m.turning for m in motions])
    assert np.count_nonzero(np.diff(signs)) == 2
    assert omega[-1] == pytest.approx(1.8)
    if harmonics == 7:
        finely = FourierBasis(7, 720).values
        size = np.array([np.abs(finely @ m.coefficients).max() for m in motions])
        assert size.max() == pytest.approx(1.5028, rel=3e-4)


def test_a_linear_oscillator_has_its_linear_answer() -> None:
    problem, load = duffing(FourierBasis(3, 64), cubic=0.0), np.array([0.1 + 0.05j])
    start = linear_start(problem, np.ones((1, 1)), load, 0.6)
    for motion in forced_response(problem, load, 2.0, (0.6, 1.8), start, size=2.0,
                                  steps=StepLengths(tolerance=1e-12)):  # fmt: skip
        omega = motion.frequency
        told = 2.0 * load[0] / (1.0 - omega**2 + 0.05j * omega)
        assert abs(motion.fundamental[0] - told) < 1e-10 * abs(told)
        np.testing.assert_allclose(
            input_work(problem, motion, load), np.pi * 0.05 * omega * abs(told) ** 2, rtol=1e-10
        )


@pytest.mark.parametrize(
    ("harmonics", "samples", "amplitude", "omega", "zeta"),
    [(1, 512, 1.0, 1.1011188, 0.0395451), (1, 512, 2.0, 1.0428506, 0.0438197)],
)
def test_the_nonlinear_mode_of_a_slider(
    harmonics: int, samples: int, amplitude: float, omega: float, zeta: float
) -> None:
    problem, _ = jenkins(FourierBasis(harmonics, samples))
    amplitudes = np.geomspace(0.1, amplitude, 8)
    motions = list(nonlinear_mode(problem, amplitudes, np.ones(1), np.sqrt(1.3), np.zeros(1)))
    assert motions[0].frequency == pytest.approx(np.sqrt(1.3), rel=1e-9)
    assert motions[0].damping == pytest.approx(0.005 / np.sqrt(1.3), rel=1e-9)
    assert motions[-1].frequency == pytest.approx(omega, rel=2e-5)
    assert motions[-1].damping == pytest.approx(zeta, rel=2e-4)


def test_work_of_a_slider_balances_the_load() -> None:
    basis = FourierBasis(7, 256)
    problem, joint = jenkins(basis)
    load = np.array([0.2 + 0j])
    start = linear_start(problem, 1.3 * np.ones((1, 1)), load, 0.5)
    slipped = 0
    for motion in forced_response(problem, load, 1.0, (0.5, 1.6), start, size=2.0):
        found = over_cycle(
            joint,
            motion.coefficients,
            basis,
            motion.frequency,
            joint.resting_history(np.zeros(1)),
            jacobian=False,
        )
        given = input_work(problem, motion, load)
        assert given == pytest.approx(damping_work(problem, motion) + found.work.sum(), rel=1e-6)
        slipped += found.slipping
        if found.slipping:
            # The loop's area, known from the largest motion; the law slips at its corners.
            reach = np.ptp(basis.values @ motion.coefficients) / 2.0
            assert found.work[0] == pytest.approx(4.0 * 0.2 * (reach - 0.2 / 0.3), rel=2e-3, abs=2e-4)
    assert slipped > 10


TWO = {
    10.0: [0.927228, 1.459787, 2.365129, 5.852056, 2.244789],
    50.0: [4.636142, 7.298934, 14.368094, 15.682494, 9.957371],
    100.0: [9.800621, 23.825111, 44.796, 26.4626, 14.72747],
}


@pytest.mark.parametrize("force", sorted(TWO))
def test_two_coordinates_with_friction(force: float) -> None:
    """Largest motion at five frequencies, as tmdsimpy and another program have it (eight harmonics, 128 samples)."""
    basis = FourierBasis(8, 128)
    problem, rest = rubbing(basis)
    load = np.array([1.0, 0.1]) * (1.0 + 0j)
    found = []
    start = linear_start(problem, np.diag([17.0, 42.0]), force * load, 2.5)
    start[0] = rest
    for lower, upper in zip([2.5, 3.2, 3.6, 4.0], [3.2, 3.6, 4.0, 4.6], strict=True):
        motions = list(forced_response(problem, load, force, (lower, upper), start, size=force / 2.0))
        if not found:
            found.append(np.abs((basis.values @ motions[0].coefficients)[:, 0]).max())
        assert motions[-1].frequency == pytest.approx(upper, rel=1e-9)
        start = motions[-1].coefficients
        found.append(np.abs((basis.values @ start)[:, 0]).max())
    np.testing.assert_allclose(found, TWO[force], rtol=3e-4)


def test_two_coordinates_all_stuck_and_without_friction() -> None:
    basis = FourierBasis(3, 64)
    load = np.array([1.0, 0.0j])
    for friction, stiffness in ((10.0, 17.0), (0.0, 12.0)):
        problem, rest = rubbing(basis, friction)
        start = linear_start(problem, np.diag([stiffness, 42.0]), 10.0 * load, 2.5)
        start[0] = rest
        for motion in forced_response(problem, load, 10.0, (2.5, 5.0), start, size=5.0):
            omega = motion.frequency
            told = 10.0 / (stiffness - omega**2 + 0.34641j * omega)
            assert abs(motion.fundamental[0] - told) < 1e-8 * abs(told)


def test_the_nonlinear_mode_of_two_coordinates() -> None:
    """tmdsimpy's numbers with 1024 samples; below the limit the linear mode of the stuck joint."""
    problem, rest = rubbing(FourierBasis(8, 1024))
    told = [(1.0219, 4.042058, 0.072673), (1.3002, 3.746076, 0.101789), (1.5919, 3.577545, 0.090912)]
    amplitudes = [1.0, 5.0, *(10.0**a for a, _, _ in told)]
    motions = list(nonlinear_mode(problem, amplitudes, np.array([1.0, 0.0]), np.sqrt(17.0), rest))
    assert motions[0].frequency == pytest.approx(4.123106, rel=1e-6)
    assert motions[0].damping == pytest.approx(0.042008, rel=1e-5)
    for motion, (_, omega, zeta) in zip(motions[2:], told, strict=True):
        assert motion.frequency == pytest.approx(omega, rel=1e-4)
        assert motion.damping == pytest.approx(zeta, rel=5e-4)


def test_resonances_lie_on_the_nonlinear_mode() -> None:
    basis = FourierBasis(1, 256)
    problem, _ = jenkins(basis)
    load = np.array([1.0 + 0j])
    x = np.zeros((3, 1))
    x[2] = -0.1 / np.sqrt(1.3)
    start = PeriodicMotion(np.array([[0.0], [0.0], [0.1]]), np.sqrt(1.3), 0.00114)
    found = list(resonances(problem, load, (0.00114, 0.2), start, size=1.0, frequency_range=1.0))
    sizes = [abs(m.fundamental[0]) for m in found]
    assert max(sizes) > 1.5
    modes = list(nonlinear_mode(problem, sizes[1:], np.ones(1), np.sqrt(1.3), np.zeros(1)))
    for motion, mode in zip(found[1:], modes, strict=True):
        assert motion.fundamental[0].real == pytest.approx(0.0, abs=1e-8)
        assert motion.frequency == pytest.approx(mode.frequency, rel=1e-6)
        # The load replaces what the mode loses: F = 2 ζ ω² a.
        assert motion.level == pytest.approx(
            2.0 * mode.damping * mode.frequency**2 * abs(mode.fundamental[0]), rel=1e-5
        )


def test_a_mode_tells_the_forced_answer() -> None:
    problem, _ = jenkins(FourierBasis(1, 256))
    load = np.array([0.2 + 0j])
    modes = list(nonlinear_mode(problem, np.geomspace(0.3, 3.0, 25), np.ones(1), np.sqrt(1.3), np.zeros(1)))
    frequencies, sizes = response_of_mode(modes, np.ones((1, 1)), load)
    start = linear_start(problem, 1.3 * np.ones((1, 1)), load, 0.5)
    motions = list(forced_response(problem, load, 1.0, (0.5, 1.6), start, size=2.0, steps=FINE))
    size = np.array([abs(m.fundamental[0]) for m in motions])
    omega = np.array([m.frequency for m in motions])
    peak = int(np.argmax(size))
    told = np.interp(sizes, size[: peak + 1], omega[: peak + 1])
    known = np.isfinite(frequencies[:, 0]) & (sizes > size[0]) & (frequencies[:, 0] > 0.5)
    assert known.sum() > 5
    np.testing.assert_allclose(frequencies[known, 0], told[known], rtol=2e-2)


def test_a_transient_that_starts_on_the_orbit_stays() -> None:
    """Newmark's average acceleration with the slider's history, two periods from a point of the answer."""
    basis = FourierBasis(15, 1024)
    problem, joint = jenkins(basis)
    load = np.array([0.2 + 0j])
    start = linear_start(problem, 1.3 * np.ones((1, 1)), load, 0.5)
    motion = list(forced_response(problem, load, 1.0, (0.5, 1.1), start, size=2.0))[-1]
    omega = motion.frequency
    assert omega == pytest.approx(1.1)
    found = over_cycle(
        joint, motion.coefficients, basis, omega, joint.resting_history(np.zeros(1)), jacobian=False
    )
    assert found.slipping == 1
    x = basis.values @ motion.coefficients
    # The slider's history at the end of the period, at the sample before θ = 0; steps go on from there.
    last = len(x) - 1
    rate = omega * basis.values @ basis.derivative(motion.coefficients)
    q, v, history = x[last], rate[last], found.pairs.history
    angles = 2.0 * np.pi * np.arange(basis.samples) / basis.samples
    h = angles[1] / omega

    def acceleration(q: np.ndarray, v: np.ndarray, angle: float, history: np.ndarray) -> np.ndarray:
        return load.real * np.cos(angle) - v * 0.01 - q + joint.evaluate(q, history, h, jacobian=False).force

    a = acceleration(q, v, angles[last], history)
    missed = 0.0
    for k in range(2 * basis.samples):
        angle, new = angles[k % basis.samples], a
        for _ in range(30):
            q_new = q + h * v + 0.25 * h * h * (a + new)
            new = acceleration(q_new, v + 0.5 * h * (a + new), angle, history)
        history = joint.evaluate(q_new, history, h, jacobian=False).history
        q, v, a = q_new, v + 0.5 * h * (a + new), new
        missed = max(missed, abs(float(q[0] - x[k % basis.samples, 0])))
    assert missed < 2e-3 * np.abs(x).max()


def test_a_curve_continues_from_any_of_its_points() -> None:
    """Past an end of the range between two folds, before the beginning, and in finer steps to the same end."""
    problem, load = duffing(FourierBasis(3, 64)), np.array([0.1 + 0j])
    start = np.zeros((7, 1))
    whole = list(forced_response(problem, load, 1.0, (0.6, 1.8), start, size=1.5))
    first = list(forced_response(problem, load, 1.0, (0.6, 1.3), start, size=1.5))
    assert first[-1].frequency == pytest.approx(1.3)  # where the curve still rises to its fold at 1.35
    usual, fine = (
        list(continued_response(problem, load, first[-1], first[-2], (0.6, 1.8), size=1.5, steps=steps))
        for steps in (StepLengths(), StepLengths(first=0.005, most=0.025))
    )
    for found in (usual, fine):
        assert found[0].frequency == pytest.approx(1.3) and found[-1].frequency == pytest.approx(1.8)
        assert abs(found[-1].fundamental - whole[-1].fundamental) < 1e-8
        assert max(each.frequency for each in found[:-1]) > 1.35  # over the folds, not across
        signs = [each.turning for each in found]
        assert sum(a * b < 0.0 for a, b in pairwise(signs)) == 2
    assert len(fine) > 1.5 * len(usual)
    back = list(continued_response(problem, load, first[0], first[1], (0.4, 1.3), size=1.5))
    assert [back[0].frequency, back[-1].frequency] == pytest.approx([0.6, 0.4])
    with pytest.raises(SolveError, match="has no direction"):
        next(continued_response(problem, load, first[0], first[0], (0.4, 1.3), size=1.5))


def test_a_curve_that_ends_says_so() -> None:
    def force(x: np.ndarray, basis: FourierBasis, omega: float, derivatives: bool) -> PeriodicForce:
        bad = np.full(x.shape, np.nan if omega > 1.2 else 0.0)
        return PeriodicForce(bad, np.zeros((x.size, x.size)) if derivatives else None)

    one = np.ones((1, 1))
    problem = PeriodicProblem(one, 0.05 * one, one, force, FourierBasis(1, 16), np.zeros(1))
    load = np.array([0.1 + 0j])
    seen = []
    with pytest.raises(SolveError, match="cannot be followed any further"):
        for motion in forced_response(problem, load, 1.0, (0.6, 1.8), np.zeros((3, 1)), size=1.0):
            seen.append(motion.frequency)
    assert 1.19 < max(seen) <= 1.2


def grown(problem: PeriodicProblem, stiffness: np.ndarray, load: np.ndarray, most: int) -> HarmonicGrowth:
    """Return the growth of harmonics, by the motion of the first coordinate."""
    return HarmonicGrowth(stiffness, np.eye(problem.r)[:1], load, most)


@pytest.mark.parametrize("most", [1, 15])
def test_duffings_oscillator_grows_its_harmonics(most: int) -> None:
    """From one harmonic to the fold of many; without growth it stays at that of one."""
    problem, load = duffing(FourierBasis(1, 64)), np.array([0.1 + 0j])
    start = linear_start(problem, np.ones((1, 1)), load, 0.6)
    enough = grown(problem, np.ones((1, 1)), load, most)
    motions = list(
        forced_response(problem, load, 1.0, (0.6, 1.8), start, size=1.5, steps=FINE, enough=enough)
    )
    omega = np.array([m.frequency for m in motions])
    found = turning_points(omega, np.array([abs(m.fundamental[0]) for m in motions]))
    told = {1: [1.350493, 1.133650], 15: [1.35328, 1.13382]}[most]
    np.testing.assert_allclose([f for f, _ in found], told, rtol=1e-4)
    harmonics = [m.harmonics for m in motions]
    assert harmonics == sorted(harmonics)
    assert motions[-1].frequency == pytest.approx(1.8)
    assert (enough.report["missed_motion"] > 1e-2) == (most == 1)
    assert (harmonics[-1] > 1) == (most == 15)


@pytest.mark.parametrize("most", [1, 15])
def test_two_coordinates_grow_their_harmonics(most: int) -> None:
    """From one harmonic to the number of eight; without growth the estimate is of the size of the error."""
    problem, rest = rubbing(FourierBasis(1, 256))
    load, force = np.array([1.0, 0.1]) * (1.0 + 0j), 50.0
    stuck = np.diag([17.0, 42.0])
    start = linear_start(problem, stuck, force * load, 2.5)
    start[0] = rest
    enough = grown(problem, stuck, load, most)
    motion = list(forced_response(problem, load, force, (2.5, 4.0), start, size=25.0, enough=enough))[-1]
    largest = np.abs((FourierBasis(motion.harmonics, 128).values @ motion.coefficients)[:, 0]).max()
    error = abs(largest / TWO[force][3] - 1.0)
    if most == 1:
        assert 1e-3 < error < enough.report["missed_work"] < 10.0 * error
    else:
        assert motion.harmonics > 1
        assert error < 3e-4
        assert enough.report["missed_work"] < 1e-3
        assert enough.report["missed_motion"] < 1e-3


def test_a_mode_grows_its_harmonics() -> None:
    """To those of tmdsimpy, with eight harmonics."""
    problem, rest = rubbing(FourierBasis(1, 512))
    enough = grown(problem, np.diag([17.0, 42.0]), np.zeros(2, complex), 15)
    motions = list(
        nonlinear_mode(
            problem,
            [1.0, 5.0, 10.0**1.0219, 10.0**1.3002],
            np.array([1.0, 0.0]),
            np.sqrt(17.0),
            rest,
            enough=enough,
        )
    )
    assert motions[0].harmonics == 1
    assert motions[-1].harmonics > 1
    assert motions[-1].frequency == pytest.approx(3.746076, rel=1e-4)
    assert motions[-1].damping == pytest.approx(0.101789, rel=1e-3)


def test_resonances_grow_their_harmonics() -> None:
    """They lie on the nonlinear mode with seven harmonics, as those with one harmonic do not."""
    missed = {}
    for most in (1, 9):
        problem, load = duffing(FourierBasis(1, 64)), np.array([1.0 + 0j])
        start = PeriodicMotion(np.array([[0.0], [0.0], [0.02]]), 1.0, 0.001)
        enough = grown(problem, np.ones((1, 1)), load, most)
        found = list(
            resonances(problem, load, (0.001, 0.1), start, size=1.5, frequency_range=1.0, enough=enough)
        )
        assert found[-1].fundamental[0].real == pytest.approx(0.0, abs=1e-8)
        assert (found[-1].harmonics > 1) == (most > 1)
        amplitudes = np.geomspace(0.02, abs(found[-1].fundamental[0]), 6)
        mode = list(nonlinear_mode(duffing(FourierBasis(7, 128)), amplitudes, np.ones(1), 1.0, np.zeros(1)))
        missed[most] = abs(found[-1].frequency / mode[-1].frequency - 1.0)
    assert missed[9] < 1e-4
    assert missed[1] > 1e-3
