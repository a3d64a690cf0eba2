"""Supports on surfaces: fixed, symmetry, frictionless or elastic, on one rigid ground whose node analyses hold.

The ground is a massless node. Surfaces follow it in the directions held by their supports, so the body can still move
with the ground, and fixing that node fixes all supports. A support that moves by itself has a separate node of this
kind, which analyses can displace, load, or leave free. Where it can slide on the surface, very soft springs connect it
to the body, so that its position is determined.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from faying.errors import ModelError
from faying.fem.assembly import nodes_with_rotations
from faying.fem.couplings import full_dofs, resolve_kinematic_couplings
from faying.fem.model import Coupling, DeckSupport, FeModel, Foundation, HeldSurface, LinearEquations
from faying.fem.selections import surface_selections
from faying.fem.skin import Skin, facet_areas, facet_centroids, facet_normals, find_skin, nodal_normals
from faying.fem.surface import Surface, nodal_areas
from faying.fem.tie_equations import nodes_that_turn
from faying.params import Spec, member_of, parameter

GROUND = "supports"
"""Name of the ground's node set, and of the interface node at it."""
_FLAT = np.cos(np.radians(2.0))
_RANK_TOLERANCE = 1e-3  # relative singular value up to which directions count as dependent
_NEXT_TO_NOTHING = 1e-8  # stiffness of the soft springs relative to that of a cube of the body's material
_ROUNDING = 1e-12  # round-off of a unit vector


class SupportSpec(Spec):
    """A surface that is supported if the analysis holds the interface node "supports", or the support's own node."""

    name: str = parameter(title="Name", min_length=1, meaning="Name of the support.")
    surface: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Surface", meaning="The surface that is supported."
    )
    behaviour: Literal["fixed", "frictionless", "symmetry", "elastic"] = parameter(
        "fixed", title="Behaviour",
        meaning="Fixed: no node of the surface moves. Frictionless: it slides, and moves neither into the support nor "
        "off it. Symmetry: the same of a plane, where shells do not turn out of it either. Elastic: it lies on "
        "springs.",
    )  # fmt: skip
    normal_stiffness: float = parameter(
        0.0, title="Normal stiffness", quantity="contact_stiffness", ge=0.0,
        meaning="Of an elastic support: pressure per displacement along the surface's normal, both ways.",
    )  # fmt: skip
    tangential_stiffness: float = parameter(
        0.0, title="Tangential stiffness", quantity="contact_stiffness", ge=0.0,
        meaning="Of an elastic support: stress per displacement along the surface.",
    )  # fmt: skip
    moves: bool = parameter(
        False, title="Moves by itself",
        meaning="Whether the support stands on a rigid body of its own instead of the ground: the interface node of "
        "its name, by which analyses displace the surface, as a punch does, or load it. What the ground holds of a "
        "node already stays with it.",
    )  # fmt: skip

    @property
    def ground(self) -> str:
        """Name of the support's ground: of its node set and interface node."""
        return self.name if self.moves else GROUND


