"""The finite element model of one body, as a deck describes it, in index form."""

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from faying.errors import ModelError
from faying.records import freeze_record, record

LARGEST_NUMBER = 1e50
"""No coordinate, material constant or weight is larger in size: its powers still fit into a double."""
LARGEST_ID = 2**53
"""Node and element numbers are smaller: beyond it a double no longer holds every integer."""


@record("material")
class Material:
    """A linear elastic material in the model's unit system.

    Attributes:
        name: the deck's name for it.
        youngs_modulus, poisson_ratio: constants of an isotropic material; for any other material, those of the
            isotropic material with the mean of its stiffness over all directions (see `faying.fem.elasticity`).
        density: mass per volume.
        expansion: coefficient of thermal expansion, per kelvin; None when it is not given.
        kind: "isotropic", "orthotropic", "anisotropic"; "lamina" is orthotropic in plane stress, for shells only;
            "laminate" represents the plies of a section.
        stiffness: the 36 stresses per strain of an orthotropic, anisotropic or lamina material in its own axes, row
            by row in the order 11, 22, 33, 12, 23, 31, with shear strains γ = 2 ε; empty for an isotropic material.
        expansions: strains per kelvin in the same axes and order; empty where `expansion` suffices.
    """

    name: str
    youngs_modulus: float
    poisson_ratio: float
    density: float
    expansion: float | None = None
    kind: str = "isotropic"
    stiffness: tuple[float, ...] = ()
    expansions: tuple[float, ...] = ()


@record("ply")
class Ply:
    """One layer of a laminate: its material, thickness, and the angle (rad) from the shell's direction to its fibres.

    The angle is measured about the shell's normal.
    """

    material: Material
    thickness: float
    angle: float


@record("beam_section")
class BeamSection:
    """A beam's cross section: area, second moments about its two axes, torsion constant.

    `direction` is the first local axis n1 (Abaqus' convention); the shear factor is Timoshenko's. `inertia_12` is the
    product ∫ x1 x2 dA, zero where the axes are principal; `nonstructural_mass` is a mass per length on the axis.
    """

    area: float
    inertia_11: float
    inertia_22: float
    torsion: float
    direction: tuple[float, float, float]
    shear_factor: float
    inertia_12: float = 0.0
    nonstructural_mass: float = 0.0


@record("shell_section")
class ShellSection:
    """A shell's thickness, the offset of its middle surface along the normal, and its added mass per area.

    `plies` are the layers of a laminate, in the direction of the normal; without plies the shell consists of its
    block's material alone. `stiffness` is the stiffness that the deck gives for the whole section instead: A, B, D
    (3 × 3 each, row by row) and H (2 × 2), about the middle (see `faying.fem.laminates`).
    """

    thickness: float
    offset: float = 0.0
    nonstructural_mass: float = 0.0
    plies: tuple[Ply, ...] = ()
    stiffness: tuple[float, ...] = ()


Section = BeamSection | ShellSection


@record("element_block")
class ElementBlock:
    """Elements of one type and one property.

    Attributes:
        element: kind in the family `faying.fem.elements` ("tet10", "hex8_incompatible", "beam2", …).
        label: the deck's own type name ("C3D10").
        ids: (n,) the deck's element numbers.
        connectivity: (n, k) rows of `FeModel.nodes`, in the element's node order.
        material: name of a material; "" when the deck gives none.
        section: of beams and shells, None for solids.
        directions: (n, 3, 3) material axes of each element, as rows; on shells the first axis is projected onto the
            surface. None for the global axes; on shells, for the projection of the first global axis (of the third
            where the first is normal to the surface).
    """

    element: str
    label: str
    ids: np.ndarray
    connectivity: np.ndarray
    material: str
    section: Section | None = None
    directions: np.ndarray | None = None

    def chosen(self, rows: np.ndarray) -> "ElementBlock":
        """Return the block with some of its elements, chosen by rows or by a mask."""
        return replace(
            self,
            ids=self.ids[rows],
            connectivity=self.connectivity[rows],
            directions=None if self.directions is None else self.directions[rows],
        )


