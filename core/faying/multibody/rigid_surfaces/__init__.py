"""Surfaces of rigid parts and of ground that other parts may touch, as decisions. A member is one file."""

from abc import abstractmethod
from typing import ClassVar

from faying.multibody.contacts.rigid_shapes import RigidShape
from faying.multibody.contacts.surface import PartSurface
from faying.params import Member, parameter
from faying.registry import Registry

rigid_surfaces: Registry[type["RigidSurface"]] = Registry("rigid surface", __name__)


class RigidSurface(Member):
    """A surface that does not deform, at its place in the part's frame.

    Attributes:
        has_nodes: whether it has nodes at which contact can be evaluated; an analytical shape has none.
    """

    has_nodes: ClassVar[bool] = False

    name: str = parameter(
        title="Name", meaning="Name of the surface, unique on its part.", min_length=1, pattern=r"^[^.]+$"
    )

    @property
    def may_be_slave(self) -> bool:
        """Whether contact can be evaluated at its points; else it can only be a master."""
        return self.has_nodes

    @abstractmethod
    def build(self) -> RigidShape | PartSurface:
        """Return the surface in the part's frame.

        Raises:
            FayingError: when a file that it comes from cannot be read.
        """

    @abstractmethod
    def describe(self) -> str:
        """Return the surface in a few words for a tree or a report."""


def unique_surfaces(items: tuple[RigidSurface, ...]) -> tuple[RigidSurface, ...]:
    """Return the surfaces; a name used twice is an error."""
    names = [item.name for item in items]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the name {name!r} is used twice")
    return items
