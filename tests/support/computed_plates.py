"""The two plates as a computed project file: a static analysis with friction, a softer twin of it, and a motion."""

from pathlib import Path

from faying.cli import main
from support.plate_deck import STUDY, write_study

_MORE = """
friction = true

[[analyses]]
kind = "static"
name = "twist"
body = "plates"
support = "hold"
load_steps = 3
loads = [{ interface = "tip", force = [0.0, 4.0, -20.0] }]

[[analyses]]
kind = "transient"
name = "shake"
body = "plates"
support = "hold"
duration = 0.004
frames = 40
loads = [{ interface = "tip", force = [0.0, 0.0, -5.0], time_history = { kind = "harmonic", frequency = 100.0 } }]
"""
_STRENGTHS = """
[[bodies.strengths]]
material = "STEEL"
yield_strength = 350.0
ultimate_strength = 500.0
fatigue_strength = 200.0

[[analyses]]"""


def computed_plates(folder: Path) -> Path:
    """Compute the study and return its project file, with the analyses press, twist and shake."""
    text = STUDY.rstrip() + _MORE
    law = 'contact_law = { kind = "linear_penalty", stiffness = 5000.0 }\n'
    text = text.replace(law, law + 'friction_law = { kind = "coulomb", friction_coefficient = 0.2 }\n')
    text = text.replace("\n[[analyses]]", _STRENGTHS, 1)
    study = write_study(folder, text)
    project = folder / "plates.faying"
    assert main(["run", str(study), "--out", str(project)]) == 0
    return project
