"""Names of the matrices in a file, by default guessed from the names used by tmdsimpy."""

from collections.abc import Collection
from typing import Literal

from pydantic import field_validator

from faying.params import Spec, parameter, unique_names

FRAME = "frame"  # the interface node of the coordinates' frame


class JointMatrices(Spec):
    """Matrices of one joint: relative motion of its faces, and areas of its contact pairs."""

    name: str = parameter("interface", title="Name", min_length=1, meaning="Name of the joint.")
    motions: str = parameter(
        "", title="Motions",
        meaning="Matrix whose first rows, three for each point, are the motion of one face against the other over the "
        "coordinates. Empty where the coordinates begin with these motions themselves, or with three matrices below.",
    )  # fmt: skip
    normal: str = parameter(
        "", title="Normal motions", advanced=True,
        meaning="Matrix of the normal motions alone, a row for each point, in place of the first one.",
    )  # fmt: skip
    tangent_1: str = parameter(
        "", title="Tangential motions 1", advanced=True,
        meaning="Matrix of the tangential motions in the first direction, likewise.",
    )  # fmt: skip
    tangent_2: str = parameter(
        "", title="Tangential motions 2", advanced=True,
        meaning="Matrix of the tangential motions in the second direction, likewise.",
    )  # fmt: skip
    interpolation: str = parameter(
        "", title="Interpolation",
        meaning="Matrix from points to contact pairs (quadrature points), a row for each pair, which sums to one. "
        "Empty where the points are the pairs.",
    )  # fmt: skip
    weights: str = parameter(
        title="Areas", min_length=1,
        meaning="Area of each pair; or the integration matrix, the transpose of the interpolation times the areas.",
    )  # fmt: skip
    gaps: str = parameter(
        "", title="Initial gaps", meaning="Gap of each pair in the undeformed body; empty for none."
    )
    normal_component: Literal[1, 2, 3] = parameter(
        3, title="Normal component",
        meaning="Which of the three motions of a point is the normal one: 1, 2 or 3.",
    )  # fmt: skip
    positive: Literal["closes", "opens"] = parameter(
        "closes", title="Positive normal motion",
        meaning="Whether a positive normal motion closes the gap, as in tmdsimpy, or opens it.",
    )  # fmt: skip
    coordinates: str = parameter(
        "", title="Coordinates",
        meaning="Two or three coordinates of each point, for pictures; empty where the file has none.",
    )  # fmt: skip
    triangles: str = parameter(
        "", title="Triangles", advanced=True,
        meaning="Numbers of the points of each triangle, from 1, in the last three columns.",
    )  # fmt: skip
    quadrilaterals: str = parameter(
        "", title="Quadrilaterals", advanced=True,
        meaning="Numbers of the points of each quadrilateral, from 1, in the last four columns.",
    )  # fmt: skip


class PointMatrix(Spec):
    """A matrix of the motions of points where a body is loaded or observed."""

    name: str = parameter(
        "point", title="Name", min_length=1,
        meaning="Of the interface nodes: with a number behind it where the matrix has more than one point.",
    )  # fmt: skip
    motions: str = parameter(
        title="Motions", min_length=1,
        meaning="Matrix of displacements along x, y and z over the coordinates, three rows for each point.",
    )  # fmt: skip


class ForceColumn(Spec):
    """A column of generalised forces."""

    name: str = parameter(title="Name", min_length=1, meaning="Of the preload case or load.")
    matrix: str = parameter(title="Matrix", min_length=1, meaning="That has the column.")
    column: int = parameter(1, title="Column", ge=1, meaning="Its number, from 1.")
    factor: float = parameter(1.0, title="Factor", meaning="By which the column is taken.")
    acts_as: Literal["preload", "load"] = parameter(
        "preload", title="Acts as",
        meaning="A preload case, which acts first and without friction, or a load of the body.",
    )  # fmt: skip


class MatrixNames(Spec):
    """Names of the matrices in a file of condensed matrices."""

    mass: str = parameter("M", title="Mass", min_length=1, meaning="Name of the mass matrix.")
    stiffness: str = parameter("K", title="Stiffness", min_length=1, meaning="Name of the stiffness matrix.")
    joints: tuple[JointMatrices, ...] = parameter(
        (), title="Joints", meaning="Matrices of the contact pairs, joint by joint."
    )
    points: tuple[PointMatrix, ...] = parameter(
        (), title="Points", meaning="Motions of points, which become interface nodes."
    )
    forces: tuple[ForceColumn, ...] = parameter(
        (), title="Forces", meaning="Columns that become preload cases and loads of the body."
    )

    @field_validator("joints", "points", "forces")
    @classmethod
    def _unique(cls, items: tuple[Spec, ...]) -> tuple[Spec, ...]:
        return unique_names(items)

    @field_validator("points")
    @classmethod
    def _not_the_frame(cls, points: tuple[PointMatrix, ...]) -> tuple[PointMatrix, ...]:
        if any(point.name == FRAME for point in points):
            raise ValueError(f"{FRAME!r} is the frame of the coordinates, so no point can have that name")
        return points


def guessed_names(known: Collection[str]) -> MatrixNames:
    """Return the names used by tmdsimpy that occur in a file: Qm, Tm, L, R, Fv and the mesh."""

    def if_there(name: str) -> str:
        return name if name in known else ""

    joints = (
        JointMatrices(
            motions=if_there("L"), interpolation="Qm", weights="Tm", coordinates=if_there("node_coords"),
            triangles=if_there("tri_elem_nodes"), quadrilaterals=if_there("quad_elem_nodes"),
        ),
    )  # fmt: skip
    return MatrixNames(
        joints=joints if {"Qm", "Tm"} <= set(known) else (),
        points=(PointMatrix(motions="R"),) if "R" in known else (),
        forces=(ForceColumn(name="bolts", matrix="Fv"),) if "Fv" in known else (),
    )
