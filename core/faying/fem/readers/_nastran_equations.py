"""Multi-point constraints (MPC, MPCADD) of a Nastran deck as linear equations."""

import numpy as np

from faying.fem.model import LinearEquations
from faying.fem.readers._abaqus_equations import in_global_directions
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import integer, real
from faying.fem.readers._nastran_frames import GridPoints


def read_equations(
    deck: NastranDeck, grid: GridPoints, remarks: list[tuple[BulkCard, str]]
) -> tuple[LinearEquations, ...]:
    """Return the equations of the set selected by all load cases; without case control, of the only set.

    Raises:
        ReadError: for missing grid points, invalid components, or text instead of a number.
    """
    cards = list(deck.having("MPC"))
    if not cards:
        return ()
    chosen = {case.get("MPC", "") for case in deck.cases}
    sets = {card.text(0) for card in cards}
    added = {card.text(0): {text for text in card.fields[1:] if text} for card in deck.having("MPCADD")}
    number = next(iter(chosen)) if len(chosen) == 1 else ""
    if not number and len(sets) == 1 and chosen <= {""}:
        number = next(iter(sets))
    wanted = added.get(number, {number})
    if not number:
        remarks.append(
            (cards[0], f"{len(cards)} MPC cards of which load cases choose different sets; left out")
        )
        return ()
    scalars = {text for card in deck.having("SPOINT") for text in card.fields}
    # The equations apply in all load cases, which can then be read as usual.
    for case in deck.cases:
        case.pop("MPC", None)
    deck.other_words = [word for word in deck.other_words if word.name != "MPC"]
    rows, components, coefficients, starts = [], [], [], [0]
    for card in cards:
        if card.text(0) not in wanted:
            continue
        # Two terms per line, of three fields each; the last field and the first of the next line are blank.
        places = [
            at for line in range(0, len(card.fields), 8) for at in (line + 1, line + 4) if card.text(at)
        ]
        if any(card.text(at) in scalars for at in places):
            remarks.append((card, "an equation with a scalar point; left out"))
            continue
        for at in places:
            component = integer(card, at + 1, "a component 1 to 6")
            if not 1 <= component <= 6:
                raise card.place.error(f"found {component}, expected a component 1 to 6.", "Mend this card.")
            rows.append(grid.row(card, at))
            components.append(component)
            coefficients.append(real(card, at + 2, "a coefficient"))
        if len(rows) == starts[-1] or not coefficients[starts[-1]]:
            raise card.place.error("the first coefficient of the equation is zero.", "Mend this card.")
        starts.append(len(rows))
    if len(starts) == 1:
        return ()
    columns = np.array(rows, np.int64), np.array(components, np.int64), np.array(coefficients)
    found = LinearEquations(f"MPC {number}", np.array(starts), *columns)
    return in_basic_directions((found,), deck, grid, cards[0])


def in_basic_directions(
    equations: tuple[LinearEquations, ...], deck: NastranDeck, grid: GridPoints, user: BulkCard
) -> tuple[LinearEquations, ...]:
    """Return equations in the basic system from equations in the grid points' own directions (CD).

    Raises:
        ReadError: for an undefined system, or contradictory equations of a point.
    """
    turned = {
        int(grid.table.find(np.array([point]))[0]): system
        for point, system in grid.displacement_systems.items()
    }
    transforms = {
        row: grid.frame(user, turned[row]).directions(grid.coordinates[[row]])[0]
        for row in {int(node) for each in equations for node in each.nodes}
        if row in turned
    }
    return in_global_directions(equations, transforms, deck.files[0])
