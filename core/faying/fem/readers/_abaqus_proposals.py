"""Joints proposed from a deck's `*CONTACT PAIR` with `*SURFACE INTERACTION`."""

from dataclasses import dataclass, replace

import numpy as np

from faying.fem.model import ContactProposal
from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_numbers import reals
from faying.fem.readers._abaqus_parts import Parts
from faying.fem.readers._abaqus_scopes import Deck, DeckScope
from faying.fem.skin import surface_of_faces


@dataclass(frozen=True)
class _Interaction:
    """A surface interaction: friction coefficient, contact and sticking stiffness, and whether it is bonded."""

    friction: float = 0.0
    stiffness: float = 0.0
    tied: bool = False
    sticking: float = 0.0


def read_contacts(parts: Parts) -> tuple[ContactProposal, ...]:
    """Return a proposal for each pair of surfaces.

    A pair is tied by `*CONTACT PAIR, TIED` (Abaqus) or a tied pressure-overclosure (CalculiX). Self-contact, and
    contact with unsupported surfaces, is listed as unread.

    Raises:
        ReadError: for surfaces or interactions that do not exist.
    """
    deck, surfaces = parts.deck, parts.surfaces
    interactions = _interactions(deck)
    found: dict[str, ContactProposal] = {}
    for scope in deck.scopes:
        for card in scope.having("CONTACTPAIR"):
            name = card.needed("INTERACTION")
            if name not in interactions:
                known = ", ".join(interactions) or "none"
                raise card.error(f"there is no surface interaction {name}.", f"Known are: {known}.")
            for place, fields in card.rows():
                pair = [text for text in fields[:2] if text]
                if not pair:
                    continue
                out = [as_name(text) for text in pair if surfaces.is_left_out(scope.name, text)]
                if out:
                    deck.unread.note(
                        place, f"{card.title} {', '.join(pair)}: the surface {out[0]} is not read"
                    )
                    continue
                names = [surfaces.full_name(scope.name, text, place) for text in pair]
                if len(set(names)) == 1:
                    deck.unread.note(place, f"{card.title} {names[0]}: contact of a surface with itself")
                    continue
                (slave, master), acts = names, interactions[name]
                title = f"{slave} {master}".lower()
                found[title] = ContactProposal(
                    title, slave, master, acts.friction, acts.stiffness,
                    acts.tied or "TIED" in card.parameters, _adjustment(parts, scope, card, pair[0]), acts.sticking,
                )  # fmt: skip
    return tuple(found.values())


def _adjustment(parts: Parts, scope: DeckScope, card: Card, slave: str) -> float | None:
    """Return the gap up to which ADJUST= moves slave nodes onto the master: a number, or any gap of a node set."""
    if "ADJUST" not in card.parameters:
        return None
    given = card.parameters["ADJUST"]
    try:
        return max(float(given), 0.0)
    except ValueError:
        chosen = parts.node_sets.members(scope.name, given, card.place)
    surface = parts.surfaces.find(scope.name, slave, card.place)
    own = surface.nodes
    if len(surface.faces):
        own = surface_of_faces(parts.blocks, slave, *surface.elements_and_faces).nodes
    if not np.isin(own, chosen).all():
        parts.deck.unread.parameter(card, "ADJUST")  # of some nodes only
        return None
    return float(np.linalg.norm(np.ptp(parts.mesh.nodes, axis=0)))


def _interactions(deck: Deck) -> dict[str, _Interaction]:
    """Return the interactions by name."""
    found: dict[str, _Interaction] = {}
    for scope in deck.scopes:
        name = ""
        for card in scope.having("SURFACEINTERACTION", "FRICTION", "SURFACEBEHAVIOR"):
            if card.keyword == "SURFACEINTERACTION":
                name = as_name(card.needed("NAME"))
                found[name] = _Interaction()
            elif not name:
                raise card.error(f"{card.title} stands outside of a surface interaction.", "Write it before.")
            elif card.keyword == "FRICTION":
                found[name] = _with_friction(card, found[name], deck)
            elif card.name("PRESSURE-OVERCLOSURE") == "LINEAR":
                found[name] = replace(found[name], stiffness=_first(card, "a contact stiffness"))
            elif card.name("PRESSURE-OVERCLOSURE") == "TIED":
                found[name] = replace(found[name], tied=True)
            elif card.name("PRESSURE-OVERCLOSURE") not in ("", "HARD"):
                deck.unread.card(card, "choose the joint's contact law")
    return found


def _with_friction(card: Card, interaction: _Interaction, deck: Deck) -> _Interaction:
    """Return an interaction with the friction coefficient and, in CalculiX's dialect, the stick slope after it.

    In Abaqus these fields are slip rates, in a table whose first line is for rest. Abaqus's elastic slip implies a
    stiffness proportional to pressure; it is listed as unread.
    """
    rows = reals(card, "a friction coefficient")
    if len(rows) > 1:
        deck.unread.note(rows[1][0], f"{card.title}: a table, of which the first line is read")
    numbers = rows[0][1] if rows else [0.0]
    sticking = max(numbers[1], 0.0) if len(rows) == 1 and len(numbers) > 1 else 0.0
    return replace(interaction, friction=numbers[0], sticking=sticking)


def _first(card: Card, what: str) -> float:
    rows = reals(card, what)
    return rows[0][1][0] if rows else 0.0
