"""Inertia shape integrals of a body from its FE mass matrix, for large motion.

A point of a body in its floating frame is x + Φ q away from the origin (thesis eq. 2.8), so all integrals of
the mass over products of two such fields are constant; Shabana (2020, section 5.3) numbers nine of them. Here
they come from the consistent mass matrix M alone, without lumped masses: the kinetic energy of a velocity field is
½ vᵀ M v with the dof vector v of its values at the nodes, also for the field ω × (x + Φ q). That is

- exact for elements with displacements only, where M = M_s ⊗ I (Zwölfer and Gerstmayr 2021);
- sound for rotations of beam nodes and coupled nodes: they turn with half the curl of that field, which is exact
  at x and first order in q; the mass stays positive definite, and the centre of mass moves as it should.
"""

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.assembly import rigid_body_modes
from faying.fem.matrices import DofMap, StructuralMatrices
from faying.linalg.products import gram, take_rows
from faying.records import record
from faying.spatial.rotations import skew

# Components of the symmetric tensors among the second integrals.
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
_RIGID = 6
_ALIKE = 1e-14  # masses in two directions that differ by less, relative to the largest entry, count as equal
# Principal moments that differ by less, relative to the largest, count as equal: meshes of round bodies are no rounder.
_ROUND = 1e-6


def centre_of_mass(rigid_mass: np.ndarray) -> np.ndarray:
    """Return (3,) the centre of mass of a body.

    Args:
        rigid_mass: (6, 6) mass of the rigid motions about the origin.
    """
    # The block between translations and rotations, over the mass, maps a rotation θ to θ × c: it holds the centre c.
    mixed = rigid_mass[:3, 3:] / rigid_mass[0, 0]
    return np.array([mixed[1, 2], mixed[2, 0], mixed[0, 1]])


@record("shape_integrals", read_only=True)
class ShapeIntegrals:
    """Mass integrals of products of fields: place x (column 0), six rigid body motions about the origin, and r modes.

    With the fields b̂ = (x, rigid, modes) and b = (rigid, modes), and unit vectors e of the frame:

    Attributes:
        first: (3, 7 + r) ∫ρ b̂.
        coupling: (3, 7 + r, 6 + r) ∫ρ (e_k × b̂_i) · b_j.
        second: (6, 7 + r, 7 + r) ∫ρ (e_k × b̂_i) · (e_l × b̂_j) for the `PAIRS` (k, l), symmetric in i and j.
    """

    first: np.ndarray
    coupling: np.ndarray
    second: np.ndarray

    @property
    def total_mass(self) -> float:
        """The body's mass."""
        return float(self.first[0, 1])

    @property
    def centre_of_mass(self) -> np.ndarray:
        """(3,) of the undeformed body."""
        return np.asarray(self.first[:, 0] / self.total_mass)

    @property
    def rigid_content(self) -> np.ndarray:
        """(6, r) linear and angular momentum about the origin of each mode as velocity; zero in the Buckens frame."""
        return np.vstack([self.first[:, 1 + _RIGID :], self.coupling[:, 0, _RIGID:]])

    def turns_of_principal_axes(self) -> np.ndarray:
        """Return W (6, r): rigid motion about the origin of centre of mass and principal axes in each mode.

        None of the modes minus these motions, Φ − R W, moves the centre of mass, or gives the tensor of inertia about
        it products along its undeformed principal axes, to first order in q: a small rotation θ_k about axis k changes
        the product of inertia of the two other axes by the difference of their moments times θ_k.

        Raises:
            ModelError: when two principal moments are the same.
        """
        centre = self.centre_of_mass
        modes = np.eye(self.first.shape[1] - 1)[:, _RIGID:]
        whole = self.recombined(np.concatenate([-centre, np.zeros(3)]), modes)
        moments, axes = np.linalg.eigh(_tensors(whole.second[:, 0, 0]))
        if np.diff(moments).min() < _ROUND * moments[-1]:
            raise ModelError(
                "Two principal moments of inertia of the body are the same, so it has no principal axes to follow.",
                "Let the frame follow the mean axes, or clamp it to an interface node.",
            )
        to_centre = np.vstack([skew(centre), np.eye(3)])  # turns about the centre as motions about the origin
        shift = self.first[:, 1 + _RIGID :] / self.total_mass
        by_rigid, by_modes = np.hsplit(whole.second[:, 0, 1:], [_RIGID])  # half of ∂J/∂q
        turns = np.linalg.solve(_products(by_rigid @ to_centre, axes), _products(by_modes, axes))
        return np.asarray(np.vstack([shift, np.zeros_like(shift)]) + to_centre @ turns)

    def recombined(self, place: np.ndarray, modes: np.ndarray) -> "ShapeIntegrals":
        """Return the integrals for the place x + b c and modes that are combinations of rigid motions and old modes.

        Args:
            place: c (6,) amounts of rigid motions added to the place; minus a point moves the origin there.
            modes: (6 + r, s) coefficients of the new modes over the rigid motions and the old modes.
        """
        old = self.first.shape[1] - 1
        fields = np.zeros((1 + old, 1 + _RIGID + modes.shape[1]))
        fields[0, 0], fields[1 : 1 + _RIGID, 0] = 1.0, place
        fields[1 : 1 + _RIGID, 1 : 1 + _RIGID] = np.eye(_RIGID)
        fields[1:, 1 + _RIGID :] = modes
        return ShapeIntegrals(
            self.first @ fields,
            fields.T @ self.coupling @ fields[1:, 1:],
            fields.T @ self.second @ fields,
        )

    def with_mass_at(
        self, point: np.ndarray, rows: np.ndarray, mass: float, inertia: np.ndarray
    ) -> "ShapeIntegrals":
        """Return the integrals with a rigid mass fixed to a node.

        Args:
            point: (3,) undeformed place of the node.
            rows: (6, 6 + r) displacements and rotations of the node in the rigid motions and the modes.
            mass: the mass, with its centre at the node.
            inertia: (3, 3) of the mass about the node.
        """
        weights = np.zeros((_RIGID, _RIGID))
        weights[:3, :3], weights[3:, 3:] = mass * np.eye(3), inertia
        turned = []
        for axis in np.eye(3):
            moved = np.hstack([point[:, None], rows[:3]])
            spun = np.hstack([axis[:, None], 0.5 * skew(axis) @ rows[3:]])
            turned.append(np.vstack([skew(axis) @ moved, spun]))
        return ShapeIntegrals(
            self.first + mass * np.hstack([point[:, None], rows[:3]]),
            self.coupling + np.array([t.T @ weights @ rows for t in turned]),
            self.second + np.array([_symmetric(turned[k].T @ weights @ turned[m]) for k, m in PAIRS]),
        )


