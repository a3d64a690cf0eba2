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
        name: the deck's.
        youngs_modulus, poisson_ratio: of an isotropic material; of others those of the isotropic material that has the
            mean of their stiffness over all directions (see `faying.fem.elasticity`).
        density: mass per volume.
        expansion: coefficient of thermal expansion, per kelvin; None where nobody gives one.
        kind: "isotropic", "orthotropic", "anisotropic"; "lamina" is orthotropic in plane stress, which shells alone can
            have, "laminate" what stands for the plies of a section.
        stiffness: the 36 stresses per strain of an orthotropic, anisotropic or lamina's material in its own axes, row
            by row in the order 11, 22, 33, 12, 23, 31, with shear strains γ = 2 ε; empty of others.
        expansions: strains per kelvin in the same axes and order; empty where `expansion` says all.
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

    The angle counts about the shell's normal.
    """

    material: Material
    thickness: float
    angle: float


@record("beam_section")
class BeamSection:
    """A beam's cross section: area, second moments about its two axes, torsion constant.

    `direction` is the first local axis n1 (Abaqus' convention); shear factor is Timoshenko's. `inertia_12` is the
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
    """A shell's thickness, how far its middle surface lies from its nodes along the normal, and a mass per area.

    `plies` are the layers of a laminate, from the side that the normal comes from to the one that it points to; without
    any the shell is of its block's material alone. `stiffness` is what the deck says of it as a whole instead: A, B, D
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
        directions: (n, 3, 3) of each element the axes of its material, as rows; of shells the first is projected onto
            the surface. None for the global axes, on shells the projection of the first (the third where that is
            normal to the surface).
    """

    element: str
    label: str
    ids: np.ndarray
    connectivity: np.ndarray
    material: str
    section: Section | None = None
    directions: np.ndarray | None = None

    def chosen(self, rows: np.ndarray) -> "ElementBlock":
        """Return the block of some of its elements, given by rows or as a mask."""
        return replace(
            self,
            ids=self.ids[rows],
            connectivity=self.connectivity[rows],
            directions=None if self.directions is None else self.directions[rows],
        )


def element_numbers(blocks: Sequence[ElementBlock]) -> np.ndarray:
    """Return (n,) the deck's numbers of the elements of blocks, one block after the other."""
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
        weights: (n,) weights of a distributing coupling; ones otherwise.
        directions: (n, 3, 3) of each node the directions, as rows, that the components of a kinematic coupling count
            in; None for the global ones.
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
        name: what they come from: "TIE LID", "EQUATION".
        starts: (n + 1,) where the terms of each equation begin, and their number at the end.
        nodes: (m,) rows of `FeModel.nodes`, and `components` (m,) numbers 1 to 6, of all terms.
        coefficients: (m,).
        yields: whether an equation is skipped when something else prescribes its first term already; otherwise that is
            an error.
    """

    name: str
    starts: np.ndarray
    nodes: np.ndarray
    components: np.ndarray
    coefficients: np.ndarray
    yields: bool = False


@record("contact_proposal")
class ContactProposal:
    """Contact between two surfaces, or a bond, as the deck defines it; a joint may be made of it.

    Attributes:
        name: of the contact.
        slave, master: names of the model's surfaces.
        friction_coefficient: 0 without friction.
        stiffness: pressure per penetration of a linear law; 0 when the deck gives none.
        tied: whether the surfaces are bonded.
        adjustment: slave nodes with a smaller gap, and all that penetrate, lie on the master before all else; None
            leaves them where they are.
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
        name: what the deck calls it: "CONM2 7", "MASS element 12".
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
    """A spring, damper, bushing or rod between two nodes that no rigid motion strains.

    Attributes:
        name: what the deck calls it: "CBUSH 7", "SPRINGA element 12".
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
    """What a deck holds of its nodes: at rest on one ground, or where nodes of their own are displaced to.

    Attributes:
        nodes: (n,) rows of `FeModel.nodes`.
        components: (n,) 1 to 3 for displacements, 4 to 6 for rotations.
        directions: (n, 3) unit vectors along or about which.
        displaced: (n,) numbers in `displaced_nodes` of what moves; −1 for what rests on the ground.
        displaced_nodes: names of new nodes, each with which some nodes of the deck move in one component.
    """

    nodes: np.ndarray
    components: np.ndarray
    directions: np.ndarray
    displaced: np.ndarray
    displaced_nodes: tuple[str, ...] = ()


@record("deck_load")
class DeckLoad:
    """Loads that act together in a deck; a load of the body may be made of them.

    Attributes:
        name: what the deck calls it: "LOAD 5".
        nodes: (n,) rows of nodes with forces, and `forces` (n, 6) force and moment on each.
        pressures: names of surfaces with the pressure on each, positive against the outward normal.
        gravity: (3,) force per mass.
        temperatures: (n_nodes,) changes against the stress-free state, which are a load of their own; empty without.
    """

    name: str
    nodes: np.ndarray
    forces: np.ndarray
    pressures: tuple[tuple[str, float], ...]
    gravity: np.ndarray
    temperatures: np.ndarray

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse temperatures beside forces, which alone have a resultant."""
        freeze_record(self)
        if self._pushes and self.temperatures.any():
            raise ValueError(f"{self.name} has temperatures and forces: make two loads of it")

    @property
    def is_empty(self) -> bool:
        """Whether nothing acts."""
        return not self._pushes and not self.temperatures.any()

    @property
    def _pushes(self) -> bool:
        """Whether it has forces, pressures or gravity."""
        sizes = [size for _, size in self.pressures]
        return any(np.any(each) for each in (self.forces, sizes, self.gravity))


@record("deck_case")
class DeckCase:
    """A load case or step of a deck, held by the deck's support.

    Attributes:
        name: of the case.
        loads: loads of the deck by name, with factors.
        displacements: name of a displaced node, component 1 to 6 and value of each.
        bolts: names of bolts that are tightened before the loads, and their tensions.
        follows: whether it goes on from the state at the end of the case before it.
        modes: number of natural frequencies that the deck asks for; 0 in statics.
    """

    name: str
    loads: tuple[tuple[str, float], ...] = ()
    displacements: tuple[tuple[str, int, float], ...] = ()
    bolts: tuple[tuple[str, float], ...] = ()
    follows: bool = False
    modes: int = 0


@record("bolt", read_only=True)
class Bolt:
    """A bolt that is cut, so that it can be tightened (see `faying.fem.bolt_cuts`).

    Attributes:
        name: of the bolt.
        centres: rows of the centre nodes of the two sides of the cut, at the same place.
        axis: (3,) unit vector from the first side to the second.
        force: tension that the deck gives it; 0 without.
    """

    name: str
    centres: tuple[int, int]
    axis: np.ndarray
    force: float = 0.0


@record("deck_surface")
class DeckSurface:
    """A surface as the deck names it: element faces, or a mere set of nodes.

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
    """A joint that is tied: which nodes of its slave surface follow the master, by equations of the model.

    Attributes:
        joint: name of the joint.
        nodes: rows of the tied nodes.
        left_out: rows of the nodes of the slave surface that are not over the master surface, or too far from it.
        distance: how far from it they may be.
        moved: how far nodes were moved onto it at most; 0 where they stay.
        problem, hint: why nothing is tied, and what to do; "" when all is well.
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
    """Springs between the nodes of a surface and the rigid body behind them, which moves with a reference node.

    Attributes:
        name: of the support.
        reference: row of that node.
        nodes: (n,) rows of the surface's nodes.
        stiffness: (n, 3, 3) force per displacement of each.
    """

    name: str
    reference: int
    nodes: np.ndarray
    stiffness: np.ndarray


@record("held_surface", read_only=True)
class HeldSurface:
    """A surface that is supported.

    Attributes:
        name: of the support.
        ground: row of the node that it stands on.
        nodes: (n,) rows of the surface's nodes, ascending.
        normals: (n, 3) out of the body.
        middle: (3,) the mean of the surface.
        moved: (n, 3, 3) directions along which displacements follow the ground, as rows; zeros for none.
        turned: (n, 3, 3) directions about which rotations follow it, likewise.
        is_elastic: whether it stands on springs, so that no motion is prescribed.
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
        """Name of the equations by which it follows a ground of its own."""
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
        contacts: contact that the deck defines between its surfaces.
        bolts: bolts that are cut.
        deck_support: what the deck holds of its nodes; None when nothing.
        ties: joints that are tied.
        foundations: springs under surfaces.
        held_surfaces: those that are supported.
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
        """Check that every reference exists and every number can be computed with; make the arrays read-only."""
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
        """Refuse sets, surfaces, couplings, equations and masses of what does not exist, or with impossible numbers."""
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
        """Return (m,) the rows of the node set of that name, None without one; capitals count where two differ in them.

        Abaqus' names match in any case, and its reader writes them in capitals.
        """
        if name in self.node_sets:
            return self.node_sets[name]
        wanted = name.strip().upper()
        return next((rows for known, rows in self.node_sets.items() if known.upper() == wanted), None)

    def bolt(self, name: str) -> Bolt | None:
        """Return the bolt of that name, None without one; capitals count only where two differ in them."""
        found = {bolt.name: bolt for bolt in self.bolts}
        if name in found:
            return found[name]
        wanted = name.strip().upper()
        return next((bolt for known, bolt in found.items() if known.upper() == wanted), None)

    def node_row(self, node_id: int) -> int:
        """Return the row of a node number.

        Raises:
            ModelError: when no node has that number.
        """
        rows = np.flatnonzero(self.node_ids == node_id)
        if not len(rows):
            raise ModelError(f"There is no node {node_id}.", "Choose one of the model's nodes.")
        return int(rows[0])


_AGAIN = "Write the model again with the program that made it."


def check_nodes(ids: np.ndarray, nodes: np.ndarray) -> None:
    """Refuse node numbers that are not unique and coordinates that are no places.

    Args:
        ids: (n,) numbers.
        nodes: (n, 3) coordinates.

    Raises:
        ModelError: naming the first node.
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
    """Refuse indices that do not count what is there; negative ones would count from the end."""
    if rows.size and not (rows.dtype.kind in "iu" and rows.min() >= 0 and rows.max() < count):
        raise ModelError(f"{what} that do not exist.", _AGAIN)


def _check_section(block: ElementBlock) -> None:
    """Refuse numbers of a block's section, its plies and directions that cannot be computed with."""
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
    """Return the name of an attribute as one says it."""
    return name.replace("_", " ").replace("youngs", "Young's").replace("poisson", "Poisson's")
