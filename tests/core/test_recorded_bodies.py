"""What is computed of a small jointed body, up to its reduced form, is what it was before."""

from pathlib import Path

import numpy as np
import pytest

from faying.params import build
from faying.project.specs import Project
from faying.project.stage import Target
from faying.session import Session
from faying.testing.plates import plates, write_plate_deck
from support.recorded_numbers import compare, digest

LOWER, UPPER = ({"kind": "deck_surface", "name": name} for name in ("LOWER", "UPPER"))
LOADS = [
    {"kind": "gravity", "name": "weight", "acceleration": (1.0, -2.0, -9810.0)},
    {"kind": "hydrostatic_pressure", "name": "water", "surface": UPPER, "point": (0.0, 5.0, 1.0), "pressure": 0.3,
     "gradient": (0.01, 0.02, -0.1)},
    {"kind": "hydrostatic_pressure", "name": "suction", "surface": UPPER, "point": (15.0, 5.0, 1.0),
     "gradient": (0.1, 0.0, 0.0), "suction": True},
    {"kind": "node_force", "name": "push", "node_set": "TIP_FACE", "force": (1.0, 2.0, -3.0)},
    {"kind": "node_force", "name": "bend", "node_set": "TIP", "force": (0.0, 2.0, -3.0), "moment": (5.0, 1.0, 0.0)},
    {"kind": "pressure", "name": "air", "surface": LOWER, "pressure": 0.7},
    {"kind": "rotation", "name": "spin", "axis_point": (1.0, 2.0, 3.0), "axis": (0.0, 1.0, 1.0),
     "angular_velocity": 120.0, "angular_acceleration": 3e4},
    {"kind": "surface_force", "name": "press", "surface": UPPER, "force": (1.0, 0.0, 4.0)},
    {"kind": "temperature", "name": "warm", "change": 20.0},
    {"kind": "traction", "name": "shear", "surface": UPPER, "traction": (0.1, 0.2, -0.3)},
]  # fmt: skip
PRELOADS = [
    {"name": "shrunk", "loads": [{"kind": "interference", "joint": "lap", "amount": 0.05}]},
    {"name": "pressed", "loads": [{"kind": "node_force", "interface": "tip", "force": (0.0, 1.0, -9.0)},
                                  {"kind": "node_force", "interface": "hold", "force": (0.0, -1.0, 9.0),
                                   "moment": (1.0, -360.0, -40.0)}]},
]  # fmt: skip
EXPANDING = [
    {"kind": "isotropic", "element_set": f"PLATE{k}", "name": f"METAL{k}", "youngs_modulus": modulus,
     "poisson_ratio": 0.3, "density": 7.85e-9, "expansion": 1.2e-5}
    for k, modulus in ((1, 2.1e5), (2, 0.7e5))
]  # fmt: skip
WAYS = {
    "reduced by craig_bampton": {"reduction": {"kind": "craig_bampton", "vibration_modes": 4}},
    "joined by equilibrium_snapshots": {
        "joint_modes": {"kind": "equilibrium_snapshots", "count": 5, "combinations": 6, "rounds": 1},
    },
    "joined by weighted_pod": {
        "joint_modes": {"kind": "weighted_pod", "count": 5,
                        "derivatives": {"kind": "modal_virtual_work", "share": 0.8}},
    },
    "with a preload": {"preloads": PRELOADS},
    "with loads": {"loads": LOADS, "materials": EXPANDING},
    "free with loads": {"loads": LOADS[1:6], "materials": EXPANDING,
                        "reduction": {"kind": "modal_truncation", "vibration_modes": 12}},
}  # fmt: skip
STAGES = (
    "pairs",
    "interior",
    "load_modes",
    "components",
    "preload",
    "joint_problem",
    "basis",
    "body",
    "quality",
)


def session_of(words: dict, folder: Path) -> Session:
    """Return a session of two plates, the upper one of which is bent, so that there is a gap between them."""
    deck = write_plate_deck(folder / "plates.inp")
    lines = deck.read_text().splitlines()
    for k, line in enumerate(lines):
        cells = line.split(", ")
        if len(cells) == 4 and cells[0].isdigit() and 30 < int(cells[0]) < 61:
            x, y, z = (float(cell) for cell in cells[1:])
            lines[k] = ", ".join([cells[0], str(x), str(y), str(z + 2e-5 * x**2 + 1e-4 * y)])
    deck.write_text("\n".join(lines) + "\n")
    project = plates(deck)
    first = project.bodies[0].model_dump() | words
    return Session(build(Project, {**project.model_dump(), "bodies": [first]}), folder / "artifacts")


@pytest.mark.parametrize("way", sorted(WAYS))
def test_body(way: str, tmp_path) -> None:
    session = session_of(WAYS[way], tmp_path)
    found: dict[str, list[float]] = {}
    for stage in STAGES:
        value = session.compute(Target(stage, "plates", "lap" if stage == "pairs" else ""))
        if stage == "interior":
            value = {"loose": value.loose_motions, "held": value.n_held_motions, "rigid": value.rigid_modes}
        found |= digest(value, stage)
        if stage == "body":
            held = value.clamped_to("hold")
            found |= digest(held, "held") | digest(value.in_principal_axes(), "principal")
            heavier = value.with_mass_at("tip", 1e-6, np.diag([1e-4, 2e-4, 3e-4]))
            found |= digest(heavier, "heavier") | digest(heavier.clamped_to("tip"), "heavier, held")
            compliance = np.linalg.inv(held.stiffness)
            rows = np.vstack(
                [held.joints[0].normal, held.joints[0].tangential.reshape(-1, held.n_coordinates)]
            )
            found |= digest(rows @ compliance @ rows.T, "compliance of pairs")
    del found["quality.mass_condition"]  # of nearly dependent vectors: round-off
    compare("bodies", way, found, rtol=2e-4)