def shape_integrals(nodes: np.ndarray, matrices: StructuralMatrices, modes: np.ndarray) -> ShapeIntegrals:
    """Return the integrals of a body over its modes.

    Args:
        nodes: (n_nodes, 3) coordinates.
        matrices: of the body; their mass is used.
        modes: (n_dofs, r).
    """
    rigid = rigid_body_modes(nodes, matrices.dofs)
    momentum = np.asarray(matrices.mass @ rigid[:, :3])
    products = _Products(nodes, matrices, rigid, modes)
    coupling = np.array([products.turned_on_field(m)[:, 1:] for m in range(3)])
    second = np.array([_symmetric(products.turned_on_turned(k, m)) for k, m in PAIRS])
    # Products of turned fields and translations: ∫ρ e_k × b̂; that of x gives ∫ρ x.
    drifts = coupling[:, :, :3].transpose(0, 2, 1)
    spin = drifts[:, :, 0]
    place = 0.5 * np.array([spin[2, 1] - spin[1, 2], spin[0, 2] - spin[2, 0], spin[1, 0] - spin[0, 1]])
    first = np.hstack([place[:, None], momentum.T @ rigid, momentum.T @ modes])
    return _with_true_drift(ShapeIntegrals(first, coupling, second), drifts)


class _Products:
    """Products in the mass of fields b̂ and turned fields e_k × b̂; the fields are x, the rigid motions and the modes.

    For nodes whose dofs are just their three displacements, M has one number per pair of nodes, the same in all
    directions. All their products are combinations of the (3, 3) products of field components with that scalar matrix.
    The other dofs, of couplings and beams, are mostly few, but all if the mass matrix is not of that kind.

    Args:
        nodes, matrices, modes: see `shape_integrals`.
        rigid: (n_dofs, 6) rigid body motions about the origin.
    """

    def __init__(
        self, nodes: np.ndarray, matrices: StructuralMatrices, rigid: np.ndarray, modes: np.ndarray
    ) -> None:
        points, dofs = _plain_points(matrices)
        others = np.setdiff1d(np.arange(len(modes)), dofs)
        size = 1 + _RIGID + modes.shape[1]
        own = np.empty((len(dofs), size))
        own[:, 0], own[:, 1 : 1 + _RIGID] = nodes[points].ravel(), rigid[dofs]
        take_rows(modes, dofs, own[:, 1 + _RIGID :])
        own = own.reshape(len(points), 3 * size)
        scalar = matrices.mass[dofs[::3]][:, dofs[::3]]
        self._components = gram(scalar, own).reshape(3, size, 3, size)

        def at(rows: np.ndarray) -> np.ndarray:
            return np.hstack([np.zeros((len(rows), 1)), rigid[rows], modes[rows]])

        # The other dofs: their fields and turned fields, and the momenta (mass times field of all dofs) at them.
        self._turned = []
        for k, turning in enumerate(turning_matrices(matrices.dofs)):
            chosen = turning[others]
            used = np.unique(chosen.indices)
            of_axis = np.asarray(chosen[:, used] @ at(used))
            of_axis[:, 0] = rigid[others, 3 + k]  # e_k × x is the rigid rotation
            self._turned.append(of_axis)
        self._fields, rows = at(others), matrices.mass[others]
        mass, across = rows[:, others], rows[:, dofs].tocsc()
        parts = [np.asarray(across[:, c::3] @ own).reshape(len(others), 3, size) for c in range(3)]
        self._from_turned = [
            parts[(k + 2) % 3][:, (k + 1) % 3] - parts[(k + 1) % 3][:, (k + 2) % 3] for k in range(3)
        ]
        self._momentum = mass @ self._fields + parts[0][:, 0] + parts[1][:, 1] + parts[2][:, 2]
        self._turned_momentum = [
            mass @ of_axis + more for of_axis, more in zip(self._turned, self._from_turned, strict=True)
        ]

    def turned_on_field(self, m: int) -> np.ndarray:
        """Return (7 + r, 7 + r) ∫ρ (e_m × b̂_i) · b̂_j; column 0 (of x) is not valid."""
        inner = np.tensordot(skew(np.eye(3)[m]), self._components, ([1, 0], [0, 2]))
        return np.asarray(inner + self._turned[m].T @ self._momentum + self._from_turned[m].T @ self._fields)

    def turned_on_turned(self, k: int, m: int) -> np.ndarray:
        """Return (7 + r, 7 + r) ∫ρ (e_k × b̂_i) · (e_m × b̂_j)."""
        turns = skew(np.eye(3)[k]).T @ skew(np.eye(3)[m])
        inner = np.tensordot(turns, self._components, ([0, 1], [0, 2]))
        return np.asarray(
            inner + self._turned[k].T @ self._turned_momentum[m] + self._from_turned[k].T @ self._turned[m]
        )


