"""Reader of Ansys coded databases (.cdb, as CDWRITE writes them, blocked).

Supported: NBLOCK, EBLOCK with SOLID185/186/187/285 and older solids (degenerate ones as tetrahedra, pyramids, wedges),
SHELL181/281 with SECDATA or SECBLOCK, older shells and MASS21 with R or RLBLOCK, CMBLOCK, ET, ETBLOCK, KEYOPT, MP and
MPDATA (isotropic and orthotropic, in the elements' systems of LOCAL). Contact and surface elements (CONTA173/174,
TARGE170, SURF154) become surfaces "CONTACT n", "TARGET n", "SURFACE n" of their real constant set n. F, SFE pressures,
ACEL and D become a load case, if there are no other loads. Everything else is listed in `FeModel.unread`, a line for
each command.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.errors import ReadError
from faying.fem.model import FeModel, PointMass, element_numbers
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._ansys_blocks import AnsysFile, material_constants, read_file, real_constants
from faying.fem.readers._ansys_elements import element_types, read_blocks
from faying.fem.readers._ansys_loads import LOAD_COMMANDS, AnsysLoads
from faying.fem.readers._ansys_materials import read_material
from faying.fem.readers._blocks import surfaces_of_facets
from faying.fem.readers._deck_supports import with_usable_support
from faying.fem.readers._number_index import NumberIndex
from faying.progress import Progress

_READ = (
    "NBLOCK", "EBLOCK", "CMBLOCK", "ET", "ETBLOCK", "KEYOPT", "MP", "MPDATA", "MPTEMP", "R", "RMORE", "RLBLOCK",
    "SECTYPE", "SECDATA", "SECOFFSET", "SECBLOCK",
)  # fmt: skip
# Irrelevant for the model.
_QUIET = {
    *_READ, "KEYOP", "SECCONTROLS", "/PREP7", "/NOPR", "/GOPR", "/GO", "/UNITS", "*IF", "*ENDIF", "*SET",
    "_CDRDOFF", "NUMOFF", "FINISH", "FINI", "/SOLU", "EXTOPT", "LOCAL", "CSYS", "CSCIR", "CSWRITE",
    "SHPP", "IMME", "REAL", "MAT", "TYPE", "SECNUM", "ESYS", "DOF", "ERESX", "TREF", "UIMP", "BFUNIF", "CDWRITE",
    "TOFFST", "/WB", "/CONFIG",
}  # fmt: skip


@readers.register("ansys")
class AnsysReader(ModelReader):
    """Reads mesh, materials, shell sections, point masses, components and contact surfaces."""

    title = "Ansys coded database"
    extensions = (".cdb",)
    material_cards: ClassVar[Mapping[str, str]] = {"stress": "MP,EX", "density": "MP,DENS"}
    cards = _READ
    case_cards = tuple(sorted(LOAD_COMMANDS))

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a database."""
        file = read_file(path)
        progress.report(0.5, "reading elements")
        if not len(file.node_ids):
            raise ReadError(
                path, None, "there is no NBLOCK with nodes.", "Write the database with CDWRITE,DB."
            )
        table = NumberIndex.of(file.node_ids, 0)
        twice = table.duplicate()
        if twice is not None:
            raise ReadError(path, None, f"node {twice} is there twice.", "Write the file again.")
        materials, of_materials = material_constants(file)
        by_number = {n: read_material(path, f"MAT {n}", values) for n, values in materials.items()}
        constants = real_constants(file)
        find = dict(zip(file.node_ids.tolist(), range(len(file.node_ids)), strict=True))
        blocks, facets, left_out, masses, of_sections, named = read_blocks(
            file, element_types(file), by_number, constants, find
        )
        if not blocks:
            raise ReadError(
                path, None, "the database holds no solid or shell elements that are known here.",
                "Mesh with SOLID185, 186, 187, 285, SHELL181 or 281.",
            )  # fmt: skip
        progress.report(0.8, "reading components")
        surfaces, lost = surfaces_of_facets(blocks, {name: _by_corners(own) for name, own in facets.items()})
        notes = _notes(file) + of_materials + of_sections
        notes += [(1, f"{count} elements {name or 'without ET'}") for name, count in left_out.items()]
        notes += [(1, f"{n} facets of {name}: no exterior face of a solid") for name, n in lost.items()]
        node_sets, element_sets = _sets(file, table, NumberIndex.of(element_numbers(blocks), 0), notes)
        acting = AnsysLoads(file, table, blocks)
        notes += acting.remarks
        model = FeModel(
            title=file.title or path.stem,
            node_ids=file.node_ids,
            nodes=file.nodes,
            blocks=blocks,
            node_sets=node_sets | acting.node_sets,
            element_sets=element_sets,
            surfaces=surfaces | acting.surfaces,
            materials=named,
            point_masses=_point_masses(constants, masses),
            deck_support=acting.support,
            deck_loads=acting.loads,
            deck_cases=acting.cases,
        )
        reasons: list[str] = []
        model = with_usable_support(model, reasons.append)
        model = replace(model, unread=tuple(sorted([*notes, *((1, f"D: {reason}") for reason in reasons)])))
        progress.report(1.0, f"{len(model.nodes)} nodes, {len(model.element_ids)} elements")
        return model


