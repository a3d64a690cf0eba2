"""Pictures of the manual's gallery, redrawn from computed examples.

    python -m tests.gallery FOLDER
    python -m tests.gallery FOLDER --start
    python -m tests.gallery FOLDER --look-at PICTURES

The folder holds what ``faying demo NAME --out FOLDER`` left of each example; one that is not there keeps its picture.
The second command draws the small pictures of the start page, one of each example: without writing, parts of systems in
their colours. The third command leaves the manual alone, and draws all of them light and dark in three sizes into
another folder, to be looked at after a change of how things are drawn, beside those of before.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import imageio.v3 as imageio
import numpy as np
from PIL import Image

from faying.cli.session import opened
from faying.errors import ModelError
from faying.examples import examples
from faying.exporters import ExportSettings, SystemContent
from faying.exporters.plots import PictureSettings, plot_writer_for
from faying.fem.skin import find_skin
from faying.project.store import ArtifactStore
from faying.results.formula import find_field
from faying.session import Session
from faying.session.export import curves_drawn
from faying_app.scene.drawn_system import drawn_system
from faying_app.scene.facet_groups import joint_groups
from faying_app.scene.film_timing import Shot
from faying_app.scene.page import opened_page
from faying_app.scene.picture import fill_scene, photographer
from faying_app.scene.scene import Scene
from faying_app.shell.colour_limits import without_peaks

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
    ("plates", "flex-plates", "bending unreduced", -1, (), {"field": "von_mises", "dark": True}),
    (
        "engine", "slider-crank", "run-up", 1148, ("rod: cap joint gap norm",),
        {"field": "status", "reference": "rod", "view": "iso,+z", "marks": False, "scale": 50.0},
    ),
)  # fmt: skip


START = Path(__file__).parents[1] / "resources" / "faying_resources" / "pictures" / "start"
_START_SIZE = (440, 248)
_START_COLOURS = 96  # of the palette of a small picture, which keeps its file below 25 kB
_WITHOUT = (
    "legend", "caption", "extremes", "triad", "symbols", "supports", "system", "system_names", "springs", "undeformed",
)  # fmt: skip
_LYING = ("sphere-on-cup", "sphere-on-rod")  # long in z, which is upright else
# Analysis, frame as a share of all of them, field ("" colours parts or nothing) of each example.
STARTS: dict[str, tuple[str, float, str]] = {
    "beam-spin-up": ("spin-up", 0.45, "displacement"),
    "bearing-cap": ("down", 1.0, "pressure"),
    "belt-drive": ("run-up", 0.5, ""),
    "bolted-lap": ("mounted and pulled", 1.0, "pressure"),
    "bracket": ("contact", 1.0, "von_mises"),
    "cam-follower": ("turning", 0.3, ""),
    "condensed-beam": ("", 0.8, "displacement"),
    "conrod-static": ("pulled", 1.0, "pressure"),
    "contact-law-benchmark": ("", 0.5, "pressure"),
    "double-pendulum": ("fall", 0.3, ""),
    "engine-mount": ("modes", 0.5, ""),
    "excavator": ("dig", 0.6, ""),
    "flex-plates": ("bending static", 1.0, "von_mises"),
    "flexible-pendulum": ("fall", 0.6, "displacement"),
    "four-bar-friction": ("lifting", 0.5, ""),
    "friction-bar": ("static", 1.0, "pressure"),
    "friction-bar-convergence": ("", 1.0, "pressure"),
    "friction-bar-dynamics": ("swing", 0.6, "status"),
    "friction-bar-preloaded": ("up", 1.0, "pressure"),
    "gear-pair": ("a pitch", 0.5, "von_mises"),
    "hertz-static": ("unreduced", 1.0, "displacement"),
    "layered-pendulum": ("swing", 0.5, "pressure"),
    "line-fitting-bar": ("three forces", 0.5, "displacement"),
    "line-fitting-cage": ("spring", 0.5, "displacement"),
    "robot-arm": ("swing", 0.25, ""),
    "rotating-bar": ("turning", 0.5, "von_mises"),
    "slider-crank": ("run-up", 0.15, ""),
    "slider-crank-rod": ("run-up", 0.1, ""),
    "sphere-on-cup": ("impact", 0.5, "displacement"),
    "sphere-on-rod": ("impact", 0.5, "displacement"),
    "spinning-top": ("spin", 0.5, ""),
    "three-bolt-beam": ("nonlinear mode", 1.0, "displacement"),
    "trebuchet": ("throw", 0.125, ""),
    "valve-train": ("a turn", 0.6, ""),
    "washing-machine": ("spin-up", 0.5, ""),
}


# Analysis, curves and what they are over, of examples without a picture that says anything, such as a single mass.
CURVES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "jenkins-oscillator": ("nonlinear mode", ("natural frequency", "damping ratio"), ""),
}


def draw_starts(folder: Path, to: Path = START) -> list[Path]:
    """Draw the start page's pictures of all examples; of those that are not in a folder, the model and its joints."""
    made = []
    for example, _ in examples.items():
        project = next(folder.rglob(f"{example}.faying"), None)
        made.append(to / f"{example.replace('-', '_')}.png")
        if project is not None and example in CURVES:
            with opened(project) as session:
                _draw_curves(session, *CURVES[example], made[-1])
            continue
        with photographer(_START_SIZE, scale=1.0) as camera:
            for kind in _WITHOUT:
                camera.scene.set_visible(kind, False)
            if project is None:
                print(f"{example}: there is no {example}.faying below {folder}; its model is drawn.")
                _show_model(camera.scene, example)
            else:
                with opened(project) as session:
                    _show_result(camera.scene, example, session)
            picture = Image.fromarray(camera.take())
        picture.quantize(_START_COLOURS, dither=Image.Dither.NONE).save(made[-1], optimize=True)
    return made


