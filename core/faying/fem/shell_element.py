"""Base of shell elements: degenerated continuum with assumed transverse shear strains (MITC).

A shell is a solid with points x = Σ N_i (X_i + z V_i), z measured from the nodes' surface along the element's normals
V_i, and displacements u = Σ N_i (u_i + z θ_i × V_i): straight fibres of constant length (Bathe, Finite Element
Procedures, section 5.4.2). Stress is plane, with a shear factor of 5/6. Transverse shear strains are sampled at tying
points and interpolated, so that thin shells do not lock.

This formulation has no drilling stiffness; a weak spring couples the rotation about the normal to that of the surface
(Hughes and Brezzi 1989), free of strain in rigid motions.
"""

from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.fem.couplings import cross_matrices
from faying.fem.elasticity import plane_stress_stiffness
from faying.fem.element_shape import ElementShapeError
from faying.fem.elements import ElementKind
from faying.fem.facets import FacetKind, facet_kind
from faying.fem.laminates import (
    density_moments,
    held_stresses,
    plies_of,
    section_stiffness,
    three_point_weights,
)
from faying.fem.model import Material, Section, ShellSection
from faying.fem.quadrature import QuadratureRule
from faying.fem.shell_axes import surface_axes

_SHEAR_FACTOR = 5.0 / 6.0
_DRILLING = 1e-3  # of the shear stiffness
_PAIRS = ((0, 0), (1, 1), (0, 1), (0, 2), (1, 2))  # strain components of a shell
_THROUGH = np.array([-1.0, 1.0]) / np.sqrt(3.0)  # Gauss points over the thickness


