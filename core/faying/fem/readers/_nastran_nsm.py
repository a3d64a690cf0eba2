"""Nonstructural mass of shells, bars and beams in a Nastran deck: NSM, NSM1, NSML, NSML1, NSMADD.

NSM and NSM1 give a mass per area or length; NSML and NSML1 a total mass, distributed over the elements by size.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import ElementBlock, element_numbers
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import integer, numbers, real
from faying.fem.readers._nastran_masses import mass_factor
from faying.fem.readers._number_index import NumberIndex

NSM_CARDS = ("NSM", "NSM1", "NSML", "NSML1", "NSMADD")
_PROPERTIES = ("PSHELL", "PCOMP", "PCOMPG", "PBAR", "PBARL", "PBEAM", "PBEAML")
_Remarks = list[tuple[BulkCard, str]]


def with_nonstructural_masses(
    deck: NastranDeck,
    blocks: tuple[ElementBlock, ...],
    element_sets: dict[str, np.ndarray],
    nodes: np.ndarray,
    remarks: _Remarks,
) -> tuple[ElementBlock, ...]:
    """Return the blocks with the mass of the set selected by the case control; otherwise of the only set.

    Blocks are split if their elements get different masses. Unsupported input is added to `remarks`.

    Args:
        deck: its cards.
        blocks: the elements.
        element_sets: positions of the elements of each property.
        nodes: (n, 3) coordinates.
        remarks: of the reader.

    Raises:
        ReadError: for text instead of a number.
    """
    cards = list(deck.having(*NSM_CARDS[:4]))
    number = _chosen(deck, cards, remarks)
    if not number:
        return blocks
    added_up = {card.text(0): {text for text in card.fields[1:] if text} for card in deck.having("NSMADD")}
    wanted = added_up.get(number, {number})
    sizes = np.concatenate([np.zeros(0), *(_sizes(block, nodes) for block in blocks)])
    table = NumberIndex.of(element_numbers(blocks), 0)
    per_size, factor = np.zeros(len(sizes)), mass_factor(deck)
    for card in cards:
        if card.text(0) not in wanted:
            continue
        for value, members in _masses(card, element_sets, table, remarks):
            members = members[sizes[members] > 0.0]
            if not len(members):
                remarks.append((card, f"{card.text(1)}: of no shells, bars or beams here; left out"))
                continue
            total = sizes[members].sum() if card.name.startswith("NSML") else 1.0
            per_size[members] += factor * value / total
    made, start = [], 0
    for block in blocks:
        own = per_size[start : start + len(block.ids)]
        start += len(block.ids)
        for mass in np.unique(own):
            part = block if len(np.unique(own)) == 1 else block.chosen(np.flatnonzero(own == mass))
            if mass and part.section is not None:
                carried = part.section.nonstructural_mass + float(mass)
                part = replace(part, section=replace(part.section, nonstructural_mass=carried))
            made.append(part)
    return tuple(made)


def _chosen(deck: NastranDeck, cards: list[BulkCard], remarks: _Remarks) -> str:
    """Return the number of the active set, "" for none; its word is removed from load cases, so that these are read."""
    words = {word.text(0) for word in deck.other_words if word.name == "NSM"}
    if not cards:
        return ""
    deck.other_words = [word for word in deck.other_words if word.name != "NSM"]
    for case in deck.cases:
        case.pop("NSM", None)
    sets = {card.text(0) for card in cards}
    if len(words) == 1:
        return words.pop()
    if not words and not deck.cases and len(sets) == 1:  # bulk data only
        return sets.pop()
    text = "load cases choose different ones; left out" if words else "no load case chooses it (NSM = …)"
    remarks.append((cards[0], text))
    return ""


def _masses(
    card: BulkCard, element_sets: dict[str, np.ndarray], table: NumberIndex, remarks: _Remarks
) -> Iterator[tuple[float, np.ndarray]]:
    """Yield each mass with the positions of its elements."""
    what = card.text(1).upper()
    if what not in (*_PROPERTIES, "ELEMENT"):
        remarks.append((card, f"mass of {what or 'nothing'}; left out"))
        return
    if card.name in ("NSM1", "NSML1"):
        texts = [text for text in card.fields[3:] if text]
        value = real(card, 2, "a mass")
        if [text.upper() for text in texts] == ["ALL"]:
            of_kind = [rows for name, rows in element_sets.items() if name.split()[0] == what]
            yield value, np.concatenate([np.zeros(0, np.int64), *of_kind])
            return
        listed = numbers(texts, card.place)
        if what == "ELEMENT":
            yield value, listed.find(table)
            return
        known = sorted(int(name.split()[1]) for name in element_sets if name.split()[0] == what)
        chosen = [known[i] for i in listed.find(NumberIndex.of(np.array(known, np.int64), 0)).tolist()]
        yield (
            value,
            np.concatenate([np.zeros(0, np.int64), *(element_sets[f"{what} {each}"] for each in chosen)]),
        )
        return
    for at in range(2, len(card.fields) - 1, 2):
        if card.text(at):
            number, value = integer(card, at, "a number"), real(card, at + 1, "a mass")
            none = np.zeros(0, np.int64)
            if what == "ELEMENT":
                rows = table.find(np.array([number]))
                yield value, rows[rows >= 0]
            else:
                yield value, element_sets.get(f"{what} {number}", none)


def _sizes(block: ElementBlock, nodes: np.ndarray) -> np.ndarray:
    """Return (n,) areas of shells, lengths of bars and beams; zero for solids."""
    kind, n = element_kinds[block.element], len(block.ids)
    if not kind.rotations:
        return np.zeros(n)
    if not kind.is_shell:
        ends = nodes[block.connectivity[:, [0, -1]]]
        return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))
    facet = facet_kind(kind.facets[0])
    return np.asarray(facet.lumped_areas(nodes[block.connectivity]).sum(axis=1))
