"""Frames of a sequence of steps: the whole part of a value counts finished steps, the rest is progress in one."""

from typing import Any

import numpy as np

from faying.results.curve_key import CurveKey
from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import RunFrames, value_at

_STEP, _CYCLE = CurveKey("step"), CurveKey("cycle")


@frame_axes.register("step")
class StepAxis(FrameAxis):
    """Steps, one after the other."""

    follows = True
    views = ("values", "hysteresis")

    def label(self, results: RunFrames, frame: int) -> str:
        """Return number and name of the frame's step, and its progress in percent or the number of its cycle."""
        value = value_at(results, frame)
        if _STEP not in results.curve_texts:
            return f"step {value:.4g}"
        number, cycle = (int(results.curve_at(key, frame)) for key in (_STEP, _CYCLE))
        name, share = _name(results, number), value % 1.0
        if _settings(results, number).get("kind") == "cycle":
            return f"{name}, cycle {cycle}"
        return f"{name}, {100.0 * share:.3g} %" if share > 1e-9 else name

    def table_frames(self, results: RunFrames, force: np.ndarray) -> list[tuple[int, str]]:
        """Return the last frame of each step."""
        names = {int(step["step"]): str(step["what"]) for step in results.report.get("steps", ())}
        last = {int(number): i for i, number in enumerate(results.curve(_STEP))}
        return [
            (i, f"step {number}, {names[number]}" if number in names else f"step {number}")
            for number, i in last.items()
        ]


def step_ends(results: RunFrames) -> tuple[tuple[str, int], ...]:
    """Return (name, its last frame) of each step that has frames; () for frames along another axis."""
    if not isinstance(results.axis, StepAxis) or _STEP not in results.curve_texts:
        return ()
    numbers = results.curve(_STEP)
    last = [*np.flatnonzero(np.diff(numbers)), len(numbers) - 1] if len(numbers) else []
    return tuple((_name(results, int(numbers[frame])), int(frame)) for frame in last)


def _name(results: RunFrames, number: int) -> str:
    """Return the name of a step, or else its kind and its bolt."""
    words = _settings(results, number)
    kind = {"cycle": "cyclic load"}.get(words.get("kind", ""), words.get("kind", ""))
    does = f"{kind} {words.get('bolt', '')}".strip()
    return f"step {number}: {words.get('name') or does}".removesuffix(": ")


def _settings(results: RunFrames, number: int) -> dict[str, Any]:
    """Return the decisions of a step by its number from 1; {} where the results do not hold them."""
    steps = results.settings.get("steps", ())
    return steps[number - 1] if 0 < number <= len(steps) else {}