def _plain_points(matrices: StructuralMatrices) -> tuple[np.ndarray, np.ndarray]:
    """Return (p,) nodes whose displacements are dofs with the same mass in all directions, and these (3 p,) dofs."""
    dofs = matrices.dofs
    of_row = np.full(dofs.transformation.shape[0], -1)
    known = np.flatnonzero(dofs.own_rows >= 0)
    of_row[dofs.own_rows[known]] = known
    triples = of_row[: 3 * dofs.n_nodes].reshape(-1, 3)
    points = np.flatnonzero((triples >= 0).all(axis=1))
    mass = matrices.mass[triples[points].ravel()][:, triples[points].ravel()].tocoo()
    here, there = mass.coords
    blocks = [
        sp.csr_matrix((mass.data[on], (here[on] // 3, there[on] // 3)), shape=(len(points),) * 2)
        for on in ((here % 3 == c) & (there % 3 == c) for c in range(3))
    ]
    # Nodes whose mass couples directions or differs between them, such as reference nodes of couplings.
    odd = np.zeros(len(points), bool)
    odd[here[(here % 3 != there % 3) & (mass.data != 0.0)] // 3] = True
    for block in blocks[1:]:
        difference = (block - blocks[0]).tocoo()
        odd[difference.coords[0][np.abs(difference.data) > _ALIKE * abs(mass.data).max()]] = True
    return points[~odd], triples[points[~odd]].ravel()


def _with_true_drift(integrals: ShapeIntegrals, drifts: np.ndarray) -> ShapeIntegrals:
    """Return the integrals with the momentum of turned fields corrected to its exact value.

    The kinetic energy has a part of the centre of mass and one of the motion about it. For the first, the dof vectors
    of turned fields give the momentum ∫ρ e_k × b̂, (3, 3, 7 + r) `drifts`, inexactly at couplings; it is replaced by
    e_k × ∫ρ b̂.
    """
    first, total = integrals.first, integrals.total_mass
    true = skew(np.eye(3)) @ first
    coupling = integrals.coupling + (true - drifts).transpose(0, 2, 1) @ first[:, 1:] / total
    second = integrals.second + np.array(
        [_symmetric(true[k].T @ true[m] - drifts[k].T @ drifts[m]) / total for k, m in PAIRS]
    )
    return ShapeIntegrals(first, coupling, second)


def turning_matrices(dofs: DofMap) -> list[sp.csr_matrix]:
    """Return for each axis e_k CSR (n_dofs, n_dofs), the matrix of u ↦ e_k × u, with half the product for rotations.

    (The curl of e × (θ × x) over two is e × θ / 2.)
    """
    points, rows = dofs.transformation.shape[0] // 3, dofs.own_rows
    known = sp.diags((rows >= 0).astype(float))  # internal dofs have no direction to turn
    share = sp.diags(np.where(np.arange(points) < dofs.n_nodes, 1.0, 0.5))
    return [
        known @ (sp.kron(share, skew(axis), format="csr") @ dofs.transformation)[rows] for axis in np.eye(3)
    ]


def _tensors(components: np.ndarray) -> np.ndarray:
    """Return (…, 3, 3) symmetric tensors of their six components (6, …), which are in the order of `PAIRS`."""
    tensors = np.zeros((*components.shape[1:], 3, 3))
    for value, (k, m) in zip(components, PAIRS, strict=True):
        tensors[..., k, m] = tensors[..., m, k] = value
    return tensors


def _products(components: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return (3, n) products of inertia, along axes in the columns, of tensors by their components (6, n)."""
    turned = axes.T @ _tensors(components) @ axes
    return np.array([turned[:, 1, 2], turned[:, 0, 2], turned[:, 0, 1]])


def _symmetric(matrix: np.ndarray) -> np.ndarray:
    return np.asarray(0.5 * (matrix + matrix.T))
