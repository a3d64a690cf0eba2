"""Units: a project counts in one consistent unit system; forms and files accept any unit and convert.

Inside the core all numbers are in the project's consistent system (force = mass · length / time²), and no
kernel ever converts.
"""

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Literal

from faying.errors import ModelError, shortened

# Exponents of (mass, length, time) of every physical dimension that a parameter or field can have.
QUANTITIES: dict[str, tuple[int, int, int]] = {
    "mass": (1, 0, 0),
    "length": (0, 1, 0),
    "time": (0, 0, 1),
    "area": (0, 2, 0),
    "volume": (0, 3, 0),
    "second_moment_of_area": (0, 4, 0),
    "angle": (0, 0, 0),
    "frequency": (0, 0, -1),
    "velocity": (0, 1, -1),
    "acceleration": (0, 1, -2),
    "force": (1, 1, -2),
    "moment": (1, 2, -2),
    "impulse": (1, 1, -1),
    "energy": (1, 2, -2),
    "power": (1, 2, -3),
    "energy_per_area": (1, 0, -2),
    "power_per_area": (1, 0, -3),
    "stress": (1, -1, -2),
    "density": (1, -3, 0),
    "contact_stiffness": (1, -2, -2),  # stress per length
    "contact_damping": (1, -2, -1),  # stress per velocity
    "moment_of_inertia": (1, 2, 0),
    "angular_velocity": (0, 0, -1),
    "angular_acceleration": (0, 0, -2),
    "temperature_change": (0, 0, 0),
    "thermal_expansion": (0, 0, 0),
    "stiffness": (1, 0, -2),
    "damping": (1, 0, -1),
    "torsional_stiffness": (1, 2, -2),
    "torsional_damping": (1, 2, -1),
}

UnitSystemName = Literal["mm-t-s", "m-kg-s", "mm-kg-ms", "in-lbf-s"]

