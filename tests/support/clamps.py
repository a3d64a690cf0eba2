"""Small decks with bolts: a square sleeve in two halves with a shank through it, and two stiff blocks with a beam."""

from pathlib import Path

import numpy as np

# The clamp: half width of the shank, of the hole, of the sleeve; the sleeve's halves meet in the middle of its length.
SHANK, HOLE, SLEEVE, LENGTH, HEAD = 1.5, 2.0, 4.0, 12.0, 2.0
MODULUS, STIFFER = 210000.0, 1e4
SHANK_AREA, SLEEVE_AREA = (2 * SHANK) ** 2, (2 * SLEEVE) ** 2 - (2 * HOLE) ** 2
_CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
_FACES = {"below": "S1", "above": "S2"}


class _Deck:
    """Collects nodes, bricks, faces and sets; parts share no nodes."""

    def __init__(self) -> None:
        self.nodes: list[tuple[float, float, float]] = []
        self._known: dict[tuple[str, tuple[float, float, float]], int] = {}
        self.bricks: dict[str, list[str]] = {}
        self.faces: dict[str, list[str]] = {}
        self.tail: list[str] = []
        self.count = 0

    def node(self, part: str, at: tuple[float, float, float]) -> int:
        key = part, tuple(round(x, 9) for x in at)
        if key not in self._known:
            self.nodes.append(at)
            self._known[key] = len(self.nodes)
        return self._known[key]

    def nodes_at(self, part: str, z: float) -> list[int]:
        return [n for (name, at), n in self._known.items() if name == part and abs(at[2] - z) < 1e-9]

    def brick(
        self, part: str, elset: str, x: list[float], y: list[float], z: list[float], **faces: str
    ) -> None:
        self.count += 1
        corners = [self.node(part, (x[i], y[j], z[k])) for i, j, k in _CORNERS]
        self.bricks.setdefault(elset, []).append(f"{self.count}, " + ", ".join(map(str, corners)))
        for side, surface in faces.items():
            self.faces.setdefault(surface, []).append(f"{self.count}, {_FACES[side]}")

    def coupled(self, name: str, at: tuple[float, float, float], nodes: list[int]) -> None:
        """Add a node that moves nodes rigidly; the deck keeps them as a surface of nodes."""
        number = self.node(f"reference {name}", at)
        self.tail += [f"*NSET, NSET={name}", f"{number},", f"*NSET, NSET={name}_NODES"]
        self.tail += [f"{n}," for n in nodes]
        self.tail += [
            f"*SURFACE, TYPE=NODE, NAME={name}_SURFACE", f"{name}_NODES,",
            f"*COUPLING, CONSTRAINT NAME={name}, REF NODE={number}, SURFACE={name}_SURFACE", "*KINEMATIC", "1, 6",
        ]  # fmt: skip

    def write(self, path: Path, materials: dict[str, float], more: list[str]) -> Path:
        lines = ["*NODE"] + [f"{i}, {x:.9g}, {y:.9g}, {z:.9g}" for i, (x, y, z) in enumerate(self.nodes, 1)]
        for elset, bricks in self.bricks.items():
            lines += [f"*ELEMENT, TYPE=C3D8I, ELSET={elset}", *bricks]
            lines += [f"*SOLID SECTION, ELSET={elset}, MATERIAL=M_{elset}"]
            lines += [
                f"*MATERIAL, NAME=M_{elset}",
                "*ELASTIC",
                f"{materials[elset]}, 0.",
                "*DENSITY",
                "7.85E-9",
            ]
        for name, faces in self.faces.items():
            lines += [f"*SURFACE, TYPE=ELEMENT, NAME={name}", *faces]
        path.write_text("\n".join([*lines, *self.tail, *more]) + "\n", encoding="utf-8")
        return path


