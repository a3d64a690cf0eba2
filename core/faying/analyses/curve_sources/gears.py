"""Curves of gears in mesh: transmission error, stiffness, torque ratio, and what each flank carries."""

from collections.abc import Iterable, Sequence
from typing import Any

from faying.analyses.curve_sources import (
    RecordedRun,
    RecordedSystem,
    SystemCurveSource,
    SystemState,
    curve_sources,
)
from faying.results.curve_key import CurveKey, Quantity

_OF_FLANKS = (
    Quantity("share", "", "Share of the load that a flank carries."),
    Quantity("path", "length", "Where it touches on the path of contact, from the pitch point."),
    Quantity("pressure", "stress", "Largest pressure on it."),
)


@curve_sources.register("gears")
class Gears(SystemCurveSource):
    """Terms are those of Munro (1967) and ISO 21771, see `faying.analyses.recording.gear_mesh`."""

    title = "Gears in mesh"
    owners_kind = "contact"
    quantities = (
        Quantity("transmission error", "length", "By how much the slave leads, on its base circle."),
        Quantity("deflection", "length", "Overlap of the flanks if both wheels were rigid."),
        Quantity("stiffness", "stiffness", "Load over deflection."),
        Quantity("torque ratio", "", "Torque of the slave over that of the master."),
        Quantity("flanks in contact", "", "Number of flanks that carry load."),
        *_OF_FLANKS,
    )

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the contacts of gears."""
        return [pair.contact.name for pair in subject.gears.values()]

    def keys(self, subject: RecordedSystem) -> tuple[CurveKey, ...]:
        """Return the keys of each pair, then of each of its flanks."""
        found: list[CurveKey] = []
        for pair in subject.gears.values():
            kind, name = self.owners_kind, pair.contact.name
            found += [key for each in self.quantities[: -len(_OF_FLANKS)] for key in each.keys(kind, name)]
            for flank in range(1, pair.n_flanks + 1):
                found += [key for each in _OF_FLANKS for key in each.keys(kind, name, place=f"flank {flank}")]
        return tuple(found)

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return these numbers."""
        places = subject.system.contacts.slave_places(state.state.q) if subject.gears else ()
        for number, pair in subject.gears.items():
            yield from pair.values(subject.system, state.state.q, state.touched[number], places[number])

    def report(self, subject: RecordedSystem, run: RecordedRun) -> dict[str, Any]:
        """Return the part and surface of the slave's flanks of each pair, and where their nodes are unrolled."""
        found = {
            pair.contact.name: {
                "part": pair.contact.slave_part,
                "surface": pair.contact.slave_surface,
                **{name: values.tolist() for name, values in pair.unrolled.items()},
            }
            for pair in subject.gears.values()
        }
        return {"flanks": found}
