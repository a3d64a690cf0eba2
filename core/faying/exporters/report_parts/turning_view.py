"""A view of a body that turns in the report: skin, deformation and fields of its frames, drawn by the browser.

All data are in the page as quantised numbers: places in 16 bits, displacements in 16 bits of the largest one, values in
254 steps between their limits. The program that draws is `faying_resources/report/turning_view.js`.
"""

import base64
import json
from importlib.resources import files
from typing import Any

import numpy as np

from faying.errors import ModelError
from faying.exporters import ExportContent
from faying.exporters.output import at_nodes
from faying.exporters.systems import telling_field
from faying.fem.facets import facet_kind
from faying.fem.skin import Skin
from faying.progress import Progress
from faying.results.fields import Field, fields
from faying.units import unit_text

ROOM = 6_000_000
"""Bytes that the views of a report may take together; a page of ten megabytes still goes by mail."""

STYLE = """
.turning canvas { width: 100%; height: 460px; border: 1px solid var(--line); touch-action: none; cursor: grab; }
.turning .controls { display: flex; flex-wrap: wrap; gap: 0.4em 1em; align-items: center; font-size: 0.9em; }
.turning .controls input[type=number] { width: 5em; } .turning .controls input[type=range] { flex: 1; min-width: 8em; }
.turning .legend { display: flex; gap: 0.4em; align-items: center; margin-left: auto; }
.turning .legend i { width: 9em; height: 0.8em; background: linear-gradient(90deg, #440154, #472c7a, #3b518b, #2c718e,
  #21908d, #27ad81, #5cc863, #aadc32, #fde725); }
.turning.live img { display: none; }
@media print { .turning canvas, .turning .controls { display: none; } .turning.live img { display: block; } }
"""

_FRAMES = 40
_SHARP = 30.0  # degrees between facets at a drawn edge
_LONGEST = 0.05  # of the body's size: largest displacement that is shown
_STEPS, _NOTHING = 254, 255  # of a value; 255 is none


def program() -> str:
    """Return the script that draws all views of a page."""
    return files("faying_resources").joinpath("report", "turning_view.js").read_text(encoding="utf-8")


def turning(picture: str, content: ExportContent, skin: Skin | None, room: int, progress: Progress) -> str:
    """Return a picture that turns where the page is shown on a screen; the picture alone where there is no room.

    Args:
        picture: HTML of the picture that stays on paper.
        content: a body and its frames.
        skin: of its model; None without.
        room: bytes that the view may take.
        progress: reports and cancels.
    """
    if skin is None or not skin.surface.n_facets:
        return picture
    data = _view(content, skin, room, progress)
    if data is None:
        return picture
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return f'<div class="turning">{picture}<script type="application/json">{text}</script></div>'


def _view(content: ExportContent, skin: Skin, room: int, progress: Progress) -> dict[str, Any] | None:
    """Return the data of a view; None when a single frame does not fit into the room."""
    shown, context = _fields(content), content.context
    rows, low = skin.surface.nodes, content.model.nodes[skin.surface.nodes].min(axis=0)
    number = np.zeros(len(content.model.nodes), np.uint32)
    number[rows] = np.arange(len(rows), dtype=np.uint32)
    triangles = np.concatenate(
        [b.connectivity[:, facet_kind(b.facet).triangles].reshape(-1, 3) for b in skin.surface.blocks]
    )
    edges = _sharp_edges(skin)
    left = 0.75 * room - 6 * len(rows) - 4 * (triangles.size + edges.size)  # base64 takes a third more
    count = int(min(_FRAMES, context.frames.n_frames, left / (len(rows) * (6 + len(shown)))))
    if count < 1:
        return None
    last = context.frames.n_frames - 1
    frames = np.unique(np.linspace(0 if count > 1 else last, last, count).round().astype(int)).tolist()
    motion = fields["displacement"]()
    moved: list[np.ndarray] = []
    values: list[list[np.ndarray]] = [[] for _ in shown]
    for k, frame in enumerate(frames):
        progress.report(k / len(frames), f"frame {frame} of the view that turns")
        moved.append(np.asarray(motion.evaluate(content.body_context, "", frame), float)[rows])
        for each, own in zip(shown, values, strict=True):
            own.append(_amounts(content, each, frame)[rows])
    far = float(max(np.abs(each).max() for each in moved)) or 1.0
    extent = content.model.nodes[rows].max(axis=0) - low
    size = float(extent.max()) or 1.0
    return {
        "title": content.title,
        "labels": [context.frames.label(frame) for frame in frames],
        "low": low.tolist(), "extent": extent.tolist(), "size": size, "far": far,
        "scale": _visible(_LONGEST * size / far),
        "places": _coded(np.round((content.model.nodes[rows] - low) / size * 65535).astype("<u2")),
        "triangles": _coded(number[triangles].astype("<u4")), "edges": _coded(number[edges].astype("<u4")),
        "moved": [_coded(np.round(each / far * 32767).astype("<i2")) for each in moved],
        "fields": [_legend(content, each, own) for each, own in zip(shown, values, strict=True)],
    }  # fmt: skip