def _by_corners(facets: list[list[int]]) -> list[np.ndarray]:
    """Return triangles and quadrilaterals separately, each as a table of corners."""
    tables = (np.array([f for f in facets if len(f) == count], np.int64) for count in (3, 4))
    return [table for table in tables if len(table)]


def _point_masses(constants: dict[int, list[float]], masses: list[tuple[int, int]]) -> tuple[PointMass, ...]:
    """Return MASS21 elements with their constants: mass along x (and y, z), then moments of inertia."""
    made = []
    for at, (row, real) in enumerate(masses, 1):
        values = [*constants.get(real, []), *[0.0] * 6][:6]
        made.append(PointMass(f"MASS21 element {at}", row, values[0], np.diag(values[3:]), np.zeros(3)))
    return tuple(made)


def _sets(
    file: AnsysFile, nodes: NumberIndex, elements: NumberIndex, notes: list[tuple[int, str]]
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    node_sets: dict[str, np.ndarray] = {}
    element_sets: dict[str, np.ndarray] = {}
    for place, name, what, members in file.components:
        table, sets = (nodes, node_sets) if what == "NODE" else (elements, element_sets)
        rows = _members(table, members)
        if len(rows):
            sets[name] = rows
        else:
            notes.append((place.line, f"component {name}: none of its members is in the model"))
    return node_sets, element_sets


def _members(table: NumberIndex, numbers: list[int]) -> np.ndarray:
    """Return the ascending indices of the members of a list in which a negative number ends a range."""
    found, last = [np.zeros(0, np.int64)], 0
    for number in numbers:
        first = last + 1 if number < 0 else number
        last = abs(number)
        found.append(table.between(first, last))
    return np.unique(np.concatenate(found))


def _notes(file: AnsysFile) -> list[tuple[int, str]]:
    """Return a line for each unsupported command, with its count."""
    first: dict[str, int] = {}
    counts: dict[str, int] = {}
    for place, (word, *rest) in file.commands:
        # "N,R5.3,LOC, -1" ends a block.
        if (
            word in _QUIET
            or word in LOAD_COMMANDS
            or not word[:1].isalpha()
            or (word in ("N", "EN") and "-1" in rest)
        ):
            continue
        first.setdefault(word, place.line)
        counts[word] = counts.get(word, 0) + 1
    notes = [
        (first[word], f"{word} ({count} lines)" if count > 1 else word) for word, count in counts.items()
    ]
    if file.turned_rows:
        notes.append((1, f"directions of their own of {len(file.turned_rows)} nodes"))
    return notes