class ShellElement(ElementKind):
    """A shell element, defined by its facet, quadrature rules and tying points.

    Attributes:
        facet: name of the facet kind that interpolates its middle surface.
        rule: over the surface, for stiffness; `full_rule` for mass and for rotations about the normal.
        tying_points: (m, 2) points at which transverse shear strains are sampled.
        softening: α in the factor h²/(h² + α L²) of the shear stiffness, with L the length of the element, against
            residual locking of elements much longer than thick (Lyly, Stenberg and Vihinen 1993). Its effect vanishes
            with mesh refinement, as the shear of thin shells does.
    """

    rotations = True
    is_shell = True
    facet: ClassVar[FacetKind]
    rule: ClassVar[QuadratureRule]
    full_rule: ClassVar[QuadratureRule]
    tying_points: ClassVar[np.ndarray]
    softening: ClassVar[float] = 0.0

    @classmethod
    def shear_interpolation(cls, points: np.ndarray) -> np.ndarray:
        """Return (q, 2, m, 2): shear strains (along ξ, along η) at points from those at the tying points."""
        raise NotImplementedError

    @classmethod
    def stiffness(
        cls,
        coordinates: np.ndarray,
        material: Material,
        section: Section | None,
        directions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return (n, 6k, 6k) stiffness matrices."""
        shape = _Shape(cls.facet, coordinates, checked_section(section), directions)
        n, k = coordinates.shape[:2]
        layers, shear_modulus = _elastic_layers(material, shape.section)
        factors = shape.shear_factors(cls.softening)[:, None, None]
        tied = np.stack([_shear_strains(shape, point) for point in cls.tying_points], axis=1)
        interpolation = cls.shear_interpolation(cls.rule.points)
        stiffness = np.zeros((n, 6 * k, 6 * k))
        for point, weight, shear in zip(cls.rule.points, cls.rule.weights, interpolation, strict=True):
            shear_rows = np.einsum("cmd,nmdj->ncj", shear, tied)
            for t, plane, across in layers:
                rows, volume = _local_strains(shape, point, t, shear_rows)
                elasticity = np.zeros((n, 5, 5))
                elasticity[:, :3, :3], elasticity[:, 3:, 3:] = plane, factors * across
                stiffness += (weight * volume)[:, None, None] * (rows.transpose(0, 2, 1) @ elasticity @ rows)
        for point, weight in zip(cls.full_rule.points, cls.full_rule.weights, strict=True):
            row, area = _drilling_row(shape, point)
            factor = _DRILLING * shear_modulus * shape.section.thickness * weight * area
            stiffness += factor[:, None, None] * row[:, :, None] * row[:, None, :]
        return np.asarray(0.5 * (stiffness + stiffness.transpose(0, 2, 1)))

    @classmethod
    def held_forces(
        cls, coordinates: np.ndarray, material: Material, section: ShellSection, directions: np.ndarray | None
    ) -> np.ndarray:
        """Return (n, k, 6) forces and moments per kelvin that restrain thermal expansion.

        Args:
            coordinates: (n, k, 3).
            material: of shells without plies.
            section: of all of them.
            directions: (n, 3, 3), as of `stiffness`.
        """
        shape = _Shape(cls.facet, coordinates, section, directions)
        n, k = coordinates.shape[:2]
        zeroth, first, second = held_stresses(plies_of(section, material))
        stresses = three_point_weights(zeroth, first, second, section.thickness)
        forces = np.zeros((n, 6 * k))
        for point, weight in zip(cls.rule.points, cls.rule.weights, strict=True):
            for t, stress in zip((-1.0, 0.0, 1.0), stresses, strict=True):
                rows, volume = _local_strains(shape, point, t, np.zeros((n, 2, 6 * k)))
                forces += (weight * volume)[:, None] * np.einsum("nij,i->nj", rows[:, :3], stress)
        return forces.reshape(n, k, 6)

    @classmethod
    def plane_strains(
        cls, coordinates: np.ndarray, section: ShellSection, directions: np.ndarray | None, t: float
    ) -> np.ndarray:
        """Return (n, 3, 6k) strains 11, 22, 2·12 at the centres for unit motions, in the axes given by `directions`.

        Args:
            coordinates: (n, k, 3).
            section: of all of them.
            directions: (n, 3, 3), as of `stiffness`.
            t: position over the thickness, from -1 (side opposite to the normal) to 1.
        """
        shape, centre = _Shape(cls.facet, coordinates, section, directions), np.array(cls.facet.centre)
        tied = np.stack([_shear_strains(shape, point) for point in cls.tying_points], axis=1)
        shear_rows = np.einsum("cmd,nmdj->ncj", cls.shear_interpolation(centre[None])[0], tied)
        return _local_strains(shape, centre, t, shear_rows)[0][:, :3]

    @classmethod
    def mass(cls, coordinates: np.ndarray, material: Material, section: Section | None) -> np.ndarray:
        """Return (n, 6k, 6k) consistent mass matrices with rotary inertia."""
        shape = _Shape(cls.facet, coordinates, checked_section(section))
        n, k = coordinates.shape[:2]
        mass = np.zeros((n, 6 * k, 6 * k))
        # Fibres have no inertia about the normal; using the transverse one keeps the matrix positive definite.
        about = np.sqrt(shape.section.thickness**2 / 12.0)
        for point, weight in zip(cls.full_rule.points, cls.full_rule.weights, strict=True):
            values = cls.facet.shape(*point)
            turns = np.zeros((n, k, 6))
            turns[:, :, 3:] = about * values[:, None] * shape.normals
            spin = turns.reshape(n, -1)
            for t, density in _density_layers(material, shape.section):
                motion = shape.motion(values, shape.height(t))
                size = weight * shape.volume(point, t)
                mass += (density * size)[:, None, None] * (
                    motion.transpose(0, 2, 1) @ motion + spin[:, :, None] * spin[:, None, :]
                )
            if shape.section.nonstructural_mass:  # on the middle surface, so without rotary inertia
                middle = shape.motion(values, shape.section.offset)
                per_volume = shape.section.nonstructural_mass / shape.section.thickness
                size = weight * sum(shape.volume(point, t) for t in _THROUGH)
                mass += (per_volume * size)[:, None, None] * (middle.transpose(0, 2, 1) @ middle)
        return np.asarray(0.5 * (mass + mass.transpose(0, 2, 1)))


class _Shape:
    """Geometry of n shells: nodes, nodal normals, and displacement of fibres due to rotations.

    Raises:
        ElementShapeError: for the first one without area, or so folded that its normals point to both sides.
    """

    def __init__(
        self,
        facet: FacetKind,
        coordinates: np.ndarray,
        section: ShellSection,
        directions: np.ndarray | None = None,
    ) -> None:
        self.facet, self.coordinates, self.section, self.directions = facet, coordinates, section, directions
        normals = np.stack([facet.normals(coordinates, *at) for at in facet.node_coordinates], axis=1)
        lengths = np.linalg.norm(normals, axis=2)
        same_way = np.einsum("nkx,nx->nk", normals, normals.sum(axis=1)) > 0.0
        wrong = np.flatnonzero(~((lengths > 0.0) & same_way).all(axis=1))
        if len(wrong):
            raise ElementShapeError(int(wrong[0]), "has no area or is folded")
        self.normals = normals / lengths[:, :, None]
        self.arms = cross_matrices(self.normals.reshape(-1, 3)).reshape(*normals.shape[:2], 3, 3)

    def shear_factors(self, softening: float) -> np.ndarray:
        """Return (n,) h²/(h² + α L²), with L² the facet's area (twice a triangle's)."""
        square = np.linalg.norm(self.facet.normals(self.coordinates, *self.facet.centre), axis=1)
        square *= 1.0 if self.facet.n_corners == 3 else 4.0
        thickness = self.section.thickness**2
        return np.asarray(thickness / (thickness + softening * square))

    def height(self, t: float) -> float:
        """Return the distance from the nodes' surface at t in [-1, 1] over the thickness."""
        return self.section.offset + 0.5 * t * self.section.thickness

    def tangents(self, point: np.ndarray, z: float) -> np.ndarray:
        """Return (n, 3, 3): rows ∂x/∂ξ, ∂x/∂η and ∂x/∂t at height z."""
        values, slopes = self.facet.shape(*point), self.facet.shape_derivatives(*point)
        along = np.einsum("kd,nkx->ndx", slopes, self.coordinates + z * self.normals)
        across = 0.5 * self.section.thickness * np.einsum("k,nkx->nx", values, self.normals)
        return np.concatenate([along, across[:, None]], axis=1)

    def volume(self, point: np.ndarray, t: float) -> np.ndarray:
        """Return (n,) determinants of the tangents."""
        return np.asarray(np.linalg.det(self.tangents(point, self.height(t))))

    def motion(self, factors: np.ndarray, z: float) -> np.ndarray:
        """Return (n, 3, 6k) Σ f_i (u_i + z θ_i × V_i): with f = N displacements, with f = ∂N their slopes."""
        n, k = self.coordinates.shape[:2]
        rows = np.zeros((n, 3, k, 6))
        for axis in range(3):
            rows[:, axis, :, axis] = factors
        rows[:, :, :, 3:] = z * np.einsum("k,nkxj->nxkj", factors, self.arms)
        return rows.reshape(n, 3, 6 * k)

    def fibre_motion(self, values: np.ndarray) -> np.ndarray:
        """Return (n, 3, 6k) the derivative of the displacements along t."""
        n, k = self.coordinates.shape[:2]
        rows = np.zeros((n, 3, k, 6))
        rows[:, :, :, 3:] = 0.5 * self.section.thickness * np.einsum("k,nkxj->nxkj", values, self.arms)
        return rows.reshape(n, 3, 6 * k)


