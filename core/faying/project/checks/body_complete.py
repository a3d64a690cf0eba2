"""Bodies: at least one, each with a joint."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks


@checks.register("body_complete")
def body_complete(checked: CheckedProject) -> Iterator[Finding]:
    """Report missing parts of a project."""
    if not checked.project.bodies and not checked.project.systems:
        yield Finding("error", (), "The project has no body.", "Import a deck.")
    for path, body, _ in checked.bodies():
        if not body.joints and not body.contact_surfaces:
            yield Finding(
                "note", path, f"Body {body.name!r} has no joint: it is reduced without joint modes.",
                "Add a joint from two surfaces.",
            )  # fmt: skip
