"""Steps that end at a given time, and what that does to the length of the next one."""

from dataclasses import replace

from faying.solvers.integrators import ConstrainedInertia
from faying.solvers.integrators._step import Carried, Method, Outcome, longest_step, take_step


def length_to(left: float, wanted: float) -> float:
    """Return the length of the next step towards a time that is `left` away, for the length that is wanted."""
    if wanted >= left * (1 - 1e-9):
        return left
    # Two halves rather than a long step and a sliver.
    return min(wanted, 0.5 * left)


def take_cut_step(
    method: Method, carried: Carried, at_start: ConstrainedInertia | None, length: float
) -> Outcome:
    """Return the result of a step of a length, which may be below the one that was wanted.

    A cut step does not limit later ones, but the general limits still do.
    """
    outcome = take_step(method, replace(carried, length=length), at_start)
    if not outcome.accepted or not length < carried.length:
        return outcome
    cut = min(carried.length, longest_step(method, outcome.carried.state))
    if cut <= outcome.carried.length:
        return outcome
    return outcome._replace(carried=replace(outcome.carried, length=cut))
