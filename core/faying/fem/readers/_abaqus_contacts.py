"""Contact that the deck defines: `*CONTACT PAIR` with `*SURFACE INTERACTION`, as proposals for joints."""

from faying.fem.model import ContactProposal
from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_numbers import reals
from faying.fem.readers._abaqus_scopes import Deck
from faying.fem.readers._abaqus_surfaces import NamedSurfaces


def read_contacts(deck: Deck, surfaces: NamedSurfaces) -> tuple[ContactProposal, ...]:
    """Return a proposal for each pair of surfaces.

    Raises:
        ReadError: for surfaces or interactions that do not exist.
    """
    interactions = _interactions(deck)
    found: dict[str, ContactProposal] = {}
    for scope in deck.scopes:
        for card in scope.having("CONTACTPAIR"):
            name = card.needed("INTERACTION")
            if name not in interactions:
                known = ", ".join(interactions) or "none"
                raise card.error(f"there is no surface interaction {name}.", f"Known are: {known}.")
            for place, fields in card.rows():
                if len(fields) < 2:
                    raise place.error("expected slave surface, master surface.", "Mend this line.")
                slave, master = (surfaces.full_name(scope.name, text, place) for text in fields[:2])
                title = f"{slave} {master}".lower()
                found[title] = ContactProposal(title, slave, master, *interactions[name])
    return tuple(found.values())


def _interactions(deck: Deck) -> dict[str, tuple[float, float]]:
    """Return (friction coefficient, contact stiffness) by name of the interaction."""
    found: dict[str, tuple[float, float]] = {}
    for scope in deck.scopes:
        name = ""
        for card in scope.having("SURFACEINTERACTION", "FRICTION", "SURFACEBEHAVIOR"):
            if card.keyword == "SURFACEINTERACTION":
                name = as_name(card.needed("NAME"))
                found[name] = (0.0, 0.0)
            elif not name:
                raise card.error(f"{card.title} stands outside of a surface interaction.", "Write it before.")
            elif card.keyword == "FRICTION":
                found[name] = (_first(card, "a friction coefficient"), found[name][1])
            elif card.name("PRESSURE-OVERCLOSURE") == "LINEAR":
                found[name] = (found[name][0], _first(card, "a contact stiffness"))
            elif card.name("PRESSURE-OVERCLOSURE") not in ("", "HARD"):
                deck.unread.card(card, "choose the joint's contact law")
    return found


def _first(card: Card, what: str) -> float:
    rows = reals(card, what)
    return rows[0][1][0] if rows else 0.0
