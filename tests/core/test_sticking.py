"""Friction laws mean what their names say: they slide at μ p and stick as their contact does; with μ = 0 not at all."""

import numpy as np
import pytest

from faying.cli import main
from faying.errors import ModelError
from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.contact_laws.power_function import PowerFunction
from faying.joints.contact_stiffness import ElasticSide
from faying.joints.friction_laws import friction_laws
from faying.joints.sticking import sticking_share, sticking_stiffness
from faying.project.serialization import project_from_dict
from faying.session import Session
from support.two_blocks import write_two_blocks

STEEL, RUBBER = ElasticSide.of(210e3, 0.3), ElasticSide.of(5.0, 0.4999)
DRY = [kind for kind, law in friction_laws.items() if law.stiffness_name]
PRESS, MU = 1200.0, 0.1


def test_mindlin_gives_the_proportion_of_one_material_and_of_two() -> None:
    """Kind: published (Mindlin 1949; Johnson 1985, section 7.2): 2 (1 − ν)/(2 − ν), and 4 G*/E*."""
    for nu in (0.0, 0.3, 0.5):
        side = ElasticSide.of(7.0, nu)
        assert sticking_share([side, side]) == pytest.approx(2.0 * (1.0 - nu) / (2.0 - nu), rel=1e-14)
    g, e = (1.0 / sum(1.0 / x for x in pair) for pair in (
        [210e3 / 2.6 / 1.7, 5.0 / 2.9998 / 1.5001], [210e3 / 0.91, 5.0 / (1.0 - 0.4999**2)]
    ))  # fmt: skip
    assert sticking_share([STEEL, RUBBER]) == pytest.approx(4.0 * g / e, rel=1e-12)
    # Beside a rigid side the other one alone counts; without any material it is that of ν = 0.3.
    assert sticking_share([ElasticSide(), RUBBER]) == sticking_share([RUBBER])
    assert sticking_share([]) == pytest.approx(1.4 / 1.7)


def test_of_a_law_that_bends_its_slope_at_an_ordinary_pressure_counts() -> None:
    """Kind: analytical. p = P (d/D)² has the slope 2 √(P p)/D; p is 1e-4 E*, E* = E/(2 (1 − ν²))."""
    law = PowerFunction(reference_pressure=10.0, reference_penetration=2e-4, exponent=2.0)
    pressure = 1e-4 * 210e3 / (2.0 * 0.91)
    slope = 2.0 * np.sqrt(10.0 * pressure) / 2e-4
    assert sticking_stiffness(law, [STEEL, STEEL]) == pytest.approx(1.4 / 1.7 * slope, rel=1e-6)
    with pytest.raises(ModelError, match="materials are not known"):
        sticking_stiffness(law, [ElasticSide(), ElasticSide()])
    assert sticking_stiffness(LinearPenalty(stiffness=2e4), []) == pytest.approx(1.4 / 1.7 * 2e4)
    for kind in set(contact_laws) - {"tabulated"}:
        assert sticking_stiffness(contact_laws[kind](), [STEEL, STEEL]) > 0.0


def sliding(tmp_path, friction, moved=0.05, **analysis) -> Session:
    """Return a session in which the upper block is pressed on the lower one and its top is moved sideways."""
    deck = write_two_blocks(tmp_path / "blocks.inp")
    face = {side: {"kind": "deck_surface", "name": side} for side in ("LOW_Z0", "LOW_Z1", "UP_Z0", "UP_Z1")}
    words = {
        "units": "mm-t-s",
        "bodies": [
            {
                "name": "pair",
                "model": {"path": str(deck)},
                "supports": [{"name": "bed", "behaviour": "fixed", "surface": face["LOW_Z0"]}],
                "couplings": [{"name": "top", "behaviour": "rigid", "surface": face["UP_Z1"]}],
                "interfaces": [{"name": "supports", "node_set": "supports"}, {"name": "top", "node_set": "top"}],
                "joints": [
                    {
                        "name": "dry", "master": face["LOW_Z1"], "slave": face["UP_Z0"],
                        "search": {"pairs_at": "integration_points"},
                        "contact_law": {"kind": "linear_penalty", "stiffness": 4e4}, "friction_law": friction,
                    }
                ],
            }
        ],
        "analyses": [
            {
                "kind": "unreduced_static", "name": "slide", "body": "pair", "support": "supports",
                "loads": [{"interface": "top", "force": [0.0, 0.0, -PRESS]}],
                "displacements": [{"interface": "top", "ux": moved, "uy": 0.0, "rx": 0.0, "ry": 0.0, "rz": 0.0}],
                **analysis,
            }
        ],
    }  # fmt: skip
    return Session(project_from_dict(words), tmp_path / "artifacts")


