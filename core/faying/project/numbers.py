"""Numbers of a project in its units: texts such as "0.1 kN" wherever a quantity is declared, and defaults."""

from typing import Any, TypeVar, get_args

from pydantic.fields import FieldInfo

from faying.errors import ModelError
from faying.params import Member, Spec, family_of, fields_of
from faying.units import default_in, factor_to_si, read_quantity

S = TypeVar("S", bound=Spec)


def with_numbers(kind: type[Spec], table: Any, system: str, place: str = "") -> Any:
    """Return the table of a spec with texts with units converted to numbers.

    Args:
        kind: kind of the spec.
        table: plain values by name; other values are returned unchanged.
        system: unit system of the resulting numbers.
        place: place of the spec, for error messages: "bodies[0]".

    Raises:
        ModelError: for a text that is not such a quantity; names its place.
    """
    if not isinstance(table, dict):
        return table
    declared = {name: (field, str(extra.get("quantity", ""))) for name, field, extra in fields_of(kind)}
    return {
        name: with_number(*declared[name], value, system, f"{place}.{name}".lstrip("."))
        if name in declared
        else value
        for name, value in table.items()
    }


def with_number(field: FieldInfo, quantity: str, value: Any, system: str, place: str) -> Any:
    """Return the value of one parameter with texts with units converted to numbers.

    Args:
        field: its declaration.
        quantity: its declared quantity; "" for none.
        value: any permitted value: a text, the table of a spec, a list of these.
        system, place: as of `with_numbers`.

    Raises:
        ModelError: as `with_numbers`.
    """
    if isinstance(value, (list, tuple)):
        return tuple(with_number(field, quantity, x, system, f"{place}[{i}]") for i, x in enumerate(value))
    if isinstance(value, dict):
        inner = kind_of(field, value)
        return value if inner is None else with_numbers(inner, value, system, place)
    if not (quantity and isinstance(value, str)):
        return value
    try:
        return read_quantity(value, quantity, system)
    except ModelError as error:
        raise ModelError(f"{place}: {error.message}", error.hint) from None


def in_units(spec: S, system: str) -> S:
    """Return the spec with undecided defaults, including those of nested specs, converted to a unit system."""
    changes: dict[str, Any] = {}
    for name, _, extra in fields_of(spec):
        decided = name in spec.model_fields_set
        value = getattr(spec, name)
        new = _in_units(value, "" if decided else str(extra.get("quantity", "")), system)
        if new is not value:
            changes[name] = new
    return spec.model_copy(update=changes) if changes else spec


def _in_units(value: Any, quantity: str, system: str) -> Any:
    """Return a value, or the values in a tuple, in a unit system; the same object if nothing changes."""
    if isinstance(value, Spec):
        return in_units(value, system)
    if not isinstance(value, tuple):
        return default_in(value, quantity, system)
    new = tuple(_in_units(item, quantity, system) for item in value)
    return value if all(a is b for a, b in zip(new, value, strict=True)) else new


def converted(spec: S, before: str, after: str) -> S:
    """Return the spec with all numbers that were decided, including those of nested specs, in another unit system.

    Args:
        spec: with numbers in the former system.
        before, after: unit systems.
    """
    if before == after:
        return spec
    changes = {
        name: _converted(getattr(spec, name), str(extra.get("quantity", "")), before, after)
        for name, _, extra in fields_of(spec)
        if name in spec.model_fields_set
    }
    return spec.model_copy(update=changes)


def _converted(value: Any, quantity: str, before: str, after: str) -> Any:
    if isinstance(value, Spec):
        return converted(value, before, after)
    if isinstance(value, tuple):
        return tuple(_converted(item, quantity, before, after) for item in value)
    if not quantity or not isinstance(value, float):
        return value
    # Powers of ten leave round-off in the last digit.
    return float(f"{value * factor_to_si(quantity, before) / factor_to_si(quantity, after):.14g}")


def left_unsaid(spec: Spec, said: dict[str, Any], system: str) -> dict[str, Any]:
    """Return the plain values of a spec, with values added that equal a declared default but not the unit system's.

    Args:
        spec: the decisions.
        said: plain values that differ from declared defaults.
        system: unit system of the project.
    """
    found = dict(said)
    for name, field, extra in fields_of(spec):
        value, quantity = getattr(spec, name), str(extra.get("quantity", ""))
        if isinstance(value, Spec):
            inner = left_unsaid(value, found.get(name) or {}, system)
            if inner:
                found[name] = {"kind": value.kind, **inner} if isinstance(value, Member) else inner
        elif name not in found and quantity:
            if value != default_in(field.default, quantity, system):
                found[name] = list(value) if isinstance(value, tuple) else value
        elif name in found and isinstance(value, tuple) and any(isinstance(item, Spec) for item in value):
            found[name] = [
                left_unsaid(item, told, system) for item, told in zip(value, found[name], strict=True)
            ]
    return found


def kind_of(field: FieldInfo, table: dict[str, Any]) -> type[Spec] | None:
    """Return the kind of spec described by a table for a field; None if it is not a spec or of unknown kind."""
    family = family_of(field)
    if family is None:
        return _spec_in(field.annotation)
    chosen = table.get("kind")
    return family[chosen] if isinstance(chosen, str) and chosen in family else None


def _spec_in(annotation: Any) -> type[Spec] | None:
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return annotation
    found = (_spec_in(part) for part in get_args(annotation))
    return next((kind for kind in found if kind is not None), None)
