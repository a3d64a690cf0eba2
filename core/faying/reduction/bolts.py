"""Bolts of a reduced body: overlap of their cuts and section forces, as functions of its coordinates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from faying.fem.bolt_sections import cut_dof, find_bolts, overlap_row, section_rows
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import Bolt, FeModel
from faying.records import record
from faying.reduction.basis import ReductionBasis
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.load_modes import LoadModes
from faying.reduction.preload import PreloadModes


@dataclass(frozen=True, eq=False)
class BoltEquations:
    """A bolt of the unreduced body, over its independent dofs.

    Attributes:
        name: of the bolt or beam.
        overlap: CSR (1, n_dofs) overlap of its cut, positive when tightened; None for a beam that is not cut.
        dof: the dof that only moves the cut's second side; −1 without a cut.
        sections: CSR (6, n_dofs) force and moment on each section; empty if the elements are not known.
        outward: (k, 3) unit vectors out of the bolt's elements at the sections, along the bolt.
        thermal: (k, 6) section loads due to free thermal expansion, to be subtracted, by name of the temperature load.
    """

    name: str
    overlap: sp.csr_matrix | None
    dof: int
    sections: tuple[sp.csr_matrix, ...]
    outward: np.ndarray
    thermal: dict[str, np.ndarray] = field(default_factory=dict)

    def carried(
        self, x: np.ndarray, tension: float | None, amounts: Mapping[str, float]
    ) -> tuple[float, float, float]:
        """Return axial force, bending moment and shear force at x (n_dofs,), as `BoltRows.carried`."""
        loads = np.array([rows @ x for rows in self.sections]).reshape(-1, 6)
        return carried(less_growth(loads, self.thermal, amounts), self.outward, tension)

    def tension(self, forces: np.ndarray) -> float:
        """Return the tension at the cut by generalised forces (n_dofs,); zero for a beam that is not cut."""
        if self.overlap is None:
            return 0.0
        # The tension is the only force on this dof: the generalised force is the tension times ∂overlap/∂dof.
        return float(forces[self.dof] / self.overlap[0, self.dof])


@record("bolt_rows", read_only=True)
class BoltRows:
    """A bolt of a reduced body.

    Attributes:
        name: of the bolt or beam.
        overlap: (r,) overlap of its cut, positive when tightened; None for a beam that is not cut.
        sections: (k, 6, r) force and moment that each of its sections exerts on the bolt's elements; k may be 0.
        outward: (k, 3) unit vectors out of these elements, along the bolt.
        preloads: tension of each preload case at full size, by name.
        thermal: (k, 6), see `BoltEquations`.
    """

    name: str
    overlap: np.ndarray | None
    sections: np.ndarray
    outward: np.ndarray
    preloads: dict[str, float] = field(default_factory=dict)
    thermal: dict[str, np.ndarray] = field(default_factory=dict)

    def tension(self, cases: Sequence[str]) -> float | None:
        """Return the tension at the cut under preload cases; None for a beam that is not cut."""
        return None if self.overlap is None else sum((self.preloads.get(case, 0.0) for case in cases), 0.0)

    def carried(
        self, q: np.ndarray, tension: float | None, amounts: Mapping[str, float]
    ) -> tuple[float, float, float]:
        """Return axial force (tension is positive), bending moment and shear force, see `carried`.

        Args:
            q: (r,) flexible coordinates.
            tension: axial force at the cut, if it is known; else it follows from the sections.
            amounts: factors of the body's loads that act, by name.
        """
        return carried(less_growth(self.sections @ q, self.thermal, amounts), self.outward, tension)


def less_growth(
    loads: np.ndarray, thermal: Mapping[str, np.ndarray], amounts: Mapping[str, float]
) -> np.ndarray:
    """Return (k, 6) forces and moments on sections, without the contribution of free thermal expansion.

    Args:
        loads: (k, 6) elastic ones, from the displacements only.
        thermal: (k, 6) of the free expansion under each temperature load, by name.
        amounts: factors of the loads that act, by name.
    """
    for name, amount in amounts.items():
        if name in thermal:
            loads = loads - amount * thermal[name]
    return loads


def carried(
    loads: np.ndarray, outward: np.ndarray, tension: float | None = None
) -> tuple[float, float, float]:
    """Return axial force (tension positive), and the largest bending moment and shear force of all sections.

    Args:
        loads: (k, 6) force and moment on each section.
        outward: (k, 3) unit vectors out of the bolt's elements.
        tension: axial force, if it is known; else the mean over the sections.
    """
    forces, moments = loads[:, :3], loads[:, 3:]
    along = np.einsum("ki,ki->k", forces, outward)
    across = np.linalg.norm(forces - along[:, None] * outward, axis=1).max(initial=0.0)
    torsion = np.einsum("ki,ki->k", moments, outward)
    bending = np.linalg.norm(moments - torsion[:, None] * outward, axis=1).max(initial=0.0)
    axial = tension if tension is not None else float(along.mean()) if len(along) else 0.0
    return axial, float(bending), float(across)


def bolt_equations(
    model: FeModel, matrices: StructuralMatrices, loads: LoadModes | None = None, *, elements: bool = True
) -> tuple[BoltEquations, ...]:
    """Return the bolts and bolt-like beams of a body over its independent dofs.

    Args:
        model: the body's model.
        matrices: of it.
        loads: of the body, for the thermal expansion of temperature loads; None without any.
        elements: whether the stiffness comes from the model's elements; sections are unknown for imported matrices.
    """
    found = []
    fields = () if loads is None else loads.temperatures
    names = () if loads is None else loads.names
    for place in find_bolts(model):
        if place.cut is None and not elements:
            continue
        sections = place.sections if elements else ()
        each = [section_rows(model, section, matrices.dofs, fields) for section in sections]
        growing = np.array([thermal for _, thermal in each]).reshape(len(each), len(names), 6)
        found.append(
            BoltEquations(
                place.name,
                None if place.cut is None else overlap_row(place.cut, matrices.dofs),
                -1 if place.cut is None else cut_dof(place.cut, matrices.dofs),
                tuple(rows for rows, _ in each),
                np.array([section.outward for section in sections]).reshape(-1, 3),
                {
                    name: growing[:, i].copy()
                    for i, name in enumerate(names)
                    if elements and fields[i] is not None
                },
            )
        )
    return tuple(found)


def bolt_rows(
    bolts: Sequence[BoltEquations], basis: ReductionBasis, preloads: PreloadModes | None
) -> tuple[BoltRows, ...]:
    """Return the bolts over the coordinates of trial vectors without rigid body content."""
    modes = basis.modes
    return tuple(
        BoltRows(
            bolt.name,
            None if bolt.overlap is None else np.asarray(bolt.overlap @ modes)[0],
            np.array([rows @ modes for rows in bolt.sections]).reshape(-1, 6, modes.shape[1]),
            bolt.outward.copy(),
            {name: bolt.tension(preloads.forces[:, i]) for i, name in enumerate(preloads.names)}
            if preloads and bolt.overlap is not None
            else {},
            dict(bolt.thermal),
        )
        for bolt in bolts
    )


def with_bolt_modes(
    interior: InteriorProblem, components: ReductionBasis, bolts: Sequence[Bolt]
) -> ReductionBasis:
    """Return component modes with the static response to the tension of each bolt that is cut.

    With them the basis can represent an independent overlap of each cut, so that bolts can be locked at fixed length.
    Directions contained in the component modes are left out.
    """
    if not bolts:
        return components
    dofs = interior.matrices.dofs
    tensions = np.hstack([overlap_row(bolt, dofs).T.toarray() for bolt in bolts])
    responses = interior.solve_free(tensions, apart=True)
    none = np.zeros((interior.n_dofs, 0))
    return extend_basis(
        interior, components, none, components.singular_values, more=[("bolt modes", responses)]
    )
