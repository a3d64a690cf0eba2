"""Force and moment that a tie, a support or an interface node transmits to a body.

The force that holds a surface or a node balances elastic forces, loads, contact and inertia forces there. Each of these
is a linear function of coordinates, loads, forces at contact pairs, or accelerations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.fem.matrices import DofMap, StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.support_sections import support_sections, unsupported_body
from faying.fem.tie_sections import tie_sections, untied_body
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairs import ContactPairs
from faying.records import record
from faying.reduction.load_modes import LoadModes
from faying.reduction.preload import PreloadModes


@record("section_contact", read_only=True)
class SectionContact:
    """Contact forces of one joint on the nodes of a tie or support, or on an interface node.

    Attributes:
        pairs: (k,) contact pairs that act there.
        shares: (6, k, 3) resultant force and moment there per force along normal, tangent 1 and tangent 2 of each.
    """

    pairs: np.ndarray
    shares: np.ndarray

    def resultant(self, forces: np.ndarray) -> np.ndarray:
        """Return (6,) from the forces (n_pairs, 3) of the joint (`faying.joints.interface.pair_forces`)."""
        return np.asarray(np.einsum("ckd,kd->c", self.shares, forces[self.pairs]))


@dataclass(frozen=True, eq=False)
class Acting:
    """Actions on a body in a state, apart from its elastic forces.

    Attributes:
        amounts: factors of the loads of the body, by name.
        preloads: names of the preload cases.
        contact: (n_pairs, 3) forces at the pairs of each joint, by its name.
        accelerations: of the coordinates; None in statics.
    """

    amounts: Mapping[str, float] = field(default_factory=dict)
    preloads: Sequence[str] = ()
    contact: Mapping[str, np.ndarray] = field(default_factory=dict)
    accelerations: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class CarriedEquations:
    """A tie, a support or an interface node of the unreduced body.

    Attributes:
        name: of the tied joint, support or node.
        node: row of a support's ground node, or of the interface node; −1 for a tie.
        middle: (3,) reference point of moments.
        rows: CSR (6, n_dofs) elastic force and moment at its surface.
        loads: (6,) resultant of each load of the body directly on these nodes, to be subtracted, by name.
        preloads: (6,) of each preload case, in the same form.
        contacts: the same of the forces at the pairs of each joint, by name; joints without pairs there are left out.
        inertia: CSR (6, n_dofs) of accelerations; None where it is not known.
    """

    name: str
    node: int
    middle: np.ndarray
    rows: sp.csr_matrix
    loads: dict[str, np.ndarray] = field(default_factory=dict)
    preloads: dict[str, np.ndarray] = field(default_factory=dict)
    contacts: dict[str, SectionContact] = field(default_factory=dict)
    inertia: sp.csr_matrix | None = None

    def carried(self, x: np.ndarray, acting: Acting) -> np.ndarray:
        """Return (6,) transmitted force and moment at x (n_dofs,)."""
        return _carried(self, x, acting)


@record("tie_rows", read_only=True)
class CarriedRows:
    """A tie, a support or an interface node of a reduced body.

    Attributes:
        name, node, middle, loads, preloads, contacts: see `CarriedEquations`.
        rows: (6, r); zero for rigid motions.
        inertia: (6, r); None where it is not known.
        inertia_rigid: (6, 6) the same of rigid accelerations about the origin.
    """

    name: str
    node: int
    middle: np.ndarray
    rows: np.ndarray
    loads: dict[str, np.ndarray]
    preloads: dict[str, np.ndarray]
    contacts: dict[str, SectionContact]
    inertia: np.ndarray | None = None
    inertia_rigid: np.ndarray | None = None

    def carried(self, q: np.ndarray, acting: Acting) -> np.ndarray:
        """Return (6,) force and moment at q (r,); as `CarriedEquations.carried`."""
        return _carried(self, q, acting)

    def seen_from(self, motion: np.ndarray) -> "CarriedRows":
        """Return the rows in a frame that moves rigidly with the coordinates, by (6, r) about the origin."""
        if self.inertia is None or self.inertia_rigid is None:
            return self
        return replace(self, inertia=self.inertia - self.inertia_rigid @ motion)


def _carried(held: CarriedEquations | CarriedRows, x: np.ndarray, acting: Acting) -> np.ndarray:
    """Return (6,) the force that holds these nodes: elastic and inertia forces minus loads and contact."""
    found = np.array(held.rows @ x, float)
    if acting.accelerations is not None and held.inertia is not None:
        found += held.inertia @ acting.accelerations
    for name, amount in acting.amounts.items():
        if name in held.loads:
            found -= amount * held.loads[name]
    for case in acting.preloads:
        if case in held.preloads:
            found -= held.preloads[case]
    for joint, contact in held.contacts.items():
        if joint in acting.contact:
            found -= contact.resultant(acting.contact[joint])
    return found


def reduced_sections(
    sections: Sequence[CarriedEquations], modes: np.ndarray, rigid: np.ndarray
) -> tuple[CarriedRows, ...]:
    """Return ties, supports or nodes over the coordinates of trial vectors (n_dofs, r).

    Args:
        sections: over the dofs.
        modes: the trial vectors.
        rigid: (n_dofs, 6) rigid motions about the origin.
    """
    return tuple(
        CarriedRows(
            each.name, each.node, each.middle, np.asarray(each.rows @ modes), dict(each.loads), dict(each.preloads),
            dict(each.contacts), None if each.inertia is None else np.asarray(each.inertia @ modes),
            None if each.inertia is None else np.asarray(each.inertia @ rigid),
        )
        for each in sections
    )  # fmt: skip


def find_tie_equations(
    model: FeModel,
    matrices: StructuralMatrices,
    names: Sequence[str],
    loads: LoadModes | None,
    preloads: PreloadModes | None,
    pairs: Mapping[str, ContactPairs],
    *,
    elements: bool = True,
) -> tuple[CarriedEquations, ...]:
    """Return force and moment of the master on the slave surface in the tied joints of a body, over its dofs.

    Args:
        model: the body's model.
        matrices: of it.
        names: of its tied joints, in the order of the model's ties.
        loads, preloads: of the body; None without any.
        pairs: of its joints with contact, by name.
        elements: whether the stiffness comes from the model's elements; imported matrices contain nothing about
            sections.
    """
    if not model.ties or not elements:
        return ()
    apart = untied_body(model)[1]
    sections = tie_sections(model, matrices.dofs, apart)
    return tuple(
        CarriedEquations(
            name, -1, section.middle, section.rows, _column(loads, "on_ties", i), _column(preloads, "on_ties", i),
            _contacts(section.sums, pairs, apart.dofs), section.inertia,
        )
        for i, (name, section) in enumerate(zip(names, sections, strict=True))
    )  # fmt: skip


def find_support_equations(
    model: FeModel,
    matrices: StructuralMatrices,
    loads: LoadModes | None,
    preloads: PreloadModes | None,
    pairs: Mapping[str, ContactPairs],
    *,
    elements: bool = True,
) -> tuple[CarriedEquations, ...]:
    """Return force and moment of the supports of a body on their surfaces, over its independent dofs.

    Args:
        model, matrices, loads, preloads, pairs, elements: see `find_tie_equations`.
    """
    surfaces = model.held_surfaces
    if not surfaces or not elements:
        return ()
    apart = None if all(each.is_elastic for each in surfaces) else unsupported_body(model)[1]
    sections = support_sections(model, matrices.dofs, apart)
    return tuple(
        CarriedEquations(
            surface.name, surface.ground, surface.middle, section.rows, _column(loads, "on_supports", i),
            _column(preloads, "on_supports", i),
            {} if section.sums is None or apart is None else _contacts(section.sums, pairs, apart.dofs),
            section.inertia,
        )
        for i, (surface, section) in enumerate(zip(surfaces, sections, strict=True))
    )  # fmt: skip


def find_node_equations(
    model: FeModel,
    matrices: StructuralMatrices,
    interface_nodes: Mapping[str, int],
    loads: LoadModes | None,
    preloads: PreloadModes | None,
    pairs: Mapping[str, ContactPairs],
) -> tuple[CarriedEquations, ...]:
    """Return the forces that hold the interface nodes of a body, over its dofs: residuals of the nodes' equations.

    Nodes that follow others, and nodes without rotations, are left out.

    Args:
        model, matrices, loads, preloads, pairs: see `find_tie_equations`.
        interface_nodes: row of each node by name.
    """
    dofs, found = matrices.dofs, list[CarriedEquations]()
    for name, node in interface_nodes.items():
        at = np.flatnonzero(np.isin(dofs.own_rows, rows := dofs.node_rows(node)))
        if len(rows) < 6 or len(at) < 6:
            continue
        if matrices.constraints is not None and matrices.constraints[:, at].nnz:
            continue  # part of its support acts through these
        at = at[np.argsort(dofs.own_rows[at])]  # displacements are numbered before rotations
        select = sp.csr_matrix((np.ones(6), (np.arange(6), at)), shape=(6, dofs.n_dofs))
        found.append(
            CarriedEquations(
                name, node, model.nodes[node], sp.csr_matrix(select @ matrices.stiffness), _at_node(loads, at),
                _at_node(preloads, at), _contacts(select, pairs, dofs), sp.csr_matrix(select @ matrices.mass),
            )
        )  # fmt: skip
    return tuple(found)


def _at_node(of: LoadModes | PreloadModes | None, dofs: np.ndarray) -> dict[str, np.ndarray]:
    """Return by name of a load or preload case its forces on the dofs (6,) of a node."""
    return {} if of is None else {name: of.forces[dofs, k].copy() for k, name in enumerate(of.names)}


def _column(of: LoadModes | PreloadModes | None, what: str, number: int) -> dict[str, np.ndarray]:
    """Return by name of a load or preload case the resultant on one tie or support."""
    there = None if of is None else getattr(of, what)
    return (
        {} if of is None or there is None else {n: there[number, :, k].copy() for k, n in enumerate(of.names)}
    )


def _contacts(sums: Any, pairs: Mapping[str, ContactPairs], dofs: DofMap) -> dict[str, SectionContact]:
    """Return the shares of contact forces in sums CSR (6, n_dofs) of forces on dofs, by joint.

    A force w p at a pair acts on the body along its gap, a friction force w τ against its slip.
    """
    found = {}
    for joint, own in pairs.items():
        n = len(own)
        shares = np.zeros((6, n, 3))
        shares[:, :, 0] = (sums @ gap_rows(own, dofs).T).toarray()
        shares[:, :, 1:] = -(sums @ slip_rows(own, dofs).T).toarray().reshape(6, n, 2)
        if len(at := np.flatnonzero(shares.any(axis=(0, 2)))):
            found[joint] = SectionContact(at, np.ascontiguousarray(shares[:, at]))
    return found
