"""What a form knows of one parameter: its declaration, taken apart once."""

import math
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from faying.params import Spec, family_of, fields_of


@dataclass(frozen=True)
class Declaration:
    """One parameter of a spec.

    Attributes:
        name, title, meaning: as declared.
        quantity: physical dimension, "" for none.
        unit: of a number without one, "" for none.
        choices: what a name refers to ("interface", "deck_surface", …), "" for none.
        advanced: folded away until the user opens them.
        annotation: the type of the value, without None.
        optional: whether None is a value.
        may_be_empty: whether a name may be left out: None or "" is a value.
        family: registry that a member comes from, None for ordinary values.
        item_family: registry that the members of a list come from, None for other values.
        bounds: allowed range in words: "≥ 0", "0 … 90"; "" for none.
        over, gives: of a function of one variable, its physical dimensions; "" where they are not known.
    """

    name: str
    title: str
    meaning: str
    quantity: str
    unit: str
    choices: str
    advanced: bool
    annotation: Any
    optional: bool
    may_be_empty: bool
    family: Any
    item_family: Any
    bounds: str
    over: str = ""
    gives: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The allowed words of a Literal, () for any other type."""
        return (
            tuple(str(w) for w in get_args(self.annotation)) if get_origin(self.annotation) is Literal else ()
        )

    @property
    def item(self) -> Any:
        """Type of the items of a tuple of any length, without their bounds; None for any other type."""
        args = get_args(self.annotation)
        if get_origin(self.annotation) is tuple and len(args) == 2 and args[1] is Ellipsis:
            return get_args(args[0])[0] if get_origin(args[0]) is Annotated else args[0]
        return None

    @property
    def vector(self) -> int:
        """Length of a tuple of numbers of fixed length, 0 for any other type."""
        args = get_args(self.annotation)
        fixed = get_origin(self.annotation) is tuple and args and all(a in (float, int) for a in args)
        return len(args) if fixed else 0

    @property
    def item_spec(self) -> Any:
        """Spec class of the items of a list of specs, None for any other type."""
        item = self.item
        return item if isinstance(item, type) and issubclass(item, Spec) else None

    @property
    def is_spec(self) -> bool:
        """Whether the value is a spec of its own (not a family member)."""
        return self.family is None and isinstance(self.annotation, type) and issubclass(self.annotation, Spec)


def declarations(spec: type[Spec] | Spec) -> Iterator[Declaration]:
    """Yield the declaration of every parameter of a spec, in order."""
    for name, field, extra in fields_of(spec):
        annotation, optional = _without_none(field.annotation)
        yield Declaration(
            name=name,
            title=field.title or name.replace("_", " ").capitalize(),
            meaning=field.description or "",
            quantity=str(extra.get("quantity", "")),
            unit=str(extra.get("unit", "")),
            choices=str(extra.get("choices", "")),
            advanced=bool(extra.get("advanced", False)),
            annotation=annotation,
            optional=optional,
            may_be_empty=optional or field.default == "",
            family=None if get_origin(annotation) is tuple else family_of(field),
            item_family=family_of(field) if get_origin(annotation) is tuple else None,
            bounds=_bounds(field, str(extra.get("quantity", ""))),
            over=str(extra.get("over", "")),
            gives=str(extra.get("gives", "")),
        )


def declared_at(owner: Any, name: str | int) -> Declaration | None:
    """Return the declaration of a spec's parameter; None when it has none of that name, or is no spec."""
    if not isinstance(owner, Spec):
        return None
    return next((d for d in declarations(owner) if d.name == name), None)


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [a for a in get_args(annotation) if a is not type(None)]
        if len(rest) < len(get_args(annotation)):
            return Union[tuple(rest)], True  # noqa: UP007 - of as many as there are
    return annotation, False


def _bounds(field: FieldInfo, quantity: str) -> str:
    low, high = "", ""
    per = math.degrees(1.0) if quantity == "angle" else 1.0  # as forms show angles
    for mark in field.metadata:
        for word, sign in (("gt", "> "), ("ge", "≥ ")):
            if getattr(mark, word, None) is not None:
                low = f"{sign}{per * getattr(mark, word):g}"
        for word, sign in (("lt", "< "), ("le", "≤ ")):
            if getattr(mark, word, None) is not None:
                high = f"{sign}{per * getattr(mark, word):g}"
    return " and ".join(w for w in (low, high) if w)
