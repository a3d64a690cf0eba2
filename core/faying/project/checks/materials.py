"""Materials: existing, positive, and in the project's units."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import get_args

from faying.errors import FayingError
from faying.fem.elasticity import is_isotropic
from faying.fem.model import FeModel, Material, ShellSection
from faying.fem.readers import reader_of
from faying.fem.unit_guess import is_usual
from faying.project.checks import CheckedProject, EntityPath, Finding, checks, spoils
from faying.project.specs import BodySpec
from faying.units import UnitSystemName, factor_to_si, unit_text

# From foams to diamond, in SI.
MODULUS = (1e5, 1.5e12)
DENSITY = (1.0, 25e3)
# √(E/ρ): diamond has 18 km/s, beryllium 12, steel 5; rubber and foams have some 30 to 300 m/s.
SPEED_OF_SOUND = (20.0, 20e3)
USUAL_SPEED_OF_SOUND = (300.0, 15e3)


@checks.register("materials")
@spoils("matrices")
def materials(checked: CheckedProject) -> Iterator[Finding]:
    """Check the materials of every element block."""
    for path, body, model in checked.bodies():
        if model is None or body.model.has_own_matrices:
            continue
        place = (*path, "model")
        reader = reader_of(Path(body.model.path))
        cards = reader.material_cards if reader is not None else {}
        for block in model.blocks:
            if block.material not in model.materials:
                named = (
                    f"the material {block.material!r}, which the deck lacks"
                    if block.material
                    else "no material"
                )
                yield Finding(
                    "error", place, f"Body {body.name!r}: {len(block.ids)} {block.label} elements have {named}.",
                    "Choose one under Materials of the body, or add a section with a material to the deck.",
                )  # fmt: skip
        used, units = _used(model), checked.project.units
        for material in used:
            yield from _check(material, used, place, body.name, units, cards)
        yield from _unused(path, body, model, checked.project.units)


def _unused(path: EntityPath, body: BodySpec, model: FeModel, units: UnitSystemName) -> Iterator[Finding]:
    """Report unused materials: one without an element set applies only to elements without a material."""
    used = list(dict.fromkeys(block.material for block in model.blocks))
    for i, choice in enumerate(body.materials):
        try:
            name = choice.material(units).name
        except FayingError:
            continue  # reported when the model is read
        if name in used:
            continue
        why = (
            f"others have its element set {choice.element_set!r}"
            if choice.element_set
            else "it has no element set, and all elements have a material already"
        )
        of_deck = ", ".join(repr(known) for known in used if known)
        or_replace = (
            f", or the name of the deck's material that it is to replace: {of_deck}" if of_deck else ""
        )
        yield Finding(
            "warning", (*path, "materials", i),
            f"Body {body.name!r}: no element is of the material {name!r}: {why}.",
            f"Give it an element set{or_replace}.",
        )  # fmt: skip


def _used(model: FeModel) -> list[Material]:
    """Return the materials of elements and of plies, each once; not what stands for the plies of a laminate."""
    found: dict[str, Material] = {}
    for block in model.blocks:
        material = model.materials.get(block.material)
        plies = block.section.plies if isinstance(block.section, ShellSection) else ()
        own = [ply.material for ply in plies] or ([material] if material is not None else [])
        found |= {each.name: each for each in own}
    return list(found.values())


def _check(
    material: Material,
    others: list[Material],
    place: EntityPath,
    body: str,
    units: UnitSystemName,
    cards: Mapping[str, str],
) -> Iterator[Finding]:
    name = f"Body {body!r}, material {material.name!r}"
    stiff, weighs = material.youngs_modulus > 0.0, material.density >= 0.0
    if not stiff:
        yield Finding(
            "error", place, f"{name}: the Young's modulus is {material.youngs_modulus:g}; it must be positive.",
            _give("stress", cards.get("stress", ""), units),
        )  # fmt: skip
    if not weighs:
        yield Finding(
            "error", place, f"{name}: the density is {material.density:g}, which is negative.",
            _give("density", cards.get("density", ""), units),
        )  # fmt: skip
    if is_isotropic(material) and not -1.0 < material.poisson_ratio < 0.5:
        yield Finding(
            "error",
            place,
            f"{name}: Poisson's ratio is {material.poisson_ratio:g}.",
            "It must lie between -1 and 0.5.",
        )
    if stiff and weighs:
        found = _check_units(material, place, name, units)
        if _is_rigid_dummy(material, others, units):
            found = (_warned(finding) for finding in found)
        yield from found


def _is_rigid_dummy(material: Material, others: list[Material], units: UnitSystemName) -> bool:
    """Return whether a material is stiffer than any real one, while others of its body are usual in these units."""
    stiff = material.youngs_modulus * factor_to_si("stress", units) > MODULUS[1]
    return stiff and not _fits_any(material) and any(is_usual(other, units) for other in others)


def _warned(finding: Finding) -> Finding:
    hint = (
        "If it represents something rigid, this is fine: the body's other materials fit the project's units."
    )
    return replace(finding, severity="warning", hint=f"{hint} Otherwise: {finding.hint}")


def _fits_any(material: Material) -> bool:
    """Return whether a material is usual in some unit system."""
    return any(is_usual(material, units) for units in get_args(UnitSystemName))


def _give(quantity: str, card: str, units: str) -> str:
    by_card = f", or by {card} in the deck" if card else ""
    return f"Give it in {unit_text(quantity, units)} under Materials of the body{by_card}."


def _check_units(material: Material, place: EntityPath, name: str, units: str) -> Iterator[Finding]:
    modulus = material.youngs_modulus * factor_to_si("stress", units)
    density = material.density * factor_to_si("density", units)
    speed = sqrt(modulus / density) if density else 0.0
    hint = (
        f"The project counts in {units}: moduli in {unit_text('stress', units)}, densities in "
        f"{unit_text('density', units)}. Steel has {_steel('stress', 2.1e11, units)} and "
        f"{_steel('density', 7850.0, units)}; {_change(material)}."
    )
    doubtful = []
    if not MODULUS[0] <= modulus <= MODULUS[1]:
        doubtful.append(f"a modulus of {material.youngs_modulus:g} cannot be {unit_text('stress', units)}")
    if density and not DENSITY[0] <= density <= DENSITY[1]:
        doubtful.append(f"a density of {material.density:g} cannot be {unit_text('density', units)}")
    both = f"modulus {material.youngs_modulus:g} and density {material.density:g}"
    sound = f"{both} give a speed of sound of {speed:.3g} m/s"
    if doubtful:
        yield Finding("error", place, f"{name}: {' and '.join(doubtful)}.", hint)
    elif not density:
        return  # reported by the check of densities
    elif not SPEED_OF_SOUND[0] <= speed <= SPEED_OF_SOUND[1]:
        yield Finding("error", place, f"{name}: {sound}, so they are not in the same units.", hint)
    elif not USUAL_SPEED_OF_SOUND[0] <= speed <= USUAL_SPEED_OF_SOUND[1]:
        yield Finding("warning", place, f"{name}: {sound}, which few materials have.", hint)


def _change(material: Material) -> str:
    if _fits_any(material):
        return "change the deck or the project's units"
    return (
        "no unit system fits: correct the material, or its density, which in decks of inches is often a weight "
        "(PARAM,WTMASS turns it into a mass)"
    )


def _steel(quantity: str, value: float, units: str) -> str:
    return f"{value / factor_to_si(quantity, units):g} {unit_text(quantity, units)}"
