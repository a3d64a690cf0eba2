"""A body in small motion about an equilibrium: common to its modes and its frequency responses."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from faying.analyses import BodyModel, needed
from faying.analyses.harmonics.about_equilibrium import BodyAboutEquilibrium
from faying.joints.kinematics import sparse_rows
from faying.joints.linearized import PairSprings, Sticking
from faying.params import parameter
from faying.reduction.body import ReducedBody
from faying.reduction.interior import InteriorProblem

_RIGID = 1e-7  # of the highest natural frequency: below, it is round-off of zero
NO_FE_MODEL = "the body came without its FE matrices"


class LinearizedAnalysis(BodyAboutEquilibrium):
    """An analysis of a body whose joints are linearised about a static equilibrium: closed pairs are springs."""

    sticking: Sticking = parameter(
        "equilibrium", title="Closed pairs",
        meaning="Which closed pairs hold each other sideways, with the first stiffness of the friction law: those that "
        "stick in the equilibrium; all (stuck); or none (sliding). Tangent: each with the stiffness that its friction "
        "law has in the equilibrium when the slip continues. Along the normal all have the stiffness of the contact "
        "law at their pressure. Open: no pair resists at all.",
    )  # fmt: skip


def stiffness_with(held: ReducedBody, springs: Sequence[PairSprings]) -> np.ndarray:
    """Return the stiffness (r, r) of a reduced body with springs in its joints.

    Args:
        held: the reduced body, free or clamped.
        springs: of each joint; none for a body without joints.
    """
    found = held.stiffness.copy()
    for each, rows in zip(springs, held.joints, strict=bool(springs)):
        found = found + each.over(rows)
    return np.asarray(found)


def fe_problem(body: BodyModel, springs: Sequence[PairSprings], support: str) -> InteriorProblem:
    """Return the FE model with springs in its joints, held at the support, or at all interface nodes without one.

    Args:
        body: with model and matrices.
        springs: of each joint.
        support: interface node; "" for a free body, whose factor is found with all of them held.
    """
    matrices, model = needed(body.matrices), needed(body.model)
    for joint, found in zip(body.joints, springs, strict=True):
        of_joint = found.over_dofs(sparse_rows(joint.pairs, matrices.dofs))
        matrices = replace(matrices, stiffness=(matrices.stiffness + of_joint).tocsr())
    held = [support] if support else list(body.interface_nodes)
    nodes = np.array([body.interface_nodes[name] for name in held], np.int64)
    return InteriorProblem(matrices, model.nodes, nodes, node_ids=model.node_ids)


def elastic(frequencies: np.ndarray) -> np.ndarray:
    """Return (k,) which natural frequencies (k,) are not zero but for round-off, as of motions that nothing resists."""
    return np.asarray(frequencies > _RIGID * frequencies.max(initial=0.0))