_BASE: dict[str, tuple[str, str, str]] = {
    "mm-t-s": ("t", "mm", "s"),
    "m-kg-s": ("kg", "m", "s"),
    "mm-kg-ms": ("kg", "mm", "ms"),
    "in-lbf-s": ("lbf·s²/in", "in", "s"),
}
_SI = {
    "t": 1e3, "kg": 1.0, "lbf·s²/in": 4.4482216152605 / 0.0254,
    "mm": 1e-3, "m": 1.0, "in": 0.0254, "s": 1.0, "ms": 1e-3,
}  # fmt: skip
_NAMES: dict[str, dict[str, str]] = {
    "mm-t-s": {
        "impulse": "N·s", "force": "N", "moment": "N·mm", "energy": "N·mm", "energy_per_area": "N/mm",
        "power": "N·mm/s", "power_per_area": "N/(mm·s)",
        "stress": "N/mm²", "density": "t/mm³", "contact_stiffness": "N/mm³", "frequency": "Hz",
        "contact_damping": "N·s/mm³",
        "stiffness": "N/mm", "damping": "N·s/mm", "torsional_stiffness": "N·mm/rad", "torsional_damping": "N·mm·s/rad",
    },
    "m-kg-s": {
        "impulse": "N·s", "force": "N", "moment": "N·m", "energy": "J", "power": "W", "energy_per_area": "J/m²",
        "power_per_area": "W/m²",
        "stress": "Pa", "density": "kg/m³", "contact_stiffness": "Pa/m", "frequency": "Hz",
        "contact_damping": "Pa·s/m",
        "stiffness": "N/m", "damping": "N·s/m", "torsional_stiffness": "N·m/rad", "torsional_damping": "N·m·s/rad",
    },
    "mm-kg-ms": {
        "force": "kN", "moment": "kN·mm", "energy": "J", "power": "kW", "energy_per_area": "kN/mm",
        "power_per_area": "kN/(mm·ms)",
        "stress": "kN/mm²", "density": "kg/mm³", "contact_stiffness": "kN/mm³", "frequency": "kHz",
        "contact_damping": "kN·ms/mm³",
        "stiffness": "kN/mm", "damping": "kN·ms/mm", "torsional_stiffness": "kN·mm/rad",
        "torsional_damping": "kN·mm·ms/rad",
    },
    "in-lbf-s": {
        "impulse": "lbf·s", "force": "lbf", "moment": "lbf·in", "energy": "lbf·in", "energy_per_area": "lbf/in",
        "power": "lbf·in/s", "power_per_area": "lbf/(in·s)",
        "stress": "psi", "density": "lbf·s²/in⁴", "contact_stiffness": "psi/in", "frequency": "Hz",
        "contact_damping": "psi·s/in", "moment_of_inertia": "lbf·in·s²",
        "stiffness": "lbf/in", "damping": "lbf·s/in", "torsional_stiffness": "lbf·in/rad",
        "torsional_damping": "lbf·in·s/rad",
    },
}  # fmt: skip
# Kelvins are the same in all systems. Only changes of temperature occur, so degrees Celsius are kelvins too.
_THERMAL = {"temperature_change": ("K", "kelvin"), "thermal_expansion": ("1/K", "1/kelvin")}
_DEGREES = {"°C": "kelvin", "degC": "kelvin", "°F": "rankine", "degF": "rankine"}
# pint counts radians as 1 and hertz as 1/s, so it would treat a turn as a radian. Quantities in turns are freed of
# their radians, and in quantities in radians a hertz is a revolution per second ("kHz" is "krps").
_OF_TURNS = ("frequency", "time")
_OF_RADIANS = ("angular_velocity", "angular_acceleration", "torsional_damping")
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
# Units that most texts have: factor to SI and powers of kg, m and s. They are read without pint, which takes half a
# second for its own list when it is first used; whatever has another word in it is left to pint.
_COMMON: dict[str, tuple[float, tuple[int, int, int]]] = {
    "kg": (1.0, (1, 0, 0)), "g": (1e-3, (1, 0, 0)), "t": (1e3, (1, 0, 0)),
    "m": (1.0, (0, 1, 0)), "mm": (1e-3, (0, 1, 0)), "cm": (1e-2, (0, 1, 0)), "km": (1e3, (0, 1, 0)),
    "µm": (1e-6, (0, 1, 0)), "μm": (1e-6, (0, 1, 0)), "um": (1e-6, (0, 1, 0)), "nm": (1e-9, (0, 1, 0)),
    "in": (0.0254, (0, 1, 0)),
    "s": (1.0, (0, 0, 1)), "ms": (1e-3, (0, 0, 1)), "µs": (1e-6, (0, 0, 1)), "μs": (1e-6, (0, 0, 1)),
    "min": (60.0, (0, 0, 1)),
    "Hz": (1.0, (0, 0, -1)), "kHz": (1e3, (0, 0, -1)),
    "N": (1.0, (1, 1, -2)), "mN": (1e-3, (1, 1, -2)), "kN": (1e3, (1, 1, -2)), "MN": (1e6, (1, 1, -2)),
    "Pa": (1.0, (1, -1, -2)), "kPa": (1e3, (1, -1, -2)), "MPa": (1e6, (1, -1, -2)), "GPa": (1e9, (1, -1, -2)),
    "bar": (1e5, (1, -1, -2)),
    "J": (1.0, (1, 2, -2)), "mJ": (1e-3, (1, 2, -2)), "kJ": (1e3, (1, 2, -2)),
    "W": (1.0, (1, 2, -3)), "mW": (1e-3, (1, 2, -3)), "kW": (1e3, (1, 2, -3)),
}  # fmt: skip
_ANGLES = {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180.0, "degree": math.pi / 180.0, "°": math.pi / 180.0}
_FACTOR = re.compile(r"\s*([*·/]?)\s*([A-Za-zµμ°]+)(?:(?:\*\*|\^)?([1-4])(?!\d)|([²³⁴]))?\s*")
_MAX_LENGTH = 100  # characters of a number with its unit
_LARGE = 1e7  # from there on numbers for people have powers of ten
_RAISED = re.compile(r"(\S)\s*(?:\*\*|\^)(?=[\s(+-]*(\d*))")  # looks ahead: an exponent may be raised itself
_TOWER = re.compile(r"(?:\*\*|\^)[\s(+-]*\d+[\s)]*(?:\*\*|\^)")
_UNIT_IN_BRACKETS = re.compile(r"\(\s*([A-Za-zµμ]+)\s*\)")
_POWER = re.compile(r"(?<=[A-Za-zµμ])(-?\d)")
_BEFORE_BRACKET = re.compile(r"(?<=[\w.)])\s*(?=\()")
_AMOUNT = re.compile(rf"(?:(?<=\d)|(?<=inf)|(?<=nan)) \[({'|'.join(QUANTITIES)})\]")
_POWERS = {-3: "⁻³", -2: "⁻²", -1: "⁻¹", 2: "²", 3: "³", 4: "⁴"}


