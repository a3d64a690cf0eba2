"""Assembly: sparse stiffness and mass of a body over its independent degrees of freedom."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.block_pattern import BlockPattern
from faying.fem.couplings import cross_matrices, distributing_rows, resolve_kinematic_couplings
from faying.fem.elasticity import is_isotropic
from faying.fem.element_shape import ElementShapeError
from faying.fem.elements import ElementKind, element_kinds
from faying.fem.foundations import foundation_stiffness
from faying.fem.matrices import DofMap, StructuralMatrices
from faying.fem.model import ElementBlock, FeModel, Material, ShellSection
from faying.fem.point_masses import point_mass_matrix
from faying.fem.springs import nodes_turned_by_springs, spring_matrices
from faying.progress import PartialProgress, Progress, Silent

_OF_SHELLS = ("lamina", "laminate")
CHUNK_BYTES = 4_000_000  # element matrices per chunk, so that they stay in the processor's cache


def assemble(model: FeModel, progress: Progress | None = None) -> StructuralMatrices:
    """Return stiffness and mass of the free body, its dof map and the rows of distributing couplings.

    Kinematic couplings are eliminated on the rows that they touch; distributing couplings are kept as separate
    constraints. Nodes that belong to no element and no coupling have no dofs.

    Args:
        model: the body; its couplings' reference nodes get rotations.
        progress: updated after each chunk of elements.

    Raises:
        ModelError: for a material or section that is missing or impossible, an element without volume,
            contradicting couplings.
        Cancelled: when asked to stop.
    """
    progress = progress or Silent()
    blocks = [block for block in model.blocks if len(block.ids)]
    if not blocks and not model.springs:
        raise ModelError("The model has no elements.", "Import a deck with elements or springs.")
    for block in blocks:
        if block.label not in element_kinds[block.element].labels:
            raise ModelError(
                f"{len(block.ids)} elements of type {block.label} have no formulation here.",
                "Import stiffness and mass of the program that knows them, or mesh with another type.",
            )
    materials = [checked_material(model, block) for block in blocks]
    rotation_nodes = nodes_with_rotations(model)
    pieces = [
        _Piece(block, element_kinds[block.element], material, _points(block, model, rotation_nodes))
        for block, material in zip(blocks, materials, strict=True)
    ]
    n_points = len(model.nodes) + len(rotation_nodes)
    progress.report(0.0, "assembling stiffness and mass")
    stiffness, mass = _scatter(model, pieces, n_points, PartialProgress(progress, 0.05, 0.7))
    if model.point_masses:
        mass = (mass + point_mass_matrix(model, rotation_nodes)).tocsr()
    damping = None
    if model.springs:
        of_springs, damping = spring_matrices(model, rotation_nodes)
        stiffness = (stiffness + of_springs).tocsr()
    if model.foundations:
        stiffness = (stiffness + foundation_stiffness(model, rotation_nodes)).tocsr()
    progress.report(0.75, "applying couplings")
    matrices = _eliminate(model, rotation_nodes, stiffness, mass, damping)
    progress.report(1.0, f"{matrices.dofs.n_dofs} degrees of freedom")
    return matrices


def rigid_body_modes(nodes: np.ndarray, dofs: DofMap, point: np.ndarray | None = None) -> np.ndarray:
    """Return (n_dofs, 6): three unit translations, then three unit rotations about a point.

    Args:
        nodes: (n, 3) coordinates of the model's nodes.
        dofs: the dof map.
        point: (3,) the centre of the rotations; the origin without it.
    """
    arms = nodes - (np.zeros(3) if point is None else np.asarray(point, float))
    full = np.zeros((dofs.transformation.shape[0], 6))
    full[: 3 * len(nodes), :3] = np.tile(np.eye(3), (len(nodes), 1))
    full[: 3 * len(nodes), 3:] = cross_matrices(arms).reshape(-1, 3)
    full[3 * len(nodes) :, 3:] = np.tile(np.eye(3), (len(dofs.rotation_nodes), 1))
    rows = dofs.own_rows
    return np.where(rows[:, None] < 0, 0.0, full[rows])


@dataclass(frozen=True)
class _Piece:
    """A block, its kind and material; `points` (n, k) index the 3-vectors of the full vector used by each element."""

    block: ElementBlock
    kind: type[ElementKind]
    material: Material
    points: np.ndarray

    def chunks(self, nodes: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield (slice, coordinates) of so many elements that their matrices stay small."""
        step = max(1, CHUNK_BYTES // (8 * 9 * self.points.shape[1] ** 2))
        for start in range(0, len(self.points), step):
            part = slice(start, start + step)
            yield part, nodes[self.block.connectivity[part]]


def nodes_with_rotations(model: FeModel) -> np.ndarray:
    """Return (k,) ascending rows of the nodes that have rotations: of shells, beams, references and ends of springs."""
    turning = [b.connectivity.ravel() for b in model.blocks if element_kinds[b.element].rotations]
    carried = [c.reference for c in model.couplings] + [f.reference for f in model.foundations]
    references = np.array(carried, dtype=np.int64)
    return np.unique(np.concatenate([references, nodes_turned_by_springs(model), *turning])).astype(np.int64)


def _points(block: ElementBlock, model: FeModel, rotation_nodes: np.ndarray) -> np.ndarray:
    connectivity = np.asarray(block.connectivity, dtype=np.int64)
    if not element_kinds[block.element].rotations:
        return connectivity
    rotations = len(model.nodes) + np.searchsorted(rotation_nodes, connectivity)
    return np.stack([connectivity, rotations], axis=-1).reshape(len(connectivity), -1)


def _scatter(
    model: FeModel, pieces: list[_Piece], n_points: int, progress: Progress
) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Return K and M over the full vector."""
    turning = [p.points for p in pieces if p.kind.rotations]
    pattern = BlockPattern.of_elements([p.points for p in pieces], n_points)
    stiffness = np.zeros(9 * pattern.n_pairs)
    # Solids have one mass entry per pair of points; beams and shells have 3 × 3 blocks.
    mass = np.zeros(pattern.n_pairs)
    turning_pattern = BlockPattern.of_elements(turning, n_points) if turning else None
    turning_mass = np.zeros(9 * turning_pattern.n_pairs if turning_pattern else 0)
    done, total = 0, sum(len(p.points) for p in pieces)
    for piece in pieces:
        for part, coordinates in piece.chunks(model.nodes):
            points = piece.points[part]
            try:
                directions = None if piece.block.directions is None else piece.block.directions[part]
                of_stiffness = piece.kind.stiffness(
                    coordinates, piece.material, piece.block.section, directions
                )
                of_mass = piece.kind.mass(coordinates, piece.material, piece.block.section)
            except ElementShapeError as error:
                number = piece.block.ids[part.start + error.index]
                raise ModelError(
                    f"Element {number} ({piece.block.label}) {error.problem}.",
                    "Repair the mesh there; turn_elements of the model turns elements that are numbered left-handed.",
                ) from error
            pattern.add_blocks(stiffness, points, of_stiffness)
            if turning_pattern and piece.kind.rotations:
                turning_pattern.add_blocks(turning_mass, points, of_mass)
            else:
                pattern.add_scalars(mass, points, of_mass)
            done += len(points)
            progress.report(done / total, f"{done} of {total} elements")
    full_mass = pattern.scalar_matrix(mass)
    if turning_pattern:
        full_mass = (full_mass + turning_pattern.block_matrix(turning_mass)).tocsr()
    return pattern.block_matrix(stiffness), full_mass


def _eliminate(
    model: FeModel,
    rotation_nodes: np.ndarray,
    stiffness: sp.csr_matrix,
    mass: sp.csr_matrix,
    damping: sp.csr_matrix | None,
) -> StructuralMatrices:
    """Return the matrices over the independent dofs: with T = E + D, EᵀKE + (DᵀKE + transpose) + DᵀKD."""
    n_full = stiffness.shape[0]
    dependents = resolve_kinematic_couplings(model, rotation_nodes)
    constraints = distributing_rows(model, rotation_nodes)
    # A dof is independent if no equation makes it dependent and it has stiffness, followers or a constraint, or belongs
    # to a mass on springs.
    moved = stiffness.diagonal() != 0.0
    heavy = (mass.diagonal() != 0.0).reshape(-1, 3)
    moved |= (heavy & moved.reshape(-1, 3).any(axis=1)[:, None]).ravel()
    moved[dependents.coefficients.indices] = True
    moved[constraints.indices] = True
    moved[dependents.rows] = False
    independent = np.flatnonzero(moved)

    selected, selected_mass = _principal(stiffness, independent), _principal(mass, independent)
    follow = dependents.coefficients[:, independent].tocsr()
    if len(dependents.rows):
        selected = selected + _follower_terms(stiffness, dependents.rows, independent, follow)
        selected_mass = selected_mass + _follower_terms(mass, dependents.rows, independent, follow)

    transformation = _transformation(n_full, independent, dependents.rows, follow)
    reduced_constraints = (constraints @ transformation).tocsr()
    # A reference node's dof without stiffness and mass (one coupled node at the same place) is left out.
    damped = None if damping is None else (transformation.T @ damping @ transformation).tocsr()
    loose = (selected.diagonal() == 0.0) & (selected_mass.diagonal() == 0.0)
    loose[reduced_constraints.indices] = False
    if loose.any():
        keep = np.flatnonzero(~loose)
        selected, selected_mass = _principal(selected, keep), _principal(selected_mass, keep)
        transformation, reduced_constraints = transformation[:, keep], reduced_constraints[:, keep]
        damped = None if damped is None else damped[keep][:, keep]
    dofs = DofMap(len(model.nodes), rotation_nodes, transformation.tocsr(), dependents.rows)
    return StructuralMatrices(
        selected.tocsr(), selected_mass.tocsr(), dofs, reduced_constraints.tocsr(), damping=damped
    )


def _principal(matrix: sp.csr_matrix, kept: np.ndarray) -> sp.csr_matrix:
    """Return the submatrix of the kept rows and columns, ascending; the matrix itself if all are kept."""
    return matrix if len(kept) == matrix.shape[0] else matrix[kept][:, kept]


def _follower_terms(
    matrix: sp.csr_matrix, rows: np.ndarray, independent: np.ndarray, follow: sp.csr_matrix
) -> sp.csr_matrix:
    """Return DᵀKE + its transpose + DᵀKD, from the dependent rows of K alone."""
    strip = matrix[rows]
    across = follow.T @ strip[:, independent]
    terms: sp.csr_matrix = (across + across.T + follow.T @ (strip[:, rows] @ follow)).tocsr()
    return terms


def _transformation(
    n_full: int, independent: np.ndarray, rows: np.ndarray, follow: sp.csr_matrix
) -> sp.csr_matrix:
    counts = np.zeros(n_full, dtype=np.int64)
    counts[independent] = 1
    counts[rows] = np.diff(follow.indptr)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    data, indices = np.ones(indptr[-1]), np.zeros(indptr[-1], dtype=np.int64)
    indices[indptr[independent]] = np.arange(len(independent))
    # Dependent rows ascend, so their entries have the same order in D as in T.
    of_dependents = np.repeat(np.isin(np.arange(n_full), rows), counts)
    indices[of_dependents], data[of_dependents] = follow.indices, follow.data
    return sp.csr_matrix((data, indices, indptr), shape=(n_full, len(independent)))


def checked_material(model: FeModel, block: ElementBlock) -> Material:
    """Return the block's material, after a check that it exists and that its constants are possible.

    Raises:
        ModelError: naming the material and what to do.
    """
    first = f" (the first is element {block.ids[0]})"
    kind = element_kinds[block.element]
    if kind.rotations and block.section is None:
        what, words = (
            ("shells", "*SHELL SECTION, PSHELL or SECDATA")
            if kind.is_shell
            else ("beams", "*BEAM SECTION, PBEAM or PBAR")
        )
        raise ModelError(
            f"{len(block.ids)} {what} of type {block.label}{first} have no section.",
            f"Give them a section in the file of the model, such as {words}.",
        )
    if not block.material:
        raise ModelError(
            f"{len(block.ids)} elements of type {block.label}{first} have no material.",
            "Choose one under Materials of the body, or give the elements a section with a material in the deck.",
        )
    material = model.materials.get(block.material)
    if material is None:
        known = ", ".join(model.materials) or "none"
        raise ModelError(
            f"There is no material called {block.material!r}.", f"The deck has: {known}; add it or rename it."
        )
    plies = block.section.plies if isinstance(block.section, ShellSection) else ()
    for each in (*(ply.material for ply in plies), material):
        _check_constants(each)
    problem = material_misfit(material, block)
    if problem:
        raise ModelError(
            f"{problem}.", "Choose another material for them under Materials of the body, or in the deck."
        )
    return material


def _check_constants(material: Material) -> None:
    if not material.youngs_modulus > 0.0:
        raise ModelError(
            f"Material {material.name!r} has a Young's modulus of {material.youngs_modulus:g}.",
            "Give it a positive modulus in the deck, or choose another material under Materials of the body.",
        )
    if is_isotropic(material) and not -1.0 < material.poisson_ratio < 0.5:
        raise ModelError(
            f"Material {material.name!r} has a Poisson's ratio of {material.poisson_ratio:g}, "
            "which is not between -1 and 0.5.",
            "Correct it in the deck; for a nearly incompressible material take 0.49.",
        )
    if not material.density >= 0.0:  # statics needs no density; analyses that do call `require_densities`
        raise ModelError(
            f"Material {material.name!r} has a density of {material.density:g}, which is negative.",
            "Mend it in the deck, or choose another material under Materials of the body.",
        )


def material_misfit(material: Material, block: ElementBlock) -> str:
    """Return why a material of this kind does not suit the elements, as a sentence without full stop; "" if it does."""
    kind = element_kinds[block.element]
    what = "shells" if kind.is_shell else "beams" if kind.rotations else "solids"
    whose = (
        f"Material {material.name!r} of {len(block.ids)} {what} of type {block.label} "
        f"(the first is element {block.ids[0]})"
    )
    if not kind.is_shell and material.kind in _OF_SHELLS:
        why = "a lamina, in plane stress" if material.kind == "lamina" else "a laminate"
        return f"{whose} is {why}, which shells alone can have"
    if what == "beams" and not is_isotropic(material):
        return f"{whose} is {material.kind}, but beams have an isotropic one here"
    has_plies = isinstance(block.section, ShellSection) and bool(
        block.section.plies or block.section.stiffness
    )
    lacks = material.kind == "laminate" and not has_plies
    return f"{whose} stands for plies, which their section lacks" if lacks else ""
