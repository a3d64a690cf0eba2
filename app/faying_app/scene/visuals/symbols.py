"""Interface nodes with their names and couplings, supports, and loads as arrows."""

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkTextActor

from faying_app.scene.actors import (
    arrow_actor,
    arrow_data,
    line_actor,
    paint,
    plain_text,
    point_actor,
    set_text_size,
    show,
    surface_actor,
    text_actor,
)
from faying_app.scene.colours import Theme, rgb
from faying_app.scene.content import Content, Load
from faying_app.scene.meshes import LineMesh, PointMesh
from faying_app.scene.visuals import Sheet, Visual, visuals

# Sizes as parts of the body's diagonal.
_ARROW, _SUPPORT = 0.09, 0.022


@visuals.register("symbols")
class SymbolsVisual(Visual):
    """Draws the marks in front of the body; they follow the frame."""

    title = "Interface nodes, supports and loads"
    reads = frozenset({"model", "symbols"})
    N_LABELS = 24

    def make(self) -> None:
        """Make points, lines, arrows and names."""
        self._couplings = self.add(line_actor(1.0))
        self._nodes = self.add(point_actor(10.0, in_front=True))
        self._supports = self.add(surface_actor())
        self._forces = self.add(arrow_actor(in_front=True))
        self._labels: list[vtkTextActor] = [self.add(text_actor(bold=True)) for _ in range(self.N_LABELS)]
        for actor in self._labels:
            actor.GetTextProperty().SetJustificationToCentered()
            actor.GetTextProperty().SetVerticalJustificationToCentered()
        self._meshes: tuple[PointMesh, LineMesh] | None = None

    def build(self, content: Content) -> None:
        """Collect the nodes and the pieces of their couplings."""
        self._meshes = None
        if content.model is None:
            return
        marks = content.symbols
        nodes = np.array(sorted(set(marks.interfaces.values())), np.int64)
        pieces = [
            np.column_stack([np.full(len(c.nodes), c.reference), c.nodes])
            for c in content.model.couplings
            if c.reference in set(nodes.tolist())
        ]
        threads = np.concatenate(pieces) if pieces else np.zeros((0, 2), np.int64)
        self._meshes = (PointMesh(nodes, content.positions), LineMesh(threads, content.positions))
        show(self._nodes, self._meshes[0].drawn)
        show(self._couplings, self._meshes[1].drawn)
        self.move(content)

    def move(self, content: Content) -> None:
        """Follow the frame."""
        if self._meshes is None:
            return
        positions, marks, size = content.positions, content.symbols, content.size
        for mesh in self._meshes:
            mesh.place(positions)
        boxes = pv.MultiBlock([self._support(positions[n], size) for n in marks.supports])
        show(
            self._supports,
            boxes.combine().extract_surface(algorithm="dataset_surface") if boxes else pv.PolyData(),
        )
        tails, arrows = [], []
        for load in marks.loads:
            vector = np.array(load.vector, float)
            length = float(np.linalg.norm(vector))
            if length == 0.0:
                continue
            arrow = _ARROW * size * vector / length
            # The head of a force touches its node; a moment has two heads along its axis.
            for start in (1.0, 1.35) if load.kind == "moment" else (1.0,):
                tails.append(positions[load.node] - start * arrow)
                arrows.append(arrow)
        show(self._forces, arrow_data(np.array(tails).reshape(-1, 3), np.array(arrows).reshape(-1, 3)))

    def extent(self, content: Content) -> np.ndarray:
        """Return points (n, 3) that a camera has to see: marked nodes and the tails of the arrows."""
        marks, positions = content.symbols, content.positions
        tails = [_tail(load, content) for load in marks.loads]
        return np.concatenate(
            [
                positions[[*marks.interfaces.values(), *marks.supports]].reshape(-1, 3),
                np.array(tails).reshape(-1, 3),
            ]
        )

    def _support(self, at: np.ndarray, size: float) -> pv.PolyData:
        length = _SUPPORT * size
        return pv.Cube(center=at, x_length=length, y_length=length, z_length=length)

    def write(self, content: Content, sheet: Sheet) -> None:
        """Write the names above their nodes, and the loads' texts at their tails."""
        texts, spots = self._writing(content, sheet) if self.is_shown(content) else ([], np.zeros((0, 2)))
        for i, actor in enumerate(self._labels):
            shown = i < len(texts)
            actor.SetVisibility(shown)
            if shown:
                actor.SetInput(plain_text(texts[i]))
                set_text_size(actor.GetTextProperty(), 13 * sheet.scale, sheet.dots_per_inch)
                actor.SetPosition(*spots[i])

    def _writing(self, content: Content, sheet: Sheet) -> tuple[list[str], np.ndarray]:
        marks, positions = content.symbols, content.positions
        names: dict[int, list[str]] = {}
        for name, node in marks.interfaces.items():
            names.setdefault(node, []).append(name)
        above = np.array([0.0, 17.0 * sheet.scale])
        texts = [", ".join(words) for words in names.values()]
        spots = list(sheet.pixels(positions[list(names)]) + above) if names else []
        for load in marks.loads:
            head, foot = sheet.pixels(np.array([positions[load.node], _tail(load, content)]))
            away = (foot - head) / max(float(np.linalg.norm(foot - head)), 1.0)
            texts.append(load.text)
            spots.append(foot + away * np.array([4.0 * len(load.text) + 8.0, 13.0]) * sheet.scale)
        return texts, np.array(spots).reshape(-1, 2)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._couplings, theme.interface, 0.35)
        paint(self._nodes, theme.interface)
        paint(self._supports, theme.support)
        paint(self._forces, theme.load)
        for actor in self._labels:
            words = actor.GetTextProperty()
            words.SetColor(*rgb(theme.text))
            words.SetBackgroundColor(*rgb(theme.panel))
            words.SetBackgroundOpacity(0.55)

    def is_relevant(self, content: Content) -> bool:
        """Return whether there are marks."""
        marks = content.symbols
        return content.model is not None and bool(marks.interfaces or marks.supports or marks.loads)


def _tail(load: Load, content: Content) -> np.ndarray:
    """Return (3,) where a load's arrow begins."""
    vector = np.array(load.vector, float)
    length = float(np.linalg.norm(vector)) or 1.0
    return np.asarray(content.positions[load.node] - _ARROW * content.size * vector / length)
