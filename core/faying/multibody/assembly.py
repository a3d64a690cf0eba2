"""Assembly of a system at its start: positions that meet the constraints, and the degrees of freedom there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError, SolveError
from faying.multibody.bodies import FlexibleBody
from faying.multibody.history import History
from faying.multibody.initial import assembled_position, assembled_velocity
from faying.multibody.part import RIGID
from faying.multibody.redundancy import Freedom, find_freedom, require_agreement, system_size
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec
from faying.spatial.rotations import body_rates, rotation_matrix, rotation_vector

_AWAY, _LEAST = (
    0.02,
    1e-6,
)  # of the system's size: distance at which redundancy is checked again; violation there that means a dead point
_ROUNDING = 1e-6  # of sizes and speeds: changes below are rounding of numbers given with six digits


@dataclass(frozen=True)
class Assembled:
    """A system at its assembled start.

    Attributes:
        system: with all equations, redundant ones included.
        position: (n,) that meets the constraints.
        velocity: (n,) as given by the user; the constraints may not allow it yet.
        given: (n,) which of the velocities the user gave.
        history: with the angles of the constraints there.
        freedom: degrees of freedom and redundant equations.
        changes: of the parts' starts by assembly, as far as they exceed rounding.
    """

    system: MultibodySystem
    position: np.ndarray
    velocity: np.ndarray
    given: np.ndarray
    history: History
    freedom: Freedom
    changes: tuple["Change", ...] = ()

    @property
    def independent(self) -> MultibodySystem:
        """The system without redundant equations."""
        left_out = self.freedom.redundant
        return self.system.without(left_out) if left_out else self.system

    def start_velocity(self, system: MultibodySystem | None = None) -> np.ndarray:
        """Return the velocities (n,) that the constraints allow; `system` may be that without redundant equations."""
        return assembled_velocity(
            system or self.system, self.position, self.velocity, self.history, given=self.given
        )


@dataclass(frozen=True)
class Change:
    """What assembly changed of a part's start.

    Attributes:
        part: its name.
        what: "position", "rotation", "velocity" or "spin": name of the placement's parameter.
        amount: of the change: a length, an angle in rad, a speed or an angular speed.
        share: the amount over the size of the system, one rad, or the speeds at the start.
        given: whether the user had given the value.
    """

    part: str
    what: str
    amount: float
    share: float
    given: bool


def assemble(spec: SystemSpec, bodies: Mapping[str, FlexibleBody]) -> Assembled:
    """Return a system assembled from the placements of its parts.

    Args:
        spec: the decisions.
        bodies: of its flexible parts, by name.

    Raises:
        ModelError: for a system without parts, or with a body or marker that is missing.
        SolveError: when the parts cannot be assembled, or prescribed motions contradict each other.
    """
    if not spec.parts:
        raise ModelError(f"The system {spec.name!r} has no parts.", "Add a rigid or a flexible part.")
    system = spec.build(bodies)
    placed, v = spec.start(system)
    system = system.with_constraints_as_placed(placed)
    of_position, of_velocity = spec.given(system)
    history = system.accepted(0.0, placed, system.initial_history())
    q = assembled_position(system, placed, history, given=of_position)
    placed_forces = system.with_forces_as_placed(q)
    if placed_forces is not system:  # free angles of springs change the angles to start from
        system, history = placed_forces, placed_forces.accepted(0.0, q, placed_forces.initial_history())
    freedom = find_freedom(system, q, history)
    freedom = replace(freedom, dead=_dead_equations(system, q, history, freedom))
    require_agreement(system, q, history, freedom)
    at = Assembled(system, q, v, of_velocity, history, freedom)
    return replace(at, changes=tuple(_changes(spec, at, placed)))


def _dead_equations(
    system: MultibodySystem, q: np.ndarray, history: History, freedom: Freedom
) -> tuple[str, ...]:
    """Return the redundant equations that are not met any more after a small motion that the others allow."""
    if not freedom.redundant:
        return ()
    kept, size = system.without(freedom.redundant), system_size(system)
    _, rows = kept.constraints(0.0, q, history)
    found: dict[str, None] = {}
    for direction in la.null_space(rows / system.scales).T:
        try:
            place = assembled_position(kept, q + _AWAY * size * direction / system.scales, history)
        except SolveError:
            continue  # no position to check there
        name, missed = kept.departed(0.0, place, history)
        if missed > _LEAST * size:
            found[name] = None
    return tuple(found)


def _changes(spec: SystemSpec, at: Assembled, placed: np.ndarray) -> Iterator[Change]:
    """Yield the quantities that differ from the placements by more than rounding."""
    size, allowed = system_size(at.system), at.start_velocity()
    paces = [
        np.linalg.norm(part.placement.velocity) + size * np.linalg.norm(part.placement.spin)
        for part in spec.parts
    ]
    pace = float(max(paces))
    for part, own in zip(spec.parts, at.system.ranges[1:], strict=True):
        place, q, v = part.placement, at.position[own], allowed[own]
        turn = rotation_vector(rotation_matrix(placed[own][3:RIGID]).T @ rotation_matrix(q[3:RIGID]))
        speed, spin = v[:3], body_rates(q[3:RIGID]) @ v[3:RIGID]
        for what, change, scale in (
            ("position", q[:3] - placed[own][:3], size),
            ("rotation", turn, 1.0),
            ("velocity", speed - np.array(place.velocity), pace),
            ("spin", spin - np.array(place.spin), pace / size),
        ):
            amount = float(np.linalg.norm(change))
            if amount > _ROUNDING * scale > 0.0:
                yield Change(part.name, what, amount, amount / scale, any(getattr(place, what)))
