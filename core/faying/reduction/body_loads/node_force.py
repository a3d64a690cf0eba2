"""A force at arbitrary nodes."""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.params import parameter
from faying.reduction.body_loads import BodyLoad, LoadArrow, LoadedBody, body_loads

Vector = tuple[float, float, float]
_ARROWS = 12  # largest number of drawn arrows per load


@body_loads.register("node_force")
class NodeLoad(BodyLoad):
    """A force at any node, or distributed evenly over the nodes of a set."""

    title: ClassVar[str] = "Force at nodes"

    node_set: str = parameter(
        "",
        title="Node set",
        choices="node_set",
        meaning="Its nodes share the force; empty for a node number.",
    )
    node: int = parameter(
        0,
        title="Node number",
        ge=0,
        choices="node",
        meaning="The deck's node number; used without a node set.",
    )
    force: Vector = parameter(
        (0.0, 0.0, 0.0),
        title="Force",
        quantity="force",
        meaning="Components along x, y, z, of all nodes together.",
    )
    moment: Vector = parameter(
        (0.0, 0.0, 0.0), title="Moment", quantity="moment", advanced=True,
        meaning="Components about x, y, z; for nodes with rotations, such as the reference node of a coupling.",
    )  # fmt: skip

    def arrows(self, model: FeModel, skin: Skin | None) -> list[LoadArrow]:
        """Return an arrow at each node, or at twelve of them if there are more."""
        nodes = self._nodes(model)[:_ARROWS]
        forces = [LoadArrow(int(node), np.array(self.force)) for node in nodes if any(self.force)]
        moments = [LoadArrow(int(node), np.array(self.moment), True) for node in nodes if any(self.moment)]
        return forces + moments

    def forces(self, on: LoadedBody) -> np.ndarray:
        """Return (n_dofs,) the forces on the dofs that move the nodes."""
        dofs = on.matrices.dofs
        nodes = self._nodes(on.model)
        forces = np.zeros(dofs.n_dofs)
        share = np.array([*self.force, *self.moment]) / len(nodes)
        for node in nodes:
            rows = dofs.node_rows(int(node))
            number = on.model.node_ids[node]
            if len(rows) < 6 and any(self.moment):
                raise ModelError(
                    f"A moment acts on node {number}, which has no rotations.",
                    "Apply it to the reference node of a coupling, or as forces.",
                )
            transformation = dofs.transformation[rows]
            if not transformation.nnz:
                raise ModelError(
                    f"A force acts on node {number}, which belongs to no element and no coupling.",
                    "Choose a node of the mesh.",
                )
            forces += np.asarray(transformation.T @ share[: len(rows)])
        return forces

    def _nodes(self, model: FeModel) -> np.ndarray:
        if not self.node_set:
            if not self.node:
                raise ModelError("It names no node.", "Choose a node set, or give a node's number.")
            return np.array([model.node_row(self.node)])
        nodes = model.node_set(self.node_set)
        if nodes is None or not len(nodes):
            known = ", ".join(sorted(model.node_sets)) or "none"
            what = "is not in the deck" if nodes is None else "holds no node"
            raise ModelError(f"The node set {self.node_set!r} {what}.", f"Node sets: {known}.")
        return nodes
