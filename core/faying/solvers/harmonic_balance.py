"""Periodic motions by harmonic balance: forced ones over frequency, resonances over load, and nonlinear modes.

The motion q(θ) = Σ_a X_a b_a(θ), θ = ω t, has the coefficients X (size, r) over a Fourier basis
(`faying.joints.fourier`), and so have all forces. Each harmonic h of M q̈ + D q̇ + K q − Q = f gives two rows,

    (K − h²ω²M) X_c + hω D X_s − Q̂_c = f_c,    (K − h²ω²M) X_s − hω D X_c − Q̂_s = f_s,

and the mean K X₀ − Q̂₀ = f₀ (Cameron and Griffin 1989; Krack and Gross 2019, Harmonic balance for nonlinear vibration
problems). Free motion with friction is periodic with a negative damping force −2ζω M q̇ that replaces what friction and
damping take: the nonlinear mode as an extended periodic motion (Krack 2015, Comput. Struct. 154, 59-71).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from faying.errors import SolveError
from faying.joints.fourier import FourierBasis, samples_for
from faying.solvers.arc_length import CurveEquations, CurvePoint, StepLengths, follow, solve_point, tangent_at


@dataclass(frozen=True, eq=False)
class PeriodicForce:
    """Coefficients of a nonlinear force on the structure, and their derivatives.

    Attributes:
        force: (size, r).
        jacobian: (size · r, size · r) by the coefficients of the motion; None if not requested.
        by_frequency: (size, r) by the angular frequency; None for zero.
    """

    force: np.ndarray
    jacobian: np.ndarray | None = None
    by_frequency: np.ndarray | None = None


NonlinearForce = Callable[[np.ndarray, FourierBasis, float, bool], PeriodicForce]
"""(coefficients (size, r), basis, ω, whether with derivatives) -> force."""


@dataclass(frozen=True, eq=False)
class PeriodicProblem:
    """A structure that vibrates, with a nonlinear force.

    Attributes:
        mass, damping, stiffness: M, D and K (r, r).
        force: nonlinear force Q on the structure.
        basis: harmonics and samples.
        constant: (r,) load that does not change.
        structural: (r, r) loss stiffness of damping that does not depend on frequency; None for none.
    """

    mass: np.ndarray
    damping: np.ndarray
    stiffness: np.ndarray
    force: NonlinearForce
    basis: FourierBasis
    constant: np.ndarray
    structural: np.ndarray | None = None

    @property
    def r(self) -> int:
        """Number of coordinates."""
        return len(self.mass)

    def linear_force(self, x: np.ndarray, omega: float) -> np.ndarray:
        """Return (size, r) M q̈ + D q̇ + K q."""
        rate = self.basis.derivative(x)
        found = x @ self.stiffness.T + omega * (rate @ self.damping.T)
        found -= omega**2 * self.basis.orders[:, None] ** 2 * (x @ self.mass.T)
        if self.structural is not None:
            found += (rate / np.maximum(self.basis.orders, 1)[:, None]) @ self.structural.T
        return np.asarray(found)

    def linear_force_by_frequency(self, x: np.ndarray, omega: float) -> np.ndarray:
        """Return (size, r) the derivative of `linear_force` by ω."""
        found = self.basis.derivative(x) @ self.damping.T
        return np.asarray(found - 2.0 * omega * self.basis.orders[:, None] ** 2 * (x @ self.mass.T))

    def in_harmonic(
        self, h: int | np.ndarray, omega: float, extra_damping: np.ndarray | None = None
    ) -> np.ndarray:
        """Return (…, r, r) the complex dynamic stiffness K − h²ω²M + i h ω D in harmonics h.

        Args:
            h: (…) harmonics, from one.
            omega: ω.
            extra_damping: (r, r) added to D.
        """
        damping = self.damping if extra_damping is None else self.damping + extra_damping
        rate = omega * np.asarray(h)[..., None, None]
        found = np.empty((*np.shape(h), self.r, self.r), complex)
        found.real = self.stiffness - rate**2 * self.mass
        found.imag = rate * damping
        if self.structural is not None:
            found.imag += self.structural
        return found

    def dynamic_stiffness(self, omega: float, extra_damping: np.ndarray | None = None) -> np.ndarray:
        """Return (size · r, size · r) the derivative of `linear_force` by the coefficients.

        Args:
            omega, extra_damping: see `in_harmonic`.
        """
        size, r = self.basis.size, self.r
        found = np.zeros((size, r, size, r))
        found[0, :, 0] = self.stiffness
        h = np.arange(1, self.basis.harmonics + 1)
        c, s, own = 2 * h - 1, 2 * h, self.in_harmonic(h, omega, extra_damping)
        found[c, :, c] = found[s, :, s] = own.real
        found[c, :, s], found[s, :, c] = own.imag, -own.imag
        return found.reshape(size * r, size * r)

    def load(self, amplitude: np.ndarray) -> np.ndarray:
        """Return (size, r) the coefficients of Re(amplitude e^{iθ}), of a complex amplitude (r,)."""
        found = np.zeros((self.basis.size, self.r))
        found[1], found[2] = amplitude.real, -amplitude.imag
        return found

    def with_harmonics(self, harmonics: int) -> "PeriodicProblem":
        """Return the same problem with another number of harmonics, and more samples where these need them."""
        if harmonics == self.basis.harmonics:
            return self
        samples = max(self.basis.samples, samples_for(harmonics))
        return replace(self, basis=FourierBasis(harmonics, samples))

    def of_motion(self, motion: "PeriodicMotion") -> "PeriodicProblem":
        """Return the same problem with the harmonics of a motion."""
        return self.with_harmonics(motion.harmonics)


@dataclass(frozen=True, eq=False)
class PeriodicMotion:
    """A solution.

    Attributes:
        coefficients: (size, r) X.
        frequency: angular frequency ω.
        level: factor of the load; 0 of a nonlinear mode.
        damping: ratio ζ of a nonlinear mode; 0 of a forced motion.
        corrections: number of corrections.
        residual: what is left of the balance, over the size of the loads.
        turning: see `faying.solvers.arc_length.CurvePoint`; 0 where it is not known.
    """

    coefficients: np.ndarray
    frequency: float
    level: float
    damping: float = 0.0
    corrections: int = 0
    residual: float = 0.0
    turning: float = 0.0

    @property
    def harmonics(self) -> int:
        """The highest harmonic."""
        return len(self.coefficients) // 2

    @property
    def fundamental(self) -> np.ndarray:
        """(r,) complex amplitudes of the first harmonic, of Re(x e^{iθ})."""
        return np.asarray(self.coefficients[1] - 1j * self.coefficients[2])


EnoughHarmonics = Callable[[PeriodicProblem, PeriodicMotion, bool], bool]
"""(problem, motion, whether it may have more) -> whether a motion has enough harmonics.

