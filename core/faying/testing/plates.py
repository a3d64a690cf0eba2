"""A small deck: two stacked plates of bricks, supported together at x = 0, loaded at the upper plate's other end."""

import itertools
import tempfile
import weakref
from functools import cache
from pathlib import Path

from faying.fem.strength import StrengthSpec
from faying.params import build
from faying.project.specs import Project
from faying.session import Session
from faying.session.solution import Solution


def write_plate_deck(
    path: Path, divisions: int = 4, length: float = 40.0, width: float = 10.0, height: float = 2.0
) -> Path:
    """Write the deck; node sets HOLD and TIP of one reference node each, surfaces LOWER and UPPER."""
    lines = ["*HEADING", "two plates", "*NODE"]
    across, through = 2, 1
    count = (divisions + 1) * (across + 1) * (through + 1)

    def number(plate: int, i: int, j: int, k: int) -> int:
        return 1 + plate * count + (i * (across + 1) + j) * (through + 1) + k

    for plate in range(2):
        for i, j, k in itertools.product(range(divisions + 1), range(across + 1), range(through + 1)):
            x, y, z = length * i / divisions, width * j / across, height * (k + plate - 1)
            lines.append(f"{number(plate, i, j, k)}, {x}, {y}, {z}")
    hold, tip = 2 * count + 1, 2 * count + 2
    lines += [f"{hold}, 0., {width / 2}, 0.", f"{tip}, {length}, {width / 2}, {height / 2}"]
    element = 0
    for plate in range(2):
        lines.append(f"*ELEMENT, TYPE=C3D8I, ELSET=PLATE{plate + 1}")
        for i, j in itertools.product(range(divisions), range(across)):
            element += 1
            corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
            nodes = [number(plate, i + a, j + b, k) for k in (0, 1) for a, b in corners]
            lines.append(", ".join(map(str, [element, *nodes])))
    for plate in range(2):
        lines.append(f"*SOLID SECTION, ELSET=PLATE{plate + 1}, MATERIAL=STEEL")
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210000., 0.3", "*DENSITY", "7.85e-9"]
    lines += ["*SURFACE, NAME=LOWER", "PLATE1, S2", "*SURFACE, NAME=UPPER", "PLATE2, S1"]
    ends = {"HOLD": [(p, 0) for p in range(2)], "TIP": [(1, divisions)]}
    for name, reference in (("HOLD", hold), ("TIP", tip)):
        lines += [f"*NSET, NSET={name}", str(reference), f"*NSET, NSET={name}_FACE"]
        for plate, i in ends[name]:
            for j, k in itertools.product(range(across + 1), range(through + 1)):
                lines.append(str(number(plate, i, j, k)))
        lines += [f"*SURFACE, TYPE=NODE, NAME={name}_NODES", f"{name}_FACE"]
        lines += [
            f"*COUPLING, CONSTRAINT NAME=C_{name}, REF NODE={reference}, SURFACE={name}_NODES",
            "*KINEMATIC",
        ]
    path.write_text("\n".join(lines) + "\n")
    return path


def plates(deck: Path) -> Project:
    """Return a project on the deck: one body, one joint, a static, a transient and an unreduced analysis."""
    load = {"interface": "tip", "force": [0.0, 0.0, 5.0]}
    common = {"body": "plates", "support": "hold", "loads": [load]}
    return build(
        Project,
        {
            "bodies": [
                {
                    "name": "plates",
                    "model": {"path": str(deck)},
                    "interfaces": [
                        {"name": "hold", "node_set": "HOLD"}, {"name": "tip", "node_set": "TIP"},
                    ],
                    "joints": [
                        {
                            "name": "lap",
                            "master": {"kind": "deck_surface", "name": "LOWER"},
                            "slave": {"kind": "deck_surface", "name": "UPPER"},
                            "friction_law": {"kind": "coulomb"},
                        }
                    ],
                    "reduction": {"kind": "craig_bampton", "vibration_modes": 4},
                    "joint_modes": {"kind": "weighted_pod", "count": 4},
                }
            ],
            "analyses": [
                {"kind": "static", "name": "press", **common, "friction": False},
                {"kind": "transient", "name": "swing", **common, "duration": 1e-4, "frames": 4},
                {"kind": "unreduced_static", "name": "full", **common, "friction": False},
            ],
        },
    )  # fmt: skip


@cache
def plates_session() -> Session:
    """Return a session of the plates, pressed on each other; its artifacts are kept until the process ends."""
    folder = tempfile.TemporaryDirectory(prefix="faying-plates-")
    project = plates(write_plate_deck(Path(folder.name) / "plates.inp"))
    down = tuple(
        analysis.with_(loads=tuple(load.with_(force=(0.0, 0.0, -5.0)) for load in analysis.loads))
        for analysis in project.analyses
    )
    bodies = (project.bodies[0].with_(strengths=(StrengthSpec(material="STEEL"),)),)
    session = Session(project.with_(bodies=bodies, analyses=down), Path(folder.name) / "artifacts")
    weakref.finalize(session, folder.cleanup)
    return session


@cache
def solved(analysis: str) -> Solution:
    """Return the solution of an analysis of the plates: "press" (static), "swing" (transient) or "full" (unreduced)."""
    return plates_session().solve(analysis)
