"""Corrections of frames on the FE model, condensed and each by itself: ``python tests/benchmarks/corrections.py``.

Names of bodies choose among them: ``bar`` of the first demo, ``long-bar``, ``cap``; all of them by default. Each has 40
joint modes in motion with friction. Processor time of 200 frames: of the first frame with its factor, of the
compliances, and of a frame in the mean without them; of a frame that is corrected by itself, as three or fewer are.
Then some frames are solved on with all unknowns of the FE model until nothing changes: how far off are the condensed
pressures? The command ends with 1 when a limit is missed, all of which are ratios that no other machine changes much.
``--frames`` takes fewer frames.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partialmethod
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from faying.cli import system

system.use_physical_cores()

import numpy as np  # noqa: E402
from _watch import say  # noqa: E402

from faying.analyses import BodyModel  # noqa: E402
from faying.analyses.fe_correction import FeCorrection  # noqa: E402
from faying.analyses.statics.corrected_body import CorrectedBody, held_analysis  # noqa: E402
from faying.examples import examples  # noqa: E402
from faying.examples.bearing_cap import SIZES, bearing_project  # noqa: E402
from faying.params import build  # noqa: E402
from faying.progress import Silent  # noqa: E402
from faying.project.specs import Project  # noqa: E402
from faying.project.stage import target_of  # noqa: E402
from faying.project.stages import PIPELINE  # noqa: E402
from faying.project.store import ArtifactStore  # noqa: E402
from faying.solvers.corrections import correct  # noqa: E402

COUNT, COMPARED = 200, 4  # frames, and how many of them are compared
# Largest error of pressures over the largest one; least single frames for one in the mean; most single frames for the
# compliances.
OFF, RATIO, COLUMNS = 1e-3, 20.0, 2.0
MOST, ACCURACY, EXACT = 10, 1e-3, 1e-9
BODIES: dict[str, tuple[Callable[[], Project], str]] = {
    "bar": (lambda: examples["friction-bar"]().build(), "dynamic"),
    "long-bar": (lambda: examples["friction-bar-dynamics"]().build(), "swing"),
    "cap": (lambda: bearing_project(SIZES["small"], COUNT, unreduced=False), "turn"),
}


def main() -> int:
    """Measure on the bodies that are named; return 1 when a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bodies", nargs="*", default=list(BODIES))
    parser.add_argument("--frames", type=int, default=COUNT)
    given, missed = parser.parse_args(), list[str]()
    for name in given.bodies:
        make, moves = BODIES[name]
        words = make().model_dump(mode="json")
        words["bodies"][0]["joint_modes"] = {"kind": "weighted_pod", "count": 40}
        motion = next(each for each in words["analyses"] if each["name"] == moves)
        if name == "long-bar":
            motion |= {"duration": 0.05, "frames": COUNT}
        corrected = {
            "kind": "fe_correction", "name": "true", "body": motion["body"], "corrects": moves, "frames": []
        }  # fmt: skip
        project = build(Project, {**words, "analyses": [motion, corrected]})
        say(f"{name}:")
        with tempfile.TemporaryDirectory() as folder:
            FeCorrection.run = partialmethod(_measure, given.frames)  # type: ignore[method-assign, assignment] # it has the body with all it needs
            store = ArtifactStore(Path(folder))
            try:
                PIPELINE.run(project, target_of(project.analysis("true")), store, Path(folder), Silent())
            except _MeasuredError as measured:
                missed += [f"{name}: {limit}" for limit in measured.args]
    say("missed: " + ("; ".join(missed) or "none of the limits"))
    return bool(missed)


class _MeasuredError(Exception):
    """All is measured, and nothing is to be stored; the arguments are the limits that were missed."""


def _measure(_: FeCorrection, count: int, body: BodyModel, target: Path, progress: Any) -> dict[str, Any]:
    assert body.start is not None
    settings = held_analysis(body.start)
    together, alone = (CorrectedBody(body, body.start, settings, MOST, ACCURACY) for _ in range(2))
    frames, each = list(range(1, count + 1)), count // COMPARED
    first: list[float] = []  # seconds of the first frame, and of factors
    columns: list[float] = []  # seconds of the compliances
    solver = together._condensed
    solver.refer_to = _timed(solver.refer_to, first)  # type: ignore[method-assign]
    solver._answers = _timed(solver._answers, columns)  # type: ignore[method-assign]
    together._newton = _timed(together._newton, first)  # type: ignore[method-assign]
    left, off, kept = [], [], {}
    began = time.process_time()
    for frame, found in zip(frames, together.in_order(frames, Silent()), strict=True):
        left.append(found.changes[-1])
        if frame % each == 0:
            kept[frame] = found
    whole = time.process_time() - began
    later = (whole - sum(first) - sum(columns)) / count
    alone.corrected(each, Silent())  # makes the factor
    began = time.process_time()
    alone.corrected(each + 2, Silent())
    single = time.process_time() - began
    for frame, found in kept.items():
        off.append(_off(together, frame, found))
    say(f"  {body.matrices.dofs.n_dofs} unknowns, {solver.n_pairs} pairs, {solver.n_kept} compliances")  # type: ignore[union-attr]
    say(f"  first frame {sum(first):.1f} s, compliances {sum(columns):.1f} s, a frame {1e3 * later:.0f} ms")
    say(
        f"  a frame by itself {single:.2f} s: {single / later:.0f} frames, {sum(columns) / single:.1f} of it for"
    )
    say(
        f"  the compliances; in the mean of {count} frames with all {single * count / whole:.0f} times faster"
    )
    say(
        f"  pressures of frames {', '.join(map(str, kept))}: {', '.join(f'{100 * each:.4f}' for each in off)} % off"
    )
    say(f"  forces out of balance, in the median and at most: {np.median(left):.0e}, {max(left):.0e}")
    limits = {
        f"pressures {100.0 * max(off):.2g} % off, more than {100.0 * OFF:g} %": max(off) > OFF,
        f"{single / later:.0f} times faster, less than {RATIO:g}": single / later < RATIO,
        f"compliances take more than {COLUMNS:g} single frames": sum(columns) > COLUMNS * single,
    }
    raise _MeasuredError(*(limit for limit, is_missed in limits.items() if is_missed))


def _off(held: CorrectedBody, frame: int, found: Any) -> float:
    """Return how far pressures are from those of all unknowns, relative to the largest one.

    Friction begins at the histories of the frame itself: where it slides on, it slides no further.
    """
    joints, x = held._joints(frame), found.x[held.fe.free]
    histories = [answer.history for answer in found.responses]
    load, values = held._loads([frame])[:, 0], held.fe.given(x)
    exact = correct(
        held._tangent, load, joints, histories, x, Silent(), most=20, accuracy=EXACT, values=values
    )
    pairs = zip(exact.responses, found.responses, strict=True)
    return max(float(np.abs(a.pressure - b.pressure).max() / a.pressure.max()) for a, b in pairs)


def _timed(act: Callable[..., Any], seconds: list[float]) -> Callable[..., Any]:
    def timed(*words: Any) -> Any:
        began = time.process_time()
        found = act(*words)
        seconds.append(time.process_time() - began)
        return found

    return timed


if __name__ == "__main__":
    sys.exit(main())
