"""Joint modes that did not reach the requested accuracy."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent


@checks.register("joint_accuracy")
def joint_accuracy(checked: CheckedProject) -> Iterator[Finding]:
    """Check the errors under the training loads of joint modes."""
    for number, body in enumerate(checked.project.bodies):
        reduced = checked.reduced.get(body.name)
        missed = [each for each in (reduced.trained if reduced else ()) if not each.is_met]
        if not missed:
            continue
        lines = tuple(
            f"{each.load}: {percent(each.motion)} for {percent(each.allowed)}"
            if each.motion == each.motion
            else f"{each.load}: no equilibrium was found, so the modes were not checked under it"
            for each in missed
        )
        others = f", and {len(missed) - 1} more" if len(missed) > 1 else ""
        yield Finding(
            "warning",
            ("bodies", number),
            f"The joint modes of body {body.name!r} miss the accuracy that was asked for ({lines[0]}{others}).",
            "Allow more joint modes, or ask for less. The quality of the basis lists the errors under each load.",
            details=lines,
        )
