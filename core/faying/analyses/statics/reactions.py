"""Forces that hold a body: those of its supports, and the reaction at the interface node that is held.

The reaction of the held node balances all that acts on the body. What supports and nodes exert, in contrast, comes from
the elements there, as stresses do. Both are the same in the FE model; of a reduced body their difference says by how
much its trial vectors miss the stresses there (`ReactionBalance`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from faying.analyses import BodyModel, needed
from faying.analyses.statics.loads import LoadSpec, NodeValues
from faying.fem.assembly import rigid_body_modes
from faying.joints.interface import JointResponse, pair_forces
from faying.reduction.body import ReducedBody
from faying.reduction.carried import Acting, CarriedEquations, CarriedRows


def contact_forces(
    names: Sequence[str], responses: Sequence[JointResponse], rows: Iterable[Any]
) -> dict[str, np.ndarray]:
    """Return the forces (n_pairs, 3) at the pairs of each joint, by name; see `pair_forces`.

    Args:
        names: of the joints.
        responses: theirs, in this order.
        rows: with the name and the weights of each joint, in any order.
    """
    weights = {each.name: each.weights for each in rows}
    return {name: pair_forces(answer, weights[name]) for name, answer in zip(names, responses, strict=True)}


def moved(wrench: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """Return force and moment (6,) about another point; `arm` (3,) goes from there to the point of the wrench."""
    return np.concatenate([wrench[:3], wrench[3:] + np.cross(arm, wrench[:3])])


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
    def name(self) -> str:
        """The node's; "" for a body that is held nowhere."""
        return self._name

    def values(
        self,
        loads: Sequence[LoadSpec],
        factors: Iterable[float],
        amounts: Mapping[str, float],
        displaced: NodeValues,
        accelerations: np.ndarray | None = None,
    ) -> np.ndarray | None:
        """Return force and moment (6,) of the reaction; None for a body that is held nowhere.

        Args:
            loads: at interface nodes.
            factors: how much of each acts.
            amounts: of the loads of the body, by name.
            displaced: forces and moments at displaced nodes.
            accelerations: (r,) of the coordinates; none in statics.
        """
        if not self._name:
            return None
        balance = sum(self.acting(loads, factors, amounts, displaced), np.zeros(6))
        if accelerations is not None and self._momentum is not None:
            balance -= moved(self._momentum @ accelerations, -self._place)
        return np.asarray(-balance)

    def acting(
        self,
        loads: Sequence[LoadSpec],
        factors: Iterable[float],
        amounts: Mapping[str, float],
        displaced: NodeValues,
    ) -> list[np.ndarray]:
        """Return force and moment (6,) about the node of all that acts on the body from outside; see `values`."""
        found = []
        for load, factor in zip(loads, factors, strict=False):
            found.append(factor * self._about_place(load.interface, np.array([*load.force, *load.moment])))
        for name, amount in amounts.items():
            found.append(amount * moved(self._resultants[name], -self._place))
        for (node, component), value in displaced.items():
            found.append(self._about_place(node, value * np.eye(6)[component]))
        return found

    def _about_place(self, node: str, wrench: np.ndarray) -> np.ndarray:
        return moved(wrench, self._places[node] - self._place)


def held_fe_node(body: BodyModel, support: str) -> HeldNode:
    """Return the held node of an unreduced body in statics; `support` is its name, "" for none."""
    nodes, resultants = needed(body.model).nodes, dict[str, np.ndarray]()
    if body.loads is not None:
        each = (rigid_body_modes(nodes, needed(body.matrices).dofs).T @ body.loads.forces).T
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


_PRESSED = (
    0.05  # share of the normal forces of joints that counts as load, where the loads themselves are smaller
)


