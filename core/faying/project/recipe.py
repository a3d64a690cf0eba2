"""Recipes: what an artifact was made from. The fingerprint of the recipe is the artifact's key.

A recipe is plain words: the stage and its version, the decisions that it read, the keys of the artifacts that
it needed. Stored beside the artifacts, recipes tell later what a change of a decision has made stale, and why.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from faying.fingerprint import fingerprint


@dataclass(frozen=True)
class Recipe:
    """How one artifact is made.

    Attributes:
        stage, version: of the stage.
        body, item: whose artifact it is, by name; they do not count for the key.
        reads: the decisions, as plain words.
        needs: keys of the artifacts that go into it, by the name under which the stage knows them.
    """

    stage: str
    version: int
    body: str
    item: str
    reads: Any
    needs: dict[str, str]

    @property
    def key(self) -> str:
        """The artifact's key: everything counts but the names of body and item."""
        return fingerprint(self.stage, self.version, self.reads, self.needs)

    def to_text(self) -> str:
        """Return the recipe as JSON."""
        return json.dumps(vars(self), ensure_ascii=False, sort_keys=True)

    @staticmethod
    def from_text(text: str) -> "Recipe":
        """Return the recipe of a JSON text."""
        return Recipe(**json.loads(text))


def differences(old: Recipe, new: Recipe, find: Callable[[str], Recipe | None]) -> list[str]:
    """Return what changed from one recipe to the other, as short texts, causes before consequences.

    Args:
        old, new: two recipes of the same stage.
        find: gives the recipe of a key, None when it is not known any more.
    """
    found: list[str] = []
    if old.version != new.version:
        found.append(f"the program's {old.stage} step is newer")
    _compare(old.reads, new.reads, "", found)
    for name in sorted({*old.needs, *new.needs}):
        before, after = old.needs.get(name), new.needs.get(name)
        if before == after:
            continue
        if before is None or after is None:
            found.append(f"{name} {'added' if before is None else 'removed'}")
            continue
        first, second = find(before), find(after)
        inner = differences(first, second, find) if first and second else []
        found += inner or [f"{name} changed"]
    return list(dict.fromkeys(found))


def _compare(old: Any, new: Any, place: str, found: list[str]) -> None:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict) and old.get("kind") == new.get("kind"):
        for name in sorted({*old, *new}):
            _compare(old.get(name), new.get(name), f"{place}.{name}" if place else name, found)
    elif _is_short(old) and _is_short(new):
        found.append(f"{place or 'value'}: {_short(old)} → {_short(new)}")
    else:
        found.append(f"{place or 'value'} changed")


def _is_short(value: Any) -> bool:
    return not isinstance(value, (dict, list)) or "kind" in value


def _short(value: Any) -> str:
    value = value["kind"] if isinstance(value, dict) else value
    return "none" if value is None else str(value)
