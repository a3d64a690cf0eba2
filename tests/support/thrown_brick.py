"""A brick without interface nodes that is thrown: deck and study."""

from dataclasses import replace
from pathlib import Path

from faying.fem.writers import write_model
from support.boxes import box

STUDY = """
[[bodies]]
name = "brick"
model = {{ path = "brick.inp" }}
reduction = {{ kind = "craig_bampton", vibration_modes = 6 }}

[[systems]]
name = "air"
gravity = [0, 0, "-9.81 m/s^2"]
[[systems.parts]]
kind = "flexible"
name = "brick"
body = "brick"
placement = {{ velocity = [100.0, 0, 2000.0], spin = [0, 0, 20.0] }}

[[analyses]]
kind = "motion"
name = "throw"
system = "air"
duration = {duration}
frames = {frames}
"""


def write_thrown_brick(folder: Path, duration: float, frames: int) -> Path:
    """Write the deck of a brick of 40 × 10 × 8 mm about its middle, and a study of its flight; return its path."""
    model = box("hex8_incompatible", (4, 2, 2), (40.0, 10.0, 8.0))
    write_model(replace(model, nodes=model.nodes - [20.0, 5.0, 4.0]), folder / "brick.inp")
    study = folder / "throw.toml"
    study.write_text(STUDY.format(duration=duration, frames=frames), encoding="utf-8")
    return study