def _draw_curves(session: Session, analysis: str, names: tuple[str, ...], over: str, path: Path) -> None:
    """Draw curves of an analysis as a small picture."""
    plot = replace(curves_drawn(session, analysis, names, over), title="")
    plot_writer_for(path).write(plot, path, PictureSettings(_START_SIZE))
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(_START_COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def _show_result(scene: Scene, example: str, session: Session) -> None:
    """Show the frame of an example that its picture is of."""
    analysis, share, field = STARTS.get(example, ("", 1.0, ""))
    content = session.shown(analysis or session.last_with_results())
    if isinstance(content, SystemContent):
        content = drawn_system(content)
    switches = dict(scene.content.switches)
    fill_scene(scene, content)
    scene.change(switches=switches)
    chosen = find_field(field) if field else None
    number, scale = round(share * (content.n_frames - 1)), scene.suggest_scale()
    scene.show_frame(number, field=chosen, scale=scale)
    values = scene.content.frame.values if chosen is not None and not chosen.states else None
    if values is not None:  # one peak would leave the rest dark
        highest = float(np.abs(without_peaks(np.nan_to_num(values))).max())
        scene.show_frame(number, field=chosen, scale=scale, limits=(0.0, highest))
    scene.view("iso")
    if example in _LYING:
        lying = {"position": (0.0, -1.0, 0.0), "focal_point": (0.0, 0.0, 0.0), "view_up": (1.0, 0.0, 0.0)}
        scene.camera = replace(scene.camera, **lying)
        scene.reset_camera()


def _show_model(scene: Scene, example: str) -> None:
    """Show the first body of an example with its joints in colours."""
    project = examples[example]().build()
    body = project.bodies[0]
    with TemporaryDirectory() as work:
        model = Session(project, ArtifactStore(Path(work))).read_model(body.name)
    skin = find_skin(model)
    joints = [
        (j.name, [side.select(model, skin) for side in (j.master, j.slave)]) for j in body.contact_joints
    ]
    scene.set_model(model, skin)
    scene.change(groups=joint_groups(skin.surface, joints))
    scene.view("iso")


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
    parser.add_argument("--start", action="store_true")
    parser.add_argument("--look-at", type=Path, metavar="PICTURES")
    arguments = parser.parse_args(words)
    if arguments.start:
        made = draw_starts(arguments.folder)
        print("\n".join(str(path) for path in made))
        return 0
    every = arguments.look_at is not None
    if every:
        arguments.look_at.mkdir(parents=True, exist_ok=True)
    made = draw(arguments.folder, arguments.look_at or PICTURES, every=every)
    print("\n".join(str(path) for path in made))
    return 0 if len(made) == len(SHOWN) * (2 * len(_SIZES) if every else 1) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