def with_supports(model: FeModel, supports: Sequence[SupportSpec], as_in_deck: bool = False) -> FeModel:
    """Return the model with ground nodes, their node sets, and the constraints that connect the surfaces to them.

    Args:
        model: of the deck.
        supports: supports of surfaces.
        as_in_deck: whether to add the deck's supports to the ground; displaced nodes of the deck follow separate nodes.

    Raises:
        ModelError: when a surface cannot be chosen, is not flat (symmetry), or springs have no stiffness; when the deck
            has a node set called "supports" or named like a support that moves by itself; when such a support is called
            "supports" and there are others; or when the deck has no supports.
    """
    of_deck = model.deck_support if as_in_deck else None
    if as_in_deck and of_deck is None:
        raise ModelError(
            "The deck holds no nodes, or not the same ones in all its load cases.",
            "Switch its supports off (deck_supports), and add supports or interface nodes.",
        )
    if not supports and of_deck is None:
        return model
    names = {spec.ground for spec in supports} | ({GROUND, *of_deck.displaced_nodes} if of_deck else set())
    grounds = sorted(names, key=lambda name: (name != GROUND, name))
    for name in grounds:
        if name in model.node_sets:
            raise ModelError(
                f"The deck has a node set called {name!r}, which is the name of the node of "
                + ("all supports." if name == GROUND else "a support that moves by itself."),
                "Give the support another name."
                if any(name == spec.ground for spec in supports if spec.moves)
                else "Give the deck's node set another name.",
            )
    if len({spec.moves for spec in supports if spec.ground == GROUND}) > 1:
        raise ModelError(
            f"A support that moves by itself is called {GROUND!r}, which is the name of the node of all others.",
            "Give the support another name.",
        )
    first = len(model.nodes)
    skin = find_skin(model) if supports else None
    turning = nodes_that_turn(model.blocks, len(model.nodes))
    couplings, foundations, middles = list(model.couplings), list(model.foundations), []
    equations, surfaces = list(model.equations), dict[str, HeldSurface]()
    for row, ground in enumerate(grounds, first):
        held: dict[int, list[np.ndarray]] = {}
        turned: dict[int, list[np.ndarray]] = {}
        moments, sizes, followers = [], [], []
        for spec in supports:
            if spec.ground != ground:
                continue
            assert skin is not None  # there are supports
            try:
                surface = spec.surface.select(model, skin)
            except ModelError as error:
                raise ModelError(f"Support {spec.name!r}: {error.message}", error.hint) from None
            areas = facet_areas(surface, model.nodes)
            moments.append(areas @ facet_centroids(surface, model.nodes))
            sizes.append(areas.sum())
            normals = nodal_normals(surface, model.nodes)
            middle = moments[-1] / sizes[-1]
            if spec.moves:
                foundations.append(_taking_along(spec, model, surface, row))
            if spec.behaviour == "elastic":
                foundations.append(_springs(spec, model, surface, normals, row))
                none = np.zeros((len(surface.nodes), 3, 3))
                surfaces[spec.name] = HeldSurface(
                    spec.name, row, surface.nodes, normals.copy(), middle, none, none.copy(), True
                )
                continue
            if spec.behaviour == "symmetry":
                normals = np.broadcast_to(_plane_normal(spec, surface, model.nodes), normals.shape)
            moved, turned_rows = _held_directions(spec, normals, turning[surface.nodes])
            surfaces[spec.name] = HeldSurface(
                spec.name, row, surface.nodes, normals.copy(), middle, moved, turned_rows
            )
            if spec.moves:
                followers.append((spec, surface.nodes, normals))
                continue
            for node, normal in zip(surface.nodes.tolist(), normals, strict=True):
                own = np.eye(3) if spec.behaviour == "fixed" else normal[None]
                held.setdefault(node, []).append(own)
                if not turning[node]:
                    continue
                if spec.behaviour == "fixed":
                    turned.setdefault(node, []).append(own)
                elif spec.behaviour == "symmetry":
                    turned.setdefault(node, []).append(np.eye(3) - np.outer(normal, normal))
        if of_deck is not None and ground in (GROUND, *of_deck.displaced_nodes):
            nodes = _add_of_deck(of_deck, ground, nodes_with_rotations(model), held, turned)
            if not moments:
                moments, sizes = [model.nodes[nodes].mean(axis=0)], [1.0]
        middles.append(np.sum(moments, axis=0) / np.sum(sizes))
        couplings += [*_couplings(held, 0, row, ground), *_couplings(turned, 3, row, ground)]
        equations += [_following(*one, model.nodes, middles[-1], row, turning) for one in followers]
    numbers = int(model.node_ids.max(initial=0)) + 1 + np.arange(len(grounds))
    return replace(
        model,
        node_ids=np.append(model.node_ids, numbers),
        nodes=np.vstack([model.nodes, *middles]),
        node_sets={**model.node_sets, **{name: np.array([row]) for row, name in enumerate(grounds, first)}},
        couplings=tuple(couplings),
        equations=tuple(equations),
        foundations=tuple(foundations),
        held_surfaces=tuple(surfaces[spec.name] for spec in supports),
    )


