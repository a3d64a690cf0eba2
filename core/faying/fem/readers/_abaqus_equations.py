"""Linear equations (`*EQUATION`), also between nodes with directions of their own (`*TRANSFORM`)."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.model import LinearEquations
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_numbers import integer, real
from faying.fem.readers._abaqus_scopes import DeckScope, Unread
from faying.fem.readers._abaqus_sets import NamedSets
from faying.fem.readers._text_files import FileLine
from faying.fem.turned_couplings import solved_for_some

_Terms = dict[tuple[int, int], float]  # coefficient by node row and component 1 to 6


def read_equation(node_sets: NamedSets, scope: DeckScope, card: Card, unread: Unread) -> LinearEquations:
    """Return the equations of one card in the deck's directions; equations of temperatures are listed as unread.

    Raises:
        ReadError: for nodes that do not exist, or invalid equations.
    """
    rows, components, coefficients, starts = [], [], [], [0]
    dependents: dict[tuple[int, int], FileLine] = {}
    lines = iter(list(card.rows()))
    for place, fields in lines:
        count = integer(fields[0], place, "the number of terms")
        if count < 1:
            raise place.error(f"found {count}, expected the number of terms.", "Mend the equation.")
        terms: list[tuple[np.ndarray, int, float]] = []
        strange: list[tuple[FileLine, int]] = []
        while len(terms) < count:
            at, texts = next(lines, (place, []))
            if len(texts) < 3:
                raise at.error(
                    f"expected {count} terms of node, component, coefficient.", "Mend the equation."
                )
            for k in range(0, len(texts) - 2, 3):
                nodes = node_sets.members(scope.name, texts[k], at)
                component = integer(texts[k + 1], at, "a component 1 to 6")
                if not 1 <= component <= 6:
                    strange.append((at, component))
                terms.append((nodes, component, real(texts[k + 2], at, "a coefficient")))
        if len(terms) > count:
            raise place.error(f"found {len(terms)} terms, expected {count}.", "Mend the equation.")
        if len(strange) == len(terms):  # temperature is 11, others are pore pressure, electric potential, …
            unread.note(place, f"components {strange[0][1]} of {card.title}: they move no node")
            continue
        if strange:
            at, component = strange[0]
            raise at.error(f"found {component}, expected a component 1 to 6.", "Mend the equation.")
        # A term may be a set; then there is an equation for each of its nodes.
        size = max(len(nodes) for nodes, _, _ in terms)
        if terms[0][2] == 0.0 or any(len(nodes) not in (1, size) for nodes, _, _ in terms):
            raise place.error(
                "the first coefficient is zero, or its sets differ in size.", "Mend the equation."
            )
        for i in range(size):
            for nodes, component, coefficient in terms:
                rows.append(int(nodes[min(i, len(nodes) - 1)]))
                components.append(component)
                coefficients.append(coefficient)
            first = rows[starts[-1]], components[starts[-1]]
            if dependents.setdefault(first, place) is not place:
                raise place.error(
                    f"its first term is that of line {dependents[first].line} too.",
                    "Begin with another term.",
                )
            starts.append(len(rows))
    return LinearEquations(
        f"EQUATION of line {card.place.line}", np.array(starts), np.array(rows, np.int64),
        np.array(components, np.int64), np.array(coefficients, float),
    )  # fmt: skip


def in_global_directions(
    equations: tuple[LinearEquations, ...], transforms: dict[int, np.ndarray], deck: Path
) -> tuple[LinearEquations, ...]:
    """Return equations in global components from equations in which some nodes have their own directions.

    A component in a node's own directions is a linear combination of global ones. The first term of an equation is
    eliminated; all equations whose first term is at one such node are solved together for as many of its global
    components.

    Args:
        equations: in the own directions of the nodes in `transforms`; yielding equations stay unchanged.
        transforms: (3, 3) directions as rows, by node row.
        deck: path, for error messages.

    Raises:
        ReadError: when the equations of a node contradict each other.
    """
    own = [np.isin(of_card.nodes, list(transforms)).any() and not of_card.yields for of_card in equations]
    if not any(own):
        return equations
    # Equations whose first term is at the same transformed node are solved together, across cards; others separately.
    groups: dict[tuple[int, bool, int], list[_Terms]] = {}
    card_of: dict[tuple[int, bool, int], int] = {}
    for at, of_card in enumerate(equations):
        for start, stop in zip(of_card.starts[:-1].tolist(), of_card.starts[1:].tolist(), strict=True):
            if own[at]:
                first, turns = int(of_card.nodes[start]), bool(of_card.components[start] > 3)
                key = (first, turns, -1 if first in transforms else len(groups))
                groups.setdefault(key, []).append(_turned(of_card, slice(start, stop), transforms))
                card_of.setdefault(key, at)
    solved: dict[int, list[_Terms]] = {at: [] for at, is_own in enumerate(own) if is_own}
    for key, terms in groups.items():
        node, turns, _ = key
        try:
            solved[card_of[key]] += _solved(node, turns, terms) if node in transforms else terms
        except np.linalg.LinAlgError:
            raise ReadError(
                deck, None,
                f"{equations[card_of[key]].name}: the equations that move one node in its own directions contradict "
                "each other.",
                "Begin them with other terms.",
            ) from None  # fmt: skip
    return tuple(
        _with_terms(of_card, solved[at]) if own[at] else of_card for at, of_card in enumerate(equations)
    )


def _with_terms(of_card: LinearEquations, equations: list[_Terms]) -> LinearEquations:
    rows = [term for equation in equations for term in equation.items()]
    return replace(
        of_card,
        starts=np.cumsum([0, *(len(equation) for equation in equations)]),
        nodes=np.array([node for (node, _), _ in rows], np.int64),
        components=np.array([component for (_, component), _ in rows], np.int64),
        coefficients=np.array([value for _, value in rows], float),
    )


def _turned(equations: LinearEquations, part: slice, transforms: dict[int, np.ndarray]) -> _Terms:
    """Return the terms of one equation in global components."""
    found: _Terms = {}
    for node, component, value in zip(
        equations.nodes[part].tolist(),
        equations.components[part].tolist(),
        equations.coefficients[part].tolist(),
        strict=True,
    ):
        axes = transforms.get(node, np.eye(3))
        rotation = 3 if component > 3 else 0
        for j, share in enumerate(axes[component - 1 - rotation].tolist()):
            if share:
                key = (node, rotation + j + 1)
                found[key] = found.get(key, 0.0) + value * share
    return found


def _solved(node: int, turns: bool, equations: list[_Terms]) -> list[_Terms]:
    """Return the equations solved for global components of one node; each begins with a different component."""
    own = [(node, c + (3 if turns else 0)) for c in (1, 2, 3)]
    matrix = np.array([[terms.get(key, 0.0) for key in own] for terms in equations])
    if np.linalg.matrix_rank(matrix) < len(equations):
        raise np.linalg.LinAlgError
    pivots, solved = solved_for_some(matrix)
    # Apply the same combination of equations to all other terms.
    shares = np.linalg.inv(matrix[:, pivots])
    found = []
    for pivot, row, share in zip(pivots, solved, shares, strict=True):
        terms: _Terms = {own[pivot]: 1.0}
        for j in range(3):
            if j not in pivots and row[j]:
                terms[own[j]] = float(row[j])
        for weight, equation in zip(share.tolist(), equations, strict=True):
            for key, value in equation.items():
                if key not in own and weight:
                    terms[key] = terms.get(key, 0.0) + weight * value
        found.append(terms)
    return found