def element_numbers(blocks: Sequence[ElementBlock]) -> np.ndarray:
    """Return (n,) the deck's numbers of the elements of blocks, in the order of the blocks."""
    return np.concatenate([np.zeros(0, np.int64), *(block.ids for block in blocks)])


@record("coupling")
class Coupling:
    """A reference node coupled to many nodes.

    Attributes:
        name: the deck's name for it.
        kind: "kinematic" (the nodes follow the reference node as a rigid body in the named
            components) or "distributing" (the reference node is the weighted mean of the nodes).
        reference: row of the reference node in `FeModel.nodes`.
        nodes: (n,) rows of the coupled nodes, without the reference node.
        components: numbers 1 … 6 that are coupled (1-3 displacements, 4-6 rotations).
        weights: (n,) weights of a distributing coupling; otherwise ones.
        directions: (n, 3, 3) directions, as rows, of a kinematic coupling's components at each node; None for the
            global directions.
    """

    name: str
    kind: str
    reference: int
    nodes: np.ndarray
    components: tuple[int, ...]
    weights: np.ndarray
    directions: np.ndarray | None = None


@record("equations", read_only=True)
class LinearEquations:
    """Linear constraints Σ c u = 0 between the motions of nodes; the first term of each depends on the others.

    Attributes:
        name: their origin: "TIE LID", "EQUATION".
        starts: (n + 1,) index of the first term of each equation, followed by the number of terms.
        nodes: (m,) rows of `FeModel.nodes`, and `components` (m,) numbers 1 to 6, of all terms.
        coefficients: (m,).
        yields: whether an equation is skipped when another condition already prescribes its first term; otherwise this
            is an error.
    """

    name: str
    starts: np.ndarray
    nodes: np.ndarray
    components: np.ndarray
    coefficients: np.ndarray
    yields: bool = False


@record("contact_proposal")
class ContactProposal:
    """Contact or a bond between two surfaces, as the deck defines it; a joint may be created from it.

    Attributes:
        name: name of the contact.
        slave, master: names of the model's surfaces.
        friction_coefficient: 0 without friction.
        stiffness: pressure per penetration of a linear law; 0 when the deck gives none.
        tied: whether the surfaces are bonded.
        adjustment: slave nodes with a smaller gap, and all penetrating ones, are moved onto the master first; None
            leaves them in place.
        sticking_stiffness: friction stress per slip while sticking; 0 when the deck gives none.
    """

    name: str
    slave: str
    master: str
    friction_coefficient: float = 0.0
    stiffness: float = 0.0
    tied: bool = False
    adjustment: float | None = None
    sticking_stiffness: float = 0.0


@record("point_mass", read_only=True)
class PointMass:
    """A mass at a node, with the moments of inertia about its own centre.

    Attributes:
        name: the deck's name for it: "CONM2 7", "MASS element 12".
        node: row of `FeModel.nodes`.
        mass: in the model's unit of mass.
        inertia: (3, 3) tensor about the centre of the mass, in global directions.
        offset: (3,) from the node to the centre of the mass.
    """

    name: str
    node: int
    mass: float
    inertia: np.ndarray
    offset: np.ndarray


@record("spring", read_only=True)
class Spring:
    """A spring, damper, bushing or rod between two nodes; no rigid motion strains it.

    Attributes:
        name: the deck's name for it: "CBUSH 7", "SPRINGA element 12".
        nodes: (2,) rows of `FeModel.nodes`.
        stiffness: (12, 12) forces and moments on both nodes per displacement and rotation, three each, node by node.
        damping: (12, 12) the same per velocity.
    """

    name: str
    nodes: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray


