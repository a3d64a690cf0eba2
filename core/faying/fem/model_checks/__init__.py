"""Checks of a mesh. A member is one file with one function, registered under its kind."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.progress import Progress, Silent
from faying.registry import Registry

_ORDER = {"error": 0, "warning": 1, "note": 2}
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class ModelFinding:
    """Finding of a mesh check, with the nodes and elements concerned, so that these can be shown.

    Attributes:
        severity: "error" (cannot be computed), "warning" (probably not what was meant) or "note".
        sentence: description of the problem.
        hint: next step; may be empty.
        nodes: (n,) rows of the nodes concerned.
        elements: (m,) running positions of the elements concerned.
        check: kind of the check that found it.
        remedy: parameter of the body's model that fixes the problem when switched on; "" for none.
    """

    severity: Literal["error", "warning", "note"]
    sentence: str
    hint: str = ""
    nodes: np.ndarray = field(default_factory=lambda: _NONE)
    elements: np.ndarray = field(default_factory=lambda: _NONE)
    check: str = ""
    remedy: str = ""


@dataclass(frozen=True, eq=False)
class CheckedModel:
    """Input of the checks.

    Attributes:
        model, skin: model and skin of the body.
        joints: master and slave surface of each joint by name.
    """

    model: FeModel
    skin: Skin
    joints: dict[str, tuple[Surface, Surface]] = field(default_factory=dict)


ModelCheck = Callable[[CheckedModel], Iterable[ModelFinding]]
model_checks: Registry[ModelCheck] = Registry("model check", __name__)


def check_model(checked: CheckedModel, progress: Progress | None = None) -> list[ModelFinding]:
    """Return the findings of all checks, errors first."""
    progress, found = progress or Silent(), []
    members = model_checks.items()
    for i, (kind, check) in enumerate(members):
        progress.report(i / len(members), kind.replace("_", " "))
        for f in check(checked):
            found.append(replace(f, check=kind))
    return sorted(found, key=lambda f: _ORDER[f.severity])


def named(numbers: np.ndarray, what: str, most: int = 5) -> str:
    """Return numbers as text: "node 5", "3 nodes (1, 2, 3)", "12 nodes (1, 2, 3, 4, 5, …)"."""
    shown = ", ".join(str(n) for n in numbers[:most])
    if len(numbers) == 1:
        return f"{what} {shown}"
    return f"{len(numbers)} {what}s ({shown}{', …' if len(numbers) > most else ''})"
