"""Scalar histories of joints that every analysis stores."""

from collections.abc import Sequence

import numpy as np

from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import JointResponse
from faying.joints.pointwise import ContactStatus
from faying.results.writer import ResultsWriter

_REPORTED = (" closed share", " slipping share", " largest penetration")
BEYOND = " friction beyond limit"
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


def spring_curves(
    names: Sequence[str],
    laws: Sequence[FrictionLaw | None],
    responses: Sequence[JointResponse],
    rows: Sequence[object],
) -> dict[str, float]:
    """Return {"<joint> friction beyond limit": value} of joints whose friction law has a spring without limit.

    The value is Σ w c₂ |s| over Σ w μ p of the closed pairs: by how much, as a share, friction can exceed its limit
    there; zero without pressure. Zeros without responses, as of `joint_curves`.
    """
    values: dict[str, float] = {}
    weights = {r.name: r.weights for r in rows}  # type: ignore[attr-defined]
    for i, (name, law) in enumerate(zip(names, laws, strict=True)):
        if law is None or not law.unlimited_stiffness:
            continue
        share = 0.0
        if responses and (limit := weights[name] @ law.sticking_limit(responses[i].pressure)[0]) > 0.0:
            slip = np.linalg.norm(responses[i].slip, axis=1)
            share = float(law.unlimited_stiffness * (weights[name] @ slip) / limit)
        values[name + BEYOND] = share
    return values


def told_springs(writer: ResultsWriter) -> dict[str, dict[str, float]]:
    """Return for the run report the largest value of each curve of `spring_curves`, by the name of its joint."""
    found = {
        name.removesuffix(BEYOND): float(writer.curve(name).max(initial=0.0))
        for name in writer.curve_names
        if name.endswith(BEYOND)
    }
    return {"friction_beyond_limit": found} if found else {}


def joint_extremes(writer: ResultsWriter) -> dict[str, list[float]]:
    """Return {"<joint> <curve>": [smallest, largest]} of the shares and penetrations of a run, for its report."""
    curves = {name: writer.curve(name) for name in writer.curve_names if name.endswith(_REPORTED)}
    return {name: [float(values.min()), float(values.max())] for name, values in curves.items()}
