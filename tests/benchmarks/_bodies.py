"""Bodies of the benchmark: stacked plates of bricks or of quadratic tetrahedra, and friction bar decks."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.model import Coupling, DeckSurface, ElementBlock, FeModel
from faying.fem.readers import read_model
from faying.progress import Silent
from support.boxes import STEEL, box
from support.plates import stacked_plates

LENGTH, WIDTH, HEIGHT = 200.0, 20.0, 3.0
BRICKS = {  # along x, y, z of the upper and of the lower plate, by thousands of nodes
    20: ((120, 16, 4), (110, 15, 4)),
    40: ((153, 20, 5), (145, 19, 5)),
    120: ((226, 30, 8), (214, 28, 8)),
}
TETRAHEDRA = {  # cells of six tetrahedra each
    20: ((66, 7, 2), (62, 6, 2)),
    40: ((94, 10, 2), (90, 9, 2)),
    120: ((160, 17, 2), (152, 16, 2)),
}


@dataclass(frozen=True)
class Subject:
    """A jointed body: its model, interface nodes, surfaces, and the force along z that closes the joint."""

    name: str
    model: FeModel
    interfaces: dict[str, int]
    surfaces: tuple[str, str]
    force: float


def brick_plates(thousands: int) -> Subject:
    upper, lower = BRICKS[thousands]
    model = stacked_plates(
        upper=upper, lower=lower, length=LENGTH, width=WIDTH, height=HEIGHT, element="hex8_incompatible"
    )
    return _plates(f"stacked plates of bricks, about {thousands} 000 nodes", model)


def tetrahedra_plates(thousands: int) -> Subject:
    upper, lower = TETRAHEDRA[thousands]
    size = (LENGTH, WIDTH, HEIGHT)
    low, high = box("tet10", lower, size), box("tet10", upper, size)
    n = len(low.nodes)
    nodes = np.vstack(
        [low.nodes - [0, 0, HEIGHT], high.nodes, [[0, WIDTH / 2, 0], [LENGTH, WIDTH / 2, HEIGHT / 2]]]
    )
    hold, tip = len(nodes) - 2, len(nodes) - 1
    connectivity = np.vstack([low.blocks[0].connectivity, n + high.blocks[0].connectivity])
    at_start = np.concatenate([low.node_sets["XMIN"], n + high.node_sets["XMIN"]])
    at_end, every = n + high.node_sets["XMAX"], (1, 2, 3, 4, 5, 6)
    model = FeModel(
        title="stacked plates",
        node_ids=np.arange(1, len(nodes) + 1),
        nodes=nodes,
        blocks=(
            ElementBlock("tet10", "C3D10", np.arange(1, len(connectivity) + 1), connectivity, STEEL.name),
        ),
        node_sets={"HOLD": np.array([hold]), "TIP": np.array([tip])},
        surfaces={
            "LOWER": _facing("LOWER", nodes, connectivity, np.arange(n)),
            "UPPER": _facing("UPPER", nodes, connectivity, np.arange(n, hold)),
        },
        materials={STEEL.name: STEEL},
        couplings=(
            Coupling("C_HOLD", "kinematic", hold, at_start, every, np.ones(len(at_start))),
            Coupling("C_TIP", "kinematic", tip, at_end, every, np.ones(len(at_end))),
        ),
    )
    return _plates(f"stacked plates of quadratic tetrahedra, about {thousands} 000 nodes", model)


def friction_bar(deck: Path) -> Subject:
    model = read_model(deck, Silent())
    interfaces = {"held": "REF_MOUNT", "loaded": "REF_LOAD"}
    rows = {name: int(model.node_sets[node_set][0]) for name, node_set in interfaces.items()}
    return Subject(deck.name, model, rows, ("JOINT_MASTER", "JOINT_SLAVE"), 100.0)


def _plates(name: str, model: FeModel) -> Subject:
    rows = {"held": int(model.node_sets["HOLD"][0]), "loaded": int(model.node_sets["TIP"][0])}
    return Subject(name, model, rows, ("LOWER", "UPPER"), -10.0)


def _facing(name: str, nodes: np.ndarray, connectivity: np.ndarray, of_plate: np.ndarray) -> DeckSurface:
    """Return the tetrahedron faces of one plate that lie in z = 0."""
    touching = np.zeros(len(nodes), bool)
    touching[of_plate] = np.abs(nodes[of_plate, 2]) < 1e-9
    faces = element_kinds["tet10"].faces
    found = np.array([touching[connectivity[:, list(face)]].all(axis=1) for face in faces])
    numbers, elements = np.nonzero(found)
    return DeckSurface(name, elements, numbers, np.zeros(0, np.int64))