def _shear_strains(shape: _Shape, point: np.ndarray) -> np.ndarray:
    """Return (n, 2, 6k) covariant 2 ε_ξt and 2 ε_ηt on the middle surface."""
    values, slopes = shape.facet.shape(*point), shape.facet.shape_derivatives(*point)
    z = shape.section.offset
    tangents, fibre = shape.tangents(point, z), shape.fibre_motion(values)
    rows = [
        np.einsum("nx,nxj->nj", tangents[:, d], fibre)
        + np.einsum("nx,nxj->nj", tangents[:, 2], shape.motion(slopes[:, d], z))
        for d in range(2)
    ]
    return np.stack(rows, axis=1)


def _local_strains(
    shape: _Shape, point: np.ndarray, t: float, shear_rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, 5, 6k) strains 11, 22, 2·12, 2·13, 2·23 in the material's axes, and (n,) volumes per weight."""
    slopes, z = shape.facet.shape_derivatives(*point), shape.height(t)
    tangents = shape.tangents(point, z)
    along = [shape.motion(slopes[:, d], z) for d in range(2)]
    dot = [[np.einsum("nx,nxj->nj", tangents[:, i], along[j]) for j in range(2)] for i in range(2)]
    covariant = np.concatenate(
        [np.stack([dot[0][0], dot[1][1], dot[0][1] + dot[1][0]], axis=1), shear_rows], axis=1
    )
    axes = surface_axes(np.cross(tangents[:, 0], tangents[:, 1]), shape.directions)
    # Components of the contravariant base vectors in these axes: ε_ab = P_ia ε_ij P_jb, with ε_tt = 0.
    P = np.linalg.inv(tangents).transpose(0, 2, 1) @ axes.transpose(0, 2, 1)
    transformation = np.zeros((len(P), 5, 5))
    for row, (a, b) in enumerate(_PAIRS):
        scale = 0.5 if a == b else 1.0  # the engineer's shear strains are twice the tensor's
        for column, (i, j) in enumerate(_PAIRS):
            transformation[:, row, column] = scale * (P[:, i, a] * P[:, j, b] + P[:, j, a] * P[:, i, b])
    return transformation @ covariant, np.linalg.det(tangents)