@record("deck_support", read_only=True)
class DeckSupport:
    """The deck's supports: nodes fixed to one ground, or prescribed to follow displaced nodes.

    Attributes:
        nodes: (n,) rows of `FeModel.nodes`.
        components: (n,) 1 to 3 for displacements, 4 to 6 for rotations.
        directions: (n, 3) unit vectors along which (displacements) or about which (rotations) each node is held.
        displaced: (n,) indices into `displaced_nodes` of the moving supports; −1 for those at rest.
        displaced_nodes: names of new nodes; some nodes of the deck follow each of them in one component.
    """

    nodes: np.ndarray
    components: np.ndarray
    directions: np.ndarray
    displaced: np.ndarray
    displaced_nodes: tuple[str, ...] = ()


@record("deck_load")
class DeckLoad:
    """Loads that act together in a deck; a load of the body may be created from them.

    Attributes:
        name: the deck's name for it: "LOAD 5".
        nodes: (n,) rows of nodes with forces, and `forces` (n, 6) force and moment on each.
        pressures: pressure by name of the surface, positive against the outward normal.
        gravity: (3,) force per mass.
        temperatures: (n_nodes,) changes from the stress-free state, which form a separate load; empty for other loads.
    """

    name: str
    nodes: np.ndarray
    forces: np.ndarray
    pressures: tuple[tuple[str, float], ...]
    gravity: np.ndarray
    temperatures: np.ndarray

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse temperatures together with forces, since only forces have a resultant."""
        freeze_record(self)
        if self._pushes and self.temperatures.any():
            raise ValueError(f"{self.name} has temperatures and forces: make two loads of it")

    @property
    def is_empty(self) -> bool:
        """Whether the load is zero."""
        return not self._pushes and not self.temperatures.any()

    @property
    def _pushes(self) -> bool:
        """Whether the load has forces, pressures or gravity."""
        sizes = [size for _, size in self.pressures]
        return any(np.any(each) for each in (self.forces, sizes, self.gravity))


@record("deck_case")
class DeckCase:
    """A load case or step of a deck, supported as the deck says.

    Attributes:
        name: name of the case.
        loads: loads of the deck by name, with factors.
        displacements: (name of a displaced node, component 1 to 6, value) for each.
        bolts: names of the bolts that are tightened before the loads are applied, and their tensions.
        follows: whether it continues from the state at the end of the preceding case.
        modes: number of natural frequencies that the deck requests; 0 in statics.
    """

    name: str
    loads: tuple[tuple[str, float], ...] = ()
    displacements: tuple[tuple[str, int, float], ...] = ()
    bolts: tuple[tuple[str, float], ...] = ()
    follows: bool = False
    modes: int = 0


@record("bolt", read_only=True)
class Bolt:
    """A bolt with a cut through its shank, so that it can be tightened (see `faying.fem.bolt_cuts`).

    Attributes:
        name: name of the bolt.
        centres: rows of the centre nodes of the two sides of the cut, which coincide.
        axis: (3,) unit vector from the first side to the second.
        force: tension given in the deck; 0 when there is none.
    """

    name: str
    centres: tuple[int, int]
    axis: np.ndarray
    force: float = 0.0


@record("deck_surface")
class DeckSurface:
    """A surface of the deck: element faces, or only a set of nodes.

    Attributes:
        name: the deck's name.
        elements: (n,) positions in the model's running element order (see `FeModel.element_ids`).
        faces: (n,) face numbers, counted from 0 in the element kind's `faces`.
        nodes: (m,) node rows for TYPE=NODE surfaces; empty for element surfaces.
    """

    name: str
    elements: np.ndarray
    faces: np.ndarray
    nodes: np.ndarray


@record("tie", read_only=True)
class Tie:
    """A tied joint: the nodes of its slave surface that follow the master, by equations of the model.

    Attributes:
        joint: name of the joint.
        nodes: rows of the tied nodes.
        left_out: rows of the nodes of the slave surface that are not over the master surface, or too far from it.
        distance: greatest distance of a tied node from the master surface.
        moved: greatest distance by which a node was moved onto the master surface; 0 where nodes stay.
        problem, hint: why nothing is tied, and the remedy; "" without a problem.
    """

    joint: str
    nodes: np.ndarray
    left_out: np.ndarray
    distance: float
    moved: float = 0.0
    problem: str = ""
    hint: str = ""

    @property
    def equations(self) -> str:
        """Name of its equations in the model."""
        return f"tied joint {self.joint}"


@record("foundation", read_only=True)
class Foundation:
    """Springs between the nodes of a surface and a rigid body behind them, which moves with a reference node.

    Attributes:
        name: name of the support.
        reference: row of the reference node.
        nodes: (n,) rows of the surface's nodes.
        stiffness: (n, 3, 3) force per displacement of each node.
    """

    name: str
    reference: int
    nodes: np.ndarray
    stiffness: np.ndarray


@record("held_surface", read_only=True)
class HeldSurface:
    """A supported surface.

    Attributes:
        name: name of the support.
        ground: row of the ground node.
        nodes: (n,) rows of the surface's nodes, ascending.
        normals: (n, 3) out of the body.
        middle: (3,) the mean position of the surface.
        moved: (n, 3, 3) directions, as rows, in which displacements follow the ground; zeros for none.
        turned: (n, 3, 3) directions, as rows, about which rotations follow it; zeros for none.
        is_elastic: whether it rests on springs, so that no motion is prescribed.
    """

    name: str
    ground: int
    nodes: np.ndarray
    normals: np.ndarray
    middle: np.ndarray
    moved: np.ndarray
    turned: np.ndarray
    is_elastic: bool = False

    @property
    def slides(self) -> bool:
        """Whether its nodes may move along the surface."""
        return not self.is_elastic and not self.moved[:, 1].any()

    @property
    def equations(self) -> str:
        """Name of the equations that make it follow its own ground."""
        return f"support {self.name}"


@record("fe_model")
class FeModel:
    """One body: nodes, element blocks, sets, surfaces, materials, couplings, masses. All arrays are read-only.

    Attributes:
        title: the deck's heading.
        node_ids: (n,) the deck's node numbers, unique.
        nodes: (n, 3) coordinates in the deck's length unit.
        blocks: element blocks; their elements in order make the running element order.
        node_sets: rows of nodes by set name.
        element_sets: positions in the running element order by set name.
        surfaces: deck surfaces by name.
        materials: by name.
        couplings: of reference nodes.
        equations: further constraints between nodes: ties, linear equations.
        contacts: contacts that the deck defines between its surfaces.
        bolts: bolts with a cut.
        deck_support: the deck's supports; None when there are none.
        ties: tied joints.
        foundations: springs under surfaces.
        held_surfaces: supported surfaces.
        deck_loads: loads of the deck, by name.
        deck_cases: load cases of the deck.
        preload_cases, body_loads: names of the preload cases and loads of a body that was read in reduced form.
        units: unit system that the file names; "" for decks, which name none.
        point_masses: masses at nodes.
        springs: between nodes.
        unread: (line, text) of input that the reader skipped.
    """

    title: str
    node_ids: np.ndarray
    nodes: np.ndarray
    blocks: tuple[ElementBlock, ...]
    node_sets: dict[str, np.ndarray] = field(default_factory=dict)
    element_sets: dict[str, np.ndarray] = field(default_factory=dict)
    surfaces: dict[str, DeckSurface] = field(default_factory=dict)
    materials: dict[str, Material] = field(default_factory=dict)
    couplings: tuple[Coupling, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()
    point_masses: tuple[PointMass, ...] = ()
    equations: tuple[LinearEquations, ...] = ()
    contacts: tuple[ContactProposal, ...] = ()
    bolts: tuple[Bolt, ...] = ()
    deck_support: DeckSupport | None = None
    ties: tuple[Tie, ...] = ()
    foundations: tuple[Foundation, ...] = ()
    preload_cases: tuple[str, ...] = ()
    body_loads: tuple[str, ...] = ()
    units: str = ""
    held_surfaces: tuple[HeldSurface, ...] = ()
    deck_loads: dict[str, DeckLoad] = field(default_factory=dict)
    deck_cases: tuple[DeckCase, ...] = ()
    springs: tuple[Spring, ...] = ()

    def __post_init__(self) -> None:
        """Check that every reference exists and every number is finite; make the arrays read-only."""
        check_nodes(self.node_ids, self.nodes)
        n = len(self.nodes)
        for block in self.blocks:
            _check_rows(block.connectivity, n, f"Elements of type {block.label} use nodes")
            _check_ids(block.ids, f"An element of type {block.label}")
            if block.connectivity.ndim != 2 or block.ids.shape != block.connectivity.shape[:1]:
                raise ModelError(f"Elements of type {block.label} are not a table of nodes.", _AGAIN)
            _check_section(block)
        self._check_references(n, sum(len(block.ids) for block in self.blocks))
        for material in self.materials.values():
            _check_finite(f"Material {material.name!r}", vars(material))
        freeze_record(self)
        for part in (*self.blocks, *self.surfaces.values(), *self.couplings):
            freeze_record(part)

    def _check_references(self, n_nodes: int, n_elements: int) -> None:
        """Refuse references to missing nodes or elements, and invalid numbers."""
        for name, rows in self.node_sets.items():
            _check_rows(rows, n_nodes, f"The node set {name} names nodes")
        for name, positions in self.element_sets.items():
            _check_rows(positions, n_elements, f"The element set {name} names elements")
        for surface in self.surfaces.values():
            _check_rows(surface.elements, n_elements, f"The surface {surface.name} names elements")
            _check_rows(surface.nodes, n_nodes, f"The surface {surface.name} names nodes")
        for coupling in self.couplings:
            _check_rows(
                np.append(coupling.nodes, coupling.reference), n_nodes, f"{coupling.name} couples nodes"
            )
            _check_finite(coupling.name, {"weights": coupling.weights, "directions": coupling.directions})
        for equations in self.equations:
            _check_rows(equations.nodes, n_nodes, f"{equations.name} ties nodes")
            _check_finite(equations.name, {"coefficients": equations.coefficients})
        for spring in self.springs:
            _check_rows(spring.nodes, n_nodes, f"{spring.name} joins nodes")
            _check_finite(spring.name, {"stiffness": spring.stiffness, "damping": spring.damping})
        for point in self.point_masses:
            _check_rows(np.array([point.node]), n_nodes, f"{point.name} is at nodes")
            _check_finite(point.name, {"mass": point.mass, "inertia": point.inertia, "offset": point.offset})

    @property
    def element_ids(self) -> np.ndarray:
        """(n,) the deck's element numbers in the running element order (blocks one after the other)."""
        return element_numbers(self.blocks)

    @property
    def first_nodes(self) -> np.ndarray:
        """(n,) row of the first node of each element, in the running element order."""
        return np.concatenate([np.zeros(0, np.int64), *(b.connectivity[:, 0] for b in self.blocks)])

    @property
    def block_starts(self) -> np.ndarray:
        """(n_blocks + 1,) running position at which each block begins, and the total at the end."""
        return np.concatenate([[0], np.cumsum([len(b.ids) for b in self.blocks])]).astype(np.int64)

    def node_set(self, name: str) -> np.ndarray | None:
        """Return (m,) the rows of the node set with this name, or None.

        Case matters only where two names differ in case alone: Abaqus' reader writes names in capitals.
        """
        if name in self.node_sets:
            return self.node_sets[name]
        wanted = name.strip().upper()
        return next((rows for known, rows in self.node_sets.items() if known.upper() == wanted), None)

    def bolt(self, name: str) -> Bolt | None:
        """Return the bolt with this name, or None; case matters only where two names differ in case alone."""
        found = {bolt.name: bolt for bolt in self.bolts}
        if name in found:
            return found[name]
        wanted = name.strip().upper()
        return next((bolt for known, bolt in found.items() if known.upper() == wanted), None)

    def node_row(self, node_id: int) -> int:
        """Return the row of the node with this number.

        Raises:
            ModelError: when no node has this number.
        """
        rows = np.flatnonzero(self.node_ids == node_id)
        if not len(rows):
            raise ModelError(f"There is no node {node_id}.", "Choose one of the model's nodes.")
        return int(rows[0])


