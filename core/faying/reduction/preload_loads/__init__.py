"""Loads of preload cases: actions of mounting on a body. A member is one file, registered under its kind."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from faying.fem.matrices import DofMap
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.params import Member
from faying.registry import Registry

preload_loads: Registry[type["PreloadLoad"]] = Registry("preload load", __name__)


@dataclass(frozen=True)
class PreloadedBody:
    """The body on which a preload acts.

    Attributes:
        model: the body's model.
        skin: its exterior facets.
        dofs: how nodal motions follow from the independent dofs.
        interface_nodes: row of each interface node by name.
        joints: names of the body's joints.
    """

    model: FeModel
    skin: Skin
    dofs: DofMap
    interface_nodes: Mapping[str, int]
    joints: tuple[str, ...]


@dataclass(frozen=True)
class PreloadAction:
    """Forces and interferences of a load of a preload case.

    Attributes:
        forces: (n_dofs,) generalised forces on the independent dofs.
        closings: interference, subtracted from the initial gaps of a joint, by the joint's name.
    """

    forces: np.ndarray
    closings: Mapping[str, float] = field(default_factory=dict)


class PreloadLoad(Member):
    """One load of a preload case."""

    @abstractmethod
    def act(self, on: PreloadedBody) -> PreloadAction:
        """Return forces and closings of joints at the load's full size.

        Args:
            on: the body.

        Raises:
            ModelError: when the load names something that is not there.
        """
