"""Events of systems: what they do is not in vain, and analyses that know none of them say so."""

from collections.abc import Iterator

from faying.analyses import SystemAnalysis
from faying.multibody.system_spec import SystemSpec
from faying.params import fields_of
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("events")
def events(checked: CheckedProject) -> Iterator[Finding]:
    """Check that what waits for an event has one, that events do something, and which analyses leave them out."""
    for i, system in enumerate(checked.project.systems):
        whose = f"System {system.name!r}"
        for among, hint in (
            ("constraints", "Let an event activate it or have an impact against it, or make it active."),
            ("forces", "Let an event switch it on, or make it active."),
        ):
            woken = _woken(system, among)
            for k, member in enumerate(getattr(system, among)):
                if not member.active and member.name not in woken:
                    sentence = (
                        f"{whose}: the {among[:-1]} {member.name!r} is not active, and no event wakes it."
                    )
                    yield Finding("warning", ("systems", i, among, k), sentence, hint)
        for k, event in enumerate(system.events):
            if not event.actions:
                yield Finding(
                    "warning", ("systems", i, "events", k),
                    f"{whose}: the event {event.name!r} does nothing.", "Give it an action, such as stop.",
                )  # fmt: skip
            for number, action in enumerate(event.actions, start=1):
                named = {
                    name: str(extra["choices"])
                    for name, _, extra in fields_of(action)
                    if extra.get("choices")
                }
                if named and not any(getattr(action, name) for name in named):
                    what = " or ".join(dict.fromkeys(f"{each}s" for each in named.values()))
                    yield Finding(
                        "warning", ("systems", i, "events", k),
                        f"{whose}, event {event.name!r}: action {number}, {action.title.lower()}, names nothing.",
                        f"Choose the {what}, or remove the action.",
                    )  # fmt: skip
        if not system.events:
            continue
        for k, analysis in enumerate(checked.project.analyses):
            of_it = isinstance(analysis, SystemAnalysis) and analysis.system == system.name
            if of_it and not analysis.has_events and not any(analysis.predecessors()):
                yield Finding(
                    "note", ("analyses", k),
                    f"Analysis {analysis.name!r} leaves out the events of system {system.name!r}: what is active at "
                    "the start stays so.",
                    "Events happen in motions.",
                )  # fmt: skip


def _woken(system: SystemSpec, among: str) -> set[str]:
    """Return the constraints or forces that some event lets act."""
    which = ("constraints", "forces").index(among)
    return {name for event in system.events for action in event.actions for name in action.wakes()[which]}
