"""Writer of Abaqus and CalculiX decks (.inp): the content supported by the reader, in one flat deck.

Ties become equations. Numbers have at most twenty characters, the limit of both programs.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from faying.atomic import replacing
from faying.fem.abaqus_text import line_of, lines, name_of, real
from faying.fem.elasticity import engineering_constants, is_isotropic, material_stiffness
from faying.fem.elements import element_kinds
from faying.fem.laminates import section_stiffness
from faying.fem.model import BeamSection, ElementBlock, FeModel, Material, ShellSection
from faying.fem.shell_axes import shell_normals, surface_axes, turned_about_normals
from faying.fem.writers import ModelWriter, writers
from faying.fem.writers._abaqus_bolts import with_whole_beams, write_cut_beams
from faying.fem.writers._abaqus_couplings import write_couplings, write_masses


@writers.register("abaqus")
class AbaqusWriter(ModelWriter):
    """Writes mesh, sets, surfaces, materials, sections, couplings, equations, masses, contact and beam bolts.

    Solid bolts, supports, loads and load cases are left out.
    """

    title = "Abaqus or CalculiX deck"
    extensions = (".inp",)

    @classmethod
    def write(cls, model: FeModel, path: Path) -> tuple[str, ...]:
        """Write the model as an Abaqus deck, readable by CalculiX."""
        left_out: list[str] = []
        model, cuts = with_whole_beams(model)
        with (
            replacing(path, durable=False) as beside,
            beside.open("w", encoding="utf-8", newline="\n") as stream,
        ):
            for part in (
                _mesh,
                _sets,
                _surfaces,
                _properties,
                write_couplings,
                _equations,
                write_masses,
                _contacts,
                _tell_left_out,
            ):
                stream.writelines(f"{line}\n" for line in part(model, left_out))
            stream.writelines(f"{line}\n" for line in write_cut_beams(model, cuts, left_out))
        return tuple(left_out)


def _mesh(model: FeModel, left_out: list[str]) -> Iterator[str]:
    yield "*HEADING"
    yield line_of(model.title) or "Model"
    yield "*NODE"
    yield from (
        f"{n}, {real(x)}, {real(y)}, {real(z)}"
        for n, (x, y, z) in zip(model.node_ids.tolist(), model.nodes.tolist(), strict=True)
    )
    for name, block in _named_blocks(model):
        yield f"*ELEMENT, TYPE={block.label}, ELSET={name}"
        for number, row in zip(block.ids.tolist(), model.node_ids[block.connectivity].tolist(), strict=True):
            yield from lines([number, *row])


def _named_blocks(model: FeModel) -> Iterator[tuple[str, ElementBlock]]:
    """Yield each block with an unused set name."""
    prefix = "BLOCK_"
    while any(name.upper().startswith(prefix) for name in model.element_sets):
        prefix = f"_{prefix}"
    parts = (part for block in model.blocks for part in _evenly_turned(model, block))
    for number, block in enumerate(parts, 1):
        yield f"{prefix}{number}", block


def _evenly_turned(model: FeModel, block: ElementBlock) -> Iterator[ElementBlock]:
    """Yield the parts of a block with equal element directions, if directions matter."""
    material, kind = model.materials.get(block.material), element_kinds[block.element]
    is_layered = isinstance(block.section, ShellSection) and bool(block.section.plies)
    if material is None or not _has_directions(material) or (block.directions is None and not is_layered):
        yield block
        return
    if kind.is_shell:
        normals = shell_normals(kind.facets[0], model.nodes[block.connectivity])
        block = replace(block, directions=surface_axes(normals, block.directions))
    assert block.directions is not None
    rounded = np.round(block.directions.reshape(len(block.ids), 9), 9)
    _, first, group = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    for number in np.argsort(first):
        yield block.chosen(np.flatnonzero(group.ravel() == number))


def _has_directions(material: Material) -> bool:
    return material.kind != "isotropic" or bool(material.expansions)


def _sets(model: FeModel, left_out: list[str]) -> Iterator[str]:
    for name, rows in model.node_sets.items():
        yield f"*NSET, NSET={name_of(name)}"
        yield from lines(model.node_ids[rows].tolist())
    ids = model.element_ids
    for name, positions in model.element_sets.items():
        yield f"*ELSET, ELSET={name_of(name)}"
        yield from lines(ids[positions].tolist())


def _surfaces(model: FeModel, left_out: list[str]) -> Iterator[str]:
    ids, starts = model.element_ids, model.block_starts
    for name, surface in model.surfaces.items():
        if len(surface.nodes):
            yield f"*SURFACE, NAME={name_of(name)}, TYPE=NODE"
            yield from (f"{n}," for n in model.node_ids[surface.nodes].tolist())
            continue
        yield f"*SURFACE, NAME={name_of(name)}"
        at_block = np.searchsorted(starts, surface.elements, side="right") - 1
        shells = [element_kinds[block.element].is_shell for block in model.blocks]
        for element, face, block in zip(
            ids[surface.elements].tolist(), surface.faces.tolist(), at_block.tolist(), strict=True
        ):
            side = ("SPOS", "SNEG")[face] if shells[block] else f"S{face + 1}"
            yield f"{element}, {side}"


def _properties(model: FeModel, left_out: list[str]) -> Iterator[str]:
    for material in model.materials.values():
        if material.kind == "laminate":  # its plies have their own materials
            continue
        yield f"*MATERIAL, NAME={name_of(material.name)}"
        yield from _elasticity(material)
        if material.expansions:
            yield "*EXPANSION, TYPE=ORTHO"
            yield ", ".join(map(real, material.expansions[:3]))
            if any(material.expansions[3:]):
                left_out.append(f"Material {material.name!r}: growth that shears is left out.")
        elif material.expansion is not None:
            yield "*EXPANSION"
            yield real(material.expansion)
        yield "*DENSITY"
        yield real(material.density)
    for name, block in _named_blocks(model):
        known = model.materials.get(block.material)
        if known is None:
            left_out.append(
                f"{len(block.ids)} elements of type {block.label} have no material, so no section."
            )
            continue
        yield from _section(name, block, known)


def _elasticity(material: Material) -> Iterator[str]:
    """Yield the card of a material's stiffness; if directional, as LAMINA, ORTHO or all 21 constants."""
    if is_isotropic(material):
        yield "*ELASTIC"
        yield f"{real(material.youngs_modulus)}, {real(material.poisson_ratio)}"
        return
    stiffness = material_stiffness(material)
    if material.kind == "lamina" and not stiffness[[0, 1], [3, 3]].any() and not stiffness[4, 5]:
        found = engineering_constants(material)
        yield "*ELASTIC, TYPE=LAMINA"
        yield ", ".join(real(found[name]) for name in ("E1", "E2", "ν12", "G12", "G13", "G23"))
        return
    places = [0, 1, 2, 3, 5, 4]  # positions of 11, 22, 33, 12, 13, 23
    # The upper triangle, column by column; for orthotropic materials only nonzero entries.
    entries = [(places[i], places[j]) for j in range(6) for i in range(j + 1)]
    if material.kind == "orthotropic":
        entries = [(i, j) for i, j in entries if i == j or max(i, j) < 3]
    yield "*ELASTIC, TYPE=ORTHO" if material.kind == "orthotropic" else "*ELASTIC, TYPE=ANISO"
    constants = [stiffness[i, j] for i, j in entries]
    for start in range(0, len(constants), 8):
        yield ", ".join(map(real, constants[start : start + 8]))


