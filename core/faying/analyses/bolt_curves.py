"""What bolts carry in the frames of an analysis: axial force, bending moment and shear force."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from faying.reduction.bolts import BoltEquations, BoltRows
from faying.results.writer import ResultsWriter

BOLT_CURVES = (" axial force", " bending moment", " shear force")


def bolt_curves(
    bolts: Iterable[BoltRows],
    q: np.ndarray,
    amounts: Mapping[str, float],
    cases: Sequence[str] = (),
    prefix: str = "",
) -> dict[str, float]:
    """Return {"<bolt> axial force": value, …} of the bolts of a reduced body in one state.

    Args:
        bolts: of the body.
        q: (r,) flexible coordinates.
        amounts: of the loads of the body that act, by name.
        cases: the preload cases that act.
        prefix: stands before the names.
    """
    found: dict[str, float] = {}
    for bolt in bolts:
        found |= named(prefix + bolt.name, bolt.carried(q, bolt.tension(cases), amounts))
    return found


def unreduced_bolt_curves(
    bolts: Iterable[BoltEquations],
    x: np.ndarray,
    tensions: Sequence[float | None],
    amounts: Mapping[str, float],
) -> dict[str, float]:
    """Return the same of the unreduced body.

    Args:
        bolts: of the body.
        x: (n_dofs,).
        tensions: tension of each bolt at its cut; None for a beam that is not cut.
        amounts: of the loads of the body that act, by name.
    """
    found: dict[str, float] = {}
    for bolt, tension in zip(bolts, tensions, strict=True):
        found |= named(bolt.name, bolt.carried(x, tension, amounts))
    return found


def told_bolts(writer: ResultsWriter) -> dict[str, dict[str, list[float]]]:
    """Return the run report's {"bolt_forces": {"<bolt>": [smallest, largest axial force]}}; {} without bolts."""
    axial, found = BOLT_CURVES[0], dict[str, list[float]]()
    for name in writer.curve_names:
        if name.endswith(axial) and len(force := writer.curve(name)):
            found[name.removesuffix(axial)] = [float(force.min()), float(force.max())]
    return {"bolt_forces": found} if found else {}


def named(bolt: str, values: Sequence[float]) -> dict[str, float]:
    """Return {"<bolt> axial force": …} of axial force, bending moment and shear force."""
    return {bolt + name: float(value) for name, value in zip(BOLT_CURVES, values, strict=True)}
