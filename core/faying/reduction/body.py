"""The reduced body: all data of a flexible body that an analysis needs, without its FE matrices."""

from collections.abc import Iterable, Sequence
from dataclasses import field, replace

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.assembly import rigid_body_modes
from faying.fem.matrices import StructuralMatrices
from faying.fem.surface import Surface
from faying.linalg.products import gram
from faying.records import record
from faying.reduction.basis import ReductionBasis
from faying.reduction.bolts import BoltEquations, BoltRows, bolt_rows
from faying.reduction.carried import CarriedEquations, CarriedRows, reduced_sections
from faying.reduction.inertia import ShapeIntegrals, shape_integrals
from faying.reduction.load_modes import LoadModes, ReducedLoads, numbers_of, reduced_loads
from faying.reduction.mounted_errors import mounted_errors
from faying.reduction.preload import PreloadModes, no_preload_case
from faying.reduction.second_order import SecondOrder
from faying.reduction.training import TrainingError


@record("joint_rows", read_only=True)
class JointRows:
    """Gap and slip of one joint's contact pairs as linear functions of the flexible coordinates.

    gap = initial_gaps + normal @ q;  slip = tangential @ q.

    Attributes:
        name: the joint's name.
        normal: (n, r).
        tangential: (n, 2, r).
        weights: (n,) areas.
        initial_gaps: (n,).
        normal_rigid: (n, 6) the same rows for the rigid body motions about the origin.
        tangential_rigid: (n, 2, 6).
        tie_force: (3, r) resultant force of the weak ties on the slave surface, zero for rigid motions; None without
            ties.
    """

    name: str
    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray
    normal_rigid: np.ndarray
    tangential_rigid: np.ndarray
    tie_force: np.ndarray | None = None


