"""Systems: whether they can be put together, are over-constrained, and why one does not move."""

from collections.abc import Iterator

from faying.analyses.motion import Motion
from faying.errors import FayingError, SolveError
from faying.multibody.stillness import looks, why_still
from faying.multibody.system_spec import SystemSpec
from faying.project.checks import CheckSubject, EntityPath, Finding, checks

_MOST = 4  # constraints with redundant equations that are named


@checks.register("system_motion")
def system_motion(subject: CheckSubject) -> Iterator[Finding]:
    """Say what keeps a system from its motion, and which equations follow from others."""
    for i, spec in enumerate(subject.project.systems):
        path, name = ("systems", i), f"System {spec.name!r}"
        at = subject.assembled.get(spec.name)
        if at is None:
            continue
        if isinstance(at, FayingError):
            yield Finding("error", path, f"{name}: {at.message}", at.hint)
            continue
        reasons = at.freedom.reasons()
        if reasons:
            named = "; ".join(reasons[:_MOST]) + ("; …" if len(reasons) > _MOST else "")
            yield Finding(
                "warning", path,
                f"{name} is over-constrained by {len(at.freedom.names)} equations: {named}.",
                "They are left out, so that it moves as it should, but the reactions are shared arbitrarily. Put "
                "constraints with fewer equations in their place, such as a spherical for a revolute one.",
            )  # fmt: skip
        runs = [
            a.duration for a in subject.project.analyses if isinstance(a, Motion) and a.system == spec.name
        ]
        duration = max(runs, default=1.0)
        undefined = list(_undefined_courses(spec, path, duration))
        yield from undefined
        if undefined:
            continue
        still = why_still(at, duration)
        if still is not None:
            yield Finding("warning", path, f"{name} will not move: {still.sentence}.", still.hint)


def _undefined_courses(spec: SystemSpec, path: EntityPath, duration: float) -> Iterator[Finding]:
    """Yield constraints and forces whose course has no value at some time of a run."""
    for among in ("constraints", "forces"):
        for i, member in enumerate(getattr(spec, among)):
            course = getattr(member, "course", None)
            if course is None:
                continue
            try:
                for time in looks(duration):
                    course.factor(float(time))
            except SolveError as error:
                where = f"System {spec.name!r}, {member.name!r}"
                yield Finding("error", (*path, among, i), f"{where}: {error.message}", error.hint)
