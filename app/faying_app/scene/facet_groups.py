"""What the facets of a body have in common, so that each group has a colour: parts, materials, joints."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from faying.fem.model import FeModel
from faying.fem.skin import elements_and_faces
from faying.fem.surface import Surface


@dataclass(frozen=True, eq=False)
class FacetGroups:
    """Groups of the facets of a skin.

    Attributes:
        numbers: (n_facets,) group of each facet, -1 for none.
        names: of the groups.
        inside: whether most of them lie inside the body, so that it has to be seen through.
    """

    numbers: np.ndarray
    names: tuple[str, ...]
    inside: bool = False

    def __eq__(self, other: object) -> bool:
        """Return whether the same facets are in groups of the same names."""
        return (
            isinstance(other, FacetGroups)
            and (self.names, self.inside) == (other.names, other.inside)
            and np.array_equal(self.numbers, other.numbers)
        )

    __hash__ = None  # type: ignore[assignment]

    def of(self, facets: np.ndarray) -> "FacetGroups":
        """Return the groups of some facets."""
        return FacetGroups(self.numbers[facets], self.names, self.inside)


def material_groups(model: FeModel, skin: Surface) -> FacetGroups:
    """Return the facets of a skin by the material of their elements."""
    names = tuple(dict.fromkeys(block.material or "no material" for block in model.blocks))
    each = [names.index(block.material or "no material") for block in model.blocks]
    of_element = np.repeat(np.array(each, np.int64), [len(block.ids) for block in model.blocks])
    return FacetGroups(of_element[elements_and_faces(skin)[0]], names)


def joint_groups(skin: Surface, joints: Iterable[tuple[str, Sequence[Surface]]]) -> FacetGroups:
    """Return the facets of a skin by the joint that they belong to.

    Args:
        skin: of the body.
        joints: names with the surfaces of both sides; a facet of several joints counts for the last one.
    """
    elements, faces = elements_and_faces(skin)
    keys, numbers = elements * 8 + faces, np.full(skin.n_facets, -1)
    names: list[str] = []
    for name, surfaces in joints:
        for surface in surfaces:
            own_elements, own_faces = elements_and_faces(surface)
            numbers[np.isin(keys, own_elements * 8 + own_faces)] = len(names)
        names.append(name)
    return FacetGroups(numbers, tuple(names), inside=True)


def part_groups(skin: Surface, parts: Iterable[tuple[str, slice]]) -> FacetGroups:
    """Return the facets of a system's skin by part.

    Args:
        skin: of all parts together.
        parts: name and rows of the nodes of each.
    """
    firsts, numbers = skin.first_nodes, np.full(skin.n_facets, -1)
    names: list[str] = []
    for name, rows in parts:
        numbers[(firsts >= rows.start) & (firsts < rows.stop)] = len(names)
        names.append(name)
    return FacetGroups(numbers, tuple(names))
