"""A deck of two sheets of shells, one above the other: surfaces by nodes, and by sides that face each other."""

from pathlib import Path

import numpy as np

# Numbered clockwise seen from above, so that the normal of the lower sheet points down: SNEG is its upper side.
_LOWER, _UPPER = (0, 3, 2, 1), (0, 1, 2, 3)


def write_sheet_deck(path: Path, distance: float = 2.0) -> Path:
    """Write the deck; the sheets are 60 and 50 long, 30 wide and 2 thick, and their nodes `distance` apart.

    Element sets LOWER (normals down) and UPPER (normals up); node surfaces LOWER_NODES and UPPER_NODES in a contact
    pair; surfaces LOWER_SIDE (SNEG) and UPPER_SIDE (SNEG), which face each other.
    """
    lines = ["*NODE"]
    sheets = (("LOWER", 0.0, (12, 6), 0.0, _LOWER), ("UPPER", 10.0, (11, 5), distance, _UPPER))
    elements: dict[str, list[str]] = {}
    for number, (name, start, (columns, rows), z, turn) in enumerate(sheets):
        first = 1 + 1000 * number
        grid = [(x, y) for y in np.linspace(0, 30, rows + 1) for x in np.linspace(start, 60, columns + 1)]
        lines += [f"{first + i}, {x:.9g}, {y:.9g}, {z:.9g}" for i, (x, y) in enumerate(grid)]
        own = []
        for k in range(columns * rows):
            a = first + k % columns + (columns + 1) * (k // columns)
            corners = (a, a + 1, a + columns + 2, a + columns + 1)
            own.append(", ".join(map(str, (first + k, *(corners[i] for i in turn)))))
        elements[name] = own
        lines += [f"*NSET, NSET={name}_N, GENERATE", f"{first}, {first + len(grid) - 1}"]
        lines.append("*NODE")
    lines.pop()
    for name, own in elements.items():
        lines += [f"*ELEMENT, TYPE=S4, ELSET={name}", *own]
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210000., 0.3", "*DENSITY", "7.85E-9"]
    for name in elements:
        lines += [f"*SHELL SECTION, ELSET={name}, MATERIAL=STEEL", "2."]
        lines += [f"*SURFACE, NAME={name}_NODES, TYPE=NODE", f"{name}_N"]
        lines += [f"*SURFACE, NAME={name}_SIDE", f"{name}, SNEG"]
    lines += ["*SURFACE INTERACTION, NAME=TOUCH", "*FRICTION", "0.2"]
    lines += ["*CONTACT PAIR, INTERACTION=TOUCH", "UPPER_NODES, LOWER_NODES"]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path
