"""Numbers in readable units, independent of the project's: 52.3 g rather than 5.23e-05 t."""

from faying.units import factor_to_si, plain_number, unit_text

# Units by quantity with their size in SI units, the largest first; a number takes the largest of which it has one.
_UNITS: dict[str, tuple[tuple[str, float], ...]] = {
    "mass": (("t", 1e4), ("kg", 1.0), ("g", 1e-3), ("mg", 1e-6)),
    "length": (("m", 1.0), ("mm", 1e-3), ("µm", 1e-6), ("nm", 1e-9)),
    "area": (("m²", 1.0), ("cm²", 1e-4), ("mm²", 1e-6)),
    "volume": (("m³", 1.0), ("cm³", 1e-6), ("mm³", 1e-9)),
    "stress": (("GPa", 1e9), ("MPa", 1e6), ("kPa", 1e3), ("Pa", 1.0)),
    "density": (("kg/m³", 1.0),),
    "angle": (("°", 0.017453292519943295),),
}
_SIZES = {
    "t": 1e3
}  # where a unit begins later than at one of it: ten tonnes are told in tonnes, two in kilograms


def readable(value: float, quantity: str, system: str, digits: int = 4) -> str:
    """Return a number of a unit system with a unit that people read, and behind it the system's own if that differs."""
    own = f"{plain_number(value, digits)} {unit_text(quantity, system)}"
    si = value * factor_to_si(quantity, system)
    units = _UNITS.get(quantity)
    if units is None or value == 0.0:
        return own
    unit, least = next(((u, size) for u, size in units if abs(si) >= size * (1.0 - 1e-9)), units[-1])
    shown = f"{plain_number(si / _SIZES.get(unit, least), digits)} {unit}"
    return shown if shown == own else f"{shown} ({own})"
