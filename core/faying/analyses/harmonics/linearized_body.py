"""A body in small motion about an equilibrium: common to its modes and its frequency responses."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from faying.analyses import BodyAnalysis, BodyModel, needed
from faying.analyses.statics.load_case import LoadCase
from faying.errors import ModelError
from faying.joints.kinematics import sparse_rows
from faying.joints.linearized import PairSprings, Sticking
from faying.params import parameter
from faying.reduction.body import ReducedBody, no_interface_node
from faying.reduction.interior import InteriorProblem

_RIGID = 1e-7  # of the highest natural frequency: below, it is round-off of zero
NO_FE_MODEL = "the body came without its FE matrices"


class LinearizedAnalysis(BodyAnalysis):
    """An analysis of a body whose joints are linearised about a static equilibrium: closed pairs are springs."""

    needs_model: ClassVar[bool] = True
    follows: ClassVar[tuple[str, ...]] = ("static",)

    support: str = parameter(
        "", title="Held at", choices="interface",
        meaning="Interface node whose six dofs are held; none for the free body.",
    )  # fmt: skip
    preloads: tuple[str, ...] = parameter(
        (), title="Preload cases", choices="preload",
        meaning="Preload cases under which the body rests, where there is no static analysis.",
    )  # fmt: skip
    equilibrium: str = parameter(
        "", title="About", choices="analysis",
        meaning="Static analysis of the same body about which the joints are linearised. Empty for the body under its "
        "preload cases alone.",
    )  # fmt: skip
    equilibrium_frame: int = parameter(
        -1, title="Frame of it", ge=-1,
        meaning="Number of its frame, a load step, from 0; −1 for the last one.",
    )  # fmt: skip
    sticking: Sticking = parameter(
        "equilibrium", title="Closed pairs",
        meaning="Which closed pairs hold each other sideways, with the first stiffness of the friction law: those that "
        "stick in the equilibrium; all (stuck); or none (sliding). Tangent: each with the stiffness that its friction "
        "law has in the equilibrium when the slip continues. Along the normal all have the stiffness of the contact "
        "law at their pressure. Open: no pair resists at all.",
    )  # fmt: skip

    def predecessors(self) -> tuple[str, ...]:
        """Return the static analysis about which the joints are linearised, if there is one."""
        return (self.equilibrium,) if self.equilibrium else ()

    def load_cases(self) -> tuple[LoadCase, ...]:
        """Return the support and preload at which the body vibrates; how much is open."""
        return () if self.equilibrium else (LoadCase(self.support, self.preloads, inertia=True),)

    def problems_of_state(self, interfaces: Collection[str]) -> Iterator[ModelError]:
        """Yield the errors in support and equilibrium.

        Args:
            interfaces: names of the body's interface nodes.
        """
        if self.support and self.support not in interfaces:
            yield no_interface_node(self.support, interfaces)
        if self.equilibrium and self.preloads:
            yield ModelError(
                f"Analysis {self.name!r} is about the equilibrium of {self.equilibrium!r}, which has preload cases of "
                "its own.",
                "Leave its preload cases out, or choose no static analysis.",
            )


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
