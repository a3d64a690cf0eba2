"""Frames of several analyses of a body in one file: load cases, each with its own support and preload.

Displacements, gaps and slips are stored, so that reduced and unreduced cases with any support can be mixed.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from faying.analyses import BodyModel
from faying.results.field import FieldContext
from faying.results.joint_points import joint_gap, joint_slip
from faying.results.names import path_of
from faying.results.results import Results


def case_context(body: BodyModel, case: Results) -> FieldContext:
    """Return the frames of a case with the body as it is held and preloaded there."""
    assert body.reduced is not None  # analyses that gather need it
    held = body.reduced.clamped_to(case.frame_of_reference)
    return FieldContext(
        case,
        held.preloaded(case.settings.get("preloads", ())),
        {joint.name: joint.contact_law for joint in body.joints},
        {joint.name: joint.friction_law for joint in body.joints},
        {joint.name: joint.pairs for joint in body.joints},
    )


def displacement_of(context: FieldContext, frame: int) -> np.ndarray:
    """Return (3 n_nodes,) displacements of a frame, relative to its support."""
    return context.displacement(frame).ravel()


def joint_shapes(body: BodyModel, cases: Sequence[Results]) -> dict[str, dict[str, tuple[int, ...]]]:
    """Return the shapes of the stored values of each joint; with friction's history if all cases have one."""
    found = {}
    for joint in body.joints:
        n = len(joint.pairs)
        shapes: dict[str, tuple[int, ...]] = {"gap": (n,), "slip": (n, 2)}
        histories = [case.history(joint.name, 0) for case in cases]
        if all(history is not None for history in histories) and histories[0] is not None:
            shapes["history"] = histories[0].shape
        if any(case.gap_offset(joint.name, 0) is not None for case in cases):
            shapes["gap_offset"] = (n,)
        found[joint.name] = shapes
    return found


def joints_at(
    context: FieldContext, frame: int, shapes: dict[str, dict[str, tuple[int, ...]]]
) -> dict[str, np.ndarray]:
    """Return the values of the joints to be stored at a frame, those in `shapes`, by path.

    The gap offset is zero for a case without hard contact.
    """
    found: dict[str, np.ndarray] = {}
    for name, wanted in shapes.items():
        offset = context.frames.gap_offset(name, frame)
        values = {
            "gap": joint_gap(context, name, frame),
            "slip": joint_slip(context, name, frame),
            "history": context.frames.history(name, frame),
            "gap_offset": np.zeros(wanted["gap"]) if offset is None else offset,
        }
        for what in wanted:
            value = values[what]
            assert value is not None  # the history, where all have one
            found[path_of("joints", name, what)] = value
    return found


def temperatures_of(cases: Iterable[Results]) -> dict[str, np.ndarray]:
    """Return the temperatures (n,) of all loads that act in any case, by the name of the load."""
    return {name: values for case in cases for name, values in case.whole_temperatures().items()}


def start_warnings(cases: Iterable[Results]) -> list[str]:
    """Return the warnings about the cases' results, each once, for the run report."""
    return list(dict.fromkeys(warning.sentence for case in cases for warning in case.warnings))
