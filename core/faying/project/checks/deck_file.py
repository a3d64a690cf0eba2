"""The deck's file: existing and unchanged."""

from collections.abc import Iterator

from faying.input_files import is_file
from faying.project.checks import CheckedProject, Finding, checks
from faying.project.deck import deck_path, has_changed


@checks.register("deck_file")
def deck_file(checked: CheckedProject) -> Iterator[Finding]:
    """Compare the file on disk with the imported one."""
    for path, body, model in checked.bodies():
        place = (*path, "model")
        deck = deck_path(body.model, checked.base)
        if not is_file(deck):
            computed = model is not None
            yield Finding(
                "warning" if computed else "error", place,
                f"Body {body.name!r}: the deck {deck} is not there"
                + ("; what was read from it before is still used." if computed else "."),
                "Put it back, or choose another deck.",
            )  # fmt: skip
        elif has_changed(body, checked.base):
            yield Finding(
                "warning", place, f"Body {body.name!r}: the deck {deck.name} has changed since it was imported.",
                "Everything computed from it is stale; run again to use the new one.",
            )  # fmt: skip
