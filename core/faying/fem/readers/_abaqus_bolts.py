"""Bolts: `*PRE-TENSION SECTION` on faces inside a solid, with the force that the deck gives its node."""

from dataclasses import replace

import numpy as np

from faying.errors import ModelError
from faying.fem.bolt_cuts import with_cut_bolt
from faying.fem.model import FeModel
from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_couplings import Parts
from faying.fem.readers._abaqus_numbers import integer, real, reals
from faying.fem.readers._abaqus_scopes import Scope


def with_deck_bolts(model: FeModel, parts: Parts) -> FeModel:
    """Return the model cut at the deck's pre-tension sections; a bolt has the name of its surface.

    A section that does not cut its bolt is listed as unread with the reason; the bolt stays whole.

    Raises:
        ReadError: for a surface that is not there, or an axis that is none.
    """
    for scope in parts.deck.scopes:
        for card in scope.having("PRE-TENSIONSECTION"):
            if "SURFACE" in card.parameters:
                model = _cut(model, parts, scope, card)
            else:
                parts.deck.unread.card(
                    card, "only bolts of solid elements are cut; put their force on two nodes"
                )
    return model


def _cut(model: FeModel, parts: Parts, scope: Scope, card: Card) -> FeModel:
    name = parts.surfaces.full_name(scope.name, card.needed("SURFACE"), card.place)
    elements, faces = parts.surfaces.find(scope.name, card.needed("SURFACE"), card.place).elements_and_faces
    if not len(elements):
        parts.deck.unread.card(card, f"the surface {name} has no element faces")
        return model
    axes = reals(card, "a component of the bolt's axis")
    # The axis may be given in the directions of the instance's part.
    axis = scope.rotation @ np.array([*axes[0][1], 0.0, 0.0][:3]) if axes else None
    try:
        model = with_cut_bolt(model, name, elements, faces, axis)
    except ModelError as error:
        parts.deck.unread.card(card, error.message)
        return model
    bolt = replace(model.bolts[-1], force=_force(parts, scope, card))
    return replace(model, bolts=(*model.bolts[:-1], bolt))


def _force(parts: Parts, scope: Scope, card: Card) -> float:
    """Return the first force other than zero along the first direction of the section's node; 0 without one."""
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
