"""The identity of a curve as a value: owner by kind and name, quantity, component. Texts of it are for people only.

Names of owners may be any text, so no key is parsed from a text: `find_curve` compares the texts of known keys.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from faying.errors import ModelError, there_are

AXES = ("x", "y", "z")
OWNERS = {
    "": "",
    "bolt": "bolt",
    "constraint": "constraint",
    "contact": "contact",
    "force": "force",
    "interface": "interface node",
    "joint": "joint",
    "load": "load",
    "marker": "marker",
    "measure": "measure",
    "part": "part",
    "point": "point",
    "response": "response",
    "support": "support",
}
"""Kinds of owners, and their names in texts."""
ENERGIES = ("kinetic energy", "elastic energy", "potential energy", "total energy", "stored energy")
"""Quantities that are energies of a state, not works on the way to it."""

_LETTERS = {
    "displacement": "u",
    "rotation": "r",
    "position": "",
    "velocity": "v",
    "acceleration": "a",
    "dynamic stiffness": "k",
}
_ABBREVIATIONS = {
    "applied force": "force",
    "applied moment": "moment",
    "tied force": "force",
    "tied moment": "moment",
}


@dataclass(frozen=True)
class CurveKey:
    """A curve: a scalar over the frames of a run.

    Attributes:
        quantity: in the field's words: "displacement", "normal force", "total energy"; "" where the owner's name is
            enough, as for a response of a sweep.
        dimension: of its values (`faying.units.QUANTITIES`); "" for a share or count. Not part of its identity.
        kind: kind of its owner, one of `OWNERS`; "" for the whole body or system.
        owner: name of its owner.
        component: "x", "y", "z", or "n", "1", "2" of a contact pair; "" for a scalar.
        place: within the owner, "flank 3"; "" for all of it.
        part: part of a system that has the owner; "" for a body or the system itself.
        load: the only load of a response; "" for all loads together.
        is_phase: whether it is the phase of a response over frequency, not its magnitude.
        full: whether it is of the FE model computed next to a reduced body.
    """

    quantity: str = ""
    dimension: str = field(default="", compare=False)
    kind: str = ""
    owner: str = ""
    component: str = ""
    place: str = ""
    part: str = ""
    load: str = ""
    is_phase: bool = False
    full: bool = False

    @property
    def phase(self) -> "CurveKey":
        """The phase of a response."""
        return replace(self, is_phase=True, dimension="angle")

    def words(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, for JSON; `CurveKey(**words)` is the key again."""
        defaults = asdict(CurveKey())
        return {name: value for name, value in asdict(self).items() if value != defaults[name]}


@dataclass(frozen=True)
class Quantity:
    """A kind of curves that each owner offers.

    Attributes:
        name, dimension: as of `CurveKey`.
        meaning: in a sentence, for people.
        components: of a vector; ("",) for a scalar.
        linear: whether it is linear in the loads of a linear body, so that load cases add up.
    """

    name: str
    dimension: str
    meaning: str
    components: tuple[str, ...] = ("",)
    linear: bool = False

    def keys(self, kind: str = "", owner: str = "", **more: Any) -> tuple[CurveKey, ...]:
        """Return the key of each component."""
        return tuple(
            CurveKey(self.name, self.dimension, kind, owner, component, **more)
            for component in self.components
        )


def owner_text(key: CurveKey) -> str:
    """Return the name of the owner in texts: "lap", of a part of a system "rod: lap"."""
    return f"{key.part}: {key.owner}" if key.part else key.owner


def curve_text(key: CurveKey) -> str:
    """Return the text of a curve: "tip ux", "rod: lap closed share", "full tip ux phase", "total energy".

    Two keys may have the same text because users choose the names; `curve_texts` makes texts unique.
    """
    letter = _LETTERS.get(key.quantity)
    if letter is not None and key.component:
        named = [f"{letter}{key.component}"]
    else:
        named = [_ABBREVIATIONS.get(key.quantity, key.quantity), key.component]
    text = " ".join(word for word in (key.owner, key.place, *named) if word)
    if key.load:
        text = f"{key.load}: {text}"
    if key.is_phase:
        text += " phase"
    if key.full:
        text = f"full {text}"
    return f"{key.part}: {text}" if key.part else text


def curve_texts(keys: Iterable[CurveKey]) -> dict[CurveKey, str]:
    """Return for each key a text that no other one has: `curve_text`, where two have that with a description."""
    found = {key: curve_text(key) for key in keys}
    often = Counter(found.values())
    taken: set[str] = {text for text, count in often.items() if count == 1}
    for key, text in found.items():
        if often[text] > 1:
            longer = text = f"{text} ({_description(key)})"
            number = 2
            while text in taken:
                text, number = f"{longer} {number}", number + 1
            taken.add(text)
            found[key] = text
    return found


def _description(key: CurveKey) -> str:
    """Return a description that distinguishes a key from others with the same text."""
    words = [f"{OWNERS[key.kind]} {key.owner}".strip()] if key.kind else [key.quantity]
    words += [f"part {key.part}"] if key.part else []
    words += [f"load {key.load}"] if key.load else []
    words += ["phase"] if key.is_phase else []
    words += ["FE model"] if key.full else []
    words += [key.quantity] if key.kind else []
    return ", ".join(words)


def find_curve(text: str, keys: Collection[CurveKey], of: str) -> CurveKey:
    """Return the key of a text.

    Args:
        text: as `curve_texts` writes it.
        keys: the keys to choose from.
        of: owner of the curves, for the error message: "Analysis 'run'".

    Raises:
        ModelError: when no key or several keys have this text.
    """
    texts = curve_texts(keys)
    for key, known in texts.items():
        if known == text:
            return key
    alike = [known for key, known in texts.items() if curve_text(key) == text]
    if alike:
        raise ModelError(
            f"{text!r} may be one of {len(alike)} curves of {of}.", f"Write which: {' or '.join(alike)}."
        )
    raise ModelError(f"{of} has no curve {text!r}.", there_are(text, texts.values(), "It has"))