_AGAIN = "Write the model again with the program that made it."


def check_nodes(ids: np.ndarray, nodes: np.ndarray) -> None:
    """Refuse duplicate node numbers and coordinates that are not finite.

    Args:
        ids: (n,) numbers.
        nodes: (n, 3) coordinates.

    Raises:
        ModelError: names the first such node.
    """
    n = len(nodes)
    if nodes.shape != (n, 3):
        raise ModelError(
            f"The model's nodes have {nodes.shape[-1]} coordinates each, expected x, y, z.", _AGAIN
        )
    _check_ids(ids, "A node")
    if len(ids) != n or len(np.unique(ids)) != n:
        raise ModelError("The model's node numbers are not unique.", "Renumber the nodes.")
    wrong = np.flatnonzero(~(np.abs(nodes) <= LARGEST_NUMBER).all(axis=1))
    if len(wrong):
        x, y, z = nodes[wrong[0]]
        raise ModelError(
            f"Node {ids[wrong[0]]} lies at ({x:g}, {y:g}, {z:g}), which is no place.",
            "Mend its coordinates, or write the model again.",
        )


def _check_ids(ids: np.ndarray, whose: str) -> None:
    wrong = np.flatnonzero((ids > LARGEST_ID) | (ids < -LARGEST_ID)) if ids.dtype.kind in "iu" else [0]
    if len(ids) and len(wrong):
        raise ModelError(f"{whose} has the number {ids[wrong[0]]}, which is none.", "Renumber the model.")


