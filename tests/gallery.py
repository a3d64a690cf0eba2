"""Pictures of the manual's gallery, redrawn from computed examples.

    python -m tests.gallery FOLDER
    python -m tests.gallery FOLDER --look-at PICTURES

The folder holds what ``faying demo NAME --out FOLDER`` left of each example; one that is not there keeps its picture.
The second command leaves the manual alone, and draws all of them light and dark in three sizes into another folder, to
be looked at after a change of how things are drawn, beside those of before.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import imageio.v3 as imageio

from faying.cli.session import opened
from faying.errors import ModelError
from faying.exporters import ExportSettings, SystemContent
from faying.results.formula import find_field
from faying.session.export import curves_drawn
from faying_app.scene.drawn_system import drawn_system
from faying_app.scene.film_timing import Shot
from faying_app.scene.page import opened_page

PICTURES = Path(__file__).parents[1] / "resources" / "faying_resources" / "manual" / "pictures"
_SIZE = (800, 500)
_SIZES = (_SIZE, (1280, 800), (3840, 2160))

# Name of the picture, example, analysis, frame, curves, settings.
SHOWN = (
    ("bar", "friction-bar", "dynamic", 30, (), {"field": "pressure"}),
    ("mode", "friction-bar", "modes", 3, (), {"field": "displacement", "dark": True}),
    ("rod", "conrod-static", "pulled", -1, (), {"field": "pressure", "dark": True}),
    (
        "section", "conrod-static", "pulled", -1, (),
        {"field": "von_mises", "section": "z=50%", "ghost": True, "marks": False},
    ),
    ("plates", "flex-plates", "", -1, (), {"field": "von_mises", "dark": True}),
    (
        "engine", "slider-crank", "run-up", 1148, ("rod: cap joint gap norm",),
        {"field": "status", "reference": "rod", "view": "iso,+z", "marks": False},
    ),
)  # fmt: skip


def draw(folder: Path, to: Path = PICTURES, *, every: bool = False) -> list[Path]:
    """Draw what there is in a folder, with `every` light and dark in all sizes; return the pictures."""
    made = []
    for name, example, analysis, frame, curves, words in SHOWN:
        project = next(folder.rglob(f"{example}.faying"), None)
        if project is None:
            print(f"{name}: there is no {example}.faying below {folder}.")
            continue
        with opened(project) as session:
            chosen = analysis or session.last_with_results()
            try:
                content = session.shown(chosen)
            except ModelError as error:  # as of --quick demos, which leave analyses out
                print(f"{name}: {error}")
                continue
            if isinstance(content, SystemContent):
                content = drawn_system(content)
            number = min(frame, content.n_frames - 1) % content.n_frames
            if curves:
                content = replace(content, curves=curves_drawn(session, chosen, list(curves)))
            looks = [(size, dark) for size in _SIZES for dark in (False, True)] if every else [(_SIZE, None)]
            for size, dark in looks:
                settings = ExportSettings(frames=(number,), size=size, **words)
                path = to / f"gallery-{name}.png"
                if dark is not None:
                    settings = replace(settings, dark=dark)
                    path = to / f"{name}-{'dark' if dark else 'light'}-{size[0]}x{size[1]}.png"
                with opened_page(settings, content, field=find_field(settings.field)) as page:
                    imageio.imwrite(path, page.take(Shot(number)))
                made.append(path)
    return made


def main(words: Sequence[str]) -> int:
    """Draw the pictures of a folder; 0 when all are there."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.gallery",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--look-at", type=Path, metavar="PICTURES")
    arguments = parser.parse_args(words)
    every = arguments.look_at is not None
    if every:
        arguments.look_at.mkdir(parents=True, exist_ok=True)
    made = draw(arguments.folder, arguments.look_at or PICTURES, every=every)
    print("\n".join(str(path) for path in made))
    return 0 if len(made) == len(SHOWN) * (2 * len(_SIZES) if every else 1) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
