"""Which pairs stand for a joint: weights that give its force in many states of contact and friction.

States are equilibria of the reduced body under loads as `faying.reduction.snapshot_loads` makes them: of the trial
vectors and at interface nodes, one by one in both directions and combined, on the unloaded body and in each preload
case. Each load comes in two steps and goes again in part, so that pairs stick, slip, turn back and open.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError, SolveError
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import JointForce, JointResponse
from faying.joints.sampled import JointSample
from faying.linalg.sparse_weights import sparse_weights
from faying.linalg.threads import one_thread
from faying.progress import PartialProgress, Progress, Silent
from faying.reduction.body import ReducedBody
from faying.solvers.equilibrium import solve_equilibrium

_SHARES = (0.5, 1.0, 0.4)  # of a load, one after the other
_MOST_ROWS = 2000  # of the least squares; more are mixed to so many


@dataclass(frozen=True, eq=False)
class TrainingLoads:
    """Loads on the body in one state of mounting, over its coordinates.

    Attributes:
        mounting: (r,) force that acts always.
        initial_gaps: (n_pairs,) of all joints, less what the preload closes.
        loads: (r, N).
    """

    mounting: np.ndarray
    initial_gaps: np.ndarray
    loads: np.ndarray


@dataclass(frozen=True, eq=False)
class JointLaws:
    """Laws of a joint, and how exactly it is to be sampled.

    Attributes:
        contact_law, friction_law: friction may be absent.
        tolerance: see `faying.joints.sampled.SamplingSpec`; None for a joint whose pairs all act.
    """

    contact_law: ContactLaw
    friction_law: FrictionLaw | None
    tolerance: float | None


def sample_joints(
    body: ReducedBody,
    laws: Sequence[JointLaws],
    training: Sequence[TrainingLoads],
    progress: Progress,
    more: Iterable[list[JointResponse]] = (),
) -> tuple[JointSample | None, ...]:
    """Return the pairs that stand for each joint, and their factors; None for joints without a tolerance.

    Args:
        body: free, in any frame.
        laws: of its joints, in their order.
        training: loads, state of mounting by state.
        progress: reports and cancels.
        more: what all joints answer in other states that count.

    Raises:
        ModelError: when no pair of a joint closes under any load.
    """
    count = len(_SHARES) * sum(each.loads.shape[1] for each in training)
    sums = {
        number: _Sums(rows, body.stiffness, count)
        for number, (rows, law) in enumerate(zip(body.joints, laws, strict=True))
        if law.tolerance is not None
    }
    with one_thread():
        part = PartialProgress(progress, 0.0, 0.6)
        for answers in itertools.chain(training_states(body, laws, training, part), more):
            for number, own in sums.items():
                own.add(answers[number])
    samples: list[JointSample | None] = [None] * len(laws)
    for turn, (number, own) in enumerate(sums.items()):
        name, tolerance = body.joints[number].name, laws[number].tolerance
        assert tolerance is not None
        if not own.count:
            raise ModelError(
                f"No pair of the joint {name!r} closes under the loads that its sampled pairs are chosen by.",
                "Take the sampling off the joint, or add the preload case that closes it.",
            )
        first, last = (0.6 + 0.4 * at / len(sums) for at in (turn, turn + 1))
        samples[number] = own.sample(tolerance, PartialProgress(progress, first, last, f"pairs of {name}"))
    return tuple(samples)


def training_states(
    body: ReducedBody, laws: Sequence[JointLaws], training: Sequence[TrainingLoads], progress: Progress
) -> Iterator[list[JointResponse]]:
    """Yield what every joint answers in each state.

    Loads whose equilibrium is not found are left out, and so is what would come after them on the same way.
    """
    total = sum(each.loads.shape[1] for each in training)
    done = 0
    starts = np.cumsum([0, *(len(rows.weights) for rows in body.joints)])
    for each in training:
        rows = [
            replace(own, initial_gaps=each.initial_gaps[a:b])
            for own, a, b in zip(body.joints, starts[:-1], starts[1:], strict=True)
        ]
        forces = [
            JointForce(own, law.contact_law, law.friction_law) for own, law in zip(rows, laws, strict=True)
        ]
        smooth = [JointForce(own, law.contact_law) for own, law in zip(rows, laws, strict=True)]
        rest = np.zeros(body.n_coordinates)
        if each.mounting.any():
            opened = [force.initial_history() for force in smooth]
            rest = solve_equilibrium(body.stiffness, each.mounting, smooth, opened, rest, Silent())[0]
        lying = [force.resting_history(rest) for force in forces]
        for load in each.loads.T:
            progress.report(done / total, f"load {done + 1} of {total}")
            done += 1
            q, histories = rest, lying
            for share in _SHARES:
                try:
                    q, answers, _ = solve_equilibrium(
                        body.stiffness, each.mounting + share * load, forces, histories, q, Silent()
                    )
                except SolveError:
                    break
                histories = [answer.history for answer in answers]
                yield answers


class _Sums:
    """Gathers what each pair adds to the force of one joint, state by state.

    A pair adds cᵢ = wᵢ (pᵢ Gnᵢ − τᵢ Gtᵢ), measured by the work that it can do on the body: ‖cᵢ‖² = cᵢᵀ A⁻¹ cᵢ. Each
    state is scaled, so that its whole force has length one: small and large ones count alike. Rows of all states below
    each other are the columns of the least squares. Where that would be too many, random sums of rows stand for them,
    which keep lengths and angles of few columns (Johnson and Lindenstrauss 1984); always the same ones.

    Args:
        rows: gap and slip rows of the joint.
        metric: A (r, r), positive definite.
        states: how many there will be.
    """

    def __init__(self, rows: Any, metric: np.ndarray, states: int) -> None:
        n, r = rows.normal.shape
        factor = la.cholesky(metric, lower=True)
        every = np.concatenate([rows.normal[:, None], rows.tangential], axis=1).reshape(3 * n, r)
        self._rows = la.solve_triangular(factor, every.T, lower=True).reshape(r, n, 3)
        self._weights = rows.weights
        self._mixed = r * states > _MOST_ROWS
        self._random = np.random.default_rng(0)
        self._sum = np.zeros((_MOST_ROWS, n))
        self._stacked: list[np.ndarray] = []
        self.count = 0

    def add(self, answer: JointResponse) -> None:
        """Take a state."""
        pairs = answer.closed.pairs
        local = np.zeros((len(pairs), 3))
        local[:, 0] = answer.closed.pressure
        if answer.closed.stress is not None:
            local[:, 1:] = -answer.closed.stress
        local *= self._weights[pairs, None]
        columns = np.einsum("rpk,pk->rp", self._rows[:, pairs], local)
        size = float(np.linalg.norm(columns.sum(axis=1)))
        if size == 0.0:
            return
        self.count += 1
        if self._mixed:
            mix = self._random.standard_normal((_MOST_ROWS, len(columns))) / np.sqrt(_MOST_ROWS)
            self._sum[:, pairs] += mix @ (columns / size)
        else:
            every = np.zeros((len(columns), len(self._weights)))
            every[:, pairs] = columns / size
            self._stacked.append(every)

    def sample(self, tolerance: float, progress: Progress) -> JointSample:
        """Return the pairs that stand for all."""
        columns = self._sum if self._mixed else np.vstack(self._stacked)
        weights = sparse_weights(columns, tolerance, progress)
        pairs = np.flatnonzero(weights)
        whole = columns.sum(axis=1)
        error = float(np.linalg.norm(columns[:, pairs] @ weights[pairs] - whole) / np.linalg.norm(whole))
        return JointSample(pairs, weights[pairs], len(weights), error, self.count)
