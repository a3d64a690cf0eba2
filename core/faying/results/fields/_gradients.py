"""Strains and rotations of the nodes at a frame, from the gradients of the displacements in the elements around."""

import numpy as np

from faying.results.fields import FieldContext
from faying.results.fields._stress import stress_recovery


def nodal_strains(context: FieldContext, frame: int) -> np.ndarray:
    """Return (n_nodes, 6) strains xx, yy, zz, xy, yz, zx, shear as γ = 2 ε; NaN at nodes without a solid element.

    Total strains, thermal expansion included. Those of the last frame are kept: several fields look at
    the same tensor.
    """
    kept = context.kept.of(context.frames)
    last = kept.get("strains")
    if last is not None and last[0] == frame:
        return np.asarray(last[1])
    strains = stress_recovery(context).strains_at_nodes(context.displacement(frame))
    kept["strains"] = frame, strains
    return strains


def nodal_rotations(context: FieldContext, frame: int) -> np.ndarray:
    """Return (n_nodes, 3) small rotations (rad) about x, y, z: half the curl of the displacements, ω = ½ ∇ × u.

    NaN at nodes without a solid element.
    """
    kept = context.kept.of(context.frames)
    last = kept.get("rotations")
    if last is not None and last[0] == frame:
        return np.asarray(last[1])
    rotations = stress_recovery(context).rotations_at_nodes(context.displacement(frame))
    kept["rotations"] = frame, rotations
    return rotations
