"""Selection of a few weighted pairs that replace all pairs of a joint, so that the body moves nearly as with all.

The weights are fitted in training states: equilibria of the reduced body, with friction, along load paths. A path is a
sequence of loads, such as those of an analysis over time, or a single load that is applied in two steps and then partly
removed, so that pairs stick, slip, reverse and open. Each equilibrium is joined by slightly perturbed states, in which
the sample has to push back as all pairs do: weights fitted to the forces of equilibria alone leave the tangent
undetermined, and the motion drifts away.

The force c of a pair is measured by the displacement it causes, Δq = (K − J)⁻¹ c with the tangent of the state:
pressed surfaces carry large forces that barely move the body. So the tolerance is one of the motion.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError, SolveError
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import DenseRows, JointForce, JointResponse
from faying.joints.sampled import JointSample
from faying.linalg.sparse_weights import sparse_weights
from faying.linalg.threads import one_thread
from faying.progress import PartialProgress, Progress, Silent
from faying.solvers.equilibrium import solve_equilibrium

_SHARES = (0.5, 1.0, 0.4)  # factors of a single load along its path
_ERRORS = 2  # perturbed states in addition to each equilibrium
_ERROR = 0.05  # their distance, relative to the largest displacement on the path (both in the energy norm)
_ROWS = 2000  # of the least-squares problem; where there are more, they are combined at random into so many


@dataclass(frozen=True, eq=False)
class TrainingLoads:
    """Loads on the body in one mounting state (preload case), over its reduced coordinates.

    Attributes:
        mounting: (r,) force that always acts.
        joints: gap and slip rows of all joints; initial gaps minus the closings by the preload.
        paths: for each path (r, k) its loads in their order.
    """

    mounting: np.ndarray
    joints: Sequence[DenseRows]
    paths: Sequence[np.ndarray]


def there_and_back(loads: np.ndarray) -> list[np.ndarray]:
    """Return a path (r, 3) for each column of loads (r, N): half of the load, all of it, then 40 %."""
    return [np.outer(load, _SHARES) for load in loads.T]


@dataclass(frozen=True, eq=False)
class JointLaws:
    """Laws of a joint, and the tolerance of its sampling.

    Attributes:
        contact_law, friction_law: the latter is None without friction.
        tolerance: see `faying.joints.sampled.SamplingSpec`; None for a joint that is not sampled.
    """

    contact_law: ContactLaw
    friction_law: FrictionLaw | None
    tolerance: float | None


@dataclass(frozen=True, eq=False)
class TrainingState:
    """An equilibrium, or a perturbed state near one.

    Attributes:
        joints: rows and laws of all joints.
        answers: their responses, with Jacobians.
        size: largest energy norm √(Δqᵀ K Δq) of the displacements on the path, the reference for errors.
    """

    joints: list[JointForce]
    answers: list[JointResponse]
    size: float


def sample_joints(
    stiffness: np.ndarray, laws: Sequence[JointLaws], training: Sequence[TrainingLoads], progress: Progress
) -> tuple[JointSample | None, ...]:
    """Return the sample (pairs and factors) of each joint; None for joints without a tolerance.

    Args:
        stiffness: K (r, r) of the reduced body, positive definite.
        laws: of its joints, in their order.
        training: loads, one item for each mounting state.
        progress: reports and cancels.

    Raises:
        ModelError: when no pair of a joint closes under any load.
    """
    sums = {number: _Sums() for number, law in enumerate(laws) if law.tolerance is not None}
    lower = la.cholesky(stiffness, lower=True)
    with one_thread():
        for state in training_states(stiffness, laws, training, PartialProgress(progress, 0.0, 0.6)):
            tangent = stiffness - sum(answer.jacobian for answer in state.answers)
            # Maps a force to the displacement it causes, so scaled that its length is the energy norm over `size`.
            effect = np.linalg.lstsq(tangent.T, lower, rcond=None)[0].T / state.size
            for number, own in sums.items():
                own.add(effect, state.joints[number].rows, state.answers[number])
    samples: list[JointSample | None] = [None] * len(laws)
    for turn, (number, own) in enumerate(sums.items()):
        name = getattr(training[0].joints[number], "name", f"joint {number + 1}")
        tolerance = laws[number].tolerance
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
    stiffness: np.ndarray, laws: Sequence[JointLaws], training: Sequence[TrainingLoads], progress: Progress
) -> Iterator[TrainingState]:
    """Yield the equilibria along all paths, each followed by its perturbed states.

    Where an equilibrium is not found, the rest of that path is left out.
    """
    total = sum(len(each.paths) for each in training)
    done, random, lower = 0, np.random.default_rng(0), la.cholesky(stiffness, lower=True)
    for each in training:
        forces = [
            JointForce(rows, law.contact_law, law.friction_law)
            for rows, law in zip(each.joints, laws, strict=True)
        ]
        rest = np.zeros(len(stiffness))
        if each.mounting.any():
            smooth = [force.without_friction() for force in forces]
            opened = [force.initial_history() for force in smooth]
            rest = solve_equilibrium(stiffness, each.mounting, smooth, opened, rest, Silent())[0]
        lying = [force.resting_history(rest) for force in forces]
        for path in each.paths:
            progress.report(done / total, f"load {done + 1} of {total}")
            part = PartialProgress(progress, done / total, (done + 1) / total, f"load {done + 1} of {total}")
            done += 1
            found = _followed(stiffness, each.mounting, forces, rest, lying, path, part)
            changes = [q - rest for q, _ in found]
            size = float(np.sqrt(max((change @ stiffness @ change for change in changes), default=0.0)))
            if size == 0.0:
                continue
            for q, histories in found:
                answers = _answers(forces, q, histories)
                yield TrainingState(forces, answers, size)
                tangent = stiffness - sum(answer.jacobian for answer in answers)
                for _ in range(_ERRORS):
                    # Perturbed by a random force that has the same expected energy in all directions.
                    astray = np.linalg.lstsq(tangent, lower @ random.standard_normal(len(q)), rcond=None)[0]
                    astray *= _ERROR * size / float(np.sqrt(astray @ stiffness @ astray))
                    yield TrainingState(forces, _answers(forces, q + astray, histories), size)


def _followed(
    stiffness: np.ndarray,
    mounting: np.ndarray,
    forces: Sequence[JointForce],
    rest: np.ndarray,
    lying: Sequence[np.ndarray],
    path: np.ndarray,
    progress: Progress,
) -> list[tuple[np.ndarray, Sequence[np.ndarray]]]:
    """Return the coordinates (r,) of each equilibrium on a path (r, k), with the histories before its load."""
    found = list[tuple[np.ndarray, Sequence[np.ndarray]]]()
    q, histories = rest, lying
    for load in path.T:
        try:
            q, answers, _ = solve_equilibrium(stiffness, mounting + load, forces, histories, q, progress)
        except SolveError:
            break
        found.append((q, histories))
        histories = [answer.history for answer in answers]
    return found


def _answers(
    forces: Sequence[JointForce], q: np.ndarray, histories: Sequence[np.ndarray]
) -> list[JointResponse]:
    return [force.evaluate(q, own, 0.0, jacobian=True) for force, own in zip(forces, histories, strict=True)]


class _Sums:
    """Least-squares matrix of one joint, accumulated over the states: in each column the displacements by one pair.

    The rows of all states would be too many. Each row is added, with a random sign, to one of `_ROWS` sums drawn at
    random for each state, which nearly keeps lengths and angles of the columns (Charikar, Chen and Farach-Colton 2002).
    The seed is fixed, so that results repeat.
    """

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)
        self._sum: np.ndarray | None = None
        self._states = 0
        self.count = 0

    def add(self, effect: np.ndarray, rows: DenseRows, answer: JointResponse) -> None:
        """Add a state: `effect` (r, r) maps forces to scaled displacements; `count` counts states with closed pairs."""
        pairs, r = answer.closed.pairs, len(effect)
        if self._sum is None:
            self._sum = np.zeros((max(_ROWS, r), len(rows.weights)))
        self._states += 1
        self.count += bool(len(pairs))
        columns = rows.normal[pairs].T * answer.closed.pressure
        if answer.closed.stress is not None:
            columns -= np.einsum("pkr,pk->rp", rows.tangential[pairs], answer.closed.stress)
        columns *= rows.weights[pairs]
        places = self._random.choice(len(self._sum), r, replace=False)
        signs = self._random.choice([-1.0, 1.0], r)
        self._sum[np.ix_(places, pairs)] += signs[:, None] * (effect @ columns)

    def sample(self, tolerance: float, progress: Progress) -> JointSample:
        """Return the pairs that replace all, and their factors."""
        assert self._sum is not None
        whole, size = self._sum.sum(axis=1), float(np.sqrt(self._states))
        # For a joint that barely affects the motion the sample must give at least half of its effect.
        least = 0.5 * float(np.linalg.norm(whole)) / size
        weights = sparse_weights(self._sum, min(tolerance, least), progress, size=size)
        pairs = np.flatnonzero(weights)
        error = float(np.linalg.norm(self._sum[:, pairs] @ weights[pairs] - whole) / size)
        return JointSample(pairs, weights[pairs], len(weights), error, self._states)
