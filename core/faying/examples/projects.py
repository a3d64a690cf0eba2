"""How examples build their projects, and references that they share."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from faying.examples import Expected
from faying.params import build
from faying.project.deck import with_digests
from faying.project.specs import Project
from faying.units import UnitSystemName

RICH = "a basis that is rich enough gives the unreduced solution of the same equations"
CORRECTED = "corrections on the FE model, which end in the unreduced solution of the same equations"
OWN = "what this program gave; not a verification"

FRICTION_BAR_DECK = "friction_bar_19k.inp"
WIDE_BAR_DECK = "friction_bar_wide.inp"
FRICTION = {"kind": "coulomb", "sticking_stiffness": 10_000.0, "sliding_stiffness": 500.0}


def equals_unreduced(name: str, tolerance: float, source: str = RICH) -> Expected:
    """Return the expectation that a reduced quantity over the unreduced one is one."""
    return Expected(name, "", 1.0, "unreduced model", tolerance, source)


def no_error(name: str, tolerance: float, source: str = RICH) -> Expected:
    """Return the expectation that a reduced quantity does not differ from the unreduced one, as a share of it."""
    return Expected(name, "", 0.0, "unreduced model", tolerance, source)


def as_before(name: str, reference: float, tolerance: float, what: str = "", quantity: str = "") -> Expected:
    """Return the expectation of what this program gave before; never a verification."""
    return Expected(name, quantity, reference, "regression", tolerance, f"{what}; {OWN}" if what else OWN)


def farthest_from_one(ratios: np.ndarray) -> float:
    """Return the ratio of ratios (n,) that is farthest from one, NaN if one of them is."""
    return float(ratios[np.argmax(np.abs(ratios - 1.0))])


def project_of(
    name: str, note: str, deck: str, body: Mapping[str, Any], analyses: Sequence[Mapping[str, Any]]
) -> Project:
    """Return a project of one body, in millimetres, tonnes and seconds.

    Args:
        name, note: of the project.
        deck: file name of a deck that comes with the program.
        body: the body's decisions but for its model.
        analyses: the analyses.
    """
    return bodies_project(name, note, [{**body, "model": {"path": deck}}], analyses)


def bodies_project(
    name: str,
    note: str,
    bodies: Sequence[Mapping[str, Any]],
    analyses: Sequence[Mapping[str, Any]],
    units: UnitSystemName = "mm-t-s",
) -> Project:
    """Return a project of bodies.

    Args:
        name, note: of the project.
        bodies: their decisions, with the file names of decks that come with the program.
        analyses: the analyses.
        units: unit system.
    """
    folder = files("faying_resources") / "examples"
    words = {
        "name": name,
        "note": note,
        "units": units,
        "bodies": [{**body, "model": {"path": str(folder / body["model"]["path"])}} for body in bodies],
        "analyses": list(analyses),
    }
    project: Project = build(Project, words)
    return with_digests(project, Path(str(folder)))


def joint(name: str, master: str, slave: str, friction_coefficient: float | None = None) -> dict[str, Any]:
    """Return a joint between two surfaces of the deck, with the laws of the thesis' static and dynamic examples."""
    words: dict[str, Any] = {
        "name": name,
        "master": {"kind": "deck_surface", "name": master},
        "slave": {"kind": "deck_surface", "name": slave},
        "contact_law": {"kind": "linear_penalty", "stiffness": 50_000.0},
    }
    if friction_coefficient is not None:
        words["friction_law"] = {**FRICTION, "friction_coefficient": friction_coefficient}
    return words


def friction_bar(
    friction_coefficient: float | None = None, vibration_modes: int = 10, **decisions: Any
) -> dict[str, Any]:
    """Return the decisions of the friction bar, thesis figure 4.1; more of them, or others, by keyword."""
    return {
        "name": "bar",
        "interfaces": [
            {"name": "mounting", "node_set": "REF_MOUNT"},
            {"name": "load", "node_set": "REF_LOAD"},
        ],
        "joints": [joint("lap joint", "JOINT_MASTER", "JOINT_SLAVE", friction_coefficient)],
        "reduction": {"kind": "craig_bampton", "vibration_modes": vibration_modes},
        "joint_modes": {"kind": "weighted_pod", "count": 40},
        **decisions,
    }
