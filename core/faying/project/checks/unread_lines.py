"""Deck input that the reader skipped: stiffness, mass and mesh of a body, and harmless cards."""

import re
from collections.abc import Iterator, Sequence

from faying.fem.left_out import Line, in_short, is_left_out
from faying.project.checks import CheckedProject, Finding, checks

_SHOWN, _KINDS = 3, 8
_KIND = re.compile(r"\*[A-Z][A-Z \-]*", re.IGNORECASE)


@checks.register("unread_lines")
def unread_lines(checked: CheckedProject) -> Iterator[Finding]:
    """Report skipped stiffness, mass and mesh individually, and other skipped input by kind with counts."""
    for path, body, model in checked.bodies():
        if model is None or not model.unread:
            continue
        lines = [(line, " ".join(text.split())) for line, text in model.unread]
        lost = [found for found in lines if is_left_out(found[1])]
        rest = [found for found in lines if not is_left_out(found[1])]
        if lost:
            yield Finding(
                "warning", (*path, "model"),
                f"Body {body.name!r}: stiffness, mass or mesh of the deck was left out: {in_short(lost, _SHOWN)}.",
                "Mend the deck, or replace it by couplings, joints or superelements here; --json lists all.",
                details=_details(lost),
            )  # fmt: skip
        if rest:
            cards = "card was" if len(rest) == 1 else "cards were"
            yield Finding(
                "note", (*path, "model"),
                f"Body {body.name!r}: {len(rest)} {cards} not read from the deck: {_by_kind(rest)}.",
                "Steps and loads are defined here, not in the deck; see whether anything else is missing.",
                details=_details(rest),
            )  # fmt: skip


def _by_kind(lines: Sequence[Line]) -> str:
    """Return the count of each kind with its first line; a few single lines in full."""
    if len(lines) <= _SHOWN:
        return "; ".join(f"line {line}: {text}" for line, text in lines)
    kinds: dict[str, list[int]] = {}
    for line, text in lines:
        card = _KIND.search(text)
        kinds.setdefault(card[0].strip().upper() if card else re.sub(r"\d+", "…", text), []).append(line)
    words = [
        f"{len(at)} × {kind} (line {at[0]}{' and on' if len(at) > 1 else ''})" for kind, at in kinds.items()
    ]
    more = f", and {len(words) - _KINDS} more kinds" if len(words) > _KINDS else ""
    return ", ".join(words[:_KINDS]) + more


def _details(lines: Sequence[Line]) -> tuple[str, ...]:
    return tuple(f"line {line}: {text}" for line, text in lines)
