"""Times of pictures and large results: ``python tests/benchmarks/window.py [FOLDER]``. Not a test: nothing fails here.

A block of bricks with about 100 000 facets on its skin is animated off screen, coloured and plain; a film of 300
pictures is written; a results file with frames of 0.8 MB is opened, and its frames are read in any order.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faying.cli import system

system.use_physical_cores()

import numpy as np  # noqa: E402
from _watch import say  # noqa: E402

from faying.exporters import ExportContent, ExportSettings  # noqa: E402
from faying.progress import Silent  # noqa: E402
from faying.reduction.body import ReducedBody  # noqa: E402
from faying.results.fields import FieldContext  # noqa: E402
from faying.results.results import Results, ResultsWriter  # noqa: E402
from faying_app.scene.film import film_steps  # noqa: E402
from faying_app.scene.picture import fill_scene, photographer  # noqa: E402
from support.boxes import box  # noqa: E402

MODES, FRAMES, DRAWN = 100, 300, 30
SIZE = (1280, 720)


def smooth_modes(nodes: np.ndarray) -> np.ndarray:
    """Return (3 n, MODES) waves of growing number: they cost what real modes do and look like them."""
    rng, found = np.random.default_rng(0), np.empty((len(nodes), 3, MODES))
    for mode in range(MODES):
        wave = rng.normal(size=3) * (1 + mode / 20) / np.ptp(nodes, axis=0)
        found[:, :, mode] = np.sin(nodes @ wave + mode)[:, None] * rng.normal(size=3) / (1 + mode)
    return found.reshape(-1, MODES)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    # Only the surface counts here: a shell of bricks one element thick, so that the modes fit into memory.
    model = box("hex8", (223, 223, 1), (223.0, 223.0, 1.0))
    n, eye = len(model.nodes), np.eye(MODES)
    body = ReducedBody(
        "", eye, eye, np.eye(6), model.nodes, smooth_modes(model.nodes), {}, {}, (), (), np.zeros(0)
    )
    path = folder / "window_benchmark.h5"
    with ResultsWriter(path, axis="time", body="b", sizes={"coordinates": MODES}, joints={}) as writer:
        for i in range(FRAMES):
            phase = 2 * np.pi * i / FRAMES
            writer.append(1e-3 * i, coordinates=4.0 * np.sin(phase * (1 + np.arange(MODES) % 5)))
        writer.close({})
    context = FieldContext(Results(path), body, {}, {}, {}, model)
    content = ExportContent("run", "mm-t-s", model, context, {}, {})
    with photographer(SIZE) as camera:
        fill_scene(camera.scene, content)
        assert camera.scene.content.skin is not None
        say(
            f"{n} nodes, {camera.scene.content.skin.n_facets} facets, {MODES} modes, {SIZE[0]}x{SIZE[1]} pixels"
        )
        for field in ("displacement", None):
            camera.scene.show_frame(0, field=field)
            camera.scene.view("iso")
            # As the window does where a processor draws.
            camera.smooth(False)
            camera.scene.stage.rest_later = lambda: None
            camera.draw()
            began, worked = time.perf_counter(), time.process_time()
            for frame in range(1, 1 + DRAWN):
                camera.scene.show_frame(frame, field=field, limits=(0.0, 10.0))
                camera.scene.stage.pace.note_drawn()
                camera.draw()
            spent, work = time.perf_counter() - began, time.process_time() - worked
            what = "with colours" if field else "plain"
            say(
                f"  a frame {what}: {1e3 * spent / DRAWN:.0f} ms ({1e3 * work / DRAWN:.0f} ms of one processor)"
            )
    film = folder / "window_benchmark.mp4"
    began, worked = time.perf_counter(), time.process_time()
    settings = ExportSettings("displacement", tuple(range(300)), size=SIZE)
    for _ in film_steps(content, settings, film, Silent(), kind="mp4"):
        pass
    spent, work = time.perf_counter() - began, time.process_time() - worked
    say(
        f"  film of 300 pictures: {spent:.0f} s ({work:.0f} s of one processor), {film.stat().st_size / 1e6:.1f} MB"
    )
    context.frames.close()
    for file in (path, film):
        file.unlink()
    large_results(folder / "large_benchmark.h5")


def large_results(path: Path, frames: int = 600, size: int = 100_000) -> None:
    """Say how long it takes to open results and to show any frame; the time must not grow with the file."""
    row = np.random.default_rng(0).normal(size=size)
    for count in (frames // 4, frames):
        with ResultsWriter(path, axis="time", body="b", sizes={"displacement": size}, joints={}) as writer:
            for i in range(count):
                writer.append(1e-3 * i, displacement=row)
            writer.close({})
        size_text = f"{path.stat().st_size / 1e6:.0f} MB in {count} frames"
        began = time.perf_counter()
        results = Results(path)
        known = results.n_frames, results.values[-1]
        opened = time.perf_counter() - began
        order = np.random.default_rng(1).integers(0, known[0], 50)
        began = time.perf_counter()
        for frame in order:
            results.displacement(int(frame))
        spent = (time.perf_counter() - began) / len(order)
        results.close()
        path.unlink()
        say(f"  results of {size_text}: opened in {1e3 * opened:.1f} ms, any frame in {1e3 * spent:.2f} ms")


if __name__ == "__main__":
    main()
