"""Forces that hold a body: those of its supports, and the reaction at the interface node that is held."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.loads import LoadSpec
from faying.fem.assembly import rigid_body_modes
from faying.reduction.body import ReducedBody
from faying.reduction.carried import COMPONENTS, CarriedEquations, CarriedRows

SUPPORT, REACTION = " support", " reaction"
"""What stands before the component in the names of the curves: "foot support force x", "mounting reaction force x"."""


def support_curves(
    supports: Iterable[CarriedRows | CarriedEquations], x: np.ndarray, amounts: Mapping[str, float]
) -> dict[str, float]:
    """Return {"<support> support force x": value, …}: force on the surface, moment about the mean of its nodes.

    Args:
        supports: of a body, reduced or not.
        x: (r,) or (n_dofs,) its coordinates.
        amounts: of the loads of the body that act, by name.
    """
    found: dict[str, float] = {}
    for each in supports:
        values = each.carried(x, amounts).tolist()
        found |= {f"{each.name}{SUPPORT}{curve}": v for curve, v in zip(COMPONENTS, values, strict=True)}
    return found


class HeldNode:
    """The interface node that an analysis holds: its reaction balances all that acts on the body.

    Args:
        name: of the node; "" for a body that is held nowhere, which has no reaction.
        place: (3,) of the node, about which moments count.
        places: (3,) of all interface nodes by name.
        resultants: (6,) force and moment about the origin of each load of the body, by name.
        momentum: (6, r) momentum, and angular momentum about the origin, per unit velocity of each coordinate; None in
            statics.
    """

    def __init__(
        self,
        name: str,
        place: np.ndarray,
        places: Mapping[str, np.ndarray],
        resultants: Mapping[str, np.ndarray],
        momentum: np.ndarray | None = None,
    ) -> None:
        self._name, self._place, self._places = name, place, places
        self._resultants, self._momentum = resultants, momentum

    @property
    def curves(self) -> tuple[str, ...]:
        """Names of the curves of the reaction."""
        return tuple(f"{self._name}{REACTION}{curve}" for curve in COMPONENTS) if self._name else ()

    def values(
        self,
        loads: Sequence[LoadSpec],
        factors: Iterable[float],
        amounts: Mapping[str, float],
        displaced: Mapping[str, float],
        accelerations: np.ndarray | None = None,
    ) -> dict[str, float]:
        """Return the reaction by the names of its curves.

        Args:
            loads: at interface nodes.
            factors: how much of each acts.
            amounts: of the loads of the body, by name.
            displaced: forces at displaced nodes by the names of their curves.
            accelerations: (r,) of the coordinates; none in statics.
        """
        if not self._name:
            return {}
        acting = np.zeros(6)
        for load, factor in zip(loads, factors, strict=False):
            acting += factor * self._about_place(load.interface, np.array([*load.force, *load.moment]))
        for name, amount in amounts.items():
            acting += amount * self._moved(self._resultants[name], -self._place)
        for curve, value in displaced.items():
            node, _, component = curve.rpartition(REACTION)
            acting += self._about_place(node, value * np.eye(6)[COMPONENTS.index(component)])
        if accelerations is not None and self._momentum is not None:
            acting -= self._moved(self._momentum @ accelerations, -self._place)
        return dict(zip(self.curves, (-acting).tolist(), strict=True))

    def _about_place(self, node: str, wrench: np.ndarray) -> np.ndarray:
        return self._moved(wrench, self._places[node] - self._place)

    @staticmethod
    def _moved(wrench: np.ndarray, arm: np.ndarray) -> np.ndarray:
        """Return force and moment (6,) about another point; `arm` (3,) goes from there to the point of the wrench."""
        return np.concatenate([wrench[:3], wrench[3:] + np.cross(arm, wrench[:3])])


def held_fe_node(body: BodyModel, support: str) -> HeldNode:
    """Return the held node of an unreduced body in statics; `support` is its name, "" for none."""
    assert body.model is not None and body.matrices is not None
    nodes, resultants = body.model.nodes, dict[str, np.ndarray]()
    if body.loads is not None:
        each = (rigid_body_modes(nodes, body.matrices.dofs).T @ body.loads.forces).T
        # Temperatures have no resultant but what rounding leaves.
        outer = [temperatures is None for temperatures in body.loads.temperatures]
        resultants = {n: r * o for n, r, o in zip(body.loads.names, each, outer, strict=True)}
    places = {name: nodes[row] for name, row in body.interface_nodes.items()}
    return HeldNode(support, places.get(support, np.zeros(3)), places, resultants)


def held_node(held: ReducedBody, support: str, *, in_motion: bool = False) -> HeldNode:
    """Return the held node of a reduced body.

    Args:
        held: the reduced body, clamped to the node.
        support: name of the node; "" for none.
        in_motion: whether the body moves, so that its inertia forces count.
    """
    places = {name: held.nodes[row] for name, row in held.interface_nodes.items()}
    loads = held.loads
    resultants = {} if loads is None else dict(zip(loads.names, loads.resultants.T, strict=True))
    momentum = held.inertia.rigid_content if in_motion and held.inertia is not None else None
    known = bool(support) and not (in_motion and momentum is None)
    return HeldNode(support if known else "", places.get(support, np.zeros(3)), places, resultants, momentum)
