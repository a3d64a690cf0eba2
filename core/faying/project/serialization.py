"""Conversion of a project to and from plain dictionaries: the tables and values of a study file."""

import types
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from faying.errors import ModelError, shortened
from faying.params import Member, Spec, build, family_of, fields_of, problems
from faying.project.numbers import kind_of, left_unsaid
from faying.project.specs import SCHEMA_VERSION, Project
from faying.units import UnitSystemName, read_quantity, with_units

PlainDict = dict[str, Any]
_DEEPEST = 40  # nesting depth of tables and lists
_WRONG: Any = object()  # placeholder for a spec that cannot be built
_NONE = "none"  # value that switches off an optional parameter whose default is on


def project_to_dict(project: Project, *, complete: bool = False, empty: bool = True) -> PlainDict:
    """Return a project as plain values: schema version, and all values that differ from the defaults.

    Args:
        project: the decisions.
        complete: include every value, so that a later default cannot change decisions.
        empty: include texts and lists that are empty by default.
    """
    table: PlainDict = {"schema_version": SCHEMA_VERSION}
    spoken = _spoken(
        left_unsaid(project, project.model_dump(mode="json", exclude_defaults=True), project.units)
    )
    if not complete:
        return {**table, **spoken}
    every = _spoken(project.model_dump(mode="json"))
    return {**table, **(every if empty else _without_empty(every, spoken))}


def _without_empty(every: Any, spoken: Any) -> Any:
    """Return all values but for empty ones that are the default: those that are not among `spoken`."""
    if isinstance(every, dict):
        said = spoken if isinstance(spoken, dict) else {}
        return {
            key: _without_empty(value, said.get(key))
            for key, value in every.items()
            if key in said or value not in ("", [], {})
        }
    if isinstance(every, list):
        alike = isinstance(spoken, list) and len(spoken) == len(every)
        return [_without_empty(value, spoken[i] if alike else None) for i, value in enumerate(every)]
    return every


def project_from_dict(table: PlainDict, line: Callable[[str], int] | None = None) -> Project:
    """Return the project described by a table.

    Numbers may be texts with units where a quantity is declared.

    Args:
        table: plain values.
        line: returns the line of a parameter by its path, to be named in errors; of a file.

    Raises:
        ModelError: with a sentence and path for each invalid parameter.
    """
    _check_plain(table)
    table = dict(table)
    version = table.pop("schema_version", SCHEMA_VERSION)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ModelError(f"schema_version: {version!r} is not a schema number.", "Leave it out.")
    table = _of_this_schema(table, version)
    usual = Project.model_fields["units"].default
    system = table.get("units", usual)
    # The project reports an invalid unit system itself; numbers are read anyway.
    reader = _Reader(system if system in get_args(UnitSystemName) else usual)
    project = reader.spec(Project, table, "")
    if reader.errors:
        raise _together(reader.errors, line)
    assert isinstance(project, Project)
    return project


def spec_to_dict(spec: Spec, units: str) -> PlainDict:
    """Return one spec as plain values in a unit system: all that differ from the defaults, and the kind of a member."""
    plain: PlainDict = _spoken(left_unsaid(spec, spec.model_dump(mode="json", exclude_defaults=True), units))
    return {"kind": spec.kind, **plain} if isinstance(spec, Member) else plain


def value_from_dict(field: FieldInfo, value: Any, units: str, place: str) -> Any:
    """Return the value of a parameter described by plain values: a spec for a table, a tuple of specs for a list.

    Args:
        field: declaration of the parameter.
        value: plain values.
        units: unit system of the numbers.
        place: name for errors.

    Raises:
        ModelError: with a sentence for each invalid value.
    """
    _check_plain({place: value})
    reader = _Reader(units)
    found = reader.value(field, "", value, place)
    if reader.errors:
        raise _together(reader.errors, None)
    return found


def _of_this_schema(table: PlainDict, version: int) -> PlainDict:
    """Return the table of a project in the present schema, converted from the previous one if necessary.

    Raises:
        ModelError: when the table was written for a newer or an older schema.
    """
    if version > SCHEMA_VERSION:
        raise ModelError(
            f"The project was written by a newer Faying (schema {version}; this one reads up to {SCHEMA_VERSION}).",
            "Install the newer version to open it.",
        )
    if version < SCHEMA_VERSION - 1:
        raise ModelError(
            f"The project was written before the first release (schema {version}; this version reads schema "
            f"{SCHEMA_VERSION}).",
            "Of a study remove the line schema_version, and correct what is named then; make a project file again from "
            "its study.",
        )
    bodies = table.get("bodies")
    if version == SCHEMA_VERSION or not isinstance(bodies, list):
        return table
    former = {"joint_modes": {"kind": "weighted_pod"}}  # for bodies without a method
    return table | {"bodies": [former | body if isinstance(body, dict) else body for body in bodies]}