def forced(session: Session) -> float:
    """Return the force that moved the top, at the end."""
    return float(session.solve("slide").curve("top reaction force x")[-1])


@pytest.mark.parametrize("kind", DRY)
def test_a_block_slides_at_mu_n(tmp_path, kind: str) -> None:
    """Kind: statics (Coulomb): all of it slides, so the force is μ N. Laws without a corner never quite get there."""
    rate = {"kinetic_share": 1.0} if kind == "lugre" else {}
    session = sliding(tmp_path, {"kind": kind, "friction_coefficient": MU, **rate})
    assert forced(session) == pytest.approx(MU * PRESS, rel=1e-5 if kind == "coulomb" else 1e-3)


@pytest.mark.parametrize("kind", DRY)
def test_without_a_coefficient_a_law_is_frictionless(tmp_path, kind: str) -> None:
    """Kind: analytical. Nothing holds the block back, and it presses as it does without a friction law."""
    session = sliding(tmp_path, {"kind": kind, "friction_coefficient": 0.0})
    assert forced(session) == pytest.approx(0.0, abs=1e-9 * PRESS)
    smooth = sliding(tmp_path, None)
    pressed = [s.solve("slide").curve("dry largest penetration")[-1] for s in (session, smooth)]
    assert pressed[0] == pytest.approx(pressed[1], rel=1e-9)


def test_a_block_that_sticks_moves_as_far_as_its_contact_lets_it(tmp_path) -> None:
    """Kind: analytical. Across the contact the force is c A s, c the stiffness that follows, until it reaches μ N."""
    session = sliding(tmp_path, {"kind": "coulomb", "friction_coefficient": MU}, moved=1e-4)
    result = session.solve("slide")
    stress, slip = (result.field(name)[-1] for name in ("friction_stress", "slip"))
    stuck = 0.7 / 0.85 * 4e4
    np.testing.assert_allclose(stress, stuck * slip, rtol=2e-4)


def test_a_spring_that_knows_no_limit_is_told(tmp_path) -> None:
    law = {"kind": "coulomb", "friction_coefficient": MU, "sliding_stiffness": 500.0}
    session = sliding(tmp_path, law)
    beyond = forced(session) / (MU * PRESS) - 1.0
    assert beyond > 10.0
    result = session.solve("slide")
    assert result.report["friction_beyond_limit"]["dry"] == pytest.approx(beyond, rel=0.05)
    (told,) = [f for f in session.check() if f.check == "friction_stiffness"]
    assert told.severity == "warning" and "joint 'dry'" in told.sentence and "sticking limit" in told.sentence


def test_a_sticking_stiffness_far_from_the_contacts_is_noted_and_shown(tmp_path, capsys) -> None:
    session = sliding(tmp_path, {"kind": "coulomb", "friction_coefficient": MU, "sticking_stiffness": 5e3})
    session.solve("slide")
    (told,) = [f for f in session.check() if f.check == "friction_stiffness"]
    assert told.severity == "note" and "6.6 times softer" in told.sentence and "3.294e+04" in told.sentence
    assert told.remedy.value is None
    followed = sliding(tmp_path, {"kind": "coulomb", "friction_coefficient": MU})
    followed.solve("slide")
    assert not [f for f in followed.check() if f.check == "friction_stiffness"]
    saved = tmp_path / "blocks.faying"
    followed.save(saved)
    assert main(["info", str(saved)]) == 0
    assert "joint dry sticks with 32940 N/mm³, which follows from its contact law" in capsys.readouterr().out


def test_a_spring_stiffer_than_the_contact_is_an_error(tmp_path) -> None:
    session = sliding(tmp_path, {"kind": "coulomb", "friction_coefficient": MU, "sliding_stiffness": 5e4})
    with pytest.raises(ModelError, match=r"Joint 'dry'.*smaller than the sticking stiffness"):
        session.solve("slide")
