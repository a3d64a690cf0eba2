"""The proposal of a contact stiffness, and what penetration a law has."""

import numpy as np
import pytest

from faying.fem.skin import surface_from_deck
from faying.joints.contact_laws import contact_laws
from faying.joints.contact_stiffness import fitted_to, penetration_at, propose_stiffness
from faying.params import build
from support.plates import jointed_plates


def test_proposal_of_two_plates() -> None:
    # Steel on steel: E* = E/(2 (1 − ν²)), over the edge of a square as large as a slave node's share.
    plates = jointed_plates()
    master, slave = (surface_from_deck(plates.model, name) for name in ("LOWER", "UPPER"))
    proposal = propose_stiffness(plates.model, master, slave, plates.pairs)
    assert proposal is not None
    steel = next(iter(plates.model.materials.values()))
    modulus = 0.5 * steel.youngs_modulus / (1.0 - steel.poisson_ratio**2)
    assert proposal.modulus == pytest.approx(modulus, rel=1e-12)
    assert proposal.element_size == pytest.approx(np.sqrt(np.median(plates.pairs.weights)))
    assert proposal.stiffness == pytest.approx(modulus / proposal.element_size, rel=0.05)
    law = build(contact_laws["linear_penalty"], {"stiffness": proposal.stiffness})
    assert penetration_at(law, proposal.pressure) == pytest.approx(proposal.penetration, rel=1e-9)


@pytest.mark.parametrize("kind", list(contact_laws))
def test_penetration_at_a_pressure(kind: str) -> None:
    law = contact_laws[kind]()
    for pressure in (1e-3, 1.0, 30.0):
        depth = penetration_at(law, pressure)
        assert law.pressure(np.array([law.closing_gap() - depth]))[0][0] == pytest.approx(pressure, rel=1e-6)


@pytest.mark.parametrize("kind", list(contact_laws))
def test_every_law_can_follow_the_proposal(kind: str) -> None:
    plates = jointed_plates()
    master, slave = (surface_from_deck(plates.model, name) for name in ("LOWER", "UPPER"))
    proposal = propose_stiffness(plates.model, master, slave, plates.pairs)
    assert proposal is not None
    fitted = fitted_to(contact_laws[kind](), proposal)
    assert penetration_at(fitted, proposal.pressure) == pytest.approx(proposal.penetration, rel=1e-6)
    if kind == "linear_penalty":
        assert fitted.stiffness == proposal.stiffness  # as short as it was proposed
