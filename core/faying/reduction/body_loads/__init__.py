"""Loads that belong to a body: on its surfaces, its mass, its nodes. A member is one file, registered under its kind.

A load has a fixed distribution, for which the body gets a trial vector; analyses apply it by name with a factor over
time.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.params import Member, parameter
from faying.registry import Registry

body_loads: Registry[type["BodyLoad"]] = Registry("body load", __name__)


@dataclass(frozen=True)
class LoadedBody:
    """The body on which a load acts.

    Attributes:
        model: the body's model.
        skin: its exterior facets; None where no load is on a surface: a body of beams has no facets.
        matrices: its stiffness and mass.
        imported: whether the matrices come from another program; the model's materials are then irrelevant.
    """

    model: FeModel
    skin: Skin | None
    matrices: StructuralMatrices
    imported: bool = False

    def on_dofs(self, forces: np.ndarray) -> np.ndarray:
        """Return (n_dofs,) generalised forces of nodal forces (n_nodes, 3)."""
        return np.asarray(self.matrices.dofs.displacement_rows.T @ forces.ravel())


@dataclass(frozen=True)
class LoadArrow:
    """An arrow of a load: row of its node, vector (3,), and whether it is a moment or rotation about the vector."""

    node: int
    vector: np.ndarray
    turns: bool = False


class BodyLoad(Member):
    """A load of a body.

    Attributes:
        not_in_motion: why it cannot act on a part of a system that moves, without a full stop; "" for one that can, in
            directions that turn with the part.
    """

    not_in_motion: ClassVar[str] = ""

    name: str = parameter(title="Name", meaning="Name of the load; analyses apply it by name.", min_length=1)

    @abstractmethod
    def forces(self, on: LoadedBody) -> np.ndarray:
        """Return (n_dofs,) generalised forces at the load's full size.

        Args:
            on: the body.

        Raises:
            ModelError: when the load refers to a missing item.
        """

    def acts_on_mass(self, model: FeModel) -> bool:
        """Return whether it acts on the mass of the body, as weight does."""
        return False

    def temperatures(self, model: FeModel) -> np.ndarray | None:
        """Return (n,) temperature changes at the nodes of all elements, element by element; None without any."""
        return None

    def arrows(self, model: FeModel, skin: Skin | None) -> list[LoadArrow]:
        """Return its arrows; `skin` is given for loads on surfaces; raises as `forces`."""
        return []


def no_body_load(name: str, known: tuple[str, ...]) -> ModelError:
    """Return the error that a body has no load of that name."""
    return ModelError(
        f"The body has no load called {name!r}.",
        f"There are: {', '.join(known) or 'none'}. Loads on surfaces and on the whole body are declared in the body.",
    )
