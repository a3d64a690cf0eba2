"""Supports of a deck's load cases: held by all cases, displaced or released by some.

A body has one set of supports for all load cases. Nodes fixed in all cases belong to one ground; nodes displaced in
some case follow new nodes, which analyses displace.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from faying.errors import ModelError
from faying.fem.assembly import nodes_with_rotations
from faying.fem.couplings import cross_matrices, resolve_kinematic_couplings
from faying.fem.model import DeckCase, DeckSupport, FeModel
from faying.fem.supports import with_supports

Held = dict[tuple[int, int], float]
"""(row of a node, component 1 to 6): displacement or rotation; zero where it is held at rest."""
Displacements = tuple[tuple[str, int, float], ...]

_MOST_FREED = 12  # components that only some cases hold
_MOST_DISPLACED = 24  # displaced nodes
_ROUND_OFF = 1e-9


@dataclass(frozen=True)
class SharedSupport:
    """Support common to the cases of a deck.

    Attributes:
        support: support of all compatible cases; None if nothing is held.
        displacements: for each case, name of a displaced node, component and value; None for an incompatible case.
        reasons: explanations for incompatible cases.
    """

    support: DeckSupport | None
    displacements: tuple[Displacements | None, ...]
    reasons: dict[int, str]


def shared_support(
    cases: Sequence[Held], nodes: np.ndarray, directions: Mapping[int, np.ndarray] | None = None
) -> SharedSupport:
    """Return the common support of load cases; the first case is always compatible if its support is possible.

    Args:
        cases: held components of each case.
        nodes: (n, 3) coordinates.
        directions: (3, 3) directions, as rows, of nodes with their own directions.
    """
    turned = directions or {}
    reasons: dict[int, str] = {}
    own = {node for node, axes in turned.items() if np.abs(axes - np.eye(3)).max() > _ROUND_OFF}
    freed = _freed(cases, own, reasons)
    always = set(cases[0]) - freed if cases else set()
    while True:
        fitting = [i for i in range(len(cases)) if i not in reasons]
        groups = _groups(cases, fitting, always, freed)
        moving = {at: groups[at] for at in groups if any(at[1])}
        bad = _unfit(moving, nodes, own)
        if not bad:
            break
        # Exclude cases with displacements, so that cases with fixed supports remain.
        displacing = [i for i in fitting if any(cases[i].get(key) for key in bad)]
        if not displacing:
            return SharedSupport(None, (None,) * len(cases), dict.fromkeys(range(len(cases)), _VARIED))
        reasons |= dict.fromkeys(displacing, _VARIED)
    resting = [key for at, keys in groups.items() if not any(at[1]) for key in keys]
    if not resting:
        for i in fitting:
            reasons[i] = "nothing is held at rest"
        return SharedSupport(None, (None,) * len(cases), reasons)
    names = [f"displaced {k}" for k in range(1, 1 + len(moving))]
    found: list[Displacements | None] = []
    for i, case in enumerate(cases):
        if i in reasons:
            found.append(None)
            continue
        given: list[tuple[str, int, float]] = []
        for name, keys in zip(names, moving.values(), strict=True):
            component = keys[0][1]
            if keys[0] in case:
                given.append((name, component, case[keys[0]]))
                given += [(name, k, 0.0) for k in _turning(keys, nodes) or ()]
        found.append(tuple(given))
    rows = [(key, -1) for key in resting]
    rows += [(key, k) for k, keys in enumerate(moving.values()) for key in keys]
    support = DeckSupport(
        np.array([node for (node, _), _ in rows], np.int64),
        np.array([component for (_, component), _ in rows], np.int64),
        np.array([turned.get(node, np.eye(3))[(component - 1) % 3] for (node, component), _ in rows]),
        np.array([k for _, k in rows], np.int64),
        tuple(names),
    )
    return SharedSupport(support, tuple(found), reasons)


def with_usable_support(model: FeModel, tell: Callable[[str], None]) -> FeModel:
    """Return the model, without supports and load cases if other constraints act on held nodes.

    Cases that act on nodes without elements and constraints are removed too.

    Args:
        model: model with all its constraints.
        tell: called with the reason.
    """
    if model.deck_support is None:
        return model
    try:
        held = with_supports(model, (), as_in_deck=True)
        resolve_kinematic_couplings(held, nodes_with_rotations(held))
    except ModelError as error:
        tell(f"supports and load cases are not taken over: {error.message}")
        return replace(model, deck_support=None, deck_cases=())
    return replace(model, deck_cases=tuple(_cases_that_move(model, tell)))


def with_held_grounds(model: FeModel, grounds: np.ndarray) -> FeModel:
    """Return the model with grounded spring ends added to the deck's support, if it has one.

    Args:
        model: model with the deck's supports.
        grounds: (n,) rows of the grounded ends.
    """
    support = model.deck_support
    if support is None:
        return model
    n = len(grounds)
    held = replace(
        support,
        nodes=np.append(support.nodes, np.repeat(grounds, 6)),
        components=np.append(support.components, np.tile(np.arange(1, 7), n)),
        directions=np.vstack([support.directions, np.tile(np.eye(3), (2 * n, 1))]),
        displaced=np.append(support.displaced, np.full(6 * n, -1)),
    )
    return replace(model, deck_support=held)


def _cases_that_move(model: FeModel, tell: Callable[[str], None]) -> Iterator[DeckCase]:
    """Yield the cases that act only on nodes of elements and constraints; others depend on input that was left out."""
    assert model.deck_support is not None
    idle = np.ones(len(model.nodes), bool)
    for rows in (
        *(block.connectivity for block in model.blocks),
        *(np.append(coupling.nodes, coupling.reference) for coupling in model.couplings),
        *(equations.nodes for equations in model.equations),
        *(spring.nodes for spring in model.springs),
    ):
        idle[rows] = False
    support, left_out = model.deck_support, False
    displaced = support.displaced[(support.displaced >= 0) & idle[support.nodes]]
    still = {support.displaced_nodes[k] for k in displaced.tolist()}
    still |= {name for name, load in model.deck_loads.items() if idle[load.nodes].any()}
    for case in model.deck_cases:
        if still & {*(name for name, _ in case.loads), *(name for name, _, _ in case.displacements)}:
            tell(f"{case.name} is no analysis: it acts on nodes without elements and constraints")
            left_out = True
            continue
        yield replace(case, follows=False) if left_out and case.follows else case
        left_out = False


_VARIED = "displacements that vary from node to node, or in directions of their own"
_OTHERS = "other nodes are held than in the cases before it"


def _freed(cases: Sequence[Held], turned: set[int], reasons: dict[int, str]) -> set[tuple[int, int]]:
    """Return components held in some cases only; cases that differ in more components are incompatible."""
    freed: set[tuple[int, int]] = set()
    for i, case in enumerate(cases):
        more = freed | (set(cases[0]) ^ set(case))
        if len(more) > _MOST_FREED or not set(cases[0]) - more or turned & {node for node, _ in more}:
            reasons[i] = _OTHERS if case else "nothing is held"
        else:
            freed = more
    return freed


_Group = tuple[object, tuple[float, ...]]


def _groups(
    cases: Sequence[Held], fitting: Sequence[int], always: set[tuple[int, int]], freed: set[tuple[int, int]]
) -> dict[_Group, list[tuple[int, int]]]:
    """Return groups of components with equal displacements in all cases; released components form separate groups."""
    found: dict[_Group, list[tuple[int, int]]] = {}
    for key in [*(key for key in cases[0] if key in always), *sorted(freed)] if cases else []:
        values = tuple(cases[i].get(key, np.nan) for i in fitting)
        # NaN marks a free component and counts as nonzero.
        found.setdefault((key if key in freed else key[1], values), []).append(key)
    return found


def _unfit(
    moving: Mapping[_Group, list[tuple[int, int]]], nodes: np.ndarray, turned: set[int]
) -> set[tuple[int, int]]:
    """Return the components that no displaced node can represent."""
    bad: set[tuple[int, int]] = set()
    for keys in moving.values():
        own = turned & {node for node, _ in keys}
        if own or len(moving) > _MOST_DISPLACED or _turning(keys, nodes) is None:
            bad.update(keys)
    return bad


def _turning(keys: Sequence[tuple[int, int]], nodes: np.ndarray) -> list[int] | None:
    """Return the rotations about the nodes' mean position that displace them along a component; None if dependent."""
    component = keys[0][1]
    if component > 3:
        return []
    points = nodes[[node for node, _ in keys]]
    arms = cross_matrices(points - points.mean(axis=0))[:, component - 1]
    sizes = np.abs(arms).max(axis=0)
    attached = np.flatnonzero(sizes > _ROUND_OFF * max(1e-300, float(np.ptp(points, axis=0).max())))
    if len(attached) and np.linalg.matrix_rank(arms[:, attached], tol=1e-6 * sizes.max()) < len(attached):
        return None
    return [4 + int(k) for k in attached]
