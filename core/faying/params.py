"""Parameters are declared once: type, unit, bounds, meaning. Form, file, command line and checks follow.

A *spec* is a frozen pydantic model. A field is declared with `parameter(...)`; its `quantity` names the
physical dimension (see `faying.units`), from which the unit shown in a form and accepted in a study file
follows. A *member* is a spec that belongs to a family and is written with its ``kind``.
"""

import math
import re
from collections.abc import Container, Iterator
from typing import Annotated, Any, ClassVar, Protocol, Self, TypeVar, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_serializer,
)
from pydantic.fields import FieldInfo

from faying.errors import ModelError, shortened, there_are

M = TypeVar("M", bound=BaseModel)
_PERCENT = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*%\s*")
_COUNTS = {2: "two", 3: "three", 4: "four", 6: "six"}
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


class Spec(BaseModel):
    """A frozen set of decisions. Edits make new ones: ``spec.with_(name=value)``."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False,
        # Most of the 200 classes are never filled in by one start of the program.
        defer_build=True,
    )  # fmt: skip

    @field_validator("*", mode="before")
    @classmethod
    def _shares(cls, value: Any, about: ValidationInfo) -> Any:
        """Return the number for a text such as "1 %", where a number without a unit is expected."""
        items = value if isinstance(value, (list, tuple)) else (value,)
        if not any(isinstance(item, str) and "%" in item for item in items):
            return value
        if not _is_plain_number(cls.model_fields[about.field_name or ""]):
            return value
        return tuple(map(_share, items)) if items is value else _share(value)

    @field_validator("*")
    @classmethod
    def _can_be_written(cls, value: Any) -> Any:
        """Normalize line ends in texts to line feeds, as a file gives them back; refuse texts that a file cannot hold.

        Decisions made in a window or script must survive saving and opening.
        """
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str) and _UNWRITABLE.search(text):
                raise ValueError("it holds a character of code zero, or half of one")
        return tuple(map(_with_line_feeds, value)) if isinstance(value, tuple) else _with_line_feeds(value)

    def with_(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, checked like a new one.

        Raises:
            ModelError: when a value is not allowed; the sentence names the parameter and its bounds.
        """
        # Unset parameters stay unset: their default may differ in the units of a project.
        values = {name: getattr(self, name) for name in self.model_fields_set}
        return build(type(self), {**values, **changes})


def _is_plain_number(field: FieldInfo) -> bool:
    """Return whether a parameter is a number, or a list of numbers, without quantity and unit."""
    extra = field.json_schema_extra
    has_unit = isinstance(extra, dict) and (extra.get("quantity") or extra.get("unit"))
    return not has_unit and float in _types_in(field.annotation) and str not in _types_in(field.annotation)


def _types_in(annotation: Any) -> set[Any]:
    """Return all types that an annotation is made of."""
    return {annotation}.union(*map(_types_in, get_args(annotation)))


def _share(value: Any) -> Any:
    """Return the number before a percent sign divided by 100; any other value unchanged."""
    found = _PERCENT.fullmatch(value) if isinstance(value, str) else None
    return float(found[1]) / 100.0 if found else value


def _with_line_feeds(value: Any) -> Any:
    """Return a text with line feeds as line ends, as TOML reads them; any other value unchanged."""
    return value.replace("\r\n", "\n") if isinstance(value, str) else value


def parameter(
    default: Any = ...,
    *,
    title: str,
    meaning: str,
    quantity: str = "",
    unit: str = "",
    choices: str = "",
    advanced: bool = False,
    over: str = "",
    gives: str = "",
    **bounds: Any,
) -> Any:
    """Declare a parameter of a spec.

    Args:
        default: value if unset; for a quantity always in mm, t and s, whatever the unit system; `...` makes the
            parameter mandatory.
        title: label in a form.
        meaning: one or two sentences for tooltip, help and documentation.
        quantity: physical dimension, a key of `faying.units.QUANTITIES`; empty for none.
        unit: fixed unit of a number without a quantity, such as "°"; independent of the unit system.
        choices: what kind of object a name refers to, for a form's list: "interface", "deck_surface", "body", …
        advanced: hidden in a form until requested.
        over, gives: of a function of one variable, such as a characteristic: physical dimensions of both.
        bounds: ge, gt, le, lt, min_length, max_length, pattern, as in pydantic.
    """
    extra: dict[str, Any] = {"quantity": quantity, "choices": choices, "advanced": advanced}
    extra |= {name: text for name, text in (("unit", unit), ("over", over), ("gives", gives)) if text}
    if default is not ...:
        bounds["default"] = default
    return Field(title=title, description=meaning, json_schema_extra=extra, **bounds)


