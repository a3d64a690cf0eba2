"""Classification of input that a reader skipped: lost stiffness, mass or mesh as opposed to harmless cards."""

import re

from faying.fem.model import FeModel

Line = tuple[int, str]

# Abaqus, CalculiX and Nastran cards and Ansys commands that constrain parts, or add stiffness, mass or mesh.
_CARDS = re.compile(
    r"\*(TIE|MPC|COUPLING|EQUATION(?!\s*,\s*REMOVE)|RIGID BODY|PRE-TENSION SECTION|EMBEDDED|SHELL TO SOLID|FASTENER"
    r"|CONNECTOR|SPRING|DASHPOT|JOINT|GAP(?! CONDUCTANCE)|ELEMENT|USER ELEMENT|MATRIX"
    r"|SUBSTRUCTURE(?! GENERATE| MATRIX)|MASS|ROTARY INERTIA|NONSTRUCTURAL MASS|PART|MEMBRANE SECTION|GASKET SECTION"
    r"|COHESIVE SECTION|CYCLIC SYMMETRY)"
    r"|(C(ROD|ONROD|TUBE|ELAS\d|BUSH\w*|BEAM3|BEND|GAP\w*|SHEAR|WELD|FAST|SEAM|VISC|DAMP\d|MASS\d|ONM1|RAC\dD|TRIAX\w*"
    r"|QUADX\w*|E|P|ERIG)|RBAR|RBE\d|RROD|RSPLINE|RTRPLT\w*|RJOINT|MPC\w*|NSM\w*|GENEL|DMIG|K2GG|M2GG)\b",
    re.IGNORECASE,
)
# CalculiX's fluid networks are not part of a body.
_NETWORK = re.compile(r"\*ELEMENT\s*,\s*TYPE\s*=\s*D\b", re.IGNORECASE)
# Remarks by readers on elements and cards that they recognise.
_SENTENCES = re.compile(
    r"\b(left out|pins or offsets|surplus numbers|the file ends within|no instance uses|\d+ (elements|cells) of "
    r"((VTK's )?type|descriptor)|(elements|cells) of a type)\b",
)

_CASES = re.compile(r"\bno analysis: |\bload cases are not taken over: ")


def is_left_out(text: str) -> bool:
    """Return whether an unread line means that the model lacks stiffness, mass or mesh."""
    return bool(_CARDS.match(text) or _SENTENCES.search(text)) and not _NETWORK.match(text)


def left_out(model: FeModel) -> list[Line]:
    """Return the unread lines due to which a model lacks stiffness, mass or mesh."""
    return [(line, text) for line, text in model.unread if is_left_out(text)]


def cases_left_out(model: FeModel) -> list[Line]:
    """Return the unread lines that explain why a step or load case of the deck is not offered as an analysis."""
    return [(line, text) for line, text in model.unread if _CASES.search(text)]


def harmless(model: FeModel) -> list[Line]:
    """Return the other unread lines of a model: steps, loads, outputs, and settings made in Faying instead."""
    return [(line, text) for line, text in model.unread if not is_left_out(text)]


def in_short(lines: list[Line], most: int = 3) -> str:
    """Return the first lines as text, and the number of further ones: "line 7: CROD (3 cards); … and 2 more"."""
    words = [f"line {line}: {text}" if line else text for line, text in lines[:most]]
    more = f" and {len(lines) - most} more" if len(lines) > most else ""
    return "; ".join(words) + more
