"""What tied joints carry in the frames of an analysis: the force and moment of the master on the slave surface."""

from collections.abc import Iterable, Mapping

import numpy as np

from faying.reduction.ties import TieEquations, TieRows
from faying.results.writer import ResultsWriter

TIED_CURVES = (" force x", " force y", " force z", " moment x", " moment y", " moment z")


def tied_curves(
    ties: Iterable[TieRows | TieEquations],
    x: np.ndarray,
    amounts: Mapping[str, float],
    prefix: str = "",
) -> dict[str, float]:
    """Return {"<joint> force x": value, …} of all tied joints, moments about the mean of the tied nodes.

    Args:
        ties: of a body, reduced or not.
        x: its coordinates.
        amounts: of the loads of the body that act, by name.
        prefix: stands before the names.
    """
    found: dict[str, float] = {}
    for tie in ties:
        values = tie.carried(x, amounts).tolist()
        found |= {f"{prefix}{tie.name}{curve}": v for curve, v in zip(TIED_CURVES, values, strict=True)}
    return found


def told_ties(
    writer: ResultsWriter, ties: Iterable[TieRows | TieEquations]
) -> dict[str, dict[str, list[float]]]:
    """Return for the run report {"tied_joints": {"<joint>": [largest force, largest moment]}}; {} without any."""
    found: dict[str, list[float]] = {}
    for tie in ties:
        each = np.array([writer.curve(tie.name + curve) for curve in TIED_CURVES]).reshape(2, 3, -1)
        found[tie.name] = np.linalg.norm(each, axis=1).max(axis=1, initial=0.0).tolist()
    return {"tied_joints": found} if found else {}