def write_clamp(path: Path) -> Path:
    """Write the deck of the clamp: parts bolt, lower, upper; nodes HOLD and PULL move the ends of the sleeve.

    Without lateral contraction and with stiff head and nut all of it is springs in a row.
    """
    deck = _Deck()
    lines = [-SLEEVE, -HOLE, -SHANK, 0.0, SHANK, HOLE, SLEEVE]
    heights = np.linspace(0.0, LENGTH, 5)
    n = len(lines) - 1
    for i in range(n):
        for j in range(n):
            x, y = lines[i : i + 2], lines[j : j + 2]
            outer, inner = {i, j} & {0, n - 1}, {i, j} <= {2, 3}
            if outer:
                deck.brick("bolt", "HEAD", x, y, [-HEAD, 0.0], above="NUT")
                deck.brick("bolt", "HEAD", x, y, [LENGTH, LENGTH + HEAD], below="HEAD")
            else:
                deck.brick("bolt", "HEAD", x, y, [-HEAD, 0.0])
                deck.brick("bolt", "HEAD", x, y, [LENGTH, LENGTH + HEAD])
            for k in range(4):
                z = heights[k : k + 2].tolist()
                if inner:
                    deck.brick("bolt", "SHANK", x, y, z)
                elif outer:
                    faces = {
                        0: {"below": "SEAT_NUT"},
                        1: {"above": "LOWER"},
                        2: {"below": "UPPER"},
                        3: {"above": "SEAT_HEAD"},
                    }
                    deck.brick("lower" if k < 2 else "upper", "SLEEVE", x, y, z, **faces[k])
    deck.coupled("HOLD", (0.0, 0.0, 0.0), deck.nodes_at("lower", 0.0))
    deck.coupled("PULL", (0.0, 0.0, LENGTH), deck.nodes_at("upper", LENGTH))
    return deck.write(path, {"HEAD": STIFFER * MODULUS, "SHANK": MODULUS, "SLEEVE": MODULUS}, [])


_JOINTS = ("head", "SEAT_HEAD", "HEAD"), ("faying", "LOWER", "UPPER"), ("nut", "SEAT_NUT", "NUT")


def clamp_body(deck: Path, stiffness: float, **decisions: object) -> dict[str, object]:
    """Return the decisions of the clamp's body: three joints of a linear law, and the bolt."""
    joints = [
        {
            "name": name,
            "master": {"kind": "deck_surface", "name": master},
            "slave": {"kind": "deck_surface", "name": slave},
            "contact_law": {"kind": "linear_penalty", "stiffness": stiffness},
        }
        for name, master, slave in _JOINTS
    ]
    shank = {"kind": "box", "corner": [-SHANK, -SHANK, 0], "opposite": [SHANK, SHANK, LENGTH], "whole": True}
    return {
        "name": "clamp",
        "model": {"path": str(deck)},
        "interfaces": [{"name": "hold", "node_set": "HOLD"}, {"name": "pull", "node_set": "PULL"}],
        "bolts": [{"name": "bolt", "shank": shank, "size": "M4", "strength_class": "8.8"}],
        "joints": joints,
        "reduction": {"kind": "craig_bampton", "vibration_modes": 2},
        "joint_modes": {"kind": "equilibrium_snapshots", "count": 20},
        **decisions,
    }


# The blocks: half height, side, and the beam's width.
HALF, SIDE, BEAM = 10.0, 20.0, 3.0


def write_blocks(path: Path, count: int = 2) -> Path:
    """Write the deck of two stiff blocks on each other, held together by a beam that is cut: node sets HOLD and PUSH.

    The beam's middle is in the joint, where it transmits no moment, and PUSH is there too.
    """
    deck = _Deck()
    lines = np.linspace(-SIDE / 2, SIDE / 2, count + 1).tolist()
    for i in range(count):
        for j in range(count):
            x, y = lines[i : i + 2], lines[j : j + 2]
            deck.brick("lower", "BLOCKS", x, y, [-HALF, 0.0], above="LOWER")
            deck.brick("upper", "BLOCKS", x, y, [0.0, HALF], below="UPPER")
    deck.coupled("HOLD", (0.0, 0.0, -HALF), deck.nodes_at("lower", -HALF))
    low = deck.node("reference HOLD", (0.0, 0.0, -HALF))
    middle, high = deck.node("beam", (0.0, 0.0, 0.0)), deck.node("beam", (0.0, 0.0, HALF))
    control = deck.node("control", (0.0, 0.0, 0.0))
    deck.coupled("PUSH", (0.0, 0.0, 0.0), [*deck.nodes_at("upper", HALF), high])
    more = [
        "*ELEMENT, TYPE=B31, ELSET=SCREW", f"{deck.count + 1}, {low}, {middle}", f"{deck.count + 2}, {middle}, {high}",
        "*BEAM SECTION, ELSET=SCREW, MATERIAL=M_SCREW, SECTION=RECT", f"{BEAM}, {BEAM}", "1., 0., 0.",
        "*MATERIAL, NAME=M_SCREW", "*ELASTIC", f"{MODULUS}, 0.", "*DENSITY", "7.85E-9",
        f"*PRE-TENSION SECTION, ELEMENT={deck.count + 2}, NODE={control}", "0., 0., 1.",
    ]  # fmt: skip
    return deck.write(path, {"BLOCKS": STIFFER * MODULUS}, more)
