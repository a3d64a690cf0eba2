"""Puts pictures that demos have drawn into the manual, as wide as its window shows them.

    python -m tests.manual_pictures RUNS

RUNS holds the folders of ``faying demo NAME --out RUNS/NAME``. Pictures of the window are taken by tests: those of the
first model by ``python -m pytest -m slow tests/app/test_first_model_by_clicks.py --manual-pictures``, that of a joint
from two faces by ``python -m pytest tests/app/test_joint_wizard.py --manual-pictures``.
"""

import sys
from pathlib import Path

from PIL import Image

from faying.cli.session import opened

PICTURES = Path(__file__).parents[1] / "resources/faying_resources/manual/pictures"
WIDTH = 680
SOURCES = {
    "bolted-rod": "slider-crank/slider-crank.png",
    "sphere-on-rod-force": "sphere-on-rod/sphere-on-rod-force.png",
    "joint-damping": "flex-plates/flex-plates-axial.png",
}
# Example and analysis of the diagrams of whole runs.
DIAGRAMS = {"campbell": ("washing-machine", "Campbell diagram")}


def put(runs: Path) -> None:
    """Scale each picture, draw each diagram, and write them."""
    for name, source in SOURCES.items():
        with Image.open(runs / source) as picture:
            height = round(picture.height * WIDTH / picture.width)
            small = picture.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
            small.save(PICTURES / f"{name}.png", optimize=True)
    for name, (example, analysis) in DIAGRAMS.items():
        with opened(runs / example / f"{example}.faying") as session:
            session.diagram(analysis, size=(WIDTH, 420)).save(PICTURES / f"{name}.png")


if __name__ == "__main__":
    put(Path(sys.argv[1]))
