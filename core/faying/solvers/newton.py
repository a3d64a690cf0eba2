"""Newton's method with a line search for equilibrium equations with stiff contact."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from faying.errors import SolveError
from faying.progress import Progress

USUAL_ITERATIONS = 20  # for the share of the work that is reported as done

_ENOUGH = 0.5  # of the energy rate that a search may leave

Residual = Callable[[np.ndarray], np.ndarray]
Tangent = Callable[[np.ndarray, np.ndarray], np.ndarray]
Energy = Callable[[np.ndarray], float]


@dataclass(frozen=True)
class NewtonReport:
    """How an iteration went: corrections made, residual evaluations, last relative energy."""

    iterations: int
    evaluations: int
    energy: float


def solve_newton(
    residual: Residual,
    correct: Tangent,
    start: np.ndarray,
    progress: Progress,
    *,
    tolerance: float = 1e-20,
    iterations: int = 80,
    what: str = "static equilibrium",
    stored: Energy | None = None,
) -> tuple[np.ndarray, NewtonReport]:
    """Return the solution of residual(x) = 0 and a report.

    Penalty contact makes the tangent jump wherever a pair opens or closes, so full steps may cycle. Each
    step is followed by a search along its direction for a small energy rate |Δx · r(x + s Δx)| (a
    frictionless joint has a convex potential, so the rate is monotone along the direction). Stops when the
    energy of a correction |Δx · r| falls below `tolerance` of what is stored (without `stored`, of the largest
    that occurred): the root of it is the relative error in the energy norm. The largest correction is a poor
    measure when the start is the solution already, or when a part held by contact alone flew away first. Stops
    as well when the corrections no longer fall because they are round-off.

    Args:
        residual: forces out of balance at x.
        correct: (x, r) -> Δx = J⁻¹ r with J = −∂r/∂x at x.
        start: first guess.
        progress: reports the iteration and live values.
        tolerance: squared relative error in the energy norm.
        iterations: at most so many corrections.
        what: name of the problem for messages.
        stored: x -> an energy of the size of the one that is stored at x.

    Raises:
        SolveError: when it does not converge, with a hint.
    """
    x = np.array(start, dtype=float)
    r = residual(x)
    evaluations, largest, energy = 1, 0.0, np.inf
    for iteration in range(iterations):
        step = correct(x, r)
        rate = float(step @ r)
        if not np.isfinite(rate):
            raise SolveError(f"The {what} has no finite correction at iteration {iteration + 1}.", _TRY)
        largest = max(largest, abs(rate))
        measure = (stored(x) if stored else 0.0) or largest
        before, energy = energy, abs(rate) / measure if measure else 0.0
        progress.report(
            min(0.99, (iteration + 1) / USUAL_ITERATIONS),
            f"iteration {iteration + 1}",
            relative_energy=energy,
            iteration=iteration + 1,
        )
        # A start that is the solution already leaves nothing but round-off to compare with; and in a stiff
        # mesh the forces' own round-off moves the body by more than the tolerance, for ever.
        # A part that flew off stores only round-off, which is large; but the step that would move it back is not small.
        short = np.abs(step).max() <= _SHORT * np.abs(x).max()
        if (
            (energy <= tolerance and short)
            or (energy <= _SMALL and np.abs(step).max() <= _ROUND_OFF * np.abs(x).max())
            or (energy <= _STALLED and energy > 0.01 * before and short)
        ):
            return x + step, NewtonReport(iteration, evaluations, energy)
        length, r, used = search_line(residual, x, step, rate)
        evaluations += used
        x = x + length * step
    raise SolveError(
        f"The {what} did not converge in {iterations} iterations (relative energy {energy:.1e}).", _TRY
    )


_ROUND_OFF = 1e-10  # of the largest unknown
_SMALL = 1e-8  # energy limit also for a correction that is small relative to x: a part may have flown off
_SHORT = 1e-3  # of the largest unknown, a correction that ends the iteration
_STALLED = 1e-14  # energy below which corrections that do not fall by powers of ten are round-off
_TRY = "Try a smaller contact stiffness, a smaller load, or more load steps."


def search_line(
    residual: Residual,
    x: np.ndarray,
    step: np.ndarray,
    rate: float,
    most: int = 40,
    rate_of: Callable[[np.ndarray, np.ndarray], float] = lambda step, r: float(step @ r),
    enough: float = _ENOUGH,
) -> tuple[float, np.ndarray, int]:
    """Return (length, residual there, evaluations) along a step; the rate Δx · r falls below half its start.

    Regula falsi between a length whose rate has the start's sign and one that has the other; where that
    converges slowly, as it does when a stiff contact closes on the way, bisection replaces it. At most `most`
    evaluations; the last one is then returned. `rate_of` gives Δx · r where not all unknowns count. A part of a step
    is taken only where its rate is below `enough` of the start: half of it would be half the step whenever a stiff
    contact stands near the step's end, over and over.
    """
    low, low_rate, high, high_rate = 0.0, rate, 1.0, 0.0
    candidate, width = 1.0, 1.0
    for evaluation in range(1, most + 1):
        length = candidate
        r = residual(x + length * step)
        trial = rate_of(step, r)
        allowed = (_ENOUGH if length == 1.0 else enough) * abs(rate)
        if abs(trial) <= allowed or (trial * rate > 0 and length == 1.0):
            break
        if trial * rate < 0:
            high, high_rate = length, trial
        else:
            low, low_rate = length, trial
        narrow = high - low < 0.5 * width
        width = high - low
        candidate = low + width * (low_rate / (low_rate - high_rate) if narrow or evaluation == 1 else 0.5)
    return length, r, evaluation
