"""Fitting a body into the view: what has to be seen, and what has to stay free for legend and names."""

from collections.abc import Iterable, Sequence

import numpy as np

from faying_app.scene import camera as cameras
from faying_app.scene.camera import CameraPose, Margins
from faying_app.scene.content import SceneContent
from faying_app.scene.drawing import Drawing
from faying_app.scene.frames import evaluate_frame
from faying_app.scene.meshes import beam_pieces
from faying_app.scene.visuals.book import BookVisual
from faying_app.scene.visuals.legend import LegendVisual
from faying_app.scene.visuals.symbols import SymbolsVisual

# Design pixels: what a usual legend takes at the right border, a name beside its node, caption, lower border.
_LEGEND, _NAME, _CAPTION, _FOOT = 124.0, 50.0, 62.0, 30.0
_SAMPLES = 12


def fitting_pose(stages: Sequence[Drawing], frames: Iterable[int] = ()) -> CameraPose:
    """Return the camera's pose from which the bodies are seen as they are drawn now, and in all of some frames.

    Args:
        stages: views that look through one camera; what each of them shows has to fit into each.
        frames: of the first.
    """
    numbers = list(frames)
    seen = [seen_points(stage, numbers if stage is stages[0] else ()) for stage in stages]
    aspect = min(stage.size[0] / stage.size[1] for stage in stages)
    each = [free_margins(stage) for stage in stages]
    widest = Margins(
        *(max(getattr(one, side) for one in each) for side in ("left", "right", "bottom", "top"))
    )
    return cameras.fitted_pose(stages[0].camera, np.concatenate(seen), aspect, widest)


def seen_points(stage: Drawing, frames: Iterable[int]) -> np.ndarray:
    """Return points (n, 3) that have to be seen: the body, its marks, and the body in some frames."""
    content = stage.content
    if content.model is None or content.skin is None:
        return np.zeros((0, 3))
    springs = (spring.nodes for spring in content.model.springs)
    nodes = np.unique(np.concatenate([content.skin.nodes, beam_pieces(content.model).ravel(), *springs]))
    seen = [content.positions[nodes]]
    if content.system is not None:
        seen.append(content.system.points(content.poses, content.positions))
    book = stage.visuals["book"]
    if isinstance(book, BookVisual) and book.is_shown(content):
        seen.append(book.extent)
    marks = stage.visuals["symbols"]
    if isinstance(marks, SymbolsVisual) and marks.is_shown(content):
        seen.append(marks.extent(content))
    if content.context is not None and content.frame is not None:
        for number in frames:
            shown = evaluate_frame(
                content.context, content.joint_pairs, content.model.nodes, number, field=None,
                scale=content.frame.scale, display=content.display,
            )  # fmt: skip
            seen.append(shown.positions[nodes])
            if content.system is not None:
                seen.append(content.system.points(shown.poses, shown.positions))
            if not content.context.frames.axis.has_size:  # it swings to both sides
                seen.append(2 * content.model.nodes[nodes] - shown.positions[nodes])
    return np.concatenate(seen)


def free_margins(stage: Drawing) -> Margins:
    """Return the parts of the view that are taken by legend, names and caption."""
    content, scale = stage.content, stage.text_scale()
    width, height = stage.size
    legend, taken = stage.visuals["legend"], 0.0
    if isinstance(legend, LegendVisual) and legend.wanted:
        legend.write(content, stage.sheet())
        # With frames the usual legend's place stays free, so that no other field hides the body.
        taken = max(legend.width, _LEGEND * scale if content.frame is not None else 0.0)
    left, right = 0.03, min(0.35, (taken + 12 * scale) / width) if taken else 0.03
    if stage.is_shown("symbols"):
        left, right = min(0.15, _NAME * scale / width), min(0.4, right + _NAME * scale / width)
    return Margins(
        left=left,
        right=right,
        top=min(0.25, _CAPTION * scale / height),
        bottom=min(0.2, _FOOT * scale / height),
    )


def sampled_frames(content: SceneContent, shown: int) -> list[int]:
    """Return frames enough to know how far the body moves; of mode shapes the shown one."""
    context = content.context
    if context is None or not context.frames.axis.has_size:
        return [shown]
    count = context.frames.n_frames
    return sorted({round(i) for i in np.linspace(0, count - 1, min(count, _SAMPLES))})