def moved_components(model: FeModel) -> dict[str, tuple[int, ...]]:
    """Return the components 1 to 6 in which the ground of the deck's supports, and each displaced node, move the body.

    Args:
        model: model of a deck with supports, before they are added.
    """
    held = with_supports(model, (), as_in_deck=True)
    rotations = nodes_with_rotations(held)
    moving = np.unique(resolve_kinematic_couplings(held, rotations).coefficients.indices)
    found = {}
    for name in (GROUND, *(model.deck_support.displaced_nodes if model.deck_support else ())):
        dofs = full_dofs(len(held.nodes), rotations, int(held.node_sets[name][0]))
        found[name] = tuple((1 + np.flatnonzero(np.isin(dofs, moving))).tolist())
    return found


def _add_of_deck(
    support: DeckSupport,
    ground: str,
    turning: np.ndarray,
    held: dict[int, list[np.ndarray]],
    turned: dict[int, list[np.ndarray]],
) -> np.ndarray:
    """Add the directions in which a deck holds nodes on one ground; return the distinct rows of these nodes.

    Args:
        support: the deck's supports.
        ground: name of the ground, or of a displaced node.
        turning: (k,) rows of nodes with rotations; rotations of other nodes are ignored.
        held: directions of displacements, extended in place.
        turned: directions of rotations, extended in place.
    """
    names = (*support.displaced_nodes, GROUND)  # −1 counts from the end
    own = np.array([name == ground for name in names])[support.displaced]
    turning_nodes = set(turning.tolist())
    for node, component, direction in zip(
        support.nodes[own].tolist(), support.components[own].tolist(), support.directions[own], strict=True
    ):
        if component <= 3:
            held.setdefault(node, []).append(direction[None])
        elif node in turning_nodes:
            turned.setdefault(node, []).append(direction[None])
    return np.unique(support.nodes[own])


def _held_directions(
    spec: SupportSpec, normals: np.ndarray, turning: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, 3, 3) directions, as rows, in which a support holds displacements, and those for rotations."""
    moved, turned = np.zeros((2, len(normals), 3, 3))
    if spec.behaviour == "fixed":
        moved[:], turned[turning] = np.eye(3), np.eye(3)
    else:
        moved[:, 0] = normals
    if spec.behaviour == "symmetry":
        turned[turning] = (np.eye(3) - normals[:, :, None] * normals[:, None, :])[turning]
    return moved, turned


def _following(
    spec: SupportSpec,
    rows: np.ndarray,
    normals: np.ndarray,
    nodes: np.ndarray,
    middle: np.ndarray,
    ground: int,
    turning: np.ndarray,
) -> LinearEquations:
    """Return n · u = n · (u_g + θ_g × d) for nodes of a surface that follows a ground, along the held directions n.

    An equation is skipped if another condition prescribes its first component, such as a second support at an edge.
    """
    first, terms = list[int](), list[dict[int, float]]()
    for node, normal in zip(rows.tolist(), normals, strict=True):
        arm = nodes[node] - middle
        for n in np.eye(3) if spec.behaviour == "fixed" else normal[None]:
            main = int(np.argmax(np.abs(n)))
            own = {6 * node + j: -n[j] for j in range(3) if j != main}
            carried = {6 * ground + j: v for j, v in enumerate((*n, *np.cross(arm, n)))}
            first.append(6 * node + main)
            terms.append({c: float(v / n[main]) for c, v in (own | carried).items() if abs(v) > _ROUNDING})
        if spec.behaviour == "fixed" and turning[node]:
            first += [6 * node + 3 + j for j in range(3)]
            terms += [{6 * ground + 3 + j: 1.0} for j in range(3)]
    starts = np.cumsum([0, *(1 + len(row) for row in terms)])
    columns = np.concatenate([[c, *row] for c, row in zip(first, terms, strict=True)]).astype(np.int64)
    coefficients = np.concatenate([[-1.0, *row.values()] for row in terms])
    return LinearEquations(
        f"support {spec.name}", starts, columns // 6, columns % 6 + 1, coefficients, yields=True
    )


def _couplings(directions: dict[int, list[np.ndarray]], first: int, ground: int, name: str) -> list[Coupling]:
    """Return couplings for the nodes that are held in one, in two and in three directions.

    Args:
        directions: held directions, as rows, of each node.
        first: 0 for displacements, 3 for rotations.
        ground: row of the ground's node.
        name: of the ground.
    """
    found = []
    each = {node: _independent(np.vstack(rows)) for node, rows in directions.items()}
    for count in (1, 2, 3):
        nodes = [node for node, (held, _) in each.items() if held == count]
        if nodes:
            components = tuple(first + 1 + i for i in range(count))
            axes = np.stack([each[node][1] for node in nodes]) if count < 3 else None
            found.append(
                Coupling(name, "kinematic", ground, np.array(nodes), components, np.ones(len(nodes)), axes)
            )
    return found


def _independent(rows: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the number of independent directions, and (3, 3) orthonormal rows of which the first span them."""
    _, values, axes = np.linalg.svd(rows)
    # Round-off in place of a direction would leave a motion of almost no stiffness.
    return int((values > _RANK_TOLERANCE * values[0]).sum()), np.where(np.abs(axes) < _ROUNDING, 0.0, axes)