Where not, its point of the curve is repeated with two more, which are kept from there on. If no solution with more of
them is found, the function is called again, and they are tried at the next point.
"""


def always_enough(problem: PeriodicProblem, motion: PeriodicMotion, may_grow: bool) -> bool:
    """Return True: all motions have the harmonics of the problem."""
    return True


@dataclass(frozen=True, eq=False)
class _Scales:
    """Sizes by which unknowns and residuals are divided: of each coordinate's motion, frequency, level and forces."""

    motion: np.ndarray
    frequency: float
    level: float
    force: float


def forced_response(
    problem: PeriodicProblem,
    amplitude: np.ndarray,
    level: float,
    frequencies: tuple[float, float],
    start: np.ndarray,
    *,
    size: float,
    steps: StepLengths | None = None,
    enough: EnoughHarmonics = always_enough,
) -> Iterator[PeriodicMotion]:
    """Yield the periodic answers to a load over frequency; the curve may turn back, and ends where it leaves the range.

    Args:
        problem: the structure.
        amplitude: (r,) complex amplitude of the load at level 1.
        level: factor of the load.
        frequencies: angular frequencies where the range begins and ends; the first may be the larger one.
        start: (size, r) first guess of the coefficients at the first frequency.
        size: of the motion, by which it is scaled: its largest coefficient in the curve, roughly.
        steps: arc lengths, in parts of the range and of `size`.
        enough: whether a motion has enough harmonics.

    Raises:
        SolveError: when the curve cannot be followed; what was yielded is valid.
    """
    begin, end = frequencies
    scales = _scales(problem, amplitude, level, size, abs(end - begin), start[0])
    equations = _Forced(problem, amplitude, scales, level)
    direction = np.zeros(equations.unknowns)
    direction[-1] = np.sign(end - begin)
    try:
        first = _under_growing_load(problem, amplitude, scales, level, equations.packed(start, begin), steps)
        yield from _within(equations, first, direction, frequencies, steps or StepLengths(), enough)
    except SolveError as error:
        raise SolveError(error.message, _MORE_SAMPLES) from None


