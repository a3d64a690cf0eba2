"""The report on systems: reactions of constraints, forces and torques of drives, also over time, a picture."""

from collections.abc import Mapping, Sequence

import numpy as np

from faying.exporters import ExportSettings
from faying.exporters.content import SystemContent
from faying.exporters.report_parts.markup import Cell, table, without_empty
from faying.exporters.report_parts.sources import DPI, ReportedRun, ReportSources
from faying.exporters.systems import ShownContent
from faying.joints.pairs import ContactPairs
from faying.multibody.constraints import Constraint
from faying.multibody.system_spec import SystemSpec
from faying.results.curve_key import CurveKey
from faying.results.curves import Curve, axis_curve, curve_plot, run_title
from faying.results.field import FieldContext
from faying.results.key_results import KeyResult, number_text
from faying.results.results import Results
from faying.units import UnitSystemName, shown_unit

PICTURE = (1280, 720)
_BRINGS = {"force": "force", "moment": "torque"}
_MOST_CURVES = 6  # in one plot
_NOISE = 1e-7  # of the largest of its kind: below that a number is what iterations leave


def flexible_parts(
    content: ShownContent | None,
) -> dict[str, tuple[FieldContext, Mapping[str, ContactPairs]]]:
    """Return the frames of each flexible part of a system, and the contact pairs of its joints, by the part's name."""
    if not isinstance(content, SystemContent):
        return {}
    found = {name: (body.context.of_body, body.pairs) for name, body in content.bodies.items()}
    return {name: (context, pairs) for name, (context, pairs) in found.items() if context is not None}


def picture_of_system(sources: ReportSources, system: SystemSpec) -> str:
    """Return a picture of a system at the start of its first run that can be drawn; "" without one."""
    for run in sources.runs:
        content = run.content
        if isinstance(content, SystemContent) and content.system.name == system.name and content.n_frames:
            settings = ExportSettings("", (0,), size=PICTURE, dpi=DPI, scale=1.0, marks=True)
            return sources.drawn(
                content, settings, f"System {system.name} at the start of {run.analysis.name}."
            )
    return ""


def constraint_tables(run: ReportedRun, units: UnitSystemName) -> list[str]:
    """Return tables of what the constraints of a system bear and its drives bring, largest over the run."""
    if not isinstance(run.content, SystemContent) or run.results is None:
        return []
    members = run.content.system.constraints
    return [_reactions(members, run.results, units), _drives(members, run.results, units)]


def constraint_curves(sources: ReportSources, run: ReportedRun) -> list[str]:
    """Return plots over the run of what constraints bear, as lengths, and of what drives bring, along their axes."""
    results = run.results
    if not isinstance(run.content, SystemContent) or results is None or results.n_frames < 2:
        return []
    members, units, plots = run.content.system.constraints, sources.project.units, []
    over = axis_curve(results)
    for what, brings in _BRINGS.items():
        borne = {
            each.name: np.linalg.norm(vector, axis=0)
            for each in members
            if not each.drives and (vector := _vector(results, each.name, what)) is not None
        }
        brought = {
            each.name: along
            for each in members
            if each.drives == what and (along := _along(each, results)) is not None
        }
        least = _NOISE * max((_size(values) for values in (*borne.values(), *brought.values())), default=0.0)
        for found, title in ((borne, f"{what} borne by constraints"), (brought, f"{brings} of drives")):
            curves = _largest(found, what, least)
            if curves:
                plot = curve_plot(run_title(run.analysis.name, results), over, curves, units)
                plots.append(sources.plotted(plot, f"{run.analysis.name}: {title}."))
    return plots


def _size(values: np.ndarray) -> float:
    return float(np.nanmax(np.abs(values), initial=0.0))


def _largest(found: Mapping[str, np.ndarray], what: str, least: float) -> tuple[Curve, ...]:
    """Return the few largest of some histories, without those that are no larger than round-off."""
    sizes = {name: _size(values) for name, values in found.items()}
    names = sorted((name for name, size in sizes.items() if size > least), key=lambda name: -sizes[name])
    return tuple(Curve(name, found[name], what, k) for k, name in enumerate(names[:_MOST_CURVES]))


