"""Quality warnings: why the numbers of a finished run cannot be trusted, judged from its report alone.

The bounds were measured. Energy: the shipped examples lose 0.09 % at most, and the slider-crank, which has a joint that
opens, gains 0.6 %; runs of two small plates lose or gain up to 5 % where sums over coarse steps are merely uncertain;
where they lose 13 % the displacement of the tip is wrong by a third. With a contact stiffness of 1e15 MPa/mm, which
doubles that displacement, they lose 21 %.

A run knows no unit system, and its warnings are stored as sentences, so they contain shares only. Amounts with units
are facts of the run (`faying.results.verdicts`).
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from faying.results.names import names_on
from faying.results.verdicts import percent

_BOUND = 0.1  # of the energy that was turned over
_MAX_IMBALANCE = 0.2  # difference between support forces and loads, as a share of the loads
_MISSED = 1e-3  # of the system's size, by which constraints are missed
_SHIFTED = 0.01  # of a natural frequency, by which the reduced body may miss it
_TRANSFERRED = 0.5  # of the FE model's response, by which the reduced body may miss it at some frequency
_SMALL_SLIP = 0.1  # of a facet, that nodes may slide to and fro on it
_PERIODIC = 1e-2  # of a pair's largest friction stress, that changes from period to period
_MISSED_HARMONICS = 1e-2  # of work per cycle or displacements, by harmonics that a periodic motion lacks
_MISSED_SAMPLES = 1e-2  # of work per cycle, by twice the samples
_POWER = 1e-3  # of the work in a period
_MISFIT = 3.0  # measuring errors between a fitted curve and points
_SLOWER = "Allow a smaller error per step, or shorten the largest step."


class QualityWarning(NamedTuple):
    """Why a result cannot be trusted, as a sentence, and a remedy."""

    sentence: str
    hint: str


Report = Mapping[str, Any]
Rule = Callable[[Report, Report], Iterator[QualityWarning]]  # (settings, report)


class Judged:
    """Results with a run report that lists the warnings about them."""

    _warnings: tuple[QualityWarning, ...] | None = None  # as soon as there is a report

    @property
    @abstractmethod
    def report(self) -> dict[str, Any]:
        """The run report; empty while running or after an interruption."""

    @property
    def warnings(self) -> tuple[QualityWarning, ...]:
        """Why its numbers cannot be trusted; empty when they can, and while it runs."""
        if self._warnings is None and (report := self.report):
            self._warnings = tuple(QualityWarning(*found) for found in report.get("warnings", ()))
        return self._warnings or ()


class Judge:
    """Checks the numbers of a run while they are written, and its report at the end.

    Args:
        settings: of the analysis, as plain words.
        unknown: whether NaN is a value that was not measured.
    """

    def __init__(self, settings: Report, unknown: bool = False) -> None:
        self._settings, self._not_a_number, self._unknown = settings, "", unknown

    def see(self, numbers: np.ndarray, path: str, frame: int) -> np.ndarray:
        """Return numbers of any shape unchanged; the first dataset and frame with NaN or infinity is noted."""
        if not (self._unknown or self._not_a_number or np.isfinite(numbers).all()):
            self._not_a_number = f"{'/'.join(names_on(path))} at frame {frame}"
        return numbers

    def judged(self, report: dict[str, Any]) -> dict[str, Any]:
        """Return a report with the warnings about it; as it is when there are none."""
        found = {**report, "not_a_number": self._not_a_number} if self._not_a_number else report
        warnings = find_warnings(self._settings, found)
        return {**found, "warnings": warnings} if warnings else found


def find_warnings(settings: Report, report: Report) -> tuple[QualityWarning, ...]:
    """Return why a result cannot be trusted; empty when it can.

    Args:
        settings: of the analysis, as plain words.
        report: of its run; entries that a rule uses may be missing.
    """
    return tuple(warning for rule in _RULES for warning in rule(settings, report))


def _numbers(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of results and energy balances that are NaN or infinite."""
    place = report.get("not_a_number", "")
    if not place:
        balance = report.get("energy_balance", {})
        place = next((name for name, value in balance.items() if not math.isfinite(value)), "")
    if place:
        yield QualityWarning(
            f"Not everything is a number: {place} is none.",
            "Look at the expressions, tables and laws that act at that time.",
        )


