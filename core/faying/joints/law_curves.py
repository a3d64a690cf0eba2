"""Curves of contact and friction laws, and laws matched to one another. Pure functions over whole families."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from faying.errors import ModelError
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.params import Member, Spec, fields_of, parameter
from faying.progress import Progress, Silent

L = TypeVar("L", bound=Member)

_STEPS = 240  # of a cycle
_REPORT_EVERY = 40
_GAPS = 601
_LARGEST_POWER = 40.0  # matching scales a parameter by at most two to this power
_SMALLEST_STEP = 1e-3


class GapRange(Spec):
    """From penetration to opening."""

    penetration: float = parameter(
        title="Penetration", quantity="length", gt=0.0, meaning="Largest penetration of the curve."
    )
    opening: float = parameter(
        0.0, title="Opening", quantity="length", ge=0.0, meaning="Largest gap of the curve."
    )


class SlipCycles(Spec):
    """A sinusoidal slip in one direction under constant pressure: from the middle to one side, then the cycles."""

    amplitude: float = parameter(
        title="Slip amplitude", quantity="length", gt=0.0, meaning="Largest slip to either side."
    )
    pressure: float = parameter(
        title="Pressure", quantity="stress", gt=0.0, meaning="Constant contact pressure during the cycles."
    )
    cycles: int = parameter(
        1, title="Cycles", ge=1, le=100,
        meaning="Number of cycles, each from one turning point to the next on that side; the last one gives the work. "
        "Laws that depend on the slip velocity need several until cycles are alike.",
    )  # fmt: skip
    frequency: float = parameter(
        1.0, title="Frequency", quantity="frequency", gt=0.0,
        meaning="Cycles per time; of account for laws that depend on the slip velocity.",
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class HysteresisLoop:
    """Friction stress under `SlipCycles`.

    Attributes:
        slip, stress: (n,) along the whole path, beginning at zero.
        work: dissipated in the last cycle, per area.
        steps: number of steps of a cycle.
    """

    slip: np.ndarray
    stress: np.ndarray
    work: float
    steps: int = _STEPS


def gaps_of(span: GapRange, laws: tuple[ContactLaw, ...] = ()) -> np.ndarray:
    """Return (n,) ascending gaps over the range, with zero and the closing gaps of the laws among them."""
    kinks = [0.0, *(law.closing_gap() for law in laws)]
    inside = [gap for gap in kinks if -span.penetration < gap < span.opening]
    return np.union1d(np.linspace(-span.penetration, span.opening, _GAPS), inside)


def pressure_at(law: ContactLaw, gap: float) -> float:
    """Return the pressure at one gap."""
    return float(law.pressure(np.array([gap]))[0][0])


def hysteresis_loop(law: FrictionLaw, drive: SlipCycles, progress: Progress | None = None) -> HysteresisLoop:
    """Return the friction stress along the path, every step committed, from a history of zeros."""
    progress = progress or Silent()
    steps = _STEPS // 4 + _STEPS * drive.cycles
    phase = 2.0 * np.pi / _STEPS * np.arange(steps + 1)
    slip = drive.amplitude * np.sin(phase)
    stress = np.zeros_like(slip)
    limit, _ = law.sticking_limit(np.array([drive.pressure]))
    history = np.zeros((1, law.history_size))
    step = 1.0 / (drive.frequency * _STEPS)
    for i in range(1, steps + 1):
        answer = law.traction(np.array([[slip[i], 0.0]]), limit, history, step, derivatives=False)
        stress[i], history = answer.stress[0, 0], answer.history
        if i % _REPORT_EVERY == 0:
            progress.report(i / steps, f"Hysteresis: {law.title}")
    last = slice(-_STEPS - 1, None)
    return HysteresisLoop(slip, stress, float(np.trapezoid(stress[last], slip[last])))


def telling_amplitude(law: FrictionLaw, pressure: float) -> float | None:
    """Return a slip amplitude at which both sticking and slipping show: five times the slip at which sticking ends.

    None when the law has no initial slope or no sticking limit.
    """
    limit, _ = law.sticking_limit(np.array([pressure]))
    at_rest = law.traction(np.zeros((1, 2)), limit, np.zeros((1, law.history_size)), 0.0)
    assert at_rest.d_slip is not None
    slope, most = float(at_rest.d_slip[0, 0, 0]), float(limit[0])
    amplitude = 5.0 * most / slope if slope > 0.0 else 0.0
    return amplitude if 0.0 < amplitude < math.inf else None


def scalable_parameters(law: Member) -> list[str]:
    """Return the parameters by which a law can be matched, the main one first, as they are declared.

    Those are real numbers and lists of them that are not zero; a list is scaled as a whole.
    """
    return [name for name, _, _ in fields_of(law) if _is_scalable(getattr(law, name))]


def matched(law: L, measure: Callable[[L], float], target: float, name: str = "") -> L:
    """Return the law with one parameter scaled so that ``measure(law)`` becomes the target.

    The factor is searched on a logarithmic scale, outwards from one, within the bounds of the parameter.

    Args:
        law: from which the search starts.
        measure: returns the number to be matched, such as the pressure at a gap or the work per cycle.
        target: value to be reached, positive.
        name: parameter to be scaled; "" for the first one that reaches the target.

    Raises:
        ModelError: when no value of the parameter reaches the target.
    """
    names = [name] if name else scalable_parameters(law)
    if not target > 0.0:
        raise ModelError("Laws can only be matched at a value above zero.", "Choose a larger one.")
    for candidate in names:
        found = _scaled_to(law, candidate, measure, target)
        if found is not None:
            return found
    if not names:
        raise ModelError(f"{law.title} has no parameter that could be scaled.", "Match another law.")
    titles = " or ".join(f"{type(law).model_fields[n].title}".lower() for n in names)
    raise ModelError(
        f"{law.title}: no value of the {titles} gets there.", "Choose another point or parameter."
    )


def _scaled_to(law: L, name: str, measure: Callable[[L], float], target: float) -> L | None:
    def excess(power: float) -> float:
        value = measure(_scaled(law, name, 2.0**power))
        if math.isnan(value):
            raise ModelError(f"{law.title} has no answer there.")
        # Values that are not positive count as far below the target, infinite ones as far above.
        return (
            math.log(value) - math.log(target) if 0.0 < value < math.inf else (-1e3 if value <= 0.0 else 1e3)
        )

    from scipy.optimize import brentq  # late: it takes long to import, and matching laws is rare

    start = excess(0.0)
    if start == 0.0:
        return law
    ends = _bracket(excess, start)
    return _scaled(law, name, 2.0 ** brentq(excess, *ends, xtol=1e-12, rtol=1e-14)) if ends else None


def _bracket(excess: Callable[[float], float], start: float) -> tuple[float, float] | None:
    """Return two powers of two between which the excess changes sign, nearest to zero; None when there are none.

    Nearest, because the work of a loop reaches a value twice: with little friction, and again before everything
    sticks. Steps shorten where the law refuses a value.
    """
    reached, steps = {1.0: 0.0, -1.0: 0.0}, {1.0: 1.0, -1.0: 1.0}
    while reached:
        for direction, at in list(reached.items()):
            there = at + direction * steps[direction]
            try:
                now = excess(there)
            except ModelError:
                steps[direction] /= 2.0
                if steps[direction] < _SMALLEST_STEP:
                    del reached[direction]
                continue
            if start * now <= 0.0:
                return min(at, there), max(at, there)
            reached[direction] = there
            if abs(there) >= _LARGEST_POWER:
                del reached[direction]
    return None


def _is_scalable(value: object) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return bool(items) and all(isinstance(v, float) for v in items) and any(items)


def _scaled(law: L, name: str, factor: float) -> L:
    value = getattr(law, name)
    # Twelve digits, so that the number is printed and shown without round-off.
    scaled = [float(f"{factor * v:.12g}") for v in (value if isinstance(value, tuple) else (value,))]
    return law.with_(**{name: tuple(scaled) if isinstance(value, tuple) else scaled[0]})