def unit_text(quantity: str, system: str) -> str:
    """Return the unit of a quantity in a unit system as text for people: "N/mm²"; "" for none."""
    if not quantity:
        return ""
    if quantity == "angle":
        return "rad"
    if quantity == "angular_velocity":
        return f"rad/{_BASE[system][2]}"
    if quantity == "angular_acceleration":
        return f"rad/{_BASE[system][2]}²"
    if quantity in _THERMAL:
        return _THERMAL[quantity][0]
    named = _NAMES[system].get(quantity)
    if named:
        return named
    mass, length, time = _BASE[system]
    factors = list(zip((mass, length, time), QUANTITIES[quantity], strict=True))
    top = "·".join(s + _POWERS.get(p, "") for s, p in factors if p > 0)
    bottom = "·".join(s + _POWERS.get(-p, "") for s, p in factors if p < 0)
    return f"{top or '1'}/{bottom}" if bottom else top


def plain_number(value: float, digits: int = 4) -> str:
    """Return a number with some digits, without a power of ten below ten million: "13180" instead of "1.318e+04"."""
    shown = f"{value + 0.0:.{digits}g}"  # adding zero takes the sign from a negative one
    return f"{value:.0f}" if "e+" in shown and abs(value) < _LARGE else shown


def amount(value: float, quantity: str, digits: int = 4) -> str:
    """Return a number for a sentence without a known unit system, with its quantity in brackets: "3.2 [length]".

    `with_units` inserts the unit once the unit system is known.
    """
    return f"{plain_number(value, digits)} [{quantity}]"


def with_units(text: str, system: str) -> str:
    """Return a sentence whose amounts have units: "3.2 mm" for "3.2 [length]"."""
    return _AMOUNT.sub(lambda found: f" {unit_text(found[1], system)}", text)


def number_for_people(value: float, quantity: str) -> str:
    """Return a number as text; an angle (in radians) in degrees, "20 deg", as `read_quantity` reads it."""
    return f"{math.degrees(value):.6g} deg" if quantity == "angle" else f"{value:g}"


def factor_to_si(quantity: str, system: str) -> float:
    """Return the factor that converts a value in the unit system to SI units."""
    if not quantity or quantity == "angle":
        return 1.0
    value = 1.0
    for symbol, power in zip(_BASE[system], QUANTITIES[quantity], strict=True):
        value *= _SI[symbol] ** power
    return value


# The unit system of default values in declarations of parameters.
OF_DEFAULTS: UnitSystemName = "mm-t-s"


def default_in(value: Any, quantity: str, system: str) -> Any:
    """Return a declared default in a unit system: a number, or numbers in tuples; any other value unchanged."""
    if isinstance(value, tuple):
        return tuple(default_in(item, quantity, system) for item in value)
    if not isinstance(value, float) or not quantity or system == OF_DEFAULTS:
        return value
    # Powers of ten leave round-off in the last digit.
    return float(f"{value * factor_to_si(quantity, OF_DEFAULTS) / factor_to_si(quantity, system):.14g}")


def read_quantity(text: str, quantity: str, system: str) -> float:
    """Return the value of a text such as "210 GPa" or "0.15" in the unit system.

    A turn is 2 π radians: 6000 rpm, 100 Hz and 628.3 rad/s are the same frequency and the same angular velocity. A
    unit that names neither turns nor radians ("100/s") has those of the quantity.

    Raises:
        ModelError: when the text is not a finite number, or its unit has another dimension.
    """
    words = text.strip()
    wanted = unit_text(quantity, system)
    try:
        with suppress(ValueError):
            return _finite(float(words))
        if len(words) > _MAX_LENGTH:
            raise ValueError("no unit is as long")
        if (common := _read_common(words, quantity)) is not None:
            return _finite(float(f"{common / factor_to_si(quantity, system):.15g}"))
        if quantity in _THERMAL:
            for degrees, unit in _DEGREES.items():
                words = words.replace(degrees, unit)
        words = _spelled_out(words)
        if _may_grow(words):
            raise ValueError("no unit has such a form")
        if quantity in _OF_RADIANS:
            words = words.replace("Hz", "rps").replace("hertz", "rps")
        value = _pint().Quantity(words)
        number = float(value.to(_si_unit(quantity)).magnitude)
        if quantity in _OF_TURNS:
            number /= math.tau ** dict(value.to_root_units().unit_items()).get("radian", 0)
        # Fifteen digits: what conversion adds behind them nobody has written.
        return _finite(float(f"{number / factor_to_si(quantity, system):.15g}"))
    except Exception as error:  # pint raises a dozen types for one reason
        raise ModelError(
            f"{shortened(text)!r} is not {'an' if quantity[:1] in 'aeiou' and quantity else 'a'} "
            f"{quantity.replace('_', ' ') or 'number'}.",
            f"Write a number (in {wanted}) or a number with its unit." if wanted else "Write a number.",
        ) from error


