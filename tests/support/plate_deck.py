"""A small deck of two stacked plates of ten-node tetrahedra, and a study of it: a whole project in a second."""

from pathlib import Path

import numpy as np

# The six tetrahedra of a brick around its diagonal 0-7; corner i has the bits z, y, x.
_KUHN = ((0, 4, 6, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 3, 1, 7), (0, 1, 5, 7), (0, 5, 4, 7))
_EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
_FACES = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))


def _plate(counts: tuple[int, int, int], low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and ten-node tetrahedra of a plate 40 × 10 between two heights."""
    axes = [np.linspace(0, 40, counts[0] + 1), np.linspace(0, 10, counts[1] + 1), np.linspace(low, high, 2)]
    corners = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    number = np.arange(corners[..., 0].size).reshape(corners.shape[:3])
    points = corners.reshape(-1, 3)
    tets = []
    for i in range(counts[0]):
        for j in range(counts[1]):
            cube = number[i : i + 2, j : j + 2, 0:2].ravel()
            for corner in _KUHN:
                a, b, c, d = cube[list(corner)]
                volume = np.dot(np.cross(points[b] - points[a], points[c] - points[a]), points[d] - points[a])
                tets.append((a, b, c, d) if volume > 0 else (a, c, b, d))
    tets = np.array(tets)
    pairs = np.sort(tets[:, _EDGES].reshape(-1, 2), axis=1)
    edges, where = np.unique(pairs, axis=0, return_inverse=True)
    middles = points[edges].mean(axis=1)
    return np.vstack([points, middles]), np.hstack([tets, len(points) + where.reshape(-1, 6)])


def _faces_at(nodes: np.ndarray, tets: np.ndarray, axis: int, value: float, first: int) -> list[str]:
    """Return lines "element, S3" of the faces in the plane where a coordinate has a value."""
    lines = []
    for row, tet in enumerate(tets):
        for k, face in enumerate(_FACES):
            if np.allclose(nodes[tet[list(face)], axis], value):
                lines.append(f"{first + row}, S{k + 1}")
    return lines


def write_plate_deck(
    path: Path,
    *,
    modulus: float | None = 210000.0,
    density: float | None = 7.85e-9,
    gap: float = 0.0,
    hold_upper: bool = True,
    load_upper: bool = True,
    extra: str = "",
    turn_inside_out: bool = False,
    with_material: bool = True,
    empty_surface: bool = False,
) -> Path:
    """Write the deck; surfaces LOWER (z = 0, up) and UPPER (down), node sets HOLD and TIP of one node each."""
    low, low_tets = _plate((4, 2, 1), -2.0, 0.0)
    up, up_tets = _plate((5, 2, 1), gap, gap + 2.0)
    nodes = np.vstack([low, up, [[0.0, 5.0, 0.0], [40.0, 5.0, gap + 1.0]]])
    hold, tip = len(nodes) - 1, len(nodes)
    tets = np.vstack([low_tets, up_tets + len(low)]) + 1
    written = tets.copy()
    if turn_inside_out:
        top = [int(line.split(",")[0]) for line in _faces_at(nodes, low_tets, 2, 0.0, 1)]
        written[top[0] - 1] = written[top[0] - 1][[0, 2, 1, 3, 6, 5, 4, 7, 9, 8]]
    is_low = np.arange(1, len(nodes) + 1) <= len(low)
    start = np.flatnonzero(np.isclose(nodes[:, 0], 0.0) & (is_low | hold_upper)) + 1
    end = np.flatnonzero(np.isclose(nodes[:, 0], 40.0) & (~is_low if load_upper else is_low)) + 1
    start, end = start[start < hold], end[end < hold]
    lines = ["*HEADING", "two plates, mm N t s", "*NODE"]
    lines += [f"{i + 1}, {x:.9g}, {y:.9g}, {z:.9g}" for i, (x, y, z) in enumerate(nodes)]
    for name, first, last in (("LOW", 0, len(low_tets)), ("UP", len(low_tets), len(tets))):
        lines.append(f"*ELEMENT, TYPE=C3D10, ELSET={name}")
        lines += [f"{first + k + 1}, {', '.join(map(str, tet))}" for k, tet in enumerate(written[first:last])]
    lines += ["*NSET, NSET=HOLD", str(hold), "*NSET, NSET=TIP", str(tip)]
    for name, rows in (("START", start), ("END", end)):
        lines += [f"*NSET, NSET={name}", *map(str, rows)]
    lines += ["*SURFACE, NAME=LOWER, TYPE=ELEMENT", *_faces_at(nodes, low_tets, 2, 0.0, 1)]
    upper = _faces_at(nodes, up_tets + len(low), 2, gap, len(low_tets) + 1)
    lines += ["*SURFACE, NAME=UPPER, TYPE=ELEMENT", *upper]
    if empty_surface:
        lines += ["*SURFACE, NAME=NODES_ONLY, TYPE=NODE", "HOLD"]
    for name, node, rows in (("C_HOLD", hold, "START"), ("C_TIP", tip, "END")):
        lines += [f"*SURFACE, NAME=S_{name}, TYPE=NODE", rows]
        lines += [
            f"*COUPLING, CONSTRAINT NAME={name}, REF NODE={node}, SURFACE=S_{name}",
            "*KINEMATIC",
            "1, 6",
        ]
    if with_material:
        lines.append("*MATERIAL, NAME=STEEL")
        lines += ["*ELASTIC", f"{modulus:g}, 0.3"] if modulus is not None else []
        lines += ["*DENSITY", f"{density:g}"] if density is not None else []
        lines += [f"*SOLID SECTION, ELSET={name}, MATERIAL=STEEL" for name in ("LOW", "UP")]
    path.write_text("\n".join([*lines, *([extra] if extra else [])]) + "\n", encoding="utf-8")
    return path


STUDY = """
name = "Plates"
units = "mm-t-s"

[[bodies]]
name = "plates"
model = { path = "plates.inp" }
reduction = { kind = "craig_bampton", vibration_modes = 4 }
joint_modes = { kind = "weighted_pod", count = 6 }

[[bodies.interfaces]]
name = "hold"
node_set = "HOLD"

[[bodies.interfaces]]
name = "tip"
node_set = "TIP"

[[bodies.joints]]
name = "lap"
master = { kind = "deck_surface", name = "LOWER" }
slave = { kind = "deck_surface", name = "UPPER" }
contact_law = { kind = "linear_penalty", stiffness = 5000.0 }

[[analyses]]
kind = "static"
name = "press"
body = "plates"
support = "hold"
load_steps = 3
loads = [{ interface = "tip", force = [0.0, 0.0, -20.0] }]
"""


BLOW = """
[[analyses]]
kind = "transient"
name = "blow"
body = "plates"
support = "hold"
duration = 2e-5
frames = 4
loads = [{ interface = "tip", force = [0.0, 0.0, -20.0], time_history = { kind = "haversine", rise_time = 1e-6 } }]
integrator = { kind = "hht", first_step = 1e-7, largest_step = 1e-6, separate_modes = true, separation_frequency = 1.0 }
"""
"""A blow of a microsecond leaves the inertia of separated joint modes no time to be small."""


def write_study(folder: Path, text: str = STUDY, **deck) -> Path:
    """Write deck and study into a folder; return the study's path."""
    write_plate_deck(folder / "plates.inp", **deck)
    (folder / "plates.toml").write_text(text, encoding="utf-8")
    return folder / "plates.toml"