def _energy(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of an energy balance with a larger residual than the numerical damping of a scheme explains."""
    balance = report.get("energy_balance", {})
    lost, size = balance.get("taken by the integration", 0.0), balance.get("turned over", 0.0)
    share = lost / size if size > 0.0 else 0.0
    if abs(share) > _BOUND:
        verb = "lost" if share > 0.0 else "made"
        yield QualityWarning(
            f"The time integration {verb} {100 * abs(share):.3g} % of the energy that was turned over, which nothing "
            "accounts for.",
            f"{_SLOWER} A contact stiffness far above what the mesh suggests makes energy too.",
        )


def _steps(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of runs with time steps near the smallest that step control allows."""
    count = report.get("tiny_steps", 0)
    if count:
        yield QualityWarning(
            f"{count} of {report['steps']} steps were hardly longer than the shortest that is ever tried: what "
            "happened there could not be resolved.",
            "Soften the contact or friction stiffness, or choose a law without a corner.",
        )


def _constraints(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of runs that violate constraints."""
    missed = report.get("missed_constraint", {})
    if missed and missed["length"] > _MISSED * missed["size"]:
        share = missed["length"] / missed["size"] if missed["size"] else math.inf
        yield QualityWarning(
            f"The constraints were not held: {missed['name']!r} was missed by "
            f"{100 * share:.3g} % of the system's size at t = {missed['time']:.6g}.",
            _SLOWER,
        )


def _periodic_motion(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of periodic motions that are not quite periodic, lack harmonics or energy, or end early."""
    yield from (QualityWarning(text, "What was found before is valid.") for text in report.get("trouble", ()))
    closure = report.get("largest_closure", 0.0)
    if closure > _PERIODIC:
        yield QualityWarning(
            f"After eight periods the friction stress of a pair still changes by {100 * closure:.2g} % of its largest.",
            "Pairs whose slip turns its direction approach a period slowly; where few slip, this hardly counts.",
        )
    lacking = max(report.get("missed_work", 0.0), report.get("missed_motion", 0.0))
    if lacking > _MISSED_HARMONICS:
        yield QualityWarning(
            f"Harmonics above {report['harmonics']}, the highest of the motion, would change work per cycle or "
            f"displacements by {100 * lacking:.2g} %.",
            "Allow more harmonics.",
        )
    coarse = report.get("missed_by_samples", 0.0)
    if coarse > _MISSED_SAMPLES:
        yield QualityWarning(
            f"Twice the samples of a period ({report['samples']}) would change work per cycle by "
            f"{100 * coarse:.2g} %.",
            "Take more samples.",
        )
    for contact, slid in report.get("slid_over_facets", {}).items():
        if slid > _SMALL_SLIP:
            yield QualityWarning(
                f"Nodes of contact {contact!r} slide by {100 * slid:.2g} % of a facet to and fro, and each is taken on "
                "the point that it faces at rest.",
                "Take smaller amplitudes or larger facets, or find the answer by a motion.",
            )
    missed = report.get("largest_imbalance", 0.0)
    if report.get("most_slipping_pairs") and missed > _POWER:
        yield QualityWarning(
            f"The work of the loads over a period differs from what friction and damping take by {100 * missed:.2g} %.",
            "Take more samples.",
        )


def _tables(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of forces that were beyond the ends of their tables."""
    for each in report.get("beyond_tables", ()):
        yield QualityWarning(
            f"Force {each['name']!r} was beyond its table by {100 * each['excess'] / each['span']:.3g} % of the "
            f"table's range, at t = {each['time']:.6g}.",
            "Extend the table, or let its values be constant beyond its ends.",
        )


def _stability(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of unstable equilibria."""
    found = report.get("unstable_equilibria", {})
    if found:
        more = found["count"] - 1
        others = f" {more} later one{' is' if more == 1 else 's are'} unstable, too." if more else ""
        yield QualityWarning(
            f"The equilibrium at t = {found['time']:.6g} is unstable: part {found['part']!r} leaves it at the "
            f"slightest disturbance.{others}",
            "Start a little off it, on the side to which it should fall, or hold the part.",
        )


def _reactions(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of statics with supports that do not balance the loads: the stresses there have the same error.

    In motion, omitted modes lack the same share of the inertia forces, in any reduced body: a finding reports it.
    """
    found = report.get("reaction_balance", {})
    share = found.get("share", 0.0)
    if share > _MAX_IMBALANCE and not found.get("in_motion"):
        yield QualityWarning(
            f"What the elements at {found['node']!r} exert misses the reaction there by {percent(share)} of the loads: "
            "stresses near it are as far off.",
            "Give the body more joint modes, or another method for them; corrections on the FE model (fe_correction) "
            "and the unreduced analysis have the stresses of the FE model.",
        )


def _corrections(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of corrections on the FE model that have not converged."""
    last, accuracy = report.get("largest_last_correction", 0.0), settings.get("accuracy", math.inf)
    most = settings.get("most_corrections", 0)
    if last > accuracy and max(report.get("corrections", [most]), default=most) < most:
        yield QualityWarning(
            f"A corrected frame is still {percent(last)} out of balance: its stresses and pressures are not right yet.",
            "Give the body more joint modes to start from, or more frames where the loads change fast.",
        )
    elif last > accuracy:
        yield QualityWarning(
            f"The last of {settings.get('most_corrections')} corrections still changed a frame by {percent(last)} "
            "in the energy norm: its stresses and pressures are not right yet.",
            "Allow more corrections, or give the body more joint modes to start from.",
        )


def _frequencies(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of reduced bodies with other natural frequencies or responses than the FE model."""
    full, reduced = (report.get(f"frequencies_{of}", []) for of in ("of_fe_model", "reduced"))
    shifts = [
        (r / f - 1.0, k, r, f) for k, (r, f) in enumerate(zip(reduced, full, strict=False), 1) if f > 0.0
    ]
    if shifts and (worst := max(shifts))[0] > _SHIFTED:
        shift, k, r, f = worst
        state = {"stuck": "stuck ", "sliding": "sliding "}.get(report.get("sticking", ""), "")
        yield QualityWarning(
            f"Natural frequency {k} of the {state}body is {percent(shift)} too high ({r:.6g} for {f:.6g} of the FE "
            "model), and so are the peaks there; where joints are too stiff, damping by friction is wrong too.",
            "Give the body joint modes to an accuracy, or more modes of the kind that it has.",
        )
    missed = report.get("largest_transfer_error", 0.0)
    if not math.isfinite(missed) or missed > _TRANSFERRED:
        yield QualityWarning(
            f"At some frequency the reduced body's response is {percent(missed)} of the FE model's off it.",
            "Compare both curves; near a peak with little damping a small shift of its frequency does that. Else give "
            "the body more vibration modes, or joint modes to an accuracy.",
        )


def _rotations(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of bodies of linear elasticity with interface nodes that turn by more than a small rotation."""
    turned = report.get("large_rotations", {})
    if turned:
        node = max(turned, key=turned.__getitem__)
        yield QualityWarning(
            f"{node!r} turns by {math.degrees(turned[node]):.3g}° against the support. A body deforms linearly, which "
            "holds for small rotations alone.",
            "Look at the unit of the loads and at the supports; a part that turns as a whole belongs into a system.",
        )


def _start(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of runs that start from doubtful results."""
    inherited = report.get("start_warnings", [])
    if inherited:
        yield QualityWarning(f"It continues from a doubtful result. {inherited[0]}", "Fix that run first.")


def _identified(settings: Report, report: Report) -> Iterator[QualityWarning]:
    """Warn of fitted parameters that the points do not determine, that are at a bound, and of a model that misfits."""
    for sentence in report.get("undetermined", ()):
        yield QualityWarning(sentence, "Fit one of them less, or measure over more amplitudes.")
    for row in report.get("identified", ()):
        if row["at_bound"]:
            which = "largest" if row["at_bound"] > 0 else "smallest"
            yield QualityWarning(
                f"The {row['parameter']} is at the {which} value that it may have.", "Widen its bounds."
            )
    if report.get("scatter", 0.0) > _MISFIT:
        yield QualityWarning(
            f"The fitted curve is off the points by {report['scatter']:.3g} times their errors.",
            "The model lacks something that acts in the test, or the errors of the points are larger. Fit an added "
            "damping or a factor of the frequency as well, and check at which point the amplitude was measured.",
        )


_RULES: tuple[Rule, ...] = (
    _numbers,
    _energy,
    _steps,
    _constraints,
    _tables,
    _stability,
    _reactions,
    _corrections,
    _frequencies,
    _rotations,
    _start,
    _periodic_motion,
    _identified,
)
