"""Reader of Nastran bulk data (.bdf, .dat, .nas, OptiStruct's .fem).

Supported: GRID in any coordinate system, CTETRA, CPYRAM, CPENTA, CHEXA with and without midside nodes, CTRIA3/6,
CQUAD4/8 with THETA or MCID, CBAR, CBEAM with BAROR, BEAMOR, CONM2, PSOLID with CORDM, PSHELL, PCOMP, PCOMPG, PBAR,
PBARL, PBEAM, PBEAML, MAT1, MAT2, MAT8, MAT9, NSM, NSM1, NSML, NSML1, NSMADD, PARAM,WTMASS, RBE1, RBE2 and RBAR (also in
the points' own directions), RROD, RBE3 (also with UM), MPC, CROD, CONROD, CELAS1, CELAS2, CDAMP1, CDAMP2, CBUSH,
BSURFS, SET1, SET3, the SETs of the case control, and the loads and supports listed in `_nastran_loads`. Everything else
is listed in `FeModel.unread`, a line for each kind of card.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from faying.errors import ReadError
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._deck_supports import with_usable_support
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck, included_files, read_deck
from faying.fem.readers._nastran_couplings import read_couplings
from faying.fem.readers._nastran_elements import ELEMENT_CARDS, read_blocks
from faying.fem.readers._nastran_equations import in_basic_directions, read_equations
from faying.fem.readers._nastran_frames import GridPoints
from faying.fem.readers._nastran_loads import LOAD_CARDS, MODE_CARDS, SUPPORT_CARDS, NastranLoads
from faying.fem.readers._nastran_masses import read_point_masses
from faying.fem.readers._nastran_materials import MATERIAL_CARDS
from faying.fem.readers._nastran_midsides import MidsideNodes
from faying.fem.readers._nastran_nsm import NSM_CARDS, with_nonstructural_masses
from faying.fem.readers._nastran_properties import PROPERTY_CARDS, Properties
from faying.fem.readers._nastran_rigid import RIGID_CARDS, read_rigid_elements
from faying.fem.readers._nastran_sets import read_sets, read_surfaces
from faying.fem.readers._nastran_springs import SPRING_CARDS, with_deck_springs
from faying.progress import Progress

_CASE_CARDS = (*LOAD_CARDS, *SUPPORT_CARDS, *MODE_CARDS)
_KNOWN = {
    "GRID", "GRDSET", "RBE2", "RBAR", "RBE3", "BSURFS", "SET1", "SET3", "CONM2", "ENDDATA", "BAROR", "BEAMOR",
    *MATERIAL_CARDS, *RIGID_CARDS, *NSM_CARDS,
    *(f"CORD{n}{kind}" for n in "12" for kind in "RCS"), *ELEMENT_CARDS, *PROPERTY_CARDS,
    *_CASE_CARDS, *SPRING_CARDS, "MPC", "MPCADD",
}  # fmt: skip


@readers.register("nastran")
class NastranReader(ModelReader):
    """Reads meshes, properties, couplings, sets and contact surfaces; all else is listed as unread.

    The elements of a property form the set "PSOLID 3"; SETs of the case control and SET1 are named "SET 5".
    """

    title = "Nastran bulk data"
    extensions = (".bdf", ".dat", ".nas", ".fem")
    material_cards: ClassVar[Mapping[str, str]] = {"stress": "E of MAT1", "density": "RHO of MAT1"}
    cards = (*sorted(_KNOWN - {*_CASE_CARDS, "ENDDATA"}), "PARAM,WTMASS", "SET", "INCLUDE")
    case_cards = ("SOL", "SUBCASE", "LOAD", "SPC", "METHOD", "TEMPERATURE(LOAD)", *_CASE_CARDS)

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a deck and all files that it includes."""
        deck = read_deck(path, progress)
        if "GRID" not in deck.cards:
            raise ReadError(
                path, None, "no GRID card was found.", "Choose a Nastran deck with its bulk data."
            )
        progress.report(0.5, "reading grid points")
        grid = GridPoints(deck)
        progress.report(0.7, "reading elements")
        properties = Properties(deck)
        remarks = properties.remarks()
        midsides = MidsideNodes(grid)
        blocks = read_blocks(deck, grid, properties, midsides, remarks)
        if not blocks and not any(name in deck.cards for name in SPRING_CARDS if name.startswith("C")):
            raise ReadError(
                path, None, f"the deck holds none of the elements {', '.join(ELEMENT_CARDS)} and no springs.",
                "Mesh the body with solid elements, shells or beams.",
            )  # fmt: skip
        progress.report(0.9, "reading sets and couplings")
        node_sets, element_sets = read_sets(deck, grid, blocks, properties, remarks)
        blocks = with_nonstructural_masses(deck, blocks, element_sets, midsides.nodes()[1], remarks)
        _, element_sets = read_sets(deck, grid, blocks, properties, [])  # the masses may have split blocks
        rigid = read_rigid_elements(deck, grid, blocks, remarks)
        if rigid:
            user = next(deck.having(*RIGID_CARDS, "RBAR"))
            rigid = in_basic_directions(rigid, deck, grid, user)
        equations = (*read_equations(deck, grid, remarks), *rigid)
        acting = NastranLoads(deck, grid, blocks, remarks)
        node_ids, nodes = midsides.nodes()
        model = FeModel(
            title=deck.title,
            node_ids=node_ids,
            nodes=nodes,
            blocks=blocks,
            node_sets=node_sets | acting.node_sets,
            element_sets=element_sets,
            surfaces=read_surfaces(deck, grid, blocks) | acting.surfaces,
            materials=properties.materials,
            couplings=read_couplings(deck, grid, remarks),
            point_masses=read_point_masses(deck, grid),
            equations=(*midsides.equations(), *equations),
            deck_support=acting.support,
            deck_loads={name: midsides.heated(load) for name, load in acting.loads.items()},
            deck_cases=acting.cases,
        )
        model = with_deck_springs(deck, grid, model, remarks)
        holding = next(deck.having(*SUPPORT_CARDS, "GRID"))
        model = with_usable_support(model, lambda reason: remarks.append((holding, reason)))
        model = replace(model, unread=_unread(deck, remarks))
        progress.report(1.0, f"{len(model.nodes)} nodes, {len(np.asarray(model.element_ids))} elements")
        return model

    @classmethod
    def includes(cls, file: Path) -> tuple[Path, ...]:
        """Return the files that this file of the deck includes directly."""
        return included_files(file)


def _unread(deck: NastranDeck, remarks: list[tuple[BulkCard, str]]) -> tuple[tuple[int, str], ...]:
    notes = [(card, f"{f'{card.name} {card.text(0)}'.strip()}: {text}") for card, text in remarks]
    for name, cards in deck.cards.items():
        if name not in _KNOWN:
            if name == "PARAM":
                cards = [card for card in cards if card.text(0).upper() != "WTMASS"]
            if not cards:
                continue
            times = f"{len(cards)} cards" if len(cards) > 1 else "1 card"
            notes.append((cards[0], f"{name} ({times})"))
    for card in deck.having("CBAR", "CBEAM"):
        if any(text not in ("", "0", "0.0", "0.") for text in card.fields[8:16]):
            notes.append((card, f"pins or offsets of {card.name} {card.text(0)}"))
    order = {file: at for at, file in enumerate(deck.files)}
    notes.sort(key=lambda note: (order[note[0].file], note[0].line))
    main = deck.files[0]
    return tuple(
        (card.line, text if card.file == main else f"{text} (in {card.file.name})") for card, text in notes
    )
