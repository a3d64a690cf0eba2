"""Material axes in the elements of an Ansys database: element coordinate systems (ESYS) defined by LOCAL."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.readers._ansys_blocks import AnsysFile
from faying.fem.readers._coordinate_systems import BASIC, CoordinateSystem
from faying.fem.readers._text_files import FileLine
from faying.fem.shell_axes import shell_normals, surface_axes
from faying.fem.whole_numbers import whole_number
from faying.spatial.rotations import rotation_about, rotation_matrix

_KINDS = {0: "R", 1: "C", 2: "S"}
_MIN_COSINE = np.cos(np.radians(45.0))  # direction to normal; above it the next direction is projected
_BUILT_IN = {0: BASIC, 1: CoordinateSystem("C", np.zeros(3), np.eye(3))}


class ElementSystems:
    """The coordinate systems of a database by number.

    Raises:
        ReadError: for text instead of a number.
    """

    def __init__(self, file: AnsysFile) -> None:
        self._systems = dict(_BUILT_IN)
        found: dict[int, tuple[FileLine, int, list[float], list[float]]] = {}
        for place, words in file.commands:
            if words[0] != "LOCAL":
                continue
            try:
                # LOCAL,R5.0,LOC,number,kind,x,y,z and …,ANG,…; or LOCAL,number,kind,x,y,z,angles…
                blocked = len(words) > 2 and words[2] in ("LOC", "ANG", "PRM")
                number, kind = (whole_number(word or "0") for word in words[3 if blocked else 1 :][:2])
                values = [float(word or 0.0) for word in words[5 if blocked else 3 :]] + [0.0] * 6
                _, _, origin, turns = found.get(number, (place, kind, [0.0] * 3, [0.0] * 3))
                if not blocked:
                    origin, turns = values[:3], values[3:6]
                elif words[2] == "LOC":
                    origin = values[:3]
                elif words[2] == "ANG":
                    turns = values[:3]
                found[number] = place, kind, origin, turns
            except ValueError as error:
                raise place.error(f"LOCAL is not as expected ({error}).", "Mend this line.") from error
        self._others: dict[int, FileLine] = {}
        for number, (place, kind, origin, turns) in found.items():
            if kind not in _KINDS:
                self._others[number] = place
                continue
            # About z, then about the new x, then about the new y.
            axes = np.eye(3)
            for axis, angle in zip((2, 0, 1), np.radians(turns), strict=True):
                axes = axes @ rotation_matrix(rotation_about(angle * np.eye(3)[axis]))
            self._systems[number] = CoordinateSystem(_KINDS[kind], np.array(origin), axes.T)

    def directions(
        self, file: AnsysFile, system: int, kind: str, coordinates: np.ndarray
    ) -> np.ndarray | None:
        """Return (n, 3, 3) material axes in elements, as rows; None for the global axes.

        Without a system, solids use the global axes, and the first axis of shells is along their first local coordinate
        at the centre. With a system, its first direction is projected onto a shell, or its second if the first is
        within 45° of the normal.

        Args:
            file: for error messages.
            system: number of the element coordinate system, 0 for none.
            kind: of the elements.
            coordinates: (n, k, 3) of their nodes.

        Raises:
            ReadError: for a missing system, or one of an unsupported kind.
        """
        member = element_kinds[kind]
        if not system and not member.is_shell:
            return None
        middles = coordinates.mean(axis=1)
        if system and system not in self._systems:
            place = self._others.get(system, FileLine(file.path, 1))
            what = (
                "is of a kind that is not known here" if system in self._others else "is not defined by LOCAL"
            )
            raise place.error(
                f"the coordinate system {system}, which elements of a directional material have, {what}.",
                "Write the database with a Cartesian, cylindrical or spherical one.",
            )
        if not member.is_shell:
            return self._systems[system].directions(middles)
        normals = shell_normals(member.facets[0], coordinates)
        if system:
            axes = self._systems[system].directions(middles)
            near = np.abs(np.einsum("nx,nx->n", axes[:, 0], normals)) > _MIN_COSINE
            axes = np.where(near[:, None, None], np.roll(axes, -1, axis=1), axes)
        else:
            facet = facet_kind(member.facets[0])
            first = np.einsum("k,nkx->nx", facet.shape_derivatives(*facet.centre)[:, 0], coordinates)
            first /= np.linalg.norm(first, axis=1)[:, None]
            axes = np.stack([first, first, normals], axis=1)
        return surface_axes(normals, axes)