@record("reduced_body", read_only=True)
class ReducedBody:
    """Projected matrices and rows of a body.

    Attributes:
        frame: name of the interface whose six dofs are zero; "" for the free body, whose frame is the
            Buckens frame (the trial vectors have no rigid body content) or that of the principal axes.
        mass, stiffness: (r, r).
        rigid_mass: (6, 6) mass of the rigid body motions about the origin.
        nodes: (n_nodes, 3) undeformed coordinates.
        displacements: (3 n_nodes, r) nodal displacements, node-major: u = displacements @ q.
        interfaces: (6, r) displacements and rotations of each interface node by name; (3, r) for a node
            without rotations.
        interface_nodes: row of each interface node by name.
        lost_compliances: (6,) or (3,) shares of the static compliance that the trial vectors lack at interface nodes
            without constraint modes for all motions, by name (`faying.reduction.lost_compliances`).
        joints: one per joint, in the body's order.
        groups: names of the columns' groups with their last column (exclusive), in order.
        frequencies: (m,) of the first group.
        preload_forces: (r,) generalised forces of each preload case at full size, by name. They are self-equilibrated,
            so they are the same for a clamped body.
        preload_closings: (n_joints,) reduction of the initial gaps by each preload case, by name.
        inertia: shape integrals for large motion; None for a body that only deforms.
        mounted_errors: relative error of the gap motion under each preload case, by name
            (`faying.reduction.mounted_errors`); cases without an entry were not measured.
        surfaces: surfaces that other parts may touch, by name; facets of `nodes`.
        loads: of the body; None without any.
        bolts: bolts that are cut, and beams that join parts as a bolt does.
        ties: tied joints.
        supports: of its surfaces.
        held_nodes: interface nodes that may hold it.
        damping: (r, r) of superelements; None without any. Rigid body motions have none, so it is the same for a
            clamped body.
        trained: errors under the training loads of its joint modes; none for modes without training.
        second_order: displacements with products of the coordinates, by which inertia and interface forces stiffen the
            body; None without geometric stiffening.
    """

    frame: str
    mass: np.ndarray
    stiffness: np.ndarray
    rigid_mass: np.ndarray
    nodes: np.ndarray
    displacements: np.ndarray
    interfaces: dict[str, np.ndarray]
    interface_nodes: dict[str, int]
    joints: tuple[JointRows, ...]
    groups: tuple[tuple[str, int], ...]
    frequencies: np.ndarray
    preload_forces: dict[str, np.ndarray] = field(default_factory=dict)
    preload_closings: dict[str, np.ndarray] = field(default_factory=dict)
    inertia: ShapeIntegrals | None = None
    mounted_errors: dict[str, float] = field(default_factory=dict)
    lost_compliances: dict[str, np.ndarray] = field(default_factory=dict)
    surfaces: dict[str, Surface] = field(default_factory=dict)
    loads: ReducedLoads | None = None
    bolts: tuple[BoltRows, ...] = ()
    ties: tuple[CarriedRows, ...] = ()
    supports: tuple[CarriedRows, ...] = ()
    held_nodes: tuple[CarriedRows, ...] = ()
    damping: np.ndarray | None = None
    trained: tuple[TrainingError, ...] = ()
    second_order: SecondOrder | None = None

    @property
    def n_coordinates(self) -> int:
        """Number of flexible coordinates r."""
        return int(self.mass.shape[0])

    @property
    def total_mass(self) -> float:
        """The full model's mass."""
        return float(self.rigid_mass[0, 0])

    @property
    def modal_magnitudes(self) -> np.ndarray:
        """(r,) largest nodal displacement of each trial vector: q times this is a length."""
        nodal = self.displacements.reshape(len(self.nodes), 3, self.n_coordinates)
        return np.asarray(np.sqrt((nodal**2).sum(axis=1).max(axis=0)))

    @property
    def joint_mode_stiffness(self) -> np.ndarray:
        """(r,) stiffness of joint modes and contact shapes, which are elastically uncoupled; zero for other modes."""
        stiffness, start = np.zeros(self.n_coordinates), 0
        for name, stop in self.groups:
            if name.startswith(("joint modes", "contact shapes")):  # for all joints or one, or for a surface
                stiffness[start:stop] = np.diag(self.stiffness)[start:stop]
            start = stop
        return stiffness

    def mode_labels(self) -> list[str]:
        """Return a name for each column: "free-free mode 1, 367.3", "joint mode 3"."""
        labels, start = [], 0
        for name, stop in self.groups:
            labels += [f"{name.removesuffix('s')} {i + 1}" for i in range(stop - start)]
            start = stop
        return labels

    def preload_force(self, cases: Sequence[str]) -> np.ndarray:
        """Return (r,) sum of the generalised forces of preload cases at full size.

        Raises:
            ModelError: when there is no such case.
        """
        return sum((self._of_case(self.preload_forces, case) for case in cases), np.zeros(self.n_coordinates))

    def mounted_error(self, cases: Sequence[str]) -> float:
        """Return the largest mounted error of preload cases; zero without any."""
        return max((self.mounted_errors.get(case, 0.0) for case in cases), default=0.0)

    def load_columns(self, names: Sequence[str]) -> np.ndarray:
        """Return (r, k) generalised forces of loads of the body at full size.

        Raises:
            ModelError: when there is no such load.
        """
        numbers = numbers_of(names, self.loads.names if self.loads else ())
        return self.loads.forces[:, numbers] if self.loads else np.zeros((self.n_coordinates, 0))

    def load_resultants(self, names: Sequence[str]) -> np.ndarray:
        """Return (6, k) force and moment about the origin of loads of the body at full size.

        Raises:
            ModelError: when there is no such load.
        """
        numbers = numbers_of(names, self.loads.names if self.loads else ())
        return self.loads.resultants[:, numbers] if self.loads else np.zeros((6, 0))

    def preloaded(self, cases: Sequence[str]) -> "ReducedBody":
        """Return the body with initial gaps reduced by the interferences of preload cases.

        Raises:
            ModelError: when there is no such case.
        """
        closing = sum((self._of_case(self.preload_closings, c) for c in cases), np.zeros(len(self.joints)))
        if not closing.any():
            return self
        joints = tuple(
            replace(joint, initial_gaps=joint.initial_gaps - by)
            for joint, by in zip(self.joints, closing, strict=True)
        )
        return replace(self, joints=joints)

    def _of_case(self, values: dict[str, np.ndarray], case: str) -> np.ndarray:
        if case not in values:
            raise no_preload_case(case, values)
        return values[case]

    def clamped_to(self, interface: str) -> "ReducedBody":
        """Return the body with its frame clamped to an interface node: the node's six dofs are zero.

        The flexible coordinates stay the same; every displacement loses the rigid body motion of that node:
        u = Φ q − R W q with W = R_m⁻¹ Φ_m. This is exact in linear kinematics, so no constraint equation remains.

        Args:
            interface: its name; "" returns the free body unchanged.

        Raises:
            ModelError: when there is no such interface, or its node has no rotations.
        """
        if not interface:
            return self
        if self.frame:
            raise ValueError("the body is clamped already")
        rows = self._interface_rows(interface)
        if len(rows) < 6:
            raise cannot_hold(interface)
        motion = np.linalg.solve(rigid_rows(self.nodes[self.interface_nodes[interface]], 6), rows)
        held = self._without(motion)
        return replace(
            held,
            frame=interface,
            interfaces={**held.interfaces, interface: np.zeros_like(rows)},
            second_order=held.second_order and held.second_order.held_at(interface, self._rigid_rows()),
        )

    def in_principal_axes(self) -> "ReducedBody":
        """Return the body with its frame in the centre of mass and the principal axes of the deformed body.

        This holds to first order in the deformation, as for the mean axes of the Buckens frame: no mode moves the
        centre of mass or causes products of inertia with respect to the principal axes of the undeformed body
        (Makhavikou 2015, eq. 2.93). The coordinate axes remain those of the deck.

        Raises:
            ModelError: when two principal moments of inertia are equal, so that the rotation about the third axis is
                undetermined.
            ValueError: for a clamped body, or one without shape integrals.
        """
        if self.frame or self.inertia is None:
            raise ValueError("principal axes are those of a free body with shape integrals")
        return self._without(self.inertia.turns_of_principal_axes())

    def _without(self, motion: np.ndarray) -> "ReducedBody":
        """Return the body with rigid motions W (6, r) about the origin removed from its modes: u = Φ q − R W q."""
        rigid_displacements = _rigid_displacements(self.nodes)
        joints = tuple(
            replace(
                joint,
                normal=joint.normal - joint.normal_rigid @ motion,
                tangential=joint.tangential - joint.tangential_rigid @ motion,
            )
            for joint in self.joints
        )
        rigid = self._rigid_rows()
        interfaces = {name: value - rigid[name] @ motion for name, value in self.interfaces.items()}
        mass = self.mass + motion.T @ self.rigid_mass @ motion
        inertia = self.inertia
        if inertia is not None:
            # Coupling terms: zero in the Buckens frame, but not after masses were added.
            mixed = motion.T @ inertia.rigid_content
            mass = mass - mixed - mixed.T
            inertia = inertia.recombined(np.zeros(6), np.vstack([-motion, np.eye(self.n_coordinates)]))
        return replace(
            self,
            mass=mass,
            inertia=inertia,
            displacements=self.displacements - rigid_displacements @ motion,
            interfaces=interfaces,
            joints=joints,
            loads=self.loads.seen_from(motion) if self.loads else None,
            ties=tuple(each.seen_from(motion) for each in self.ties),
            supports=tuple(each.seen_from(motion) for each in self.supports),
            held_nodes=tuple(each.seen_from(motion) for each in self.held_nodes),
            second_order=self.second_order and self.second_order.without(motion),
        )

    def _rigid_rows(self) -> dict[str, np.ndarray]:
        """Return (6, 6) or (3, 6) motion of each interface node under rigid motions about the origin."""
        return {
            name: rigid_rows(self.nodes[self.interface_nodes[name]], len(rows))
            for name, rows in self.interfaces.items()
        }

    def with_mass_at(self, interface: str, mass: float, inertia: np.ndarray | None = None) -> "ReducedBody":
        """Return the body with a rigid mass fixed to an interface node, centred at the node.

        Args:
            interface: name of the node.
            mass: its mass.
            inertia: (3, 3) of the mass about the node; none for a point.

        Raises:
            ModelError: when there is no such interface, or its node has no rotations and the mass has an inertia.
        """
        rows = self._interface_rows(interface)
        point = self.nodes[self.interface_nodes[interface]]
        if len(rows) < 6 and inertia is not None:
            raise ModelError(
                f"Interface node {interface!r} has no rotations, so a mass there can have no moment of inertia.",
                "Fix the mass to the reference node of a coupling, or make it a point.",
            )
        rows = np.vstack([rows, np.zeros((6 - len(rows), self.n_coordinates))])
        weights = np.zeros((6, 6))
        weights[:3, :3] = mass * np.eye(3)
        weights[3:, 3:] = np.zeros((3, 3)) if inertia is None else inertia
        rigid = rigid_rows(point, 6)
        integrals = self.inertia
        if integrals is not None:
            integrals = integrals.with_mass_at(point, np.hstack([rigid, rows]), mass, weights[3:, 3:])
        return replace(
            self,
            mass=self.mass + rows.T @ weights @ rows,
            rigid_mass=self.rigid_mass + rigid.T @ weights @ rigid,
            inertia=integrals,
            second_order=self.second_order
            and self.second_order.with_mass_at(interface, point, rigid[:3], mass),
        )

    def _interface_rows(self, interface: str) -> np.ndarray:
        if interface not in self.interfaces:
            raise no_interface_node(interface, self.interfaces)
        return self.interfaces[interface]


