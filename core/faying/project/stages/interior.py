"""The body held at its interface nodes: the problem for computing modes."""

from pathlib import Path

import numpy as np

from faying.fem.connectivity import loose_parts
from faying.progress import Progress
from faying.project.bodies import interface_row
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.matrices import Matrices
from faying.project.stages.model import Model
from faying.reduction.interior import InteriorProblem


@stages.register("interior")
class Interior(Stage[InteriorProblem]):
    """Holds the interface nodes; factors on first use."""

    title = "interior problem"
    order = 60
    keeps = "memory"
    weight = 0.1
    unreduced = True

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the interface nodes."""
        return {"interface nodes": [i.values("name") for i in project.body(target.body).held_interfaces]}

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model and matrices."""
        return of_same_body(target, Model, Matrices)

    def compute(self, context: StageContext, progress: Progress) -> InteriorProblem:
        """Return K and M with the interface dofs held, and the factor for interior solutions."""
        body, model = context.project.body(context.target.body), context.get(Model)
        held = body.held_interfaces
        rows = np.array([interface_row(i, model, body.name) for i in held], dtype=np.int64)
        components = [i.components for i in held]
        return InteriorProblem(
            context.get(Matrices),
            model.nodes,
            rows,
            components,
            loose_parts(model, rows.tolist()),
            model.node_ids,
        )
