"""Constraints and forces that come and go within a run, and the velocities behind that."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from faying.errors import SolveError
from faying.multibody.event_actions import Moment
from faying.multibody.initial import assembled_position
from faying.multibody.redundancy import find_freedom, require_agreement, system_size
from faying.multibody.system import MultibodySystem
from faying.solvers.integrators import ConstrainedInertia
from faying.solvers.separation import SeparatedSystem
from faying.units import amount

_VIOLATED = 1e-5  # of the system's size: what an activated constraint may be violated by
_MET = 1e-12  # of the same: below that nothing is moved


def switched(
    at: Moment,
    constraints: Mapping[str, bool] | None = None,
    forces: Mapping[str, bool] | None = None,
    tolerance: float = 0.0,
    where_they_are: bool = False,
) -> Moment:
    """Return the moment with constraints and forces active or not, by name, at velocities that all of them allow.

    Rank and redundancy are found anew; velocities change by M Δv = C_qᵀ Λ with C_q v = −C_t behind it.

    Args:
        at: before.
        constraints, forces: whether they are to be active, by name.
        tolerance: by how much an activated constraint may be violated, as a length; zero for a share of the size.
        where_they_are: whether activated constraints hold the parts where they are, whatever their parameters say.

    Raises:
        SolveError: when a constraint is violated there by more, or contradicts others.
    """
    constraints = constraints or {}
    whole = at.system.switched(constraints, forces or {})
    new = {c.name for c in at.system.constraint_members if not c.active and constraints.get(c.name)}
    if where_they_are:
        whole = whole.switched({}, {}, {name: _held(whole, at, name) for name in new})
    q = at.q
    if _missed(whole, at, new, tolerance, "activate") > _MET * system_size(whole):
        q = assembled_position(whole, q, at.history, at.time)
    system = independent(whole, at, q)
    v, _ = behind_impulse(system, at, q)
    history = system.accepted(at.time, q, at.history) if q is not at.q else at.history
    return replace(at, system=system, q=q, v=v, history=history, restarts=True)


def _missed(system: MultibodySystem, at: Moment, new: Collection[str], tolerance: float, verb: str) -> float:
    """Return the largest violation of new constraints as a length.

    Raises:
        SolveError: when it is too large for what the verb says.
    """
    name, missed = system.missed(at.time, at.q, at.history, new)
    if missed > (tolerance or _VIOLATED * system_size(system)):
        raise SolveError(
            f"The event {at.event!r} cannot {verb} {name.rsplit(': ', 1)[0]!r} at "
            f"t = {amount(at.time, 'time', 6)}: {name!r} is violated there, by {_by_how_much(system, at, name)}.",
            "Let the event happen where its markers meet, or look at how they are turned. Prescribed motions and "
            "couplers can be activated where the parts are.",
        )
    return missed


def _by_how_much(system: MultibodySystem, at: Moment, name: str) -> str:
    """Return the value of an equation of a system at a moment, with its quantity where that is known."""
    number = system.equation_names().index(name)
    values, _ = system.constraints(at.time, at.q, at.history)
    value = abs(float(values[np.searchsorted(system.kept_equations, number)]))
    words = {"displacement": "length", "distance": "length", "rotation": "angle"}
    quantity = words.get(name.rsplit(": ", 1)[1].split()[0])
    return amount(value, quantity, 3) if quantity else f"{value:.3g}"


def _held(system: MultibodySystem, at: Moment, name: str) -> float:
    """Return the value of the parameter by which a constraint holds the parts where they are.

    Raises:
        SolveError: when it has no such parameter.
    """
    member = next(c for c in system.constraint_members if c.name == name)
    own = system.equation_owners == name
    if not member.held_by or np.count_nonzero(own) != 1:
        raise SolveError(
            f"The event {at.event!r} cannot activate {name!r} where the parts are: it is {member.title.lower()}, which "
            "has no parameter for that.",
            "Activate a prescribed displacement, angle or speed, or a coupler; others hold where their markers meet.",
        )
    value = float(system.constraints(at.time, at.q, at.history)[0][own][0])
    return float(getattr(member, member.held_by)) + value


def struck(at: Moment, constraints: tuple[str, ...], restitution: float) -> Moment:
    """Return the moment behind an impact against constraints that hold for an instant, with a restitution.

    Raises:
        SolveError: when one of them is not met there.
    """
    whole = at.system.switched(dict.fromkeys(constraints, True), {})
    _missed(whole, at, constraints, 0.0, "hit")
    v, _ = behind_impulse(independent(whole, at, at.q), at, at.q, constraints, restitution)
    return replace(at, v=v, restarts=True)


def independent(whole: MultibodySystem, at: Moment, q: np.ndarray) -> MultibodySystem:
    """Return a system without the equations that follow from others at q (n,), at the time of an event.

    Raises:
        SolveError: when an equation contradicts those that it follows from.
    """
    freedom = find_freedom(whole, q, at.history, at.time)
    try:
        require_agreement(whole, q, at.history, freedom, at.time)
    except SolveError as error:
        when = f"After the event {at.event!r} at t = {amount(at.time, 'time', 6)}"
        raise SolveError(f"{when}: {error.message}", error.hint) from error
    return whole.without(freedom.redundant) if freedom.redundant else whole


def behind_impulse(
    system: MultibodySystem,
    at: Moment,
    q: np.ndarray,
    hit: tuple[str, ...] = (),
    restitution: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return velocities (n,) behind an impulse of the constraints, and the impulse Λ (m,) of each equation.

    M Δv + C_qᵀ Λ = 0, and C_q v + C_t is zero behind it: −e times what it was for the constraints that are hit.
    Coordinates that are quasi-static have no inertia that an impulse could set in motion: they take no part, and find
    their statics in the next step.

    Args:
        system: with independent equations.
        at: time, velocities and history before it.
        q: (n,) position.
        hit: names of constraints with a restitution.
        restitution: e of those.
    """
    if not system.n_constraints:
        return at.v, np.zeros(0)
    _, rows = system.constraints(at.time, q, at.history)
    inertia, fast = system.mass(q), at.without_inertia
    if fast is not None:
        inertia, rows = SeparatedSystem(system, fast).mass(q), np.where(fast, 0.0, rows)
    speeds = rows @ at.v + system.constraint_rates(at.time)[0]
    factors = np.where(np.isin(system.equation_owners, hit), 1.0 + restitution, 1.0)
    change, impulse = ConstrainedInertia(inertia, rows, fast).accelerations(
        np.zeros(system.n), -factors * speeds
    )
    return at.v + change, impulse


def free_parts(system: MultibodySystem) -> tuple[str, ...]:
    """Return the parts on which no constraint, force or contact acts any more; their weight does not count."""
    markers = [name for c in system.constraint_members if c.active for name in c.marker_names()]
    markers += [name for f in system.force_members if f.active for name in f.marker_names()]
    held = {name.partition(".")[0] for name in markers}
    for contact in system.contacts.members:
        held |= {contact.master_part, contact.slave_part}
    return tuple(part.name for part in system.parts if part.n and part.name not in held)
