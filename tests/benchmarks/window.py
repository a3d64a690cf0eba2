"""Times of pictures and large results: ``python tests/benchmarks/window.py [FOLDER]``. Not a test: nothing fails here.

On a display, or under ``xvfb-run -a``. A plate of bricks with about 100 000 facets on its skin is played, coloured and
plain, and turned in a real view, coarsely as a processor draws what moves and in full. Colours that span the values of
each frame need all of its nodes, others only those that are drawn; a loop is drawn once and painted from then on. A
film of 300 pictures is written; a results file with frames of 0.8 MB is opened, and its frames are read in any order.
Beside the pictures per second of the clock stands the processors' time for one picture: on a busy machine only that
tells something. Both are the best of a few rounds.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faying.cli import system

# As in the window, whose threads of linear algebra would take a processor from whoever draws.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
system.use_physical_cores()

import numpy as np  # noqa: E402
from _watch import say  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from faying.exporters import ExportContent, ExportSettings  # noqa: E402
from faying.fem.skin import find_skin  # noqa: E402
from faying.progress import Silent  # noqa: E402
from faying.reduction.body import ReducedBody  # noqa: E402
from faying.results.fields import FieldContext  # noqa: E402
from faying.results.results import Results  # noqa: E402
from faying.results.writer import ResultsWriter  # noqa: E402
from faying_app.scene.camera import rolled_pose  # noqa: E402
from faying_app.scene.film import film_steps  # noqa: E402
from faying_app.scene.viewport import Viewport  # noqa: E402
from support.boxes import box  # noqa: E402

MODES, FRAMES, ROUNDS, DRAWN = 100, 300, 6, 10
KEPT = 20  # frames of a loop whose finished pictures are painted again
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
    say(f"{n} nodes, {MODES} modes, {SIZE[0]}x{SIZE[1]} pixels")
    pictures_in_a_view(context)
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


def pictures_in_a_view(context: FieldContext) -> None:
    """Say how many frames a second are played and turned."""
    app = QApplication.instance() or QApplication([])
    assert context.model is not None
    view = Viewport()
    if view.problem:
        say(f"  no view: {view.problem}")
        return
    view.resize(*SIZE)
    view.show()
    QTest.qWaitForWindowExposed(view)
    scene, stage = view.scene, view.scene.stage
    skin = find_skin(context.model)
    scene.set_model(context.model, skin)
    scene.set_frames(context, {})
    number = 0

    def paint() -> None:
        stage.pace.note_drawn()
        view.view.repaint()
        app.processEvents()

    def play(field: str | None, limits: tuple[float, float] | None = (0.0, 10.0)) -> None:
        nonlocal number
        number = (number + 1) % FRAMES
        scene.show_frame(number, field=field, limits=limits)
        paint()

    def turn() -> None:
        scene.camera = rolled_pose(scene.camera, 3.0, 1.0)
        paint()

    def again() -> None:
        nonlocal number
        number = (number + 1) % KEPT
        assert scene.replay(number, 0.0, "loop")
        view.view.repaint()
        app.processEvents()

    coarsely = stage.rest_later
    for detail in ("coarsely in motion", "in full") if coarsely is not None else ("in full",):
        stage.rest_later = coarsely if detail != "in full" else None
        say(f"  {len(skin.areas)} facets, {detail}")
        play("displacement")
        scene.view("iso")
        say_rate("played with colours", lambda: play("displacement"))
        say_rate("each in its limits", lambda: play("displacement", None))
        say_rate("played plain", lambda: play(None))
        say_rate("turned", turn)
        if stage.repaint is not None:
            for number in range(KEPT):
                scene.show_frame(number, field="displacement", limits=(0.0, 10.0), played="loop")
                paint()
            say_rate("a loop's second round", again)
    view.close()


def say_rate(what: str, draw: Callable[[], None]) -> None:
    """Say pictures per second and the processors' time for one, the best of a few rounds."""
    draw()
    spent, work = [], []
    for _ in range(ROUNDS):
        began, worked = time.perf_counter(), time.process_time()
        for _ in range(DRAWN):
            draw()
        spent.append((time.perf_counter() - began) / DRAWN)
        work.append((time.process_time() - worked) / DRAWN)
    say(
        f"    {what:<22}{1.0 / min(spent):6.1f} pictures/s, {1e3 * min(work):6.0f} ms of the processors each "
        f"({os.cpu_count()} at full use would draw {os.cpu_count() / min(work):.0f}/s)"
    )


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