def _check_rows(rows: np.ndarray, count: int, what: str) -> None:
    """Refuse indices outside 0 … count − 1; negative ones would count from the end."""
    if rows.size and not (rows.dtype.kind in "iu" and rows.min() >= 0 and rows.max() < count):
        raise ModelError(f"{what} that do not exist.", _AGAIN)


def _check_section(block: ElementBlock) -> None:
    """Refuse invalid numbers in a block's section, its plies and directions."""
    whose = f"The section of {block.label}"
    plies = block.section.plies if isinstance(block.section, ShellSection) else ()
    _check_finite(whose, vars(block.section) if block.section else {})
    for ply in plies:
        _check_finite(whose, {"a ply of thickness": ply.thickness, "an angle of": ply.angle})
        _check_finite(f"Material {ply.material.name!r}", vars(ply.material))
    if block.directions is not None:
        if block.directions.shape != (len(block.ids), 3, 3):
            raise ModelError(f"Elements of type {block.label} do not have three directions each.", _AGAIN)
        _check_finite(f"The orientation of {block.label}", {"directions": block.directions})


def _check_finite(whose: str, numbers: dict[str, Any]) -> None:
    """Refuse numbers that are not finite or too large to compute with; texts and plies are skipped."""
    for name, value in numbers.items():
        if value is None or isinstance(value, str) or name == "plies":
            continue
        values = np.asarray(value, float)
        wrong = values[~(np.abs(values) <= LARGEST_NUMBER)]
        if wrong.size:
            raise ModelError(
                f"{whose} has {_spoken(name)} {wrong.flat[0]:g}, expected a number that can be computed with.",
                "Mend it in the deck.",
            )


def _spoken(name: str) -> str:
    """Return the name of an attribute in words."""
    return name.replace("_", " ").replace("youngs", "Young's").replace("poisson", "Poisson's")
