"""The JSON schema of study files, for editors that complete and check TOML.

It is generated from the declarations: every table with its parameters, their meaning, unit, bounds and defaults, and
the kinds of every family. It describes valid syntax; ``faying check`` verifies that referenced names exist.
"""

from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from faying.params import Member, Spec, family_of, fields_of
from faying.project.specs import SCHEMA_VERSION, Project
from faying.units import unit_text

Schema = dict[str, Any]
_BOUNDS = {
    "ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum", "min_length": "minLength",
    "pattern": "pattern",
}  # fmt: skip
_PLAIN = {int: "integer", float: "number", str: "string", bool: "boolean"}


def study_schema() -> Schema:
    """Return the schema (draft 2020-12) of a study file."""
    definitions: dict[str, Schema] = {}
    top = _of_spec(Project, definitions)
    table = definitions.pop(top["$ref"].rpartition("/")[2])
    version = {
        "type": "integer",
        "minimum": SCHEMA_VERSION - 1,
        "maximum": SCHEMA_VERSION,
        "description": "Version of the words.",
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Faying study",
        **table,
        "properties": {"schema_version": version, **table["properties"]},
        "$defs": dict(sorted(definitions.items())),
    }


def _of_spec(kind: type[Spec], definitions: dict[str, Schema]) -> Schema:
    """Return a reference to the table of a spec, which is added to the definitions."""
    name = f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"
    if name not in definitions:
        definitions[name] = {}  # specs may be recursive
        properties: dict[str, Schema] = {}
        needed = []
        if issubclass(kind, Member):
            properties["kind"] = {"const": kind.kind, "description": _first_sentence(kind)}
            needed.append("kind")
        for parameter, field, extra in fields_of(kind):
            properties[parameter] = _of_field(field, extra, definitions)
            if field.is_required():
                needed.append(parameter)
        definitions[name] = {
            "type": "object", "title": getattr(kind, "title", "") or kind.__name__,
            "description": _first_sentence(kind), "properties": properties, "required": needed,
            "additionalProperties": False,
        }  # fmt: skip
    return {"$ref": f"#/$defs/{name}"}


def _of_field(field: FieldInfo, extra: dict[str, Any], definitions: dict[str, Schema]) -> Schema:
    quantity = str(extra.get("quantity", ""))
    unit = unit_text(quantity, "mm-t-s") if quantity else ""
    meaning = field.description or ""
    schema: Schema = {
        "title": field.title or "",
        "description": f"{meaning} [{unit} in mm-t-s, or a text with its unit]" if unit else meaning,
    }
    family: Any = family_of(field)
    bounds = {
        word: getattr(mark, sign)
        for mark in field.metadata
        for sign, word in _BOUNDS.items()
        if getattr(mark, sign, None) is not None
    }
    schema |= _of_type(field.annotation, family, quantity, bounds, definitions)
    default = field.default
    if not field.is_required() and isinstance(default, (bool, int, float, str)):
        schema["default"] = default
    return schema


def _of_type(
    annotation: Any, family: Any, quantity: str, bounds: Schema, definitions: dict[str, Schema]
) -> Schema:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": _of_type(args[0], family, quantity, {}, definitions)}
        items = [_of_type(arg, family, quantity, {}, definitions) for arg in args]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if origin in (Union, UnionType):
        kinds = [_of_type(arg, family, quantity, bounds, definitions) for arg in args if arg is not NoneType]
        return {"anyOf": [*kinds, {"const": "none"}]} if NoneType in args else {"anyOf": kinds}
    if origin is Literal:
        return {"enum": list(args)}
    if family is not None:
        return {"oneOf": [_of_spec(member, definitions) for _, member in family.items()]}
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return _of_spec(annotation, definitions)
    if annotation in _PLAIN:
        plain = {"type": _PLAIN[annotation], **bounds}
        # "0.1 kN" is a number wherever a quantity is declared.
        return {"anyOf": [plain, {"type": "string", "pattern": "[0-9]"}]} if quantity else plain
    return {}


def _first_sentence(kind: type[Spec]) -> str:
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())
