"""How fast the 3D view answers: ``python tests/benchmarks/picking.py`` on a display, or under ``xvfb-run -a``.

A cube of a million bricks for picking and hovering, a plate of about 100 000 facets for turning, in a real view. Beside
the times of the clock stands the processor's time for one step: on a busy machine only that tells something. Not a
test: nothing can fail here.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from _watch import say
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from faying.fem.facet_names import names_of_facets
from faying.fem.skin import find_skin
from faying_app.scene.camera import rolled_pose
from faying_app.scene.content import Highlight
from faying_app.scene.viewport import Viewport
from support.boxes import box

SIZE = (1100, 700)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edge", type=int, default=100, help="bricks along each edge of the cube")
    parser.add_argument("--frames", type=int, default=40)
    arguments = parser.parse_args()
    app = QApplication([])
    view = Viewport()
    view.resize(*SIZE)
    view.show()
    QTest.qWaitForWindowExposed(view)
    _picking(app, view, arguments.edge)
    _turning(app, view, arguments.frames)
    view.close()


def _picking(app: QApplication, view: Viewport, edge: int) -> None:
    model = box("hex8", (edge, edge, edge), (1.0, 1.0, 1.0))
    began = time.process_time()
    skin = find_skin(model)
    say(f"skin of {edge**3} bricks, {len(skin.areas)} facets: processor {time.process_time() - began:.2f} s")
    view.scene.set_model(model, skin)
    view.scene.view("iso")
    _draw(app, view)
    found: list[int] = []
    view.facet_clicked.connect(lambda facet, _modifiers: found.append(facet))
    places = np.random.default_rng(1).uniform(0.35, 0.65, (20, 2)) * SIZE

    def hover(x: float, y: float) -> None:
        names_of_facets(model, skin, [view.scene.pick(x, SIZE[1] - y).number])

    hover(*places[0])  # builds what is built once
    _say_times("hover: name the face under the pointer", [lambda at=at: hover(*at) for at in places])
    _say_times("click: from the mouse to the facet", [
        lambda at=at: QTest.mouseClick(
            view.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(*map(round, at))
        )
        for at in places
    ])  # fmt: skip
    say(f"  {len(found)} of {len(places)} clicks hit")
    _say_times("grow from a facet, and highlight", [
        lambda facet=facet: view.scene.change(
            highlight=Highlight(facets=tuple(skin.grow(facet, 20.0).tolist()))
        )
        for facet in found[:8]
    ])  # fmt: skip
    view.scene.change(highlight=Highlight())


def _turning(app: QApplication, view: Viewport, frames: int) -> None:
    skin = find_skin(model := box("hex8", (220, 220, 2), (10.0, 10.0, 0.1)))
    view.scene.set_model(model, skin)
    view.scene.view("iso")

    def turn() -> None:
        view.scene.camera = rolled_pose(view.scene.camera, 3.0, 1.0)
        _draw(app, view)

    for edges in (False, True):
        view.scene.set_visible("mesh_edges", edges)
        _draw(app, view)
        words = f"picture of {len(skin.areas)} facets{' with mesh edges' if edges else ''}"
        _say_times(words, [turn] * frames)


def _draw(app: QApplication, view: Viewport) -> None:
    view.view.repaint()
    app.processEvents()


def _say_times(what: str, steps: list[Callable[[], object]]) -> None:
    times, spent = [], time.process_time()
    for step in steps:
        began = time.perf_counter()
        step()
        times.append(time.perf_counter() - began)
    median, worst, spent = float(np.median(times)), max(times), (time.process_time() - spent) / len(steps)
    say(
        f"  {what:<44}{1e3 * median:8.1f} ms, at worst {1e3 * worst:6.1f} ms, processor {1e3 * spent:6.1f} ms"
    )


if __name__ == "__main__":
    main()
