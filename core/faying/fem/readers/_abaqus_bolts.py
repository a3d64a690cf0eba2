"""Bolts: `*PRE-TENSION SECTION` on faces inside a solid or at a beam, with the deck's force on its node."""

from dataclasses import replace

import numpy as np

from faying.errors import ModelError
from faying.fem.beam_bolts import with_cut_beam
from faying.fem.bolt_cuts import with_cut_bolt
from faying.fem.model import FeModel
from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_numbers import integer, real, reals
from faying.fem.readers._abaqus_parts import Parts
from faying.fem.readers._abaqus_scopes import DeckScope


def with_deck_bolts(model: FeModel, parts: Parts) -> FeModel:
    """Return the model cut at the deck's pre-tension sections; bolts are named after their surfaces.

    A section that does not cut its bolt is listed as unread with the reason, and the bolt is not cut.

    Raises:
        ReadError: for a missing surface or an invalid axis.
    """
    for scope in parts.deck.scopes:
        for card in scope.having("PRE-TENSIONSECTION"):
            model = _cut(model, parts, scope, card)
    return model


def _cut(model: FeModel, parts: Parts, scope: DeckScope, card: Card) -> FeModel:
    axes = reals(card, "a component of the bolt's axis")
    # The axis may be given in the directions of the instance's part.
    axis = scope.rotation @ np.array([*axes[0][1], 0.0, 0.0][:3]) if axes else None
    try:
        if "ELEMENT" in card.parameters:
            position = _beam(parts, scope, card)
            model = with_cut_beam(model, f"BOLT {card.name('ELEMENT')}", position, axis)
        else:
            name = parts.surfaces.full_name(scope.name, card.needed("SURFACE"), card.place)
            found = parts.surfaces.find(scope.name, card.needed("SURFACE"), card.place)
            if not len(found.faces):
                parts.deck.unread.card(card, f"the surface {name} has no element faces")
                return model
            model = with_cut_bolt(model, name, *found.elements_and_faces, axis)
    except ModelError as error:
        parts.deck.unread.card(card, error.message)
        return model
    bolt = replace(model.bolts[-1], force=_force(parts, scope, card))
    return replace(model, bolts=(*model.bolts[:-1], bolt))


def _beam(parts: Parts, scope: DeckScope, card: Card) -> int:
    """Return the running position of the single element that a card names."""
    members = parts.element_sets.members(scope.name, card.name("ELEMENT"), card.place)
    if len(members) != 1:
        raise card.error(
            f"ELEMENT={card.name('ELEMENT')} means {len(members)} elements, expected one beam.", "Name one."
        )
    return int(parts.positions[members[0]])


def _force(parts: Parts, scope: DeckScope, card: Card) -> float:
    """Return the first nonzero force along the first direction of the section's node; 0 if there is none."""
    node = card.needed("NODE")
    own = parts.node_sets.members(scope.name, node, card.place)
    for load in parts.deck.conditions:
        if load.keyword != "CLOAD":
            continue
        for place, fields in load.rows():
            if len(fields) < 3 or integer(fields[1], place, "a component 1 to 6") != 1:
                continue
            force = real(fields[2], place, "a force")
            named = parts.node_sets.members("", as_name(fields[0]), place)
            if force and len(own) == 1 and own[0] in named:
                return force
    return 0.0
