"""What a reader left out that a body is made of: stiffness, mass and mesh, apart from harmless cards."""

import re

from faying.fem.model import FeModel

Line = tuple[int, str]

# Cards of Abaqus and CalculiX, of Nastran, and commands of Ansys that hold parts, stiffen, weigh, or are mesh.
_CARDS = re.compile(
    r"\*(TIE|MPC|COUPLING|EQUATION(?!\s*,\s*REMOVE)|RIGID BODY|PRE-TENSION SECTION|EMBEDDED|SHELL TO SOLID|FASTENER"
    r"|CONNECTOR|SPRING|DASHPOT|JOINT|GAP(?! CONDUCTANCE)|ELEMENT|USER ELEMENT|MATRIX"
    r"|SUBSTRUCTURE(?! GENERATE| MATRIX)|MASS|ROTARY INERTIA|NONSTRUCTURAL MASS|PART|MEMBRANE SECTION|GASKET SECTION"
    r"|COHESIVE SECTION|CYCLIC SYMMETRY)"
    r"|(C(ROD|ONROD|TUBE|ELAS\d|BUSH\w*|BEAM3|BEND|GAP\w*|SHEAR|WELD|FAST|SEAM|VISC|DAMP\d|MASS\d|ONM1|RAC\dD|TRIAX\w*"
    r"|QUADX\w*|E|P|ERIG)|RBAR|RBE\d|RROD|RSPLINE|RTRPLT\w*|RJOINT|MPC\w*|NSM\w*|GENEL|DMIG|K2GG|M2GG)\b",
    re.IGNORECASE,
)
# CalculiX' networks of flowing fluids are no part of a body.
_NETWORK = re.compile(r"\*ELEMENT\s*,\s*TYPE\s*=\s*D\b", re.IGNORECASE)
# What readers say themselves of elements and cards that they know.
_SENTENCES = re.compile(
    r"\b(left out|pins or offsets|surplus numbers|the file ends within|no instance uses|\d+ (elements|cells) of "
    r"((VTK's )?type|descriptor)|(elements|cells) of a type)\b",
)

_CASES = re.compile(r"\bno analysis: |\bload cases are not taken over: ")


def is_left_out(text: str) -> bool:
    """Return whether an unread line of a model tells of stiffness, mass or mesh that the model lacks."""
    return bool(_CARDS.match(text) or _SENTENCES.search(text)) and not _NETWORK.match(text)


def left_out(model: FeModel) -> list[Line]:
    """Return those unread lines of a model that tell of stiffness, mass or mesh that it lacks."""
    return [(line, text) for line, text in model.unread if is_left_out(text)]


def cases_left_out(model: FeModel) -> list[Line]:
    """Return those unread lines of a model that say why a step or load case of the deck is no analysis."""
    return [(line, text) for line, text in model.unread if _CASES.search(text)]


def harmless(model: FeModel) -> list[Line]:
    """Return the other unread lines of a model: steps, loads, outputs, and what is chosen here."""
    return [(line, text) for line, text in model.unread if not is_left_out(text)]


def in_short(lines: list[Line], most: int = 3) -> str:
    """Return the first lines in words, and how many more there are: "line 7: CROD (3 cards); … and 2 more"."""
    words = [f"line {line}: {text}" if line else text for line, text in lines[:most]]
    more = f" and {len(lines) - most} more" if len(lines) > most else ""
    return "; ".join(words) + more
