"""Measures and events of systems: whether what they name is there, and no measure needs itself."""

from collections.abc import Iterator
from typing import Any

from faying.errors import ModelError, there_are
from faying.multibody.forces import COMMON_READINGS
from faying.multibody.measures import in_order
from faying.multibody.measures.force_element import ForceElementMeasure
from faying.multibody.system_spec import SystemSpec
from faying.params import Spec, fields_of
from faying.project.checks import CheckedProject, Finding, checks

_LISTS = {
    "constraint": "constraints", "force": "forces", "contact": "contacts", "measure": "scalars", "part": "parts",
}  # fmt: skip


@checks.register("measures")
def measures(checked: CheckedProject) -> Iterator[Finding]:
    """Check the names in measures, controllers, events, forces and drives; markers are checked by `system_markers`."""
    for i, system in enumerate(checked.project.systems):
        missing = False
        for among in _SINGULAR:
            for k, member in enumerate(getattr(system, among)):
                for sentence, hint in _unknown(system, member):
                    missing = True
                    where = f"System {system.name!r}, {_SINGULAR[among]} {member.name!r}"
                    yield Finding("error", ("systems", i, among, k), f"{where}: {sentence}", hint)
        if missing:
            continue
        try:
            members = {each.name: each for each in in_order(system.scalars)}
        except ModelError as error:
            among = "controllers" if error.message.startswith("The controller") else "measures"
            yield Finding(
                "error", ("systems", i, among), f"System {system.name!r}: {error.message}", error.hint
            )
            continue
        for among in ("forces", "constraints"):
            for k, member in enumerate(getattr(system, among)):
                try:
                    if getattr(member, "measure", ""):
                        member.bound({}, members) if among == "forces" else member.bound(members)
                except ModelError as error:
                    sentence = f"System {system.name!r}: {error.message}"
                    yield Finding("error", ("systems", i, among, k), sentence, error.hint)


_SINGULAR = {
    "forces": "force",
    "constraints": "constraint",
    "measures": "measure",
    "controllers": "controller",
    "events": "event",
}


def _unknown(system: SystemSpec, member: Any) -> Iterator[tuple[str, str]]:
    """Yield a sentence and a hint for each name of nothing."""
    for name, _, extra in fields_of(member):
        what = str(extra.get("choices"))
        value = getattr(member, name)
        several = value if isinstance(value, tuple) else (value,)
        for inner in several:
            if isinstance(inner, Spec):  # an action of an event
                yield from _unknown(system, inner)
        if what not in _LISTS or not value:
            continue
        known = [each.name for each in getattr(system, _LISTS[what])]
        for each in several:
            if each not in known:
                yield f"there is no {what} {each!r}.", there_are(each, known)
    if isinstance(member, ForceElementMeasure):
        found = next((each for each in system.forces if each.name == member.force), None)
        if found is not None:
            known = [*COMMON_READINGS, *(reading.name for reading in found.readings)]
            if member.quantity not in known:
                sentence = f"the force {found.name!r} has no {member.quantity!r}."
                yield sentence, there_are(member.quantity, known, "It has")
