"""Decisions of a project by name: ``bodies.bar.joints.lap joint.friction_law.friction_coefficient``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from faying.errors import ModelError, there_are
from faying.params import Spec, fields_of
from faying.project.paths import SpecPath, field_at, path_text, value_at
from faying.project.specs import Project
from faying.units import number_for_people

AXES = ("x", "y", "z")
# Decisions that do not affect results.
_LABELS = ("name", "note", "digest", "matrices_digest", "units", "processes")


@dataclass(frozen=True)
class Decision:
    """A single decided or default value.

    Attributes:
        names: names of entities and parameters from the project down; indices, from 0, of unnamed ones.
        path: its path in the project.
        value: a number, a text, true or false, or None.
        quantity: its physical dimension; "" for none.
        title: its title in the form.
    """

    names: tuple[str, ...]
    path: SpecPath
    value: Any
    quantity: str
    title: str

    @property
    def name(self) -> str:
        """The names, joined by dots."""
        return ".".join(self.names)

    @property
    def is_number(self) -> bool:
        """Whether it is a number, or may be one."""
        return self.value is None or (
            isinstance(self.value, (int, float)) and not isinstance(self.value, bool)
        )

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole number."""
        return isinstance(self.value, int) and not isinstance(self.value, bool)


def decisions_of(project: Project) -> dict[str, Decision]:
    """Return all decisions with a single value, by name, except those of sweeps."""
    return {found.name: found for found in each_decision(project)}


def each_decision(project: Project) -> Iterator[Decision]:
    """Yield the items of `decisions_of`."""
    return _inside(project, (), (), "", "")


def _inside(
    value: Any, path: SpecPath, names: tuple[str, ...], quantity: str, title: str
) -> Iterator[Decision]:
    if isinstance(value, Spec):
        for name, field, extra in fields_of(value):
            if name not in _LABELS:
                of = str(extra.get("quantity", "") or "")
                yield from _inside(
                    getattr(value, name), (*path, name), (*names, name), of, field.title or name
                )
    elif isinstance(value, tuple):
        own = [str(getattr(item, "name", "") or getattr(item, "interface", "")) for item in value]
        if len(value) == len(AXES) and all(isinstance(item, float) for item in value):
            own = list(AXES)
        for i, item in enumerate(value):
            if getattr(item, "kind", "") == "sweep" and path == ("analyses",):
                continue
            called = own[i] if own[i] and own.count(own[i]) == 1 else str(i)
            yield from _inside(item, (*path, i), (*names, called), quantity, title)
    elif value is None or isinstance(value, (bool, int, float, str)):
        yield Decision(names, path, value, quantity, title)


def decision_of(project: Project, name: str) -> Decision:
    """Return a decision by its name, or by its path (``bodies[0].joints[1].search.distance``).

    Raises:
        ModelError: when there is none; names the most similar one.
    """
    known = decisions_of(project)
    if name in known:
        return known[name]
    for found in known.values():
        if path_text(found.path) == name:
            return found
    raise ModelError(f"There is no decision {name!r}.", there_are(name, known, "Decisions are", 200))


def decision_name(project: Project, path: SpecPath) -> str:
    """Return the name of the decision at a path; "" if there is none."""
    return next((found.name for found in decisions_of(project).values() if found.path == path), "")


def bounds_of(project: Project, decision: Decision) -> str:
    """Return the declared bounds of a decision: "≥ 0, < 1"; "" for none."""
    signs = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
    value_at(project, decision.path)
    field = field_at(project, decision.path)
    extra = field.json_schema_extra
    quantity = str(extra.get("quantity", "")) if isinstance(extra, dict) else ""
    found = [
        f"{sign} {number_for_people(getattr(mark, name), quantity)}"
        for mark in field.metadata
        for name, sign in signs.items()
        if getattr(mark, name, None) is not None
    ]
    return ", ".join(found)


def with_followed_decisions(project: Project, before: Project) -> Project:
    """Return the project with renamed decisions updated in sweeps.

    Args:
        project: project after the renaming.
        before: project before it.
    """
    if all(analysis.kind != "sweep" for analysis in project.analyses):
        return project
    paths = {name: found.path for name, found in decisions_of(before).items()}
    names = {found.path: name for name, found in decisions_of(project).items()}

    def follow(sweep: Any) -> Any:
        variations = tuple(
            each.with_(decision=names.get(paths.get(each.decision, ()), each.decision))
            for each in sweep.variations
        )
        return sweep.with_(variations=variations)

    return project.with_(analyses=tuple(follow(a) if a.kind == "sweep" else a for a in project.analyses))