def _orientation(name: str, axes: np.ndarray) -> Iterator[str]:
    """Yield an orientation with axes (3, 3) as rows, whose third axis is the normal of shells."""
    yield f"*ORIENTATION, NAME={name}"
    yield ", ".join(map(real, axes[:2].ravel().tolist()))
    yield "3, 0."


def _stiff_shell(name: str, section: ShellSection, material: Material, offset: str) -> Iterator[str]:
    """Yield a section by its stiffness matrix; the thickness is not written."""
    found = section_stiffness(section)
    assert found is not None  # it has numbers
    whole = np.block([[found.membrane, found.coupling], [found.coupling.T, found.bending]])
    density = real(material.density * section.thickness)
    yield f"*SHELL GENERAL SECTION, ELSET={name}, DENSITY={density}, {offset}"
    numbers = [whole[i, j] for j in range(6) for i in range(j + 1)]
    for start in range(0, 21, 8):
        yield ", ".join(map(real, numbers[start : start + 8]))
    yield "*TRANSVERSE SHEAR STIFFNESS"
    yield ", ".join(map(real, (found.shear[0, 0], found.shear[1, 1], found.shear[0, 1])))


def _section(name: str, block: ElementBlock, material: Material) -> Iterator[str]:
    section = block.section
    axes = block.directions[0] if block.directions is not None and _has_directions(material) else None
    turned = "" if axes is None else f", ORIENTATION={name}"
    if axes is not None:
        yield from _orientation(name, axes)
        plies = section.plies if isinstance(section, ShellSection) else ()
        for number, ply in enumerate(plies, 1):  # CalculiX does not support angles
            yield from _orientation(f"{name}_PLY_{number}", turned_about_normals(axes[None], ply.angle)[0])
    if isinstance(section, ShellSection):
        # The deck gives the nodes' position in the thickness relative to its middle.
        offset = f"OFFSET={real(-section.offset / section.thickness)}{turned}"
        if section.stiffness:
            yield from _stiff_shell(name, section, material, offset)
        elif section.plies:
            yield f"*SHELL SECTION, ELSET={name}, COMPOSITE, {offset}"
            for number, ply in enumerate(section.plies, 1):
                yield f"{real(ply.thickness)}, , {name_of(ply.material.name)}, {name}_PLY_{number}"
        else:
            yield f"*SHELL SECTION, ELSET={name}, MATERIAL={name_of(material.name)}, {offset}"
            yield real(section.thickness)
        yield from _carried(name, section.nonstructural_mass, "AREA")
    elif isinstance(section, BeamSection):
        shear = material.youngs_modulus / (2.0 * (1.0 + material.poisson_ratio))
        yield f"*BEAM GENERAL SECTION, ELSET={name}, SECTION=GENERAL, DENSITY={real(material.density)}"
        yield ", ".join(
            map(
                real,
                (section.area, section.inertia_11, section.inertia_12, section.inertia_22, section.torsion),
            )
        )
        yield ", ".join(map(real, section.direction))
        moduli = [material.youngs_modulus, shear]
        yield ", ".join(
            map(real, [*moduli, material.expansion] if material.expansion is not None else moduli)
        )
        yield "*TRANSVERSE SHEAR STIFFNESS"
        yield ", ".join([real(section.shear_factor * shear * section.area)] * 2)
        yield from _carried(name, section.nonstructural_mass, "LENGTH")
    else:
        yield f"*SOLID SECTION, ELSET={name}, MATERIAL={name_of(material.name)}{turned}"


