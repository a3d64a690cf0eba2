"""Tables of the reference, from declarations."""

import inspect
import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from faying.params import Spec, family_of, fields_of
from faying.units import number_for_people, unit_text

UNITS = "mm-t-s"
_SIGNS = (("gt", "> {}"), ("ge", "≥ {}"), ("lt", "< {}"), ("le", "≤ {}"))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows of text as a table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell(text) for text in line) + " |" for line in lines)


def cell(text: str) -> str:
    """Return a text for a cell of a table: on one line, its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def parameters(kind: type[Spec]) -> str:
    """Return the table of a spec's parameters, or a sentence if it has none."""
    rows = [
        (f"`{name}`", field.title or name, _of(field, extra), _default(field), field.description or "")
        for name, field, extra in fields_of(kind)
    ]
    return table(("name", "title", "takes", "default", "meaning"), rows) if rows else "It has no parameters."


def inner_specs(kind: type[Spec]) -> list[tuple[str, type[Spec]]]:
    """Return (name, spec) of the parameters that are specs themselves, or lists of specs of one kind."""
    found = []
    for name, field, _ in fields_of(kind):
        if family_of(field) is None and (inner := spec_in(field.annotation)) is not None:
            found.append((name, inner))
    return found


def about(thing: Any) -> str:
    """Return the first paragraph of a class's docstring as one line."""
    text = inspect.getdoc(thing) or ""
    return " ".join(text.split("\n\n")[0].split())


def _of(field: FieldInfo, extra: dict[str, Any]) -> str:
    """Return the allowed values of a parameter: its quantity and unit, or its type, and its bounds."""
    words = []
    family: Any = family_of(field)
    unit = unit_text(str(extra["quantity"]), UNITS) if extra.get("quantity") else ""
    if family is not None:
        words.append(f"[{family.family}](reference-{family_page(family)}.md)")
    elif extra.get("quantity"):
        words.append(f"{str(extra['quantity']).replace('_', ' ')}" + (f" [{unit}]" if unit else ""))
    elif extra.get("choices"):
        words.append(f"name of: {str(extra['choices']).replace('_', ' ')}")
    else:
        words.append(_type_text(field.annotation) + (f" [{extra['unit']}]" if extra.get("unit") else ""))
    for mark in field.metadata:
        words += [
            text.format(number_for_people(getattr(mark, sign), str(extra.get("quantity", ""))))
            for sign, text in _SIGNS
            if getattr(mark, sign, None) is not None
        ]
    return ", ".join(word for word in words if word)


def family_page(family: Any) -> str:
    """Return the name of the page of a family: "contact-law"."""
    return str(family.family).replace(" ", "-").lower()


def _type_text(annotation: Any) -> str:
    named = {int: "whole number", float: "number", str: "text", bool: "true or false"}
    if annotation in named:
        return named[annotation]
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return "table"
    kind = get_origin(annotation)
    args = [a for a in get_args(annotation) if a is not type(None) and a is not Ellipsis]
    if kind is Literal:
        return " or ".join(toml_text(a) for a in args)
    if kind is Annotated:
        return _type_text(args[0])
    if kind is tuple and len(args) > 1:
        return f"{len(args)} numbers" if all(a in (int, float) for a in args) else ""
    texts = dict.fromkeys(text for a in args if (text := _type_text(a)))
    return ("list of: " if kind is tuple and texts else "") + " or ".join(texts)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    value = field.default
    if isinstance(value, Spec):
        return ""
    if value is None or value in ((), ""):
        return "none"
    extra = field.json_schema_extra
    if isinstance(value, float) and isinstance(extra, dict) and extra.get("quantity") == "angle" and value:
        value = number_for_people(value, "angle")
    return f"`{toml_text(value)}`"


def toml_text(value: Any) -> str:
    """Return a value as a study file has it, on one line: ``[0.0, 0.0]``, ``{ kind = "hht" }``, ``true``."""
    if isinstance(value, Spec):
        value = value.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml_text(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_text, value)) + "]"
    # Strings, booleans and numbers are the same in JSON and TOML.
    return json.dumps(value, ensure_ascii=False)


def spec_in(annotation: Any) -> type[Spec] | None:
    """Return the spec class in a type annotation: itself, in a tuple, or optional; None if there is none."""
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return annotation
    found = (spec_in(part) for part in get_args(annotation))
    return next((kind for kind in found if kind is not None), None)
