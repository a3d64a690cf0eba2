"""Jumps of the forces at known times, such as samples of controllers: a step ends there, the next begins anew."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from faying.solvers.integrators import ConstrainedInertia
from faying.solvers.integrators._equations import but
from faying.solvers.integrators._extrapolation import Extrapolation
from faying.solvers.integrators._step import (
    Carried,
    Method,
    Outcome,
    contact_inertia,
    longest_step,
    take_step,
)

_NEAR = 1e-9  # of a step, as rounding of times


class Timed(NamedTuple):
    """A step that ends at the latest at the next jump.

    Attributes:
        outcome: of the step.
        carried: what the step began with, after a jump that was due.
    """

    outcome: Outcome
    carried: Carried


def step_to_jump(method: Method, carried: Carried, inertia: ConstrainedInertia | None) -> Timed:
    """Return the result of a step as of `take_step` that ends at the next jump, if not before."""
    system, wanted = method.system, carried.length
    due = system.next_jump(carried.state)
    if due == np.inf:
        return Timed(take_step(method, carried, inertia), carried)
    if due <= carried.state.time + _NEAR * wanted:
        carried = _after_jump(method, carried)
        due = system.next_jump(carried.state)
    left = due - carried.state.time
    if left < wanted * (1.0 + _NEAR):
        carried = replace(carried, length=left)
    elif left < 2.0 * wanted and not method.fixed_step:
        carried = replace(carried, length=0.5 * left)  # two halves rather than a long step and a sliver
    outcome = take_step(method, carried, inertia)
    if outcome.accepted and carried.length < wanted:
        # A cut step does not limit later ones, but the general limits still do.
        longest = min(wanted, longest_step(method, outcome.carried.state))
        following = replace(outcome.carried, length=max(outcome.carried.length, longest))
        outcome = outcome._replace(carried=following)
    return Timed(outcome, carried)


def _after_jump(method: Method, carried: Carried) -> Carried:
    """Return the data for a step from a state whose forces have jumped: accelerations and multipliers jump with them.

    The scheme begins anew, as its data are of the forces before.
    """
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