def _carried(name: str, mass: float, per: str) -> Iterator[str]:
    if mass:
        yield f"*NONSTRUCTURAL MASS, ELSET={name}, UNITS=MASS PER {per}"
        yield real(mass)


def _equations(model: FeModel, left_out: list[str]) -> Iterator[str]:
    for equations in model.equations:
        yield "*EQUATION"
        for start, stop in zip(equations.starts[:-1].tolist(), equations.starts[1:].tolist(), strict=True):
            yield f"{stop - start}"
            terms = [
                f"{node}, {component}, {real(coefficient)}"
                for node, component, coefficient in zip(
                    model.node_ids[equations.nodes[start:stop]].tolist(),
                    equations.components[start:stop].tolist(),
                    equations.coefficients[start:stop].tolist(),
                    strict=True,
                )
            ]
            yield from (", ".join(terms[i : i + 4]) for i in range(0, len(terms), 4))


def _contacts(model: FeModel, left_out: list[str]) -> Iterator[str]:
    tied = {tie.joint for tie in model.ties if not tie.problem}  # by equations, which are also written
    for number, contact in enumerate((each for each in model.contacts if each.name not in tied), 1):
        yield f"*SURFACE INTERACTION, NAME=INTERACTION_{number}"
        if contact.friction_coefficient:
            stick = real(contact.sticking_stiffness) if contact.sticking_stiffness else ""
            yield from ("*FRICTION", ", ".join([real(contact.friction_coefficient), stick]))
        if contact.stiffness:
            yield from ("*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR", real(contact.stiffness))
        more = ", TIED" if contact.tied else ""
        more += "" if contact.adjustment is None else f", ADJUST={real(contact.adjustment)}"
        yield f"*CONTACT PAIR, INTERACTION=INTERACTION_{number}, TYPE=SURFACE TO SURFACE{more}"
        yield f"{name_of(contact.slave)}, {name_of(contact.master)}"


def _tell_left_out(model: FeModel, left_out: list[str]) -> Iterator[str]:
    for bolt in model.bolts:
        left_out.append(
            f"The bolt {bolt.name!r} is left out; the two sides of its cut are free along its axis."
        )
    if model.springs:
        names = ", ".join(repr(each.name) for each in model.springs[:5])
        more = f" and {len(model.springs) - 5} more" if len(model.springs) > 5 else ""
        left_out.append(f"Springs are left out: {names}{more}.")
    if model.deck_support is not None:
        left_out.append("The deck's supports are left out; hold its nodes yourself.")
    lost = {"loads": [*model.deck_loads], "load cases": [each.name for each in model.deck_cases]}
    for what, own in lost.items():
        if own:
            left_out.append(f"The deck's {what} are left out: {', '.join(map(repr, own))}.")
    yield from ()
