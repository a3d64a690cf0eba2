"""Systems: whether they can be put together, are over-constrained, and why one does not move."""

from collections.abc import Iterator

from faying.analyses.motion import Motion
from faying.errors import FayingError, SolveError
from faying.multibody.stillness import why_still
from faying.project.checks import CheckSubject, Finding, checks

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
        try:
            still = why_still(at, max(runs, default=1.0))
        except SolveError as error:
            yield Finding("error", path, f"{name}: {error.message}", error.hint)
            continue
        if still is not None:
            yield Finding("warning", path, f"{name} will not move: {still.sentence}.", still.hint)
