"""The description of an FMU for other programs: units, meanings and the structure of its variables.

FMI 2.0.4, sections 2.2.2 (unit definitions), 2.2.7 (model variables) and 2.2.8 (model structure). PythonFMU writes
names, starts and outputs; strict importers require the rest. Time counts in seconds, whatever the project's unit of
time is: importers take the independent variable for seconds.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile

from faying.analyses.curve_sources import curve_sources
from faying.results.curve_key import OWNERS, CurveKey, owner_text
from faying.units import QUANTITIES, READABLE, factor_to_si, shown_unit, unit_text

_NAME = "modelDescription.xml"
# Importers read units as Modelica does: "N.m", "m/s2".
_PLAIN = str.maketrans({"·": ".", "²": "2", "³": "3", "⁴": "4", "µ": "u"})
_WORDS = {"degree": "deg", "rpm": "r/min"}
_RADIANS = ("angle", "angular_velocity", "angular_acceleration")
_KELVINS = {"temperature_change": 1, "thermal_expansion": -1}
_READABLE = READABLE | {"angle": ("degree",), "angular_velocity": ("rpm",)}
# What other programs show by default, where it is not the unit itself.
_SHOWN = {"angle": "degree", "angular_velocity": "rpm", "stress": "MPa"}


@dataclass(frozen=True)
class FmuVariable:
    """An input or output of an FMU.

    Attributes:
        variable: its name in the FMU.
        name: its name in Faying.
        value: at the start.
        description: a sentence for people.
        dimension: of its values (`faying.units.QUANTITIES`); "" for a share, count or factor.
    """

    variable: str
    name: str
    value: float
    description: str
    dimension: str = ""


def described(name: str, key: CurveKey) -> str:
    """Return the name of an output with the meaning of its curve."""
    for _, source in curve_sources.items():
        for quantity in source.quantities:
            if quantity.name == key.quantity and source.owners_kind == key.kind:
                return f"{name}: {quantity.meaning}"
    owner = f" of {OWNERS[key.kind]} {owner_text(key)}" if key.kind else ""
    return f"{name}: {key.quantity}{owner}."


def variable_name(name: str, taken: set[str]) -> str:
    """Return the name of a variable in the structured convention (FMI 2.0.4, 2.2.9), and add it to the taken ones.

    Parts between dots have letters, digits and underscores of ASCII, and do not begin with a digit.
    """
    parts = [re.sub(r"[^A-Za-z0-9_]+", "_", part).strip("_") for part in name.split(".")]
    variable = ".".join(f"_{part}" if part[0].isdigit() else part for part in parts if part) or "_"
    while variable in taken:
        variable += "_"
    taken.add(variable)
    return variable


def identifier(project: str, analysis: str) -> str:
    """Return a name of C for the FMU of an analysis: letters, digits and underscores of ASCII."""
    name = re.sub(r"\W", "_", f"{project}_{analysis}", flags=re.ASCII)
    return name if name[:1].isalpha() else f"Faying_{name}"


def seconds(units: str) -> float:
    """Return the seconds in a unit of time of a unit system."""
    return factor_to_si("time", units)


def complete_description(
    fmu: Path, variables: Sequence[FmuVariable], units: str, start: float, duration: float, step: float
) -> None:
    """Complete the description inside an FMU that PythonFMU has built.

    Args:
        fmu: the file; it is written again.
        variables: all inputs and outputs.
        units: unit system of the project.
        start, duration, step: of the default experiment, in s.
    """
    with ZipFile(fmu) as file:
        parts = [(part, file.read(part)) for part in file.infolist()]
    with ZipFile(fmu, "w", ZIP_DEFLATED) as file:
        for part, content in parts:
            if part.filename == _NAME:
                root = ElementTree.fromstring(content)
                _complete(root, variables, units)
                set_experiment(root, start, start + duration, step)
                content = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
            file.writestr(part, content)


def _complete(root: ElementTree.Element, variables: Sequence[FmuVariable], units: str) -> None:
    own = {each.variable: each for each in variables}
    found = root.findall("ModelVariables/ScalarVariable")
    calculated = []
    for index, scalar in enumerate(found, 1):
        each, real = own[scalar.attrib["name"]], scalar.find("Real")
        assert real is not None
        scalar.set("description", each.description)
        if scalar.get("causality") == "output":  # the standard allows no such word for inputs
            scalar.set("initial", "calculated")
            calculated.append(index)
        real.set("unit", unit_name(each.dimension, units))
        if each.dimension in _SHOWN:
            real.set("displayUnit", _plain(_SHOWN[each.dimension]))
    define_units(root, sorted({each.dimension for each in variables}), units)
    structure = root.find("ModelStructure")
    assert structure is not None
    unknowns = ElementTree.SubElement(structure, "InitialUnknowns")
    for index in calculated:
        ElementTree.SubElement(unknowns, "Unknown", index=str(index))


def define_units(root: ElementTree.Element, dimensions: Sequence[str], units: str) -> None:
    """Insert the unit definitions after the kind of the FMU, as the schema requires."""
    definitions = ElementTree.Element("UnitDefinitions")
    for name, same in _grouped(dimensions, units).items():
        unit = ElementTree.SubElement(definitions, "Unit", name=name)
        ElementTree.SubElement(unit, "BaseUnit", _base(same[0], units))
        known = {name}
        for dimension in same:
            for shown in _READABLE.get(dimension, ()):
                text, factor = shown_unit(dimension, units, {dimension: shown})
                if _plain(text) not in known:
                    known.add(_plain(text))
                    ElementTree.SubElement(unit, "DisplayUnit", name=_plain(text), factor=repr(factor))
    kinds = [k for k, child in enumerate(root) if child.tag in ("ModelExchange", "CoSimulation")]
    root.insert(kinds[-1] + 1, definitions)


def _grouped(dimensions: Sequence[str], units: str) -> dict[str, list[str]]:
    """Return the dimensions of each unit; moments and energies share one."""
    found: dict[str, list[str]] = {}
    for dimension in dimensions:
        found.setdefault(unit_name(dimension, units), []).append(dimension)
    return found


def unit_name(dimension: str, units: str) -> str:
    """Return the name of the unit of a dimension, "1" for a number without one."""
    return _plain(unit_text(dimension, units)) or "1"


def _plain(unit: str) -> str:
    return _WORDS.get(unit, unit).translate(_PLAIN)


def _base(dimension: str, units: str) -> dict[str, str]:
    powers: dict[str, Any] = dict(zip(("kg", "m", "s"), QUANTITIES.get(dimension, (0, 0, 0)), strict=True))
    powers |= {"rad": dimension in _RADIANS, "K": _KELVINS.get(dimension, 0)}
    attributes = {name: str(int(power)) for name, power in powers.items() if power}
    factor = factor_to_si(dimension, units)
    return attributes | ({} if factor == 1.0 else {"factor": f"{factor:.15g}"})


def set_experiment(root: ElementTree.Element, start: float, stop: float, step: float) -> None:
    """Replace the default experiment, whose times are in s."""
    for old in root.findall("DefaultExperiment"):
        root.remove(old)
    numbers = {"startTime": start, "stopTime": stop, "stepSize": step}
    made = ElementTree.Element("DefaultExperiment", {name: repr(value) for name, value in numbers.items()})
    tags = [child.tag for child in root]
    root.insert(tags.index("ModelVariables"), made)
