"""Evaluating frames for drawing: displacements, values per node, limits of the colours, a visible scale."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from faying.errors import ModelError
from faying.joints.pairs import ContactPairs
from faying.progress import Progress, Silent
from faying.results.field import Pose
from faying.results.fields import Field, FieldContext, FieldSource
from faying.results.formula import find_field
from faying_app.scene.at_nodes import AtNodes
from faying_app.scene.content import PLAIN_DISPLAY, DisplayOptions, ShownFrame
from faying_app.scene.few_nodes import FewNodes
from faying_app.scene.swung_frames import SwungFrames
from faying_app.scene.systems import SystemContext

# Eighths of a period, and steps so small that no more than 1 % of a largest value is missed between them.
_EIGHTHS = tuple(i * np.pi / 4 for i in range(5))
_FINE_PHASES = tuple(i * np.pi / 12 for i in range(24))


def node_values(
    field: Field,
    context: FieldSource,
    pairs: dict[str, ContactPairs],
    joint: str,
    frame: int,
    n_nodes: int,
) -> np.ndarray:
    """Return values (n_nodes,) of a field, NaN at nodes without one; of a vector field the magnitude.

    Nodes between integration points take the mean of the pairs around (`ContactPairs.at_nodes`).

    Args:
        field: what to evaluate.
        context: of the frames.
        pairs: contact pairs by joint name.
        joint: of a joint field; "" for all joints.
        frame: number of the frame.
        n_nodes: of the model.
    """
    if field.location == "body":
        return context.shown(field, joint, frame)
    found = {name: context.shown(field, name, frame) for name in chosen_joints(pairs, joint)}
    return _from_pairs(field, pairs, found, n_nodes)


def _from_pairs(
    field: Field, pairs: dict[str, ContactPairs], found: dict[str, np.ndarray], n_nodes: int
) -> np.ndarray:
    """Return values (n_nodes,) from those of the pairs of some joints."""
    values = np.full(n_nodes, np.nan)
    for name, of_pairs in found.items():
        at_nodes = pairs[name].at_nodes(of_pairs, field.joining)
        values[pairs[name].nodes_with_values] = at_nodes
    return values


def chosen_joints(pairs: dict[str, ContactPairs], joint: str) -> tuple[str, ...]:
    """Return the names of the joints that are meant: one, or all for "".

    Raises:
        ModelError: when there is no joint of that name.
    """
    if not joint:
        return tuple(pairs)
    if joint not in pairs:
        known = ", ".join(repr(name) for name in pairs) or "none"
        raise ModelError(f"There is no joint called {joint!r}.", f"There are: {known}.")
    return (joint,)


def limits_of(field: Field, values: np.ndarray) -> tuple[float, float]:
    """Return the limits of the colours for values: from zero, about zero, or all states."""
    if field.colours == "status":
        return (-0.5, len(field.states) - 0.5)
    finite = values[np.isfinite(values)]
    if not len(finite):
        return (0.0, 0.0)
    low, high = float(finite.min()), float(finite.max())
    if field.colours == "diverging":
        largest = max(abs(low), abs(high))
        return (-largest, largest)
    return (min(low, 0.0), max(high, 0.0))


def find_limits(
    context: FieldSource,
    pairs: dict[str, ContactPairs],
    field: str | Field,
    joint: str = "",
    frames: Iterable[int] | None = None,
    progress: Progress | None = None,
) -> tuple[float, float]:
    """Return limits of the colours that hold for all frames.

    Args:
        context: of the frames.
        pairs: contact pairs by joint name.
        field: kind of the field, or a formula.
        joint: of a joint field; "" for all joints.
        frames: frame numbers; all without them.
        progress: told how far it is.

    Raises:
        ModelError: when there is no such field or joint.
        Cancelled: when asked to stop.
    """
    member = field if isinstance(field, Field) else find_field(field)
    watch = progress or Silent()
    numbers = list(range(context.frames.n_frames) if frames is None else frames)
    low, high = np.inf, -np.inf
    for i, frame in enumerate(numbers):
        watch.report(i / len(numbers), "limits of the colours")
        values = node_values(member, context, pairs, joint, frame, context.n_nodes)
        below, above = limits_of(member, values)
        low, high = min(low, below), max(high, above)
    return (float(low), float(high)) if low <= high else (0.0, 0.0)


def at_phase(context: FieldSource, phase: float) -> FieldSource:
    """Return the frames at an angle of the period of their mode or operating shapes."""
    if not phase:
        return context
    if isinstance(context, SystemContext):
        return context.swung(phase)
    if isinstance(context, FieldContext):
        return replace(context, frames=SwungFrames(context.frames, phase))
    return context


def swing_limits(
    context: FieldSource, pairs: dict[str, ContactPairs], field: Field, joint: str, frame: int
) -> tuple[float, float]:
    """Return limits of the colours that hold while a mode or operating shape swings; arguments as `find_limits`."""

    def values(phases: Iterable[float]) -> list[np.ndarray]:
        swung = (at_phase(context, phase) for phase in phases)
        return [node_values(field, each, pairs, joint, frame, context.n_nodes) for each in swung]

    if not context.frames.axis.has_size:  # largest as it is stored, and to the other side
        return limits_of(field, np.concatenate(values((0.0, np.pi))))
    eighths = values(_EIGHTHS)
    extremes = _swing_extremes(eighths)
    return limits_of(field, np.concatenate(values(_FINE_PHASES) if extremes is None else extremes))


def _swing_extremes(eighths: list[np.ndarray]) -> list[np.ndarray] | None:
    """Return the extremes (n_nodes,) of values over a period whose squares are a sinusoid of twice its frequency.

    Such are components, lengths of vectors and equivalent stresses of von Mises, of shapes that swing about rest; of
    other values None is returned.

    Args:
        eighths: values (n_nodes,) at 0, 45, 90, 135 and 180 degrees of the period.
    """
    first, last = eighths[0], eighths[-1]
    largest = max(float(np.abs(each[np.isfinite(each)]).max(initial=0.0)) for each in eighths)
    changes_sign, repeats = (
        bool(np.allclose(first, other, rtol=0.0, atol=1e-6 * largest, equal_nan=True))
        for other in (-last, last)
    )
    square = [np.square(each) for each in eighths[:4]]
    mean = (square[0] + square[2]) / 2.0
    is_sinusoid = np.allclose(
        mean, (square[1] + square[3]) / 2.0, rtol=0.0, atol=1e-6 * largest**2, equal_nan=True
    )
    if not (is_sinusoid and (changes_sign or repeats)):
        return None
    amplitude = np.sqrt(mean + np.hypot(square[0] - square[2], square[1] - square[3]) / 2.0)
    return [amplitude, -amplitude] if changes_sign else [amplitude]


def evaluate_frame(
    context: FieldSource,
    pairs: dict[str, ContactPairs],
    nodes: np.ndarray,
    number: int,
    *,
    field: str | Field | None,
    joint: str = "",
    scale: float = 1.0,
    limits: tuple[float, float] | None = None,
    phase: float = 0.0,
    display: DisplayOptions = PLAIN_DISPLAY,
    few: FewNodes | None = None,
) -> ShownFrame:
    """Return a frame, ready to be drawn.

    Args:
        context: of the frames.
        pairs: contact pairs by joint name.
        nodes: (n_nodes, 3) undeformed coordinates.
        number: the frame.
        field: itself, its kind, or a formula; None for the mere deformation.
        joint: of a joint field; "" for all joints.
        scale: factor of the displacements.
        limits: of the colours; None takes those of this frame.
        phase: angle of the period at which a mode or operating shape is shown; zero as it is stored.
        display: gives the frame of reference and the scale of the joints.
        few: nodes that are drawn; if they suffice, the others are evaluated when somebody asks for them.

    Raises:
        ModelError: when there is no such frame, field or joint.
    """
    if not 0 <= number < context.frames.n_frames:
        last = context.frames.n_frames - 1
        raise ModelError(f"There is no frame {number}.", f"The frames are 0 to {last}.")
    member = find_field(field) if isinstance(field, str) else field
    poses: tuple[Pose, ...] = ()
    context = at_phase(context, phase)
    body = context.of_body
    if body is None:
        few = None
        poses, moved = context.placed(number, scale, display.reference, display.reference_turns)
        positions = AtNodes(moved)
    else:
        if few is not None and not few.suffice(body, number, member, limits is not None, display):
            few = None
        positions = _positions(body, pairs, nodes, number, scale, display, few)
    if member is None:
        return ShownFrame(number, None, joint, scale, (0.0, 0.0), positions, None, poses)

    if member.location == "joint":
        found = {name: context.shown(member, name, number) for name in chosen_joints(pairs, joint)}
        values = AtNodes(_from_pairs(member, pairs, found, len(nodes)))
        return ShownFrame(
            number,
            member,
            joint,
            scale,
            limits or limits_of(member, values.whole),
            positions,
            values,
            poses,
            found,
        )

    def whole() -> np.ndarray:
        return node_values(member, context, pairs, joint, number, len(nodes))

    if few is not None and body is not None:
        values = AtNodes(whole, few.place, member.shown(few.context_like(body), "", number))
    else:
        values = AtNodes(whole())
    return ShownFrame(
        number, member, joint, scale, limits or limits_of(member, values.whole), positions, values, poses
    )


def _positions(
    context: FieldContext,
    pairs: dict[str, ContactPairs],
    nodes: np.ndarray,
    number: int,
    scale: float,
    display: DisplayOptions,
    few: FewNodes | None,
) -> AtNodes:
    """Return where the nodes are drawn."""

    def whole() -> np.ndarray:
        moved = context.displacement(number)
        if display.joint_scale != 1.0:
            moved = _with_enlarged_joints(moved, pairs, display.joint_scale)
        return np.asarray(nodes + context.enlarged(number, scale, moved))

    if few is None:
        return AtNodes(whole())
    moved = few.context_like(context).enlarged(number, scale)
    return AtNodes(whole, few.place, few.nodes + moved)


def _with_enlarged_joints(moved: np.ndarray, pairs: dict[str, ContactPairs], scale: float) -> np.ndarray:
    """Return displacements (n_nodes, 3) with those of slave nodes against the master surface enlarged."""
    enlarged = moved.copy()
    for joint in pairs.values():
        relative = joint.on_slave(moved) - joint.on_master(moved)
        enlarged[joint.nodes_with_values] += (scale - 1.0) * joint.at_nodes(relative)
    return enlarged


def suggest_scale(context: FieldSource, size: float, samples: int = 24) -> float:
    """Return a deformation scale at which the body's movement can be seen.

    Mode shapes move by a tenth of the body, and operating shapes of more than that, which are linear. A system in
    motion is true to scale: its motion is what is looked at, and enlarged parts would leave their joints. Results are
    shown true to scale when their largest displacement is more than a hundredth of the body, else enlarged by a round
    number to about a twentieth.

    Args:
        context: of the frames.
        size: diagonal of the body's box.
        samples: number of frames that are looked at.
    """
    count = context.frames.n_frames
    if count == 0:
        return 1.0
    numbers = np.unique(np.linspace(0, count - 1, min(count, samples)).round().astype(int))
    largest = max(float(np.abs(context.movement(int(n))).max(initial=0.0)) for n in numbers)
    if largest <= 0.0:
        return 1.0
    axis = context.frames.axis
    if axis.swings and (not axis.has_size or largest > 0.1 * size):
        return 0.1 * size / largest
    if axis.kind == "time" and context.of_body is None:
        return 1.0
    if largest > 0.01 * size:
        return 1.0
    wanted = 0.05 * size / largest
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(power * max(step for step in (1.0, 2.0, 5.0) if step * power <= wanted))
