"""The motions that constraints and drives leave to a system, one by one, with sentences for people.

Of the null space of the constraints a basis is chosen whose members are seen one at a time: each is the motion in which
one coordinate of a joint (its angle, how far it has slid) changes and the chosen others rest.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.errors import SolveError
from faying.multibody.assembly import Assembled
from faying.multibody.constraints import PairConstraint
from faying.multibody.initial import assembled_position
from faying.multibody.part import RIGID
from faying.multibody.redundancy import system_size
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import GROUND
from faying.spatial.rotations import skew
from faying.spatial.words import line_in_words

_RANK = 1e-8  # of the largest singular value of rows over lengths
_NEW = 1e-3  # least part of a coordinate's rate that the chosen ones do not give
_STILL = 1e-6  # of the largest motion of a part: another part rests
_TURN, _SHIFT = np.radians(20.0), 0.15  # a full swing: radians, and part of the system's size
_STEPS = 8  # of a quarter of a swing
# Coordinates of a joint in the order in which they are wanted: turn and slide along its axis, then the rest.
_COORDINATES = (5, 2, 3, 4, 0, 1)


@dataclass(frozen=True, eq=False)
class FreeMotion:
    """One motion that is left.

    Attributes:
        part: that it is named by.
        sentence: "crank turns about z".
        followers: parts that move with it.
        direction: (n,) of the coordinates; a full swing is 1.
        alone: whether all other parts rest.
    """

    part: str
    sentence: str
    followers: tuple[str, ...]
    direction: np.ndarray
    alone: bool


@dataclass(frozen=True, eq=False)
class _Coordinate:
    """A rate that can be held or driven, of the second marker's part as the first marker sees it.

    Attributes:
        row: (n,) its derivative by the system's velocities.
        part, other: of the second marker and of the first.
        markers: the first and the second one.
        names_axis: whether people know its axis: that of a hinge, or those of space for a part that nothing ties.
    """

    row: np.ndarray
    part: str
    other: str
    markers: tuple[str, str]
    names_axis: bool


def free_motions(at: Assembled) -> tuple[FreeMotion, ...]:
    """Return the motions of the parts' frames that are left at the start; deformations are none of them."""
    system, q = at.independent, at.position
    rigid = np.concatenate(
        [np.zeros(0, int), *(np.arange(r.start, r.start + RIGID) for r in system.ranges if r.stop > r.start)]
    )
    if not len(rigid):
        return ()
    _, rows = system.constraints(0.0, q, at.history)
    space = la.null_space((rows / system.scales)[:, rigid], rcond=_RANK)
    free = np.zeros((system.n, space.shape[1]))
    free[rigid] = space
    free = free / system.scales[:, None]
    chosen: list[_Coordinate] = []
    taken = np.zeros((0, free.shape[1]))
    for each in _coordinates(system, q):
        if len(chosen) == free.shape[1]:
            break
        rate = each.row @ free
        length = float(np.linalg.norm(rate))
        rest = rate - taken.T @ (taken @ rate)
        if length > _STILL and np.linalg.norm(rest) > _NEW * length:
            chosen.append(each)
            taken = np.vstack([taken, rest / np.linalg.norm(rest)])
    if not chosen:
        return ()
    ways = free @ la.inv(np.array([each.row @ free for each in chosen]))
    frames = [(p.name, _rates(system, q, f"{GROUND}.origin", f"{p.name}.frame")) for p in system.parts if p.n]
    twists = [(name, rows @ ways) for name, rows in frames]
    return tuple(
        _motion(system, q, each, way, {name: twist[:, k] for name, twist in twists})
        for k, (each, way) in enumerate(zip(chosen, ways.T, strict=True))
    )


def named_motions(motions: Sequence[FreeMotion]) -> list[tuple[str, FreeMotion]]:
    """Return a sentence for each motion; one for all six of a part that nothing holds, with the first of them."""
    found: list[tuple[str, FreeMotion]] = []
    free: list[tuple[str, FreeMotion]] = []
    for part in dict.fromkeys(motion.part for motion in motions):
        own = [motion for motion in motions if motion.part == part]
        if len(own) == 6 and all(motion.alone for motion in own):
            free.append((f"{part} moves and turns freely", own[0]))
        else:
            found += [(motion.sentence, motion) for motion in own]
    return found + free


def motions_in_words(motions: Sequence[FreeMotion]) -> str:
    """Return "2 motions are left: crank turns about z, slider slides along x"; nothing is left where there is none."""
    if not motions:
        return "No motion is left."
    clauses = [words for words, _ in named_motions(motions)]
    count = "1 motion is left" if len(motions) == 1 else f"{len(motions)} motions are left"
    return f"{count}: {', '.join(clauses)}."


def swing(at: Assembled, motion: FreeMotion) -> list[np.ndarray]:
    """Return positions (n,) of a gentle swing to and fro about the start, which meet all constraints.

    Where the mechanism cannot follow so far, the swing is shorter.
    """
    there = _quarter(at, motion.direction)
    back = _quarter(at, -motion.direction)
    return [*there, *there[-2::-1], *back[1:], *back[-2:0:-1]]


