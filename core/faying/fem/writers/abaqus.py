"""Writer of Abaqus and CalculiX decks (.inp): what the reader of these decks takes over, in one flat deck.

Ties become equations. Numbers have at most twenty characters, which is what both programs read.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.model import BeamSection, ElementBlock, FeModel, Material, ShellSection
from faying.fem.writers import ModelWriter, writers

_PER_LINE = 12


@writers.register("abaqus")
class AbaqusWriter(ModelWriter):
    """Writes mesh, sets, surfaces, materials, sections, couplings, equations, masses and contact."""

    title = "Abaqus or CalculiX deck"
    extensions = (".inp",)

    @classmethod
    def write(cls, model: FeModel, path: Path) -> tuple[str, ...]:
        """Write a deck."""
        left_out: list[str] = []
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            for part in (_mesh, _sets, _surfaces, _properties, _couplings, _equations, _masses, _contacts):
                stream.writelines(f"{line}\n" for line in part(model, left_out))
        return tuple(left_out)


def _mesh(model: FeModel, left_out: list[str]) -> Iterator[str]:
    yield "*HEADING"
    yield model.title or "Model"
    yield "*NODE"
    yield from (
        f"{n}, {_real(x)}, {_real(y)}, {_real(z)}"
        for n, (x, y, z) in zip(model.node_ids.tolist(), model.nodes.tolist(), strict=True)
    )
    for name, block in _named_blocks(model):
        yield f"*ELEMENT, TYPE={block.label}, ELSET={name}"
        for number, row in zip(block.ids.tolist(), model.node_ids[block.connectivity].tolist(), strict=True):
            yield from _lines([number, *row])


def _named_blocks(model: FeModel) -> Iterator[tuple[str, ElementBlock]]:
    """Yield a name that no set has, and the block."""
    prefix = "BLOCK_"
    while any(name.upper().startswith(prefix) for name in model.element_sets):
        prefix = f"_{prefix}"
    for number, block in enumerate(model.blocks, 1):
        yield f"{prefix}{number}", block


def _sets(model: FeModel, left_out: list[str]) -> Iterator[str]:
    for name, rows in model.node_sets.items():
        yield f"*NSET, NSET={_name(name)}"
        yield from _lines(model.node_ids[rows].tolist())
    ids = model.element_ids
    for name, positions in model.element_sets.items():
        yield f"*ELSET, ELSET={_name(name)}"
        yield from _lines(ids[positions].tolist())


def _surfaces(model: FeModel, left_out: list[str]) -> Iterator[str]:
    ids, starts = model.element_ids, model.block_starts
    for name, surface in model.surfaces.items():
        if len(surface.nodes):
            yield f"*SURFACE, NAME={_name(name)}, TYPE=NODE"
            yield from (f"{n}," for n in model.node_ids[surface.nodes].tolist())
            continue
        yield f"*SURFACE, NAME={_name(name)}"
        at_block = np.searchsorted(starts, surface.elements, side="right") - 1
        shells = [element_kinds[block.element].is_shell for block in model.blocks]
        for element, face, block in zip(
            ids[surface.elements].tolist(), surface.faces.tolist(), at_block.tolist(), strict=True
        ):
            side = ("SPOS", "SNEG")[face] if shells[block] else f"S{face + 1}"
            yield f"{element}, {side}"


def _properties(model: FeModel, left_out: list[str]) -> Iterator[str]:
    for material in model.materials.values():
        yield f"*MATERIAL, NAME={_name(material.name)}"
        yield "*ELASTIC"
        yield f"{_real(material.youngs_modulus)}, {_real(material.poisson_ratio)}"
        yield "*DENSITY"
        yield _real(material.density)
    for name, block in _named_blocks(model):
        known = model.materials.get(block.material)
        if known is None:
            left_out.append(
                f"{len(block.ids)} elements of type {block.label} have no material, so no section."
            )
            continue
        yield from _section(name, block, known)


def _section(name: str, block: ElementBlock, material: Material) -> Iterator[str]:
    section = block.section
    if isinstance(section, ShellSection):
        # The deck says where the nodes lie in the thickness, seen from its middle.
        yield (
            f"*SHELL SECTION, ELSET={name}, MATERIAL={_name(material.name)}, "
            f"OFFSET={_real(-section.offset / section.thickness)}"
        )
        yield _real(section.thickness)
    elif isinstance(section, BeamSection):
        shear = material.youngs_modulus / (2.0 * (1.0 + material.poisson_ratio))
        yield f"*BEAM GENERAL SECTION, ELSET={name}, SECTION=GENERAL, DENSITY={_real(material.density)}"
        yield ", ".join(
            map(_real, (section.area, section.inertia_11, 0.0, section.inertia_22, section.torsion))
        )
        yield ", ".join(map(_real, section.direction))
        yield f"{_real(material.youngs_modulus)}, {_real(shear)}"
        yield "*TRANSVERSE SHEAR STIFFNESS"
        yield ", ".join([_real(section.shear_factor * shear * section.area)] * 2)
    else:
        yield f"*SOLID SECTION, ELSET={name}, MATERIAL={_name(material.name)}"


def _couplings(model: FeModel, left_out: list[str]) -> Iterator[str]:
    for number, coupling in enumerate(model.couplings, 1):
        surface = f"COUPLING_{number}_NODES"
        yield f"*SURFACE, NAME={surface}, TYPE=NODE"
        yield from (f"{n}," for n in model.node_ids[coupling.nodes].tolist())
        reference = model.node_ids[coupling.reference]
        yield f"*COUPLING, CONSTRAINT NAME={_name(coupling.name)}, REF NODE={reference}, SURFACE={surface}"
        yield f"*{coupling.kind.upper()}"
        yield from (f"{component}, {component}" for component in coupling.components)
        if coupling.kind == "distributing" and np.ptp(coupling.weights) > 1e-9 * coupling.weights.max():
            left_out.append(
                f"The weights of the coupling {coupling.name!r} differ; a surface of nodes has equal ones."
            )


def _equations(model: FeModel, left_out: list[str]) -> Iterator[str]:
    for equations in model.equations:
        yield "*EQUATION"
        for start, stop in zip(equations.starts[:-1].tolist(), equations.starts[1:].tolist(), strict=True):
            yield f"{stop - start}"
            terms = [
                f"{node}, {component}, {_real(coefficient)}"
                for node, component, coefficient in zip(
                    model.node_ids[equations.nodes[start:stop]].tolist(),
                    equations.components[start:stop].tolist(),
                    equations.coefficients[start:stop].tolist(),
                    strict=True,
                )
            ]
            yield from (", ".join(terms[i : i + 4]) for i in range(0, len(terms), 4))


def _masses(model: FeModel, left_out: list[str]) -> Iterator[str]:
    number = int(model.element_ids.max(initial=0))
    for at, point in enumerate(model.point_masses, 1):
        node = model.node_ids[point.node]
        if point.offset.any():
            left_out.append(f"{point.name} has an offset from its node; it is written without.")
        if point.mass:
            number += 1
            yield from (f"*ELEMENT, TYPE=MASS, ELSET=MASS_{at}", f"{number}, {node}")
            yield from (f"*MASS, ELSET=MASS_{at}", _real(point.mass))
        if point.inertia.any():
            number += 1
            inertia = point.inertia
            values = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
            yield from (f"*ELEMENT, TYPE=ROTARYI, ELSET=INERTIA_{at}", f"{number}, {node}")
            yield from (f"*ROTARY INERTIA, ELSET=INERTIA_{at}", ", ".join(map(_real, values)))


def _contacts(model: FeModel, left_out: list[str]) -> Iterator[str]:
    for number, contact in enumerate(model.contacts, 1):
        yield f"*SURFACE INTERACTION, NAME=INTERACTION_{number}"
        if contact.friction_coefficient:
            yield from ("*FRICTION", f"{_real(contact.friction_coefficient)},")
        if contact.stiffness:
            yield from ("*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR", _real(contact.stiffness))
        yield f"*CONTACT PAIR, INTERACTION=INTERACTION_{number}, TYPE=SURFACE TO SURFACE"
        yield f"{_name(contact.slave)}, {_name(contact.master)}"


def _lines(numbers: Iterable[int]) -> Iterator[str]:
    """Yield lines of numbers; all but the last end in a comma."""
    texts = [str(number) for number in numbers]
    for i in range(0, len(texts), _PER_LINE):
        end = "," if i + _PER_LINE < len(texts) else ""
        yield ", ".join(texts[i : i + _PER_LINE]) + end


def _real(value: float) -> str:
    return f"{value:.12e}" if value != int(value) or abs(value) > 1e9 else f"{int(value)}."


def _name(name: str) -> str:
    """Return a name as a deck may have it: quoted where it holds blanks or commas, no dots of instances."""
    plain = name.replace(".", "_")
    return f'"{plain}"' if any(c in plain for c in ' ,="') else plain
