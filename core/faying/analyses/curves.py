"""Scalar histories of joints that every analysis stores."""

from collections.abc import Sequence

import numpy as np

from faying.joints.interface import JointResponse
from faying.joints.pointwise import ContactStatus
from faying.results.writer import ResultsWriter

_REPORTED = (" closed share", " slipping share", " largest penetration")
_NAMES = ("closed share", "slipping share", "largest penetration", "gap norm", "normal force")


def joint_curves(
    names: Sequence[str], responses: Sequence[JointResponse], rows: Sequence[object] = ()
) -> dict[str, float]:
    """Return {"<joint> <curve>": value}; zeros without responses, which gives the names alone.

    Shares are of the joint's paired area; the gap norm is ‖g_N‖₂ over the pairs (thesis section 4.1.1).
    """
    values: dict[str, float] = {}
    weights = {r.name: r.weights for r in rows}  # type: ignore[attr-defined]
    for i, name in enumerate(names):
        numbers: Sequence[float] = (0.0,) * len(_NAMES)
        if responses:
            answer, area = responses[i], weights[name]
            numbers = (
                float(area[answer.status != ContactStatus.GAPING].sum() / area.sum()),
                float(area[answer.status == ContactStatus.SLIPPING].sum() / area.sum()),
                float(max(-answer.gap.min(initial=0.0), 0.0)),
                float(np.linalg.norm(answer.gap)),
                float(area @ answer.pressure),
            )
        values |= {f"{name} {curve}": number for curve, number in zip(_NAMES, numbers, strict=True)}
    return values


def joint_extremes(writer: ResultsWriter) -> dict[str, list[float]]:
    """Return {"<joint> <curve>": [smallest, largest]} of the shares and penetrations of a run, for its report."""
    curves = {name: writer.curve(name) for name in writer.curve_names if name.endswith(_REPORTED)}
    return {name: [float(values.min()), float(values.max())] for name, values in curves.items()}