class ReactionBalance:
    """Compares, frame by frame, what supports and nodes exert with the reactions that balance the loads.

    Args:
        held: the node that is held.
        supports: of the body; those that stand on a node are what holds it there.
        nodes: interface nodes, for those that have no supports.
        places: (n, 3) of the body's nodes: a moment counts as a force at the arm of the body's size.
        in_motion: whether frames are moments in time. Schemes balance forces and inertia over each step, not at its
            end, so that the mean over the frames is told then, and their largest difference otherwise.
    """

    def __init__(
        self,
        held: HeldNode,
        supports: Sequence[CarriedRows | CarriedEquations],
        nodes: Sequence[CarriedRows | CarriedEquations],
        places: np.ndarray,
        *,
        in_motion: bool = False,
    ) -> None:
        self._in_motion, self._frames, self._sum = in_motion, 0, 0.0
        self._held, self._size = held, float(np.ptp(places, axis=0).max()) or 1.0
        self._sections: dict[str, list[CarriedRows | CarriedEquations]] = {}
        self._at = {each.name: each.middle for each in nodes}
        for node in nodes:
            self._sections[node.name] = [each for each in supports if each.node == node.node] or [node]
        self._missed, self._load, self._worst = 0.0, 0.0, ("", 0.0)

    def see(
        self,
        value: float,
        x: np.ndarray,
        acting: Acting,
        loads: Sequence[LoadSpec],
        factors: Iterable[float],
        displaced: NodeValues,
        reaction: np.ndarray | None,
    ) -> None:
        """Take a frame into account.

        Args:
            value: of the frame: load, step or time.
            x: coordinates.
            acting: what acts on the body beside its elastic forces.
            loads, factors, displaced: as of `HeldNode.values`.
            reaction: what that returned.
        """
        if reaction is None:
            return
        factors = list(factors)
        outer = self._held.acting(loads, factors, acting.amounts, displaced)
        pressing = sum(float(forces[:, 0].sum()) for forces in acting.contact.values())
        wanted = {self._held.name: dict(enumerate(reaction.tolist()))}
        for (node, component), force in displaced.items():
            wanted.setdefault(node, {})[component] = force
        sizes = [self._measure(each) for each in (*outer, reaction)]
        self._load = max(self._load, *sizes, _PRESSED * pressing)
        largest = 0.0
        for node, components in wanted.items():
            if node not in self._sections:
                continue
            borne = sum(
                (
                    moved(each.carried(x, acting), each.middle - self._at[node])
                    for each in self._sections[node]
                ),
                np.zeros(6),
            )
            for load, factor in zip(loads, factors, strict=False):
                if load.interface == node:
                    borne -= factor * np.array([*load.force, *load.moment])
            difference = np.zeros(6)
            for number, force in components.items():
                difference[number] = borne[number] - force
            missed = self._measure(difference)
            largest = max(largest, missed)
            if missed > self._missed:
                self._missed, self._worst = missed, (node, value)
        self._frames, self._sum = self._frames + 1, self._sum + largest

    def summary(self) -> dict[str, Any]:
        """Return for the run report {"reaction_balance": …}: where forces and loads differ most, and by which share.

        {} where nothing holds the body, or nothing acts on it.
        """
        if not self._load:
            return {}
        node, value = self._worst
        missed = self._sum / self._frames if self._in_motion else self._missed
        found = {"share": missed / self._load, "force": missed, "node": node, "at": value}
        found |= {"in_motion": True} if self._in_motion else {}
        return {"reaction_balance": found}

    def checkpoint(self) -> dict[str, Any]:
        """Return what an interrupted run needs to go on, as values that `faying.packed` can store."""
        return {
            "missed": self._missed, "load": self._load, "worst": self._worst, "frames": self._frames, "sum": self._sum,
        }  # fmt: skip

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore the sums of an interrupted run."""
        self._missed, self._load = checkpoint["missed"], checkpoint["load"]
        self._frames, self._sum = checkpoint["frames"], checkpoint["sum"]
        self._worst = (str(checkpoint["worst"][0]), float(checkpoint["worst"][1]))

    def _measure(self, wrench: np.ndarray) -> float:
        return max(float(np.linalg.norm(wrench[:3])), float(np.linalg.norm(wrench[3:])) / self._size)
