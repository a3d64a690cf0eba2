"""Puts pictures that demos have drawn into the manual, as wide as its window shows them.

    python -m tests.manual_pictures RUNS

RUNS holds the folders of ``faying demo NAME --out RUNS/NAME``. The pictures of the first model are taken by its test:
``python -m pytest -m slow tests/app/test_first_model_by_clicks.py --manual-pictures``.
"""

import sys
from pathlib import Path

from PIL import Image

PICTURES = Path(__file__).parents[1] / "resources/faying_resources/manual/pictures"
WIDTH = 680
SOURCES = {
    "bolted-rod": "slider-crank/slider-crank.png",
    "sphere-on-rod-force": "sphere-on-rod/sphere-on-rod-force.png",
    "joint-damping": "flex-plates/flex-plates-axial.png",
}


def put(runs: Path) -> None:
    """Scale each picture and write it."""
    for name, source in SOURCES.items():
        with Image.open(runs / source) as picture:
            height = round(picture.height * WIDTH / picture.width)
            small = picture.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
            small.save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    put(Path(sys.argv[1]))