def _springs(
    spec: SupportSpec, model: FeModel, surface: Surface, normals: np.ndarray, ground: int
) -> Foundation:
    if not spec.normal_stiffness and not spec.tangential_stiffness:
        raise ModelError(
            f"The elastic support {spec.name!r} has no stiffness.", "Give its normal or tangential stiffness."
        )
    along = normals[:, :, None] * normals[:, None, :]
    springs = spec.normal_stiffness * along + spec.tangential_stiffness * (np.eye(3) - along)
    areas = nodal_areas(surface, model.nodes)
    return Foundation(spec.name, ground, surface.nodes, areas[:, None, None] * springs)


def require_support(model: FeModel, skin: Skin, spec: SupportSpec) -> None:
    """Check that a support suits its surface before it is added to a project.

    Args:
        model: of the body.
        skin: of the model.
        spec: the new support.

    Raises:
        ModelError: when its surface cannot be chosen, or is not flat (symmetry).
    """
    surface = spec.surface.select(model, skin)
    if spec.behaviour == "symmetry":
        _plane_normal(spec, surface, model.nodes)


def _taking_along(spec: SupportSpec, model: FeModel, surface: Surface, ground: int) -> Foundation:
    """Return very soft springs in all directions, which determine the position of a support that slides on the surface.

    Raises:
        ModelError: for a plane of symmetry, which cannot move.
    """
    if spec.behaviour == "symmetry":
        raise ModelError(
            f"Support {spec.name!r} is a plane of symmetry, which does not move by itself.",
            "Make it frictionless, or let it stand on the ground.",
        )
    areas = nodal_areas(surface, model.nodes)
    stiffest = max((material.youngs_modulus for material in model.materials.values()), default=1.0)
    spring = _NEXT_TO_NOTHING * stiffest / np.sqrt(areas.sum())
    return Foundation(spec.name, ground, surface.nodes, spring * areas[:, None, None] * np.eye(3))


def _plane_normal(spec: SupportSpec, surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (3,) the normal of a plane of symmetry."""
    normals = facet_normals(surface, nodes)
    mean = facet_areas(surface, nodes) @ normals
    mean = mean / (np.linalg.norm(mean) or 1.0)
    if (normals @ mean < _FLAT).any():
        raise ModelError(
            f"Support {spec.name!r}: the surface is not flat, so it is no plane of symmetry.",
            "Choose one of its planes, or make the support frictionless.",
        )
    return np.asarray(mean)