def continued_response(
    problem: PeriodicProblem,
    amplitude: np.ndarray,
    start: PeriodicMotion,
    before: PeriodicMotion,
    frequencies: tuple[float, float],
    *,
    size: float,
    steps: StepLengths | None = None,
    enough: EnoughHarmonics = always_enough,
) -> Iterator[PeriodicMotion]:
    """Yield the periodic answers from a point of a curve on, until the curve leaves the range; the point comes first.

    Args:
        problem, amplitude, size, steps, enough: see `forced_response`; the problem has at least the harmonics of both
            motions.
        start: the point; its level is that of the load.
        before: another point of the curve, close to it, from which the curve leads to `start`.
        frequencies: angular frequencies between which the curve is followed.

    Raises:
        SolveError: when both points are the same or the curve cannot be followed; what was yielded is valid.
    """
    low, high = sorted(frequencies)
    scales = _scales(problem, amplitude, start.level, size, high - low, start.coefficients[0])
    equations = _Forced(problem, amplitude, scales, start.level)
    first = equations.packed(start.coefficients, start.frequency)
    direction = first - equations.packed(before.coefficients, before.frequency)
    length = float(np.linalg.norm(direction))
    if not length:
        raise SolveError(
            "Two points of the curve are the same, so that it has no direction.", "Begin at another point."
        )
    try:
        yield from _within(equations, first, direction / length, (low, high), steps or StepLengths(), enough)
    except SolveError as error:
        raise SolveError(error.message, _MORE_SAMPLES) from None


def _within(
    equations: "_Forced",
    first: np.ndarray,
    direction: np.ndarray,
    frequencies: tuple[float, float],
    steps: StepLengths,
    enough: EnoughHarmonics,
) -> Iterator[PeriodicMotion]:
    """Yield the motions of a curve until it leaves the range; the last one is at that end of it.

    The first one is within the range, or at its end.
    """
    low, high = min(frequencies), max(frequencies)
    before: PeriodicMotion | None = None
    for growing, point in _followed(equations, first, direction, steps, enough):
        found = growing.motion(point)
        if low * (1.0 - 1e-12) <= found.frequency <= high * (1.0 + 1e-12):
            yield found
            before = found
            continue
        end = low if found.frequency < low else high
        guess = growing.packed(found.coefficients, end)
        if before is not None:  # between both points: near a fold the one outside leads nowhere
            share = (end - before.frequency) / (found.frequency - before.frequency)
            guess = share * guess + (1.0 - share) * growing.packed(before.coefficients, end)
        row = np.zeros(len(guess))
        row[-1] = 1.0
        z, count, residual = solve_point(growing, guess, row, float(guess[-1]), steps)
        at_end = growing.motion(CurvePoint(z, point.tangent, count, residual, point.turning))
        yield at_end
        if before is not None:
            return
        before = at_end  # more harmonics have moved the first point a little way out of the range


def _followed(
    equations: "_Growing",
    first: np.ndarray,
    direction: np.ndarray,
    steps: StepLengths,
    enough: EnoughHarmonics,
) -> Iterator[tuple[Any, CurvePoint]]:
    """Yield the points of a curve with their equations, which have more harmonics from where they are needed."""
    while True:
        for point in follow(equations, first, direction, steps):
            motion = equations.motion(point)
            if not enough(equations.problem, motion, True):
                more = equations.grown()
                start, ahead = equations.with_two_more(point.z), equations.with_two_more(point.tangent)
                patient = replace(steps, corrections=_PATIENT)
                try:
                    first = solve_point(more, start, ahead, float(ahead @ start), patient)[0]
                except SolveError:
                    enough(equations.problem, motion, False)
                else:
                    equations, direction = more, ahead
                    break
            yield equations, point


