"""Force and moment in tied joints, those of the master on the slave surface, as curves of an analysis."""

from collections.abc import Iterable

import numpy as np

from faying.reduction.carried import COMPONENTS, Acting, CarriedEquations, CarriedRows
from faying.results.writer import ResultsWriter


def tied_curves(
    ties: Iterable[CarriedRows | CarriedEquations],
    x: np.ndarray,
    acting: Acting,
    prefix: str = "",
) -> dict[str, float]:
    """Return {"<joint> force x": value, …} of all tied joints, moments about the mean of the tied nodes.

    Args:
        ties: of a body, reduced or not.
        x: (r,) or (n_dofs,) its coordinates.
        acting: what else acts on it.
        prefix: stands before the names.
    """
    found: dict[str, float] = {}
    for tie in ties:
        values = tie.carried(x, acting).tolist()
        found |= {f"{prefix}{tie.name}{curve}": v for curve, v in zip(COMPONENTS, values, strict=True)}
    return found


def told_ties(
    writer: ResultsWriter, ties: Iterable[CarriedRows | CarriedEquations]
) -> dict[str, dict[str, list[float]]]:
    """Return for the run report {"tied_joints": {"<joint>": [largest force, largest moment]}}; {} without any."""
    found: dict[str, list[float]] = {}
    for tie in ties:
        each = np.array([writer.curve(tie.name + curve) for curve in COMPONENTS]).reshape(2, 3, -1)
        found[tie.name] = np.linalg.norm(each, axis=1).max(axis=1, initial=0.0).tolist()
    return {"tied_joints": found} if found else {}
