"""Bodies: at least one, each with a joint that joins something."""

from collections.abc import Iterator

from faying.project.checks import CheckSubject, Finding, checks


@checks.register("body_complete")
def body_complete(subject: CheckSubject) -> Iterator[Finding]:
    """Say what a project still lacks."""
    if not subject.project.bodies and not subject.project.systems:
        yield Finding("error", (), "The project has no body.", "Import a deck.")
    for path, body, _ in subject.bodies():
        if not body.joints:
            yield Finding(
                "note", path, f"Body {body.name!r} has no joint: it is reduced without joint modes.",
                "Add a joint from two surfaces.",
            )  # fmt: skip
