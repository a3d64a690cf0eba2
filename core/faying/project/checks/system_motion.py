"""Systems: whether they can be put together, are over-constrained, and why one does not move."""

from collections.abc import Iterator

from faying.errors import FayingError
from faying.multibody.stillness import why_still
from faying.project.checks import CheckSubject, Finding, checks

_MOST = 6  # redundant equations that are named


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
        redundant = at.freedom.names
        if redundant:
            named = ", ".join(redundant[:_MOST]) + (", …" if len(redundant) > _MOST else "")
            yield Finding(
                "warning", path,
                f"{name} is over-constrained: {len(redundant)} of its constraint equations follow from others "
                f"({named}).",
                "They are left out, so that it moves as it should, but the reactions are shared arbitrarily. Put "
                "constraints with fewer equations in their place, such as a spherical for a revolute one.",
            )  # fmt: skip
        still = why_still(at)
        if still is not None:
            yield Finding("warning", path, f"{name} will not move: {still.sentence}.", still.hint)