def _quarter(at: Assembled, direction: np.ndarray) -> list[np.ndarray]:
    system, found = at.independent, [at.position]
    shares = np.sin(0.5 * np.pi * np.arange(_STEPS + 1) / _STEPS)
    for before, share in itertools.pairwise(shares):
        try:
            found.append(assembled_position(system, found[-1] + (share - before) * direction, at.history))
        except SolveError:
            break
    return found


def _coordinates(system: MultibodySystem, q: np.ndarray) -> Iterator[_Coordinate]:
    """Yield coordinates that may name motions: of joints with ground first, of joints between parts, of parts."""
    pairs = [each for each in system.constraint_members if isinstance(each, PairConstraint)]
    pairs.sort(key=lambda each: GROUND not in map(_owner, each.marker_names()))
    tied = {_owner(name) for each in pairs for name in each.marker_names()}
    for k in _COORDINATES:
        for each in pairs:
            first, second = each.marker_names()
            names_axis = "turns" in each.axis_words and k == _COORDINATES[0]
            yield _Coordinate(
                _rates(system, q, first, second)[k],
                _owner(second),
                _owner(first),
                (first, second),
                names_axis,
            )
    for part in system.parts:
        if part.n:
            markers = f"{GROUND}.origin", f"{part.name}.frame"
            rows = _rates(system, q, *markers)
            yield from (_Coordinate(row, part.name, GROUND, markers, part.name not in tied) for row in rows)


def _rates(system: MultibodySystem, q: np.ndarray, first: str, second: str) -> np.ndarray:
    """Return (6, n): shifts and turns of the second marker along the axes of the first, as that one sees them."""
    i, j = system.motion(first, q), system.motion(second, q)
    rows = np.zeros((6, system.n))
    away = j.position - i.position
    one, two = _range(system, first), _range(system, second)
    rows[:3, two] += j.d_position
    rows[3:, two] += j.d_rotation
    rows[:3, one] -= i.d_position - skew(away) @ i.d_rotation
    rows[3:, one] -= i.d_rotation
    rows[:3], rows[3:] = i.axes.T @ rows[:3], i.axes.T @ rows[3:]
    return rows


def _motion(
    system: MultibodySystem,
    q: np.ndarray,
    named: _Coordinate,
    way: np.ndarray,
    twists: dict[str, np.ndarray],
) -> FreeMotion:
    """Return a motion and what it is called; `twists` are velocity and angular velocity (6,) of the parts' frames."""
    size = system_size(system)
    paces = {name: _pace(twist, size) for name, twist in twists.items()}
    most = max(paces.values())
    moving = [name for name, pace in paces.items() if pace > _STILL * most]
    part, other, marker = named.part, named.other, named.markers[1]
    if part not in moving:  # ground is the second one
        part, other, marker = other, part, named.markers[0]
    turned = [np.linalg.norm(twist[3:]) for twist in twists.values()]
    shifted = [np.linalg.norm(twist[:3]) for twist in twists.values()]
    full = max(max(turned) / _TURN, max(shifted) / (_SHIFT * size))
    against = f" against {other}" if other in moving else ""
    seen = _rates(system, q, f"{GROUND}.origin", marker) @ way
    if against:
        # As the other part sees it, along the axes of space.
        frame = _rates(system, q, f"{other}.frame", marker) @ way
        axes = system.motion(f"{other}.frame", q).axes
        seen = np.concatenate([axes @ frame[:3], axes @ frame[3:]])
    alone = moving == [part]
    itself = alone and not named.names_axis and _twists_about_itself(system, q, part, seen)
    words = "twists about itself" if itself else _in_words(seen, size)
    followers = tuple(name for name in moving if name not in (part, other))
    return FreeMotion(part, f"{part} {words}{against}", followers, way / full, alone)


def _in_words(twist: np.ndarray, size: float) -> str:
    """Return "turns about z" or "slides along x" of a velocity and an angular velocity (6,) at a marker."""
    shift, turn = twist[:3], twist[3:]
    pace = _pace(twist, size)
    if size * np.linalg.norm(turn) <= _STILL * pace:
        return f"slides along {line_in_words(shift)}"
    about = line_in_words(turn)
    along = float(shift @ turn) / float(np.linalg.norm(turn))
    return f"turns about {about}" if abs(along) <= _STILL * pace else f"turns about and slides along {about}"


def _twists_about_itself(system: MultibodySystem, q: np.ndarray, part: str, twist: np.ndarray) -> bool:
    """Return whether a part turns about the line through two of its constraints' markers, which rest then."""
    turn = twist[3:]
    if not turn.any():
        return False
    own = [
        system.motion(name, q).position
        for each in system.constraint_members
        for name in each.marker_names()
        if _owner(name) == part
    ]
    if len(own) < 2:
        return False
    line = max((place - own[0] for place in own), key=np.linalg.norm)
    across = float(np.linalg.norm(np.cross(line, turn)))
    lengths = float(np.linalg.norm(line) * np.linalg.norm(turn))
    return lengths > 0.0 and across <= 1e-4 * lengths


def _pace(twist: np.ndarray, size: float) -> float:
    return float(np.linalg.norm(twist[:3]) + size * np.linalg.norm(twist[3:]))


def _range(system: MultibodySystem, marker: str) -> slice:
    numbers = [part.name for part in system.parts]
    return system.ranges[numbers.index(_owner(marker))]


def _owner(marker: str) -> str:
    return marker.partition(".")[0]
