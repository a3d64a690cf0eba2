"""Small decks of beams, rods and springs alone, with what closed forms say of them."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LineDeck:
    """A deck in m-kg-s, the deflection of its loaded node, and its frequencies while it is held.

    Attributes:
        name: of the case.
        text: the deck.
        node: number of the loaded node.
        displacement: (3,) its displacement.
        frequencies: the lowest ones, in Hz.
    """

    name: str
    text: str
    node: int
    displacement: tuple[float, float, float]
    frequencies: tuple[float, ...]


def _beam() -> LineDeck:
    n, length, width, height = 20, 1.0, 0.02, 0.01
    points = "\n".join(f"{i + 1}, {length * i / n}, 0, 0" for i in range(n + 1))
    elements = "\n".join(f"{i}, {i}, {i + 1}" for i in range(1, n + 1))
    modulus, poisson, density, force = 2.1e11, 0.3, 7850.0, 10.0
    text = f"""*NODE
{points}
*ELEMENT, TYPE=B31, ELSET=BEAM
{elements}
*MATERIAL, NAME=STEEL
*ELASTIC
{modulus}, {poisson}
*DENSITY
{density}
*BEAM SECTION, ELSET=BEAM, MATERIAL=STEEL, SECTION=RECT
{width}, {height}
0, 0, 1
*BOUNDARY
1, 1, 6
*STEP
*STATIC
*CLOAD
{n + 1}, 2, {-force}
*END STEP
*STEP
*FREQUENCY
4
*END STEP
"""
    inertia = width * height**3 / 12.0
    deflection = force * length**3 / (3.0 * modulus * inertia)
    speed = np.sqrt(modulus * height**2 / (12.0 * density)) / (2.0 * np.pi * length**2)
    bending = [float(root**2 * speed * share) for share in (1.0, 2.0) for root in (1.875104,)]
    return LineDeck("beam", text, n + 1, (0.0, -deflection, 0.0), tuple(bending))


def _truss() -> LineDeck:
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, 1.0]])
    modulus, density, area, force = 2.1e11, 7850.0, 1e-4, 1000.0
    lines = "\n".join(f"{i}, {x}, {y}, {z}" for i, (x, y, z) in enumerate(points, 1))
    text = f"""*NODE
{lines}
*ELEMENT, TYPE=T3D2, ELSET=RODS
1, 1, 4
2, 2, 4
3, 3, 4
*MATERIAL, NAME=STEEL
*ELASTIC
{modulus}, 0.3
*DENSITY
{density}
*SOLID SECTION, ELSET=RODS, MATERIAL=STEEL
{area}
*BOUNDARY
1, 1, 3
2, 1, 3
3, 1, 3
*STEP
*STATIC
*CLOAD
4, 3, {-force}
*END STEP
*STEP
*FREQUENCY
3
*END STEP
"""
    along = points[3] - points[:3]
    lengths = np.linalg.norm(along, axis=1)
    along /= lengths[:, None]
    stiffness = np.einsum("k,ki,kj->ij", modulus * area / lengths, along, along)
    mass = 0.5 * density * area * lengths.sum()
    u = np.linalg.solve(stiffness, [0.0, 0.0, -force])
    frequencies = np.sqrt(np.linalg.eigvalsh(stiffness) / mass) / (2.0 * np.pi)
    return LineDeck("truss", text, 4, tuple(u.tolist()), tuple(frequencies.tolist()))


def _springs() -> LineDeck:
    """Two masses in a row on springs to a node that is held; nothing turns about their line."""
    stiffness, mass, force = 1000.0, 2.0, 10.0
    text = f"""*NODE
1, 0, 0, 0
2, 0.1, 0, 0
3, 0.2, 0, 0
*ELEMENT, TYPE=SPRINGA, ELSET=SPRINGS
1, 1, 2
2, 2, 3
*SPRING, ELSET=SPRINGS

{stiffness}
*ELEMENT, TYPE=MASS, ELSET=MASSES
3, 2
4, 3
*MASS, ELSET=MASSES
{mass}
*BOUNDARY
1, 1, 3
2, 2, 3
3, 2, 3
*STEP
*STATIC
*CLOAD
3, 1, {force}
*END STEP
*STEP
*FREQUENCY
2
*END STEP
"""
    rates = np.sqrt(stiffness / mass) * (np.sqrt(5.0) + np.array([-1.0, 1.0])) / 2.0
    frequencies = tuple((rates / (2.0 * np.pi)).tolist())
    return LineDeck("springs", text, 3, (2.0 * force / stiffness, 0.0, 0.0), frequencies)


BEAM, TRUSS, SPRINGS = _beam(), _truss(), _springs()
LINE_DECKS = (BEAM, TRUSS, SPRINGS)
