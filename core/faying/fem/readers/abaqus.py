"""Reader of Abaqus and CalculiX input decks (.inp).

Supported: *PARAMETER, *HEADING, *NODE (also cylindrical, spherical, below *SYSTEM), *ELEMENT (types: the labels of
the family of element kinds), *NGEN, *NFILL, *NCOPY, *ELGEN, *ELCOPY, *NSET, *ELSET, *SURFACE (elements, nodes,
combinations), *MATERIAL with *ELASTIC (isotropic, engineering constants, ortho, lamina, aniso), *DENSITY, *EXPANSION,
*SOLID SECTION, *SHELL SECTION, *SHELL GENERAL SECTION, *TRANSVERSE SHEAR STIFFNESS, *ORIENTATION, *DISTRIBUTION, *BEAM
SECTION, *BEAM GENERAL SECTION, *COUPLING with *KINEMATIC or *DISTRIBUTING, *KINEMATIC COUPLING, *DISTRIBUTING COUPLING
of DCOUP3D, *RIGID BODY, *MPC BEAM, PIN and TIE, *TIE, *EQUATION with *TRANSFORM, *MASS, *ROTARY INERTIA, *SPRING,
*DASHPOT, T3D2, *CONTACT PAIR with *SURFACE INTERACTION, *PRE-TENSION SECTION of solids and beams, *PART, *INSTANCE,
*ASSEMBLY, *INCLUDE, *BOUNDARY; of *STEP with *STATIC or *FREQUENCY the cards listed in `_abaqus_steps`. Sets of plane,
rigid and surface elements on faces of solids become surfaces, as written by Gmsh and meshio. Everything else, down to
single parameters, is listed in `FeModel.unread` with its line and, if available, the reason.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.fem.model import FeModel, check_nodes
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._abaqus_bolts import with_deck_bolts
from faying.fem.readers._abaqus_cards import read_cards
from faying.fem.readers._abaqus_constraints import read_constraints
from faying.fem.readers._abaqus_couplings import read_couplings
from faying.fem.readers._abaqus_files import included_files
from faying.fem.readers._abaqus_flat_elements import flat_surfaces
from faying.fem.readers._abaqus_generated import generate
from faying.fem.readers._abaqus_masses import read_point_masses
from faying.fem.readers._abaqus_parts import Parts
from faying.fem.readers._abaqus_properties import assign_properties, build_blocks, read_materials
from faying.fem.readers._abaqus_proposals import read_contacts
from faying.fem.readers._abaqus_scopes import MODEL_CARDS, sort_cards
from faying.fem.readers._abaqus_sets import read_sets
from faying.fem.readers._abaqus_springs import with_deck_springs
from faying.fem.readers._abaqus_steps import STEP_CARDS, with_steps
from faying.fem.readers._abaqus_surfaces import NamedSurfaces
from faying.fem.readers._abaqus_tables import read_mesh
from faying.fem.readers._deck_supports import with_held_grounds
from faying.fem.readers._text_files import FileLine
from faying.progress import Progress


@readers.register("abaqus")
class AbaqusReader(ModelReader):
    """Reads meshes, sets, surfaces, materials, sections and couplings; all else is listed as unread.

    Names are in capitals, as in Abaqus. Sets and surfaces of an instance are named "INSTANCE.NAME", and also "NAME" if
    only one instance has them.
    """

    title = "Abaqus or CalculiX deck"
    extensions = (".inp",)
    material_cards: ClassVar[Mapping[str, str]] = {"stress": "*ELASTIC", "density": "*DENSITY"}
    cards = MODEL_CARDS
    case_cards = STEP_CARDS

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a deck and all files that it includes."""
        cards = read_cards(path, progress)
        deck = sort_cards(cards)
        generate(deck)
        mesh = read_mesh(deck, progress, outlines)
        progress.report(0.5, "reading sets")
        node_sets, element_sets = read_sets(deck, mesh)
        materials = read_materials(deck)
        properties, chosen = assign_properties(deck, mesh, element_sets, materials)
        blocks, positions = build_blocks(mesh, properties, chosen)
        progress.report(0.7, "reading surfaces")
        surfaces = NamedSurfaces(deck, node_sets, element_sets, blocks, positions)
        flat = flat_surfaces(deck, mesh, blocks)
        deck_surfaces = flat | surfaces.resolved()
        check_nodes(mesh.node_ids, mesh.nodes)  # ties are found by distances
        progress.report(0.8, "reading couplings")
        parts = Parts(deck, mesh, blocks, positions, node_sets, element_sets, surfaces)
        couplings = read_couplings(parts)
        equations, nodes = read_constraints(parts)
        progress.report(0.9, "building the model")
        model = FeModel(
            title=deck.title,
            node_ids=mesh.node_ids,
            nodes=nodes,
            blocks=blocks,
            node_sets=node_sets.resolved(),
            element_sets={
                name: positions[members]
                for name, members in element_sets.resolved().items()
                if len(members) or name not in flat
            },
            surfaces=deck_surfaces,
            materials=materials,
            couplings=couplings,
            equations=equations,
            contacts=read_contacts(parts),
            point_masses=read_point_masses(deck, mesh),
        )
        model = with_deck_springs(deck, mesh, model)
        grounds = np.arange(len(nodes), len(model.nodes))
        model = with_held_grounds(with_steps(with_deck_bolts(model, parts), parts), grounds)
        model = replace(model, unread=deck.unread.sorted(FileLine(path, 1)))
        progress.report(1.0, f"{len(model.nodes)} nodes, {len(model.element_ids)} elements")
        return model

    @classmethod
    def includes(cls, file: Path) -> tuple[Path, ...]:
        """Return the files that this file of the deck includes directly."""
        return included_files(file)
