"""Reactions at the interface node that is held, and at those that are displaced."""

from collections.abc import Iterable, Sequence

import numpy as np

from faying.analyses.curve_sources import BodyCurveSource, BodyState, RecordedBody, curve_sources
from faying.results.curve_key import AXES, CurveKey, Quantity

REACTIONS = (
    Quantity("reaction force", "force", "Force on the body that holds or moves the node.", AXES, linear=True),
    Quantity(
        "reaction moment", "moment", "Moment on the body that holds or turns the node.", AXES, linear=True
    ),
)


def displaced_key(node: str, component: int) -> CurveKey:
    """Return the key of the reaction in a component (0 to 5) of an interface node."""
    return [key for quantity in REACTIONS for key in quantity.keys("interface", node)][component]


@curve_sources.register("reactions")
class Reactions(BodyCurveSource):
    """The reaction of the held node balances all that acts on the body."""

    title = "Reactions"
    owners_kind = "interface"
    quantities = REACTIONS

    def owners(self, subject: RecordedBody) -> Sequence[str]:
        """Return the node that is held, then those that are displaced."""
        held = [subject.held] if subject.held else []
        return list(dict.fromkeys([*held, *(node for node, _ in subject.displaced)]))

    def keys(self, subject: RecordedBody) -> tuple[CurveKey, ...]:
        """Return the keys of all components of the held node, and of the displaced ones of others."""
        held = [(subject.held, k) for k in range(6)] if subject.held else []
        return tuple(displaced_key(node, k) for node, k in (*held, *subject.displaced))

    def values(self, subject: RecordedBody, state: BodyState) -> Iterable[float]:
        """Return the components in that order."""
        held = np.zeros(0) if state.reaction is None else state.reaction
        return [*held, *(state.displaced[each] for each in subject.displaced)]
