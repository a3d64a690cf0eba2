"""What the deck says and the reader did not take over."""

from collections.abc import Iterator

from faying.project.checks import CheckSubject, Finding, checks

_SHOWN = 3


@checks.register("unread_lines")
def unread_lines(subject: CheckSubject) -> Iterator[Finding]:
    """Name the number of unread cards and the first of them with their lines."""
    for path, body, model in subject.bodies():
        if model is None or not model.unread:
            continue
        first = "; ".join(f"line {line}: {text.strip()}" for line, text in model.unread[:_SHOWN])
        count = len(model.unread)
        more = f" and {count - _SHOWN} more" if count > _SHOWN else ""
        cards = "card was" if count == 1 else "cards were"
        yield Finding(
            "note", (*path, "model"),
            f"Body {body.name!r}: {count} {cards} not read from the deck: {first}{more}.",
            "Steps and loads are defined here, not in the deck; see whether anything else is missing.",
        )  # fmt: skip
