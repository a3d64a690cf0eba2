"""What the deck says and the reader did not take over."""

import re
from collections.abc import Iterator, Sequence

from faying.project.checks import CheckedProject, Finding, checks

_SHOWN, _KINDS = 3, 8
# Cards of Abaqus, Nastran and Ansys without which parts come apart; also where some of their nodes were left out.
_HOLDS = re.compile(
    r"\*(TIE|MPC|COUPLING|EQUATION|RIGID BODY|PRE-TENSION SECTION|EMBEDDED|SHELL TO SOLID|FASTENER|CONNECTOR|SPRING)"
    r"|(RBAR|RBE\d|RROD|RSPLINE|RTRPLT|MPC|CELAS\d|CBUSH|CWELD|CFAST|CE|CP|CERIG|RBE3)\b",
    re.IGNORECASE,
)
_KIND = re.compile(r"\*[A-Z][A-Z \-]*", re.IGNORECASE)

Line = tuple[int, str]


@checks.register("unread_lines")
def unread_lines(checked: CheckedProject) -> Iterator[Finding]:
    """Name what held the body together and was not read, one by one; of all else how much there is of each kind."""
    for path, body, model in checked.bodies():
        if model is None or not model.unread:
            continue
        lines = [(line, " ".join(text.split())) for line, text in model.unread]
        holding = [found for found in lines if _HOLDS.match(found[1])]
        rest = [found for found in lines if not _HOLDS.match(found[1])]
        if holding:
            first = "; ".join(f"line {line}: {text}" for line, text in holding[:_SHOWN])
            more = f" and {len(holding) - _SHOWN} more" if len(holding) > _SHOWN else ""
            yield Finding(
                "warning", (*path, "model"),
                f"Body {body.name!r}: not all that holds its parts together was read from the deck: {first}{more}.",
                "Mend the deck, or hold the parts by couplings or joints here; --json lists all.",
                details=_details(holding),
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
    """Return how many there are of each kind, with the first line of each; single ones in full while they are few."""
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
