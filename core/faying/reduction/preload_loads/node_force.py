"""A force and a moment at one node: a bolt force at the reference node of a coupling."""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError, there_are
from faying.params import parameter
from faying.reduction.preload_loads import PreloadAction, PreloadedBody, PreloadLoad, preload_loads

Vector = tuple[float, float, float]


@preload_loads.register("node_force")
class NodeForce(PreloadLoad):
    """A force at an interface node or another node, such as the middle of a washer area or of a cut bolt."""

    title: ClassVar[str] = "Force at a node"

    interface: str = parameter(
        "", title="Interface node", choices="interface", meaning="Where it acts; empty for a node set."
    )
    node_set: str = parameter(
        "", title="Node set", choices="node_set",
        meaning="A deck node set of one node, such as a coupling's reference node; used without an interface node.",
    )  # fmt: skip
    force: Vector = parameter(
        (0.0, 0.0, 0.0), title="Force", quantity="force", meaning="Components along x, y, z."
    )
    moment: Vector = parameter(
        (0.0, 0.0, 0.0), title="Moment", quantity="moment", meaning="Components about x, y, z."
    )

    def act(self, on: PreloadedBody) -> PreloadAction:
        """Return the force on the dofs that move the node."""
        rows = on.dofs.node_rows(self._node(on))
        if len(rows) < 6 and any(self.moment):
            raise ModelError(
                f"A preload moment acts on {self.interface or self.node_set!r}, which has no rotations.",
                "Apply it to the reference node of a coupling, or as forces.",
            )
        values = np.array([*self.force, *self.moment])[: len(rows)]
        return PreloadAction(np.asarray(on.dofs.transformation[rows].T @ values))

    def _node(self, on: PreloadedBody) -> int:
        if self.interface:
            if self.interface not in on.interface_nodes:
                known = ", ".join(on.interface_nodes) or "none"
                raise ModelError(
                    f"There is no interface node called {self.interface!r}.", f"There are: {known}."
                )
            return on.interface_nodes[self.interface]
        if not self.node_set:
            raise ModelError("A preload force names no node.", "Choose an interface node or a node set.")
        nodes = on.model.node_set(self.node_set)
        if nodes is None or len(nodes) != 1:
            holds = "is not in the deck" if nodes is None else f"holds {len(nodes)} nodes, not just one"
            singles = sorted(name for name, rows in on.model.node_sets.items() if len(rows) == 1)
            raise ModelError(
                f"A preload force acts on the node set {self.node_set!r}, which {holds}.",
                there_are(self.node_set, singles, "Node sets of just one node are"),
            )
        return int(nodes[0])