def drive_results(run: ReportedRun, units: UnitSystemName) -> list[KeyResult]:
    """Return the largest force or torque of each drive of a system, with its sign."""
    if not isinstance(run.content, SystemContent) or run.results is None:
        return []
    found = []
    for each in run.content.system.constraints:
        along = _along(each, run.results)
        if along is not None:
            frame = int(np.nanargmax(np.abs(along)))
            title = f"Largest {_BRINGS[each.drives]} of {each.name}"
            when = run.results.axis.moment(run.results, frame, units)
            found.append(KeyResult(title, float(along[frame]), each.drives, when=when, is_extreme=True))
    return found


def _reactions(members: Sequence[Constraint], results: Results, units: UnitSystemName) -> str:
    """Return a row for each constraint that drives nothing: lengths of the largest force and moment, and when."""
    sizes = {
        (each.name, what): np.linalg.norm(vector, axis=0)
        for each in members
        for what in _BRINGS
        if (vector := _vector(results, each.name, what)) is not None and not np.isnan(vector).all()
    }
    least = {what: _NOISE * max((np.nanmax(s) for (_, w), s in sizes.items() if w == what), default=0.0)
             for what in _BRINGS}  # fmt: skip
    rows = []
    for each in members:
        if each.drives:
            continue
        cells: list[object] = []
        for what in _BRINGS:
            size = sizes.get((each.name, what))
            if size is None or np.nanmax(size) <= least[what]:
                cells += [Cell("", "", True), ""]
                continue
            frame = int(np.nanargmax(size))
            cells += [
                Cell(_text(float(size[frame]), what, units), "", True),
                results.axis.moment(results, frame, units),
            ]
        rows.append((each.name, _kind(each), *cells))
    if not rows or not sizes:  # modes have no reactions
        return ""
    heads = ("Constraint", "Kind", "Largest force", "When", "Largest moment", "Then")
    return f"<h4>Reactions of constraints</h4>{table(*without_empty(heads, rows))}"


def _drives(members: Sequence[Constraint], results: Results, units: UnitSystemName) -> str:
    """Return a row for each prescribed motion: its force or torque along the driven axis, and when."""
    rows = []
    for each in members:
        if (along := _along(each, results)) is None:
            continue
        most, least = int(np.nanargmax(along)), int(np.nanargmin(along))
        values = (float(along[most]), float(along[least]), float(np.sqrt(np.nanmean(along**2))))
        largest, smallest, mean = (Cell(_text(value, each.drives, units), "", True) for value in values)
        then = [results.axis.moment(results, frame, units) for frame in (most, least)]
        rows.append((each.name, _kind(each), _BRINGS[each.drives], largest, then[0], smallest, then[1], mean))
    if not rows:
        return ""
    heads = ("Drive", "Kind", "Brings", "Largest", "When", "Smallest", "Then", "Root mean square")
    caption = "Force or torque on the second marker, along or about the z axis of the first one."
    return f"<h4>Drives</h4>{table(*without_empty(heads, rows), caption)}"


def _kind(member: Constraint) -> str:
    return (type(member).title or member.kind.replace("_", " ")).capitalize()


def _along(member: Constraint, results: Results) -> np.ndarray | None:
    """Return (n_frames,) the force or torque of a drive along or about its axis; None of other constraints."""
    vector = _vector(results, member.name, member.drives) if member.drives else None
    return None if vector is None or np.isnan(vector[2]).all() else vector[2]


def _vector(results: Results, owner: str, what: str) -> np.ndarray | None:
    """Return (3, n_frames) the force or moment of a constraint; None where it was not recorded."""
    keys: dict[str, CurveKey] = {
        key.component: key
        for key in results.curve_keys
        if (key.kind, key.owner, key.quantity) == ("constraint", owner, what)
    }
    return np.stack([results.curve(keys[axis]) for axis in "xyz"]) if set("xyz") <= set(keys) else None


def _text(value: float, what: str, units: UnitSystemName) -> str:
    unit, factor = shown_unit(what, units, {})
    return f"{number_text(factor * value)} {unit}"
