"""Assignment of materials to the elements of a model."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from faying.errors import ModelError, there_are
from faying.fem.laminates import laminate_material, with_ply_materials
from faying.fem.materials import MaterialChoice
from faying.fem.model import ElementBlock, FeModel, ShellSection
from faying.units import UnitSystemName


def with_materials(model: FeModel, choices: Sequence[MaterialChoice], units: UnitSystemName) -> FeModel:
    """Return the model with materials assigned to its elements; later assignments override earlier ones.

    An assignment without an element set replaces the deck's material of the same name, if any, wherever it is used.

    Args:
        model: as read from the deck.
        choices: materials, each with its element set.
        units: unit system of the model.

    Raises:
        ModelError: for an element set that the model does not have, or two different materials of one name.
    """
    if not choices:
        return model
    names = np.array([block.material for block in model.blocks for _ in block.ids], object)
    without = names == ""
    materials = dict(model.materials)
    given: set[str] = set()
    replacing: set[str] = set()
    chosen = np.zeros(len(names), bool)
    for choice in choices:
        material = choice.material(units)
        known = materials.get(material.name)
        if material.name in given and known is not None and vars(known) != vars(material):
            raise ModelError(
                f"Two different materials are called {material.name!r}.", "Give one of them another name."
            )
        given.add(material.name)
        materials[material.name] = material
        elements = _elements(model, choice.element_set, without)
        names[elements], chosen[elements] = material.name, True
        if not choice.element_set:
            replacing.add(material.name)
    for name in given - replacing:
        known, elsewhere = model.materials.get(name), ((names == name) & ~chosen).any()
        if elsewhere and known is not None and vars(known) != vars(materials[name]):
            raise ModelError(
                f"The deck has another material called {name!r}, on elements outside of the sets that get the new one.",
                "Give the new material another name, or leave its element set empty to replace the deck's.",
            )
    return _with_new_plies(_with_names(replace(model, materials=materials), names), given)


def _elements(model: FeModel, name: str, without: np.ndarray) -> np.ndarray:
    if not name:
        return np.flatnonzero(without)
    found = {known.upper(): rows for known, rows in model.element_sets.items()}.get(name.strip().upper())
    if found is None:
        hint = there_are(name, sorted(model.element_sets), "Element sets")
        raise ModelError(f"The deck has no element set {name!r} for a material.", hint)
    return found


def _with_new_plies(model: FeModel, given: set[str]) -> FeModel:
    """Return the model with materials replaced by name in plies, and the laminates' materials updated."""
    materials, blocks = dict(model.materials), []
    for block in model.blocks:
        section = block.section
        if isinstance(section, ShellSection) and section.stiffness and block.material in given:
            block = replace(
                block, section=replace(section, stiffness=())
            )  # it was that of the deck's material
        if isinstance(section, ShellSection) and given & {ply.material.name for ply in section.plies}:
            section = with_ply_materials(section, materials)
            block = replace(block, section=section)
            materials[block.material] = laminate_material(block.material, section.plies)
        blocks.append(block)
    return replace(model, materials=materials, blocks=tuple(blocks))


def _with_names(model: FeModel, names: np.ndarray) -> FeModel:
    """Return the model with the given material name for each element; blocks are split where names differ."""
    blocks: list[ElementBlock] = []
    order: list[np.ndarray] = []
    for block, start in zip(model.blocks, model.block_starts[:-1], strict=True):
        own = names[start : start + len(block.ids)]
        for name in dict.fromkeys(own):
            inside = np.flatnonzero(own == name)
            part = replace(block.chosen(inside), material=name)
            if name != block.material and isinstance(part.section, ShellSection):
                part = replace(
                    part, section=replace(part.section, plies=(), stiffness=())
                )  # no laminate any more
            blocks.append(part)
            order.append(start + inside)
    # New running position of each element.
    places = np.empty(len(names), np.int64)
    places[np.concatenate(order)] = np.arange(len(names))
    return replace(
        model,
        blocks=tuple(blocks),
        element_sets={name: np.sort(places[rows]) for name, rows in model.element_sets.items()},
        surfaces={
            name: replace(surface, elements=places[surface.elements])
            for name, surface in model.surfaces.items()
        },
    )