def _fields(content: ExportContent) -> list[Field]:
    """Return the fields to choose from: the telling one first, those that the frames do not have left out."""
    found = []
    for kind in dict.fromkeys((telling_field(content), "von_mises", "displacement")):
        field = fields[kind]()
        joint = next(iter(content.pairs), "") if field.location != "body" else ""
        try:
            if content.context.refusal(field, joint) is not None:
                continue
            # A body that was read reduced may lack the elements that stresses come from.
            _amounts(content, field, content.context.frames.n_frames - 1)
        except ModelError:
            continue
        found.append(field)
    return found


def _amounts(content: ExportContent, field: Field, frame: int) -> np.ndarray:
    """Return (n_nodes,) values of a field, the length of vectors; NaN where it has none."""
    values = np.full(len(content.model.nodes), np.nan)
    for joint in content.pairs if field.location != "body" else ("",):
        rows, there = at_nodes(content, field, joint, frame)
        values[rows] = np.linalg.norm(there, axis=1) if there.ndim > 1 else there
    return values


def _legend(content: ExportContent, field: Field, values: list[np.ndarray]) -> dict[str, Any]:
    """Return title, limits and coded values of a field in all frames."""
    known = np.concatenate([each[np.isfinite(each)] for each in values])
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    span = high - low or 1.0

    def steps(each: np.ndarray) -> np.ndarray:
        finite = np.isfinite(each)
        return np.where(
            finite, np.round((np.where(finite, each, low) - low) / span * _STEPS), _NOTHING
        ).astype("u1")

    return {
        "title": field.title, "unit": unit_text(field.quantity_over(content.context.frames.axis), content.units),
        "low": f"{low:.4g}", "high": f"{high:.4g}", "inside": field.location != "body",
        "values": [_coded(steps(each)) for each in values],
    }  # fmt: skip


def _sharp_edges(skin: Skin) -> np.ndarray:
    """Return (n, 2) node rows of the edges where facets meet at an angle, or end."""
    ends, owners, start = [], [], 0
    for block in skin.surface.blocks:
        kind = facet_kind(block.facet)
        for edge in kind.edges:
            ends.append(block.connectivity[:, list(edge[:2])])
            owners.append(start + np.arange(len(block.connectivity)))
        start += len(block.connectivity)
    pairs, owner = np.sort(np.concatenate(ends), axis=1), np.concatenate(owners)
    _, first, which, count = np.unique(
        pairs, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    which = which.ravel()
    mean = np.zeros((len(first), 3))
    np.add.at(mean, which, skin.normals[owner])
    # Two unit normals at an angle α have a mean of length cos(α/2).
    bent = np.linalg.norm(mean, axis=1) / count < np.cos(np.radians(0.5 * _SHARP))
    return np.asarray(pairs[first[bent | (count == 1)]])


def _visible(factor: float) -> float:
    """Return a factor of 1, 2 or 5 times a power of ten, at most the given one; 1 where that is less than 1."""
    if not factor > 1.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(factor))
    return float(max(step for step in (1.0, 2.0, 5.0) if step * power <= factor * (1.0 + 1e-12)) * power)


def _coded(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()
