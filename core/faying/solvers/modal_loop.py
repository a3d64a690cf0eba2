"""Static loops along a vibration mode: frequency and damping of the vibration from stiffness and area of the loop.

A body with friction in its joints is pushed by a force M φ α in the shape of the inertia of a mode φ with φᵀ M φ = 1,
and a = φᵀ M (q − q₀) is its motion along the mode from its state of rest. In a vibration of amplitude a the body goes
through the loop of α over a between ±a (Festjens, Chevallier and Dion 2013; Lacayo and Allen 2019).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from faying.linalg.symmetric import is_sparse
from faying.progress import PartialProgress, Progress
from faying.solvers import load_steps
from faying.solvers.displacement_controlled_body import (
    DisplacementControlledBody,
    LoadSegment,
    MotionStates,
)
from faying.solvers.hard_contact import HardContactSolution
from faying.solvers.load_steps import LoadState, LoadStepping, SolvedState

CLOSED = 1e-3  # of the half range of the load, by which a loop may end off where it began
_MOST_CYCLES = 4
_ROUND_OFF = 1e-13  # of the work A a, below which an area is round-off


class Backbone(NamedTuple):
    """Natural frequency √(A / a) / 2π, damping ratio D / (2π A a), and D, the work work of friction per cycle."""

    frequency: float
    damping: float
    dissipated: float


def backbone_of(load: float, motion: float, dissipated: float) -> Backbone:
    """Return frequency and damping of a vibration from the loop that it goes through.

    A viscous damper of the ratio ζ dissipates 2 π ζ ω² a² in a cycle of a mode of unit mass, and ω² = A / a.

    Args:
        load: A, half the range of α.
        motion: a, half the range of the motion.
        dissipated: D, the area of the loop.
    """
    work = load * motion
    area = dissipated if abs(dissipated) > _ROUND_OFF * abs(work) else 0.0
    ratio = area / (2.0 * np.pi * work) if work > 0.0 else 0.0
    return Backbone(float(np.sqrt(max(load / motion, 0.0)) / (2.0 * np.pi)), ratio, area)


def masing_dissipation(motions: np.ndarray, loads: np.ndarray) -> np.ndarray:
    """Return (n,) the area of the loop between ±a that Masing's rules give for each point of the first loading.

    Both branches of the loop are the first loading at twice its size (Masing 1926), so that
    D = 8 (∫₀ᵃ α da − A a / 2); the integral is by the trapezoidal rule.

    Args:
        motions, loads: (n,) a and α on the first loading, the state of rest left out.
    """
    from scipy.integrate import cumulative_trapezoid  # late: takes long to import

    a, load = np.concatenate([[0.0], motions]), np.concatenate([[0.0], loads])
    areas = cumulative_trapezoid(load, a)
    return np.asarray(8.0 * (areas - 0.5 * motions * loads))


@dataclass(frozen=True, eq=False)
class ModalState:
    """An equilibrium along a mode.

    Attributes:
        motion: a, along the mode from the state of rest.
        load: α.
        solved: state and solution.
    """

    motion: float
    load: float
    solved: SolvedState

    @property
    def coordinates(self) -> np.ndarray:
        """(n,) of the body."""
        return self.solved.state.coordinates


@dataclass(frozen=True, eq=False)
class ModalLoop:
    """A loop between ±a, in a steady cycle if that is reached.

    Attributes:
        states: from a to −a and back to a, the state where it begins left out.
        turned: at −a.
        backbone: frequency and damping.
        closure: difference of the loads where it begins and ends, over half their range.
        cycles: number of cycles until it was steady.
    """

    states: tuple[ModalState, ...]
    turned: ModalState
    backbone: Backbone
    closure: float
    cycles: int

    @property
    def end(self) -> ModalState:
        """The state at a where it ends."""
        return self.states[-1]


@dataclass
class ModalPath:
    """A body that is pushed along a mode by its inertia.

    Args:
        body: stiffness and joints, with the constraints of an FE model; its own controlled motions stay free.
        column: (n,) M φ, the force along the mode.
        shape: (n,) φ.
        base: (n,) loads that act all the time.
        equilibrium: solver with the arguments of `faying.solvers.hard_contact.solve_hard_contact`.

    Attributes:
        iterations: Newton corrections so far.
        n_steps: load steps so far.
        divided: steps that were tried and divided.
    """

    body: DisplacementControlledBody
    column: np.ndarray
    shape: np.ndarray
    base: np.ndarray
    equilibrium: Callable[..., HardContactSolution]
    iterations: int = 0
    n_steps: int = 0
    divided: int = 0
    _controlled: DisplacementControlledBody = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Control the motion along the mode alone."""
        rows: Any = self.column[None]
        rows = sp.csr_matrix(rows) if is_sparse(self.body.stiffness) else rows
        self._controlled = DisplacementControlledBody(
            self.body.stiffness, self.body.joints, rows, self.body.constraints
        )

    def follow(
        self, rest: LoadState, begin: ModalState | None, motions: np.ndarray, progress: Progress
    ) -> list[ModalState]:
        """Return the equilibria at motions along the mode, one load step to each.

        Args:
            rest: from which motions count.
            begin: from which the steps go on; None for the state of rest.
            motions: (n,) a, in one direction from that of the beginning.
            progress: reports and cancels.

        Raises:
            SolveError: when no equilibrium is found, however small the step.
        """
        origin = float(self.column @ rest.coordinates)
        last = (rest, 0.0) if begin is None else (begin.solved.state, begin.motion)
        before: tuple[LoadState, float] | None = None
        found: list[ModalState] = []
        for k, motion in enumerate(np.asarray(motions, float).tolist()):
            part = PartialProgress(progress, k / len(motions), (k + 1) / len(motions))
            held, (now, a) = np.array([True]), last
            first, end = (MotionStates(held, np.zeros(1), np.array([origin + m])) for m in (a, motion))
            segment = LoadSegment(self.base, self.base, first, end)
            method = LoadStepping(
                self._controlled.solver(segment, self.equilibrium), tuple(self.body.joints), 1
            )
            # Loading goes on as it did in the last step; at first in the shape of the mode.
            way = self.shape
            if before is not None:
                way = (now.coordinates - before[0].coordinates) / (a - before[1])
            march = load_steps.begin(method, replace(now, load=0.0), now.coordinates + (motion - a) * way)
            ((march, solved),) = load_steps.marched(method, march, part)
            force = float(self._controlled.motions_at(segment, solved).forces[0])
            found.append(ModalState(motion, force, solved))
            before, last = last, (solved.state, motion)
            self.iterations += march.report.iterations
            self.divided += march.report.divided
        self.n_steps += len(found)
        return found

    def loop(self, rest: LoadState, begin: ModalState, count: int, progress: Progress) -> ModalLoop:
        """Return the loop from a state to the opposite motion and back, repeated until it closes, four times at most.

        Args:
            rest: from which motions count.
            begin: state at the amplitude, on the first loading.
            count: number of steps of each half, the shortest after each turn.
            progress: reports and cancels.

        Raises:
            SolveError: when no equilibrium is found, however small the step.
        """
        amplitude, cycle = begin.motion, 0
        # Joints slip within a way after the turn that is the same at all amplitudes: steps grow with the way. That of
        # a slider over such a way has the same relative error of the area, 1/n², whatever its share of the amplitude.
        ways = 2.0 * amplitude * (np.arange(1, count + 1) / count) ** 2
        while True:
            cycle += 1
            share, part = 0.5 / _MOST_CYCLES, (cycle - 1) / _MOST_CYCLES
            halves = [PartialProgress(progress, part + k * share, part + (k + 1) * share) for k in (0, 1)]
            there = self.follow(rest, begin, amplitude - ways, halves[0])
            back = self.follow(rest, there[-1], ways - amplitude, halves[1])
            states = [*there, *back]
            motions = np.array([begin.motion, *(s.motion for s in states)])
            loads = np.array([begin.load, *(s.load for s in states)])
            half = 0.5 * (loads[-1] - there[-1].load)
            closure = abs(loads[-1] - loads[0]) / abs(half) if half else 0.0
            if closure <= CLOSED or cycle == _MOST_CYCLES:
                area = float(np.trapezoid(loads, motions))
                backbone = backbone_of(float(half), amplitude, area)
                return ModalLoop(tuple(states), there[-1], backbone, float(closure), cycle)
            begin = states[-1]