class _Family(Protocol):
    family: str

    def __getitem__(self, kind: str) -> Any: ...

    def __contains__(self, kind: str) -> bool: ...


class Member(Spec):
    """A spec that is a member of a family: a law, a method, an analysis. Written with its ``kind``.

    `advice` says in a sentence or two when to choose it; forms show it below the choice.
    """

    kind: ClassVar[str] = ""
    title: ClassVar[str] = ""
    advice: ClassVar[str] = ""

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return sample parameters for the contract tests of its family; empty where the defaults suffice."""
        return {}

    @model_serializer(mode="wrap")
    def _write_kind(self, handler: Any) -> dict[str, Any]:
        return {"kind": self.kind, **handler(self)}


def member_of(registry: _Family) -> Any:
    """Return the type of a field that holds any member of the registry's family."""

    def read(value: Any) -> Any:
        if isinstance(value, Member) and (
            value.kind not in registry or registry[value.kind] is not type(value)
        ):
            raise ModelError(f"{type(value).title or type(value).__name__} is not a {registry.family}.")
        if not isinstance(value, dict):
            return value
        table = dict(value)
        kind = table.pop("kind", None)
        if not isinstance(kind, str):
            raise ModelError(
                f"A {registry.family} lacks its kind.", 'Write kind = "…" beside its parameters.'
            )
        return build(registry[kind], table)

    return Annotated[SerializeAsAny[Member], BeforeValidator(read), _FamilyMark(registry)]


class _FamilyMark:
    """Lets a form find the family of a field."""

    def __init__(self, registry: _Family) -> None:
        self.registry = registry


def family_of(field: FieldInfo) -> _Family | None:
    """Return the registry of a field's members, or None for an ordinary field.

    Also works for an optional member and for a list of members.
    """
    marks, types = list(field.metadata), [field.annotation]
    while types:
        kind: Any = types.pop()
        marks += getattr(kind, "__metadata__", ())
        types += get_args(kind)
    for mark in marks:
        if isinstance(mark, _FamilyMark):
            return mark.registry
    return None


def build(kind: type[M], table: dict[str, Any]) -> M:
    """Return a checked spec from a table of plain values (of a study file, a form).

    Raises:
        ModelError: one sentence on the first error, with the path to it.
    """
    try:
        return kind.model_validate(table)
    except ValidationError as error:
        raise ModelError(*_sentence(kind, error)) from None


def problems(
    kind: type[M], table: dict[str, Any], written: dict[str, Any] | None = None
) -> list[tuple[str, ModelError]]:
    """Return (parameter, error) for all errors in a table; "" as the parameter for an error of the whole table.

    Args:
        kind: class of the spec.
        table: plain values.
        written: the values as the user wrote them, such as "200 deg", to be quoted in the errors.
    """
    try:
        kind.model_validate(table)
    except ValidationError as error:
        names = [str(each["loc"][0]) if each["loc"] else "" for each in error.errors()]
        return [(name, ModelError(*_sentence(kind, error, i, written))) for i, name in enumerate(names)]
    except ModelError as error:  # from a spec that was built inside
        return [("", error)]
    return []