def _under_growing_load(
    problem: PeriodicProblem,
    amplitude: np.ndarray,
    scales: _Scales,
    level: float,
    z: np.ndarray,
    steps: StepLengths | None,
) -> np.ndarray:
    """Return the unknowns at the first frequency, from a guess: at once, or through smaller levels of the load."""
    row = np.zeros(len(z))
    row[-1] = 1.0
    for count in (1, 4, 16):
        found, done = z, level
        try:
            for share in np.linspace(0.0, 1.0, count + 1)[1:]:
                equations = _Forced(problem, amplitude, scales, level * share)
                guess = found.copy()
                guess[problem.r : -1] *= level * share / done
                found, done = (
                    solve_point(equations, guess, row, float(z[-1]), steps or StepLengths())[0],
                    level * share,
                )
            return found
        except SolveError:
            continue
    raise SolveError("No periodic answer was found at the first frequency.", _MORE_SAMPLES)


def resonances(
    problem: PeriodicProblem,
    amplitude: np.ndarray,
    levels: tuple[float, float],
    start: PeriodicMotion,
    *,
    size: float,
    frequency_range: float,
    steps: StepLengths | None = None,
    enough: EnoughHarmonics = always_enough,
) -> Iterator[PeriodicMotion]:
    """Yield the motions in phase resonance with a growing load: the load's motion lags behind it by a quarter period.

    Then all of the load's power goes into damping, and the load replaces what a free motion would lose.

    Args:
        problem, amplitude, size, steps, enough: see `forced_response`.
        levels: from the first level to the last one.
        start: a motion near resonance at the first level.
        frequency_range: scale of the angular frequency.

    Raises:
        SolveError: as `forced_response`.
    """
    scales = _scales(problem, amplitude, levels[1], size, frequency_range, start.coefficients[0])
    equations = _Resonant(problem, amplitude, scales)
    direction = np.zeros(equations.unknowns)
    direction[-1] = np.sign(levels[1] - levels[0])
    begin = np.append(equations.packed(start.coefficients, start.frequency), levels[0] / scales.level)
    try:
        for growing, point in _followed(equations, begin, direction, steps or StepLengths(), enough):
            found = growing.motion(point)
            if (found.level - levels[1]) * np.sign(levels[1] - levels[0]) > 0.0:
                return
            yield found
    except SolveError as error:
        raise SolveError(error.message, _MORE_SAMPLES) from None


def nonlinear_mode(
    problem: PeriodicProblem,
    amplitudes: Sequence[float],
    shape: np.ndarray,
    frequency: float,
    start: np.ndarray,
    *,
    measure: np.ndarray | None = None,
    tolerance: float = 1e-9,
    enough: EnoughHarmonics = always_enough,
    after: PeriodicMotion | None = None,
) -> Iterator[PeriodicMotion]:
    """Yield the free periodic motions of a mode at growing amplitudes, with frequency and damping ratio.

    Args:
        problem: the structure.
        amplitudes: ascending; of the first harmonic, √(x̄ᵀ S x).
        shape: (r,) of the linear mode at small amplitudes.
        frequency: its angular frequency.
        start: (r,) mean position at rest.
        measure: S (r, r); the mass if None, so that amplitudes are modal ones.
        tolerance: of the residual, over the largest force of inertia.
        enough: whether a motion has enough harmonics.
        after: the mode's motion at a smaller amplitude, from which it goes on; None for the linear mode.

    Raises:
        SolveError: when a point is not found even by short steps from the last one; names the amplitude.
    """
    counted = problem.mass if measure is None else measure
    unit = shape / np.sqrt(shape @ counted @ shape)
    damping = float(shape @ problem.damping @ shape / (2.0 * frequency * (shape @ problem.mass @ shape)))
    if problem.structural is not None:
        damping += float(
            0.5 * shape @ problem.structural @ shape / (frequency**2 * (shape @ problem.mass @ shape))
        )
    if after is None:
        x = np.zeros((problem.basis.size, problem.r))
        x[0] = start
        motion, done = PeriodicMotion(x, frequency, 0.0, damping), 0.0
    else:
        first, problem = after.fundamental, problem.of_motion(after)
        motion, done = after, float(np.sqrt((first.conj() @ counted @ first).real))
    for amplitude in amplitudes:
        motion = _to_amplitude(problem, counted, unit, motion, done, amplitude, tolerance)
        done = amplitude
        while not enough(problem, motion, True):
            more = problem.with_harmonics(motion.harmonics + 2)
            try:
                motion = _to_amplitude(more, counted, unit, motion, done, amplitude, tolerance)
            except SolveError:
                enough(problem, motion, False)
                break
            problem = more
        yield motion


