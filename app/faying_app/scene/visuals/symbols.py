"""Interface nodes with their names and couplings, supports, and loads as arrows."""

from typing import Any

import numpy as np
import pyvista as pv

from faying.exporters.shown_loads import ShownLoad
from faying_app.scene.actors import (
    arrow_actor,
    arrow_data,
    line_actor,
    paint,
    paint_text,
    plain_text,
    point_actor,
    scale_glyphs,
    show,
    support_actor,
    text_actor,
)
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent, Symbols
from faying_app.scene.cutting import planes_in_space
from faying_app.scene.labels import lifted_clear
from faying_app.scene.meshes import LineMesh, Mesh, PointMesh
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.visuals.couplings import SPOKE_OPACITY, spokes
from faying_app.scene.writing import TEXT, Writing

# Largest sizes of arrows and boxes: parts of the body's diagonal, and design pixels.
_ARROW, _ARROW_PIXELS = 0.09, 90.0
_BOX, _BOX_PIXELS = 0.03, 30.0
_ON_PLANE = 1e-6  # share of the body's size within which a node lies on a section, and keeps its marks
_SAMPLES = 200  # frames in which the largest value of a load history is looked for


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
        self._supports = self.add(support_actor())
        self._forces = self.add(arrow_actor(ends_there=True, in_front=True))
        self._moments = self.add(arrow_actor(heads=2, ends_there=True, in_front=True))
        self._labels: list[Writing] = [self.add(text_actor(bold=True)) for _ in range(self.N_LABELS)]
        for actor in self._labels:
            actor.GetTextProperty().SetJustificationToCentered()
            actor.GetTextProperty().SetVerticalJustificationToCentered()
        self._meshes: list[Mesh] = []
        self._marks = Symbols()
        self._arrows: list[tuple[Mesh, list[ShownLoad]]] = []
        self._largest: dict[object, float] = {}

    def build(self, content: SceneContent) -> None:
        """Collect the nodes, the pieces of their couplings, and the arrows, of what a section leaves."""
        self._meshes = []
        if content.model is None:
            return
        marks = self._marks = marks_left(content)
        nodes = np.array(sorted(set(marks.interfaces.values())), np.int64)
        every = set(nodes.tolist())
        pieces = [spokes(c, content.model.nodes) for c in content.model.couplings if c.reference in every]
        threads = np.concatenate(pieces) if pieces else np.zeros((0, 2), np.int64)
        positions = content.positions_at
        self._draw(self._nodes, PointMesh(nodes, positions))
        self._draw(self._couplings, LineMesh(threads, positions))
        self._draw(self._supports, PointMesh(np.array(marks.supports, np.int64), positions))
        self._arrows = []
        self._largest = {}
        for actor, kind in ((self._forces, "force"), (self._moments, "moment")):
            loads = [load for load in marks.loads if load.kind == kind and any(load.vector)]
            at = np.array([load.node for load in loads], np.int64)
            mesh = Mesh(at, arrow_data(positions[at], self._directions(loads, content)))
            self._arrows.append((mesh, loads))
            self._draw(actor, mesh)

    def _draw(self, actor: Any, mesh: Mesh) -> None:
        """Let an actor draw a mesh that follows the frames."""
        show(actor, mesh.drawn)
        if len(mesh.nodes):
            self._meshes.append(mesh)

    def move(self, content: SceneContent) -> None:
        """Follow the frame, arrows their load histories too; what is cut away takes its marks with it."""
        if marks_left(content) != self._marks:
            self.build(content)
        for mesh, loads in self._arrows:
            if any(load.time_history is not None for load in loads):
                pv.convert_array(mesh.drawn.GetPointData().GetArray("direction"))[:] = self._directions(
                    loads, content
                )
                mesh.drawn.GetPointData().GetArray("direction").Modified()
        for mesh in self._meshes:
            mesh.place(content.positions_at)

    def _directions(self, loads: list[ShownLoad], content: SceneContent) -> np.ndarray:
        """Return (n, 3) vectors of the arrows; the largest of a load history is of length one."""
        shares = [content.load_factor(load) / self._largest_factor(load, content) for load in loads]
        return np.array([s * _direction(load) for s, load in zip(shares, loads, strict=True)]).reshape(-1, 3)

    def _largest_factor(self, load: ShownLoad, content: SceneContent) -> float:
        """Return the largest size of a load's factor over the frames; 1 where there is none."""
        if (
            load.time_history is None
            or content.context is None
            or not load.follows(content.context.frames.axis)
        ):
            return 1.0
        frames = content.context.frames
        key = (load, id(frames), frames.n_frames)
        if key not in self._largest:
            chosen = np.unique(np.linspace(0, frames.n_frames - 1, _SAMPLES).astype(int))
            self._largest[key] = max(abs(load.time_history.factor(float(frames.values[i]))) for i in chosen)
        return self._largest[key] or 1.0

    def nodes_in_motion(self, content: SceneContent) -> np.ndarray:
        """Return the marked nodes and those that are coupled to them."""
        marks = content.symbols
        rows = [*marks.interfaces.values(), *(load.node for load in marks.loads)]
        return np.concatenate([np.array(rows, np.int64), *(mesh.nodes for mesh in self._meshes)])

    def extent(self, content: SceneContent) -> np.ndarray:
        """Return points (n, 3) that a camera has to see: marked nodes and the tails of the arrows."""
        marks, positions = marks_left(content), content.positions_at
        tails = [_tail(load, content, _ARROW * content.size) for load in marks.loads]
        return np.concatenate(
            [
                positions[[*marks.interfaces.values(), *marks.supports]].reshape(-1, 3),
                np.array(tails).reshape(-1, 3),
            ]
        )

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Write names above nodes and texts at the tails of loads; keep the marks small however near one is."""
        pixel = sheet.scale / sheet.pixels_per_length
        arrow = min(_ARROW * content.size, _ARROW_PIXELS * pixel)
        for actor in (self._forces, self._moments):
            scale_glyphs(actor, arrow)
        scale_glyphs(self._supports, min(_BOX * content.size, _BOX_PIXELS * pixel))
        texts, spots = (
            self._writing(content, sheet, arrow) if self.is_shown(content) else ([], np.zeros((0, 2)))
        )
        for i, actor in enumerate(self._labels):
            shown = i < len(texts)
            actor.SetVisibility(shown)
            if shown:
                actor.SetInput(plain_text(texts[i]))
                actor.set_pixels(TEXT * sheet.scale)
                view = sheet.width, sheet.height
                actor.SetPosition(*lifted_clear(actor.box, spots[i], view, sheet.plates))

    def _writing(self, content: SceneContent, sheet: Sheet, arrow: float) -> tuple[list[str], np.ndarray]:
        marks, positions = self._marks, content.positions_at
        names: dict[int, list[str]] = {}
        for name, node in marks.interfaces.items():
            names.setdefault(node, []).append(name)
        texts = [", ".join(words) for words in names.values()]
        ends = [
            sheet.pixels(np.array([positions[load.node], _tail(load, content, arrow)]))
            for load in marks.loads
        ]
        # Names stand above their nodes, below where an arrow comes from above.
        under = {load.node for load, (head, foot) in zip(marks.loads, ends, strict=True) if foot[1] > head[1]}
        aside = [17.0 * sheet.scale * (-1.0 if node in under else 1.0) for node in names]
        spots = list(sheet.pixels(positions[list(names)]) + [[0.0, up] for up in aside]) if names else []
        for load, (head, foot) in zip(marks.loads, ends, strict=True):
            length = float(np.linalg.norm(foot - head))
            # An arrow that points at the camera has its text below the node.
            away = (foot - head) / length if length > 12.0 * sheet.scale else np.array([0.0, -1.0])
            factor = content.load_factor(load)
            text = load.text
            if load.unit and factor != 1.0:
                text = f"{load.name}{': ' if load.name else ''}{factor * load.size + 0.0:.5g} {load.unit}"
            texts.append(text)
            spots.append(foot + away * np.array([4.0 * len(text) + 8.0, 13.0]) * sheet.scale)
        return texts, np.array(spots).reshape(-1, 2)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._couplings, theme.interface, SPOKE_OPACITY)
        paint(self._nodes, theme.interface)
        paint(self._supports, theme.support)
        paint(self._forces, theme.load)
        paint(self._moments, theme.load)
        for actor in self._labels:
            paint_text(actor, theme.text, theme)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there are marks."""
        marks = content.symbols
        some = bool(marks.interfaces or marks.supports or marks.loads)
        return content.model is not None and some and not content.is_opened


def marks_left(content: SceneContent) -> Symbols:
    """Return the marks at nodes that no section cuts away."""
    marks = content.symbols
    if content.model is None or not content.display.sections:
        return marks
    planes = planes_in_space(content)

    def is_left(node: int) -> bool:
        place = content.positions_at[node]
        return all((place - plane.origin) @ plane.normal > -_ON_PLANE * content.size for plane in planes)

    return Symbols(
        {name: node for name, node in marks.interfaces.items() if is_left(node)},
        tuple(node for node in marks.supports if is_left(node)),
        tuple(load for load in marks.loads if is_left(load.node)),
    )


def _direction(load: ShownLoad) -> np.ndarray:
    """Return the unit vector (3,) of a load."""
    vector = np.array(load.vector, float)
    return np.asarray(vector / (float(np.linalg.norm(vector)) or 1.0))


def _tail(load: ShownLoad, content: SceneContent, arrow: float) -> np.ndarray:
    """Return (3,) where a load's arrow begins; that of a moment is longer by its second head."""
    length = arrow * (1.35 if load.kind == "moment" else 1.0)
    return np.asarray(content.positions_at[load.node] - length * _direction(load))
