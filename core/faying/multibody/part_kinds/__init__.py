"""Kinds of parts, as decisions. A member is one file: its settings, and how the computing part is built."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import numpy as np
from pydantic import field_validator

from faying.errors import ModelError
from faying.multibody.bodies import FlexibleBody
from faying.multibody.contacts.rigid_shapes import RigidShape
from faying.multibody.contacts.surface import PartSurface
from faying.multibody.forces import Force
from faying.multibody.part import Part
from faying.multibody.parts.markers import FrameMarker
from faying.multibody.placement import MarkerSpec, PlacementSpec, unique_markers
from faying.params import Member, parameter
from faying.registry import Registry
from faying.spatial.rotations import rotation_matrix

part_kinds: Registry[type["PartSpec"]] = Registry("part", __name__)


class PartSpec(Member):
    """A part of a system at its place.

    Attributes:
        built_in: names of the markers that every part of the kind has.
    """

    built_in: ClassVar[tuple[str, ...]] = ("frame",)

    name: str = parameter(title="Name", meaning="Name of the part.", min_length=1, pattern=r"^[^.]+$")
    placement: PlacementSpec = parameter(
        PlacementSpec(), title="Placement", meaning="Where it is and how it moves at the start."
    )
    markers: tuple[MarkerSpec, ...] = parameter(
        (), title="Markers", meaning="Points on the part where constraints and forces act."
    )

    @field_validator("markers")
    @classmethod
    def _unique_markers(cls, items: tuple[MarkerSpec, ...]) -> tuple[MarkerSpec, ...]:
        return unique_markers(items, cls.built_in)

    def body_name(self) -> str:
        """Return the flexible body of the part; "" if it has none."""
        return ""

    def marker_names(self, interfaces: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the names of all markers that the part will have: its frame's, and those decided.

        Args:
            interfaces: names of the interface nodes of the body that it is made of.
        """
        return ("frame", *interfaces, *(marker.name for marker in self.markers))

    def require_own_names(self, interfaces: Iterable[str]) -> None:
        """Refuse markers with the name of an interface node of the part's body, which is a marker as well.

        Raises:
            ModelError: names the marker.
        """
        for taken in {marker.name for marker in self.markers} & set(interfaces):
            raise ModelError(
                f"Part {self.name!r} has a marker with the name of the interface node {taken!r} of its body.",
                "Rename the marker, or take it away: the interface node is a marker under its own name.",
            )

    def without_looks(self) -> "PartSpec":
        """Return the part without the settings that only affect how it is drawn, from which nothing is computed."""
        return self

    def own_forces(self, bodies: Mapping[str, FlexibleBody]) -> tuple[Force, ...]:
        """Return forces that the part's own settings define, such as loads of its body; raises as `build`."""
        return ()

    @abstractmethod
    def surface_names(self, of_body: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the names of the surfaces that other parts may touch.

        Args:
            of_body: names of the contact surfaces of the body that it is made of.
        """

    @abstractmethod
    def surface(
        self, name: str, built: Part, bodies: Mapping[str, FlexibleBody]
    ) -> PartSurface | RigidShape | None:
        """Return the surface of that name in the part's frame, None if there is none.

        Args:
            name: one of `surface_names`.
            built: the computing part.
            bodies: as for `build`.

        Raises:
            FayingError: when the file that the surface comes from cannot be read.
        """

    @abstractmethod
    def build(self, bodies: Mapping[str, FlexibleBody]) -> Part:
        """Return the computing part.

        Args:
            bodies: the project's reduced bodies that the system needs, by name.

        Raises:
            ModelError: when something that it needs is not there.
        """


def frame_markers(markers: Iterable[MarkerSpec]) -> list[FrameMarker]:
    """Return markers fixed to a part's frame."""
    return [FrameMarker(m.name, np.array(m.position), rotation_matrix(m.euler_parameters)) for m in markers]