def response_of_mode(
    mode: Sequence[PeriodicMotion], mass: np.ndarray, load: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, 2) angular frequencies and (n,) modal amplitudes of the forced motion that a nonlinear mode predicts.

    With the modal amplitude a, the mode's ω and ζ and the modal force F = |φ̄ᵀ f| the frequencies Ω of the load below
    and above resonance follow from |ω² − Ω² + 2iζωΩ| a = F (Krack and Gross 2019, section 4.3); not a number where the
    load does not reach the amplitude.

    Args:
        mode: motions of a nonlinear mode.
        mass: M (r, r).
        load: (r,) complex amplitude.
    """
    sizes = np.array([np.sqrt((m.fundamental.conj() @ mass @ m.fundamental).real) for m in mode])
    forces = np.array([abs(m.fundamental.conj() @ load) for m in mode]) / sizes
    omega, zeta = np.array([m.frequency for m in mode]), np.array([m.damping for m in mode])
    # Ω⁴ − 2 ω² (1 − 2ζ²) Ω² + ω⁴ = (F/a)².
    middle = omega**2 * (1.0 - 2.0 * zeta**2)
    inside = middle**2 - omega**4 + (forces / sizes) ** 2
    root = np.sqrt(np.where(inside >= 0.0, inside, np.nan))
    lower = middle - root
    found = np.stack([np.sqrt(np.where(lower >= 0.0, lower, np.nan)), np.sqrt(middle + root)], axis=1)
    return found, sizes


def input_work(problem: PeriodicProblem, motion: PeriodicMotion, amplitude: np.ndarray) -> float:
    """Return the work of the load in a period, ∮ f · dq."""
    problem = problem.of_motion(motion)
    load = motion.level * problem.load(amplitude)
    return float(np.pi * np.sum(load * problem.basis.derivative(motion.coefficients)))


def damping_work(problem: PeriodicProblem, motion: PeriodicMotion) -> float:
    """Return the work that the linear damping takes in a period, Σ π h² ω x̄ᵀ D x and Σ π h x̄ᵀ E x."""
    problem = problem.of_motion(motion)
    rate = problem.basis.derivative(motion.coefficients)
    found = motion.frequency * np.sum(rate * (rate @ problem.damping.T))
    if problem.structural is not None:
        order = np.maximum(problem.basis.orders, 1)[:, None]
        found += np.sum(rate * ((rate / order) @ problem.structural.T))
    return float(np.pi * found)


_OF_STATIC = 1e-3  # of the static forces: residuals are judged by it where loads are smaller
_PATIENT = 25  # corrections of a point that has no shorter step to be reached by
_FEW = 6  # corrections of a step to a larger amplitude that has the right length
_LEAST_RATIO = 1.01  # of two amplitudes, below which no motion is looked for between them
_SMALLEST = 1e-4  # of the first amplitude: the smallest one at which the linear mode is a first guess
_MORE_SAMPLES = "Try more samples, shorter steps, or a friction law with a sliding stiffness above zero."


def _scales(
    problem: PeriodicProblem,
    amplitude: np.ndarray,
    level: float,
    motion: float,
    frequencies: float,
    rest: np.ndarray,
) -> _Scales:
    """Return the scales; `rest` (r,) is the mean position, whose forces decide what is round-off."""
    force = max(float(np.abs(amplitude).max()) * abs(level), _static_size(problem, rest))
    return _Scales(np.full(problem.r, motion), frequencies, abs(level), force)


def _static_size(problem: PeriodicProblem, rest: np.ndarray) -> float:
    """Return a size of force below whose 1e-10th part residuals are round-off of the static forces."""
    still = max(float(np.abs(problem.constant).max()), float(np.abs(problem.stiffness @ rest).max()))
    return max(_OF_STATIC * still, float(np.finfo(float).tiny))


class _Growing(CurveEquations, Protocol):
    """Equations of a curve of periodic motions, which can be written for more harmonics."""

    @property
    def problem(self) -> PeriodicProblem:
        """The structure, with the harmonics of the motions."""

    def motion(self, point: CurvePoint) -> PeriodicMotion:
        """Return the motion of a point of the curve."""

    def grown(self) -> "_Growing":
        """Return the equations with two harmonics more."""

    def with_two_more(self, z: np.ndarray) -> np.ndarray:
        """Return unknowns of the grown equations: those of these, and zeros."""


class _Forced:
    """Balance of all harmonics under a load; unknowns are the coefficients and ω, scaled."""

    def __init__(
        self, problem: PeriodicProblem, amplitude: np.ndarray, scales: _Scales, level: float
    ) -> None:
        self._problem, self._scales, self._level = problem, scales, level
        self._amplitude = amplitude
        self._load = problem.load(amplitude)
        self._constant = np.zeros_like(self._load)
        self._constant[0] = problem.constant
        self._columns = np.tile(scales.motion, problem.basis.size)

    @property
    def problem(self) -> PeriodicProblem:
        """The structure, with the harmonics of the motions."""
        return self._problem

    @property
    def unknowns(self) -> int:
        """Number of them."""
        return self._load.size + 1

    def grown(self) -> "_Forced":
        """Return the equations with two harmonics more."""
        more = self._problem.with_harmonics(self._problem.basis.harmonics + 2)
        return _Forced(more, self._amplitude, self._scales, self._level)

    def with_two_more(self, z: np.ndarray) -> np.ndarray:
        """Return unknowns of the grown equations: those of these, and zeros."""
        return _with_two_more(z, self._load)

    def packed(self, coefficients: np.ndarray, omega: float) -> np.ndarray:
        """Return the unknowns of coefficients, padded to the basis, and ω."""
        x = self._problem.basis.padded(coefficients)
        return np.append(x.ravel() / self._columns, omega / self._scales.frequency)

    def motion(self, point: CurvePoint) -> PeriodicMotion:
        """Return the motion of a point of the curve."""
        x, omega = self._unpacked(point.z)
        residual, turning = point.residual, point.turning
        return PeriodicMotion(x, omega, self._level, 0.0, point.corrections, residual, turning)

    def residual(self, z: np.ndarray) -> np.ndarray:
        """Return (n,) forces out of balance over the size of the load."""
        x, omega = self._unpacked(z)
        answer = self._problem.force(x, self._problem.basis, omega, False)
        return self._balance(x, omega, answer, self._level)

    def linearized(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the residual and its derivative."""
        x, omega = self._unpacked(z)
        answer = self._problem.force(x, self._problem.basis, omega, True)
        return self._balance(x, omega, answer, self._level), self._derivative(x, omega, answer)

    def _unpacked(self, z: np.ndarray) -> tuple[np.ndarray, float]:
        n = self._load.size
        return (z[:n] * self._columns).reshape(self._load.shape), float(z[n] * self._scales.frequency)

    def _balance(self, x: np.ndarray, omega: float, answer: PeriodicForce, level: float) -> np.ndarray:
        out = self._problem.linear_force(x, omega) - answer.force - level * self._load - self._constant
        return np.asarray(out.ravel() / self._scales.force)

    def _derivative(self, x: np.ndarray, omega: float, answer: PeriodicForce) -> np.ndarray:
        assert answer.jacobian is not None
        by_frequency = self._problem.linear_force_by_frequency(x, omega)
        if answer.by_frequency is not None:
            by_frequency = by_frequency - answer.by_frequency
        found = np.empty((x.size, x.size + 1))
        found[:, :-1] = self._problem.dynamic_stiffness(omega)
        found[:, :-1] -= answer.jacobian
        found[:, :-1] *= self._columns / self._scales.force
        found[:, -1] = self._scales.frequency / self._scales.force * by_frequency.ravel()
        return found