def no_interface_node(name: str, known: Iterable[str]) -> ModelError:
    """Return the error that there is no interface node of that name."""
    return ModelError(
        f"There is no interface node called {name!r}.", f"There are: {', '.join(known) or 'none'}."
    )


def cannot_hold(interface: str) -> ModelError:
    """Return the error that an interface node has no rotations to hold a body by."""
    return ModelError(
        f"Interface node {interface!r} has no rotations, so it cannot hold the body alone.",
        "Hold the body at the reference node of a coupling.",
    )


def build_reduced_body(
    nodes: np.ndarray,
    matrices: StructuralMatrices,
    basis: ReductionBasis,
    interface_nodes: dict[str, int],
    joints: list[tuple[str, sp.csr_matrix, sp.csr_matrix, np.ndarray, np.ndarray]],
    preloads: PreloadModes | None = None,
    surfaces: dict[str, Surface] | None = None,
    loads: LoadModes | None = None,
    bolts: Sequence[BoltEquations] = (),
    ties: Sequence[CarriedEquations] = (),
    supports: Sequence[CarriedEquations] = (),
    held_nodes: Sequence[CarriedEquations] = (),
) -> ReducedBody:
    """Project a body onto its reduction basis; return the free body in its Buckens frame.

    Args:
        nodes: (n_nodes, 3) coordinates.
        matrices: of the free body.
        basis: trial vectors without rigid body content.
        interface_nodes: row by name.
        joints: name, gap rows (n, n_dofs), slip rows (2n, n_dofs), weights (n,), initial gaps (n,) of each.
        preloads: preload cases, whose forces are projected; None without any.
        surfaces: that other parts may touch, by name.
        loads: loads of the body, which are projected; None without any.
        bolts, ties, supports, held_nodes: of the body.
    """
    modes, transformation = basis.modes, matrices.dofs.transformation
    tie_forces = matrices.tie_forces or (None,) * len(joints)
    mass, stiffness = gram(matrices.mass, modes), gram(matrices.stiffness, modes)
    damping = np.zeros((0, 0)) if matrices.damping is None else gram(matrices.damping, modes)
    rigid = rigid_body_modes(nodes, matrices.dofs)
    return ReducedBody(
        frame="",
        mass=0.5 * (mass + mass.T),
        stiffness=0.5 * (stiffness + stiffness.T),
        rigid_mass=rigid.T @ (matrices.mass @ rigid),
        nodes=nodes,
        displacements=np.asarray(matrices.dofs.displacement_rows @ modes),
        interfaces={
            name: np.asarray(transformation[matrices.dofs.node_rows(node)] @ modes)
            for name, node in interface_nodes.items()
        },
        interface_nodes=dict(interface_nodes),
        joints=tuple(
            JointRows(
                name,
                np.ascontiguousarray(gap @ modes),
                np.ascontiguousarray((slip @ modes).reshape(-1, 2, modes.shape[1])),
                weights,
                initial_gaps,
                np.asarray(gap @ rigid),
                np.asarray((slip @ rigid).reshape(-1, 2, 6)),
                None if ties is None else np.asarray(ties @ modes),
            )
            for (name, gap, slip, weights, initial_gaps), ties in zip(joints, tie_forces, strict=True)
        ),
        groups=tuple((group.name, group.stop) for group in basis.groups),
        frequencies=basis.frequencies,
        preload_forces={name: modes.T @ preloads.forces[:, i] for i, name in enumerate(preloads.names)}
        if preloads
        else {},
        preload_closings={name: preloads.closings[i].copy() for i, name in enumerate(preloads.names)}
        if preloads
        else {},
        inertia=shape_integrals(nodes, matrices, modes),
        mounted_errors=mounted_errors(
            matrices.stiffness, modes, preloads, [gap for _, gap, *_ in joints], stiffness
        )
        if preloads
        else {},
        surfaces=dict(surfaces or {}),
        loads=reduced_loads(nodes, matrices, modes, loads, stiffness) if loads else None,
        bolts=bolt_rows(bolts, basis, preloads),
        ties=reduced_sections(ties, modes, rigid),
        supports=reduced_sections(supports, modes, rigid),
        held_nodes=reduced_sections(held_nodes, modes, rigid),
        damping=None if matrices.damping is None else 0.5 * (damping + damping.T),
        trained=basis.trained,
    )


def _rigid_displacements(x: np.ndarray) -> np.ndarray:
    """Return (3 n, 6) displacements of points under unit rigid body motions about the origin: u = t + θ × x."""
    rows = np.zeros((len(x), 3, 6))
    rows[:, range(3), range(3)] = 1.0
    rows[:, 0, 4], rows[:, 0, 5] = x[:, 2], -x[:, 1]
    rows[:, 1, 3], rows[:, 1, 5] = -x[:, 2], x[:, 0]
    rows[:, 2, 3], rows[:, 2, 4] = x[:, 1], -x[:, 0]
    return rows.reshape(-1, 6)


def rigid_rows(point: np.ndarray, size: int) -> np.ndarray:
    """Return (size, 6) motion of one node, displacements and (for size 6) rotations."""
    return np.vstack([_rigid_displacements(point[None]), np.eye(6)[3:]])[:size]
