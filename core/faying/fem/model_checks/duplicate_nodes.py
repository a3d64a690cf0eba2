"""Coincident nodes."""

from collections.abc import Iterator

import numpy as np

from faying.fem.connectivity import connected_parts, moved_together
from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks, named

# Nodes nearer to each other than this fraction of the body's size coincide.
_MAX_DISTANCE = 1e-7


@model_checks.register("duplicate_nodes")
def duplicate_nodes(checked: CheckedModel) -> Iterator[ModelFinding]:
    """Find coincident nodes of elements: a crack within a part, a joint or a missing connection between parts.

    Nodes connected by ties, equations or rigid couplings (both sides of a bolt's cut, for instance) are excluded.
    """
    from scipy.spatial import cKDTree  # late: takes long to import

    model = checked.model
    parts, _ = connected_parts(model, couplings=False)
    used = np.unique(np.concatenate([np.zeros(0, np.int64), *(b.connectivity.ravel() for b in model.blocks)]))
    points = model.nodes[used]
    if not len(points):
        return
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    pairs = used[cKDTree(points).query_pairs(_MAX_DISTANCE * size, output_type="ndarray")]
    together = moved_together(model)[pairs]
    pairs = pairs[(together[:, 0] < 0) | (together[:, 0] != together[:, 1])]
    if not len(pairs):
        return
    same = parts[pairs[:, 0]] == parts[pairs[:, 1]]
    inside, between = np.unique(pairs[same]), np.unique(pairs[~same])
    if len(inside):
        yield ModelFinding(
            "warning",
            f"{named(model.node_ids[inside], 'node').capitalize()} of one part lie on each other: "
            "the mesh is open there, as if cracked.",
            "Merge them in the mesher unless the crack is meant.",
            nodes=inside,
        )
    in_joints = np.zeros(len(model.nodes), bool)
    for surface in (s for joint in checked.joints.values() for s in joint):
        in_joints[surface.nodes] = True
    loose = between[~in_joints[between]]
    if len(loose):
        yield ModelFinding(
            "note",
            f"{named(model.node_ids[loose], 'node').capitalize()} of different parts coincide and are in no "
            "joint: the parts are not connected there.",
            "Make a joint of them, or merge them in the mesher.",
            nodes=loose,
        )