def _check_plain(table: PlainDict) -> None:
    """Refuse impossible values anywhere: excessive nesting, enormous integers, invalid texts.

    Raises:
        ModelError: naming the place of the first such value.
    """
    waiting: list[tuple[str, Any, int]] = [("", table, 0)]
    while waiting:
        place, value, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ModelError(f"{shortened(place)}: lists or tables are nested too deep.", "Correct the file.")
        if isinstance(value, dict):
            waiting += [(f"{place}.{key}".lstrip("."), item, depth + 1) for key, item in value.items()]
            value = "".join(value)
        elif isinstance(value, (list, tuple)):
            waiting += [(f"{place}[{i}]", item, depth + 1) for i, item in enumerate(value)]
        if isinstance(value, str) and "\0" in value:
            raise ModelError(f"{shortened(place)}: a text holds a character of code zero.", "Remove it.")
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise ModelError(f"{shortened(place)}: an integer is too large.", "Write a smaller one.")


def _spoken(value: Any) -> Any:
    if value is None:
        return _NONE
    if isinstance(value, dict):
        return {key: _spoken(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_spoken(item) for item in value]
    return value


class _Reader:
    """Builds specs from the inside out, so that every error has its full path; continues after errors.

    Args:
        system: unit system of plain numbers.

    Attributes:
        errors: found so far, with the path of the parameter.
    """

    def __init__(self, system: str) -> None:
        self._system, self.errors = system, list[tuple[str, ModelError]]()

    def spec(self, kind: type[Spec], table: Any, place: str) -> Any:
        """Return the spec described by a table, `_WRONG` if it contains an error."""
        if not isinstance(table, dict):
            sentence = f"{place or 'The study'}: a table is expected, not {shortened(repr(table))}."
            return self._wrong(place, ModelError(sentence))
        declared = {name: (field, extra) for name, field, extra in fields_of(kind)}
        values: PlainDict = {}
        for name, value in table.items():
            at = f"{place}.{name}" if place else name
            if name in declared:
                field, extra = declared[name]
                value = self.value(field, str(extra.get("quantity", "")), value, at)
            values[name] = value
        broken = {name for name, value in values.items() if value is _WRONG}
        sound = {name: value for name, value in values.items() if name not in broken}
        # Nested errors have been recorded already, and make the containing spec invalid too.
        found = [
            (name, error)
            for name, error in problems(kind, sound, table)
            if name not in broken and (name or not broken)
        ]
        for name, error in found:
            at = f"{place}.{name}".strip(".")
            self._wrong(at, ModelError(f"{place}: {error.message}" if place else error.message, error.hint))
        return _WRONG if found or broken else build(kind, sound)

    def value(self, field: FieldInfo, quantity: str, value: Any, place: str) -> Any:
        """Return the value of one parameter, `_WRONG` if it contains an error."""
        if value == _NONE and _is_optional(field):
            return None
        if isinstance(value, PurePath):
            return str(value)
        if isinstance(value, (list, tuple)):
            items = [self.value(field, quantity, item, f"{place}[{i}]") for i, item in enumerate(value)]
            return _WRONG if any(item is _WRONG for item in items) else tuple(items)
        if isinstance(value, dict):
            return self._table(field, value, place)
        if quantity and isinstance(value, str):
            try:
                return read_quantity(value, quantity, self._system)
            except ModelError as error:
                return self._wrong(place, ModelError(f"{place}: {error.message}", error.hint))
        return value

    def _table(self, field: FieldInfo, value: PlainDict, place: str) -> Any:
        family = family_of(field)
        if family is not None:
            table = dict(value)
            chosen = table.pop("kind", None)
            if not isinstance(chosen, str):
                what = "is missing" if chosen is None else "is no text"
                known = ", ".join(sorted(family))  # type: ignore[call-overload]
                hint = f'Write kind = "…" with one of: {known}.'
                return self._wrong(place, ModelError(f"{place}: the kind {what}.", hint))
            try:
                member = family[chosen]
            except ModelError as error:
                return self._wrong(place, ModelError(f"{place}: {error.message}", error.hint))
            return self.spec(member, table, place)
        inner = kind_of(field, value)
        return value if inner is None else self.spec(inner, value, place)

    def _wrong(self, place: str, error: ModelError) -> Any:
        error.reword(lambda text: with_units(text, self._system))
        self.errors.append((place, error))
        return _WRONG


def _together(found: list[tuple[str, ModelError]], line: Callable[[str], int] | None) -> ModelError:
    """Return one error that combines all, each with its line; a single one alone."""
    errors = [
        ModelError(f"line {line(place)}: {error.message}", error.hint) if line else error
        for place, error in found
    ]
    if len(errors) == 1:
        return errors[0]
    lines = [f"  {error}" for error in errors]
    return ModelError("\n".join([f"{len(errors)} parameters are wrong:", *lines]))


def _is_optional(field: FieldInfo) -> bool:
    union = get_origin(field.annotation) in (Union, types.UnionType)
    return union and type(None) in get_args(field.annotation)
