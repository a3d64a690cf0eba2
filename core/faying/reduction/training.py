"""What joint modes are trained on: loads of the body with contact and friction, and how their paths are followed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from faying.joints.interface import JointForce
from faying.joints.kinematics import SparseRows
from faying.progress import Progress
from faying.records import record
from faying.reduction.linear_states import Laws


@record("training_error")
class TrainingError:
    """How far the reduced body is off under one load, estimated from the forces out of balance on the FE model.

    Attributes:
        load: in words.
        motion: error of the displacements since the mounted state in the elastic energy norm, the largest on the path.
        pressure: √(Σ w Δp² / Σ w p²) over all pairs at the end of the path.
        reached: share of the load up to which there was an equilibrium.
        allowed: error of the motion up to which modes were added.
    """

    load: str
    motion: float
    pressure: float
    reached: float
    allowed: float

    @property
    def is_met(self) -> bool:
        """Whether the motion is within the accuracy; False if no equilibrium was found."""
        return self.motion <= self.allowed


@dataclass(frozen=True, eq=False)
class TrainingLoad:
    """A load of the unreduced body that grows from nothing on top of preload cases.

    Attributes:
        name: in words.
        preloads: (p,) how much of each preload case acts.
        force: (n_dofs,) at full size.
        support: dofs of the interface node that holds the body; none for a free body, whose inertia balances the load.
        rows: C (m, n_dofs) of imposed displacements C x = d.
        values: d (m,) at the full load; before that it grows from the value of C x under preload.
        friction: whether the friction laws of the joints act.
        mounts: whether it is part of mounting the body: a bolt is tightened.
    """

    name: str
    preloads: np.ndarray
    force: np.ndarray
    support: np.ndarray
    rows: sp.csr_matrix
    values: np.ndarray
    friction: bool = True
    mounts: bool = False


@dataclass(frozen=True, eq=False)
class TrainingMotion:
    """A motion of the body on top of preload cases, in which forces are not as large as statics would have them.

    Attributes:
        preloads: (p,) how much of each preload case acts.
        support: dofs of the interface node that holds the body; none for a free body.
        at_interfaces: whether forces act at the interface nodes, as in a system.
        force: (n_dofs,) loads of the motion, of which only the direction counts; zero without any.
    """

    preloads: np.ndarray
    support: np.ndarray
    at_interfaces: bool
    force: np.ndarray


@dataclass(frozen=True, eq=False)
class TrainingPoint:
    """An equilibrium on the path of a load.

    Attributes:
        load: share of the full load.
        coordinates: (r,).
        histories: friction history of each joint at the start of the step that led here.
    """

    load: float
    coordinates: np.ndarray
    histories: Sequence[np.ndarray]


class FollowPath(Protocol):
    """`faying.solvers.friction_path.friction_path`, which this package may not import: it is in a higher layer."""

    def __call__(
        self, stiffness: np.ndarray, preload: np.ndarray, load: np.ndarray, joints: Sequence[JointForce],
        progress: Progress, *, constraints: np.ndarray, values: np.ndarray,
    ) -> list[TrainingPoint]:  # fmt: skip
        """Return the equilibria from no load (the mounted body) to the full one, or as far as there are any."""


@dataclass(frozen=True, eq=False)
class Training:
    """All joints of a body with their laws, and the loads for which its joint modes are made.

    Attributes:
        joints: rows of each joint over all dofs, without the interference of preload cases.
        laws: contact and friction law of each.
        loads: of the project's analyses.
        body_loads: (n_dofs, p) loads that the body declares, whether or not analyses use them.
        motions: of the project's analyses and systems.
        follow: finds the equilibria on the path of a load.
    """

    joints: tuple[SparseRows, ...]
    laws: tuple[Laws, ...]
    loads: tuple[TrainingLoad, ...]
    body_loads: np.ndarray
    motions: tuple[TrainingMotion, ...]
    follow: FollowPath
