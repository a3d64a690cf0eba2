"""A chain of masses, each tied to the ground by a friction element: thesis section 4.4.2, figure 4.37.

Assumptions not stated in the thesis: a spring connects the first mass to a wall, the last mass is free, and the chain
starts at rest. The friction elements are the joints' laws in one direction, with forces for stresses and a prescribed
limit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from faying.joints.friction_laws import FrictionLaw, Traction
from faying.linalg.threads import one_thread
from faying.progress import Progress
from faying.solvers.integrators import (
    Before,
    ContactForces,
    Forces,
    Integrator,
    RunReport,
    State,
    Unconstrained,
    consistent_start,
    interpolate,
)

MASSES, MASS, SPRING = 100, 0.1, 100.0  # kg, N/m
LOAD, LOAD_FREQUENCY = 0.2, 1.0  # N, Hz
FRAME_INTERVAL = 0.01  # s
WATCHED = 25  # the mass whose motion is recorded, counted from 1

_History = tuple[float, np.ndarray]  # time, and the law's own history


class OscillatorChain(Unconstrained):
    """M ẍ + K x + τ(x, R_G(t), history) = e sin(2π t): a `DynamicSystem` without constraints and damping.

    Its history is that of the law and the time it belongs to, from which the limit of a trial state follows.

    Args:
        law: of the friction elements.
        limit: sticking limit R_G over time, the same for all elements.
        excited: numbers of the masses that the load acts on, counted from 1.
    """

    n = MASSES
    has_lasting_contact = True

    def __init__(self, law: FrictionLaw, limit: Callable[[float], float], excited: Sequence[int]) -> None:
        self._law, self._limit = law, limit
        self.scales = np.ones(MASSES)
        self._mass = MASS * np.eye(MASSES)
        neighbours = np.eye(MASSES, k=1)
        self._stiffness = SPRING * (2.0 * np.eye(MASSES) - neighbours - neighbours.T)
        self._stiffness[-1, -1] = SPRING
        self._amplitudes = np.zeros(MASSES)
        self._amplitudes[np.asarray(excited) - 1] = LOAD

    def initial_history(self) -> _History:
        """Return the history of elements at rest."""
        return 0.0, np.zeros((MASSES, self._law.history_size))

    def accepted(
        self,
        time: float,
        q: np.ndarray,
        history: _History,
        v: np.ndarray | None = None,
        multipliers: np.ndarray | None = None,
    ) -> _History:
        """Return the history, marked with the time of the accepted step."""
        return time, history[1]

    def friction(
        self, x: np.ndarray, history: _History, time_step: float, *, derivatives: bool = False
    ) -> Traction:
        """Return the elements' forces in the first direction; nothing moves in the second."""
        time, committed = history
        slip = np.column_stack([x, np.zeros(MASSES)])
        limit = np.full(MASSES, self._limit(time + time_step))
        return self._law.traction(slip, limit, committed, time_step, derivatives=derivatives)

    def contact(
        self,
        q: np.ndarray,
        history: _History,
        time_step: float,
        *,
        jacobian: bool,
        before: Before | None = None,
        last: Any = None,
    ) -> ContactForces:
        """Return the friction forces as `lasting` ones: they are continuous in time even where the limit changes."""
        friction = self.friction(q, history, time_step, derivatives=jacobian)
        slope = None if friction.d_slip is None else -np.diag(friction.d_slip[:, 0, 0])
        return ContactForces(
            np.zeros(MASSES),
            (history[0] + time_step, friction.history),
            lasting=Forces(-friction.stress[:, 0], slope),
        )

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return M (n, n), constant."""
        return self._mass

    def forces(self, time: float, q: np.ndarray, v: np.ndarray, history: object, *, jacobian: bool) -> Forces:
        """Return the forces of load and springs."""
        load = self._amplitudes * np.sin(2.0 * np.pi * LOAD_FREQUENCY * time)
        return Forces(load - self._stiffness @ q, -self._stiffness if jacobian else None)


@dataclass(frozen=True, eq=False)
class ChainMotion:
    """Motion of the recorded mass.

    Attributes:
        times, displacement, friction: (n,) at every frame interval.
        work: work done against the friction element in the second half of the time.
        report: of the integrator.
    """

    times: np.ndarray
    displacement: np.ndarray
    friction: np.ndarray
    work: float
    report: RunReport

    @property
    def measures(self) -> np.ndarray:
        """(3,) largest amount of the displacement over the frames, its last value, work."""
        return np.array([np.abs(self.displacement).max(), self.displacement[-1], self.work])


def simulate(
    chain: OscillatorChain, integrator: Integrator, duration: float, progress: Progress
) -> ChainMotion:
    """Return the motion of the recorded mass from rest; the duration is a multiple of the frame interval."""
    watched = WATCHED - 1
    frames = [(0.0, 0.0)]  # displacement and friction force
    steps = [(0.0, 0.0, 0.0)]  # time, displacement, friction force

    def accepted(before: State, after: State) -> None:
        def friction_at(time: float, x: np.ndarray) -> float:
            # The law starts from the history committed at the beginning of the step, as within the step itself.
            answer = chain.friction(x, before.history, time - before.time)
            return float(answer.stress[watched, 0])

        steps.append((after.time, float(after.q[watched]), friction_at(after.time, after.q)))
        while len(frames) * FRAME_INTERVAL <= min(after.time, duration) * (1 + 1e-12):
            time = min(len(frames) * FRAME_INTERVAL, after.time)
            x, _ = interpolate(before, after, time)
            frames.append((float(x[watched]), friction_at(time, x)))

    rest = np.zeros(MASSES)
    start = consistent_start(chain, 0.0, rest, rest, chain.initial_history())
    with one_thread():
        report = integrator.integrate(chain, start, duration, accepted, progress)
    times, x, force = np.array(steps).T
    work = np.concatenate([[0.0], np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(x))])
    half, whole = np.interp([duration / 2, duration], times, work)
    displacement, friction = np.array(frames).T
    return ChainMotion(
        FRAME_INTERVAL * np.arange(len(frames)), displacement, friction, float(whole - half), report
    )
