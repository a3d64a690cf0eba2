"""Numbers with units in the tables of a project: "0.1 kN" is a number wherever a quantity is declared."""

from typing import Any, get_args

from pydantic.fields import FieldInfo

from faying.errors import ModelError
from faying.params import Spec, family_of, fields_of
from faying.units import read_quantity


def with_numbers(kind: type[Spec], table: Any, system: str, place: str = "") -> Any:
    """Return the table of a spec in which texts with units are numbers; all else stays as it is.

    Args:
        kind: of the spec.
        table: plain values by name; anything else is returned.
        system: unit system that the numbers are to be in.
        place: where the spec stands, for the sentence of an error: "bodies[0]".

    Raises:
        ModelError: for a text that is no such quantity; names its place.
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
    """Return the value of one parameter, in which texts with units are numbers.

    Args:
        field: its declaration.
        quantity: that it declares; "" for none.
        value: anything that may be given for it: a text, the table of a spec, a list of these.
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


def kind_of(field: FieldInfo, table: dict[str, Any]) -> type[Spec] | None:
    """Return the kind of spec that a table for a field describes; None when it is none, or of no known kind."""
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