def _sentence(
    kind: type[Any], error: ValidationError, number: int = 0, written: dict[str, Any] | None = None
) -> tuple[str, str]:
    first = error.errors()[number]
    place = ".".join(str(part) for part in first["loc"])
    place = re.sub(r"\.(\d+)", r"[\1]", place)
    # "interface load" for the class InterfaceLoadSpec, which has no title.
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.__name__.removesuffix("Spec"))
    title = getattr(kind, "title", "")
    thing = title if isinstance(title, str) and title else words.capitalize()
    count = _vector_size(kind, str(first["loc"][0])) if first["loc"] else 0
    if count and (
        first["type"] in ("too_long", "tuple_type") or (first["type"] == "missing" and len(first["loc"]) == 2)
    ):
        text = _at(written, first["loc"][:1])
        said = (
            f"{len(text)} values" if isinstance(text, (list, tuple)) else shortened(repr(first["input"]), 200)
        )
        numbers = _COUNTS.get(count, str(count))
        return f"{thing}: {first['loc'][0]} takes {numbers} numbers (given: {said}).", ""
    if first["type"] == "extra_forbidden":
        return f"{thing}: there is no parameter {place!r}.", there_are(place, kind.model_fields, "Known are")
    if first["type"] == "missing":
        return f"{thing}: the parameter {place!r} is missing.", "Add it."
    shown = not isinstance(first["input"], (dict, BaseModel))
    given = f" (given: {shortened(repr(first['input']), 200)})" if shown else ""
    message = first["msg"].removeprefix("Value error, ")
    text = _at(written, first["loc"])
    if _is_angle(kind, first["loc"]) and isinstance(first["input"], (int, float)):
        # Angles are in radians, which are hard to read: quote degrees.
        given = f" (given: {math.degrees(first['input']):.6g} deg)"
        for bound in (first.get("ctx") or {}).values():
            if isinstance(bound, (int, float)):
                message = message.replace(str(bound), f"{math.degrees(bound):.6g} deg")
    if isinstance(text, str) and shown and first["input"] != text:
        given = f" (given: {shortened(text, 200)})"
    where = f"{thing}: {place}" if place else thing  # "" for an error of the whole table
    return f"{where}: {message}{given}.".replace("..", "."), ""


def _vector_size(kind: type[Any], name: str) -> int:
    """Return how many numbers a parameter takes that is a vector; 0 for any other."""
    field = kind.model_fields.get(name)
    inner = get_args(field.annotation) if field is not None else ()
    return len(inner) if len(inner) > 1 and all(each is float for each in inner) else 0


def _is_angle(kind: type[Any], place: tuple[int | str, ...]) -> bool:
    """Return whether a parameter of a spec, or of one inside it, is an angle."""
    kinds, quantity = [kind], ""
    for part in place:  # skip numbers in lists, and words that call a validator
        field = next((known.model_fields[part] for known in kinds if part in known.model_fields), None)
        if field is not None:
            extra = field.json_schema_extra
            quantity = str(extra.get("quantity", "")) if isinstance(extra, dict) else ""
            kinds = _specs_in(field.annotation)
    return quantity == "angle"


def _specs_in(annotation: Any) -> list[type[Any]]:
    """Return the specs that a type names, including those in optional types and lists."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [kind for inner in get_args(annotation) for kind in _specs_in(inner)]


def _at(table: Any, place: tuple[int | str, ...]) -> Any:
    """Return the value at a place in plain values, or None."""
    for part in place:
        try:
            table = table[part]
        except (KeyError, IndexError, TypeError):
            return None
    return table


def fields_of(spec: type[Spec] | Spec) -> Iterator[tuple[str, FieldInfo, dict[str, Any]]]:
    """Yield (name, field, extra) of every parameter; extra holds quantity, choices and advanced."""
    kind = spec if isinstance(spec, type) else type(spec)
    for name, field in kind.model_fields.items():
        extra = field.json_schema_extra
        yield name, field, dict(extra) if isinstance(extra, dict) else {}


def unused_name(wish: str, taken: Container[str]) -> str:
    """Return the wish, or the wish followed by the first number from 2 on that makes it unused."""
    name, number = wish, 2
    while name in taken:
        name, number = f"{wish} {number}", number + 1
    return name


def unique_names(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the items; raise an error when a name is used twice."""
    seen: set[str] = set()
    for item in items:
        if item.name in seen:
            raise ValueError(f"the name {item.name!r} is used twice")
        seen.add(item.name)
    return items
