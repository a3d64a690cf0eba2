"""Recipes: the inputs of an artifact. The fingerprint of the recipe is the artifact's key.

A recipe consists of plain values: the stage, the decisions that it reads, the keys of the artifacts that it needs, and
digests of the code. Stored with the artifacts, recipes later show which outcomes a changed decision has made stale, and
why.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from faying.fingerprint import fingerprint


@dataclass(frozen=True)
class Recipe:
    """The inputs of one artifact.

    Attributes:
        stage, version: of the stage.
        body, item: names of the artifact's owner, not part of the key.
        reads: the decisions, as plain values.
        needs: keys of the input artifacts, by the names used in the stage.
        code: digest of each module used; empty in recipes of versions that did not record code.
        made_with: versions of the program and its libraries, not part of the key.
    """

    stage: str
    version: int
    body: str
    item: str
    reads: Any
    needs: dict[str, str]
    code: dict[str, str] = field(default_factory=dict)
    made_with: dict[str, str] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """The artifact's key: fingerprint of everything except body, item and `made_with`."""
        code = [self.code] if self.code else []
        return fingerprint(self.stage, self.version, self.reads, self.needs, *code)

    def to_text(self) -> str:
        """Return the recipe as JSON."""
        words = {each.name: getattr(self, each.name) for each in fields(self)}
        return json.dumps(words, ensure_ascii=False, sort_keys=True)

    @staticmethod
    def from_text(text: str) -> "Recipe":
        """Return the recipe of a JSON text."""
        return Recipe(**json.loads(text))


_NAMED = 4  # modules


def differences(old: Recipe, new: Recipe, find: Callable[[str], Recipe | None]) -> list[str]:
    """Return what changed from one recipe to the other, as short texts, causes before consequences.

    Args:
        old, new: two recipes of the same stage.
        find: returns the recipe of a key, None if it is unknown.
    """
    found = _Differences()
    _collect(old, new, find, found)
    return [*found.of_program(), *dict.fromkeys(found.decisions)]


def is_by_another_program(old: Recipe, new: Recipe, find: Callable[[str], Recipe | None]) -> bool:
    """Return whether the program has changed from one recipe to the other; arguments as for `differences`."""
    found = _Differences()
    _collect(old, new, find, found)
    return bool(found.of_program())


@dataclass
class _Differences:
    """Differences between two recipes.

    Attributes:
        decisions: short texts.
        modules: of the program, by name.
        steps: stages whose version was raised.
        untold: whether the old recipe has no code digests.
    """

    decisions: list[str] = field(default_factory=list)
    modules: dict[str, None] = field(default_factory=dict)
    steps: dict[str, None] = field(default_factory=dict)
    untold: bool = False

    def of_program(self) -> list[str]:
        """Return the changes of the program as short texts."""
        found = ["the program is newer"] if self.untold else []
        found += [f"the program's {step} step is newer" for step in self.steps]
        if self.modules:
            names = [name.removeprefix("faying.") for name in self.modules]
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            found.append(f"the program's code changed: {', '.join(names[:_NAMED])}{more}")
        return found


def _collect(old: Recipe, new: Recipe, find: Callable[[str], Recipe | None], found: _Differences) -> None:
    found.untold |= bool(new.code) and not old.code
    if old.version != new.version:
        found.steps[old.stage] = None
    # Other modules appear or disappear with decisions, or with a change of a common module.
    for module in old.code.keys() & new.code.keys():
        if old.code[module] != new.code[module]:
            found.modules[module] = None
    _compare(old.reads, new.reads, "", found.decisions)
    for name in sorted({*old.needs, *new.needs}):
        before, after = old.needs.get(name), new.needs.get(name)
        if before == after:
            continue
        if before is None or after is None:
            found.decisions.append(f"{name} {'added' if before is None else 'removed'}")
            continue
        first, second = find(before), find(after)
        if first and second:
            _collect(first, second, find, found)
        elif not (found.untold or found.modules):  # which is a sufficient reason
            found.decisions.append(f"{name} changed")


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