def _elastic_layers(
    material: Material, section: ShellSection
) -> tuple[list[tuple[float, np.ndarray, np.ndarray]], float]:
    """Return t, in-plane and transverse shear stiffness of layers to integrate over, and the mean shear modulus.

    Three layers reproduce the laminate's A, B, D and H, whatever the number of plies.
    """
    found, h = section_stiffness(section), section.thickness
    if found is None:
        plane, shear = plane_stress_stiffness(material)
        return [(t, plane, _SHEAR_FACTOR * shear) for t in _THROUGH.tolist()], float(plane[2, 2])
    weights = three_point_weights(found.membrane, found.coupling, found.bending, h)
    shares = three_point_weights(found.shear, 0.0 * found.shear, found.shear * h**2 / 12.0, h)
    layers = zip((-1.0, 0.0, 1.0), weights, shares, strict=True)
    return [*layers], float((found.membrane[2, 2] or found.membrane[0, 0]) / h)


def _density_layers(material: Material, section: ShellSection) -> list[tuple[float, float]]:
    """Return t and density of layers that reproduce a shell's mass and its first and second moments."""
    if not section.plies:
        return [(t, material.density) for t in _THROUGH.tolist()]
    zeroth, first, second = (np.asarray(moment) for moment in density_moments(section.plies))
    weights = three_point_weights(zeroth, first, second, section.thickness)
    return [*zip((-1.0, 0.0, 1.0), weights.tolist(), strict=True)]


def _drilling_row(shape: _Shape, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, 6k) rotation about the normal relative to the surface's rotation, and (n,) area per weight."""
    values, slopes = shape.facet.shape(*point), shape.facet.shape_derivatives(*point)
    n, k = shape.coordinates.shape[:2]
    z = shape.section.offset
    tangents = shape.tangents(point, z)
    axes = surface_axes(np.cross(tangents[:, 0], tangents[:, 1]), None)
    row = np.zeros((n, k, 6))
    row[:, :, 3:] = values[:, None] * axes[:, None, 2]
    # Derivatives along e1 and e2 from those along ξ and η.
    plane = np.linalg.inv(np.einsum("ndx,nax->nda", tangents[:, :2], axes[:, :2]))
    along = np.stack([shape.motion(slopes[:, d], z) for d in range(2)], axis=1)
    first, second = (np.einsum("nd,ndxj->nxj", plane[:, a], along) for a in range(2))
    spin = 0.5 * (np.einsum("nx,nxj->nj", axes[:, 1], first) - np.einsum("nx,nxj->nj", axes[:, 0], second))
    area = np.linalg.norm(np.cross(tangents[:, 0], tangents[:, 1]), axis=1)
    return row.reshape(n, -1) - spin, area


def checked_section(section: Section | None) -> ShellSection:
    """Return the section after checking that it is valid for a shell.

    Raises:
        ModelError: when it is missing or its thickness is not positive.
    """
    if not isinstance(section, ShellSection):
        raise ModelError(
            "A shell element has no thickness.", "Give it a shell section in the file of the model."
        )
    if not section.thickness > 0.0:
        raise ModelError(
            f"The thickness of a shell section is {section.thickness:g}; it must be positive.",
            "Correct the section in the file of the model.",
        )
    return section


def both_sides(facet: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the node positions of both sides of a shell, each with an outward normal."""
    kind = facet_kind(facet)
    n = kind.n_corners
    front = tuple(range(kind.n_nodes))
    # Reversed: corners 1, n, n-1, …, and the midside nodes of their edges.
    back = (0, *range(n - 1, 0, -1), *(range(kind.n_nodes - 1, n - 1, -1) if kind.n_nodes > n else ()))
    return front, back
