"""How stiff surfaces stick: by default in a fixed proportion to how stiff they press.

Mindlin (1949, Compliance of elastic bodies in contact, J. Appl. Mech. 16, 259-268) gives the stiffness of two pressed
bodies along their contact before any of it slips: of one material 2 (1 − ν)/(2 − ν) times the one across it, 0.82 for
steel. Johnson (1985, Contact mechanics, section 7.2) has both stiffnesses for two materials, from which the proportion
4 G*/E* follows, with 1/G* = Σ (2 − ν)/G and 1/E* = Σ (1 − ν²)/E. Summits of rough surfaces are such contacts, too.
"""

from collections.abc import Sequence

import numpy as np

from faying.errors import ModelError
from faying.joints.contact_laws import ContactLaw
from faying.joints.contact_stiffness import PRESSURE_SHARE, ElasticSide, penetration_at
from faying.joints.friction_laws import FrictionLaw

_USUAL_RATIO = 0.3  # Poisson's, where no material is known
_DEPTHS = np.array([1e-12, 1e-6, 1.0])  # a law of the same slope at all of them is linear


def sticking_share(sides: Sequence[ElasticSide]) -> float:
    """Return the sticking stiffness over the normal one, 4 G*/E*; that of ν = 0.3 where no material is known."""
    known = [side for side in sides if side.normal > 0.0] or [ElasticSide.of(1.0, _USUAL_RATIO)]
    return 4.0 * sum(side.normal for side in known) / sum(side.shear for side in known)


def sticking_stiffness(law: ContactLaw, sides: Sequence[ElasticSide]) -> float:
    """Return the friction stress per slip of sticking surfaces that press on each other by a contact law.

    Of a law that is not linear its slope counts at 1e-4 E*, an ordinary pressure in a bolted joint (11.5 N/mm²
    between parts of steel): the one at which `faying.joints.contact_stiffness` compares laws.

    Args:
        law: of the contact.
        sides: materials of master and slave.

    Raises:
        ModelError: when the law is not linear and no material is known, or when the law does not reach that pressure.
    """
    slopes = -law.pressure(law.closing_gap() - _DEPTHS)[1]
    if slopes.min() == slopes.max():
        return sticking_share(sides) * float(slopes[0])
    compliance = sum(side.normal for side in sides)
    depth = penetration_at(law, PRESSURE_SHARE / compliance) if compliance else np.inf
    if not np.isfinite(depth):
        why = (
            "has no linear contact law, and its materials are not known"
            if not compliance
            else ("has a contact law that never reaches an ordinary pressure")
        )
        raise ModelError(
            f"It {why}: nothing tells how stiff it sticks.", "Give the friction law its sticking stiffness."
        )
    slope = law.pressure(np.array([law.closing_gap() - depth]))[1][0]
    return float(-slope) * sticking_share(sides)


def beside(
    friction: FrictionLaw | None, law: ContactLaw, sides: Sequence[ElasticSide], whose: str
) -> FrictionLaw | None:
    """Return a friction law with its open stiffness (`FrictionLaw.beside`), rounded to four digits; None for None.

    Args:
        friction: the law as specified.
        law: the contact law of the same joint.
        sides: materials of master and slave.
        whose: name of the owner for the error message: "Joint 'lap'".

    Raises:
        ModelError: when no stiffness follows, or it contradicts a given parameter; the sentence names `whose`.
    """
    if friction is None or not friction.leaves_open:
        return friction
    try:
        return friction.beside(float(f"{sticking_stiffness(law, sides):.4g}"))
    except ModelError as error:
        raise ModelError(f"{whose}: {error.message}", error.hint) from None
