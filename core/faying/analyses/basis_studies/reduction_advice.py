"""Advice from a reduction study, in words: based on the measured numbers alone, not on properties of the methods."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from faying.analyses.basis_studies.studied_bases import MEASURES, BasisPoint, Dof, StudiedBody
from faying.results.verdicts import percent
from faying.units import amount

_NEAR_ORDER = 0.25  # relative difference of the numbers of trial vectors up to which bases are compared
_TOO_HIGH = (
    2.0  # times the highest frequency of another basis of that order: interface dofs are too near each other
)
_NOTHING = 1e-6  # a transfer error below this is none


class Advice(NamedTuple):
    """Severity, sentence, and hint what to do."""

    severity: Literal["note", "warning"]
    sentence: str
    hint: str


@dataclass(frozen=True, eq=False)
class ComparedBases:
    """What a study has found.

    Attributes:
        allowed: largest transfer error of a basis that is good enough.
        points: the bases.
        rows: (n, 2 + measures) method, size and measures of each; NaN for a basis that could not be computed.
        frequencies: (m,) natural frequencies of the FE model in the range.
        ends: lowest and highest frequency of the range.
        body: for names and places of interface dofs.
        refused: sentence and hint why a basis could not be computed, by its name.
    """

    allowed: float
    points: Sequence[BasisPoint]
    rows: np.ndarray
    frequencies: np.ndarray
    ends: tuple[float, float]
    body: StudiedBody
    refused: Mapping[str, tuple[str, str]]

    def values(self, measure: str) -> np.ndarray:
        """Return (n,) a measure of all bases."""
        return np.asarray(self.rows[:, 2 + MEASURES.index(measure)])

    @property
    def there(self) -> np.ndarray:
        """(k,) numbers of the bases that were computed."""
        return np.flatnonzero(~np.isnan(self.values("order")))

    @property
    def good(self) -> np.ndarray:
        """(k,) numbers of the bases with an allowed error, the smallest basis first."""
        errors, orders = self.values("largest transfer error"), self.values("order")
        found = [i for i in self.there if errors[i] <= self.allowed]
        return np.array(sorted(found, key=lambda i: (orders[i], errors[i])), int)


def advice(outcome: ComparedBases) -> list[Advice]:
    """Return advice on the smallest basis, number and spread of interface dofs, and the best basis for a purpose."""
    found = [
        Advice("note", f"{name!r} was not computed. {sentence}", hint)
        for name, (sentence, hint) in outcome.refused.items()
    ]
    if len(outcome.there):
        found = [*_enough(outcome), *_interface_dofs(outcome), *found, *_spread(outcome), *_purposes(outcome)]
    return found


def _enough(outcome: ComparedBases) -> Iterator[Advice]:
    """Yield the smallest basis that is good enough."""
    low, high = outcome.ends
    count, errors, orders = (
        len(outcome.frequencies), outcome.values("largest transfer error"), outcome.values("order"),
    )  # fmt: skip
    modes = f"{count} vibration mode{'s' * (count != 1)}" if count else "no vibration mode"
    range_ = f"Between the frequencies {low:g} and {amount(high, 'frequency', 6)} the FE model has {modes}."
    if len(outcome.good):
        best = outcome.good[0]
        yield Advice(
            "note",
            f"{range_} Of the measured bases with a transfer error of at most {percent(outcome.allowed)}, the smallest "
            f"is {outcome.points[best].name!r}: {orders[best]:.0f} trial vectors, {percent(errors[best])}.",
            "Take it for loads and motions at the nodes of interest in this range.",
        )
        return
    best = outcome.there[np.argmin(errors[outcome.there])]
    yield Advice(
        "warning",
        f"{range_} No measured basis has a transfer error of at most {percent(outcome.allowed)}; the least is that of "
        f"{outcome.points[best].name!r}: {orders[best]:.0f} trial vectors, {percent(errors[best])}.",
        "Measure larger sizes, or a narrower range.",
    )


def _interface_dofs(outcome: ComparedBases) -> Iterator[Advice]:
    """Yield how many interface dofs are needed by methods with one trial vector per interface dof."""
    errors, orders = outcome.values("largest transfer error"), outcome.values("order")
    count = len(outcome.frequencies)
    for title in dict.fromkeys(p.method.title for p in outcome.points if not p.method.size):
        mine = [i for i in outcome.there if outcome.points[i].method.title == title]
        mine.sort(key=lambda i: orders[i])
        if not mine or not count:
            continue
        enough = next((i for i in mine if errors[i] <= outcome.allowed), None)
        if enough is None:
            most = mine[-1]
            yield Advice(
                "note",
                f"{title} misses {percent(errors[most])} with {orders[most]:.0f} trial vectors, that is "
                f"{orders[most] / count:.2g} for each vibration mode in the range.",
                "More interface dofs help, spread over the body; about twice as many as there are modes are usual.",
            )
            continue
        fewer = [i for i in mine if orders[i] < orders[enough]]
        below = f"; with {orders[fewer[-1]]:.0f} it misses {percent(errors[fewer[-1]])}" if fewer else ""
        dofs = _dofs_of(outcome, outcome.points[enough])
        chosen = [outcome.body.name_of(dof) for dof in dofs[outcome.body.given :]]
        n = outcome.body.n_base + len(dofs)
        yield Advice(
            "note",
            f"{title} is good enough with {n} interface dofs, {n / count:.2g} for each vibration mode in the range: "
            f"{orders[enough]:.0f} trial vectors{below}.",
            f"Interface dofs that the study has chosen for it: {', '.join(chosen)}." if chosen else "",
        )


def _dofs_of(outcome: ComparedBases, point: BasisPoint) -> list[Dof]:
    """Return the further interface dofs of a basis."""
    return outcome.body.further[: outcome.body.given if point.further < 0 else point.further]


def _spread(outcome: ComparedBases) -> Iterator[Advice]:
    """Yield bases whose interface dofs are too near each other, seen by a much too high highest frequency."""
    highest, orders = outcome.values("highest frequency"), outcome.values("order")
    others = [i for i in outcome.there if outcome.points[i].method.size]
    for i in outcome.there:
        if outcome.points[i].method.size:
            continue
        near = [k for k in others if abs(orders[k] - orders[i]) <= _NEAR_ORDER * orders[i]]
        if not near:
            continue
        least = min(near, key=lambda k: highest[k])
        if highest[i] > _TOO_HIGH * highest[least]:
            yield Advice(
                "warning",
                f"The highest frequency of {outcome.points[i].name!r} is {highest[i] / highest[least]:.2g} times that "
                f"of {outcome.points[least].name!r} with {orders[least]:.0f} trial vectors, and time steps have to be "
                f"as much shorter: its interface dofs are too near each other{_nearest(outcome, outcome.points[i])}.",
                "Spread them over the body.",
            )


def _nearest(outcome: ComparedBases, point: BasisPoint) -> str:
    """Return the two further interface dofs of a basis that are nearest to each other, in words."""
    body, dofs = outcome.body, _dofs_of(outcome, point)
    if len(dofs) < 2:
        return ""
    places = np.array([body.place_of(dof) for dof in dofs])
    distances = np.linalg.norm(places[:, None] - places, axis=2) + np.diag(np.full(len(dofs), np.inf))
    first, second = sorted(np.unravel_index(np.argmin(distances), distances.shape))
    names = body.name_of(dofs[int(first)]), body.name_of(dofs[int(second)])
    return f", such as {names[0]} and {names[1]} at a distance of {amount(distances[first, second], 'length', 3)}"


def _purposes(outcome: ComparedBases) -> Iterator[Advice]:
    """Yield the best basis for each purpose, among those that are good enough, or among all if none is."""
    among = outcome.good if len(outcome.good) else outcome.there
    names = [point.name for point in outcome.points]
    slow, errors = outcome.values("first transfer error"), outcome.values("largest transfer error")
    steps, times = outcome.values("admissible step"), outcome.values("reduction time")
    exact = [i for i in outcome.there if slow[i] <= _NOTHING]
    where = f"the frequency {amount(outcome.ends[0], 'frequency', 6)}"
    if exact:
        least = min(exact, key=lambda i: outcome.values("order")[i])
        off = [i for i in outcome.there if slow[i] > _NOTHING]
        worst = max(off, key=lambda i: slow[i], default=None)
        beside = f"; {names[worst]!r} misses {percent(slow[worst])} there" if worst is not None else ""
        yield Advice(
            "note",
            f"For loads that change slowly and inertia balances: {names[least]!r} is exact at {where}{beside}.",
            "",
        )
    else:
        least = outcome.there[np.argmin(slow[outcome.there])]
        yield Advice(
            "note",
            f"None is exact at {where}; the least error there has {names[least]!r}, {percent(slow[least])}.",
            "",
        )
    best = among[np.argmin(errors[among])]
    yield Advice(
        "note",
        f"For vibrations in the range: {names[best]!r} has the least transfer error, {percent(errors[best])}.",
        "",
    )
    if len(among) > 1:
        longest, shortest = among[np.argmax(steps[among])], among[np.argmin(steps[among])]
        yield Advice(
            "note",
            f"For runs in time: {names[longest]!r} allows the longest steps, "
            f"{steps[longest] / steps[shortest]:.2g} times those of {names[shortest]!r}"
            f"{' among those that are good enough' if len(outcome.good) else ''}.",
            "",
        )  # fmt: skip
        quick = among[np.argmin(times[among])]
        yield Advice(
            "note", f"Quickest to reduce is {names[quick]!r}: {times[quick]:.2g} s of the processor.", ""
        )
