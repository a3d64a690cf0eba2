"""Systems: whether they can be assembled, are over-constrained, or cannot move."""

from collections.abc import Iterator

import numpy as np

from faying.analyses.motion import Motion
from faying.analyses.quasi_static import QuasiStatic
from faying.errors import FayingError, SolveError
from faying.multibody.assembly import Assembled, Change
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.placement import with_few_digits
from faying.multibody.static_diagnosis import diagnose_rest, sampled_times
from faying.multibody.system_spec import SystemSpec
from faying.project.checks import CheckedProject, EntityPath, Finding, Remedy, checks
from faying.spatial.rotations import rotation_matrix, rotation_vector
from faying.units import unit_text

_MUCH = 1e-3  # relative to the system's size, a radian, or the initial speeds
_WORDS = {"position": "position", "rotation": "rotation", "velocity": "velocity", "spin": "angular velocity"}
_QUANTITIES = {
    "position": ("length", ""), "rotation": ("angle", "°"), "velocity": ("velocity", ""),
    "spin": ("angular_velocity", ""),
}  # fmt: skip
_MOST = 4  # largest number of named constraints with redundant equations


@checks.register("system_motion")
def system_motion(checked: CheckedProject) -> Iterator[Finding]:
    """Report errors that prevent a system's motion, and redundant equations."""
    for i, spec in enumerate(checked.project.systems):
        path, name = ("systems", i), f"System {spec.name!r}"
        at = checked.assembled.get(spec.name)
        if at is None:
            continue
        if isinstance(at, FayingError):
            if not _is_told_of_contacts(checked, spec, at):
                yield Finding("error", path, f"{name}: {at.message}", at.hint)
            continue
        reasons = at.freedom.reasons()
        if reasons:
            named = "; ".join(reasons[:_MOST]) + ("; …" if len(reasons) > _MOST else "")
            yield Finding(
                "warning", path,
                f"{name} is over-constrained by {_equations(len(at.freedom.names) - len(at.freedom.dead))}: {named}.",
                "They are left out, so that it moves as it should, but the reactions are shared arbitrarily. Put "
                "constraints with fewer equations in their place, such as a spherical for a revolute one.",
            )  # fmt: skip
        if at.freedom.dead:
            named = " and ".join(map(repr, at.freedom.dead[:_MOST]))
            yield Finding(
                "warning", path,
                f"{name} starts at a dead point: {named} followed from other constraints at the start, but not any "
                "more a little way off. A run ends where the parts come apart.",
                "Start it a little off the dead point, or drive another part.",
            )  # fmt: skip
        yield from _changed(at, spec, path, name, checked.project.units)
        runs = [
            a.duration
            for a in checked.project.analyses
            if isinstance(a, Motion | QuasiStatic) and a.system == spec.name
        ]
        duration = max(runs, default=1.0)
        undefined = list(_undefined_histories(spec, path, duration))
        yield from undefined
        if undefined or (
            not runs and _is_analysed(checked, spec)
        ):  # modes and responses need no force that moves it
            continue
        still = diagnose_rest(at, duration)
        if still is not None:
            yield Finding("warning", path, f"{name} will not move: {still.sentence}.", still.hint)


def _is_told_of_contacts(checked: CheckedProject, spec: SystemSpec, error: FayingError) -> bool:
    """Return whether an error concerns a contact's surface, which the check of contacts reports."""
    sides = [side for contact in spec.contacts for side in checked.contact_sides(spec, contact).values()]
    return any(isinstance(side, FayingError) and side.message == error.message for side in sides)


def _is_analysed(checked: CheckedProject, spec: SystemSpec) -> bool:
    return any(getattr(analysis, "system", "") == spec.name for analysis in checked.project.analyses)


def _equations(count: int) -> str:
    return f"{count} equation{'' if count == 1 else 's'}"


def _changed(at: Assembled, system: SystemSpec, path: EntityPath, name: str, units: str) -> Iterator[Finding]:
    """Yield changes of each part by the assembly: a warning if given values are not kept."""
    for i, part in enumerate(spec for spec in at.system.parts if spec.n):
        own = [change for change in at.changes if change.part == part.name]
        told = [c for c in own if c.given or c.what in ("position", "rotation")]
        if not told:
            continue
        clauses = ", ".join(_clause(change, units) for change in told)
        yield Finding(
            "warning" if any(c.given and c.share > _MUCH for c in told) else "note",
            (*path, "parts", i),
            f"{name}: so that the constraints hold at the start, assembly {clauses} of part {part.name!r}.",
            "Place it where the constraints hold it, or leave what is to follow from the others at zero.",
            remedy=_placed_there(at, system, path, i) if any(c.given for c in told) else None,
        )


def _placed_there(at: Assembled, system: SystemSpec, path: EntityPath, number: int) -> Remedy | None:
    """Return the remedy that places a rigid part where assembly puts it."""
    part = system.parts[number]
    if isinstance(part, FlexiblePartSpec):
        return None
    q = at.system.of_part(part.name, at.position)
    place = {
        "position": with_few_digits(q[:3]),
        "rotation": with_few_digits(rotation_vector(rotation_matrix(q[3:7]))),
    }
    where = (*path, "parts", number, "placement")
    return Remedy(f"Place {part.name!r} where the constraints hold it", where, part.placement.with_(**place))


def _clause(change: Change, units: str) -> str:
    """Return "changes the given position by 5.8 mm"."""
    quantity, of_angle = _QUANTITIES[change.what]
    amount = np.degrees(change.amount) if change.what == "rotation" else change.amount
    unit = of_angle or unit_text(quantity, units)
    kind = "given " if change.given else ""
    return f"changes the {kind}{_WORDS[change.what]} by {amount:.3g} {unit}"


def _undefined_histories(spec: SystemSpec, path: EntityPath, duration: float) -> Iterator[Finding]:
    """Yield findings on constraints and forces whose load history is undefined at some time of a run."""
    for among in ("constraints", "forces"):
        for i, member in enumerate(getattr(spec, among)):
            history = getattr(member, "time_history", None)
            if history is None:
                continue
            try:
                for time in sampled_times(duration):
                    history.factor(float(time))
            except SolveError as error:
                where = f"System {spec.name!r}, {member.name!r}"
                yield Finding("error", (*path, among, i), f"{where}: {error.message}", error.hint)
