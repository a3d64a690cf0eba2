"""Loads of a body applied by an analysis or a part of a system: by name, with a factor over time."""

from faying.load_histories import load_histories
from faying.params import Spec, member_of, parameter


class ActingLoadSpec(Spec):
    """A load of the body with its acting amount."""

    load: str = parameter(
        title="Load",
        choices="body_load",
        meaning="A load of the body: a pressure, its weight, a temperature.",
    )
    factor: float = parameter(1.0, title="Factor", meaning="How much of it acts, times its load history.")
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "constant"},
        title="Load history",
        meaning="How the load grows over time; static analyses use all of it.",
    )

    def text(self) -> str:
        """Return the load as short text: "0.5 times 'weight'"."""
        return repr(self.load) if self.factor == 1.0 else f"{self.factor:g} times {self.load!r}"
