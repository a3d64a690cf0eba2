"""Jumps of the forces at known times, such as samples of controllers: a step ends there, the next begins anew."""

from dataclasses import replace

import numpy as np

from faying.solvers.integrators import ConstrainedInertia
from faying.solvers.integrators._cut_step import length_to, take_cut_step
from faying.solvers.integrators._equations import but
from faying.solvers.integrators._extrapolation import Extrapolation
from faying.solvers.integrators._step import (
    Carried,
    Method,
    Outcome,
    contact_inertia,
)

_NEAR = 1e-9  # of a step, as rounding of times


def step_to_jump(
    method: Method, carried: Carried, inertia: ConstrainedInertia | None, length: float
) -> Outcome:
    """Return the result of a step of a length at most, which ends at the next jump if that is nearer."""
    left = method.system.next_jump(carried.state) - carried.state.time
    return take_cut_step(method, carried, inertia, min(length, length_to(left, length)))


def behind_jump(method: Method, carried: Carried) -> Carried:
    """Return the data for a step from behind a jump that is due at its state: accelerations and multipliers jump, too.

    The scheme begins anew, as its data are of the forces before. The data themselves where none is due.
    """
    if method.system.next_jump(carried.state) > carried.state.time + _NEAR * carried.length:
        return carried
    system, state = method.system, carried.state
    history = system.after_jump(state)

    forces = [
        system.forces(state.time, state.q, state.v, each, jacobian=False).force
        for each in (state.history, history)
    ]
    inertia = contact_inertia(system, state.time, state.q, state.history)
    change, more = inertia.accelerations(forces[1] - forces[0])
    change = but(system.without_inertia, change)
    state = replace(state, a=state.a + change, multipliers=state.multipliers + more, history=history)
    past = method.scheme.after_jump(carried.past, state, change)
    unknowns = Extrapolation.beginning(state.time, np.concatenate([state.a, state.multipliers]))
    return replace(carried, state=state, past=past, unknowns=unknowns)
