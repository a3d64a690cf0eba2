"""The reduced body: everything that an analysis needs of a flexible body, without its FE matrices."""

import numpy as np

from faying.records import freeze, record


@record("joint_rows")
class JointRows:
    """Gap and slip of one joint's contact pairs as linear functions of the flexible coordinates.

    gap = initial_gaps + normal @ q;  slip = tangential @ q.

    Attributes:
        name: the joint's name.
        normal: (n, r).
        tangential: (n, 2, r).
        weights: (n,) areas.
        initial_gaps: (n,).
    """

    name: str
    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        freeze(self.normal, self.tangential, self.weights, self.initial_gaps)


@record("reduced_body")
class ReducedBody:
    """Projected matrices and rows of a body, in a frame that is clamped to one of its interface nodes.

    Attributes:
        frame: name of the interface whose six dofs are zero; "" for the free body, whose frame is the
            Buckens frame (the trial vectors have no rigid body content).
        mass, stiffness: (r, r).
        total_mass: the full model's mass.
        displacements: (3 n_nodes, r) nodal displacements, node-major: u = displacements @ q.
        interfaces: (6, r) displacements and rotations of each interface node by name.
        joints: one per joint, in the body's order.
    """

    frame: str
    mass: np.ndarray
    stiffness: np.ndarray
    total_mass: float
    displacements: np.ndarray
    interfaces: dict[str, np.ndarray]
    joints: tuple[JointRows, ...]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        freeze(self.mass, self.stiffness, self.displacements, *self.interfaces.values())

    @property
    def n_coordinates(self) -> int:
        """Number of flexible coordinates r."""
        return int(self.mass.shape[0])
