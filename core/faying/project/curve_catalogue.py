"""Possible curves of an analysis, from decisions only, to which sweeps refer before anything is computed."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from faying.analyses.curve_sources import curve_sources
from faying.analyses.harmonics.response_points import OUTPUTS, output_keys
from faying.analyses.recording.curve_source import BodyCurveSource, RecordedBody, RecordedSystem
from faying.project.mounting import preload_cases
from faying.project.specs import Project
from faying.results.curve_key import CurveKey, curve_text, curve_texts

Owner = tuple[str, str]
"""Kind and name."""


def possible_curves(project: Project, analysis: str) -> tuple[CurveKey, ...]:
    """Return the keys of all possible curves of an analysis, not all of which may exist; none for an unknown analysis.

    Two projects that differ only in names have the same curves in the same order.
    """
    run = next((each for each in project.analyses if each.name == analysis), None)
    body = next((each for each in project.bodies if each.name == getattr(run, "body", None)), None)
    system = next((each for each in project.systems if each.name == getattr(run, "system", None)), None)
    if body is not None:
        points = [("point", point.name) for point in getattr(run, "more_points", ())]
        owners = [*_owners_in(project, body), *points]
        return (*_offered(RecordedBody, owners), *_responses(run, owners))
    if system is None:
        return ()
    bodies = {each.name: each for each in project.bodies}
    found: list[CurveKey] = []
    owners = [("constraint", each.name) for each in system.constraints]
    owners += [("contact", each.name) for each in system.contacts]
    owners += [("force", each.name) for each in system.forces]
    owners += [("measure", each.name) for each in system.scalars]
    for part in system.parts:
        own = bodies.get(part.body_name())
        markers = [each.name for each in (*getattr(part, "markers", ()), *(own.interfaces if own else ()))]
        owners += [("part", part.name), *(("marker", f"{part.name}.{marker}") for marker in markers)]
        if own is not None:
            found += _offered(RecordedBody, _owners_in(project, own), part.name)
    flanks = [
        replace(key, place=f"flank {number}")
        for contact in system.contacts
        if contact.gears is not None
        for number in range(1, contact.gears.slave_teeth + 1)
        for key in _offered(RecordedSystem, [("contact", contact.name)])
    ]
    return (*found, *_offered(RecordedSystem, owners), *flanks, *_responses(run, owners))


def curves_called(text: str, keys: tuple[CurveKey, ...]) -> list[CurveKey]:
    """Return the keys that match a text."""
    texts = curve_texts(keys)
    exact = [key for key, known in texts.items() if known == text]
    return exact or [key for key in keys if curve_text(key) == text]


def _owners_in(project: Project, body: Any) -> list[Owner]:
    lists = {
        "joint": "joints",
        "interface": "interfaces",
        "support": "supports",
        "bolt": "bolts",
        "load": "loads",
    }
    owners = [(kind, each.name) for kind, name in lists.items() for each in getattr(body, name)]
    loads = [load for case in preload_cases(project, body.name) for load in case.loads]
    of_deck = [("bolt", load.bolt) for load in loads if getattr(load, "bolt", "")]
    return list(dict.fromkeys([*owners, *of_deck]))


def _offered(subject: type, owners: list[Owner], part: str = "") -> list[CurveKey]:
    """Return the curves that sources may offer for a body or system; for a part without those of a run."""
    found: list[CurveKey] = []
    for _, source in curve_sources.items():
        if part and not issubclass(source, BodyCurveSource):
            continue
        accepted = source.subject if isinstance(source.subject, tuple) else (source.subject,)
        if subject in accepted:
            names = [name for kind, name in (("", ""), *owners) if kind == source.owners_kind]
            found += [
                key
                for name in names
                for quantity in source.quantities
                for key in quantity.keys(source.owners_kind, name, part=part)
            ]
    return found


def _responses(run: Any, owners: list[Owner]) -> Iterator[CurveKey]:
    """Yield the frequency responses with phases, including those of the FE model; none for other analyses."""
    motion = getattr(run, "motion", "")
    if motion not in OUTPUTS:
        return
    pairs = {point.name for point in getattr(run, "more_points", ()) if point.joint}
    for kind, name in owners:
        if kind in ("interface", "point", "marker"):
            for key in output_keys(motion, kind, name, is_pair=kind == "point" and name in pairs):
                for load in run.load_labels:
                    for full in (False, True):
                        one = replace(key, load=load, full=full)
                        yield from (one, one.phase)