class _Resonant:
    """The balance with the level of the load as an unknown, and the load's motion a quarter period behind it."""

    def __init__(self, problem: PeriodicProblem, amplitude: np.ndarray, scales: _Scales) -> None:
        self._problem, self._scales, self._amplitude = problem, scales, amplitude
        self._load = problem.load(amplitude)
        # Re(f̄ᵀ x₁): the part of the motion in phase with the load.
        size = float(np.linalg.norm(amplitude)) * scales.motion.max()
        self._in_phase = np.append(
            (self._load / size).ravel() * np.tile(scales.motion, problem.basis.size), 0.0
        )
        self._forced = _Forced(problem, amplitude, scales, 0.0)

    @property
    def problem(self) -> PeriodicProblem:
        """The structure, with the harmonics of the motions."""
        return self._problem

    @property
    def unknowns(self) -> int:
        """Number of them."""
        return self._load.size + 2

    def grown(self) -> "_Resonant":
        """Return the equations with two harmonics more."""
        more = self._problem.with_harmonics(self._problem.basis.harmonics + 2)
        return _Resonant(more, self._amplitude, self._scales)

    def with_two_more(self, z: np.ndarray) -> np.ndarray:
        """Return unknowns of the grown equations: those of these, and zeros."""
        return _with_two_more(z, self._load)

    def packed(self, coefficients: np.ndarray, omega: float) -> np.ndarray:
        """Return all unknowns but the level."""
        return self._forced.packed(coefficients, omega)

    def motion(self, point: CurvePoint) -> PeriodicMotion:
        """Return the motion of a point of the curve."""
        found = self._forced.motion(replace(point, z=point.z[:-1]))
        return replace(found, level=float(point.z[-1] * self._scales.level))

    def residual(self, z: np.ndarray) -> np.ndarray:
        """Return (n,) the balance and the phase."""
        return self._with_level(self._forced.residual(z[:-1]), z)

    def linearized(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the residual and its derivative."""
        residual, matrix = self._forced.linearized(z[:-1])
        by_level = -self._load.ravel() * self._scales.level / self._scales.force
        whole = np.vstack([np.column_stack([matrix, by_level]), np.append(self._in_phase, 0.0)])
        return self._with_level(residual, z), whole

    def _with_level(self, residual: np.ndarray, z: np.ndarray) -> np.ndarray:
        level = float(z[-1] * self._scales.level)
        loaded = residual - level * self._load.ravel() / self._scales.force
        return np.append(loaded, self._in_phase @ z[:-1])


def _with_two_more(z: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Return unknowns with zeros for two more harmonics after their coefficients, which are (size, r)."""
    size, r = coefficients.shape
    return np.concatenate([z[: size * r], np.zeros(4 * r), z[size * r :]])


class _Mode:
    """The balance of free motion at a given amplitude; unknowns are the coefficients, ω, ζ and the amplitude."""

    def __init__(
        self,
        problem: PeriodicProblem,
        measure: np.ndarray,
        shape: np.ndarray,
        amplitude: float,
        omega: float,
        rest: np.ndarray,
    ) -> None:
        self._problem, self._measure = problem, measure
        self._size = amplitude
        self._omega = omega
        self._columns = np.full(problem.basis.size * problem.r, amplitude)
        inertia = float(np.abs(problem.mass @ shape).max()) * omega**2 * amplitude
        self._force = max(inertia, _static_size(problem, rest))
        self._shape = problem.mass @ shape / (shape @ problem.mass @ shape)
        self._constant = np.zeros((problem.basis.size, problem.r))
        self._constant[0] = problem.constant

    def packed(self, motion: PeriodicMotion, amplitude: float) -> np.ndarray:
        """Return the unknowns."""
        x = self._problem.basis.padded(motion.coefficients).ravel() / self._columns
        return np.concatenate([x, [motion.frequency / self._omega, motion.damping, amplitude / self._size]])

    def motion(self, z: np.ndarray, corrections: int, residual: float) -> PeriodicMotion:
        """Return the motion of a solution."""
        x, omega, zeta, _ = self._unpacked(z)
        return PeriodicMotion(x, omega, 0.0, zeta, corrections, residual)

    def residual(self, z: np.ndarray) -> np.ndarray:
        """Return (n,) the balance, the amplitude and the phase."""
        x, omega, _, _ = self._unpacked(z)
        return self._balance(z, self._problem.force(x, self._problem.basis, omega, False))

    def linearized(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the residual and its derivative."""
        problem = self._problem
        x, omega, zeta, amplitude = self._unpacked(z)
        answer = problem.force(x, problem.basis, omega, True)
        assert answer.jacobian is not None
        n = x.size
        rate = problem.basis.derivative(x) @ problem.mass.T
        found = np.zeros((n + 2, n + 3))
        replaced = -2.0 * zeta * omega * problem.mass
        by_motion = problem.dynamic_stiffness(omega, replaced) - answer.jacobian
        found[:n, :n] = by_motion * self._columns / self._force
        by_omega = problem.linear_force_by_frequency(x, omega) - 4.0 * zeta * omega * rate
        if answer.by_frequency is not None:
            by_omega = by_omega - answer.by_frequency
        found[:n, n] = self._omega * by_omega.ravel() / self._force
        found[:n, n + 1] = -2.0 * omega**2 * rate.ravel() / self._force
        by_size = np.zeros_like(x)
        by_size[1:3] = 2.0 * x[1:3] @ self._measure / self._size**2
        found[n, :n] = by_size.ravel() * self._columns
        found[n, n + 2] = -2.0 * amplitude / self._size
        phase = np.zeros_like(x)
        phase[2] = self._shape
        found[n + 1, :n] = phase.ravel() * self._columns / self._size
        return self._balance(z, answer), found

    def _unpacked(self, z: np.ndarray) -> tuple[np.ndarray, float, float, float]:
        n = len(self._columns)
        x = (z[:n] * self._columns).reshape(-1, self._problem.r)
        return x, float(z[n] * self._omega), float(z[n + 1]), float(z[n + 2] * self._size)

    def _balance(self, z: np.ndarray, answer: PeriodicForce) -> np.ndarray:
        problem = self._problem
        x, omega, zeta, amplitude = self._unpacked(z)
        free = problem.linear_force(x, omega) - answer.force - self._constant
        free -= 2.0 * zeta * omega**2 * (problem.basis.derivative(x) @ problem.mass.T)
        size = np.einsum("ai,ij,aj->", x[1:3], self._measure, x[1:3]) - amplitude**2
        return np.concatenate(
            [free.ravel() / self._force, [size / self._size**2, self._shape @ x[2] / self._size]]
        )


def _to_amplitude(
    problem: PeriodicProblem,
    measure: np.ndarray,
    shape: np.ndarray,
    motion: PeriodicMotion,
    done: float,
    amplitude: float,
    tolerance: float,
) -> PeriodicMotion:
    """Return the motion at an amplitude from that at `done`, by as many steps as it takes.

    Before the first motion `done` is zero, and the linear mode is the first guess at a smaller amplitude if need be.
    """
    found, at, target = motion, done, amplitude
    while True:
        try:
            found = _one_step(problem, measure, shape, found, at, target, tolerance)
        except SolveError:
            # Half of the step at equal ratios.
            target = np.sqrt(at * target) if at else 0.25 * target
            if at == amplitude or target < max(_LEAST_RATIO * at, _SMALLEST * amplitude):
                raise SolveError(
                    f"No free periodic motion was found at the amplitude {amplitude:.4g}.", _MORE_SAMPLES
                ) from None
            continue
        if target == amplitude:
            return found
        ratio = (target / at if at else 2.0) ** np.clip(_FEW / max(found.corrections, 1), 0.5, 2.0)
        at, target = target, min(amplitude, target * ratio)


def _one_step(
    problem: PeriodicProblem,
    measure: np.ndarray,
    shape: np.ndarray,
    motion: PeriodicMotion,
    at: float,
    target: float,
    tolerance: float,
) -> PeriodicMotion:
    """Return the motion at the target, from that at an amplitude; from the linear mode where that is zero."""
    equations = _Mode(problem, measure, shape, target, motion.frequency, motion.coefficients[0])
    if not at:
        x = motion.coefficients.copy()
        x[1] = target * shape
        motion = replace(motion, coefficients=x)
    start = equations.packed(motion, at or target)
    row = np.zeros(len(start))
    row[-1] = 1.0
    if at and at != target:
        ahead = tangent_at(equations, start, row)[0]
        start = start + (1.0 - start[-1]) / ahead[-1] * ahead
    z, corrections, residual = solve_point(equations, start, row, 1.0, StepLengths(tolerance=tolerance))
    return equations.motion(z, corrections, residual)