def _read_common(words: str, quantity: str) -> float | None:
    """Return a number with `_COMMON` units in SI units; None for any other unit, and for one of another dimension."""
    number = _NUMBER.match(words)
    if number is None or quantity in _OF_RADIANS or quantity in _THERMAL or not quantity:
        return None
    value, unit = float(number[0]), words[number.end() :].strip()
    if quantity == "angle":
        return value * _ANGLES[unit] if unit in _ANGLES else None
    factor, powers, place = 1.0, [0, 0, 0], 0
    while place < len(unit):
        found = _FACTOR.match(unit, place)
        # Between two units there is a sign; what a space means beside a fraction is for pint to say.
        if found is None or found[2] not in _COMMON or (place and not found[1]):
            return None
        size, own = _COMMON[found[2]]
        power = int(found[3] or 0) or " ²³⁴".index(found[4] or " ") + 1
        power = -power if found[1] == "/" else power
        factor *= size**power
        powers = [total + power * each for total, each in zip(powers, own, strict=True)]
        place = found.end()
    return value * factor if tuple(powers) == QUANTITIES[quantity] else None


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise OverflowError("not a number, or beyond all numbers")
    return value


# Common units for reading results, in addition to those of the project.
READABLE: dict[str, tuple[str, ...]] = {
    "stress": ("Pa", "kPa", "MPa", "GPa", "N/mm²", "psi", "ksi"),
    "length": ("nm", "µm", "mm", "m", "in"),
    "velocity": ("mm/s", "m/s"),
    "acceleration": ("mm/s²", "m/s²"),
    "force": ("N", "kN", "lbf"),
    "moment": ("N·mm", "N·m", "kN·m"),
    "energy": ("mJ", "J", "N·mm"),
    "power": ("W", "kW", "N·mm/s"),
    "energy_per_area": ("J/m²", "N/mm"),
    "power_per_area": ("W/m²", "N/(mm·s)"),
    "time": ("µs", "ms", "s"),
    "frequency": ("Hz", "kHz"),
    "angle": ("rad", "mrad", "degree"),
}


def shown_unit(quantity: str, system: str, chosen: Mapping[str, str]) -> tuple[str, float]:
    """Return the display unit of a quantity, and the factor from the unit system to it.

    Args:
        quantity: physical dimension.
        system: the project's unit system.
        chosen: unit by quantity; the system's own unit by default.

    Raises:
        ModelError: when the chosen unit has another dimension.
    """
    own, wanted = unit_text(quantity, system), chosen.get(quantity, "")
    if not quantity or not wanted or wanted == own:
        return own, 1.0
    return wanted, 1.0 / _in_system(wanted, quantity, system)


@cache
def _in_system(unit: str, quantity: str, system: str) -> float:
    return read_quantity(f"1 {unit}", quantity, system)


def _may_grow(words: str) -> bool:
    """Return whether pint, which evaluates texts such as "9**9**9 mm", could compute endlessly; takes spelled-out text.

    Units may be raised to powers of two digits, and one number or bracket; no exponent may have an exponent.
    """
    plain = _UNIT_IN_BRACKETS.sub(r"\1", words)
    powers = _RAISED.findall(plain)
    numbers = sum(not base.isalpha() for base, _ in powers)
    too_long = any(not 0 < len(exponent) < 3 for _, exponent in powers)
    return numbers > 1 or too_long or _TOWER.search(plain) is not None


def _spelled_out(words: str) -> str:
    """Return a number with a unit in pint's notation; powers may be written as in "N/mm²" and in "N/mm2".

    A number before a bracket multiplies it: in some versions of pint "3 (mm)**2" is the square of 3 mm.
    """
    number = _NUMBER.match(words)
    split = number.end() if number else 0
    unit = words[split:].replace("·", "*").replace("²", "**2").replace("³", "**3").replace("⁴", "**4")
    return _BEFORE_BRACKET.sub("*", words[:split] + _POWER.sub(r"**\1", unit))


def _si_unit(quantity: str) -> str:
    if quantity == "angle":
        return "rad"
    if quantity in _THERMAL:
        return _THERMAL[quantity][1]
    if not quantity:
        return "dimensionless"
    return " * ".join(
        f"{unit}**{power}" for unit, power in zip(("kg", "m", "s"), QUANTITIES[quantity], strict=True)
    )


@cache
def _pint() -> Any:
    import pint  # imported late: 0.3 s, needed only for typed units

    return pint.UnitRegistry()
