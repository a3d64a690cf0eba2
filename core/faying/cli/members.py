"""Members of families on the command line: "coulomb:friction_coefficient=0.2", and the list of all members."""

from typing import Any, get_origin

from faying.units import default_in, number_for_people, read_quantity, unit_text


def parameters_of(member: Any, text: str, system: str) -> dict[str, Any]:
    """Return the parameters that a text such as "stiffness=400N/mm^3,points=3" gives.

    Args:
        member: class of the member.
        text: names and values with commas between; the numbers of a list have colons between them.
        system: of units, for numbers without one.

    Raises:
        ModelError: when a part is no name with a value, a name comes twice, or a unit has another dimension.
    """
    from faying.errors import ModelError

    given: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        name, equals, value = part.partition("=")
        if not equals:
            raise ModelError(
                f"{part!r} is no parameter with a value.", "Write name=value, with commas between."
            )
        if name in given:
            raise ModelError(f"The parameter {name!r} is given twice.", "Give it once.")
        given[name] = _value(member, name, value, system)
    return given


def _value(member: Any, name: str, text: str, system: str) -> Any:
    field = member.model_fields.get(name)
    if field is None or field.annotation is str:
        return text  # an unknown name is refused by the member itself
    extra = field.json_schema_extra
    quantity = str(extra.get("quantity", "")) if isinstance(extra, dict) else ""
    is_list = get_origin(field.annotation) is tuple
    items = text.split(":") if is_list else [text]
    values: list[Any] = [read_quantity(item, quantity, system) if quantity else item for item in items]
    return values if is_list else values[0]


def _written(value: Any) -> str:
    """Return a default as `parameters_of` reads it."""
    if isinstance(value, tuple):
        return ":".join(map(_written, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def list_members(family: Any, system: str) -> None:
    """Print the members of a family with their parameters, units and defaults."""
    from faying.params import fields_of

    for kind, member in family.items():
        print(f"{kind}: {member.title} ({family.family})")
        for name, field, extra in fields_of(member):
            quantity = str(extra.get("quantity", ""))
            unit = unit_text(quantity, system)
            value = field.default
            if quantity == "angle" and isinstance(value, float):
                value = number_for_people(value, quantity)
            value = default_in(value, quantity, system)
            default = "no default" if field.is_required() else f"default {_written(value)}"
            print(f"    {name}: {field.title}{f' [{unit}]' if unit else ''}, {default}")
