"""The order in which measures of a system are evaluated: each after those that it needs."""

import itertools
from collections.abc import Mapping
from typing import Protocol, TypeVar

from faying.errors import ModelError, there_are


class Ordered(Protocol):
    """A measure, as far as its place among others goes."""

    @property
    def has_states(self) -> bool:
        """Whether it is a controller."""

    @property
    def breaks_loops(self) -> bool:
        """Whether its value is known before those that it needs."""

    def needs(self) -> tuple[str, ...]:
        """Return the measures whose values it takes."""


Some = TypeVar("Some", bound=Ordered)


def ordered(known: Mapping[str, Some]) -> dict[str, Some]:
    """Return measures by name so that each follows those that it needs, but for those that break a loop.

    Raises:
        ModelError: when one needs a measure that is not there, or itself through others; says through which.
    """
    early = set[str]()
    while True:
        found = dict[str, Some]()
        circle = next((way for name in known if (way := _visit(name, (), known, found, early))), None)
        if circle is None:
            return found
        breaker = next((name for name in circle if known[name].breaks_loops), None)
        if breaker is None:
            raise _itself(circle, known)
        early.add(breaker)


def _visit(
    name: str, way: tuple[str, ...], known: Mapping[str, Some], found: dict[str, Some], early: set[str]
) -> tuple[str, ...] | None:
    """Add a measure behind those that it needs; return the circle if there is one, else None."""
    if name in found:
        return None
    if name in way:
        return (*way[way.index(name) :], name)
    for other in known[name].needs():
        if other not in known:
            hint = there_are(other, known)
            raise ModelError(f"The measure {name!r} names {other!r}, which is no measure.", hint)
        if name not in early and (circle := _visit(other, (*way, name), known, found, early)):
            return circle
    found[name] = known[name]
    return None


def _itself(circle: tuple[str, ...], known: Mapping[str, Some]) -> ModelError:
    """Return the error of measures that need themselves."""
    steps = ", ".join(f"{a} needs {b}" for a, b in itertools.pairwise(circle))
    if any(known[each].has_states for each in circle):
        return ModelError(
            f"The controller {circle[0]!r} needs itself, without the system in between: {steps}.",
            "Put controllers that need each other into one of kind state space, or let one of them be sampled that "
            "answers its inputs at the next sample only (without D).",
        )
    return ModelError(
        f"The measure {circle[0]!r} needs itself: {steps}.", "Let one of them name another measure."
    )
