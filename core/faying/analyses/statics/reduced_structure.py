"""The reduced body in statics."""

from typing import Any

import numpy as np

from faying.analyses import BodyModel, needed
from faying.analyses.recording.curve_source import RecordedBody
from faying.analyses.recording.recorded_bodies import joint_data, recorded_body
from faying.analyses.statics.displacements import displaced_in_steps
from faying.analyses.statics.load_path import PathPoint
from faying.analyses.statics.reactions import ReactionBalance, held_node
from faying.analyses.statics.settings import SupportedAnalysis
from faying.analyses.statics.structure import Structure
from faying.joints.interface import JointForce
from faying.progress import Progress
from faying.solvers.displacement_controlled_body import DisplacementControlledBody


class ReducedStructure(Structure):
    """The reduced body, held at a node or free; see `Structure`.

    Attributes:
        body: the reduced body, clamped to the support, its initial gaps those of the preload cases.

    Raises:
        ModelError: when the support or a preload case is not there, or nodes cannot be displaced.
    """

    def __init__(self, settings: SupportedAnalysis, model: BodyModel) -> None:
        super().__init__(settings, model)
        preloads = settings.acting_preloads
        self.body = body = settings.clamped_body(needed(model.reduced))
        self.base, self.mounts = body.preload_force(preloads), bool(preloads)
        self.bolts, self.preload_tensions = body.bolts, [bolt.tension(preloads) for bolt in body.bolts]
        self.loads = self.reduced_loads = body.loads
        self.node, self.joint_rows = held_node(body, settings.support), body.joints
        self.displaced = displaced_in_steps(settings.step_displacements, body.interfaces, body.frame)
        motions = np.array(self.cuts(), float).reshape(-1, body.n_coordinates)
        if self.displaced.imposed is not None:
            motions = np.vstack([motions, self.displaced.imposed.rows])
        rows = {rows.name: rows for rows in body.joints}
        forces = [
            JointForce(rows[joint.name], joint.contact_law, law)
            for joint, law in zip(model.joints, self.laws, strict=True)
        ]
        self.equations = DisplacementControlledBody(body.stiffness, forces, motions)

    def columns(self) -> np.ndarray:
        """Return (r, k) generalised forces of the loads of all steps."""
        return self.settings.load_columns(self.body)

    def first_guess(self, force: np.ndarray, progress: Progress) -> None:
        """Return None: touching pairs that are stuck are guess enough."""

    def balance(self) -> ReactionBalance:
        """See `Structure.balance`."""
        return ReactionBalance(self.node, self.body.supports, self.body.held_nodes, self.body.nodes)

    def recorded(self, **more: Any) -> RecordedBody:
        """See `Structure.recorded`."""
        return recorded_body(self.body, self.names, self.laws, **more)

    def frame(self, point: PathPoint) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return the coordinates (r,), and with them what is stored of the joints."""
        q = point.state.coordinates
        return q, {"coordinates": q} | joint_data(self.names, point.state.histories, point.solution.offsets)
